/** Random walks, for estimates. A model always gets the same walks. */
import { createRandom } from '../common/random.js';
import { withinQuestions, type WorkLimit } from '../common/work-limit.js';
import { cellsWrittenBySummand } from '../sequential/cell-access.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { FEW_QUESTIONS, InitialStates } from './initial/initial-states.js';
import type { Successors } from './successors.js';

export interface WalkLimits {
    readonly walks: number;
    /** The most states of one walk. */
    readonly longest: number;
    /** The most successors computed for all walks together. */
    readonly firings: number;
}

/** So many evaluated guards count as one successor. */
const GUARDS_OF_FIRING = 200;

/** For each walk its states, an initial one first. Fewer walks if initial states are rare or at the limit. */
export function* randomWalks(
    model: SequentialModel,
    successors: Successors,
    { walks, longest, firings }: WalkLimits,
    workLimit: WorkLimit,
): Generator<readonly Int32Array[]> {
    const random = createRandom(1);
    const initial = new InitialStates(model);
    const size = model.cells.length;
    for (let walk = 0; walk < walks && !workLimit.isExhausted(); walk++) {
        let state = new Int32Array(size);
        if (!initial.chooseInto(state, random, withinQuestions(workLimit, FEW_QUESTIONS))) {
            return;
        }
        const visited = [state];
        for (let work = 0; visited.length < longest && work < firings / walks;) {
            const fired: number[] = [];
            /** For each firing the codes of the cells that it may write, and their start in the list. */
            const codes: number[] = [];
            const starts: number[] = [];
            successors.forEachFiring(state, {
                fired(summand, successor): boolean {
                    fired.push(summand);
                    starts.push(codes.length);
                    for (const cell of cellsWrittenBySummand(model.summands[summand])) {
                        codes.push(successor[cell]);
                    }
                    return true;
                },
                faulted: () => true,
            });
            work += fired.length + 1 + model.summands.length / GUARDS_OF_FIRING;
            if (fired.length === 0) {
                break;
            }
            const chosen = random.below(fired.length);
            state = state.slice();
            cellsWrittenBySummand(model.summands[fired[chosen]]).forEach(
                (cell, index) => (state[cell] = codes[starts[chosen] + index]),
            );
            visited.push(state);
        }
        yield visited;
    }
}

export const SAMPLE_WALKS: WalkLimits = { walks: 8, longest: 61, firings: 3_000 };
/** The first of these walks. */
export const FIRST_WALK: WalkLimits = { walks: 1, longest: 61, firings: 375 };
/** From the first step on every third state is taken. */
const STRIDE = 3;

/** A few states; none without an initial state or if the limit is exhausted. */
export function sampleStates(
    model: SequentialModel,
    successors: Successors,
    walks: WalkLimits,
    workLimit: WorkLimit,
): readonly Int32Array[] {
    return [...randomWalks(model, successors, walks, workLimit)].flatMap(visited =>
        visited.filter((_, step) => step % STRIDE === 1),
    );
}
