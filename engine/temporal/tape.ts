/** Numbers in the order in which they come, in one typed array that grows. */

type NumberArray = Uint8Array | Uint16Array | Uint32Array;

/** Doubles when it is full: appending takes constant time on average. */
export class Tape<Numbers extends NumberArray = Uint32Array> {
    #numbers: Numbers;
    #length = 0;
    readonly #make: (length: number) => Numbers;

    constructor(make: (length: number) => Numbers) {
        this.#make = make;
        this.#numbers = make(1 << 10);
    }

    get length(): number {
        return this.#length;
    }

    get bytes(): number {
        return this.#numbers.byteLength;
    }

    /** What has been appended, until the next `append`. Longer than `length`. */
    get numbers(): Numbers {
        return this.#numbers;
    }

    append(number: number): void {
        if (this.#length === this.#numbers.length) {
            const grown = this.#make(2 * this.#length);
            grown.set(this.#numbers);
            this.#numbers = grown;
        }
        this.#numbers[this.#length++] = number;
    }

    /** Takes back what was appended last. */
    truncate(length: number): void {
        this.#length = Math.min(this.#length, length);
    }
}
