/**
 * The strategy for each direct factor of a group: the first that fits, from sorting, the fastest, to local search, which
 * always fits but may give states of one orbit different representatives.
 */
import { invariant } from '../common/assert.js';
import { UNLIMITED } from '../common/work-limit.js';
import { withBlockPoints } from '../group/blocks.js';
import { blocksFromFirst, blocksOfElements } from '../group/element-blocks.js';
import { extendPermutation, positionsIn, type LiteralAction } from '../group/literal-action.js';
import {
    composeSparse,
    restrictPermutation,
    SPARSE_IDENTITY,
    type SparsePermutation,
} from '../group/sparse-permutation.js';
import { findSymmetricAction, type SymmetricAction } from '../group/symmetric-action.js';
import { cosetElements } from '../group/symmetric-quotient.js';
import { disjointFactorsWithOrders, findWreathAction } from '../group/wreath-action.js';
import { createLeastImageByDescent } from './least-image-by-descent.js';
import { createLeastImageByListing, MOST_PLANNED } from './least-image-by-listing.js';
import { createLocalSearch } from './local-search.js';
import { createCosetCanonicalizer } from './representative-by-cosets.js';
import { joinPlans, needsNoSearch, renamePlan, type Renaming, type RepresentativePlan } from './representative-plan.js';
import { createRefinementCanonicalizer } from './representative-by-refinement.js';
import { hasRelations } from './order-plan.js';
import { createSortingCanonicalizer, type BlockFamily } from './representative-by-sorting.js';
import type { CanonicalizerOptions, FactorCanonicalizer, SearchEffort, StrategyName, WorkMeter } from './strategy.js';

const DEFAULT_WORK_PER_STATE = 2_000_000;

/** So few elements are listed unless sorting fits. */
const FEW_ELEMENTS = 64n;
/** Elements times cells up to which listing is as fast as the strategies for larger groups. */
const LISTED_CELL_LIMIT = 20_000;
/** Up to this order, listing is as fast as ordering related elements; for six elements it takes twice as long. */
const LISTED_SYMMETRIC_ORDER = 120n;
/** Cosets of a product of symmetric groups that are tried for each state. */
const COSET_LIMIT = 512;
/** A smaller product of symmetric groups saves less than many cosets cost. */
const WORTHWHILE_SUBGROUP = 120n;
const COSET_LIMIT_OF_SMALL_SUBGROUP = 32;

/** The representative of each direct factor, one after the other. */
export interface ProductCanonicalizer extends FactorCanonicalizer {
    readonly factors: readonly {
        readonly action: LiteralAction;
        /** By cell of the factor: its index among the cells of the product. */
        readonly positions: Int32Array;
        readonly canonicalizer: FactorCanonicalizer;
    }[];
}

/** The direct factors on disjoint sets of cells, each with the strategy that fits it best. */
export function factorsOf(
    action: LiteralAction,
    options: CanonicalizerOptions,
    meter: WorkMeter,
): readonly StrategyOfFactor[] {
    return disjointFactorsWithOrders(action).map(found => {
        // A small group that is no product of symmetric groups is listed anyway.
        const isListed = options.force === undefined && isSmall(found) && !mayBeSymmetric(found);
        const part = isListed ? undefined : findSymmetricPart(found);
        const factor: LiteralAction = part === undefined ? found : { ...found, order: part.order };
        return { action: factor, part, canonicalizer: createFactorCanonicalizer(factor, part, options, meter) };
    });
}

export function productOf(action: LiteralAction, found: readonly StrategyOfFactor[]): ProductCanonicalizer {
    const factors = found.map(factor => ({
        ...factor,
        positions: positionsIn(action, factor.action),
        contents: new Int32Array(factor.action.cells.length),
        image: new Int32Array(factor.action.cells.length),
    }));
    return {
        factors,
        strategy: factors.length === 1 ? factors[0].canonicalizer.strategy : 'sort',
        unique: factors.every(({ canonicalizer }) => canonicalizer.unique),
        canonicalizeInto(target, contents): boolean {
            target.set(contents);
            for (let f = 0; f < factors.length; f++) {
                const factor = factors[f];
                const positions = factor.positions;
                for (let i = 0; i < positions.length; i++) {
                    factor.contents[i] = contents[positions[i]];
                }
                if (!factor.canonicalizer.canonicalizeInto(factor.image, factor.contents)) {
                    return false;
                }
                for (let i = 0; i < positions.length; i++) {
                    target[positions[i]] = factor.image[i];
                }
            }
            return true;
        },
        transformation(contents): SparsePermutation | undefined {
            let product = SPARSE_IDENTITY;
            for (const factor of factors) {
                factor.positions.forEach((position, i) => (factor.contents[i] = contents[position]));
                const own = factor.canonicalizer.transformation(factor.contents);
                if (own === undefined) {
                    return undefined;
                }
                product = composeSparse(product, extendPermutation(action, factor.action, factor.positions, own));
            }
            return product;
        },
        plan(): RepresentativePlan | undefined {
            const plans = factors.map(({ canonicalizer, positions }) => {
                const plan = canonicalizer.plan();
                const isInPlace = positions.every((position, cell) => position === cell);
                const renaming: Renaming = { cell: cell => positions[cell], held: (_, content) => content };
                return isInPlace ? plan : plan && renamePlan(plan, renaming);
            });
            return joinPlans(plans);
        },
    };
}

export interface StrategyOfFactor {
    readonly action: LiteralAction;
    readonly part: SymmetricPart | undefined;
    readonly canonicalizer: FactorCanonicalizer;
}

/** The factor, or a product of symmetric groups in it, if there is a plan for it that needs no search. */
export function cheapPart(
    whole: StrategyOfFactor,
    options: CanonicalizerOptions,
    meter: WorkMeter,
): StrategyOfFactor | undefined {
    const isCheap = ({ canonicalizer }: StrategyOfFactor): boolean =>
        canonicalizer.plan()?.every(needsNoSearch) ?? false;
    const { part } = whole;
    if (isCheap(whole)) {
        return whole;
    }
    if (part === undefined || part.cosetCount === 1) {
        return undefined;
    }
    const { pointCount } = whole.action;
    const generators = part.symmetric.swap.map(swap => restrictPermutation(swap, pointCount));
    const action = { ...whole.action, generators, order: part.symmetric.order };
    const own: SymmetricPart = { ...part, cosetCount: 1, cosets: () => [SPARSE_IDENTITY], order: part.symmetric.order };
    const smaller = { action, part: own, canonicalizer: createFactorCanonicalizer(action, own, options, meter) };
    return isCheap(smaller) ? smaller : undefined;
}

/**
 * The first way of a list that fits, best first: sorting, a short list of elements, ordering elements without relations, a
 * longer list, ordering related elements, then cosets and descent. With `force` only that one is tried, and local search
 * if it does not fit.
 */
function createFactorCanonicalizer(
    action: LiteralAction,
    part: SymmetricPart | undefined,
    options: CanonicalizerOptions,
    meter: WorkMeter,
): FactorCanonicalizer {
    const { force, workPerState = DEFAULT_WORK_PER_STATE, workLimit = UNLIMITED } = options;
    const effort: SearchEffort = { workPerState, workLimit, meter };
    const isTried = (strategy: StrategyName): boolean => force === undefined || force === strategy;
    const isWhole = part?.cosetCount === 1;
    const isListable =
        action.order !== undefined &&
        action.order <= MOST_PLANNED &&
        Number(action.order) * action.cells.length <= LISTED_CELL_LIMIT;
    const isBestListed = isListable && (!isWhole || action.order <= LISTED_SYMMETRIC_ORDER);
    const isWorthwhile = part !== undefined && part.symmetric.order >= WORTHWHILE_SUBGROUP;
    const sorted = (): FactorCanonicalizer | undefined =>
        part?.blocks && createSortingCanonicalizer(action, part.blocks, meter);
    const refined = (): FactorCanonicalizer | undefined =>
        part && createRefinementCanonicalizer(action, part.symmetric, effort);
    const listed = (): FactorCanonicalizer | undefined => createLeastImageByListing(action, meter);
    const byCosets = (): FactorCanonicalizer | undefined => {
        const onPart = sorted() ?? refined();
        const cosets = onPart && part?.cosets();
        return cosets && createCosetCanonicalizer(action, cosets, onPart, effort);
    };
    /** Listing with generated code is faster than ordering without. */
    const refinedAsPlanned = (): FactorCanonicalizer | undefined => {
        const found = refined();
        return isListable && found?.plan() === undefined ? undefined : found;
    };
    // The strategy, whether it is worth trying here, and how to make it; `undefined` if it does not fit after all.
    const ways: readonly (readonly [StrategyName, boolean, () => FactorCanonicalizer | undefined])[] = [
        ['sort', isWhole, sorted],
        ['list', isSmall(action), listed],
        ['refine', isWhole && !hasRelations(action, part.symmetric), refined],
        ['sort', true, () => createWreathCanonicalizer(action, options, meter)],
        ['list', isBestListed, listed],
        ['refine', isWhole, refinedAsPlanned],
        ['list', isListable, listed],
        ['refine', isWhole, refined],
        ['cosets', isWorthwhile, byCosets],
        ['list', true, listed],
        ['cosets', true, byCosets],
        ['descent', true, () => createLeastImageByDescent(action, effort)],
    ];
    for (const [strategy, fits, create] of ways) {
        const found = isTried(strategy) && fits ? create() : undefined;
        if (found !== undefined) {
            return found;
        }
    }
    return createLocalSearch(action, effort);
}

function isSmall({ order }: LiteralAction): boolean {
    return order !== undefined && order <= FEW_ELEMENTS;
}

/** Whether the order is that of a product of symmetric groups; with one generator this is S2. */
function mayBeSymmetric({ order = 0n, generators }: LiteralAction): boolean {
    return generators.length === 1 ? order === 2n : isProductOfFactorials(order, 2n);
}

/** Whether the order is a product of factorials of `least` and larger numbers. */
function isProductOfFactorials(order: bigint, least: bigint): boolean {
    let factorial = 1n;
    for (let count = 2n; factorial * count <= order; count++) {
        factorial *= count;
        if (count >= least && order % factorial === 0n && isProductOfFactorials(order / factorial, count)) {
            return true;
        }
    }
    return order === 1n;
}

/** A product of symmetric groups in the group. */
interface SymmetricPart {
    readonly symmetric: SymmetricAction;
    readonly cosetCount: number;
    /** One element of each of its cosets; `undefined` if finding them takes too long. */
    readonly cosets: () => readonly SparsePermutation[] | undefined;
    /** The order of the whole group. */
    readonly order: bigint;
    /** The blocks of cells that the symmetric groups permute, if they do nothing else. */
    readonly blocks: readonly BlockFamily[] | undefined;
}

/** The largest such part with few cosets, on the points or on the points and their blocks. */
function findSymmetricPart(action: LiteralAction): SymmetricPart | undefined {
    const plain = symmetricPartOf(action, action);
    // Blocks as elements relate cells to several elements; a group of this order is listed then.
    const isListed = action.order !== undefined && action.order <= LISTED_SYMMETRIC_ORDER;
    if (plain?.cosetCount === 1 || isListed) {
        return plain;
    }
    const withBlocks = symmetricPartOf(action, withBlockPoints(action.generators, action.pointCount));
    const isBetter = withBlocks !== undefined && withBlocks.symmetric.order > (plain?.symmetric.order ?? 1n);
    return isBetter ? withBlocks : plain;
}

/** `extended`: the same group, perhaps with points behind those of the action. */
function symmetricPartOf(
    action: LiteralAction,
    extended: { readonly generators: readonly SparsePermutation[]; readonly pointCount: number },
): SymmetricPart | undefined {
    const symmetric = findSymmetricAction(extended.generators, extended.pointCount);
    const isWorthwhile = symmetric !== undefined && symmetric.order >= WORTHWHILE_SUBGROUP;
    const limit = isWorthwhile ? COSET_LIMIT : COSET_LIMIT_OF_SMALL_SUBGROUP;
    if (symmetric === undefined || (action.order ?? 0n) > symmetric.order * BigInt(limit)) {
        return undefined;
    }
    const listed = (): readonly SparsePermutation[] | undefined =>
        cosetElements({ ...extended, order: action.order }, symmetric, limit)?.map(element =>
            restrictPermutation(element, action.pointCount),
        );
    // If the order is known so is their number, and they are listed only if they are needed.
    const known = action.order === undefined ? listed() : undefined;
    const order = action.order ?? (known && symmetric.order * BigInt(known.length));
    if (order === undefined) {
        return undefined;
    }
    const cosetCount = Number(order / symmetric.order);
    return {
        symmetric,
        cosetCount,
        cosets(): readonly SparsePermutation[] | undefined {
            const cosets = known ?? listed();
            invariant((cosets?.length ?? cosetCount) === cosetCount, 'the order given is that of the generated group');
            return cosets;
        },
        order,
        blocks: blocksOfElements(action, symmetric),
    };
}

/** Sorting of blocks with an inner group. */
function createWreathCanonicalizer(
    action: LiteralAction,
    options: CanonicalizerOptions,
    meter: WorkMeter,
): FactorCanonicalizer | undefined {
    const wreath = findWreathAction(action);
    if (wreath === undefined) {
        return undefined;
    }
    const { force: _force, workPerState = DEFAULT_WORK_PER_STATE, ...otherOptions } = options;
    const innerOptions = { ...otherOptions, workPerState: workPerState / wreath.blocks.length };
    const canonicalizer = productOf(wreath.inner, factorsOf(wreath.inner, innerOptions, meter));
    const inner = { action: wreath.inner, canonicalizer };
    return createSortingCanonicalizer(
        action,
        [{ ...blocksFromFirst(action, wreath.blocks[0], wreath.fromFirst), inner }],
        meter,
    );
}
