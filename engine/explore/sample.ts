/**
 * Some states that a model reaches, met on random walks from random initial states: for estimates. The same model gives
 * the same states.
 */
import { createRandom } from '../common/random.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { InitialStates } from './initial-states.js';
import type { Successors } from './successors.js';

const WALKS = 8;
/** Of one walk; every third state is taken. */
const MOST_STEPS = 60;
const STRIDE = 3;
/** Successors that are computed for all walks together. */
const MOST_FIRINGS = 3_000;

/** Few, or none where there is no initial state or the limit is exhausted. */
export function sampleStates(
    model: SequentialModel,
    successors: Successors,
    workLimit: WorkLimit,
): readonly Int32Array[] {
    const random = createRandom(1);
    const initial = new InitialStates(model);
    const states: Int32Array[] = [];
    let firings = 0;
    for (let walk = 0; walk < WALKS && !workLimit.isExhausted(); walk++) {
        let state = new Int32Array(model.cells.length);
        if (!initial.chooseInto(state, random)) {
            break;
        }
        // The next walk goes as far as the work that is left allows.
        const share = ((walk + 1) * MOST_FIRINGS) / WALKS;
        for (let step = 0; step < MOST_STEPS && firings < share; step++) {
            const next: Int32Array[] = [];
            successors.forEachFiring(state, {
                fired: (_, successor) => {
                    next.push(successor.slice());
                    return true;
                },
                faulted: () => true,
            });
            firings += next.length + 1;
            if (next.length === 0) {
                break;
            }
            state = next[random.below(next.length)] as Int32Array<ArrayBuffer>;
            if (step % STRIDE === 0) {
                states.push(state);
            }
        }
    }
    return states;
}
