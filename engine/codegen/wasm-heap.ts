/**
 * Stretches of one WebAssembly memory, handed out and taken back. What is taken back is handed out again, cut where it
 * is too long; nothing is joined, for old tables become chunks and new tables are longer than all before.
 */
import { invariant } from '../common/assert.js';
import type { WasmMemory } from './webassembly.js';

const PAGE_BYTES = 1 << 16;
const ALIGNMENT = 64;

interface Stretch {
    address: number;
    length: number;
}

export class WasmHeap {
    readonly memory: WasmMemory;
    readonly #free: Stretch[] = [];
    #words: Uint32Array;

    static pagesFor(bytes: number): number {
        return Math.ceil(bytes / PAGE_BYTES);
    }

    /** What lies before `start` is in use. */
    constructor(memory: WasmMemory, start: number) {
        this.memory = memory;
        this.#words = new Uint32Array(memory.buffer);
        this.#free.push({ address: start, length: this.bytes - start });
    }

    /** Of the whole memory. */
    get bytes(): number {
        return this.#words.length * 4;
    }

    /** The memory; valid until the next call of `allocate`. */
    get words(): Uint32Array {
        return this.#words;
    }

    /** What `allocate` would add to the memory. */
    growthFor(length: number): number {
        return this.#find(length) === undefined ? this.#missingPages(length) * PAGE_BYTES : 0;
    }

    /** The address of so many bytes, all 0; undefined where there is no more memory. */
    allocate(length: number): number | undefined {
        let stretch = this.#find(length);
        if (stretch === undefined) {
            const end = this.bytes;
            const last = this.#lastFree();
            try {
                this.memory.grow(this.#missingPages(length));
            } catch (error) {
                if (error instanceof RangeError) {
                    return undefined;
                }
                throw error;
            }
            this.#words = new Uint32Array(this.memory.buffer);
            if (last === undefined) {
                stretch = { address: end, length: this.bytes - end };
                this.#free.push(stretch);
            } else {
                last.length += this.bytes - end;
                stretch = last;
            }
        }
        invariant(stretch.length >= length, 'a stretch is long enough');
        const { address } = stretch;
        const taken = Math.ceil(length / ALIGNMENT) * ALIGNMENT;
        stretch.address += taken;
        stretch.length -= taken;
        this.#words.fill(0, address / 4, (address + length) / 4);
        return address;
    }

    release(address: number, length: number): void {
        this.#free.unshift({ address, length });
    }

    #find(length: number): Stretch | undefined {
        return this.#free.find(stretch => stretch.length >= length + ALIGNMENT);
    }

    /** The one that ends where the memory ends. */
    #lastFree(): Stretch | undefined {
        return this.#free.find(({ address, length }) => length > 0 && address + length === this.bytes);
    }

    #missingPages(length: number): number {
        const available = this.#lastFree()?.length ?? 0;
        return WasmHeap.pagesFor(length + ALIGNMENT - available);
    }
}
