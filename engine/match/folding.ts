/** Candidates up to symmetry: which one of its orbit stands for a candidate, and what literals then may be. */
import type { Bindings } from './log-names.js';
import { AS_IT_IS, type LiteralRule } from './value-match.js';

/** Maps candidates to the ones that stand for their orbits. */
export interface Folding {
    readonly foldOf: (bindings: Bindings) => Fold;
    readonly literals: LiteralRule;
    /** A symmetry that takes what literals are bound to back to themselves. */
    readonly restoring: (bindings: Bindings) => Restoration;
    /** The number of symmetries. */
    readonly order: bigint;
}

/** What stands for the candidates that have the same bindings: other bindings, and for each state another one. */
export interface Fold {
    readonly bindings: Bindings;
    readonly stateOf: (state: Readonly<Int32Array>) => Readonly<Int32Array>;
}

/** A symmetry, on values of index types and on states. */
export interface Restoration {
    readonly codeOf: (type: string, code: number) => number;
    readonly imageOf: (state: Readonly<Int32Array>) => Int32Array;
}

/** Each candidate stands for itself. */
export const NO_FOLDING: Folding = {
    foldOf: bindings => ({ bindings, stateOf: state => state }),
    literals: AS_IT_IS,
    restoring: () => ({ codeOf: (_type, code) => code, imageOf: state => Int32Array.from(state) }),
    order: 1n,
};

/** The candidate that stands for the orbit of one. */
export function folded<Pair extends { readonly state: Readonly<Int32Array>; readonly bindings: Bindings }>(
    candidate: Pair,
    folding: Folding,
): Pair {
    const { bindings, stateOf } = folding.foldOf(candidate.bindings);
    return { ...candidate, bindings, state: stateOf(candidate.state) };
}
