/**
 * The successors with every choice of a slot for new instances. A search takes the first free ones; of a state that is an
 * image of a stored one these may be others, so that whoever looks for a step needs all.
 */
import { withAllSlots } from '../sequential/templates/all-slots.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { interpretedSuccessors, type Successors } from './successors.js';

/** Summands are those of the given model. Without templates, or with too many choices, those of `interpretedSuccessors`. */
export function successorsWithAllSlots(model: SequentialModel): Successors {
    const all = model.templates && withAllSlots(model);
    if (all === undefined) {
        return interpretedSuccessors(model);
    }
    const { sources } = all;
    const successors = interpretedSuccessors(all.model);
    return {
        forEachFiring: (state, visitor) => {
            successors.forEachFiring(state, {
                fired: (summand, successor) => visitor.fired(sources[summand], successor),
                faulted: (summand, fault) => visitor.faulted(sources[summand], fault),
            });
        },
    };
}
