/**
 * The form in which a search stores numbers without end: their order, and their distances up to a bound. A distance of the
 * bound or more is one distance, so a stored state stands for many; a step that adds to numbers is taken from those of
 * them whose long distances it could tell apart, the *openings*. docs/numbers-soundness.md
 */
import { NO_VALUE } from '../model/domain.js';
import type { Cell, NumberSort } from '../sequential/sequential-model.js';

/** More cases of one state are not tried. */
export const MOST_OPENINGS = 64;

/** Numbers below are looked up in a list. */
const MOST_LISTED = 2048;

/** A sort with the bound of its distances, and where its values are among the codes. */
export interface OrderedSort {
    readonly cells: Int32Array;
    /** By position in `cells`: 1 if the first code is `none`. */
    readonly offsets: Int32Array;
    readonly told: boolean;
    /** From here on distances are one. */
    readonly kept: number;
    readonly reach: number;
    readonly modulus: number;
}

/** The distance above the numbers up to `value`, and by how much it may be longer. */
interface LongDistance {
    readonly sort: OrderedSort;
    readonly value: number;
    readonly extra: readonly number[];
}

export class NumberOrder {
    /** By sort the most different numbers in one state so far. */
    readonly mostDifferent: number[];
    readonly sorts: readonly OrderedSort[];
    /** The largest code that a state may have. */
    readonly most: number;
    /** By number its code, while a state is brought to its form; else zeros. */
    readonly #codes = new Int32Array(MOST_LISTED);

    /** `kept` has the bound of each sort: above what the text looks at, and at least its reach. */
    constructor(cells: readonly Cell[], sorts: readonly NumberSort[], kept: readonly number[], most: number) {
        this.most = most;
        this.mostDifferent = sorts.map(() => 0);
        this.sorts = sorts.map(({ cells: own, told, reach, modulus }, sort) => ({
            cells: Int32Array.from(own),
            offsets: Int32Array.from(own, cell => (cells[cell].domain.kind === 'optional' ? 1 : 0)),
            told,
            kept: kept[sort],
            reach,
            modulus,
        }));
    }

    get codeCount(): number {
        return this.most + 1;
    }

    /**
     * Brings a state to its form, in place; false if the codes are too few for that. O(cells + the greatest number), for
     * numbers in runs O(cells · log cells).
     */
    normalize(state: Int32Array): boolean {
        let fits = true;
        for (let index = 0; index < this.sorts.length; index++) {
            const sort = this.sorts[index];
            const greatest = greatestOf(sort, state);
            const code =
                greatest < MOST_LISTED
                    ? this.#normalizeSmall(index, state, greatest)
                    : this.#normalizeLarge(index, state);
            fits &&= code <= this.most;
        }
        return fits;
    }

    /** The greatest code. All numbers are below MOST_LISTED. */
    #normalizeSmall(index: number, state: Int32Array, greatest: number): number {
        const sort = this.sorts[index];
        const { cells, offsets, told } = sort;
        const codes = this.#codes;
        codes[0] = told ? 1 : 0;
        for (let position = 0; position < cells.length; position++) {
            const value = state[cells[position]] - offsets[position];
            if (value >= 0) {
                codes[value] = 1;
            }
        }
        let before = -1;
        let code = 0;
        let different = 0;
        for (let value = 0; value <= greatest; value++) {
            if (codes[value] === 1) {
                code = before < 0 ? value % sort.modulus : code + shortened(value - before, sort);
                codes[value] = code;
                before = value;
                different++;
            }
        }
        for (let position = 0; position < cells.length; position++) {
            const cell = cells[position];
            const value = state[cell] - offsets[position];
            if (value >= 0) {
                state[cell] = codes[value] + offsets[position];
            }
        }
        codes.fill(0, 0, greatest + 1);
        this.mostDifferent[index] = Math.max(this.mostDifferent[index], different);
        return code;
    }

    #normalizeLarge(index: number, state: Int32Array): number {
        const sort = this.sorts[index];
        const values = valuesOf(sort, state);
        this.mostDifferent[index] = Math.max(this.mostDifferent[index], values.length);
        const codes = new Map<number, number>();
        let code = 0;
        values.forEach((value, position) => {
            code = position === 0 ? value % sort.modulus : code + shortened(value - values[position - 1], sort);
            codes.set(value, code);
        });
        forEachValue(sort, state, (value, cell, offset) => {
            state[cell] = (codes.get(value) ?? 0) + offset;
        });
        return code;
    }

    /** Whether two states differ in the numbers of a sort. */
    differ(sort: number, first: Readonly<Int32Array>, second: Readonly<Int32Array>): boolean {
        return this.sorts[sort].cells.some(cell => first[cell] !== second[cell]);
    }

    /**
     * Other states that a state in its form stands for: those with up to `count` of the long distances of these sorts
     * opened. A firing of so many sums leads from them to all that it leads to. Undefined if there are too many.
     */
    openings(state: Readonly<Int32Array>, sorts: readonly number[], count: number): readonly Int32Array[] | undefined {
        const long = sorts.flatMap(sort => longDistances(this.sorts[sort], state));
        const chosen: { readonly distance: LongDistance; readonly extra: number }[] = [];
        const found: Int32Array[] = [];
        const open = (from: number): boolean => {
            if (chosen.length > 0) {
                found.push(opened(state, chosen));
            }
            for (let index = from; index < long.length && chosen.length < count; index++) {
                for (const extra of long[index].extra) {
                    chosen.push({ distance: long[index], extra });
                    if (found.length >= MOST_OPENINGS || !open(index + 1)) {
                        return false;
                    }
                    chosen.pop();
                }
            }
            return true;
        };
        return open(0) ? found : undefined;
    }
}

/** 0 if there are none. */
function greatestOf({ cells, offsets }: OrderedSort, state: Readonly<Int32Array>): number {
    let greatest = 0;
    for (let position = 0; position < cells.length; position++) {
        greatest = Math.max(greatest, state[cells[position]] - offsets[position]);
    }
    return greatest;
}

/** The different numbers of a sort, ascending, 0 among them if it always is. */
function valuesOf(sort: OrderedSort, state: Readonly<Int32Array>): readonly number[] {
    const values = new Set<number>(sort.told ? [0] : []);
    forEachValue(sort, state, value => values.add(value));
    return [...values].sort((first, second) => first - second);
}

function forEachValue(
    { cells, offsets }: OrderedSort,
    state: Readonly<Int32Array>,
    visit: (value: number, cell: number, offset: number) => void,
): void {
    for (let index = 0; index < cells.length; index++) {
        const code = state[cells[index]];
        if (code !== NO_VALUE && code >= offsets[index]) {
            visit(code - offsets[index], cells[index], offsets[index]);
        }
    }
}

/** A long distance with what it has in common with others: its rest. */
function shortened(distance: number, { kept, modulus }: OrderedSort): number {
    return distance < kept ? distance : kept + ((distance - kept) % modulus);
}

function longDistances(sort: OrderedSort, state: Readonly<Int32Array>): readonly LongDistance[] {
    const { kept, reach, modulus } = sort;
    const values = valuesOf(sort, state);
    const extra = Array.from({ length: Math.ceil(reach / modulus) }, (_, step) => (step + 1) * modulus);
    return values
        .slice(1)
        .flatMap((value, index) => (value - values[index] >= kept ? [{ sort, value: values[index], extra }] : []));
}

function opened(
    state: Readonly<Int32Array>,
    chosen: readonly { readonly distance: LongDistance; readonly extra: number }[],
): Int32Array {
    const other = state.slice();
    for (const { distance, extra } of chosen) {
        forEachValue(distance.sort, state, (value, cell) => {
            other[cell] += value > distance.value ? extra : 0;
        });
    }
    return other;
}
