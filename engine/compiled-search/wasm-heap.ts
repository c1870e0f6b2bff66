/**
 * Allocates pages of one size in a WebAssembly memory, after a fixed part. The list of free pages is in the memory, so
 * each thread with the memory has the heap; only one may use it at a time.
 */
import { invariant } from '../common/assert.js';
import type { StoredMemory } from '../explore/snapshot.js';
import { HEADER } from './memory-map.js';
import { wholeBuffer, type WasmMemory } from '../webassembly/host.js';

/** A page in the sense of WebAssembly. */
const UNIT_BYTES = 1 << 16;
/** The least growth, as a part of the memory and in bytes, since growing takes time. */
const GROWTH = 1 / 16;
const LEAST_GROWTH_BYTES = 1 << 18;
/**
 * The unit of mapping. Linux maps memory that is read before it is written twice, the second time with an interrupt of
 * all processors, so one word of each unit is written first.
 */
const MAPPED_BYTES = 1 << 12;
/** The end of the pages is a 32-bit number. */
const MOST_BYTES = 2 ** 32 - UNIT_BYTES;

export class WasmHeap {
    readonly memory: WasmMemory;
    readonly #start: number;
    readonly #pageBytes: number;
    #words: Uint32Array;

    static unitsFor(bytes: number): number {
        return Math.ceil(bytes / UNIT_BYTES);
    }

    /** Memory before `start` has other uses. The memory may already be a heap with the same numbers. */
    constructor(memory: WasmMemory, start: number, pageBytes: number) {
        this.memory = memory;
        this.#start = start;
        this.#pageBytes = pageBytes;
        this.#words = new Uint32Array(memory.buffer);
        this.#words[HEADER.heapEnd / 4] ||= start;
    }

    /** The bytes of all pages ever allocated; the rest of the memory is untouched. */
    get bytes(): number {
        return this.read(HEADER.heapEnd) - this.#start;
    }

    /** A view of the memory, valid until it grows. */
    get words(): Uint32Array {
        const bytes = this.#words[HEADER.units / 4] * UNIT_BYTES;
        if (this.#words.length * 4 < bytes) {
            this.#words = new Uint32Array(wholeBuffer(this.memory));
            invariant(this.#words.length * 4 >= bytes, 'a thread that lengthens a memory writes its new length');
        }
        return this.#words;
    }

    read(address: number): number {
        return this.words[address / 4];
    }

    write(address: number, value: number): void {
        this.words[address / 4] = value;
    }

    /** A view of all used memory, the fixed part included; valid until the memory grows. */
    get contents(): Uint8Array {
        const { words } = this;
        return new Uint8Array(words.buffer, 0, words[HEADER.heapEnd / 4]);
    }

    /** Takes over the contents of another heap with the same numbers; false if there is no memory. */
    restore(contents: StoredMemory): boolean {
        if (!this.#reach(contents.byteLength)) {
            return false;
        }
        const words = this.words;
        contents.readInto(new Uint8Array(words.buffer, 0, contents.byteLength));
        // The other memory may have been longer than its contents.
        words[HEADER.units / 4] = words.length / (UNIT_BYTES / 4);
        return true;
    }

    /** The untouched bytes that an allocation of so many pages takes. */
    growthBytes(pages: number): number {
        return Math.max(0, pages - this.read(HEADER.freePages)) * this.#pageBytes;
    }

    /** Whether so many pages can be allocated within `mostBytes`; if so, the memory is long enough afterwards. */
    reserve(pages: number, mostBytes: number): boolean {
        const growth = this.growthBytes(pages);
        return growth === 0 || (this.bytes + growth <= mostBytes && this.#reach(this.#start + this.bytes + growth));
    }

    /** The address of a page, all 0; undefined beyond `mostBytes` or without memory. */
    allocate(mostBytes: number): number | undefined {
        if (!this.reserve(1, mostBytes)) {
            return undefined;
        }
        const { words } = this;
        const free = words[HEADER.freePage / 4];
        if (free !== 0) {
            words[HEADER.freePage / 4] = words[free / 4];
            words[HEADER.freePages / 4]--;
            words.fill(0, free / 4, (free + this.#pageBytes) / 4);
            return free;
        }
        const address = words[HEADER.heapEnd / 4];
        const end = address + this.#pageBytes;
        for (let piece = address; piece < end; piece += MAPPED_BYTES) {
            words[piece / 4] = 0;
        }
        words[HEADER.heapEnd / 4] = end;
        return address;
    }

    /** The address of consecutive pages with any contents; undefined without memory. */
    allocateTogether(pages: number): number | undefined {
        const address = this.read(HEADER.heapEnd);
        const end = address + pages * this.#pageBytes;
        if (!this.#reach(end)) {
            return undefined;
        }
        this.write(HEADER.heapEnd, end);
        return address;
    }

    release(address: number): void {
        const { words } = this;
        words[address / 4] = words[HEADER.freePage / 4];
        words[HEADER.freePage / 4] = address;
        words[HEADER.freePages / 4]++;
    }

    /** Whether the memory reaches an address, after growing if necessary. */
    #reach(end: number): boolean {
        const size = this.words.length * 4;
        if (end <= size) {
            return true;
        }
        if (end > MOST_BYTES) {
            return false;
        }
        const wanted = Math.min(MOST_BYTES, Math.max(end, size + Math.max(LEAST_GROWTH_BYTES, size * GROWTH)));
        for (const target of [wanted, end]) {
            try {
                this.memory.grow(WasmHeap.unitsFor(target - size));
                this.#words = new Uint32Array(this.memory.buffer);
                this.#words[HEADER.units / 4] = this.#words.length / (UNIT_BYTES / 4);
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
