/**
 * Where things are in the memory of a compiled search. Fixed places come first, then what grows: tables and tapes.
 *
 * A *batch* collects what the expansion of states gives, until it is looked up and stored all at once. An entry is the
 * long words of a successor, then four numbers: its hash, the state it comes from, the summand, and the address of the slot
 * to look at first, 0 where it is known without looking. With FAULT_ENTRY or STUCK_ENTRY in place of the state it is
 * something that has no successor. Where threads search together entries are sent from one memory to another, and the
 * numbers are others (SENT).
 *
 * An *event* is what the engine must look at: its kind, its subject, and the counts at that moment.
 *
 * A *tape* holds something of each number from 0 on, in pages that a directory lists; all pages are equally long. The
 * seen set is a tape of slots, each with the *key* of a state, all 0 where there is none: its long words, or where
 * fingerprints are stored one long word that is made from them. Of an entry the key is the long words, or comes last.
 */

/** Addresses of numbers of 32 bits. */
export const HEADER = {
    /** The end of the batch. */
    batchEnd: 4,
    /** States stored. */
    count: 8,
    /** Firings since the engine last set it to 0. */
    transitions: 12,
    /** The end of the events. */
    eventEnd: 16,
    /** The number of slots of the seen set. */
    slots: 20,
    /** Expansion stops where more states than this are stored. */
    room: 24,
    /** A state more than this is an event. */
    maxStates: 28,
    /** 1 once that event was met. */
    isStopped: 32,
    /** The state that is being expanded. */
    parent: 36,
    /** The directory of the seen set. */
    directory: 40,
    /** The number of slots of the seen set that is being replaced, 0 where none is. */
    oldSlots: 44,
    /** 1 while a thread takes a page or gives one back. */
    lock: 48,
    /** A page that is free, the first word of it the address of the next one; 0 where there is none. And how many. */
    freePage: 52,
    freePages: 56,
    /** Where no page has ever been. */
    heapEnd: 60,
    /** How long the memory has become, in units of WebAssembly; 0 before it was ever lengthened. */
    units: 64,

    /** Of a desk: into how many shards the seen set is split, and where the numbers of the entries of a block begin. */
    shards: 68,
    sequence: 72,
    /** The address of the ends of the outboxes, by shard, and behind them that of what has no successor. */
    outboxes: 76,
    /** Where the areas of threads begin, and how many pages they have; 0 before there are any. */
    areas: 80,
    areaPages: 84,
} as const;

/** In an entry, after the long words. */
export const ENTRY = { hash: 0, parent: 4, summand: 8, slot: 12, bytes: 16 } as const;

/**
 * The same once it was sent from a desk to a shard. The *sequence* says in which order the entries of a round are met: the
 * block, the firings of the block up to this one, and whether it is a state in which nothing happens. The *origin* is the
 * summand and the state of the block. In `slot` is the bucket or slot to look at, afterwards the slot that is claimed.
 */
export const SENT = { hash: 0, slot: 4, origin: 8, sequence: 12 } as const;
export const SEQUENCE = { stuck: 1, countShift: 1, blockShift: 22 } as const;
export const ORIGIN = { summandShift: 9 } as const;

export const EVENT = { violated: 0, stuck: 1, fault: 2, limit: 3 } as const;

/** Kind, subject (a state; for a fault its site above), state, states stored, transitions. */
export const EVENT_BYTES = 20;
const MOST_EVENTS = 4096;

/** In place of the number of the state before: no successor, but a fault, or a state in which nothing happens. */
export const FAULT_ENTRY = 0xffff_fffe;
export const STUCK_ENTRY = 0xffff_fffd;

/** The lowest bit of the last long word: set in every stored state, so that none is all 0. */
export const MARK = 1n;

/** The batch is stored when it has this many entries: about as many as fit into the first caches with what they touch. */
const FULL_BATCH = 256;

/** What a processor brings closer at once. */
const LINE_BYTES = 64;

/** What states that are remembered as recent take: so much the second cache of a processor has room for beside the rest. */
const MOST_RECENT_BYTES = 1 << 18;
const MOST_RECENT_BITS = 14;

const PAGE_BYTES = 1 << 17;
const LEAST_STATES_IN_PAGE = 16;
/** As many as there are in 4 GiB, for none is shorter than PAGE_BYTES. */
const MOST_PAGES = 1 << 15;

export interface PagedArray {
    /** A page has what belongs to `2^shift` numbers. */
    readonly shift: number;
    /** The addresses of the pages. */
    readonly directory: number;
    readonly mostPages: number;
    readonly pageBytes: number;
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
    /** Entries that a batch can have. */
    readonly batchEntries: number;
    /** Firings that a state may have. */
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
    /** Where pages begin. */
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

export interface MapOptions {
    /** Where fixed places begin. */
    readonly start: number;
    /** How many firings a state may have. */
    readonly mostFirings: number;
    readonly summandCount: number;
    readonly siteCount: number;
    /** Whether the seen set has fingerprints of states. */
    readonly storesFingerprints: boolean;
    /** Whether states are replaced by their representatives. */
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
    // Slots fill pages; where these have another length than states, a part of a page of states may be left.
    const keysPerPage = 2 ** Math.max(4, Math.ceil(Math.log2(PAGE_BYTES / (8 * keyLongs))));
    const pageBytes = Math.max(8 * keyLongs * keysPerPage, 8 * longCount * LEAST_STATES_IN_PAGE);
    const statesPerPage = 2 ** Math.floor(Math.log2(pageBytes / (8 * longCount)));
    const tape = (perPage: number, mostPages = MOST_PAGES): PagedArray => ({
        shift: Math.floor(Math.log2(perPage)),
        directory: take(4 * mostPages),
        mostPages,
        pageBytes,
    });
    const events = take((MOST_EVENTS + batchEntries) * EVENT_BYTES);
    const batch = take(batchEntries * entryBytes);
    const recent = take(8 * keyLongs * 2 ** recentBits(keyLongs));
    const recentReplaced = take(isReduced ? 8 * longCount * 2 ** recentBits(longCount) : 0);
    const list = take(listBytes(batchEntries));
    const states = tape(statesPerPage);
    const slots = [tape(keysPerPage), tape(keysPerPage)] as const;
    const summands = tape(pageBytes / summandBytes);
    const parents = tape(pageBytes * 8);
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
