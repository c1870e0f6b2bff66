/**
 * The conditions for threads in a compiled search, and for splitting its seen set into shards.
 *
 * Threads take part if a level is large enough for them. A search that may need more than one memory is split once it
 * is large.
 */
import type { StateSearchOptions } from '../../explore/state-search.js';
import type { WorkerHost } from '../../explore/worker-host.js';
import type { CompiledModel } from '../compiled-model.js';

/** The states of a level that need several threads. */
const LARGE_LEVEL = 1 << 15;
/** The bytes, or the part of its limit, at which a search gets several memories; the first keeps the queue. */
const LARGE_BYTES = 2 ** 30;
const LARGE_PART = 1 / 16;
/** The intended bytes of a shard; a longer table stays within 4 GiB. */
const SHARD_BYTES = 3 * 2 ** 30;
const MOST_SHARDS = 64;
/** The limit if there is no other. */
const DEFAULT_BYTES = 16 * 2 ** 30;

export interface Sharding {
    /** 1 if the seen set stays in one memory. */
    readonly shardCount: number;
    readonly workers: WorkerHost | undefined;
    /** Threads take part from so many waiting states of a level on; the seen set is split at so many bytes. */
    readonly fromStates: number;
    readonly fromBytes: number;
    /** Whether it is split as soon as threads take part, and whether the search waits for threads. */
    readonly splitsEarly: boolean;
    readonly waitsForThreads: boolean;
}

/** Undefined if one memory and one thread suffice. */
export function shardingOf(
    { isShared, leavesStates, numbers }: CompiledModel,
    options: StateSearchOptions,
): Sharding | undefined {
    const { maxMemoryBytes = DEFAULT_BYTES, shards } = options;
    if (leavesStates || numbers !== undefined) {
        return undefined;
    }
    const workers = isShared ? options.workers : undefined;
    const threadCount = workers?.threadCount ?? 1;
    const shardCount = shards?.count ?? Math.min(MOST_SHARDS, Math.ceil(maxMemoryBytes / SHARD_BYTES));
    if (shardCount === 1 && threadCount === 1) {
        return undefined;
    }
    return {
        shardCount,
        workers,
        fromStates: shards?.fromStates ?? (threadCount > 1 ? LARGE_LEVEL : Infinity),
        fromBytes:
            shardCount > 1 ? (shards?.fromBytes ?? Math.min(LARGE_BYTES, maxMemoryBytes * LARGE_PART)) : Infinity,
        splitsEarly: shards !== undefined && shards.fromBytes === undefined,
        waitsForThreads: shards !== undefined,
    };
}
