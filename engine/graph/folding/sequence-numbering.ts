/**
 * Numbers sequences of integers: equal sequences get equal numbers, from 0 in the order of first appearance. A hash
 * table keeps every sequence and compares it in full. Looking up a sequence takes time linear in its length.
 */
import { Scratch } from '../scratch.js';

export class SequenceNumbering {
    /** The sequences one after the other; sequence i ends at `#ends[i]`. */
    #entries: Int32Array;
    #ends: Int32Array;
    #hashes: Int32Array;
    /** Open addressing: `#table[slot]` is 1 + the number of a sequence, 0 if free. The length is a power of two. */
    #table: Int32Array;
    /** How many different sequences there are. */
    count = 0;

    /** The range of the sequence being written. */
    #start = 0;
    #end = 0;
    #hash = 0;

    readonly #scratch: Scratch;

    constructor(scratch = new Scratch()) {
        this.#scratch = scratch;
        this.#entries = scratch.integers(64);
        this.#ends = scratch.integers(16);
        this.#hashes = scratch.integers(16);
        this.#table = scratch.integers(32);
    }

    push(entry: number): void {
        if (this.#end === this.#entries.length) {
            this.#entries = this.#doubled(this.#entries);
        }
        this.#entries[this.#end++] = entry;
        const mixed = Math.imul(this.#hash ^ entry, 0x85ebca6b);
        this.#hash = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35) + 1;
    }

    /** Ends the sequence and returns its number. */
    finish(): number {
        const hash = this.#hash | 0;
        this.#hash = 0;
        const mask = this.#table.length - 1;
        let slot = (hash ^ (hash >>> 13)) & mask;
        for (; this.#table[slot] !== 0; slot = (slot + 1) & mask) {
            const number = this.#table[slot] - 1;
            if (this.#hashes[number] === hash && this.#isWritten(number)) {
                this.#end = this.#start;
                return number;
            }
        }
        const number = this.count++;
        this.#table[slot] = number + 1;
        if (number === this.#ends.length) {
            this.#ends = this.#doubled(this.#ends);
            this.#hashes = this.#doubled(this.#hashes);
        }
        this.#hashes[number] = hash;
        this.#ends[number] = this.#end;
        this.#start = this.#end;
        if (2 * this.count > mask) {
            this.#enlargeTable();
        }
        return number;
    }

    /** Whether the sequence being written is the one with this number. */
    #isWritten(number: number): boolean {
        const start = number === 0 ? 0 : this.#ends[number - 1];
        const length = this.#ends[number] - start;
        if (length !== this.#end - this.#start) {
            return false;
        }
        for (let i = 0; i < length; i++) {
            if (this.#entries[start + i] !== this.#entries[this.#start + i]) {
                return false;
            }
        }
        return true;
    }

    #enlargeTable(): void {
        const table = this.#scratch.integers(2 * this.#table.length);
        const mask = table.length - 1;
        for (let number = 0; number < this.count; number++) {
            let slot = (this.#hashes[number] ^ (this.#hashes[number] >>> 13)) & mask;
            while (table[slot] !== 0) {
                slot = (slot + 1) & mask;
            }
            table[slot] = number + 1;
        }
        this.#table = table;
    }

    #doubled(array: Int32Array): Int32Array {
        const larger = this.#scratch.integers(2 * array.length);
        larger.set(array);
        return larger;
    }
}
