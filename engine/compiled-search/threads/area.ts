/**
 * What a thread has of the memories that all threads write to: an *area* in each, apart from those of the others.
 *
 * In the memory of a shard it sends entries from its desk to the *inbox*, and has a *claim* for each slot that it has taken
 * in this round. In the memory of the tapes it puts the claims of a block in order, and has events.
 */
import { HEAD } from './compile-merge.js';
import { type DeskMap, ROUND_CLAIMS } from './thread-memory.js';
import { EVENT_BYTES, HEADER, listBytes, type MemoryMap } from '../memory-map.js';
import type { WasmHeap } from '../wasm-heap.js';

/** Entries that are sent at once: they fit into the second cache of a processor with what they touch. */
const INBOX_ENTRIES = 1 << 11;

/** Counted from where an area begins. */
export interface AreaMap {
    readonly bytes: number;
    readonly inbox: number;
    readonly inboxEnd: number;
    /** For items of what is looked up at once. */
    readonly list: number;
    /** Room for `ROUND_CLAIMS`, and those of a block that was begun before. */
    readonly claims: number;
    /** For each list of claims that are put in order, the address of the next one and their end. */
    readonly heads: number;
    /** For claims from other memories, and what has no successor, of one block. */
    readonly lists: number;
    readonly events: number;
}

export function areaMap(map: MemoryMap, { blockEntries }: DeskMap, partCount: number): AreaMap {
    const { entryBytes, batchEntries } = map;
    let end = 0;
    const take = (bytes: number): number => {
        const offset = end;
        end += Math.ceil(bytes / 64) * 64;
        return offset;
    };
    const roundClaims = ROUND_CLAIMS + blockEntries;
    const inbox = take(INBOX_ENTRIES * entryBytes);
    return {
        inbox,
        inboxEnd: inbox + INBOX_ENTRIES * entryBytes,
        list: take(listBytes(batchEntries)),
        claims: take(roundClaims * entryBytes),
        heads: take(HEAD.bytes * (partCount + 1)),
        lists: take(2 * blockEntries * entryBytes),
        events: take(EVENT_BYTES * (2 * roundClaims + 1)),
        bytes: take(0),
    };
}

/** How many pages the areas of so many threads have. */
function pagesFor(threadCount: number, { bytes }: AreaMap, { pageBytes }: MemoryMap): number {
    return Math.ceil((threadCount * bytes) / pageBytes);
}

/** What a memory has to grow by before there are areas for so many threads in it. */
export function areaGrowth(heap: WasmHeap, threadCount: number, area: AreaMap, map: MemoryMap): number {
    const pages = pagesFor(threadCount, area, map);
    return heap.words[HEADER.areaPages / 4] >= pages ? 0 : pages * map.pageBytes;
}

/** Sees to it that there are areas for so many threads; false where there is no memory for them. */
export function provideAreas(heap: WasmHeap, threadCount: number, area: AreaMap, map: MemoryMap): boolean {
    const pages = pagesFor(threadCount, area, map);
    const had = heap.words[HEADER.areaPages / 4];
    if (had >= pages) {
        return true;
    }
    const before = heap.words[HEADER.areas / 4];
    const address = heap.allocateTogether(pages);
    if (address === undefined) {
        return false;
    }
    // Another number of threads had them, before the search was resumed.
    for (let page = 0; page < had; page++) {
        heap.release(before + page * map.pageBytes);
    }
    heap.words[HEADER.areas / 4] = address;
    heap.words[HEADER.areaPages / 4] = pages;
    return true;
}

/** Where the area of a thread begins. */
export function areaOf(words: Uint32Array, thread: number, { bytes }: AreaMap): number {
    return words[HEADER.areas / 4] + thread * bytes;
}
