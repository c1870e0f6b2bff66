/**
 * One representative for each orbit of states: what makes two states that differ by a symmetry one state.
 *
 * In goes the group as it acts on literals; out goes a function from states to states. Two states of one orbit get the
 * same representative, and the representative lies in the orbit. How it is computed follows from the structure of the
 * group, part by part; `strategy` says which way was chosen and why.
 */
import { invariant } from '../common/assert.js';
import { createLeastImageByDescent } from './least-image-by-descent.js';
import { createLeastImageByListing } from './least-image-by-listing.js';
import {
    createLiteralAction,
    disjointFactors,
    toLiteralPermutation,
    type LiteralAction,
    type LiteralGroup,
} from './literal-action.js';
import { createLocalSearch } from './local-search.js';
import { cosetElements, createCosetCanonicalizer } from './representative-by-cosets.js';
import { createRefinementCanonicalizer } from './representative-by-refinement.js';
import { blocksOfElements, createSortingCanonicalizer } from './representative-by-sorting.js';
import { sparsePermutation, type SparsePermutation } from './sparse-permutation.js';
import { describeGroup, type GroupStructure } from './structure.js';
import { findSymmetricAction } from './symmetric-action.js';

/**
 * `sort`: sort the blocks. `refine`: order the elements by what the state says of them. `list`: least image over all
 * elements. `cosets`: the least over the cosets of a part with a better way. `descent`: least image along a stabilizer
 * chain. `local`: apply generators while that makes the state smaller.
 */
export type StrategyName = 'sort' | 'refine' | 'list' | 'cosets' | 'descent' | 'local';

export interface FactorStrategy {
    /** The structure of this direct factor of the group. */
    readonly structure: GroupStructure;
    readonly strategy: StrategyName;
    /** Whether all states of an orbit get the same representative. */
    readonly unique: boolean;
    /** The cells that the factor touches, ascending. */
    readonly cells: readonly number[];
}

export interface RepresentativeStrategy {
    /** `none` for the trivial group, else the strategies of the factors: `sort`, `refine + list`. */
    readonly name: string;
    /** Direct factors on disjoint sets of cells, in the order of their least cells. */
    readonly factors: readonly FactorStrategy[];
    readonly unique: boolean;
}

export interface Canonicalizer {
    readonly strategy: RepresentativeStrategy;
    /**
     * Writes the representative of `state` into `target`, which may be `state` itself. Both have one code for each cell,
     * -1 for no value. False when the work budget for one state ended the search: `target` then holds some state of the
     * orbit, which need not be the representative.
     */
    canonicalizeInto(target: Int32Array, state: Readonly<Int32Array>): boolean;
    /**
     * A permutation of literals, in the group, that maps `state` to its representative; `undefined` where
     * `canonicalizeInto` returns false. Slower than that.
     */
    transformation(state: Readonly<Int32Array>): SparsePermutation | undefined;
}

export interface CanonicalizerOptions {
    /** Use this strategy for every factor that admits it, for tests and measurements. */
    readonly force?: StrategyName;
    /** Elementary steps that the search for one representative may take. */
    readonly workPerState?: number;
}

/** The same for one direct factor, on contents instead of codes; see literal-action.ts. */
export interface FactorCanonicalizer {
    readonly strategy: StrategyName;
    readonly unique: boolean;
    /** As in `Canonicalizer`. `target` and `contents` are different arrays. */
    canonicalizeInto(target: Int32Array, contents: Readonly<Int32Array>): boolean;
    /** A permutation of the points of the factor's action. */
    transformation(contents: Readonly<Int32Array>): SparsePermutation | undefined;
}

const DEFAULT_WORK_PER_STATE = 2_000_000;

/** The way to representatives under `group`. */
export function createCanonicalizer(group: LiteralGroup, options: CanonicalizerOptions = {}): Canonicalizer {
    const factors = disjointFactors(createLiteralAction(group)).map(action => ({
        action,
        canonicalizer: createFactorCanonicalizer(action, options),
        contents: new Int32Array(action.cells.length),
        image: new Int32Array(action.cells.length),
    }));
    const firstLiteral = new Int32Array(group.cellCount + 1);
    for (let cell = 0; cell < group.cellCount; cell++) {
        firstLiteral[cell + 1] = firstLiteral[cell] + group.domainSizes[cell];
    }
    return {
        strategy: describeStrategy(factors),
        canonicalizeInto(target, state): boolean {
            if (target !== state) {
                target.set(state);
            }
            for (let f = 0; f < factors.length; f++) {
                const { action, canonicalizer, contents, image } = factors[f];
                const cells = action.cells;
                for (let i = 0; i < cells.length; i++) {
                    contents[i] = target[cells[i]] + 1;
                }
                if (!canonicalizer.canonicalizeInto(image, contents)) {
                    return false;
                }
                for (let i = 0; i < cells.length; i++) {
                    target[cells[i]] = image[i] - 1;
                }
            }
            return true;
        },
        transformation(state): SparsePermutation | undefined {
            const pairs: (readonly [number, number])[] = [];
            for (const { action, canonicalizer, contents } of factors) {
                for (let i = 0; i < contents.length; i++) {
                    contents[i] = state[action.cells[i]] + 1;
                }
                const transformation = canonicalizer.transformation(contents);
                if (transformation === undefined) {
                    return undefined;
                }
                pairs.push(...toLiteralPermutation(action, firstLiteral, transformation));
            }
            return sparsePermutation(pairs);
        },
    };
}

/** The image of a state under a permutation of literals. The codes of `state` and `target` are different arrays. */
export function imageOfStateInto(
    target: Int32Array,
    group: Pick<LiteralGroup, 'cellCount' | 'domainSizes'>,
    state: Readonly<Int32Array>,
    p: SparsePermutation,
): void {
    invariant(target !== state, 'a state is not overwritten by its image');
    const action = createLiteralAction({ ...group, generators: [p] });
    const [extended] = action.generators;
    target.set(state);
    for (let i = 0; i < extended.points.length; i++) {
        const cell = action.cellOfPoint[extended.points[i]];
        if (state[cell] + 1 === extended.points[i] - action.firstPoint[cell]) {
            const imageCell = action.cellOfPoint[extended.images[i]];
            target[imageCell] = extended.images[i] - action.firstPoint[imageCell] - 1;
        }
    }
}

/** Groups so small that going through the elements beats everything but sorting. */
const FEW_ELEMENTS = 64n;
/** Cosets of a product of symmetric groups that are gone through for each state. */
const COSET_LIMIT = 512;

function createFactorCanonicalizer(action: LiteralAction, options: CanonicalizerOptions): FactorCanonicalizer {
    const workPerState = options.workPerState ?? DEFAULT_WORK_PER_STATE;
    const { force } = options;
    const found =
        createSymmetricCanonicalizer(action, workPerState, force) ??
        (force === undefined || force === 'list' ? createLeastImageByListing(action) : undefined) ??
        (force === undefined || force === 'descent' ? createLeastImageByDescent(action, workPerState) : undefined);
    return found ?? createLocalSearch(action);
}

/** Ways that rest on symmetric groups acting on elements; `undefined` where there are none or listing is better. */
function createSymmetricCanonicalizer(
    action: LiteralAction,
    workPerState: number,
    force: StrategyName | undefined,
): FactorCanonicalizer | undefined {
    if (force === 'list' || force === 'descent' || force === 'local') {
        return undefined;
    }
    const symmetric = findSymmetricAction(action.generators, action.pointCount);
    if (symmetric === undefined) {
        return undefined;
    }
    const cosets = cosetElements(action, symmetric, COSET_LIMIT);
    if (cosets === undefined) {
        return undefined;
    }
    const order = symmetric.order * BigInt(cosets.length);
    invariant(action.order === undefined || action.order === order, 'the order given is that of the generated group');
    const blocks = force === 'refine' ? undefined : blocksOfElements(action, symmetric);
    const isListed = force === undefined && order <= FEW_ELEMENTS;
    if (blocks === undefined && isListed) {
        return undefined;
    }
    const subgroup =
        blocks === undefined
            ? createRefinementCanonicalizer(action, symmetric, workPerState)
            : createSortingCanonicalizer(action, blocks);
    if (cosets.length === 1) {
        return subgroup;
    }
    return isListed ? undefined : createCosetCanonicalizer(action, cosets, subgroup);
}

function describeStrategy(
    factors: readonly { readonly action: LiteralAction; readonly canonicalizer: FactorCanonicalizer }[],
): RepresentativeStrategy {
    const described = factors.map(({ action, canonicalizer }) => ({
        structure: describeGroup(action.generators, action.pointCount, action.order),
        strategy: canonicalizer.strategy,
        unique: canonicalizer.unique,
        cells: Array.from(action.cells),
    }));
    const names = [...new Set(described.map(factor => factor.strategy))];
    return {
        name: names.length === 0 ? 'none' : names.join(' + '),
        factors: described,
        unique: described.every(factor => factor.unique),
    };
}
