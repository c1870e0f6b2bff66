/**
 * How much smaller exploration becomes by symmetry, guessed before it begins.
 *
 * The orbit of a reachable state is reachable, so the number of orbits is the sum of 1 / |orbit of s| over the reachable
 * states s, and the mean of that fraction over all states is orbits / states. It is taken over states on random walks,
 * the second half of each, so that not all of them are near to where runs begin, where orbits are small; a state to which
 * several walks come counts once. Walks do not come by all states equally often, so this is an estimate, and its standard
 * error, from the differences between the walks, knows only what they have seen. The same model gives the same walks.
 */
import type { WorkLimit } from '../common/work-limit.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import type { ModelGroup } from '../symmetry/model-symmetry.js';
import { hasOrbitSizesSoon, MOST_ESTIMATE_WORK, MOST_TIED_WORK, orbitSizesOf } from '../symmetry/orbit-sizes.js';
import type { ReachableEstimate } from '../symmetry/report.js';
import { randomWalks, type WalkLimits } from './random-walks.js';
import { interpretedSuccessors } from './successors.js';

const LIMITS: WalkLimits = { walks: 16, longest: 128, firings: 12_000 };
/** Of one walk, states whose orbits are counted. */
const MOST_STATES = 16;

/** Undefined where the sizes of orbits take too long, or the limit is reached. */
export function estimateReduction(
    sequential: SequentialModel,
    group: ModelGroup,
    workLimit: WorkLimit,
): ReachableEstimate | undefined {
    if (!group.complete || group.generators.length === 0 || !hasOrbitSizesSoon(group)) {
        return undefined;
    }
    const sizes = orbitSizesOf(group);
    const statesOfWalk = Math.min(
        MOST_STATES,
        Math.floor(MOST_ESTIMATE_WORK / LIMITS.walks / (sizes?.work ?? Infinity)),
    );
    if (sizes === undefined || statesOfWalk < 1) {
        return undefined;
    }
    const mostWorked = sizes.worked + MOST_TIED_WORK;
    const seen = new Set<string>();
    /** For each walk, how many states it is the first to come to, and the sum of 1 / |orbit| over them. */
    const parts: { readonly count: number; readonly sum: number }[] = [];
    for (const visited of randomWalks(sequential, interpretedSuccessors(sequential), LIMITS, workLimit)) {
        let [count, sum] = [0, 0];
        for (const state of lateStates(visited, statesOfWalk)) {
            const key = state.join();
            if (seen.has(key)) {
                continue;
            }
            seen.add(key);
            const isOver = workLimit.isExhausted() || sizes.worked > mostWorked;
            const size = isOver ? undefined : sizes.sizeOf(state);
            if (size === undefined) {
                return undefined;
            }
            sum += 1 / Number(size);
            count++;
        }
        parts.push({ count, sum });
    }
    if (parts.length < 2) {
        return undefined;
    }
    const mean = parts.reduce((total, { sum }) => total + sum, 0) / seen.size;
    // The error of a ratio of sums over independent walks. [Cochran1977, §6.4]
    const deviation = parts.reduce((total, { count, sum }) => total + (sum - mean * count) ** 2, 0);
    const error = Math.sqrt((deviation * parts.length) / (parts.length - 1)) / seen.size;
    const statesPerOrbit = 1 / mean;
    return {
        statesPerOrbit,
        // The error of 1 / m is that of m, times the derivative of 1 / m.
        standardError: error * statesPerOrbit ** 2,
        states: seen.size,
        walks: parts.length,
    };
}

/** Up to so many states of the second half of a walk, evenly spread, the last one among them. */
function lateStates(visited: readonly Int32Array[], mostStates: number): readonly Int32Array[] {
    const second = visited.slice(visited.length >> 1).reverse();
    const stride = Math.ceil(second.length / mostStates);
    return second.filter((_, step) => step % stride === 0);
}
