/**
 * Which beginnings of states can be those of the least state of an orbit: orderly generation. [Read1978]
 *
 * Cells are set one after the other, and states compare in this order: cells that determine all others. A beginning is
 * refused if some symmetry makes it less, whatever the other cells become. The least states themselves are never
 * refused.
 */
import { remembered } from '../../common/list-map.js';
import type { CellImage, StateImage } from '../../representative/representative-plan.js';

/** Comparisons that may be kept for all symmetries and cells together. */
const MOST_ENTRIES = 4_000_000;
/** A state that more symmetries do not show to be no least one is a least one mostly. */
const MOST_SYMMETRIES = 1024;

/** How many symmetries are worth having where a state has so many cells. */
export function mostSymmetries(cellCount: number): number {
    return Math.min(MOST_SYMMETRIES, Math.floor(MOST_ENTRIES / (cellCount + 1)));
}

/** Says of the beginnings of states, in the order in which cells are set, which may be those of least states. */
export class LeastStates {
    /** `#cells[position]` is the cell that is set there. */
    readonly #cells: Int32Array;
    /** `#source[symmetry * positions + position]`: the position that the content of a cell of the image comes from. */
    readonly #source: Int32Array;
    /** `#table[...]`: what becomes of code c is `#codes[#table[...] + c + 1]`; -1 where it stays. */
    readonly #table: Int32Array;
    readonly #codes: Int32Array;
    /**
     * `#open[count]`: the symmetries under which the image is not known to differ when so many cells are set, the first
     * `#openCount[count]`, with the position `#next[count]` from which on it is not known.
     */
    readonly #open: Int32Array[];
    readonly #next: Int32Array[];
    readonly #openCount: Int32Array;

    /** `cells` in the order in which they are set, each once; of the symmetries the first `mostSymmetries` are used. */
    constructor(cells: readonly number[], symmetries: readonly StateImage[]) {
        const positions = cells.length;
        const used = symmetries.slice(0, mostSymmetries(positions));
        const positionOf = new Map(cells.map((cell, position) => [cell, position]));
        const codes: number[] = [];
        const known = new Map<string, number>();
        const tables = new Map<CellImage, number>();
        this.#cells = Int32Array.from(cells);
        this.#source = new Int32Array(used.length * positions);
        this.#table = new Int32Array(used.length * positions).fill(-1);
        used.forEach((image, symmetry) => {
            for (let position = 0; position < positions; position++) {
                this.#source[symmetry * positions + position] = position;
            }
            for (const cell of image) {
                const position = positionOf.get(cell.target);
                if (position !== undefined) {
                    // What comes from a cell that is never set is never known.
                    this.#source[symmetry * positions + position] = positionOf.get(cell.source) ?? positions;
                    // What several symmetries do alike to a cell is one object.
                    const table = remembered(tables, cell, () => tableOf(cell));
                    this.#table[symmetry * positions + position] = table;
                }
            }
        });
        this.#codes = Int32Array.from(codes);
        this.#open = Array.from({ length: positions + 1 }, () => new Int32Array(used.length));
        this.#next = Array.from({ length: positions + 1 }, () => new Int32Array(used.length));
        this.#openCount = new Int32Array(positions + 1);
        this.#openCount[0] = used.length;
        used.forEach((_, symmetry) => (this.#open[0][symmetry] = symmetry));

        function tableOf({ held, becomes }: CellImage): number {
            if (held.every((code, i) => code === becomes[i])) {
                return -1;
            }
            const entries = new Array<number>(Math.max(...held) + 2).fill(-1);
            held.forEach((code, i) => (entries[code + 1] = becomes[i]));
            return remembered(known, entries.join(), () => codes.push(...entries) - entries.length);
        }
    }

    /**
     * Whether some state that begins like this one, the first `count` cells, may be the least of its orbit. It was asked of
     * one cell less before.
     */
    mayBeLeast(state: Readonly<Int32Array>, count: number): boolean {
        const positions = this.#cells.length;
        const before = this.#open[count - 1];
        const nextBefore = this.#next[count - 1];
        const open = this.#open[count];
        const next = this.#next[count];
        let openCount = 0;
        for (let i = 0; i < this.#openCount[count - 1]; i++) {
            const symmetry = before[i];
            let position = nextBefore[i];
            let difference = 0;
            while (position < count) {
                const source = this.#source[symmetry * positions + position];
                if (source >= count) {
                    break;
                }
                const table = this.#table[symmetry * positions + position];
                const code = state[this.#cells[source]];
                difference = (table < 0 ? code : this.#codes[table + code + 1]) - state[this.#cells[position]];
                if (difference !== 0) {
                    break;
                }
                position++;
            }
            if (difference < 0) {
                return false;
            }
            if (difference === 0) {
                open[openCount] = symmetry;
                next[openCount++] = position;
            }
        }
        this.#openCount[count] = openCount;
        return true;
    }
}
