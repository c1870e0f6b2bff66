/** The options of an exploration, and the view that its callers have of it. */
import type { TextOfRange } from '../common/source-text.js';
import type { SearchParts } from '../explore/search-parts.js';
import type { PartialOrder } from '../explore/stubborn.js';
import type { RunningExploration } from '../explore/search.js';
import type { Violation } from '../explore/verdict.js';
import type { PassName, PassReport } from '../passes/pass-names.js';
import type { Reason } from '../reasons/reason.js';
import type { ReductionReport } from './reduction.js';
import type { SearchedStates, StateSearchSettings } from './search-states.js';
import type { Reduction } from './symmetry-reduction.js';

/** The reduction and the limits of an exploration. */
export interface ReducedExplorationOptions extends Omit<StateSearchSettings, keyof SearchParts> {
    readonly reduction: Reduction;
    /** Passes over the model before the search; when absent DEFAULT_PASSES, if they may gain something. */
    readonly passes?: readonly PassName[];
    /** Whether some of the possible steps of a state are enough; all are taken if absent. */
    readonly partialOrder?: PartialOrder;
    /** Whether invariants that ask for nothing are told; they are if absent. */
    readonly tellsVacuity?: boolean;
    /** Whether a limit of one search ends all: nothing more is asked, and nothing is searched with more room. */
    readonly endsAtLimit?: boolean;
    /** Whether the symmetries for properties of runs are found when these are asked, and not before the first search. */
    readonly findsLate?: boolean;
    /** How much is done for short runs to violations of properties of runs. */
    readonly mostLassoWork?: number;
    /** The most instances of one template that may be named at once; see grow-slots.ts. */
    readonly maxInstances?: number;
    /** The same for the values of a type without end. */
    readonly maxNames?: number;
    /** The least bound from which on distances of numbers without end are one; see grow-numbers.ts. */
    readonly leastDistances?: number;
}

/** An exploration ready to `advance`, and how it is reduced. */
export interface ReducedExploration extends ReductionReport, Omit<SearchedStates, 'exploration'> {
    readonly exploration: RunningExploration;
    readonly passes: readonly PassReport[];
    readonly reasonOf: ReasonOf;
}

/** Gives the reason of a violation; `textOf` gives the text that may be quoted. */
export type ReasonOf = (violation: Violation, textOf: TextOfRange) => Reason;
