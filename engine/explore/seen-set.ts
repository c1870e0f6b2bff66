/**
 * The states seen so far, numbered from 0 in the order of insertion, each with its parent, the state that it was found
 * from.
 *
 * Chunks of one arena hold `wordCount` words and a parent for each state; a chunk is never moved. The hash table with
 * linear probing holds numbers of states plus one, 0 in an empty slot.
 */
import { invariant } from '../common/assert.js';
import { UNLIMITED, type WorkLimit } from '../common/work-limit.js';
import type { StoredMemory } from './snapshot.js';

/** The parent of an initial state. */
export const NO_PARENT = 0xffff_ffff;

/** The words of a chunk, about. */
const CHUNK_WORDS = 1 << 16;
const FIRST_TABLE_SIZE = 1 << 10;
/** Slot numbers are non-negative 32-bit integers. The states that fit are fewer than NO_PARENT. */
const MOST_SLOTS = 2 ** 31;
/** The caller can cancel after so many states that move to a new table. */
const MOVED_BETWEEN_QUESTIONS = 1 << 12;
const BYTES_PER_WORD = 4;

export class SeenSet {
    readonly #wordCount: number;
    /** The words of an entry: the state, then its parent. */
    readonly #stride: number;
    /** log2 of the number of entries in a chunk. */
    readonly #chunkShift: number;
    readonly #chunks: Uint32Array[] = [];
    #table = new Uint32Array(FIRST_TABLE_SIZE);
    #count = 0;
    #peakBytes = FIRST_TABLE_SIZE * BYTES_PER_WORD;

    constructor(wordCount: number) {
        this.#wordCount = wordCount;
        this.#stride = wordCount + 1;
        this.#chunkShift = Math.max(4, Math.floor(Math.log2(CHUNK_WORDS / this.#stride)));
    }

    get count(): number {
        return this.#count;
    }

    /** The bytes of one state: its words, its parent, and a slot of the table. */
    get bytesPerState(): number {
        return (this.#stride + 1) * BYTES_PER_WORD;
    }

    get bytes(): number {
        return (this.#chunks.length * this.#chunkLength() + this.#table.length) * BYTES_PER_WORD;
    }

    /** The most bytes allocated at one time, with both tables while one replaces the other. */
    get peakBytes(): number {
        return this.#peakBytes;
    }

    /** The bytes that the next insertion allocates; usually 0. */
    get growthBytes(): number {
        const chunk = this.#needsChunk() ? this.#chunkLength() : 0;
        const table = this.#needsTable() ? this.#table.length * 2 : 0;
        return (chunk + table) * BYTES_PER_WORD;
    }

    /** The number of the state in `words`, or -1 if it has not been seen. */
    find(words: Readonly<Uint32Array>): number {
        return this.#table[this.#slotOf(words)] - 1;
    }

    /** Makes room for one more state; false if that is impossible. `limit` is asked only for its exception. */
    reserve(limit: WorkLimit): boolean {
        if (this.#needsTable() && this.#table.length >= MOST_SLOTS) {
            return false;
        }
        try {
            this.#grow(limit);
            return true;
        } catch (error) {
            if (error instanceof RangeError) {
                return false;
            }
            throw error;
        }
    }

    /** Stores a state that has not been seen and returns its number. */
    insert(words: Readonly<Uint32Array>, parent: number): number {
        invariant(this.reserve(UNLIMITED), 'there is room for a state that is stored');
        const index = this.#count++;
        const chunk = this.#chunks[index >>> this.#chunkShift];
        const offset = this.#offsetOf(index);
        for (let word = 0; word < this.#wordCount; word++) {
            chunk[offset + word] = words[word];
        }
        chunk[offset + this.#wordCount] = parent;
        this.#table[this.#slotOf(words)] = index + 1;
        return index;
    }

    readInto(words: Uint32Array, index: number): void {
        const chunk = this.#chunks[index >>> this.#chunkShift];
        const offset = this.#offsetOf(index);
        for (let word = 0; word < this.#wordCount; word++) {
            words[word] = chunk[offset + word];
        }
    }

    /** The parent of a state, or NO_PARENT. */
    parentOf(index: number): number {
        return this.#chunks[index >>> this.#chunkShift][this.#offsetOf(index) + this.#wordCount];
    }

    /** Views of all arrays. */
    get memories(): readonly Uint8Array[] {
        return [...this.#chunks, this.#table].map(
            ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
        );
    }

    /** Takes over the arrays of a set of so many states of this length; false if there is no memory. */
    restore(memories: readonly StoredMemory[], count: number): boolean {
        try {
            const arrays = memories.map(({ byteLength }) => new Uint32Array(byteLength / BYTES_PER_WORD));
            memories.forEach((memory, index) => {
                memory.readInto(new Uint8Array(arrays[index].buffer));
            });
            this.#chunks.splice(0, Infinity, ...arrays.slice(0, -1));
            this.#table = arrays[arrays.length - 1];
        } catch (error) {
            if (error instanceof RangeError) {
                return false;
            }
            throw error;
        }
        this.#count = count;
        this.#peakBytes = this.bytes;
        return true;
    }

    #chunkLength(): number {
        return this.#stride << this.#chunkShift;
    }

    #offsetOf(index: number): number {
        return (index & ((1 << this.#chunkShift) - 1)) * this.#stride;
    }

    #needsChunk(): boolean {
        return this.#count >>> this.#chunkShift >= this.#chunks.length;
    }

    #needsTable(): boolean {
        return (this.#count + 1) * 3 > this.#table.length * 2;
    }

    #grow(limit: WorkLimit): void {
        if (this.#needsChunk()) {
            this.#chunks.push(new Uint32Array(this.#chunkLength()));
        }
        if (this.#needsTable()) {
            this.#peakBytes = Math.max(this.#peakBytes, this.bytes + this.#table.length * 2 * BYTES_PER_WORD);
            this.#table = new Uint32Array(this.#table.length * 2);
            const words = new Uint32Array(this.#wordCount);
            for (let index = 0; index < this.#count; index++) {
                if (index % MOVED_BETWEEN_QUESTIONS === 0) {
                    limit.isExhausted();
                }
                this.readInto(words, index);
                this.#table[this.#emptySlotOf(words)] = index + 1;
            }
        }
        this.#peakBytes = Math.max(this.#peakBytes, this.bytes);
    }

    /** The slot of the state, or the empty slot for it. */
    #slotOf(words: Readonly<Uint32Array>): number {
        const table = this.#table;
        const chunks = this.#chunks;
        const shift = this.#chunkShift;
        const stride = this.#stride;
        const wordCount = this.#wordCount;
        const withinChunk = (1 << shift) - 1;
        const mask = table.length - 1;
        let slot = hash(words, wordCount) & mask;
        for (let entry = table[slot]; entry !== 0; entry = table[slot]) {
            const index = entry - 1;
            const chunk = chunks[index >>> shift];
            const offset = (index & withinChunk) * stride;
            let word = 0;
            while (word < wordCount && chunk[offset + word] === words[word]) {
                word++;
            }
            if (word === wordCount) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    #emptySlotOf(words: Readonly<Uint32Array>): number {
        const mask = this.#table.length - 1;
        let slot = hash(words, this.#wordCount) & mask;
        while (this.#table[slot] !== 0) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }
}

/** The 32-bit mixing and finalization of MurmurHash3 (Austin Appleby, public domain), on `count` words. */
function hash(words: Readonly<Uint32Array>, count: number): number {
    let state = count;
    for (let word = 0; word < count; word++) {
        let mixed = Math.imul(words[word], 0xcc9e2d51);
        mixed = Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
        state ^= mixed;
        state = (Math.imul((state << 13) | (state >>> 19), 5) + 0xe6546b64) | 0;
    }
    state ^= state >>> 16;
    state = Math.imul(state, 0x85ebca6b);
    state ^= state >>> 13;
    state = Math.imul(state, 0xc2b2ae35);
    return (state ^ (state >>> 16)) >>> 0;
}
