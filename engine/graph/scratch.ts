/**
 * Memory for the arrays of one search, which the next search uses again.
 *
 * A graph of some hundred vertices is searched in less time than the system takes to provide and clear the fifty arrays that
 * this needs, and memory that was used a moment ago is still in the processor's cache. Large arrays, and what does not fit, get
 * memory of their own: there, all this costs little beside the search.
 *
 * Whoever takes an array from here must be done with it when the search ends.
 */

/** Integers in the memory that is kept: 1 MB. */
const CAPACITY = 2 ** 18;

const NO_MEMORY = new Int32Array(0);

export class Scratch {
    readonly #memory: Int32Array;
    #used = 0;

    /** Cuts arrays from `memory`, as long as there is some left. */
    constructor(memory: Int32Array = NO_MEMORY) {
        this.#memory = memory;
    }

    /** An array of zeros. */
    integers(length: number): Int32Array {
        const start = this.#used;
        const end = start + length;
        if (end > this.#memory.length) {
            return new Int32Array(length);
        }
        this.#used = end;
        const { buffer, byteOffset } = this.#memory;
        return new Int32Array(buffer, byteOffset + start * Int32Array.BYTES_PER_ELEMENT, length).fill(0);
    }

    /** An array of zeros, each a byte. */
    bytes(length: number): Uint8Array {
        const { buffer, byteOffset } = this.integers((length + 3) >>> 2);
        return new Uint8Array(buffer, byteOffset, length);
    }

    /** How much has been taken. */
    get used(): number {
        return this.#used;
    }

    /** Says that no array taken since `used` was that much is in use any more. */
    releaseTo(used: number): void {
        this.#used = used;
    }
}

/** What no search uses at present. */
let spare: Scratch | undefined;

/** What `use` returns, which holds no array from the scratch memory that it is given. */
export function withScratch<Result>(use: (scratch: Scratch) => Result): Result {
    const scratch = spare ?? new Scratch(new Int32Array(CAPACITY));
    // A search that begins while this one runs gets other memory.
    spare = undefined;
    try {
        return use(scratch);
    } finally {
        scratch.releaseTo(0);
        spare = scratch;
    }
}
