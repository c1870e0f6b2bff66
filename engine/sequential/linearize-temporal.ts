/** Temporal properties and fairness of a model over its instances and summands. */
import type { Model } from '../model/model.js';
import type { Specializer } from './expression/specialize.js';
import type { Instance, SequentialModel, Summand } from './sequential-model.js';

interface LinearizedParts {
    readonly specializer: Specializer;
    readonly instances: readonly Instance[];
    readonly summands: readonly Summand[];
}

export function temporalOf(_model: Model, _parts: LinearizedParts): Pick<SequentialModel, 'properties' | 'fairness'> {
    return { properties: [], fairness: [] };
}
