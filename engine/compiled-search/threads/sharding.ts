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
 * With so many bytes a search that may have more than one memory gets several, or with this part of what it may have: what
 * it had is afterwards of use for tapes only.
 */
const LARGE_BYTES = 2 ** 30;
const LARGE_PART = 1 / 16;
/** How many bytes each of these is meant for: 4 GiB are not exceeded where tables are longer than others. */
const SHARD_BYTES = 3 * 2 ** 30;
const MOST_SHARDS = 64;
/** What is expected of a machine where no limit is given. */
const DEFAULT_BYTES = 16 * 2 ** 30;

/** What there is besides one thread and one memory. */
export interface Sharding {
    /** 1 where the seen set stays in one memory. */
    readonly shardCount: number;
    readonly workers: WorkerHost | undefined;
    /** When so many states of a level wait threads take part; when the memory of the search has so many bytes it is split. */
    readonly fromStates: number;
    readonly fromBytes: number;
    /** Whether it is split as soon as there are so many states, and whether threads are waited for. */
    readonly splitsEarly: boolean;
    readonly waitsForThreads: boolean;
}

/** Undefined where one memory is enough, and one thread. */
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
