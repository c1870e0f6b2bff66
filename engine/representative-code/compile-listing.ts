/**
 * The least image of a state under a few listed elements, with early exit.
 *
 * What the leading cells hold in an image comes from certain cells of the state, the same ones for many elements. For each
 * such *source* a table says, by what these cells hold, the least that an element makes of them in the leading cells, and
 * which elements do. Only the elements that reach the least of these leasts can make the least image, mostly one or two;
 * their images are computed word by word and compared. Where the leading cells are too many for tables, the last ones are
 * left to the comparison.
 *
 * There is not code for every element. Those of one source are a coset of the subgroup that leaves the leading cells where
 * they are: each is one and the same element for the source, done once, and then one of the subgroup. Where that is large
 * its elements are products in the same way, along a chain of stabilizers of points: 576 elements are 24 of one stage and
 * then 24 of another.
 */
import type { StateLayout } from '../explore/state-layout.js';
import { invariant } from '../common/assert.js';
import type { CellImage, ListPlan, StateImage } from '../representative/representative-plan.js';
import { FunctionWriter, type Local } from '../webassembly/function-writer.js';
import {
    loadWords,
    pushField,
    pushIsLess,
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
/** An entry of a table: the least number, then where the list of elements begins. */
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

/** What tells which elements can make the least image. */
interface Selection {
    readonly sources: readonly Source[];
    readonly products: Products;
    /** By source and what its cells hold: the least number, and the list of elements. */
    readonly tables: readonly (readonly number[])[];
    readonly lists: ElementLists;
    /** Leading cells that are not in the tables: their contents in an image are compared first. */
    readonly rest: readonly number[];
}

/** The elements, each as the element of its source, if there are such, then one of each stage. */
interface Products {
    readonly ofSources: readonly StateImage[] | undefined;
    /** None where a source has one element. */
    readonly stages: readonly (readonly StateImage[])[];
    /** By element: the indexes of those of the stages, the first one in the lowest bits. */
    readonly ways: readonly number[];
}

/** A function of the address of a state that replaces it by its least image and returns 0; `undefined` where it would be too large. */
export function compileListing(plan: ListPlan, layout: StateLayout, data: StaticData): FunctionWriter | undefined {
    const { longCount } = layout;
    const { sources, products, tables, lists, rest } = selectionOf(plan, layout);
    const ofSources = products.ofSources && wordImages(layout, products.ofSources);
    const stages = products.stages.map(images => wordImages(layout, images));
    const size = [...(ofSources ?? []), ...stages.flat()].reduce((sum, image) => sum + image.size, 0);
    if (size > MOST_INSTRUCTIONS) {
        return undefined;
    }
    const f = new FunctionWriter(['i32']);
    const address = f.parameter(0);
    const state = loadWords(f, longCount, address);
    const least = state.map(() => f.acquire('i64'));
    const moved = ofSources === undefined ? state : state.map(() => f.acquire('i64'));
    const image = stages.length === 0 ? moved : state.map(() => f.acquire('i64'));
    const compared = [...rest.map(() => f.acquire('i64')), ...image];
    const leastCompared = [...rest.map(() => f.acquire('i64')), ...least];
    const before = stages.length <= 1 ? image : state.map(() => f.acquire('i64'));
    const entry = f.acquire('i32');
    const leastLeading = f.acquire('i32');
    const entries = data.space(4 * sources.length);
    const addressOf = new Map([...new Set(tables)].map(table => [table, data.table(table)] as const));
    f.i32((1 << LIST_BITS) - 1).set(leastLeading);
    sources.forEach(({ cells }, i) => {
        f.i32(0);
        pushIndex(cells);
        f.i32(2).op('i32_shl').memory('i32_load', addressOf.get(tables[i])).tee(entry);
        f.memory('i32_store', entries + 4 * i);
        f.get(entry).i32(LIST_BITS).op('i32_shr_u').tee(entry);
        f.get(leastLeading).get(entry).get(leastLeading).op('i32_lt_u', 'select').set(leastLeading);
    });

    const next = f.acquire('i32');
    const element = f.acquire('i32');
    const source = f.acquire('i32');
    const isFirst = f.acquire('i32');
    f.i32(1).set(isFirst).i32(0).set(source);
    const eachSource = f.loop();
    f.get(source).memory('i32_load', entries).tee(entry).i32(LIST_BITS).op('i32_shr_u').get(leastLeading);
    f.op('i32_eq').if();
    f.get(entry)
        .i32((1 << LIST_BITS) - 1)
        .op('i32_and')
        .i32(2)
        .op('i32_shl')
        .set(next);
    if (ofSources !== undefined) {
        writeOneOf(f, () => f.get(source).i32(2).op('i32_shr_u'), ofSources, state, moved, data);
    }
    const done = f.block();
    // With the test at its end, this loop was measured to take twice the time.
    const eachElement = f.loop();
    f.get(next).memory('i32_load', data.table(lists.entries)).tee(element).i32(0).op('i32_lt_s').brIf(done);
    f.get(next).i32(4).op('i32_add').set(next);
    let shift = 0;
    stages.forEach((images, stage) => {
        const [own, at] = [bitsFor(images.length), shift];
        const pushIndex = (): void => {
            f.get(element)
                .i32(at)
                .op('i32_shr_u')
                .i32((1 << own) - 1)
                .op('i32_and');
        };
        if (stage > 0) {
            image.forEach((local, word) => f.get(local).set(before[word]));
        }
        writeOneOf(f, pushIndex, images, stage === 0 ? moved : before, image, data);
        shift += own;
    });
    rest.forEach((cell, i) => {
        pushField(f, image, layout.placements[cell], undefined, data);
        f.set(compared[i]);
    });
    pushIsLess(f, compared, leastCompared);
    f.get(isFirst).op('i32_or').if();
    compared.forEach((local, i) => {
        f.get(local).set(leastCompared[i]);
    });
    f.i32(0).set(isFirst).end();
    f.br(eachElement).end().end();
    f.end();
    f.get(source).i32(4).op('i32_add').tee(source);
    f.i32(4 * sources.length)
        .op('i32_lt_u')
        .brIf(eachSource)
        .end();
    storeWords(f, least, address);
    return f.i32(0);

    /** Pushes what cells hold together, the first one highest; neighbors that stay neighbors are read at once. */
    function pushIndex(cells: readonly number[]): void {
        const moves = new Map<string, { readonly word: number; readonly by: number; mask: bigint }>();
        let rest = bitsOf(layout, cells);
        for (const cell of cells) {
            const { word, shift, bits } = layout.placements[cell];
            rest -= bits;
            const key = `${String(word)} ${String(shift - rest)}`;
            const move = moves.get(key) ?? { word, by: shift - rest, mask: 0n };
            move.mask |= maskOf(bits) << BigInt(rest);
            moves.set(key, move);
        }
        if (moves.size === 0) {
            f.i32(0);
        }
        [...moves.values()].forEach(({ word, by, mask }, i) => {
            f.get(state[word]);
            if (by !== 0) {
                f.i64(BigInt(Math.abs(by))).op(by > 0 ? 'i64_shr_u' : 'i64_shl');
            }
            f.op('i32_wrap_i64').i32(Number(mask)).op('i32_and');
            if (i > 0) {
                f.op('i32_or');
            }
        });
    }
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
        const key = elements.join();
        let start = this.#known.get(key);
        if (start === undefined) {
            start = this.entries.length;
            this.entries.push(...elements, END_OF_LIST);
            this.#known.set(key, start);
        }
        return start;
    }
}

/** Computes the image under one of some elements. */
function writeOneOf(
    f: FunctionWriter,
    pushIndex: () => void,
    images: readonly WordImage[],
    words: readonly Local[],
    image: readonly Local[],
    data: StaticData,
): void {
    const isComputed = f.block();
    const arms = images.map(() => f.block());
    pushIndex();
    f.brTable([...arms].reverse(), arms[0]);
    // The blocks end in the order in which the elements are numbered.
    for (const each of images) {
        f.end();
        writeImage(f, each, words, image, data);
        f.br(isComputed);
    }
    f.end();
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
        return {
            ofSources: sources.map(({ elements: [only] }) => images[only]),
            stages: [],
            ways: images.map(() => 0),
        };
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
 * The elements of a group by what they map onto one point, those that fix it first: of the points that have an orbit of more
 * than one, one for which there are about as many such cosets as elements in each.
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
        const from = permutations[element].indexOf(point);
        const coset = cosets.get(from);
        if (coset === undefined) {
            cosets.set(from, [element]);
        } else {
            coset.push(element);
        }
    }
    return [...cosets.values()];
}

/** Finds elements of a group by what they do. */
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

/** How many bits it takes to tell so many things apart. */
function bitsFor(count: number): number {
    return 32 - Math.clz32(count - 1);
}

/** The elements as permutations of points, which number what each cell can hold. */
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
    const imagesOf = (cell: CellImage): Int32Array => {
        let own = known.get(cell);
        if (own === undefined) {
            const target = pointOf.get(cell.target)!;
            own = cell.becomes.map(code => target.get(code)!);
            known.set(cell, own);
        }
        return own;
    };
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
        let table = known.get(key);
        if (table === undefined) {
            table = tableOf(
                imagesInTable.map(leadingAfter),
                elements.map(element => ways[element]),
            );
            known.set(key, table);
        }
        return table;
    });

    function tableOf(values: readonly Int32Array[], ownWays: readonly number[]): readonly number[] {
        const least = values[0].slice();
        for (let i = 1; i < values.length; i++) {
            const own = values[i];
            for (let held = 0; held < own.length; held++) {
                if (own[held] < least[held]) {
                    least[held] = own[held];
                }
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
                parts[cells.indexOf(cell.source)] = { to, parts: partsOf(cell) };
            }
        }
        return parts;
    }

    /** By what is stored in the source: what is then stored in the target, -1 for what is never stored. */
    function partsOf(cell: CellImage): Parts {
        let parts = partsOfImage.get(cell);
        if (parts === undefined) {
            const values = new Int32Array(2 ** layout.placements[cell.source].bits).fill(-1);
            const stored = storedIn(layout, cell.target, cell.becomes);
            for (const [i, each] of storedIn(layout, cell.source, cell.held).entries()) {
                if (each >= 0) {
                    values[each] = stored[i];
                }
            }
            const key = values.join();
            parts = knownParts.get(key) ?? { number: knownParts.size, values };
            knownParts.set(key, parts);
            partsOfImage.set(cell, parts);
        }
        return parts;
    }
}

/** What becomes of what is stored in a cell; equal ones are one, and have one number. */
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

/** The ways of those that make `least` of what is held. */
function reachingOf(values: readonly Int32Array[], held: number, least: number, ways: readonly number[]): number[] {
    const reaching: number[] = [];
    for (let i = 0; i < values.length; i++) {
        if (values[i][held] === least) {
            reaching.push(ways[i]);
        }
    }
    return reaching;
}

/** What the leading cells hold after an element, by what the source holds, its first cell highest. */
function leadingAfter(parts: readonly LeadingPart[]): Int32Array {
    let after = new Int32Array(1);
    for (let place = parts.length - 1; place >= 0; place--) {
        const {
            to,
            parts: { values },
        } = parts[place];
        const before = after;
        after = new Int32Array(values.length * before.length);
        for (let held = 0, next = 0; held < values.length; held++) {
            const part = values[held] < 0 ? NEVER_STORED : values[held] << to;
            for (let rest = 0; rest < before.length; rest++) {
                after[next++] = before[rest] | part;
            }
        }
    }
    return after;
}
