/**
 * A model as reduced by passes (engine/passes) for a search, and the way back to the model as written. All have the
 * same cells, so symmetries act on them alike. A state as written, without some dropped values, is one of `stepwise`.
 */
import type { SequentialModel } from './sequential-model.js';

export interface PassedModel {
    /** The model that is searched. */
    readonly searched: SequentialModel;
    /** Each of its steps is one step of the model as written; summands may have other numbers. */
    readonly stepwise: SequentialModel;
    /** Summands of `stepwise` that `searched` appends to the steps to their sources, where one of them can be taken. */
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
