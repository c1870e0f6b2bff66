/**
 * Where each cell sits in a stored state: as many bits as it has codes, in 32-bit words, none across two words.
 *
 * In memory that is worked on, a state is an Int32Array with one code for each cell (NO_VALUE for none); stored it is
 * `wordCount` words. A cell that may hold no value stores its code plus one.
 */
import { domainSize } from '../model/domain.js';
import type { Cell } from '../sequential/sequential-model.js';

const WORD_BITS = 32;

export class StateLayout {
    readonly cellCount: number;
    /** At least 1, so that every state has a place. */
    readonly wordCount: number;
    /** `#word[cell]` is the word, `#shift[cell]` the lowest bit, `#mask[cell]` the bits once shifted down. */
    readonly #word: Int32Array;
    readonly #shift: Int32Array;
    readonly #mask: Uint32Array;
    /** 1 where the cell may hold no value, else 0. */
    readonly #bias: Int32Array;

    constructor(cells: readonly Pick<Cell, 'domain' | 'mayBeAbsent'>[]) {
        const count = cells.length;
        this.cellCount = count;
        this.#word = new Int32Array(count);
        this.#shift = new Int32Array(count);
        this.#mask = new Uint32Array(count);
        this.#bias = new Int32Array(count);
        let word = 0;
        let used = 0;
        cells.forEach((cell, index) => {
            const bias = cell.mayBeAbsent ? 1 : 0;
            const bits = Math.ceil(Math.log2(Math.max(1, domainSize(cell.domain) + bias)));
            if (used + bits > WORD_BITS) {
                word++;
                used = 0;
            }
            this.#word[index] = word;
            this.#shift[index] = used % WORD_BITS;
            this.#mask[index] = 2 ** bits - 1;
            this.#bias[index] = bias;
            used += bits;
        });
        this.wordCount = word + 1;
    }

    /** Writes `wordCount` words from `words[offset]` on. */
    pack(state: Readonly<Int32Array>, words: Uint32Array, offset: number): void {
        const wordOf = this.#word;
        const shiftOf = this.#shift;
        const biasOf = this.#bias;
        const cellCount = this.cellCount;
        // Cells are in the order of their words, so each word is gathered and written once.
        let word = 0;
        let gathered = 0;
        for (let cell = 0; cell < cellCount; cell++) {
            if (wordOf[cell] !== word) {
                words[offset + word++] = gathered;
                gathered = 0;
            }
            gathered |= (state[cell] + biasOf[cell]) << shiftOf[cell];
        }
        words[offset + word] = gathered;
    }

    /** Reads back what `pack` wrote. */
    unpack(words: Readonly<Uint32Array>, offset: number, state: Int32Array): void {
        const wordOf = this.#word;
        const shiftOf = this.#shift;
        const maskOf = this.#mask;
        const biasOf = this.#bias;
        for (let cell = 0; cell < this.cellCount; cell++) {
            state[cell] = ((words[offset + wordOf[cell]] >>> shiftOf[cell]) & maskOf[cell]) - biasOf[cell];
        }
    }
}
