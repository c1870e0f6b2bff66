/**
 * The layout of stored states: each cell has bits for its codes, from the highest bit down, in words of 64 bits, none
 * across two words. So comparing words compares cells.
 *
 * A working state is an Int32Array with the code of each cell, or NO_VALUE. A stored one is `wordCount` words of 32
 * bits, the upper half of each long word first, without an unused last half. A cell is stored as its code minus its
 * least code. A temporary has no bits, since it has no value between steps.
 */
import { invariant } from '../common/assert.js';
import { bitsOfCell, codeRangeOf } from '../sequential/expression/code-range.js';
import type { Cell } from '../sequential/sequential-model.js';

const WORD_BITS = 32;
/** The bits of a long word; the last bit of a stored state is in no cell. */
export const LONG_BITS = 64;

export interface Placement {
    /** The long word. */
    readonly word: number;
    /** Its lowest bit there. */
    readonly shift: number;
    /** 0 if the cell has only one content. */
    readonly bits: number;
    /** Added to a code: 1 if the cell may have no value, else 0 or less. */
    readonly bias: number;
    /** Whether its domain has codes that the cell never has. */
    readonly isNarrowed: boolean;
}

export class StateLayout {
    /** Words of 32 bits. At least 1, so that every state has a place. */
    readonly wordCount: number;
    /** Words of 64 bits; the lowest bit of the last one is in no cell. */
    readonly longCount: number;
    /** From the highest bit of the first word to the lowest one that is in a cell; those between two cells count. */
    readonly bitCount: number;
    /** By cell. */
    readonly placements: readonly Placement[];
    /** The cells with bits, in the order of their words. */
    readonly #stored: Int32Array;
    /** By cell: the word with its lowest bit, that bit, and its bits shifted down. */
    readonly #word: Int32Array;
    readonly #shift: Int32Array;
    readonly #mask: Uint32Array;
    /** By cell: the shift of the bits in a second word; 0 if there are none. */
    readonly #secondShift: Int32Array;
    readonly #bias: Int32Array;
    readonly #swapped: Uint32Array;

    constructor(cells: readonly Pick<Cell, 'domain' | 'mayBeAbsent' | 'kind' | 'codes'>[]) {
        let used = 0;
        this.placements = cells.map(cell => {
            if (cell.kind === 'temporary') {
                return { word: 0, shift: LONG_BITS - 1, bits: 0, bias: 1, isNarrowed: false };
            }
            const bias = 0 - codeRangeOf(cell).least;
            const isNarrowed = cell.codes !== undefined;
            const bits = bitsOfCell(cell);
            invariant(bits <= WORD_BITS, 'the codes of a domain are integers of 32 bits');
            if ((used % LONG_BITS) + bits > LONG_BITS) {
                used += LONG_BITS - (used % LONG_BITS);
            }
            const shift = LONG_BITS - (used % LONG_BITS) - bits;
            const placement = { word: Math.floor(used / LONG_BITS), shift, bits, bias, isNarrowed };
            used += bits;
            return bits === 0 ? { ...placement, word: 0, shift: LONG_BITS - 1 } : placement;
        });
        this.bitCount = used;
        this.wordCount = Math.max(1, Math.ceil(used / WORD_BITS));
        this.longCount = Math.ceil((used + 1) / LONG_BITS);
        this.#swapped = new Uint32Array(2 * this.longCount);
        this.#stored = Int32Array.from(this.placements.keys()).filter(cell => this.placements[cell].bits > 0);
        this.#word = Int32Array.from(this.placements, ({ word, shift }) => word * 2 + (shift >= WORD_BITS ? 0 : 1));
        this.#shift = Int32Array.from(this.placements, ({ shift }) => shift % WORD_BITS);
        this.#mask = Uint32Array.from(this.placements, ({ bits }) => 2 ** bits - 1);
        this.#secondShift = Int32Array.from(this.placements, ({ shift, bits }) =>
            (shift % WORD_BITS) + bits > WORD_BITS ? WORD_BITS - (shift % WORD_BITS) : 0,
        );
        this.#bias = Int32Array.from(this.placements, ({ bias }) => bias);
    }

    /** Writes `wordCount` words from `words[offset]` on. */
    pack(state: Readonly<Int32Array>, words: Uint32Array, offset: number): void {
        this.#pack(state, words, offset, this.wordCount, 0);
    }

    /** As `pack`, in `longCount` long words of the machine, the lower halves first. */
    packLong(state: Readonly<Int32Array>, words: Uint32Array, offset: number): void {
        this.#pack(state, words, offset, 2 * this.longCount, 1);
    }

    /** With `swap` = 1 the halves of long words change places. */
    #pack(state: Readonly<Int32Array>, words: Uint32Array, offset: number, wordCount: number, swap: 0 | 1): void {
        const stored = this.#stored;
        const wordOf = this.#word;
        const shiftOf = this.#shift;
        const maskOf = this.#mask;
        const secondShiftOf = this.#secondShift;
        const biasOf = this.#bias;
        for (let word = 0; word < wordCount; word++) {
            words[offset + word] = 0;
        }
        let word = 0;
        let bits = 0;
        for (let i = 0; i < stored.length; i++) {
            const cell = stored[i];
            const held = (state[cell] + biasOf[cell]) & maskOf[cell];
            if (wordOf[cell] !== word) {
                words[offset + (word ^ swap)] |= bits;
                word = wordOf[cell];
                bits = 0;
            }
            bits |= held << shiftOf[cell];
            if (secondShiftOf[cell] > 0) {
                words[offset + ((word - 1) ^ swap)] |= held >>> secondShiftOf[cell];
            }
        }
        words[offset + (word ^ swap)] |= bits;
    }

    /** Reads back what `packLong` wrote. */
    unpackLong(words: Readonly<Uint32Array>, offset: number, state: Int32Array): void {
        const swapped = this.#swapped;
        for (let word = 0; word < swapped.length; word += 2) {
            swapped[word] = words[offset + word + 1];
            swapped[word + 1] = words[offset + word];
        }
        this.unpack(swapped, 0, state);
    }

    /** Reads back what `pack` wrote. */
    unpack(words: Readonly<Uint32Array>, offset: number, state: Int32Array): void {
        const wordOf = this.#word;
        const shiftOf = this.#shift;
        const maskOf = this.#mask;
        const secondShiftOf = this.#secondShift;
        const biasOf = this.#bias;
        for (let cell = 0; cell < wordOf.length; cell++) {
            let stored = words[offset + wordOf[cell]] >>> shiftOf[cell];
            if (secondShiftOf[cell] > 0) {
                stored |= words[offset + wordOf[cell] - 1] << secondShiftOf[cell];
            }
            state[cell] = (stored & maskOf[cell]) - biasOf[cell];
        }
    }
}
