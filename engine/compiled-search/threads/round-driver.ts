/** Drives rounds: decides when threads take part and when the seen set is split, and continues a round. */
import type { WorkLimit } from '../../common/work-limit.js';
import type { StoredMemory } from '../../explore/snapshot.js';
import type { SearchObserver, StateSearchOptions } from '../../explore/state-search.js';
import type { CompiledModel, RunningModel } from '../compiled-model.js';
import { HEADER, recentBytes } from '../memory-map.js';
import type { SearchProgress } from '../search-progress.js';
import type { SlotTable } from '../slot-table.js';
import type { StateQueue } from '../state-queue.js';
import type { WasmHeap } from '../wasm-heap.js';
import { Rounds } from './rounds.js';
import { type Sharding, shardingOf } from './sharding.js';

/** Threads are started for levels smaller by this factor than those that they take part in. */
const THREAD_START = 2;

interface DrivenSearch {
    readonly compiled: CompiledModel;
    readonly running: RunningModel;
    readonly observer: SearchObserver;
    readonly options: StateSearchOptions;
    readonly seen: SlotTable;
    readonly queue: StateQueue;
    readonly progress: SearchProgress;
}

export class RoundDriver {
    readonly #search: DrivenSearch;
    readonly #heap: WasmHeap;
    /** The limit of the growing parts of all memories. */
    readonly #mostBytes: number;
    /** Undefined once the seen set can no longer be split. */
    #sharding: Sharding | undefined;
    #rounds: Rounds | undefined;
    /** Moves the seen set to the shards, a page in each step. */
    #adoption: Iterator<void, void> | undefined;
    #hasHadRounds = false;

    constructor(search: DrivenSearch) {
        const { compiled, running, options } = search;
        this.#search = search;
        this.#heap = running.instance.heap;
        this.#mostBytes = (options.maxMemoryBytes ?? Infinity) - recentBytes(compiled.map);
        this.#sharding = shardingOf(compiled, options);
    }

    /** The bytes of all memories. */
    get bytes(): number {
        return recentBytes(this.#search.compiled.map) + this.#heap.bytes + (this.#rounds?.bytes ?? 0);
    }

    /** The limit of the growing parts of the main memory. */
    get mostOwnBytes(): number {
        return this.#mostBytes - (this.#rounds?.bytes ?? 0);
    }

    get threadCount(): number {
        return this.#hasHadRounds ? (this.#rounds?.threadCount ?? 1) : 1;
    }

    /** Whether all stored data are complete. */
    get isBetween(): boolean {
        return this.#adoption === undefined && this.#rounds?.isBetween !== false;
    }

    /** Whether `advance` continues the search. */
    get isWorking(): boolean {
        return !this.isBetween || this.#rounds?.isSplit === true;
    }

    get shardContents(): readonly Uint8Array[] {
        return this.#rounds?.isSplit === true ? this.#rounds.shardContents : [];
    }

    /** Takes over the shards of another search; false if there is no memory. */
    restore(shards: readonly StoredMemory[]): boolean {
        if (shards.length === 0) {
            return true;
        }
        this.#open({ workers: undefined, fromStates: Infinity, ...this.#sharding, shardCount: shards.length });
        this.#hasHadRounds = true;
        return this.#rounds?.restore(shards) === true;
    }

    close(): void {
        this.collectFired();
        this.#sharding = undefined;
        this.#rounds?.others.close();
    }

    /** Adds the summands that have fired in thread memories to the main memory. */
    collectFired(): void {
        const { model, map } = this.#search.compiled;
        const own = new Uint8Array(this.#heap.memory.buffer, map.fired, model.summands.length);
        for (const { buffer } of this.#rounds?.threadMemories ?? []) {
            new Uint8Array(buffer, map.fired, own.length).forEach((flag, summand) => (own[summand] |= flag));
        }
    }

    /** Opens or begins a round, or the move to shards, if the level or the seen set is large; true if it did. */
    begin(limit: WorkLimit): boolean {
        const { seen, progress } = this.#search;
        const sharding = this.#sharding;
        if (sharding === undefined) {
            return false;
        }
        const states = progress.levelEnd - progress.next;
        const isLarge = this.#heap.bytes >= sharding.fromBytes;
        if (this.#rounds === undefined && (isLarge || states >= sharding.fromStates / THREAD_START)) {
            this.#open(sharding);
            if (this.#rounds === undefined) {
                this.#sharding = undefined;
            }
        }
        const rounds = this.#rounds;
        if (rounds === undefined) {
            return false;
        }
        // Running threads are useful for smaller levels than starting threads.
        if (!isLarge && states < (this.#hasHadRounds ? rounds.fewStates : sharding.fromStates)) {
            return false;
        }
        if (sharding.waitsForThreads && !rounds.others.waitUntilReady(limit)) {
            return true;
        }
        if (!rounds.others.isReady && rounds.others.lost === undefined) {
            return false;
        }
        if (rounds.others.lost === undefined) {
            if (sharding.shardCount === 1 || !(isLarge || sharding.splitsEarly)) {
                return this.#advanceRound(rounds, limit);
            }
            const visit = rounds.beginAdoption(this.#heap.read(HEADER.count));
            if (visit !== undefined) {
                this.#adoption = seen.dissolve(visit);
                return true;
            }
        }
        this.close();
        this.#rounds = undefined;
        return false;
    }

    /** Continues the round or the move; false if there is no state to expand. */
    advance(limit: WorkLimit): boolean {
        if (this.#adoption === undefined) {
            return this.#rounds !== undefined && this.#advanceRound(this.#rounds, limit);
        }
        do {
            if (this.#adoption.next().done === true) {
                this.#adoption = undefined;
                return true;
            }
        } while (!limit.isExhausted());
        return true;
    }

    #open(sharding: Pick<Sharding, 'shardCount' | 'workers' | 'fromStates'>): void {
        const { running, compiled } = this.#search;
        this.#rounds = Rounds.open(running, compiled.map, {
            ...sharding,
            maxStates: this.#heap.read(HEADER.maxStates),
            mostBytes: this.#mostBytes,
        });
    }

    /** Continues a round, or begins one. */
    #advanceRound(rounds: Rounds, limit: WorkLimit): boolean {
        const { observer, progress } = this.#search;
        if (rounds.isBetween) {
            if (rounds.others.lost === undefined && !rounds.others.waitUntilReady(limit)) {
                return true;
            }
            if (!progress.beginLevel()) {
                return false;
            }
            this.#hasHadRounds = true;
            if (!this.#beginRound(rounds)) {
                progress.tellMemoryLimit(this.bytes);
                return true;
            }
        }
        const isComplete = rounds.work(limit);
        if (rounds.others.lost !== undefined) {
            observer.limited({ kind: 'thread', value: 1 });
        } else if (isComplete) {
            rounds.settle(progress);
        }
        return true;
    }

    /** False if there is no memory for all possible new states. */
    #beginRound(rounds: Rounds): boolean {
        const { queue, progress } = this.#search;
        queue.freeStates(progress.next);
        const available = Math.min(progress.levelEnd - progress.next, progress.statesBeforePause);
        const needed = this.#heap.read(HEADER.count) + rounds.mostNew(available);
        const hasRoom = queue.extend(needed, this.mostOwnBytes) >= needed;
        if (!hasRoom || !rounds.begin(progress.next, available)) {
            return false;
        }
        if (rounds.isExpanding && this.bytes < this.#mostBytes / 2) {
            // Also makes room for the next round while others work. Near the limit the tables need the memory more.
            queue.extend(needed + rounds.mostNew(available), this.mostOwnBytes);
        }
        return true;
    }
}
