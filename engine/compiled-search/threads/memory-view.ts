/**
 * A WebAssembly memory as one thread sees it, which another one may lengthen, and what is copied to and from tapes in it.
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

    /** Copies from a tape what belongs to `count` numbers from `from` on, `width` words for each. */
    copyFrom(tape: PagedArray, width: number, from: number, target: Uint32Array, at: number, count: number): void {
        this.#inPages(tape, from, count, (address, done, length) => {
            const start = address / 4 + this.#within(tape, from + done) * width;
            target.set(this.#words.subarray(start, start + length * width), at + done * width);
        });
    }

    #within({ shift }: PagedArray, number: number): number {
        return number % (1 << shift);
    }

    /** Calls `work` for each page with its address, how many numbers came before, and how many are in it. */
    #inPages(
        tape: PagedArray,
        from: number,
        count: number,
        work: (address: number, done: number, length: number) => void,
    ): void {
        const inPage = 1 << tape.shift;
        this.#renew();
        for (let done = 0; done < count;) {
            const length = Math.min(count - done, inPage - this.#within(tape, from + done));
            const address = this.#words[tape.directory / 4 + Math.floor((from + done) / inPage)];
            this.#reach(address + tape.pageBytes);
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
