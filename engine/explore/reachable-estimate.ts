/**
 * How much smaller exploration becomes by symmetry, estimated before it begins: the mean size of orbits.
 *
 * The mean is over the orbits that random walks reach, each of them once. It is exact if the walks reach all orbits;
 * else its standard error, from the differences between the walks, knows only what they have seen. The same model gives
 * the same walks.
 */
import type { WorkLimit } from '../common/work-limit.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import type { ModelGroup } from '../symmetry/model-symmetry.js';
import { hasOrbitSizesSoon, MOST_ESTIMATE_WORK, MOST_TIED_WORK, orbitSizesOf } from '../symmetry/orbit-sizes.js';
import { randomWalks, type WalkLimits } from './random-walks.js';
import { interpretedSuccessors } from './successors.js';

/** A mean over states on random walks, which do not come by all states equally often. */
export interface ReachableEstimate {
    readonly statesPerOrbit: number;
    /** From the differences between the walks; it knows nothing of states that no walk comes to. */
    readonly standardError: number;
    readonly states: number;
    readonly walks: number;
}

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
    const states = new Set<string>();
    const orbits = new Set<string>();
    /** For each walk, how many orbits it is the first to come to, and the sum of their sizes. */
    const parts: { readonly count: number; readonly sum: number }[] = [];
    for (const visited of randomWalks(sequential, interpretedSuccessors(sequential), LIMITS, workLimit)) {
        let [count, sum] = [0, 0];
        for (const state of evenly(visited, statesOfWalk, parts.length)) {
            const text = state.join();
            if (states.has(text)) {
                continue;
            }
            states.add(text);
            const isOver = workLimit.isExhausted() || sizes.worked > mostWorked;
            const orbit = isOver ? undefined : sizes.orbitOf(state);
            if (orbit === undefined) {
                return undefined;
            }
            if (!orbits.has(orbit.key)) {
                orbits.add(orbit.key);
                sum += Number(orbit.size);
                count++;
            }
        }
        parts.push({ count, sum });
    }
    if (parts.length < 2) {
        return undefined;
    }
    const statesPerOrbit = parts.reduce((total, { sum }) => total + sum, 0) / orbits.size;
    // The error of a ratio of sums over independent walks. [Cochran1977, §6.4]
    const deviation = parts.reduce((total, { count, sum }) => total + (sum - statesPerOrbit * count) ** 2, 0);
    return {
        statesPerOrbit,
        standardError: Math.sqrt((deviation * parts.length) / (parts.length - 1)) / orbits.size,
        states: states.size,
        walks: parts.length,
    };
}

/** Up to so many states of a walk, evenly spread; another walk begins with another of its first states. */
function evenly(visited: readonly Int32Array[], mostStates: number, walk: number): readonly Int32Array[] {
    const stride = Math.ceil(visited.length / mostStates);
    return visited.filter((_, step) => step % stride === walk % stride);
}
