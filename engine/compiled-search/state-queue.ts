/**
 * The queue of states to expand, and for each state its summand and a bit for its parent, in paged arrays of the main
 * memory.
 *
 * Pages are added before they are needed; those of expanded states are freed, but for initial states.
 */
import type { MemoryMap, PagedArray } from './memory-map.js';
import type { WasmHeap } from './wasm-heap.js';

/** The position of a parent bit, up to twice the number of a state, has 32 bits. */
const MOST_STATES = 2 ** 31 - 2 ** 20;

export class StateQueue {
    readonly #heap: WasmHeap;
    readonly #map: MemoryMap;
    /** The pages of each array, and the freed pages at the start of the states. */
    #statePages = 0;
    #freedPages = 0;
    #summandPages = 0;
    #parentPages = 0;
    /** The number of initial states, which are never freed. */
    initialStates = 0;

    constructor(heap: WasmHeap, map: MemoryMap) {
        this.#heap = heap;
        this.#map = map;
    }

    get parentPages(): number {
        return this.#parentPages;
    }

    /** The part of the queue that is not in the memory. */
    get counts(): Readonly<Record<string, number>> {
        return {
            statePages: this.#statePages,
            givenUpPages: this.#freedPages,
            summandPages: this.#summandPages,
            parentPages: this.#parentPages,
            initialStates: this.initialStates,
        };
    }

    /** Takes over the result of `counts`. */
    restore(counts: Readonly<Record<string, number>>): void {
        this.#statePages = counts['statePages'];
        this.#freedPages = counts['givenUpPages'];
        this.#summandPages = counts['summandPages'];
        this.#parentPages = counts['parentPages'];
        this.initialStates = counts['initialStates'];
    }

    /** The address of a state; undefined after it was freed. */
    addressOfState(index: number): number | undefined {
        const { states, longCount } = this.#map;
        const page = index >>> states.shift;
        const isKept = page >= this.#freedPages || page < this.#initialPages();
        return isKept ? this.pageOf(states, index) + (index & ((1 << states.shift) - 1)) * 8 * longCount : undefined;
    }

    pageOf({ directory, shift }: PagedArray, number: number): number {
        return this.#heap.read(directory + 4 * (number >>> shift));
    }

    /** Adds pages for so many states, as far as memory allows; returns the number of states with room. */
    extend(needed: number, mostBytes: number): number {
        const { states, summands, parents } = this.#map;
        this.#statePages = this.#extend(states, this.#statePages, needed, mostBytes);
        this.#summandPages = this.#extend(summands, this.#summandPages, needed, mostBytes);
        this.#parentPages = this.#extend(parents, this.#parentPages, 2 * needed, mostBytes);
        return Math.min(
            this.#statePages * 2 ** states.shift,
            this.#summandPages * 2 ** summands.shift,
            (this.#parentPages * 2 ** parents.shift) / 2,
            MOST_STATES,
        );
    }

    /** Frees the pages of the states before `next`, which are expanded. */
    freeStates(next: number): void {
        const { states } = this.#map;
        const end = Math.floor(next / 2 ** states.shift);
        for (let page = Math.max(this.#freedPages, this.#initialPages()); page < end; page++) {
            this.#heap.release(this.#heap.read(states.directory + 4 * page));
        }
        this.#freedPages = Math.max(this.#freedPages, end);
    }

    /** Adds pages to an array for so many elements, as far as memory allows; returns its number of pages. */
    #extend(array: PagedArray, pages: number, needed: number, mostBytes: number): number {
        let count = pages;
        while (count * 2 ** array.shift < needed && count < array.mostPages) {
            const page = this.#heap.allocate(mostBytes);
            if (page === undefined) {
                break;
            }
            this.#heap.write(array.directory + 4 * count++, page);
        }
        return count;
    }

    #initialPages(): number {
        return Math.ceil(this.initialStates / 2 ** this.#map.states.shift);
    }
}
