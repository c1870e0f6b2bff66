/**
 * The beginnings of states that can be those of the least state of an orbit: orderly generation. [Read1978]
 *
 * Cells are set in an order in which states are compared; these cells determine all others. A beginning is refused if
 * some symmetry makes it less, for all values of the other cells. The least states are never refused.
 */
import { remembered } from '../../common/list-map.js';
import type { CellImage, StateImage } from '../../representative/representative-plan.js';

/** The most entries for all symmetries and cells together. */
const MOST_ENTRIES = 4_000_000;
/** More symmetries would hardly refuse more states. */
const MOST_SYMMETRIES = 1024;

/** The number of symmetries that are useful for so many cells. */
export function mostSymmetries(cellCount: number): number {
    return Math.min(MOST_SYMMETRIES, Math.floor(MOST_ENTRIES / (cellCount + 1)));
}

export class LeastStates {
    /** By position: the cell that is set there. */
    readonly #cells: Int32Array;
    /** `#source[symmetry * positions + position]`: the position whose content the symmetry moves to the cell. */
    readonly #source: Int32Array;
    /** `#codes[#table[...] + c + 1]` is the image of code c there; the table is -1 if codes stay. */
    readonly #table: Int32Array;
    readonly #codes: Int32Array;
    /** By number of cells set: symmetries whose image may still be equal, and the first position not compared. */
    readonly #open: Int32Array[];
    readonly #next: Int32Array[];
    readonly #openCount: Int32Array;

    /** `cells` are in the order in which they are set; the first `mostSymmetries` symmetries are used. */
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
                    // The content of a cell that is never set is never known.
                    this.#source[symmetry * positions + position] = positionOf.get(cell.source) ?? positions;
                    // Symmetries with the same effect on a cell share the object.
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

    /** Whether a state with these first `count` cells may be the least of its orbit; asked for `count - 1` before. */
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
