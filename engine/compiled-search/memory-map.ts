/**
 * The layout of the memory of a compiled search: fixed places first, then the pages of tables and queues.
 *
 * A *batch* collects successors until they are stored together. An *event* is something that the engine must look at. A
 * directory lists the equally long pages of a *paged array*. The seen set is one of slots, each with the *key* of a state,
 * its long words or a fingerprint of one, or 0.
 */

/** Addresses of numbers of 32 bits. */
export const HEADER = {
    batchEnd: 4,
    count: 8,
    /** Firings since the engine last set it to 0. */
    transitions: 12,
    eventEnd: 16,
    slots: 20,
    /** Expansion stops if more states than this are stored. */
    room: 24,
    /** A state more than this is an event. */
    maxStates: 28,
    /** 1 once that event was met. */
    isStopped: 32,
    parent: 36,
    directory: 40,
    /** The number of slots of the seen set that is being replaced, 0 if none is. */
    oldSlots: 44,
    /** 1 while a thread takes a page or gives one back. */
    lock: 48,
    /** A free page, whose first word is the address of the next one, or 0 if there is none; and the number of free pages. */
    freePage: 52,
    freePages: 56,
    /** Where no page has ever been. */
    heapEnd: 60,
    /** How long the memory has become, in units of WebAssembly; 0 before it was ever lengthened. */
    units: 64,

    /** Of a thread memory: the number of shards, and the first sequence number of the block that is being expanded. */
    shards: 68,
    sequence: 72,
    /** The address of the ends of the outboxes, by shard, and behind them that of entries without a successor. */
    outboxes: 76,
    /** The address of the sections of threads, and the number of their pages; 0 before there are any. */
    sections: 80,
    sectionPages: 84,
} as const;

/**
 * In an entry, after the long words: the hash, the state before, the summand, and the address of the slot to look at first, 0
 * if no look is needed. The key is the long words, or the fingerprint, which comes last.
 */
export const ENTRY = { hash: 0, parent: 4, summand: 8, slot: 12, bytes: 16 } as const;

/**
 * In an entry that was sent from a thread memory to a shard. The *sequence* is the order of the entries of a round: the
 * block, the firings of the block up to this one, and whether it is a state without firings. The *origin* is the summand and
 * the state of the block. `slot` is the bucket or slot to look at, afterwards the slot that is claimed.
 */
export const SENT = { hash: 0, slot: 4, origin: 8, sequence: 12 } as const;
export const SEQUENCE = { stuck: 1, countShift: 1, blockShift: 22 } as const;
export const ORIGIN = { summandShift: 9 } as const;

export const EVENT = { violated: 0, stuck: 1, fault: 2, limit: 3 } as const;

/** Kind, subject (a state; for a fault its site above), state, states stored, transitions. */
export const EVENT_BYTES = 20;
const MOST_EVENTS = 4096;

/** In place of the state before: the entry is no successor, but a fault or a state without firings. */
export const FAULT_ENTRY = 0xffff_fffe;
export const STUCK_ENTRY = 0xffff_fffd;

/** The lowest bit of the last long word: set in every stored state, so that none is all 0. */
export const MARK = 1n;

/** The batch is stored when it has this many entries: with the slots that they touch, these about fit into the first cache. */
const FULL_BATCH = 256;

const LINE_BYTES = 64;

/** The bytes of the recent states: the second cache of a processor has room for as much beside the rest. */
const MOST_RECENT_BYTES = 1 << 18;
const MOST_RECENT_BITS = 14;

const PAGE_BYTES = 1 << 17;
const LEAST_STATES_IN_PAGE = 16;
/** As many as there are in 4 GiB, for none is shorter than PAGE_BYTES. */
const MOST_PAGES = 1 << 15;

export interface PagedArray {
    /** A page has `2^shift` elements. */
    readonly shift: number;
    readonly directory: number;
    readonly mostPages: number;
}

export interface MemoryMap {
    readonly longCount: number;
    readonly entryBytes: number;
    /** The long words of a key, and where it is in an entry. */
    readonly keyLongs: number;
    readonly key: number;
    /** Slots that are looked at together: a power of two, as many as the processor gets together. */
    readonly bucketSlots: number;
    readonly pageBytes: number;
    readonly batch: number;
    /** Expansion stops here. */
    readonly fullBatch: number;
    readonly batchEntries: number;
    readonly mostFirings: number;
    readonly summandCount: number;
    /** Keys of states that were looked up before, each at the place that the first bits of its hash say. */
    readonly recent: number;
    /** The same for states that were replaced by their representatives, as they were before. */
    readonly recentReplaced: number;
    /** Addresses of entries that have to be looked up, with KEPT; behind their end something is written and never read. */
    readonly list: number;
    readonly events: number;
    readonly fullEvents: number;
    /** The seen set, and the place for the directory of a longer one. */
    readonly slots: readonly [PagedArray, PagedArray];
    /** The long words of states; of those that have been expanded they are given up. */
    readonly states: PagedArray;
    /** The summands by which states were found, in `summandBytes` bytes each: 1, 2 or 4. */
    readonly summands: PagedArray;
    readonly summandBytes: number;
    /**
     * The states they were found from: bit number `state + parent` is set. Both numbers grow with the state, so the set bits
     * are in the order of the states.
     */
    readonly parents: PagedArray;
    /** `fired[summand]` is 1 once it has fired, a fault included. */
    readonly fired: number;
    /** `flags[site]` is 1 once that fault was an event. */
    readonly flags: number;
    readonly end: number;
}

/** How many keys of so many long words are remembered as recent, as a power of two. */
export function recentBits(longCount: number): number {
    return Math.max(1, Math.min(MOST_RECENT_BITS, Math.floor(Math.log2(MOST_RECENT_BYTES / (8 * longCount)))));
}

/** What the tables of recent states take in each memory that expands states. */
export function recentBytes({ recent, list }: MemoryMap): number {
    return list - recent;
}

/** What a list of items takes for so many entries. */
export function listBytes(entries: number): number {
    return 4 * entries + 8;
}

interface MapOptions {
    readonly start: number;
    readonly mostFirings: number;
    readonly summandCount: number;
    readonly siteCount: number;
    readonly storesFingerprints: boolean;
    readonly isReduced: boolean;
}

export function memoryMap(
    longCount: number,
    { start, mostFirings, summandCount, siteCount, storesFingerprints, isReduced }: MapOptions,
): MemoryMap {
    const keyLongs = storesFingerprints ? 1 : longCount;
    const key = storesFingerprints ? 8 * longCount + ENTRY.bytes : 0;
    const bucketSlots = 2 ** Math.floor(Math.log2(Math.max(1, LINE_BYTES / (8 * keyLongs))));
    const entryBytes = 8 * longCount + ENTRY.bytes + (storesFingerprints ? 8 : 0);
    const batchEntries = FULL_BATCH + mostFirings + 1;
    const summandBytes = summandCount <= 1 << 8 ? 1 : summandCount <= 1 << 16 ? 2 : 4;
    let end = start;
    const take = (bytes: number): number => {
        const address = Math.ceil(end / 64) * 64;
        end = address + bytes;
        return address;
    };
    // Slots fill pages; if states have another length than slots, a part of a page of states may be left.
    const keysPerPage = 2 ** Math.max(4, Math.ceil(Math.log2(PAGE_BYTES / (8 * keyLongs))));
    const pageBytes = Math.max(8 * keyLongs * keysPerPage, 8 * longCount * LEAST_STATES_IN_PAGE);
    const statesPerPage = 2 ** Math.floor(Math.log2(pageBytes / (8 * longCount)));
    const array = (perPage: number, mostPages = MOST_PAGES): PagedArray => ({
        shift: Math.floor(Math.log2(perPage)),
        directory: take(4 * mostPages),
        mostPages,
    });
    const events = take((MOST_EVENTS + batchEntries) * EVENT_BYTES);
    const batch = take(batchEntries * entryBytes);
    const recent = take(8 * keyLongs * 2 ** recentBits(keyLongs));
    const recentReplaced = take(isReduced ? 8 * longCount * 2 ** recentBits(longCount) : 0);
    const list = take(listBytes(batchEntries));
    const states = array(statesPerPage);
    const slots = [array(keysPerPage), array(keysPerPage)] as const;
    const summands = array(pageBytes / summandBytes);
    const parents = array(pageBytes * 8);
    const fired = take(summandCount);
    // Last, for the code is written before its faults are counted.
    const flags = take(siteCount);
    return {
        longCount,
        entryBytes,
        keyLongs,
        key,
        bucketSlots,
        pageBytes,
        batch,
        fullBatch: batch + FULL_BATCH * entryBytes,
        batchEntries,
        mostFirings,
        summandCount,
        recent,
        recentReplaced,
        list,
        events,
        fullEvents: events + MOST_EVENTS * EVENT_BYTES,
        slots,
        states,
        summands,
        summandBytes,
        parents,
        fired,
        flags,
        end: take(0),
    };
}
