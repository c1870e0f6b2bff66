/** Finds rows of integers of one length by their content: the rows are numbered 0, 1, 2, … as they are added. */
import { invariant } from '../engine/common/assert.js';
import { HashChains } from '../engine/common/hash-chains.js';

export class VectorTable {
    readonly width: number;
    #count = 0;
    /** Row by row. */
    #entries: Int32Array;
    readonly #chains = new HashChains();

    constructor(width: number) {
        this.width = width;
        this.#entries = new Int32Array(Math.max(1, width) * 64);
    }

    get count(): number {
        return this.#count;
    }

    get bytes(): number {
        // Three numbers for each row to find it again.
        return this.#entries.byteLength + 12 * this.#count;
    }

    /** The number of the row, which is added if it is new. */
    add(row: Readonly<Int32Array>): number {
        invariant(row.length === this.width, 'all rows are of one length');
        const hash = hashOf(row, this.width);
        const known = this.#find(row, hash);
        if (known >= 0) {
            return known;
        }
        const number = this.#count++;
        if (this.#count * this.width > this.#entries.length) {
            const larger = new Int32Array(2 * this.#entries.length);
            larger.set(this.#entries);
            this.#entries = larger;
        }
        for (let index = 0; index < this.width; index++) {
            this.#entries[number * this.width + index] = row[index];
        }
        this.#chains.add(number, hash);
        return number;
    }

    /** The number of the row, or -1. */
    find(row: Readonly<Int32Array>): number {
        invariant(row.length === this.width, 'all rows are of one length');
        return this.#find(row, hashOf(row, this.width));
    }

    /** An entry of a row. */
    at(number: number, index: number): number {
        return this.#entries[number * this.width + index];
    }

    #find(row: Readonly<Int32Array>, hash: number): number {
        const { width } = this;
        const entries = this.#entries;
        for (let number = this.#chains.first(hash); number >= 0; number = this.#chains.next(number)) {
            const start = number * width;
            let index = 0;
            while (index < width && entries[start + index] === row[index]) {
                index++;
            }
            if (index === width) {
                return number;
            }
        }
        return -1;
    }
}

function hashOf(row: Readonly<Int32Array>, width: number): number {
    let hash = 0x2545f491;
    for (let index = 0; index < width; index++) {
        hash = Math.imul(hash ^ row[index], 0x9e3779b1);
        hash ^= hash >>> 15;
    }
    return hash;
}
