/**
 * What a thread needs to expand blocks of states where threads search together: a memory of its own, with room for a block
 * and outboxes, one for each shard and one for what has no successor.
 */
import { HEADER, ORIGIN, SEQUENCE, type MemoryMap } from '../memory-map.js';

/** A block has no more entries than this, unless one state has. */
const BLOCK_ENTRIES = 1 << 14;
const MOST_BLOCK_STATES = Math.min(256, 1 << ORIGIN.summandShift);
/** A thread takes no more blocks in a round once it has claimed so many slots: what it claims should stay in the caches. */
export const ROUND_CLAIMS = 1 << 13;
/** A model whose states have so many firings that a desk would be larger is searched without. */
const MOST_DESK_BYTES = 2 ** 28;
const MOST_SUMMANDS = 2 ** (32 - ORIGIN.summandShift);

/** Addresses, but for the counts. */
export interface DeskMap {
    /** States of a block, and entries that it has at most. */
    readonly blockStates: number;
    readonly blockEntries: number;
    readonly states: number;
    /** A number for each outbox: its end. */
    readonly outboxEnds: number;
    /** The first outbox. Each has room for a block of `outboxBytes`; the last one, of what has no successor, for all of a round. */
    readonly outboxes: number;
    readonly outboxBytes: number;
    readonly end: number;
}

/** Undefined where a desk would be too large. */
export function deskMap(map: MemoryMap, partCount: number): DeskMap | undefined {
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
    const desk = {
        blockStates,
        blockEntries,
        states: take(8 * longCount * blockStates),
        outboxEnds: take(4 * (partCount + 1)),
        outboxes: take(outboxBytes * (partCount + 1) + ROUND_CLAIMS * entryBytes),
        outboxBytes,
        end: take(0),
    };
    const hasNumbers = blockEntries < 2 ** (SEQUENCE.blockShift - SEQUENCE.countShift) && summandCount <= MOST_SUMMANDS;
    return hasNumbers && desk.end <= MOST_DESK_BYTES ? desk : undefined;
}

/** Writes what the generated code has to know of a desk into its memory. */
export function furnish(words: Uint32Array, map: MemoryMap, desk: DeskMap): void {
    words[HEADER.batchEnd / 4] = map.batch;
    words[HEADER.eventEnd / 4] = map.events;
    words[HEADER.room / 4] = 0xffff_ffff;
    words[HEADER.outboxes / 4] = desk.outboxEnds;
    words[map.states.directory / 4] = desk.states;
}

/** Empties the outboxes of so many shards, and that of what has no successor. */
export function clearDesk(words: Uint32Array, desk: DeskMap, partCount: number): void {
    words[HEADER.shards / 4] = partCount;
    words[HEADER.transitions / 4] = 0;
    for (let outbox = 0; outbox <= partCount; outbox++) {
        clearOutbox(words, desk, outbox);
    }
}

/** Where an outbox begins. */
export function outboxStart({ outboxes, outboxBytes }: DeskMap, outbox: number): number {
    return outboxes + outbox * outboxBytes;
}

/** Where the entries of an outbox end. */
export function outboxEnd(words: Uint32Array, { outboxEnds }: DeskMap, outbox: number): number {
    return words[outboxEnds / 4 + outbox];
}

export function clearOutbox(words: Uint32Array, desk: DeskMap, outbox: number): void {
    words[desk.outboxEnds / 4 + outbox] = outboxStart(desk, outbox);
}
