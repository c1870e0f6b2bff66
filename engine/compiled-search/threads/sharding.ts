/**
 * Whether and when threads take part in a compiled search, and when its seen set is split into shards, and into how many.
 *
 * Threads take part once a level is worth them; they all use the memory that there is. A search that may need more than a
 * memory has is split once it is large.
 */
import type { SearchOptions } from '../../explore/state-search.js';
import type { WorkerHost } from '../../explore/worker-host.js';
import type { CompiledModel } from '../compiled-model.js';

/** The states of a level that are worth several threads. */
const LARGE_LEVEL = 1 << 15;
/**
 * A search that may have several memories gets them when it has so many bytes, or this part of its limit. Afterwards the
 * first memory is of use for the queue only.
 */
const LARGE_BYTES = 2 ** 30;
const LARGE_PART = 1 / 16;
/** The bytes that each is meant for; a longer table does not exceed 4 GiB. */
const SHARD_BYTES = 3 * 2 ** 30;
const MOST_SHARDS = 64;
/** The limit if none is given. */
const DEFAULT_BYTES = 16 * 2 ** 30;

/** The threads and memories of a search with more than one. */
export interface Sharding {
    /** 1 if the seen set stays in one memory. */
    readonly shardCount: number;
    readonly workers: WorkerHost | undefined;
    /** Threads take part if so many states of a level wait; the seen set is split if the search has so many bytes. */
    readonly fromStates: number;
    readonly fromBytes: number;
    /** Whether it is split as soon as threads take part, and whether the search waits for threads to start. */
    readonly splitsEarly: boolean;
    readonly waitsForThreads: boolean;
}

/** Undefined if one memory and one thread are enough. */
export function shardingOf({ isShared, leavesStates }: CompiledModel, options: SearchOptions): Sharding | undefined {
    const { maxMemoryBytes = DEFAULT_BYTES, shards } = options;
    if (leavesStates) {
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
