/**
 * A model as reduced by passes (engine/passes) for a search, and the way back to the model as written.
 *
 * All these models have the same cells, so symmetries act on them alike. A state of the model as written becomes a
 * state of `stepwise` when some of the dropped cells lose their values.
 */
import type { SequentialModel } from './sequential-model.js';

export interface PassedModel {
    /** What is searched. */
    readonly searched: SequentialModel;
    /** Each of its steps is one step of the model as written; summands may have other numbers. */
    readonly stepwise: SequentialModel;
    /**
     * Summands of `stepwise` that `searched` appends at once to every step that leads to their source. At each source
     * there is one that can be taken.
     */
    readonly inert: ReadonlySet<number>;
    /** Cells that hold no value in some states here, but hold one in the model as written. Ascending. */
    readonly dropped: readonly number[];
    /** The number in `searched` of a summand of the model as written; -1 if it is missing there. */
    readonly numberOf: (summand: number) => number;
}

/** The model itself. */
export function asWritten(model: SequentialModel): PassedModel {
    return { searched: model, stepwise: model, inert: new Set(), dropped: [], numberOf: summand => summand };
}
