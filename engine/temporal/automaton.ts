/** Generalized Büchi automata of temporal formulas. */
import type { TemporalFormula } from '../sequential/temporal.js';

/** Accepts a run if some path has, for each promise, infinitely many transitions that do not promise it. */
export interface Automaton {
    readonly initial: readonly number[];
    /** By state. */
    readonly transitions: readonly (readonly AutomatonTransition[])[];
    /** The number of `until`s. */
    readonly promiseCount: number;
}

/** Taken at a position of a run where the atoms are as it says. */
export interface AutomatonTransition {
    readonly target: number;
    /** Atoms that must be true, ascending. */
    readonly positive: readonly number[];
    /** Atoms that must be false, ascending. */
    readonly negative: readonly number[];
    /** The untils that are put off, ascending. */
    readonly promised: readonly number[];
}

export function negationOf(_formula: TemporalFormula): TemporalFormula {
    throw new Error('not yet');
}

/** Undefined if it would have more than `mostStates` states. */
export function automatonOf(_formula: TemporalFormula, _mostStates: number): Automaton | undefined {
    throw new Error('not yet');
}
