/** Candidates up to symmetry: which one of its orbit stands for a candidate, and what literals then may be. */
import type { Candidate } from './candidates.js';
import type { Bindings } from './log-names.js';
import { AS_IT_IS, type LiteralRule } from './value-match.js';

/** Maps candidates to the ones that stand for their orbits, and keeps all other parts. */
export interface Folding {
    readonly canonical: <Pair extends Pick<Candidate, 'state' | 'bindings'>>(candidate: Pair) => Pair;
    readonly literals: LiteralRule;
    /** A symmetry that takes what literals are bound to back to themselves. */
    readonly restoring: (bindings: Bindings) => Restoration;
    /** The number of symmetries. */
    readonly order: bigint;
}

/** A symmetry, on values of index types and on states. */
export interface Restoration {
    readonly codeOf: (type: string, code: number) => number;
    readonly imageOf: (state: Readonly<Int32Array>) => Int32Array;
}

/** Each candidate stands for itself. */
export const NO_FOLDING: Folding = {
    canonical: candidate => candidate,
    literals: AS_IT_IS,
    restoring: () => ({ codeOf: (_type, code) => code, imageOf: state => Int32Array.from(state) }),
    order: 1n,
};
