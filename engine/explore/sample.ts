/** Some states that a model reaches, for estimates. The same model gives the same states. */
import type { WorkLimit } from '../common/work-limit.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { randomWalks, type WalkLimits } from './random-walks.js';
import type { Successors } from './successors.js';

export const SAMPLE_WALKS: WalkLimits = { walks: 8, longest: 61, firings: 3_000 };
/** The first of these walks. */
export const FIRST_WALK: WalkLimits = { walks: 1, longest: 61, firings: 375 };
/** Every third state of a walk is taken, from the first step on. */
const STRIDE = 3;

/** Few, or none where there is no initial state or the limit is exhausted. */
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
