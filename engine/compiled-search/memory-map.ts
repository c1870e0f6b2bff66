/**
 * The layout of the memory of a compiled search: a fixed part, then the pages of tables and queues.
 *
 * A *batch* collects successors until they are stored together. An *event* is for the engine. A *paged array* has a
 * directory of pages of one size. The seen set is an array of slots with 0 or the *key* of a state, its long words or a
 * fingerprint.
 */

/** Addresses of 32-bit numbers. */
export const HEADER = {
    batchEnd: 4,
    count: 8,
    /** Firings since the engine last reset it. */
    transitions: 12,
    eventEnd: 16,
    slots: 20,
    /** Expansion stops with more states than this. */
    room: 24,
    /** One more state than this is an event. */
    maxStates: 28,
    /** 1 once that event was met. */
    isStopped: 32,
    parent: 36,
    directory: 40,
    /** The slots of the seen set that is being replaced; 0 if none is. */
    oldSlots: 44,
    /** 1 while a thread allocates or frees a page. */
    lock: 48,
    /** The first free page, whose first word is the address of the next one, or 0; and the number of free pages. */
    freePage: 52,
    freePages: 56,
    /** The end of all pages ever allocated. */
    heapEnd: 60,
    /** The length of the memory in units of WebAssembly; 0 before it has grown. */
    units: 64,

    /** Of a thread memory: the number of shards, and the first sequence number of its block. */
    shards: 68,
    sequence: 72,
    /** The address of the ends of the outboxes, by shard, then of the one for entries without a successor. */
    outboxes: 76,
    /** The address of the sections of threads, and the number of their pages, 0 without sections. */
    sections: 80,
    sectionPages: 84,
    /** Firings that the constraint cut off since the engine last reset it. */
    outside: 88,
    /** Possible firings since the engine last reset it, if only some of them are taken. */
    enabled: 92,
    /** 1 once all firings are taken. */
    takesAll: 96,
    /** Where the entries of the state that is expanded begin. */
    firstEntry: 100,

    /** Of a model with numbers without end: the firings told in a slice, without those that are cut off. */
    told: 104,
    /** Where the outcomes of the present firing begin, and whether other states are to be fired in. */
    firingStart: 108,
    firingGoesOn: 112,
} as const;

/**
 * In an entry after the long words: the hash, the parent, the summand, and the slot to probe first, 0 for no look-up. If a
 * firing may have several outcomes, `summandCount` times the number of the outcome is added to the summand.
 * The key is the long words, or the fingerprint at the end.
 */
export const ENTRY = { hash: 0, parent: 4, summand: 8, slot: 12, bytes: 16 } as const;
/** The hash of an entry whose representative generated code has not found. */
export const LEFT = 1;

/**
 * In an entry sent from a thread memory to a shard. The *sequence* is the order of entries in a round: the block, the
 * firings of the block up to the entry, and whether it is a state without firings. The *origin* is the summand and the
 * state in the block. `slot` is the bucket or slot to probe, afterwards the claimed slot.
 */
export const SENT = { hash: 0, slot: 4, origin: 8, sequence: 12 } as const;
export const SEQUENCE = { stuck: 1, countShift: 1, blockShift: 22 } as const;
export const ORIGIN = { summandShift: 9 } as const;

export const EVENT = { violated: 0, stuck: 1, fault: 2, limit: 3 } as const;

/** Kind, subject (a state, or the site of a fault), state, states stored, transitions. */
export const EVENT_BYTES = 20;
const MOST_EVENTS = 4096;

/** In place of the parent: the entry is a fault or a state without firings. */
export const FAULT_ENTRY = 0xffff_fffe;
export const STUCK_ENTRY = 0xffff_fffd;

/** The lowest bit of the last long word, set in every stored state: none is all 0. */
export const MARK = 1n;

/** The entries of a full batch: with their slots they about fit into the first cache. */
const FULL_BATCH = 256;

const LINE_BYTES = 64;

/** The bytes of recent states, which fit into the second cache with the rest. */
const MOST_RECENT_BYTES = 1 << 18;
const MOST_RECENT_BITS = 14;

const PAGE_BYTES = 1 << 17;
const LEAST_STATES_IN_PAGE = 16;
/** The pages of 4 GiB; no page is shorter than PAGE_BYTES. */
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
    /** The number of long words of a key, and its offset in an entry. */
    readonly keyLongs: number;
    readonly key: number;
    /** The slots of a cache line, a power of two. */
    readonly bucketSlots: number;
    readonly pageBytes: number;
    readonly batch: number;
    /** Expansion stops here. */
    readonly fullBatch: number;
    readonly batchEntries: number;
    /** As many if a state has one outcome of each firing. */
    readonly usualEntries: number;
    readonly mostFirings: number;
    readonly summandCount: number;
    readonly mostOutcomes: number;
    /** The keys looked up before, each at the place of the first bits of its hash. */
    readonly recent: number;
    /** The same for states before they were replaced by representatives. */
    readonly recentReplaced: number;
    /** Addresses of entries to look up, with KEPT; the place after the end is written but never read. */
    readonly list: number;
    readonly events: number;
    readonly fullEvents: number;
    /** The seen set, and the directory of a longer one. */
    readonly slots: readonly [PagedArray, PagedArray];
    /** The long words of states; freed for expanded states. */
    readonly states: PagedArray;
    /** The summands by which states were found, in `summandBytes` bytes each: 1, 2 or 4. */
    readonly summands: PagedArray;
    readonly summandBytes: number;
    /** The parents: bit `state + parent` is set. Both numbers grow, so the set bits are in the order of the states. */
    readonly parents: PagedArray;
    /** `fired[summand]` is 1 after a firing, a fault included. */
    readonly fired: number;
    /** The site of the firings that the constraint cuts off; undefined without one. They are counted and no events. */
    readonly outside: number | undefined;
    /** `flags[site]` is 1 after an event for that fault. */
    readonly flags: number;
    readonly end: number;
}

/** The number of recent keys of so many long words, as a power of two. */
export function recentBits(longCount: number): number {
    return Math.max(1, Math.min(MOST_RECENT_BITS, Math.floor(Math.log2(MOST_RECENT_BYTES / (8 * longCount)))));
}

/** The bytes of the tables of recent states. */
export function recentBytes({ recent, list }: MemoryMap): number {
    return list - recent;
}

/** The bytes of a list for so many entries. */
export function listBytes(entries: number): number {
    return 4 * entries + 8;
}

interface MapOptions {
    readonly start: number;
    readonly mostFirings: number;
    readonly summandCount: number;
    /** The same with one outcome of each firing, and the most outcomes of one. */
    readonly usualFirings: number;
    readonly mostOutcomes: number;
    readonly siteCount: number;
    readonly storesFingerprints: boolean;
    readonly isReduced: boolean;
    readonly outside: number | undefined;
}

export function memoryMap(
    longCount: number,
    {
        start,
        mostFirings,
        usualFirings,
        summandCount,
        mostOutcomes,
        siteCount,
        storesFingerprints,
        isReduced,
        outside,
    }: MapOptions,
): MemoryMap {
    const keyLongs = storesFingerprints ? 1 : longCount;
    const key = storesFingerprints ? 8 * longCount + ENTRY.bytes : 0;
    const bucketSlots = 2 ** Math.floor(Math.log2(Math.max(1, LINE_BYTES / (8 * keyLongs))));
    const entryBytes = 8 * longCount + ENTRY.bytes + (storesFingerprints ? 8 : 0);
    const batchEntries = FULL_BATCH + mostFirings + 1;
    const toldCount = summandCount * mostOutcomes;
    const summandBytes = toldCount <= 1 << 8 ? 1 : toldCount <= 1 << 16 ? 2 : 4;
    let end = start;
    const take = (bytes: number): number => {
        const address = Math.ceil(end / 64) * 64;
        end = address + bytes;
        return address;
    };
    // Slots fill pages; states may leave a part of a page unused.
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
    // The last one, since faults are counted after the code is written.
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
        usualEntries: FULL_BATCH + usualFirings + 1,
        mostFirings,
        summandCount,
        mostOutcomes,
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
        outside,
        flags,
        end: take(0),
    };
}
