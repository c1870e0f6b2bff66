/**
 * A model as passes (engine/passes) have made it for a search, and the way back to the model as written.
 *
 * States of all the models here have the same cells, so symmetries act on them alike. The state of a run of the model as
 * written becomes one of `stepwise` when some of what was dropped holds no value.
 */
import type { SequentialModel } from './sequential-model.js';

export interface PassedModel {
    /** What is searched. */
    readonly searched: SequentialModel;
    /** Each of its steps is one step of the model as written, whose summands may have other numbers. */
    readonly stepwise: SequentialModel;
    /**
     * Summands of `stepwise`. In `searched`, each of them is taken at once after a step that leads to where it starts; of
     * those of one instance there is one that can be taken then.
     */
    readonly inert: ReadonlySet<number>;
    /** Cells that hold no value in all or some states here where they hold one in runs of the model as written. Ascending. */
    readonly dropped: readonly number[];
    /** The number in `searched` of a summand of the model as written, or -1 where it is not there. */
    readonly numberOf: (summand: number) => number;
}

/** The model itself. */
export function asWritten(model: SequentialModel): PassedModel {
    return { searched: model, stepwise: model, inert: new Set(), dropped: [], numberOf: summand => summand };
}
