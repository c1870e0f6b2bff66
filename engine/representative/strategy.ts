/** How representatives are found, and what the ways to find them have in common. */
import type { WorkLimit } from '../common/work-limit.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import type { GroupStructure } from '../group/structure.js';
import type { RepresentativePlan } from './representative-plan.js';

/**
 * `sort`: sort the blocks. `refine`: order the elements by what the state says of them. `list`: least image over all
 * elements. `cosets`: the least over the cosets of a part with a better way. `descent`: least image along a stabilizer
 * chain. `local`: apply generators while that makes the state smaller.
 */
export type StrategyName = 'sort' | 'refine' | 'list' | 'cosets' | 'descent' | 'local';

/** How one direct factor of the group is dealt with. */
export interface FactorStrategy {
    /** The structure of this direct factor of the group. */
    readonly structure: GroupStructure;
    readonly strategy: StrategyName;
    /** Whether all states of an orbit get the same representative. */
    readonly unique: boolean;
    /** The cells that the factor touches, ascending. */
    readonly cells: readonly number[];
}

/** How representatives are found, factor by factor. */
export interface RepresentativeStrategy {
    /** `none` for the trivial group, else the strategies of the factors: `sort`, `refine + list`. */
    readonly name: string;
    /** Direct factors on disjoint sets of cells, in the order of their least cells. */
    readonly factors: readonly FactorStrategy[];
    readonly unique: boolean;
}

export interface CanonicalizerOptions {
    /** Use this strategy for every factor that admits it, for tests and measurements. */
    readonly force?: StrategyName;
    /** Elementary steps that the search for one representative may take. */
    readonly workPerState?: number;
    /** Asked during long searches, for its exception alone: whether the caller has given up. */
    readonly workLimit?: WorkLimit;
}

/** The bounds of the search for one representative. */
export type SearchEffort = Required<Pick<CanonicalizerOptions, 'workPerState' | 'workLimit'>> & {
    readonly meter: WorkMeter;
};

/** What was done so far: elementary steps, about as long as reading a cell, and searches where a plan gives up. */
export interface WorkMeter {
    steps: number;
    searches: number;
}

/** Representatives under one direct factor, on contents instead of codes; see literal-action.ts. */
export interface FactorCanonicalizer {
    readonly strategy: StrategyName;
    readonly unique: boolean;
    /** As in `Canonicalizer`. `target` and `contents` are different arrays. */
    canonicalizeInto(target: Int32Array, contents: Readonly<Int32Array>): boolean;
    /** A permutation of the points of the factor's action. */
    transformation(contents: Readonly<Int32Array>): SparsePermutation | undefined;
    /** The same on the cells of the factor's action and their contents; `undefined` where there is none. */
    plan(): RepresentativePlan | undefined;
}
