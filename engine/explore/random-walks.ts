/** Random walks through the states of a model, for estimates. The same model gives the same walks. */
import { createRandom } from '../common/random.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { InitialStates } from './initial-states.js';
import type { Successors } from './successors.js';

export interface WalkLimits {
    readonly walks: number;
    /** States of one walk. */
    readonly longest: number;
    /** Successors that are computed for all walks together; walks are shorter where there are more. */
    readonly firings: number;
}

/** Guards that are evaluated take as long as a successor. */
const GUARDS_OF_FIRING = 200;

/** For each walk its states, an initial one first. Fewer where there is no initial state or the limit is exhausted. */
export function* randomWalks(
    model: SequentialModel,
    successors: Successors,
    { walks, longest, firings }: WalkLimits,
    workLimit: WorkLimit,
): Generator<readonly Int32Array[]> {
    const random = createRandom(1);
    const initial = new InitialStates(model);
    const size = model.cells.length;
    let found = new Int32Array(size);
    for (let walk = 0; walk < walks && !workLimit.isExhausted(); walk++) {
        let state = new Int32Array(size);
        if (!initial.chooseInto(state, random)) {
            return;
        }
        const visited = [state];
        for (let work = 0; visited.length < longest && work < firings / walks;) {
            let count = 0;
            successors.forEachFiring(state, {
                fired(_, successor): boolean {
                    if ((count + 1) * size > found.length) {
                        const larger = new Int32Array(2 * found.length);
                        larger.set(found);
                        found = larger;
                    }
                    found.set(successor, count++ * size);
                    return true;
                },
                faulted: () => true,
            });
            work += count + 1 + model.summands.length / GUARDS_OF_FIRING;
            if (count === 0) {
                break;
            }
            const chosen = random.below(count);
            state = found.slice(chosen * size, (chosen + 1) * size);
            visited.push(state);
        }
        yield visited;
    }
}
