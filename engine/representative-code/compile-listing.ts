/**
 * The least image of a state under listed elements, with early exit.
 *
 * Many elements bring the same cells, a *source*, to the leading ones. A table says, by the contents of these cells, the
 * least contents that the leading cells get, and from which elements. Only images under elements that reach the least of
 * these leasts, mostly one or two, are computed and compared. Leading cells too many for tables are compared as well.
 */
import type { StateLayout } from '../explore/state-layout.js';
import { invariant } from '../common/assert.js';
import { appendTo, remembered } from '../common/list-map.js';
import type { CellImage, ListPlan, StateImage } from '../representative/representative-plan.js';
import {
    elementAt,
    FunctionBody,
    combined,
    i32,
    type Int,
    load32,
    type Long,
    select,
    type WasmVariable,
} from '../webassembly/function-body.js';
import { isLess } from './sort-keys.js';
import {
    field,
    joinedMoves,
    loadWords,
    shiftedUp,
    storedIn,
    storeWords,
    type WordImage,
    wordImages,
    writeImage,
} from './state-words.js';
import { maskOf } from '../codegen/state-copy.js';
import type { StaticData } from '../codegen/static-data.js';

/** Bits that the leading cells in a table may have together. */
const MOST_LEADING_BITS = 10;
/** Instructions for all images together: more take longer to compile than they gain. */
const MOST_INSTRUCTIONS = 100_000;
/** More elements are products of those of two stages. */
const MOST_IN_STAGE = 32;
/** The bits of an entry of a table that are the start of the list of elements; above them is the least number. */
const LIST_BITS = 16;

const END_OF_LIST = -1;
/** In place of a least number; greater than all of them. */
const NEVER_STORED = 2 ** LIST_BITS - 1;

/** Elements that bring the same cells to the leading ones. */
interface Source {
    /** These cells, in the order in which the first element brings them there. */
    readonly cells: readonly number[];
    /** By their index in the plan; the first one changes the values of these cells in as few as any. */
    readonly elements: readonly number[];
}

/** Tables that tell which elements can make the least image. */
interface Selection {
    readonly sources: readonly Source[];
    readonly products: Products;
    /** By source and the contents of its cells: the least number, and the list of elements. */
    readonly tables: readonly (readonly number[])[];
    readonly lists: ElementLists;
    /** Leading cells that are not in the tables: their contents in an image are compared first. */
    readonly rest: readonly number[];
}

/**
 * The elements as products: the element of the source, if there are such, then one of each stage. The elements of a source
 * are a coset of the subgroup that leaves the leading cells where they are. A large subgroup is a product along a chain of
 * stabilizers of points: 576 elements are 24 of one stage, followed by 24 of another.
 */
interface Products {
    readonly ofSources: readonly StateImage[] | undefined;
    /** Empty if each source has one element. */
    readonly stages: readonly (readonly StateImage[])[];
    /** By element: the indexes of those of the stages, the first one in the lowest bits. */
    readonly ways: readonly number[];
}

/** A function of the address of a state that replaces it by its least image and returns 0; `undefined` if it would be too large. */
export function compileListing(plan: ListPlan, layout: StateLayout, data: StaticData): FunctionBody | undefined {
    const selection = selectionOf(plan, layout);
    const { sources, products, lists, rest } = selection;
    const ofSources = products.ofSources && wordImages(layout, products.ofSources);
    const stages = products.stages.map(images => wordImages(layout, images));
    const size = [...(ofSources ?? []), ...stages.flat()].reduce((sum, image) => sum + image.size, 0);
    if (size > MOST_INSTRUCTIONS) {
        return undefined;
    }
    const f = new FunctionBody(['i32']);
    const address = f.parameter(0);
    const state = loadWords(f, layout.longCount, address);
    const words = (): readonly WasmVariable<'i64'>[] => state.map(() => f.local('i64'));
    const least = words();
    const moved = ofSources === undefined ? state : words();
    const image = stages.length === 0 ? moved : words();
    const before = stages.length <= 1 ? image : words();
    const leastRest = rest.map(() => f.local('i64'));
    const entries = data.space(4 * sources.length);
    const leastFirst = writeEntries(f, selection, entries, state, layout, data);
    const isFirst = f.variable(1);
    /** Computes the image under a product of elements, and keeps it if it is the least so far. */
    const lookAt = (element: Int): void => {
        let shift = 0;
        stages.forEach((images, stage) => {
            const bits = bitsFor(images.length);
            const index = element.shiftedRight(shift).and((1 << bits) - 1);
            if (stage > 0) {
                image.forEach((word, i) => {
                    before[i].set(word);
                });
            }
            writeOneOf(f, index, images, stage === 0 ? moved : before, image, data);
            shift += bits;
        });
        const ownRest = rest.map(cell => f.variable(field(image, layout.placements[cell], undefined, data)));
        const compared = [...ownRest, ...image];
        const leastCompared = [...leastRest, ...least];
        f.if(isLess(compared, leastCompared).or(isFirst), () => {
            compared.forEach((word, i) => {
                leastCompared[i].set(word);
            });
            isFirst.set(0);
        });
    };
    const source = f.variable(0);
    f.doWhile(
        () => {
            const entry = f.variable(load32(source, entries));
            f.if(entry.shiftedRight(LIST_BITS).is(leastFirst), () => {
                const next = f.variable(entry.and(2 ** LIST_BITS - 1).shiftedLeft(2));
                if (ofSources !== undefined) {
                    writeOneOf(f, source.shiftedRight(2), ofSources, state, moved, data);
                }
                // A loop with its test at the end was measured to take twice the time.
                f.forever(done => {
                    const element = f.variable(load32(next, data.table(lists.entries)));
                    f.branchIf(element.isLess(0), done);
                    next.add(4);
                    lookAt(element);
                });
            });
            source.add(4);
        },
        source.isLessUnsigned(4 * sources.length),
    );
    storeWords(f, least, address);
    f.result(0);
    return f;
}

/** Writes the entry of each source in its table to an array, and returns the least number in them. */
function writeEntries(
    f: FunctionBody,
    { sources, tables }: Selection,
    entries: number,
    state: readonly Long[],
    layout: StateLayout,
    data: StaticData,
): Int {
    const addressOf = new Map([...new Set(tables)].map(table => [table, data.table(table)] as const));
    const least = f.variable(NEVER_STORED);
    sources.forEach(({ cells }, i) => {
        const entry = f.variable(elementAt(addressOf.get(tables[i])!, contentsOf(cells, state, layout)));
        f.store32(0, entries + 4 * i, entry);
        entry.set(entry.shiftedRight(LIST_BITS));
        least.set(select(least.isLessUnsigned(entry), least, entry));
    });
    return least;
}

/** The contents of cells as one number, the first cell highest; neighbors that stay neighbors are read at once. */
function contentsOf(cells: readonly number[], state: readonly Long[], layout: StateLayout): Int {
    let rest = bitsOf(layout, cells);
    const moves = cells.map(cell => {
        const { word, shift, bits } = layout.placements[cell];
        rest -= bits;
        return { from: word, to: 0, by: rest - shift, mask: maskOf(bits) << BigInt(rest) };
    });
    const parts = joinedMoves(moves).map(({ from, by, mask }) => shiftedUp(state[from], by).toInt().and(Number(mask)));
    return combined(parts, i32(0), (one, other) => one.or(other));
}

function bitsOf(layout: StateLayout, cells: readonly number[]): number {
    return cells.reduce((sum, cell) => sum + layout.placements[cell].bits, 0);
}

/** Lists of elements one after the other; equal ones are one. */
class ElementLists {
    readonly entries: number[] = [];
    readonly #known = new Map<string, number>();

    /** Where the list begins. */
    add(elements: readonly number[]): number {
        return remembered(this.#known, elements.join(), () => {
            const end = this.entries.push(...elements, END_OF_LIST);
            return end - elements.length - 1;
        });
    }
}

function writeOneOf(
    f: FunctionBody,
    index: Int,
    images: readonly WordImage[],
    words: readonly Long[],
    image: readonly WasmVariable<'i64'>[],
    data: StaticData,
): void {
    const arms = images.map(each => (): void => {
        writeImage(each, words, image, data);
    });
    f.switch(index, [...arms.keys()], arms, arms.length - 1);
}

/** With as many of the leading cells in the tables as there is room for. */
function selectionOf({ leading, images }: ListPlan, layout: StateLayout): Selection {
    let mostSources = images.length;
    for (let count = leading.length; ; count--) {
        const plan: ListPlan = { kind: 'list', leading: leading.slice(0, count), images };
        const sources = sourcesOf(plan);
        const tabulated = [plan.leading, ...sources.map(({ cells }) => cells)];
        // Some of the cells that come as a whole would have more sources than all of them.
        if (sources.length > mostSources || tabulated.some(cells => bitsOf(layout, cells) > MOST_LEADING_BITS)) {
            mostSources = Math.min(mostSources, sources.length);
            continue;
        }
        const products = productsOf(plan, sources);
        const lists = new ElementLists();
        const tables = tablesOf(plan, sources, products, layout, lists);
        // Without leading cells there is one list, of all elements.
        if (count === 0 || lists.entries.length < 1 << LIST_BITS) {
            return { sources, products, tables, lists, rest: leading.slice(count) };
        }
    }
}

function sourcesOf({ leading, images }: ListPlan): readonly Source[] {
    const placeOf = new Map(leading.map((cell, place) => [cell, place]));
    const sources = new Map<string, { cells: readonly number[]; changes: number; readonly elements: number[] }>();
    images.forEach((image, element) => {
        const cells: number[] = [];
        let changes = 0;
        for (const { source, target, held, becomes } of image) {
            const place = placeOf.get(target);
            if (place !== undefined) {
                cells[place] = source;
                changes += held.every((code, i) => code === becomes[i]) ? 0 : 1;
            }
        }
        const key = [...cells].sort((a, b) => a - b).join();
        const known = sources.get(key);
        if (known === undefined) {
            sources.set(key, { cells, changes, elements: [element] });
        } else if (changes < known.changes) {
            Object.assign(known, { cells, changes });
            known.elements.unshift(element);
        } else {
            known.elements.push(element);
        }
    });
    return [...sources.values()];
}

function productsOf({ leading, images }: ListPlan, sources: readonly Source[]): Products {
    const leadingKey = [...leading].sort((a, b) => a - b).join();
    const kept = sources.find(({ cells }) => [...cells].sort((a, b) => a - b).join() === leadingKey)?.elements ?? [];
    const hasOneSource = sources.length === 1;
    if (hasOneSource && images.length <= MOST_IN_STAGE) {
        return { ofSources: undefined, stages: [images], ways: [...images.keys()] };
    }
    if (kept.length <= 1) {
        const ofSources = sources.map(({ elements: [only] }) => images[only]);
        return { ofSources, stages: [], ways: images.map(() => 0) };
    }
    const permutations = pointPermutations(images);
    if (hasOneSource) {
        const { stages, ways } = stagesOf([...images.keys()], permutations);
        return { ofSources: undefined, stages: stages.map(stage => stage.map(each => images[each])), ways };
    }
    const { stages, ways: waysOfKept } = stagesOf(kept, permutations);
    const indexOfKept = new ElementIndex(kept, permutations);
    const ways = new Array<number>(images.length);
    for (const { elements } of sources) {
        for (const element of elements) {
            ways[element] = waysOfKept[indexOfKept.quotient(element, elements[0])];
        }
    }
    return {
        ofSources: sources.map(({ elements }) => images[elements[0]]),
        stages: stages.map(stage => stage.map(each => images[each])),
        ways,
    };
}

/** The elements of a group, by index, as products of one of each stage; `ways[i]` is that of `elements[i]`. */
function stagesOf(
    elements: readonly number[],
    permutations: readonly Int32Array[],
): { readonly stages: readonly (readonly number[])[]; readonly ways: readonly number[] } {
    const cosets = elements.length <= MOST_IN_STAGE ? undefined : cosetsOfStabilizer(elements, permutations);
    if (cosets === undefined) {
        return { stages: [elements], ways: [...elements.keys()] };
    }
    const [stabilizer] = cosets;
    const rest = stagesOf(stabilizer, permutations);
    const bits = bitsFor(cosets.length);
    const indexInStabilizer = new ElementIndex(stabilizer, permutations);
    const wayOf = new Map<number, number>();
    cosets.forEach((coset, i) => {
        for (const element of coset) {
            wayOf.set(element, (rest.ways[indexInStabilizer.quotient(element, coset[0])] << bits) | i);
        }
    });
    return {
        stages: [cosets.map(([first]) => first), ...rest.stages],
        ways: elements.map(element => wayOf.get(element)!),
    };
}

/**
 * The elements of a group by the point that they map onto one point, those that fix it first. Of the points with an orbit of
 * more than one, that point has about as many such cosets as there are elements in each.
 */
function cosetsOfStabilizer(
    elements: readonly number[],
    permutations: readonly Int32Array[],
): readonly (readonly number[])[] | undefined {
    const pointCount = permutations[0].length;
    const isKnown = new Uint8Array(pointCount);
    let best: { readonly point: number; readonly cost: number } | undefined;
    for (let point = 0; point < pointCount; point++) {
        if (isKnown[point] === 1) {
            continue;
        }
        let orbit = 0;
        for (const element of elements) {
            const image = permutations[element][point];
            orbit += 1 - isKnown[image];
            isKnown[image] = 1;
        }
        const cost = orbit + elements.length / orbit;
        if (orbit > 1 && cost < (best?.cost ?? Infinity)) {
            best = { point, cost };
        }
    }
    if (best === undefined) {
        return undefined;
    }
    const { point } = best;
    const cosets = new Map<number, number[]>([[point, []]]);
    for (const element of elements) {
        appendTo(cosets, permutations[element].indexOf(point), element);
    }
    return [...cosets.values()];
}

class ElementIndex {
    readonly #permutations: readonly Int32Array[];
    readonly #indexOf: ReadonlyMap<string, number>;

    /** `elements` are indexes of permutations. */
    constructor(elements: readonly number[], permutations: readonly Int32Array[]) {
        this.#permutations = permutations;
        this.#indexOf = new Map(elements.map((element, i) => [permutations[element].join(), i]));
    }

    /** Where in the group the element is that has to follow `first` for the same as `element`. */
    quotient(element: number, first: number): number {
        const [whole, begun] = [this.#permutations[element], this.#permutations[first]];
        const rest = new Int32Array(whole.length);
        for (let point = 0; point < whole.length; point++) {
            rest[begun[point]] = whole[point];
        }
        const index = this.#indexOf.get(rest.join());
        invariant(index !== undefined, 'elements of one coset differ by an element of the group');
        return index;
    }
}

function bitsFor(count: number): number {
    return 32 - Math.clz32(count - 1);
}

/** The elements as permutations of points, which number the possible contents of all cells. */
function pointPermutations(images: readonly StateImage[]): readonly Int32Array[] {
    const firstPoint = new Map<number, number>();
    const pointOf = new Map<number, ReadonlyMap<number, number>>();
    let points = 0;
    for (const { source, held } of images[0]) {
        const first = points;
        firstPoint.set(source, first);
        pointOf.set(source, new Map(Array.from(held, (code, i) => [code, first + i])));
        points += held.length;
    }
    const known = new Map<CellImage, Int32Array>();
    const imagesOf = (cell: CellImage): Int32Array =>
        remembered(known, cell, () => {
            const target = pointOf.get(cell.target)!;
            return cell.becomes.map(code => target.get(code)!);
        });
    return images.map(image => {
        const permutation = new Int32Array(points);
        for (const cell of image) {
            permutation.set(imagesOf(cell), firstPoint.get(cell.source));
        }
        return permutation;
    });
}

/** The tables of a selection, one for all sources of which it says the same; its lists are added to. */
function tablesOf(
    { leading, images }: ListPlan,
    sources: readonly Source[],
    { ways }: Products,
    layout: StateLayout,
    lists: ElementLists,
): readonly (readonly number[])[] {
    const placeOfLeading = new Map(leading.map((cell, i) => [cell, bitsOf(layout, leading.slice(i + 1))] as const));
    const partsOfImage = new Map<CellImage, Parts>();
    const knownParts = new Map<string, Parts>();
    const known = new Map<string, readonly number[]>();
    return sources.map(({ cells, elements }) => {
        const imagesInTable = elements.map(element => leadingPartsOf(images[element], cells));
        const key = imagesInTable
            .map((parts, i) => `${ways[elements[i]]}:${keyOf(parts)}`)
            .sort()
            .join(';');
        const waysOfElements = elements.map(element => ways[element]);
        return remembered(known, key, () => tableOf(imagesInTable.map(leadingAfter), waysOfElements));
    });

    function tableOf(values: readonly Int32Array[], ownWays: readonly number[]): readonly number[] {
        const least = values[0].slice();
        for (let i = 1; i < values.length; i++) {
            const own = values[i];
            for (let held = 0; held < own.length; held++) {
                least[held] = Math.min(least[held], own[held]);
            }
        }
        // What is never stored may become anything.
        const anything = lists.add(ownWays.slice(0, 1));
        return Array.from(least, (leading, held) => {
            const list = leading === NEVER_STORED ? anything : lists.add(reachingOf(values, held, leading, ownWays));
            return ((leading << LIST_BITS) | list) >>> 0;
        });
    }

    /** What the image does to the cells of a source, in their order. */
    function leadingPartsOf(image: StateImage, cells: readonly number[]): readonly LeadingPart[] {
        const parts: LeadingPart[] = [];
        for (const cell of image) {
            const to = placeOfLeading.get(cell.target);
            if (to !== undefined) {
                parts[cells.indexOf(cell.source)] = { to, parts: remembered(partsOfImage, cell, () => partsOf(cell)) };
            }
        }
        return parts;
    }

    /** By the number stored in the source: the number stored in the target, -1 if the former is never stored. */
    function partsOf(cell: CellImage): Parts {
        const values = new Int32Array(2 ** layout.placements[cell.source].bits).fill(-1);
        const stored = storedIn(layout, cell.target, cell.becomes);
        for (const [i, each] of storedIn(layout, cell.source, cell.held).entries()) {
            if (each >= 0) {
                values[each] = stored[i];
            }
        }
        return remembered(knownParts, values.join(), () => ({ number: knownParts.size, values }));
    }
}

/** What an element makes of the numbers stored in a cell; equal ones are one, and have one number. */
interface Parts {
    readonly number: number;
    readonly values: Int32Array;
}

/** What becomes of a cell of a source, and how far that is shifted among the leading cells. */
interface LeadingPart {
    readonly to: number;
    readonly parts: Parts;
}

function keyOf(parts: readonly LeadingPart[]): string {
    return parts.map(({ to, parts: { number } }) => `${to}.${number}`).join();
}

/** The ways of the elements that make `least` of the contents `held`. */
function reachingOf(values: readonly Int32Array[], held: number, least: number, ways: readonly number[]): number[] {
    return ways.filter((_, i) => values[i][held] === least);
}

/** By the contents of the source, its first cell highest: the contents of the leading cells after an element. */
function leadingAfter(parts: readonly LeadingPart[]): Int32Array {
    let after = new Int32Array(1);
    for (let place = parts.length - 1; place >= 0; place--) {
        const { to, parts: part } = parts[place];
        const { values } = part;
        const before = after;
        after = new Int32Array(values.length * before.length);
        for (let held = 0, next = 0; held < values.length; held++) {
            const leading = values[held] < 0 ? NEVER_STORED : values[held] << to;
            for (let rest = 0; rest < before.length; rest++) {
                after[next++] = before[rest] | leading;
            }
        }
    }
    return after;
}
