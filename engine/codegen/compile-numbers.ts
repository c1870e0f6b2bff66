/**
 * The form of numbers without end in generated code, over packed states: that of explore/number-order.ts, state for state.
 *
 * The different numbers of a sort are a set of bits, bit `n + FIRST` for the number n, in one long word if there is room
 * for all of them, else in memory. What is stored for a cell is its number plus 0, 1 or 2, as it may be `none` or absent;
 * what is below that is no number.
 */
import type { OrderedSort } from '../explore/number-order.js';
import type { Placement, StateLayout } from '../explore/state-layout.js';
import type { Cell } from '../sequential/sequential-model.js';
import {
    combined,
    type FunctionBody,
    i32,
    i64,
    type Int,
    load32,
    load64,
    type Long,
    select,
    union,
    type WasmVariable,
} from '../webassembly/function-body.js';
import { maskOf } from './state-copy.js';
import type { StaticData } from './static-data.js';

/** The bit of the number 0: as many as there are values that are no number. */
const FIRST = 2;

const WORD_BITS = 64;

/** Where a number is in a packed state. */
interface NumberField extends Pick<Placement, 'word' | 'shift' | 'bits'> {
    /** What is stored for the number 0. */
    readonly zero: number;
}

/** A sort over packed states. */
export interface PackedSort {
    readonly order: OrderedSort;
    readonly fields: readonly NumberField[];
    /** The long words that hold its numbers, ascending. */
    readonly words: readonly number[];
    /** The bits of its numbers in each long word of a state. */
    readonly masks: readonly bigint[];
    /** The address of the set of numbers, of so many long words with zeros; absent if one long word is enough. */
    readonly set?: { readonly address: number; readonly words: number };
    /** By bit of the set by how much its number becomes less; 0 below FIRST. */
    readonly less: number;
}

/** `room` is the largest number of a state that is not in its form. */
export function packSort(
    order: OrderedSort,
    room: number,
    cells: readonly Cell[],
    layout: StateLayout,
    data: StaticData,
): PackedSort {
    const fields = [...order.cells].map((cell): NumberField => {
        const { word, shift, bits, bias } = layout.placements[cell];
        return { word, shift, bits, zero: bias + (cells[cell].domain.kind === 'optional' ? 1 : 0) };
    });
    const masks = Array.from({ length: layout.longCount }, (_, word) =>
        fields
            .filter(field => field.word === word)
            .reduce((mask, { shift, bits }) => mask | (maskOf(bits) << BigInt(shift)), 0n),
    );
    const size = room + FIRST + 1;
    const words = Math.ceil(size / WORD_BITS);
    return {
        order,
        fields,
        words: masks.flatMap((mask, word) => (mask === 0n ? [] : [word])),
        masks,
        ...(words > 1 && { set: { address: data.space(8 * words), words } }),
        less: data.space(4 * size),
    };
}

/** The words of a state that hold numbers of the sort, at their places. */
export function loadNumbers(f: FunctionBody, { words }: PackedSort, address: Int): (WasmVariable<'i64'> | undefined)[] {
    const loaded: (WasmVariable<'i64'> | undefined)[] = [];
    words.forEach(word => {
        loaded[word] = f.variable(load64(address, 8 * word));
    });
    return loaded;
}

/** What is stored for a cell. */
export function storedNumber(
    words: readonly (Long | undefined)[],
    { word, shift, bits }: Pick<NumberField, 'word' | 'shift' | 'bits'>,
): Long {
    const shifted = bits === 0 ? i64(0n) : words[word]!.shiftedRight(BigInt(shift));
    return bits === 0 || shift + bits === WORD_BITS ? shifted : shifted.and(maskOf(bits));
}

/**
 * Brings a state at an address to its form, in place, in one sort: `fits` becomes 0 if a code would be above `most`;
 * `tellDifferent` gets the number of different numbers.
 */
export function normalizeSort(
    f: FunctionBody,
    sort: PackedSort,
    address: Int,
    most: number,
    fits: WasmVariable<'i32'>,
    tellDifferent: (count: Int) => void,
): void {
    const { order, fields, less, words: own } = sort;
    const { kept, modulus } = order;
    f.scope(() => {
        const words = loadNumbers(f, sort, address);
        const different = f.variable(0);
        const code = f.variable(0);
        const before = f.variable(-1);
        const become = (): void => {
            visitNumbers(f, sort, words, (value, bit) => {
                f.if(
                    before.isLess(0),
                    () => {
                        code.set(modulus === 1 ? 0 : value.remainder(modulus));
                    },
                    () => {
                        f.scope(() => {
                            const distance = f.variable(value.minus(before));
                            const beyond =
                                modulus === 1 ? i32(kept) : distance.minus(kept).remainder(modulus).plus(kept);
                            code.add(select(distance.isLess(kept), distance, beyond));
                        });
                    },
                );
                before.set(value);
                f.setElement(less, bit, value.minus(code));
                different.add(1);
            });
            own.forEach(word => {
                const moved = fields
                    .filter(field => field.word === word && field.bits > 0)
                    .map(field =>
                        load32(bitOf(storedNumber(words, field), field).shiftedLeft(2), less)
                            .toLong()
                            .shiftedLeft(BigInt(field.shift)),
                    );
                f.store64(
                    address,
                    8 * word,
                    words[word]!.minus(combined(moved, i64(0n), (one, other) => one.plus(other))),
                );
            });
            f.if(code.isGreater(most), () => {
                fits.set(0);
            });
        };
        if (sort.set === undefined) {
            const numbers = f.variable(numbersIn(sort, words));
            different.set(numbers.converted('i64', 'i64_popcnt').toInt());
            tellDifferent(different);
            f.if(isInForm(numbers, order, f).isZero(), become, () => {
                // In its form already, but perhaps beyond the codes.
                f.if(
                    numbers
                        .shiftedRight(BigInt(most + 1))
                        .isZero()
                        .isZero(),
                    () => {
                        fits.set(0);
                    },
                );
            });
        } else {
            become();
            tellDifferent(different);
        }
    });
}

/** Visits the different numbers of a sort in a state, 0 among them if the sort is told, ascending. */
export function visitNumbers(
    f: FunctionBody,
    sort: PackedSort,
    words: readonly (WasmVariable<'i64'> | undefined)[],
    visit: (value: Int, bit: Int) => void,
): void {
    const { set, order, fields } = sort;
    const visitWord = (rest: WasmVariable<'i64'>, first: Int | undefined): void => {
        f.while(rest.isZero().isZero(), () => {
            const place = rest.converted('i64', 'i64_ctz').toInt();
            const bit = f.variable(first === undefined ? place.plus(FIRST) : place.plus(first));
            const value = f.variable(bit.minus(FIRST));
            visit(value, bit);
            rest.set(rest.and(rest.minus(1n)));
        });
    };
    if (set === undefined) {
        f.scope(() => {
            visitWord(f.variable(numbersIn(sort, words)), undefined);
        });
        return;
    }
    const mark = (bit: Int): void => {
        f.scope(() => {
            const at = f.variable(bit);
            const place = f.variable(at.shiftedRight(6).shiftedLeft(3));
            f.store64(place, set.address, load64(place, set.address).or(i64(1n).shiftedLeft(at.toLong())));
        });
    };
    if (order.told) {
        mark(i32(FIRST));
    }
    fields.forEach(field => {
        mark(bitOf(storedNumber(words, field), field));
    });
    f.store64(0, set.address, load64(0, set.address).and(~maskOf(FIRST)));
    f.scope(() => {
        const word = f.variable(0);
        const rest = f.local('i64');
        f.while(word.isNot(set.words), () => {
            rest.set(load64(word.shiftedLeft(3), set.address));
            f.store64(word.shiftedLeft(3), set.address, 0n);
            visitWord(rest, word.shiftedLeft(6));
            word.add(1);
        });
    });
}

/** The different numbers as the bits of a word, bit n for the number n. */
function numbersIn({ fields, order }: PackedSort, words: readonly (Long | undefined)[]): Long {
    const bits = fields.map(field => i64(1n << BigInt(FIRST - field.zero)).shiftedLeft(storedNumber(words, field)));
    const all = union([...bits, ...(order.told ? [i64(1n << BigInt(FIRST))] : [])]);
    return all.shiftedRight(BigInt(FIRST));
}

/** The bit of the number that is stored, and one below FIRST for what is no number. */
function bitOf(stored: Long, { zero }: NumberField): Int {
    return stored.toInt().plus(FIRST - zero);
}

/**
 * Whether the least number is below the modulus, and no number is farther above the next one than a long distance with a
 * rest: then the bits above each number fill up all places.
 */
function isInForm(numbers: Long, { kept, modulus }: OrderedSort, f: FunctionBody): Int {
    const longest = Math.min(kept + modulus - 1, WORD_BITS);
    return f.compute('i32', () => {
        const filled = f.variable(numbers);
        for (let width = 1; width < longest;) {
            const by = Math.min(width, longest - width);
            filled.set(filled.or(filled.shiftedLeft(BigInt(by))));
            width += by;
        }
        filled.set(filled.or(maskOf(Math.min(modulus - 1, WORD_BITS))));
        return filled.and(filled.plus(1n)).isZero();
    });
}
