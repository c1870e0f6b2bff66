/**
 * The memory of one thread, with a block of states to expand, and a section in each shared memory.
 *
 * The thread memory has an *outbox* for each shard, and one for entries without a successor. In a shard, a thread has
 * an *inbox* for the copy of an outbox, and a *claim* for each slot taken in this round. In the main memory its section
 * is for putting claims in order, and for events.
 */
import { HEAD } from './compile-merge.js';
import { EVENT_BYTES, HEADER, listBytes, ORIGIN, SEQUENCE, type MemoryMap } from '../memory-map.js';
import type { WasmHeap } from '../wasm-heap.js';

/** The most entries of a block, unless one state has more. */
const BLOCK_ENTRIES = 1 << 14;
const MOST_BLOCK_STATES = Math.min(256, 1 << ORIGIN.summandShift);
/** A thread takes no more blocks in a round after so many claims, which should stay in the caches. */
export const ROUND_CLAIMS = 1 << 13;
/** With larger thread memories, for states with many firings, one thread searches. */
const MOST_BYTES = 2 ** 28;
const MOST_SUMMANDS = 2 ** (32 - ORIGIN.summandShift);

/** Addresses and counts. */
export interface ThreadMemoryMap {
    /** The states of a block, and the most entries. */
    readonly blockStates: number;
    readonly blockEntries: number;
    readonly states: number;
    /** The end of each outbox. */
    readonly outboxEnds: number;
    /** The first outbox. Each has room for a block, `outboxBytes`; the last one for all entries without successors. */
    readonly outboxes: number;
    readonly outboxBytes: number;
    readonly end: number;
}

/** Undefined if the memory would be too large. */
export function threadMemoryMap(map: MemoryMap, partCount: number): ThreadMemoryMap | undefined {
    const { longCount, mostFirings, summandCount, entryBytes, states } = map;
    const blockStates = Math.max(
        1,
        Math.min(MOST_BLOCK_STATES, 1 << states.shift, Math.floor(BLOCK_ENTRIES / Math.max(1, mostFirings))),
    );
    const blockEntries = blockStates * (mostFirings + 1);
    const outboxBytes = blockEntries * entryBytes;
    let end = map.end;
    const take = (bytes: number): number => {
        const address = Math.ceil(end / 64) * 64;
        end = address + bytes;
        return address;
    };
    const own = {
        blockStates,
        blockEntries,
        states: take(8 * longCount * blockStates),
        outboxEnds: take(4 * (partCount + 1)),
        outboxes: take(outboxBytes * (partCount + 1) + ROUND_CLAIMS * entryBytes),
        outboxBytes,
        end: take(0),
    };
    const hasNumbers = blockEntries < 2 ** (SEQUENCE.blockShift - SEQUENCE.countShift) && summandCount <= MOST_SUMMANDS;
    return hasNumbers && own.end <= MOST_BYTES ? own : undefined;
}

/** Writes the header of a thread memory. */
export function initializeThreadMemory(words: Uint32Array, map: MemoryMap, own: ThreadMemoryMap): void {
    words[HEADER.batchEnd / 4] = map.batch;
    words[HEADER.eventEnd / 4] = map.events;
    words[HEADER.room / 4] = 0xffff_ffff;
    words[HEADER.outboxes / 4] = own.outboxEnds;
    words[map.states.directory / 4] = own.states;
}

/** Empties the outboxes of so many shards and the last one. */
export function clearOutboxes(words: Uint32Array, own: ThreadMemoryMap, partCount: number): void {
    words[HEADER.shards / 4] = partCount;
    words[HEADER.transitions / 4] = 0;
    for (let outbox = 0; outbox <= partCount; outbox++) {
        clearOutbox(words, own, outbox);
    }
}

/** The start of an outbox. */
export function outboxStart({ outboxes, outboxBytes }: ThreadMemoryMap, outbox: number): number {
    return outboxes + outbox * outboxBytes;
}

/** The end of the entries of an outbox. */
export function outboxEnd(words: Uint32Array, { outboxEnds }: ThreadMemoryMap, outbox: number): number {
    return words[outboxEnds / 4 + outbox];
}

export function clearOutbox(words: Uint32Array, own: ThreadMemoryMap, outbox: number): void {
    words[own.outboxEnds / 4 + outbox] = outboxStart(own, outbox);
}

/** The entries sent at once: with their slots they fit into the second cache. */
const INBOX_ENTRIES = 1 << 11;

/** Offsets in a section. */
export interface SectionMap {
    readonly bytes: number;
    readonly inbox: number;
    readonly inboxEnd: number;
    /** For the entries that are looked up together. */
    readonly list: number;
    /** For `ROUND_CLAIMS` and the claims of one more block. */
    readonly claims: number;
    /** For each list of claims, the address of the next one and the end. */
    readonly heads: number;
    /** For claims from other memories and entries without a successor of one block. */
    readonly lists: number;
    readonly events: number;
}

export function sectionMap(map: MemoryMap, { blockEntries }: ThreadMemoryMap, partCount: number): SectionMap {
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

/** Makes sections for so many threads unless they exist; false beyond `mostBytes` or without memory. */
export function provideSections(
    heap: WasmHeap,
    threadCount: number,
    { bytes }: SectionMap,
    { pageBytes }: MemoryMap,
    mostBytes: number,
): boolean {
    const pages = Math.ceil((threadCount * bytes) / pageBytes);
    const had = heap.words[HEADER.sectionPages / 4];
    if (had >= pages) {
        return true;
    }
    const before = heap.words[HEADER.sections / 4];
    const address = pages * pageBytes <= mostBytes ? heap.allocateTogether(pages) : undefined;
    if (address === undefined) {
        return false;
    }
    // Before the search was resumed, another number of threads had sections.
    for (let page = 0; page < had; page++) {
        heap.release(before + page * pageBytes);
    }
    heap.words[HEADER.sections / 4] = address;
    heap.words[HEADER.sectionPages / 4] = pages;
    return true;
}

/** The start of the section of a thread. */
export function sectionOf(words: Uint32Array, thread: number, { bytes }: SectionMap): number {
    return words[HEADER.sections / 4] + thread * bytes;
}
