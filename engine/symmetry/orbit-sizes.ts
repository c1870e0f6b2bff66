/** Sizes and keys of the orbits of a model's states under a group of its symmetries. */
import { remembered } from '../common/list-map.js';
import { createOrbitSizes, type OrbitSizes } from '../representative/orbit-size.js';
import { literalGroup, type ModelGroup } from './model-symmetry.js';

/** The stabilizer chain of a factor with more generators times points takes longer than an estimate may. */
const LARGEST_QUICK_CHAIN = 60_000;

/** The cells that an estimate may visit for the orbits of all its states together; see `OrbitSizes.work`. */
export const MOST_ESTIMATE_WORK = 8_000_000;
/** The same if many images tie, which is not known in advance; see `OrbitSizes.worked`. */
export const MOST_TIED_WORK = 4 * MOST_ESTIMATE_WORK;

/** Undefined if the group is too large. */
export function orbitSizesOf(group: ModelGroup): OrbitSizes | undefined {
    return quickOrbitSizesOf(group) ?? remembered(knownSizes, group, () => sizesOf(group, Infinity)).sizes;
}

/** The same, but undefined where making them takes longer than an estimate may. */
export function quickOrbitSizesOf(group: ModelGroup): OrbitSizes | undefined {
    return remembered(quickSizes, group, () => sizesOf(group, LARGEST_QUICK_CHAIN)).sizes;
}

interface KnownSizes {
    readonly sizes: OrbitSizes | undefined;
}

/** An analysis and an exploration use those of the same group, and so do analyses of edits that keep it. */
const knownSizes = new WeakMap<ModelGroup, KnownSizes>();
const quickSizes = new WeakMap<ModelGroup, KnownSizes>();

function sizesOf(group: ModelGroup, largestChain: number): KnownSizes {
    return { sizes: createOrbitSizes(literalGroup(group), largestChain) };
}
