/** Candidates up to symmetry: which one of its orbit stands for a candidate, and what literals then may be. */
import type { Candidate } from './candidates.js';
import type { Bindings } from './log-names.js';
import { AS_IT_IS, type LiteralRule } from './value-match.js';

/** Maps candidates to the ones that stand for their orbits, and keeps all other parts. */
export interface Folding {
    readonly canonical: <Pair extends Pick<Candidate, 'state' | 'bindings'>>(candidate: Pair) => Pair;
    readonly literals: LiteralRule;
    /** A symmetry, on values of index types, that takes what literals are bound to back to themselves. */
    readonly restoring: (bindings: Bindings) => (type: string, code: number) => number;
    /** The number of symmetries. */
    readonly order: bigint;
}

/** Each candidate stands for itself. */
export const NO_FOLDING: Folding = {
    canonical: candidate => candidate,
    literals: AS_IT_IS,
    restoring: () => (_type, code) => code,
    order: 1n,
};
