/** The direct factors of groups of model symmetries, and their names. */
import type { WorkLimit } from '../common/work-limit.js';
import { directFactors, type DirectFactor } from '../group/structure.js';
import { product, writtenOrder } from '../group/structure-name.js';
import type { ModelGroup } from '../symmetry/model-symmetry.js';

/** No factors if the search was stopped: the group of its generators is not known. Without names if the limit is reached. */
export function factorsOf(group: ModelGroup, limit?: WorkLimit): readonly DirectFactor[] {
    if (!group.complete) {
        return [];
    }
    let factors = knownFactors.get(group);
    if (factors === undefined) {
        factors = directFactors(group.generators, group.firstPoint[group.cellCount], group.order, limit);
        if (limit?.isExhausted() !== true) {
            knownFactors.set(group, factors);
        }
    }
    return factors;
}

/** Most properties keep the whole group, which is the same object then. */
const knownFactors = new WeakMap<ModelGroup, readonly DirectFactor[]>();

/** The name of a group of model symmetries. */
export function structureOf(group: ModelGroup, limit?: WorkLimit): string {
    if (!group.complete) {
        return group.generators.length === 0 ? 'trivial' : `order at least ${writtenOrder(group.order)}`;
    }
    return product(factorsOf(group, limit).map(({ structure }) => structure)).name;
}
