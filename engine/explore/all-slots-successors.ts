/**
 * The successors with every choice of a slot for new instances. A search takes the first free ones; of a state that is an
 * image of a stored one these may be others, so that whoever looks for a step needs all.
 */
import { withAllSlots } from '../sequential/templates/all-slots.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { interpretedSuccessors, type Successors } from './successors.js';

/**
 * Summands are those of the given model. `successorsOf` makes those of the model with all choices, or of the model itself
 * without templates, or with too many choices.
 */
export function successorsWithAllSlots(
    model: SequentialModel,
    successorsOf: (model: SequentialModel) => Successors = interpretedSuccessors,
): Successors {
    const all = model.templates && withAllSlots(model);
    if (all === undefined) {
        return successorsOf(model);
    }
    const { sources } = all;
    const successors = successorsOf(all.model);
    return {
        forEachFiring: (state, visitor) => {
            successors.forEachFiring(state, {
                fired: (summand, successor) => visitor.fired(sources[summand], successor),
                faulted: (summand, fault) => visitor.faulted(sources[summand], fault),
            });
        },
    };
}
