/**
 * One representative for each orbit of states: what makes two states that differ by a symmetry one state.
 *
 * In goes the group as it acts on literals; out goes a function from states to states. Two states of one orbit get the
 * same representative, and the representative lies in the orbit. How it is computed follows from the structure of the
 * group, part by part; `strategy` says which way was chosen and why.
 */
import { blocksFromFirst, blocksOfElements } from '../group/element-blocks.js';
import { invariant } from '../common/assert.js';
import { UNLIMITED, type WorkLimit } from '../common/work-limit.js';
import { withBlockPoints } from '../group/block-points.js';
import { FactorImages } from './image-counts.js';
import { createLeastImageByDescent } from './least-image-by-descent.js';
import { createLeastImageByListing, MOST_PLANNED } from './least-image-by-listing.js';
import {
    createLiteralAction,
    extendPermutation,
    imageOfContentsInto,
    positionsIn,
    toLiteralPermutation,
    type LiteralAction,
    type LiteralGroup,
} from '../group/literal-action.js';
import { createLocalSearch } from './local-search.js';
import type { Permutation } from '../group/permutation.js';
import { createCosetCanonicalizer } from './representative-by-cosets.js';
import {
    renameImages,
    needsNoSearch,
    renamePlan,
    touchedImages,
    type PlanPart,
    type Renaming,
    type RepresentativePlan,
    type StateImage,
} from './representative-plan.js';
import { createRefinementCanonicalizer, hasRelations } from './representative-by-refinement.js';
import { createSortingCanonicalizer, type BlockFamily } from './representative-by-sorting.js';
import { someElements, type SomeElements } from './some-elements.js';
import {
    composeSparse,
    restrictPermutation,
    SPARSE_IDENTITY,
    type SparsePermutation,
} from '../group/sparse-permutation.js';
import { describeGroup, type GroupStructure } from '../group/structure.js';
import { findSymmetricAction, type SymmetricAction } from '../group/symmetric-action.js';
import { cosetElements } from '../group/symmetric-quotient.js';
import { disjointFactorsWithOrders, findWreathAction } from '../group/wreath-action.js';

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

/** Maps states to representatives of their orbits. */
export interface Canonicalizer {
    readonly strategy: RepresentativeStrategy;
    /** The group that this is for: the one given, or the subgroup that is used. Its order where that is known. */
    readonly group: Pick<LiteralGroup, 'generators' | 'order'>;
    readonly meter: Readonly<WorkMeter>;
    /**
     * The same on cells and their codes, -1 for no value, for those who do it in another way; `undefined` where there is no
     * plan for some part.
     */
    plan(): RepresentativePlan | undefined;
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
    /**
     * The same with nothing but strategies for which there are plans that need no search, where necessary for a subgroup: of
     * each factor a product of symmetric groups in it, or nothing. `undefined` where nothing is left.
     */
    cheaper(): Canonicalizer | undefined;
    /**
     * Some elements, on the cells that they touch and their codes: of each factor all if it is small, else many. Where they
     * are more than `most`, generators come first, since every factor has a part in these; the others are chosen evenly.
     * It is left out what becomes of cells that do not become one of `targets`.
     */
    elements(most: number, targets: readonly number[]): readonly StateImage[];
    /** How many different states these elements, and the identity, make of each state. */
    imageCounts(states: readonly Readonly<Int32Array>[], most: number): readonly number[];
    /** Writes the image of `state` under a permutation of literals into `target`, another array. */
    imageInto(target: Int32Array, state: Readonly<Int32Array>, permutation: SparsePermutation): void;
}

export interface CanonicalizerOptions {
    /** Use this strategy for every factor that admits it, for tests and measurements. */
    readonly force?: StrategyName;
    /** Elementary steps that the search for one representative may take. */
    readonly workPerState?: number;
    /** Asked during long searches, for its exception alone: whether the caller has given up. */
    readonly workLimit?: WorkLimit;
}

/** What the search for one representative may cost: elementary steps, and whether anybody still wants it. */
export type SearchEffort = Required<Pick<CanonicalizerOptions, 'workPerState' | 'workLimit'>> & {
    readonly meter: WorkMeter;
};

/** What was done so far: elementary steps, about as long as reading a cell, and searches where a plan gives up. */
export interface WorkMeter {
    steps: number;
    searches: number;
}

/** The same for one direct factor, on contents instead of codes; see literal-action.ts. */
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

/** From contents to codes. */
const CODES: Renaming = { cell: cell => cell, held: (_, content) => content - 1 };

const DEFAULT_WORK_PER_STATE = 2_000_000;

/** The way to representatives under `group`. */
export function createCanonicalizer(group: LiteralGroup, options: CanonicalizerOptions = {}): Canonicalizer {
    const action = createLiteralAction(group);
    const meter: WorkMeter = { steps: 0, searches: 0 };
    return canonicalizerOf(group, action, factorsOf(action, options, meter), options, meter);
}

function canonicalizerOf(
    group: Pick<LiteralGroup, 'cellCount' | 'domainSizes' | 'generators' | 'order'>,
    action: LiteralAction,
    found: readonly StrategyOfFactor[],
    options: CanonicalizerOptions,
    meter: WorkMeter,
): Canonicalizer {
    const product = productOf(action, found);
    const { factors } = product;
    const contents = new Int32Array(group.cellCount);
    const image = new Int32Array(group.cellCount);
    // Whoever chooses a strategy asks for it, and so does who writes code.
    let plan: { readonly made: RepresentativePlan | undefined } | undefined;
    const planOnce = (): RepresentativePlan | undefined => {
        if (plan === undefined) {
            const own = product.plan();
            plan = { made: own && renamePlan(own, CODES) };
        }
        return plan.made;
    };
    const read = (state: Readonly<Int32Array>): void => {
        for (let cell = 0; cell < contents.length; cell++) {
            contents[cell] = state[cell] + 1;
        }
    };
    let someOfFactor: readonly SomeElements[] | undefined;
    /** By factor: some elements, no more than `most` together, but for generators. */
    const chosenElements = (most: number): readonly (readonly (SparsePermutation | Permutation)[])[] => {
        someOfFactor ??= factors.map(factor => someElements(factor.action));
        const counts = someOfFactor.map(some => some.count(most));
        const count = counts.reduce((sum, each) => sum + each, 0);
        const generatorCount = someOfFactor.reduce((sum, some) => sum + some.generatorCount, 0);
        const generators = new EvenChoice(generatorCount, most);
        const others = new EvenChoice(count - generatorCount, most - generatorCount);
        return someOfFactor.map((some, index) =>
            [
                ...generators.of(some.generatorCount),
                ...others.of(counts[index] - some.generatorCount).map(other => some.generatorCount + other),
            ].map(some.element),
        );
    };
    return {
        strategy: describeStrategy(product),
        group,
        meter,
        cheaper(): Canonicalizer | undefined {
            const used = found.flatMap(factor => cheapPart(factor, options, meter) ?? []);
            return used.length === 0
                ? undefined
                : canonicalizerOf(
                      { ...group, ...usedGroup(action, productOf(action, used)) },
                      action,
                      used,
                      options,
                      meter,
                  );
        },
        plan: planOnce,
        elements(most, targets): readonly StateImage[] {
            const isTarget = new Uint8Array(group.cellCount);
            targets.forEach(cell => (isTarget[cell] = 1));
            const isListed = factors.every(({ canonicalizer }) => canonicalizer.strategy === 'list');
            // The first image of each factor is that under the identity.
            const listed = isListed
                ? planOnce()?.flatMap(part => (part.kind === 'list' ? part.images.slice(1) : []))
                : undefined;
            if (listed !== undefined && listed.length <= most) {
                return listed.map(image => image.filter(({ target }) => isTarget[target] === 1));
            }
            return chosenElements(most).flatMap((chosen, index) => {
                const { action, positions } = factors[index];
                const isWanted = Uint8Array.from(positions, position => isTarget[position]);
                return renameImages(touchedImages(action, chosen, isWanted), {
                    ...CODES,
                    cell: cell => positions[cell],
                });
            });
        },
        imageCounts(states, most): readonly number[] {
            let firstNumber = 0;
            const images = chosenElements(most).map((chosen, index) => {
                const { action: own } = factors[index];
                firstNumber += own.pointCount;
                return new FactorImages(own, chosen, firstNumber - own.pointCount);
            });
            return states.map(state => {
                read(state);
                const different = new Set([0]);
                images.forEach((ofFactor, index) => {
                    ofFactor.addTo(
                        different,
                        factors[index].positions.map(position => contents[position]),
                    );
                });
                return different.size;
            });
        },
        canonicalizeInto(target, state): boolean {
            read(state);
            const isDecided = product.canonicalizeInto(image, contents);
            for (let cell = 0; cell < image.length; cell++) {
                target[cell] = image[cell] - 1;
            }
            return isDecided;
        },
        transformation(state): SparsePermutation | undefined {
            read(state);
            const transformation = product.transformation(contents);
            return transformation && toLiteralPermutation(action, transformation);
        },
        imageInto(target, state, permutation): void {
            imageOfStateInto(target, group, state, permutation);
        },
    };
}

/** At most so many of `count` places, evenly chosen. The places come in several rows, one after the other. */
class EvenChoice {
    readonly #stride: number;
    /** In the row that comes next. */
    #next: number;

    constructor(count: number, most: number) {
        this.#stride = Math.max(1, Math.ceil(count / most));
        this.#next = most > 0 ? 0 : Infinity;
    }

    /** Those that are chosen of the next row, which has `length` places. */
    of(length: number): number[] {
        const chosen: number[] = [];
        for (; this.#next < length; this.#next += this.#stride) {
            chosen.push(this.#next);
        }
        this.#next -= length;
        return chosen;
    }
}

/** Writes the image of `state` under a permutation of literals into `target`, another array. */
export function imageOfStateInto(
    target: Int32Array,
    group: Pick<LiteralGroup, 'cellCount' | 'domainSizes'>,
    state: Readonly<Int32Array>,
    p: SparsePermutation,
): void {
    invariant(target !== state, 'a state is not overwritten by its image');
    const action = createLiteralAction({ ...group, generators: [p] });
    const contents = Int32Array.from(state, code => code + 1);
    imageOfContentsInto(target, action, contents, action.generators[0]);
    for (let cell = 0; cell < target.length; cell++) {
        target[cell]--;
    }
}

/** Groups so small that going through the elements beats everything but sorting. */
const FEW_ELEMENTS = 64n;
/** Elements times cells up to which listing is as good as the ways for larger groups. */
const LISTED_CELL_LIMIT = 20_000;
/** As good as ordering the elements of symmetric groups, with relations among them; for six of them it takes twice as long. */
const LISTED_SYMMETRIC_ORDER = 120n;
/** Cosets of a product of symmetric groups that are gone through for each state. */
const COSET_LIMIT = 512;
/** A product of symmetric groups smaller than this saves less than going through many cosets costs. */
const WORTHWHILE_SUBGROUP = 120n;
const COSET_LIMIT_OF_SMALL_SUBGROUP = 32;

/**
 * The first way that fits, best first: sorting, then going through very few elements, then ordering the elements of
 * symmetric groups by themselves, then going through more elements, then ordering elements that are related, then whatever
 * is exact for larger groups of less form. With `force` only that one is tried, and
 * local search if it does not fit.
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
        return cosets && createCosetCanonicalizer(action, cosets, onPart, meter);
    };
    /** Generated code that lists is better than ordering without generated code. */
    const refinedAsPlanned = (): FactorCanonicalizer | undefined => {
        const found = refined();
        return isListable && found?.plan() === undefined ? undefined : found;
    };
    // The strategy, whether it is worth trying here, and how to make it: some find only then that they do not fit.
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
    return createLocalSearch(action, meter);
}

function isSmall({ order }: LiteralAction): boolean {
    return order !== undefined && order <= FEW_ELEMENTS;
}

/** Whether the order is that of a product of symmetric groups; one generator makes none of these but S2. */
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
    /** One element of each of its cosets; `undefined` where telling them apart takes too long. */
    readonly cosets: () => readonly SparsePermutation[] | undefined;
    /** The order of the whole group. */
    readonly order: bigint;
    /** The blocks of cells that the symmetric groups permute, if they do nothing else. */
    readonly blocks: readonly BlockFamily[] | undefined;
}

/** The largest such part with few cosets that is found on the points, or else on the points and their blocks. */
function findSymmetricPart(action: LiteralAction): SymmetricPart | undefined {
    const plain = symmetricPartOf(action, action);
    // Where blocks are elements, cells are related to several: so few elements of the group are listed then.
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
    // A known order tells how many there are; which they are is not always asked.
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
    const { force: _force, ...innerOptions } = options;
    const canonicalizer = productOf(wreath.inner, factorsOf(wreath.inner, innerOptions, meter));
    const inner = { action: wreath.inner, canonicalizer };
    return createSortingCanonicalizer(
        action,
        [{ ...blocksFromFirst(action, wreath.blocks[0], wreath.fromFirst), inner }],
        meter,
    );
}

/** The representative of each direct factor, one after the other. */
interface ProductCanonicalizer extends FactorCanonicalizer {
    readonly factors: readonly {
        readonly action: LiteralAction;
        /** Of its cells among those of the product. */
        readonly positions: Int32Array;
        readonly canonicalizer: FactorCanonicalizer;
    }[];
}

/** The direct factors on disjoint sets of cells, each with the strategy that fits it best. */
function factorsOf(
    action: LiteralAction,
    options: CanonicalizerOptions,
    meter: WorkMeter,
): readonly StrategyOfFactor[] {
    return disjointFactorsWithOrders(action).map(found => {
        // A group of few elements that is no product of symmetric groups is listed, whatever is in it.
        const isListed = options.force === undefined && isSmall(found) && !mayBeSymmetric(found);
        const part = isListed ? undefined : findSymmetricPart(found);
        const factor: LiteralAction = part === undefined ? found : { ...found, order: part.order };
        return { action: factor, part, canonicalizer: createFactorCanonicalizer(factor, part, options, meter) };
    });
}

function productOf(action: LiteralAction, found: readonly StrategyOfFactor[]): ProductCanonicalizer {
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
            const parts: PlanPart[] = [];
            for (const { canonicalizer, positions } of factors) {
                const plan = canonicalizer.plan();
                if (plan === undefined) {
                    return undefined;
                }
                const isInPlace = positions.every((position, cell) => position === cell);
                parts.push(
                    ...(isInPlace
                        ? plan
                        : renamePlan(plan, { cell: cell => positions[cell], held: (_, content) => content })),
                );
            }
            return parts;
        },
    };
}

interface StrategyOfFactor {
    readonly action: LiteralAction;
    readonly part: SymmetricPart | undefined;
    readonly canonicalizer: FactorCanonicalizer;
}

/** The factor, or a product of symmetric groups in it, if there is a plan for it that needs no search. */
function cheapPart(
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

/** What the factors' groups generate, as permutations of literals. */
function usedGroup(
    action: LiteralAction,
    { factors }: ProductCanonicalizer,
): Pick<LiteralGroup, 'generators' | 'order'> {
    let order: bigint | undefined = 1n;
    const generators: SparsePermutation[] = [];
    for (const { action: factor, positions } of factors) {
        order = order === undefined || factor.order === undefined ? undefined : order * factor.order;
        for (const generator of factor.generators.filter(({ points }) => points.length > 0)) {
            const onAll = extendPermutation(action, factor, positions, generator);
            generators.push(toLiteralPermutation(action, onAll));
        }
    }
    return { generators, order };
}

function describeStrategy({ factors }: ProductCanonicalizer): RepresentativeStrategy {
    const described = factors.map(({ action, canonicalizer }): FactorStrategy => {
        let structure: GroupStructure | undefined;
        return {
            // Not everybody wants to know, and it takes time to find out.
            get structure(): GroupStructure {
                structure ??= describeGroup(action.generators, action.pointCount, action.order);
                return structure;
            },
            strategy: canonicalizer.strategy,
            unique: canonicalizer.unique,
            cells: Array.from(action.cells),
        };
    });
    const names = [...new Set(described.map(factor => factor.strategy))];
    return {
        name: names.length === 0 ? 'none' : names.join(' + '),
        factors: described,
        unique: described.every(factor => factor.unique),
    };
}
