/**
 * Where things are in the memory of a compiled search. Fixed places come first, then what grows: tables and chunks.
 *
 * A *batch* collects what the expansion of states gives, until it is looked up and stored all at once. An entry is the
 * long words of a successor, the number of the summand (later the hash), and the number of the state it comes from; or,
 * with FAULT_ENTRY or STUCK_ENTRY in that place, something that has no successor. An *event* is what the engine must
 * look at: its kind, its subject, and the counts at that moment.
 */
import { CURRENT } from './compile-summands.js';

/** Addresses of numbers of 32 bits. */
export const HEADER = {
    /** Written and never read: keeps loads alive that only bring memory closer. */
    sink: 0,
    /** The end of the batch. */
    batchEnd: 4,
    /** States stored. */
    count: 8,
    /** Firings since the engine last set it to 0. */
    transitions: 12,
    /** The end of the events. */
    eventEnd: 16,
    /** The hash table, and the number of its slots: 2^(32 - shift) = mask + 1. */
    table: 20,
    tableShift: 24,
    tableMask: 28,
    /** Expansion stops where more states than this are stored. */
    room: 32,
    /** A state more than this is an event. */
    maxStates: 36,
    /** 1 once that event was met. */
    isStopped: 40,
    /** The state that is being expanded. */
    parent: 44,
} as const;

export const EVENT = { violated: 0, stuck: 1, fault: 2, limit: 3 } as const;

/** Kind, subject (a state; for a fault its site above), state, states stored, transitions. */
export const EVENT_BYTES = 20;
const MOST_EVENTS = 4096;

/** In place of the number of the state before: no successor, but a fault, or a state in which nothing happens. */
export const FAULT_ENTRY = 0xffff_fffe;
export const STUCK_ENTRY = 0xffff_fffd;

/** The batch is stored when it has this many entries: about as many as fit into the first cache with what they touch. */
const FULL_BATCH = 512;

const CHUNK_BYTES = 1 << 17;
/** 4 GiB of chunks. */
const MOST_CHUNKS = 1 << 15;

export interface MemoryMap {
    readonly longCount: number;
    readonly entryBytes: number;
    readonly batch: number;
    /** Expansion stops here. */
    readonly fullBatch: number;
    /** Entries that a batch can have. */
    readonly batchEntries: number;
    readonly events: number;
    readonly fullEvents: number;
    /** `directory[chunk]` is the address of a chunk. */
    readonly directory: number;
    readonly mostChunks: number;
    /** log2 of the number of states in a chunk. A chunk has their words, then the numbers of the states before them. */
    readonly chunkShift: number;
    /** `flags[site]` is 1 once that fault was an event. */
    readonly flags: number;
    /** Where tables and chunks begin. */
    readonly end: number;
}

/** `mostFirings` is how many firings a state may have. */
export function memoryMap(longCount: number, mostFirings: number, siteCount: number): MemoryMap {
    const entryBytes = 8 * longCount + 8;
    const stateBytes = 8 * longCount + 4;
    const batchEntries = FULL_BATCH + mostFirings + 1;
    const events = aligned(CURRENT + 8 * longCount);
    const batch = aligned(events + (MOST_EVENTS + batchEntries) * EVENT_BYTES);
    const directory = aligned(batch + batchEntries * entryBytes);
    const flags = aligned(directory + 4 * MOST_CHUNKS);
    return {
        longCount,
        entryBytes,
        batch,
        fullBatch: batch + FULL_BATCH * entryBytes,
        batchEntries,
        events,
        fullEvents: events + MOST_EVENTS * EVENT_BYTES,
        directory,
        mostChunks: MOST_CHUNKS,
        chunkShift: Math.max(4, Math.floor(Math.log2(CHUNK_BYTES / stateBytes))),
        flags,
        end: aligned(flags + siteCount),
    };
}

export function chunkBytes({ longCount, chunkShift }: MemoryMap): number {
    return aligned((8 * longCount + 4) << chunkShift);
}

/** Long words at addresses that 8 divides, tables at the beginning of a cache line. */
function aligned(address: number): number {
    return Math.ceil(address / 64) * 64;
}
