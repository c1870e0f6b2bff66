/**
 * The seen set in one WebAssembly memory: its length, its pages, and its growth.
 *
 * All that is known of it is in the memory, so it can be handed from one thread to another. It grows page by page, and
 * between two pages whoever does it may pause; the table cannot be used before the growth is over.
 */
import { invariant } from '../common/assert.js';
import type { CompiledInstance } from './compiled-instance.js';
import { HEADER, type MemoryMap, type Tape } from './memory-map.js';

/** The table is full when this part of its slots is taken. */
export const FULL = 0.8;
/**
 * It then becomes so much longer, or, near the limit of memory, less. By 1.6, a state is moved 1.7 times on average and finds
 * the table 65 % full; by 1.3 it would be 3.3 times and 71 %, which takes a seventh more time for a tenth less memory.
 */
export const GROWTHS: readonly number[] = [1.6, 1.3, 1.06];
/** While it is small it costs little to have a longer one. */
const SMALL_SLOTS = 1 << 17;
const SMALL_GROWTH = 2;
/**
 * Slots after the last one, for what has no place before. With four of five slots taken a stretch of taken slots is longer
 * than k with probability below exp(-0.023 k), so one of this length does not occur.
 */
const SPARE_SLOTS = 1 << 12;

export class SlotTable {
    readonly #instance: CompiledInstance;
    readonly #tapes: readonly [Tape, Tape];
    /** Slots of a page. */
    readonly #inPage: number;

    constructor(instance: CompiledInstance, { slots }: MemoryMap) {
        this.#instance = instance;
        this.#tapes = slots;
        this.#inPage = 2 ** slots[0].shift;
    }

    /** How many states it takes. */
    get capacity(): number {
        return Math.floor(this.#read(HEADER.slots) * FULL);
    }

    get isGrowing(): boolean {
        return this.#read(HEADER.oldSlots) !== 0;
    }

    /** How many slots it should have to take so many states, if it becomes longer by one of GROWTHS. */
    slotsFor(states: number, growth: number): number {
        const slots = this.#read(HEADER.slots);
        const factor = slots < SMALL_SLOTS ? SMALL_GROWTH : growth;
        return Math.max(this.#inPage, Math.ceil(states / FULL) + 1, Math.ceil(slots * factor));
    }

    /** The bytes that its memory has to grow by before the table has so many slots. */
    growthBytes(slots: number): number {
        return this.#instance.heap.growthBytes(this.#pagesFor(slots));
    }

    /**
     * Begins to grow to so many slots; then `grow` is to be called. False, and all is as it was, where there is no memory, or
     * the memory would have more than `mostBytes`.
     */
    beginGrowth(slots: number, mostBytes: number): boolean {
        if (!this.#instance.heap.reserve(this.#pagesFor(slots), mostBytes)) {
            return false;
        }
        const oldSlots = this.#read(HEADER.slots);
        this.#write(HEADER.oldSlots, oldSlots);
        this.#write(HEADER.movedPages, 0);
        this.#write(HEADER.slots, slots);
        this.#write(HEADER.directory, this.#other(this.#read(HEADER.directory)).directory);
        this.#write(HEADER.slotPages, 0);
        if (oldSlots === 0) {
            this.#extend(this.#pageCount(slots));
        }
        return true;
    }

    /** Moves a page to the longer table; true once that is complete. */
    grow(): boolean {
        const oldSlots = this.#read(HEADER.oldSlots);
        if (oldSlots === 0) {
            return true;
        }
        const slots = this.#read(HEADER.slots);
        const page = this.#read(HEADER.movedPages);
        const old = this.#other(this.#read(HEADER.directory));
        this.#extend(this.#pagesReached(page, oldSlots, slots));
        this.#instance.move(old.directory, page * this.#inPage, (page + 1) * this.#inPage);
        this.#instance.heap.release(this.#read(old.directory + 4 * page));
        this.#write(HEADER.movedPages, page + 1);
        if (page + 1 < this.#pageCount(oldSlots)) {
            return false;
        }
        this.#extend(this.#pageCount(slots));
        this.#write(HEADER.oldSlots, 0);
        return true;
    }

    /** Gives all pages back, one after the other; `visit` is told the address and the number of slots of each before. */
    *dissolve(visit: (address: number, slots: number) => void): Generator<void, void> {
        const directory = this.#read(HEADER.directory);
        const pages = this.#read(HEADER.slotPages);
        for (let page = 0; page < pages; page++) {
            const address = this.#read(directory + 4 * page);
            visit(address, this.#inPage);
            this.#instance.heap.release(address);
            yield;
        }
        this.#write(HEADER.slots, 0);
        this.#write(HEADER.slotPages, 0);
    }

    #pageCount(slots: number): number {
        return slots === 0 ? 0 : Math.ceil((slots + SPARE_SLOTS) / this.#inPage);
    }

    /** The most pages, besides those it has, that are in use at one time while it grows to so many slots. */
    #pagesFor(slots: number): number {
        const oldSlots = this.#read(HEADER.slots);
        const oldPages = this.#pageCount(oldSlots);
        let most = this.#pageCount(slots) - oldPages;
        for (let page = 0; page < oldPages; page++) {
            most = Math.max(most, this.#pagesReached(page, oldSlots, slots) - page);
        }
        return most;
    }

    /** The pages of the longer table that what is in a page goes to: up to here, and a little further where these are taken. */
    #pagesReached(page: number, oldSlots: number, slots: number): number {
        const end = Math.ceil(((page + 1) * this.#inPage * slots) / oldSlots) + SPARE_SLOTS;
        return Math.min(Math.ceil(end / this.#inPage), this.#pageCount(slots));
    }

    #extend(pages: number): void {
        const directory = this.#read(HEADER.directory);
        for (let page = this.#read(HEADER.slotPages); page < pages; page++) {
            const address = this.#instance.heap.allocate(Infinity);
            invariant(address !== undefined, 'the pages of a longer table were reserved');
            this.#write(directory + 4 * page, address);
            this.#write(HEADER.slotPages, page + 1);
        }
    }

    #other(directory: number): Tape {
        return this.#tapes[directory === this.#tapes[0].directory ? 1 : 0];
    }

    #read(address: number): number {
        return this.#instance.heap.words[address / 4];
    }

    #write(address: number, value: number): void {
        this.#instance.heap.words[address / 4] = value;
    }
}
