/**
 * Memory for the arrays of one search, which the next search uses again: for a small graph, allocating forty arrays
 * takes longer than the search.
 *
 * Arrays that do not fit are allocated separately; the next search then gets a memory for all of them, up to a limit.
 * No array from here may be used after the search.
 */

/** The first memory, in integers: 1 MB. */
const LEAST_KEPT = 2 ** 18;
/** The largest memory: 32 MB, enough for graphs of some hundred thousand vertices. */
const MOST_KEPT = 2 ** 23;

const NO_MEMORY = new Int32Array(0);

export class Scratch {
    readonly #memory: Int32Array;
    #used = 0;
    /** How many integers did not fit. */
    #missing = 0;

    constructor(memory: Int32Array = NO_MEMORY) {
        this.#memory = memory;
    }

    /** An array of zeros. */
    integers(length: number): Int32Array {
        const start = this.#used;
        const end = start + length;
        if (end > this.#memory.length) {
            this.#missing += length;
            return new Int32Array(length);
        }
        this.#used = end;
        const { buffer, byteOffset } = this.#memory;
        return new Int32Array(buffer, byteOffset + start * Int32Array.BYTES_PER_ELEMENT, length).fill(0);
    }

    /** An array of zeros. */
    bytes(length: number): Uint8Array {
        const { buffer, byteOffset } = this.integers((length + 3) >>> 2);
        return new Uint8Array(buffer, byteOffset, length);
    }

    /** How many integers have been taken from the memory. */
    get used(): number {
        return this.#used;
    }

    /** Frees all arrays taken since `used` had this value. */
    releaseTo(used: number): void {
        this.#used = used;
    }

    /** For the next search: this memory, or a larger one if arrays did not fit. */
    forNextSearch(): Scratch {
        const length = this.#used + this.#missing;
        this.#used = 0;
        const isLarger = this.#missing > 0 && length <= MOST_KEPT;
        this.#missing = 0;
        return isLarger ? new Scratch(new Int32Array(length)) : this;
    }
}

/** The memory, while no search uses it. */
let spare: Scratch | undefined;

/** Returns the result of `use`, which must not contain an array from the scratch memory. */
export function withScratch<Result>(use: (scratch: Scratch) => Result): Result {
    const scratch = spare ?? new Scratch(new Int32Array(LEAST_KEPT));
    // A nested search gets other memory.
    spare = undefined;
    try {
        return use(scratch);
    } finally {
        spare = scratch.forNextSearch();
    }
}

/** A copy of `array` with twice its length, and at least `length` entries. */
export function enlarged(array: Int32Array, length = 0): Int32Array<ArrayBuffer> {
    const larger = new Int32Array(Math.max(length, 2 * array.length));
    larger.set(array);
    return larger;
}
