/**
 * The tapes of a search in its memory: the states that wait or are initial ones, by which summand each state was found, and
 * the bits that say from which state.
 *
 * Pages are added before they are needed; those of states that have been expanded are taken back.
 */
import type { CompiledInstance } from './compiled-instance.js';
import type { MemoryMap, PagedArray } from './memory-map.js';

/** The number of a bit among those of the parents, up to twice the number of a state, has 32 bits. */
const MOST_STATES = 2 ** 31 - 2 ** 20;

export class SearchTapes {
    readonly #instance: CompiledInstance;
    readonly #map: MemoryMap;
    /** Pages of each tape that have been taken, and how many of the first ones of the states have been given up. */
    #statePages = 0;
    #givenUpPages = 0;
    #summandPages = 0;
    #parentPages = 0;
    /** How many states are initial ones; they are never given up. */
    initialStates = 0;

    constructor(instance: CompiledInstance, map: MemoryMap) {
        this.#instance = instance;
        this.#map = map;
    }

    /** Pages of the bits of parents. */
    get parentPages(): number {
        return this.#parentPages;
    }

    /** All that is not in the memory. */
    get counts(): Readonly<Record<string, number>> {
        return {
            statePages: this.#statePages,
            givenUpPages: this.#givenUpPages,
            summandPages: this.#summandPages,
            parentPages: this.#parentPages,
            initialStates: this.initialStates,
        };
    }

    /** Takes over what `counts` has given. */
    restore(counts: Readonly<Record<string, number>>): void {
        this.#statePages = counts['statePages'];
        this.#givenUpPages = counts['givenUpPages'];
        this.#summandPages = counts['summandPages'];
        this.#parentPages = counts['parentPages'];
        this.initialStates = counts['initialStates'];
    }

    /** The address of a state; undefined where it was given up. */
    addressOfState(index: number): number | undefined {
        const { states, longCount } = this.#map;
        const page = index >>> states.shift;
        const isKept = page >= this.#givenUpPages || page < this.#initialPages();
        return isKept ? this.pageOf(states, index) + (index & ((1 << states.shift) - 1)) * 8 * longCount : undefined;
    }

    /** The address of the page that a number is in. */
    pageOf({ directory, shift }: PagedArray, number: number): number {
        return this.#words[(directory + 4 * (number >>> shift)) / 4];
    }

    /** Adds pages until there is room for so many states, if there is memory; how many there then is room for. */
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

    /** Takes back the pages of states before `next`, which have been expanded. */
    giveUpStates(next: number): void {
        const { states } = this.#map;
        const end = Math.floor(next / 2 ** states.shift);
        for (let page = Math.max(this.#givenUpPages, this.#initialPages()); page < end; page++) {
            this.#instance.heap.release(this.#words[(states.directory + 4 * page) / 4]);
        }
        this.#givenUpPages = Math.max(this.#givenUpPages, end);
    }

    /** Adds pages to a tape until it has room for so many; the number of pages it then has. */
    #extend(tape: PagedArray, pages: number, needed: number, mostBytes: number): number {
        let count = pages;
        while (count * 2 ** tape.shift < needed && count < tape.mostPages) {
            const page = this.#instance.heap.allocate(mostBytes);
            if (page === undefined) {
                break;
            }
            this.#words[(tape.directory + 4 * count++) / 4] = page;
        }
        return count;
    }

    /** The first pages of the states have the initial ones. */
    #initialPages(): number {
        return Math.ceil(this.initialStates / 2 ** this.#map.states.shift);
    }

    /** Valid until the memory grows. */
    get #words(): Uint32Array {
        return this.#instance.heap.words;
    }
}
