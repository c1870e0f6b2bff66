/**
 * The pages of one WebAssembly memory: equally long, handed out and taken back. A fixed part of the memory comes before.
 */
import type { WasmMemory } from './webassembly.js';

/** What WebAssembly calls a page. */
const UNIT_BYTES = 1 << 16;
/** The memory grows by at least this part of itself, and at least so many bytes, for growing takes time. */
const GROWTH = 1 / 16;
const LEAST_GROWTH_BYTES = 1 << 18;

export class WasmHeap {
    readonly memory: WasmMemory;
    readonly #pageBytes: number;
    /** Addresses, the one to hand out next last. */
    readonly #free: number[] = [];
    readonly #start: number;
    /** Where no page has ever been. */
    #end: number;
    #words: Uint32Array;

    static unitsFor(bytes: number): number {
        return Math.ceil(bytes / UNIT_BYTES);
    }

    /** What lies before `start` is in use. */
    constructor(memory: WasmMemory, start: number, pageBytes: number) {
        this.memory = memory;
        this.#pageBytes = pageBytes;
        this.#start = start;
        this.#end = start;
        this.#words = new Uint32Array(memory.buffer);
    }

    /** Of all pages that were ever handed out: the rest of the memory has never been touched. */
    get bytes(): number {
        return this.#end - this.#start;
    }

    /** The memory; valid until the next call of `allocate`. */
    get words(): Uint32Array {
        return this.#words;
    }

    /** The address of a page, all 0; undefined where that takes more than `mostBytes`, or there is no more memory. */
    allocate(mostBytes: number): number | undefined {
        const known = this.#free.pop();
        if (known !== undefined) {
            this.#words.fill(0, known / 4, (known + this.#pageBytes) / 4);
            return known;
        }
        const address = this.#end;
        if (this.bytes + this.#pageBytes > mostBytes || !this.#reach(address + this.#pageBytes)) {
            return undefined;
        }
        this.#end += this.#pageBytes;
        return address;
    }

    release(address: number): void {
        this.#free.push(address);
    }

    /** Whether the memory ends at or beyond an address. */
    #reach(end: number): boolean {
        const size = this.#words.length * 4;
        if (end <= size) {
            return true;
        }
        const wanted = Math.max(end, size + Math.max(LEAST_GROWTH_BYTES, size * GROWTH));
        for (const target of [wanted, end]) {
            try {
                this.memory.grow(WasmHeap.unitsFor(target - size));
                this.#words = new Uint32Array(this.memory.buffer);
                return true;
            } catch (error) {
                if (!(error instanceof RangeError)) {
                    throw error;
                }
            }
        }
        return false;
    }
}
