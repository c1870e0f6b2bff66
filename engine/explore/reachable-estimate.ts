/**
 * The mean size of orbits, as an estimate of the gain by symmetry before exploration begins.
 *
 * The mean is over the orbits that random walks reach, each once. It is exact if the walks reach all orbits. Its
 * standard error is from the differences between walks, so it says nothing about other orbits. A model always gets the
 * same walks.
 */
import type { WorkLimit } from '../common/work-limit.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import type { ModelGroup } from '../symmetry/model-symmetry.js';
import { MOST_ESTIMATE_WORK, MOST_TIED_WORK, quickOrbitSizesOf } from '../symmetry/orbit-sizes.js';
import { randomWalks, type WalkLimits } from './random-walks.js';
import { interpretedSuccessors } from './successors.js';

export interface ReachableEstimate {
    readonly statesPerOrbit: number;
    /** From the differences between the walks; it ignores states that no walk reaches. */
    readonly standardError: number;
    readonly states: number;
    readonly walks: number;
}

const LIMITS: WalkLimits = { walks: 16, longest: 128, firings: 12_000 };
/** The states of one walk whose orbits are counted. */
const MOST_STATES = 16;

/** Undefined if the sizes of orbits take too long or the limit is reached. */
export function estimateReduction(
    sequential: SequentialModel,
    group: ModelGroup,
    workLimit: WorkLimit,
): ReachableEstimate | undefined {
    if (!group.complete || group.generators.length === 0) {
        return undefined;
    }
    const sizes = quickOrbitSizesOf(group);
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
    /** By walk: the number of orbits that it is the first to reach, and the sum of their sizes. */
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

/** Up to so many states of a walk, evenly spread; different walks begin with different states. */
function evenly(visited: readonly Int32Array[], mostStates: number, walk: number): readonly Int32Array[] {
    const stride = Math.ceil(visited.length / mostStates);
    return visited.filter((_, step) => step % stride === walk % stride);
}
