/**
 * The seen set in one WebAssembly memory: its length, its pages, and its growth, page by page with pauses.
 *
 * Several threads each move a part of the pages. A state may be some slots behind its place, so states at the ends of a
 * part may belong to another part. The first pages of each part are therefore moved last.
 */
import { invariant } from '../common/assert.js';
import type { CompiledInstance } from './compiled-instance.js';
import { HEADER, type MemoryMap, type PagedArray } from './memory-map.js';
import type { WasmHeap } from './wasm-heap.js';

/** The part of taken slots in a full table. */
export const FULL = 0.8;
/**
 * The factors of growth, smaller near the limit of memory. With 1.6 a state is moved 1.7 times on average and the table
 * is 65 % full; with 1.3 it is 3.3 times and 71 %, a seventh more time for a tenth less memory.
 */
export const GROWTHS: readonly number[] = [1.6, 1.3, 1.06];
/** A small table may grow by more at little cost. */
const SMALL_SLOTS = 1 << 17;
const SMALL_GROWTH = 2;
/**
 * Slots at the end for states without a free slot before. In a full table a run of taken slots is longer than k with
 * probability below exp(-0.023 k), so a run of this length does not occur.
 */
const SPARE_SLOTS = 1 << 12;

export class SlotTable {
    readonly #heap: WasmHeap;
    readonly #move: CompiledInstance['move'];
    readonly #queue: readonly [PagedArray, PagedArray];
    readonly #inPage: number;
    #growth: Iterator<void, void> | undefined;

    constructor({ heap, move }: CompiledInstance, { slots }: MemoryMap) {
        this.#heap = heap;
        this.#move = move;
        this.#queue = slots;
        this.#inPage = 2 ** slots[0].shift;
    }

    get capacity(): number {
        return Math.floor(this.#heap.read(HEADER.slots) * FULL);
    }

    get isGrowing(): boolean {
        return this.#heap.read(HEADER.oldSlots) !== 0;
    }

    /** The slots for so many states after a growth by one of GROWTHS. */
    slotsFor(states: number, growth: number): number {
        const slots = this.#heap.read(HEADER.slots);
        const factor = slots < SMALL_SLOTS ? SMALL_GROWTH : growth;
        return Math.max(this.#inPage, Math.ceil(states / FULL) + 1, Math.ceil(slots * factor));
    }

    /** The bytes by which the memory must grow for so many slots, moved in so many parts. */
    growthBytes(slots: number, parts: number): number {
        return this.#heap.growthBytes(this.#pagesFor(slots, parts));
    }

    /** Whether the memory can become long enough; then `beginGrowth` succeeds. */
    canGrow(slots: number, parts: number): boolean {
        return this.#heap.reserve(this.#pagesFor(slots, parts), Infinity);
    }

    /** Begins to grow to so many slots; false, without a change, if there is no memory within `mostBytes`. */
    beginGrowth(slots: number, mostBytes: number, parts: number): boolean {
        if (!this.#heap.reserve(this.#pagesFor(slots, parts), mostBytes)) {
            return false;
        }
        const directory = this.#other(this.#heap.read(HEADER.directory)).directory;
        const { words } = this.#heap;
        words.fill(0, directory / 4, directory / 4 + this.#pageCount(slots));
        this.#heap.write(HEADER.oldSlots, this.#heap.read(HEADER.slots));
        this.#heap.write(HEADER.slots, slots);
        this.#heap.write(HEADER.directory, directory);
        if (this.#heap.read(HEADER.oldSlots) === 0) {
            this.#provide(0, this.#pageCount(slots));
        }
        return true;
    }

    /** Moves a page to the longer table; true after the last one. */
    grow(): boolean {
        if (!this.isGrowing) {
            return true;
        }
        this.#growth ??= this.movePart(0, 1);
        if (this.#growth.next().done !== true) {
            return false;
        }
        this.#growth = undefined;
        this.finishGrowth(1);
        return true;
    }

    /** Moves a part except its first pages: with each step a page, or none while another thread holds the lock. */
    *movePart(part: number, parts: number): Generator<void, void> {
        const { from, begin, end } = this.#part(part, parts);
        for (let page = from + begin; page < end; page++) {
            yield* this.#movePage(page);
            yield;
        }
    }

    /** Completes the longer table after all parts are moved. */
    finishGrowth(parts: number): void {
        for (let part = 0; part < parts; part++) {
            const { from, begin, end } = this.#part(part, parts);
            for (let page = from; page < Math.min(from + begin, end); page++) {
                // No other thread works, so this is one step.
                const { done } = this.#movePage(page).next();
                invariant(done === true, 'a table is completed by one thread');
            }
        }
        this.#provide(0, this.#pageCount(this.#heap.read(HEADER.slots)));
        this.#heap.write(HEADER.oldSlots, 0);
    }

    /** Frees the pages one by one, after `visit` with the address and the number of slots of each. */
    *dissolve(visit: (address: number, slots: number) => void): Generator<void, void> {
        const directory = this.#heap.read(HEADER.directory);
        const pages = this.#pageCount(this.#heap.read(HEADER.slots));
        for (let page = 0; page < pages; page++) {
            const address = this.#heap.read(directory + 4 * page);
            visit(address, this.#inPage);
            this.#heap.release(address);
            yield;
        }
        this.#heap.write(HEADER.slots, 0);
    }

    #pageCount(slots: number): number {
        return slots === 0 ? 0 : Math.ceil((slots + SPARE_SLOTS) / this.#inPage);
    }

    /** The most additional pages at one time during a growth to so many slots. */
    #pagesFor(slots: number, parts: number): number {
        const oldSlots = this.#heap.read(HEADER.slots);
        const oldPages = this.#pageCount(oldSlots);
        let most = this.#pageCount(slots) - oldPages;
        for (let page = 0; page < oldPages; page++) {
            most = Math.max(most, this.#pagesReached(page, oldSlots, slots) - page);
        }
        // Each further part moves its first pages last and reaches beyond its places.
        return most + (parts - 1) * 2 * (this.#sparePages + 1);
    }

    /** The end of the pages of the longer table that get states of a page. */
    #pagesReached(page: number, oldSlots: number, slots: number): number {
        const end = Math.ceil(((page + 1) * this.#inPage * slots) / oldSlots) + SPARE_SLOTS;
        return Math.min(Math.ceil(end / this.#inPage), this.#pageCount(slots));
    }

    /** The pages of a part, and how many of the first are moved last. */
    #part(part: number, parts: number): { from: number; begin: number; end: number } {
        const pages = this.#pageCount(this.#heap.read(HEADER.oldSlots));
        const from = Math.floor((pages * part) / parts);
        return { from, begin: part === 0 ? 0 : this.#sparePages, end: Math.floor((pages * (part + 1)) / parts) };
    }

    /** The pages that keep states of two parts from competing for a place. */
    get #sparePages(): number {
        return Math.ceil((2 * SPARE_SLOTS) / this.#inPage);
    }

    *#movePage(page: number): Generator<void, void> {
        const oldSlots = this.#heap.read(HEADER.oldSlots);
        const slots = this.#heap.read(HEADER.slots);
        const old = this.#other(this.#heap.read(HEADER.directory)).directory;
        const firstPlace = Math.max(0, page * this.#inPage - SPARE_SLOTS);
        yield* this.#alone(() => {
            const from = Math.floor((firstPlace * slots) / oldSlots / this.#inPage);
            this.#provide(from, this.#pagesReached(page, oldSlots, slots));
        });
        this.#move(old, page * this.#inPage, (page + 1) * this.#inPage);
        yield* this.#alone(() => {
            this.#heap.release(this.#heap.read(old + 4 * page));
        });
    }

    #provide(from: number, end: number): void {
        const directory = this.#heap.read(HEADER.directory);
        for (let page = from; page < end; page++) {
            if (this.#heap.read(directory + 4 * page) === 0) {
                const address = this.#heap.allocate(Infinity);
                invariant(address !== undefined, 'the pages of a longer table were reserved');
                this.#heap.write(directory + 4 * page, address);
            }
        }
    }

    /** Runs `work` under the lock of the heap; each step is one attempt to get it, since its owner may have died. */
    *#alone(work: () => void): Generator<void, void> {
        const heap = this.#heap;
        while (Atomics.compareExchange(heap.words, HEADER.lock / 4, 0, 1) !== 0) {
            yield;
        }
        try {
            work();
        } finally {
            Atomics.store(heap.words, HEADER.lock / 4, 0);
        }
    }

    #other(directory: number): PagedArray {
        return this.#queue[directory === this.#queue[0].directory ? 1 : 0];
    }
}
