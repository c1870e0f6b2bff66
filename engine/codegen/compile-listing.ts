/**
 * The least image of a state under a few listed elements, with early exit.
 *
 * What the leading cells hold in an image comes from certain cells of the state, the same ones for many elements. For each
 * such *source* a table says, by what these cells hold, the least that an element makes of them in the leading cells, and
 * which elements do. Only the elements that reach the least of these leasts can make the least image, mostly one or two;
 * their images are computed word by word and compared.
 */
import type { StateLayout } from '../explore/state-layout.js';
import type { ListPlan } from '../group/representative-plan.js';
import { FunctionWriter } from './function-writer.js';
import { loadWords, pushIsLess, storedIn, storeWords, wordImage, writeImage } from './state-words.js';
import { maskOf } from './state-copy.js';
import type { StaticData } from './static-data.js';

/** Bits that the leading cells may have together. */
const MOST_LEADING_BITS = 10;
/** Instructions for all images together: more take longer to compile than they gain. */
const MOST_INSTRUCTIONS = 100_000;
/** An entry of a table: the least number, then where the list of elements begins. */
const LIST_BITS = 16;

const END_OF_LIST = -1;
/** In place of a least number; greater than all of them. */
const NEVER_STORED = 2 ** LIST_BITS - 1;

interface Source {
    /** The cells that are read, ascending. */
    readonly cells: readonly number[];
    /** By what they hold. */
    readonly table: number[];
}

/** A function of the address of a state that replaces it by its least image and returns 0; `undefined` where it would be too large. */
export function compileListing(plan: ListPlan, layout: StateLayout, data: StaticData): FunctionWriter | undefined {
    const { longCount } = layout;
    const images = plan.images.map(image => wordImage(layout, image));
    const lists = new ElementLists();
    const sources = sourcesOf(plan, layout, lists);
    const size = images.reduce((sum, image) => sum + image.size, 0);
    if (sources === undefined || size > MOST_INSTRUCTIONS || lists.entries.length >= 1 << LIST_BITS) {
        return undefined;
    }
    const f = new FunctionWriter(['i32']);
    const address = f.parameter(0);
    const state = loadWords(f, longCount, address);
    const least = state.map(() => f.acquire('i64'));
    const image = state.map(() => f.acquire('i64'));
    const entry = f.acquire('i32');
    const leastLeading = f.acquire('i32');
    const entries = data.space(4 * sources.length);
    f.i32((1 << LIST_BITS) - 1).set(leastLeading);
    sources.forEach(({ cells, table }, i) => {
        f.i32(0);
        pushIndex(cells);
        f.i32(2).op('i32_shl').memory('i32_load', data.table(table)).tee(entry);
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
    const done = f.block();
    // With the test at its end, this loop was measured to take twice the time.
    const eachElement = f.loop();
    f.get(next).memory('i32_load', data.table(lists.entries)).tee(element).i32(0).op('i32_lt_s').brIf(done);
    f.get(next).i32(4).op('i32_add').set(next);
    const isComputed = f.block();
    const arms = images.map(() => f.block());
    f.get(element).brTable([...arms].reverse(), arms[0]);
    // The blocks end in the order in which the elements are numbered.
    for (const each of images) {
        f.end();
        writeImage(f, each, state, image, data);
        f.br(isComputed);
    }
    f.end();
    pushIsLess(f, image, least);
    f.get(isFirst).op('i32_or').if();
    image.forEach((local, word) => {
        f.get(local).set(least[word]);
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

/** `undefined` where the tables would be too large. */
function sourcesOf(
    { leading, images }: ListPlan,
    layout: StateLayout,
    lists: ElementLists,
): readonly Source[] | undefined {
    const elementsOfSource = new Map<string, number[]>();
    const cellsOfSource = new Map<string, readonly number[]>();
    images.forEach((image, element) => {
        const cells = image
            .filter(({ target }) => leading.includes(target))
            .map(({ source }) => source)
            .sort((a, b) => a - b);
        const key = cells.join();
        elementsOfSource.set(key, [...(elementsOfSource.get(key) ?? []), element]);
        cellsOfSource.set(key, cells);
    });
    const sources: Source[] = [];
    for (const [key, cells] of cellsOfSource) {
        if (bitsOf(layout, cells) > MOST_LEADING_BITS || bitsOf(layout, leading) > MOST_LEADING_BITS) {
            return undefined;
        }
        const elements = elementsOfSource.get(key)!;
        const size = 2 ** bitsOf(layout, cells);
        const values = elements.map(element => leadingAfter(element, cells, size));
        const least = new Int32Array(size).fill(NEVER_STORED);
        for (const each of values) {
            for (let held = 0; held < size; held++) {
                least[held] = Math.min(least[held], each[held]);
            }
        }
        const table = Array.from(least, (value, held) => {
            // What is never stored may become anything.
            const reaching = elements.filter((_, i) => values[i][held] === value);
            return ((value << LIST_BITS) | lists.add(reaching)) >>> 0;
        });
        sources.push({ cells, table });
    }
    return sources;

    /** What the leading cells hold after an element, by what the source holds. */
    function leadingAfter(element: number, cells: readonly number[], size: number): Int32Array {
        const values = new Int32Array(size);
        for (const { source, target, held, becomes } of images[element].filter(each => leading.includes(each.target))) {
            const shift = bitsOf(layout, cells.slice(cells.indexOf(source) + 1));
            const to = bitsOf(layout, leading.slice(leading.indexOf(target) + 1));
            const image = new Int32Array(2 ** layout.placements[source].bits).fill(-1);
            const stored = storedIn(layout, target, becomes);
            storedIn(layout, source, held).forEach((each, i) => {
                if (each >= 0) {
                    image[each] = stored[i];
                }
            });
            for (let together = 0; together < size; together++) {
                const part = image[(together >> shift) & (image.length - 1)];
                values[together] = part < 0 ? NEVER_STORED : values[together] | (part << to);
            }
        }
        return values;
    }
}
