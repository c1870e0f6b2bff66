/**
 * What a thread needs to expand blocks of states when the seen set is in shards: a memory of its own, with room for a
 * block, the outboxes for all shards, what became of each entry, and what is new in a block.
 */
import { EVENT_BYTES, HEADER, OUTCOME, type MemoryMap } from './memory-map.js';

/** A desk takes no more blocks in a round once it has about this many entries: they should stay in the caches. */
const ROUND_ENTRIES = 1 << 16;
/** A block has no more entries than this, unless one state has. */
const BLOCK_ENTRIES = 1 << 14;
const MOST_BLOCK_STATES = Math.min(256, 1 << OUTCOME.stateBits);
/** A model whose states have so many firings that a desk would be larger is searched without. */
const MOST_DESK_BYTES = 2 ** 28;

/** Addresses, but for the counts. */
export interface DeskMap {
    /** States of a block. */
    readonly blockStates: number;
    readonly states: number;
    readonly outcomes: number;
    readonly newStates: number;
    readonly newSummands: number;
    readonly newParents: number;
    readonly events: number;
    /** A number for each shard: the end of its outbox. */
    readonly outboxEnds: number;
    /** The first outbox; each has `outboxBytes`, and no block is begun once one of them has `fullOutboxBytes`. */
    readonly outboxes: number;
    readonly outboxBytes: number;
    readonly fullOutboxBytes: number;
    /** A round ends for a desk with so many entries. */
    readonly roundEntries: number;
    readonly end: number;
}

/** Undefined where a desk would be too large. */
export function deskMap(map: MemoryMap, shardCount: number): DeskMap | undefined {
    const { longCount, mostFirings, summandBytes, entryBytes, states } = map;
    const blockStates = Math.max(
        1,
        Math.min(MOST_BLOCK_STATES, 1 << states.shift, Math.floor(BLOCK_ENTRIES / Math.max(1, mostFirings))),
    );
    const blockEntries = blockStates * (mostFirings + 1);
    const roundEntries = ROUND_ENTRIES + blockEntries;
    const fullOutboxBytes = Math.ceil(ROUND_ENTRIES / shardCount) * entryBytes;
    const outboxBytes = fullOutboxBytes + blockEntries * entryBytes;
    let end = map.end;
    const take = (bytes: number): number => {
        const address = Math.ceil(end / 64) * 64;
        end = address + bytes;
        return address;
    };
    const desk = {
        blockStates,
        states: take(8 * longCount * blockStates),
        outcomes: take(4 * roundEntries),
        newStates: take(8 * longCount * blockEntries),
        newSummands: take(summandBytes * blockEntries),
        newParents: take(Math.ceil((blockEntries + blockStates) / 32) * 4),
        events: take(EVENT_BYTES * 2 * roundEntries),
        outboxEnds: take(4 * shardCount),
        outboxes: take(outboxBytes * shardCount),
        outboxBytes,
        fullOutboxBytes,
        roundEntries: ROUND_ENTRIES,
        end: take(0),
    };
    return desk.end <= MOST_DESK_BYTES ? desk : undefined;
}

/** Writes what the generated code has to know of a desk into its memory. */
export function furnish(words: Uint32Array, map: MemoryMap, desk: DeskMap, shardCount: number): void {
    words[HEADER.batchEnd / 4] = map.batch;
    words[HEADER.eventEnd / 4] = map.events;
    words[HEADER.room / 4] = 0xffff_ffff;
    words[HEADER.shards / 4] = shardCount;
    words[HEADER.outcomes / 4] = desk.outcomes;
    words[HEADER.outboxes / 4] = desk.outboxEnds;
    words[HEADER.newStates / 4] = desk.newStates;
    words[HEADER.newSummands / 4] = desk.newSummands;
    words[HEADER.newParents / 4] = desk.newParents;
    words[map.states.directory / 4] = desk.states;
}

/** Empties the outboxes, and forgets what became of their entries. */
export function clearDesk(words: Uint32Array, desk: DeskMap): void {
    const shardCount = words[HEADER.shards / 4];
    for (let shard = 0; shard < shardCount; shard++) {
        words[desk.outboxEnds / 4 + shard] = desk.outboxes + shard * desk.outboxBytes;
    }
    words[HEADER.sequence / 4] = 0;
    words[HEADER.transitions / 4] = 0;
}
