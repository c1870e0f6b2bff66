/**
 * One representative for each orbit of states, by which two states that differ by a symmetry become one.
 *
 * The group comes in as it acts on literals; a function from states to states goes out. All states of an orbit have the
 * same representative, which lies in the orbit, unless `strategy` says that some factor is not `unique`.
 */
import {
    createLiteralAction,
    extendPermutation,
    imageOfContentsInto,
    toLiteralPermutation,
    type LiteralAction,
    type LiteralGroup,
} from '../group/literal-action.js';
import type { Permutation } from '../group/permutation.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import { describeGroup, type GroupStructure } from '../group/structure.js';
import {
    cheapPart,
    factorsOf,
    productOf,
    type ProductCanonicalizer,
    type StrategyOfFactor,
} from './choose-strategy.js';
import { ContentNumbering } from './content-numbering.js';
import { FactorImages } from './image-counts.js';
import {
    renameImages,
    renamePlan,
    touchedImages,
    type Renaming,
    type RepresentativePlan,
    type StateImage,
} from './representative-plan.js';
import { someElements, type SomeElements } from './some-elements.js';
import type { CanonicalizerOptions, FactorStrategy, RepresentativeStrategy, WorkMeter } from './strategy.js';

/** The way to representatives under `group`. */
export function createCanonicalizer(group: LiteralGroup, options: CanonicalizerOptions = {}): Canonicalizer {
    const action = createLiteralAction(group);
    const meter: WorkMeter = { steps: 0, searches: 0 };
    return new Canonicalizer(group, action, factorsOf(action, options, meter), options, meter);
}

/** Maps states to representatives of their orbits. A state has one code for each cell, -1 for no value. */
export class Canonicalizer {
    readonly strategy: RepresentativeStrategy;
    /** The group given, or the subgroup that is used. Its order is absent if it is not known. */
    readonly group: LiteralGroup;
    readonly meter: Readonly<WorkMeter>;
    readonly #action: LiteralAction;
    readonly #found: readonly StrategyOfFactor[];
    readonly #options: CanonicalizerOptions;
    readonly #product: ProductCanonicalizer;
    readonly #numbering: ContentNumbering;
    /** One content for each cell: of the state, and of its image. */
    readonly #contents: Int32Array;
    readonly #image: Int32Array;
    #plan: { readonly made: RepresentativePlan | undefined } | undefined;
    #someOfFactor: readonly SomeElements[] | undefined;

    constructor(
        group: LiteralGroup,
        action: LiteralAction,
        found: readonly StrategyOfFactor[],
        options: CanonicalizerOptions,
        meter: WorkMeter,
    ) {
        this.group = group;
        this.meter = meter;
        this.#action = action;
        this.#found = found;
        this.#options = options;
        this.#product = productOf(action, found);
        this.#numbering = new ContentNumbering(group);
        this.strategy = describeStrategy(this.#product);
        this.#contents = new Int32Array(group.cellCount);
        this.#image = new Int32Array(group.cellCount);
    }

    /**
     * A canonicalizer whose plan needs no search, for a subgroup if necessary: of each factor it has all, a product of
     * symmetric groups, or nothing. `undefined` if nothing is left.
     */
    cheaper(): Canonicalizer | undefined {
        const used = this.#found.flatMap(factor => cheapPart(factor, this.#options, this.meter) ?? []);
        const group = { ...this.group, ...usedGroup(this.#action, productOf(this.#action, used)) };
        return used.length === 0 ? undefined : new Canonicalizer(group, this.#action, used, this.#options, this.meter);
    }

    /** The same as data for generated code, on cells and their codes, -1 for no value; `undefined` if a part has no plan. */
    plan(): RepresentativePlan | undefined {
        if (this.#plan === undefined) {
            const own = this.#product.plan();
            const toCodes = this.#toCodes(cell => cell);
            this.#plan = { made: own && renamePlan(own, toCodes) };
        }
        return this.#plan.made;
    }

    /**
     * Some elements, on codes of the cells that they touch and that become `targets`: of each factor all if it is small,
     * else many. If there are more than `most`, all generators are among them and the others are chosen evenly.
     */
    elements(most: number, targets: readonly number[]): readonly StateImage[] {
        const { factors } = this.#product;
        const isTarget = new Uint8Array(this.group.cellCount);
        targets.forEach(cell => (isTarget[cell] = 1));
        const isListed = factors.every(({ canonicalizer }) => canonicalizer.strategy === 'list');
        // The first image of each factor is that under the identity.
        const listed = isListed
            ? this.plan()?.flatMap(part => (part.kind === 'list' ? part.images.slice(1) : []))
            : undefined;
        if (listed !== undefined && listed.length <= most) {
            return listed.map(image => image.filter(({ target }) => isTarget[target] === 1));
        }
        return this.#chosenElements(most).flatMap((chosen, index) => {
            const { action, positions } = factors[index];
            const isWanted = Uint8Array.from(positions, position => isTarget[position]);
            const toCodes = this.#toCodes(cell => positions[cell]);
            return renameImages(touchedImages(action, chosen, isWanted), toCodes);
        });
    }

    /** How many different states these elements, and the identity, make of each state. */
    imageCounts(states: readonly Readonly<Int32Array>[], most: number): readonly number[] {
        const { factors } = this.#product;
        let firstNumber = 0;
        const images = this.#chosenElements(most).map((chosen, index) => {
            const { action } = factors[index];
            firstNumber += action.pointCount;
            return new FactorImages(action, chosen, firstNumber - action.pointCount);
        });
        return states.map(state => {
            this.#numbering.contentsInto(this.#contents, state);
            const different = new Set([0]);
            images.forEach((ofFactor, index) => {
                const contents = factors[index].positions.map(position => this.#contents[position]);
                ofFactor.addTo(different, contents);
            });
            return different.size;
        });
    }

    /**
     * Writes the representative of `state` into `target`, which may be `state` itself. False if the work budget for one
     * state ended the search: `target` then holds some state of the orbit.
     */
    canonicalizeInto(target: Int32Array, state: Readonly<Int32Array>): boolean {
        this.#numbering.contentsInto(this.#contents, state);
        const isDecided = this.#product.canonicalizeInto(this.#image, this.#contents);
        this.#numbering.codesInto(target, this.#image);
        return isDecided;
    }

    /**
     * A permutation of literals, in the group, that maps `state` to its representative; `undefined` if
     * `canonicalizeInto` returns false. Slower than that.
     */
    transformation(state: Readonly<Int32Array>): SparsePermutation | undefined {
        this.#numbering.contentsInto(this.#contents, state);
        const transformation = this.#product.transformation(this.#contents);
        return transformation && toLiteralPermutation(this.#action, transformation);
    }

    /** Writes the image of `state` under a permutation of literals into `target`. */
    imageInto(target: Int32Array, state: Readonly<Int32Array>, permutation: SparsePermutation): void {
        const action = createLiteralAction({ ...this.group, generators: [permutation] });
        this.#numbering.contentsInto(this.#contents, state);
        imageOfContentsInto(this.#image, action, this.#contents, action.generators[0]);
        this.#numbering.codesInto(target, this.#image);
    }

    /** From contents to codes, with names for cells. */
    #toCodes(nameOf: (cell: number) => number): Renaming {
        return { cell: nameOf, held: (cell, content) => this.#numbering.codeOf(nameOf(cell), content) };
    }

    /** By factor: all generators, and other elements as long as all together are no more than `most`. */
    #chosenElements(most: number): readonly (readonly (SparsePermutation | Permutation)[])[] {
        this.#someOfFactor ??= this.#product.factors.map(factor => someElements(factor.action));
        const some = this.#someOfFactor;
        const counts = some.map(ofFactor => ofFactor.count(most));
        const count = counts.reduce((sum, each) => sum + each, 0);
        const generatorCount = some.reduce((sum, ofFactor) => sum + ofFactor.generatorCount, 0);
        const generators = new EvenChoice(generatorCount, most);
        const others = new EvenChoice(count - generatorCount, most - generatorCount);
        return some.map((ofFactor, index) =>
            [
                ...generators.of(ofFactor.generatorCount),
                ...others.of(counts[index] - ofFactor.generatorCount).map(other => ofFactor.generatorCount + other),
            ].map(ofFactor.element),
        );
    }
}

/** At most `most` of `count` places, evenly chosen. The places come in several rows, one after the other. */
class EvenChoice {
    readonly #stride: number;
    /** In the row that comes next. */
    #next: number;

    constructor(count: number, most: number) {
        this.#stride = Math.max(1, Math.ceil(count / most));
        this.#next = most > 0 ? 0 : Infinity;
    }

    /** The chosen places of the next row, which has `length` of them. */
    of(length: number): number[] {
        const chosen: number[] = [];
        for (; this.#next < length; this.#next += this.#stride) {
            chosen.push(this.#next);
        }
        this.#next -= length;
        return chosen;
    }
}

/** The group that the factors' groups generate, as permutations of literals. */
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
            // Found when first asked for, since it takes time.
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
