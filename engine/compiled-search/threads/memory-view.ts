/**
 * A WebAssembly memory as one thread sees it, which another one may lengthen, and copies of its paged arrays.
 */
import { invariant } from '../../common/assert.js';
import type { PagedArray } from '../memory-map.js';
import { wholeBuffer, type WasmMemory } from '../../webassembly/host.js';

export class MemoryView {
    readonly #memory: WasmMemory;
    #words: Uint32Array;
    #bytes: Uint8Array;

    constructor(memory: WasmMemory) {
        this.#memory = memory;
        this.#words = new Uint32Array(memory.buffer);
        this.#bytes = new Uint8Array(memory.buffer);
    }

    get words(): Uint32Array {
        this.#renew();
        return this.#words;
    }

    /** Copies `count` elements of an array from number `from` on, `width` words each. */
    copyFrom(array: PagedArray, width: number, from: number, target: Uint32Array, at: number, count: number): void {
        this.#inPages(array, from, count, (address, done, length) => {
            const start = address / 4 + this.#within(array, from + done) * width;
            target.set(this.#words.subarray(start, start + length * width), at + done * width);
        });
    }

    #within({ shift }: PagedArray, number: number): number {
        return number % (1 << shift);
    }

    /** Calls `work` for each page with its address, how many numbers came before, and how many are in it. */
    #inPages(
        array: PagedArray,
        from: number,
        count: number,
        work: (address: number, done: number, length: number) => void,
    ): void {
        const inPage = 1 << array.shift;
        this.#renew();
        for (let done = 0; done < count;) {
            const length = Math.min(count - done, inPage - this.#within(array, from + done));
            const address = this.#words[array.directory / 4 + Math.floor((from + done) / inPage)];
            this.#reach(address + array.pageBytes);
            work(address, done, length);
            done += length;
        }
    }

    #reach(end: number): void {
        if (this.#bytes.length < end) {
            this.#renew(wholeBuffer(this.#memory));
            invariant(this.#bytes.length >= end, 'a page is in the memory');
        }
    }

    #renew(buffer = this.#memory.buffer): void {
        if (buffer.byteLength !== this.#bytes.length) {
            this.#words = new Uint32Array(buffer);
            this.#bytes = new Uint8Array(buffer);
        }
    }
}
