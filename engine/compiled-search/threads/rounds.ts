/**
 * The rounds in which threads expand a level together, with the seen set in one memory or in several, its shards.
 *
 *     grow       tables that may become too full grow
 *     expand     each thread takes blocks of states, in order, and claims slots for their successors
 *     publish    each thread stores the states of its claims that still have their slots
 *     merge      each thread puts the new states of its blocks in order and writes them to the queue
 *
 * Between two tasks all threads wait for each other. States have the same numbers as in a search by one thread.
 */
import { invariant } from '../../common/assert.js';
import type { WorkLimit } from '../../common/work-limit.js';
import type { StoredMemory } from '../../explore/snapshot.js';
import type { WorkerHost } from '../../explore/worker-host.js';
import { type CompiledInstance, createMemory } from '../compiled-instance.js';
import type { RunningModel } from '../compiled-model.js';
import {
    provideSections,
    ROUND_CLAIMS,
    type SectionMap,
    sectionMap,
    threadMemoryMap,
    type ThreadMemoryMap,
} from './thread-memory.js';
import { HEADER, recentBytes, type MemoryMap } from '../memory-map.js';
import { BLOCK, blockAt, CONTROL, createControl, MOST_BLOCKS, type Task } from './round-control.js';
import { OtherThreads } from './other-threads.js';
import type { WasmMemory } from '../../webassembly/host.js';
import { mostParts, SearchThread, type SharedSearch } from './search-thread.js';
import type { SearchProgress } from '../search-progress.js';
import { GROWTHS, SlotTable } from '../slot-table.js';

/** A smaller round is left to the leading thread, unless threads are asked for earlier. */
const FEW_STATES = 1 << 10;
/** The factor of the first room of a shard over its states. */
const FIRST_ROOM = 1.25;
/** The least blocks of a round for each thread, so that all end at about the same time. */
const LEAST_BLOCKS = 8;

interface RoundsOptions {
    /** 1 if the seen set stays in the main memory. */
    readonly shardCount: number;
    /** Absent for one thread. */
    readonly workers?: WorkerHost | undefined;
    /** All threads take part from so many states of a level on. */
    readonly fromStates: number;
    readonly maxStates: number;
    /** The limit of all memories. */
    readonly mostBytes: number;
}

/** The bytes of thread memories, their recent states, and the control. */
function fixedBytes(map: MemoryMap, own: ThreadMemoryMap, threadCount: number, control: Int32Array): number {
    return threadCount * (own.end - map.end + recentBytes(map)) + control.byteLength;
}

export class Rounds {
    readonly #shared: SharedSearch;
    readonly others: OtherThreads;
    readonly #map: MemoryMap;
    readonly #threadMap: ThreadMemoryMap;
    readonly #section: SectionMap;
    readonly #mostBytes: number;
    /** All threads take part in rounds of at least so many states. */
    readonly fewStates: number;
    readonly #fixedBytes: number;
    readonly #thread: SearchThread;
    readonly #main: CompiledInstance;
    readonly #shards: readonly CompiledInstance[];
    #task: Task | undefined;
    #isOwnPartDone = false;

    /** Makes empty shards and starts threads; undefined if there is no memory. */
    static open({ module, instance }: RunningModel, map: MemoryMap, options: RoundsOptions): Rounds | undefined {
        const { shardCount, workers, mostBytes, maxStates } = options;
        const isShared = workers !== undefined;
        const threadCount = workers?.threadCount ?? 1;
        const memoryCount = shardCount > 1 ? shardCount : 0;
        const own = threadMemoryMap(map, shardCount);
        const control = createControl(shardCount, isShared);
        if (own === undefined || fixedBytes(map, own, threadCount, control) + instance.heap.bytes > mostBytes) {
            return undefined;
        }
        const threadMemories = Array.from({ length: threadCount }, () => createMemory(own.end, isShared));
        const shards = Array.from({ length: memoryCount }, () => createMemory(map.end, isShared));
        if (![...threadMemories, ...shards].every(memory => memory !== undefined)) {
            return undefined;
        }
        const shared: SharedSearch = {
            module,
            map,
            control,
            main: instance.heap.memory,
            threadMemories: threadMemories.filter(memory => memory !== undefined),
            shards: shards.filter(memory => memory !== undefined),
            maxStates,
        };
        return new Rounds(shared, own, instance, options);
    }

    private constructor(
        shared: SharedSearch,
        own: ThreadMemoryMap,
        main: CompiledInstance,
        { fromStates, workers, mostBytes }: RoundsOptions,
    ) {
        const { map, threadMemories, control } = shared;
        this.#shared = shared;
        this.#map = map;
        this.#threadMap = own;
        this.#section = sectionMap(map, own, mostParts(shared));
        this.#mostBytes = mostBytes;
        this.#main = main;
        this.fewStates = Math.min(FEW_STATES, fromStates);
        this.#fixedBytes = fixedBytes(map, own, threadMemories.length, control);
        this.#thread = new SearchThread(shared, 0, main);
        this.#shards = shared.shards.map((_, shard) => this.#thread.shard(shard));
        this.others = new OtherThreads(shared, workers);
    }

    /** The leading one included. */
    get threadCount(): number {
        return this.#shared.threadMemories.length;
    }

    /** The bytes of all shards and thread memories. */
    get bytes(): number {
        return this.#shards.reduce((total, { heap }) => total + heap.bytes, this.#fixedBytes);
    }

    /** The thread memories, which never grow. */
    get threadMemories(): readonly WasmMemory[] {
        return this.#shared.threadMemories;
    }

    /** Whether there is no round: then all stored data are complete. */
    get isBetween(): boolean {
        return this.#task === undefined;
    }

    /** Whether states are being expanded; other threads then neither allocate nor free pages. */
    get isExpanding(): boolean {
        return this.#task === 'expand';
    }

    /** Whether the seen set is in the shards. */
    get isSplit(): boolean {
        return this.#control[CONTROL.isSplit] === 1;
    }

    /** The most new states in a round with so many states to expand. */
    mostNew(available: number): number {
        const perThread = ROUND_CLAIMS + this.#threadMap.blockEntries;
        return Math.min(this.#threadsFor(available) * perThread, available * this.#map.mostFirings);
    }

    /** Begins to move the table to the shards: a function to call with each page; undefined if there is no memory. */
    beginAdoption(states: number): ((address: number, slots: number) => void) | undefined {
        const control = this.#control;
        const tables = this.#shards.map(shard => new SlotTable(shard, this.#map));
        const inPage = 2 ** this.#map.slots[0].shift;
        const expected = Math.ceil((states * FIRST_ROOM) / tables.length) + inPage;
        const hasRoom =
            this.#provideSections(this.#shards) &&
            this.#beginGrowth(
                tables.map(table => ({ table, states: expected })),
                1,
            );
        if (!hasRoom) {
            return undefined;
        }
        control[CONTROL.isSplit] = 1;
        return (address, slots) => {
            this.#thread.adopt(address, slots);
            invariant(
                this.#shards.every(({ heap }, shard) => heap.read(HEADER.count) < tables[shard].capacity),
                'shards have about the same number of states',
            );
        };
    }

    /** Begins a round for some of these states, with room in the queue; false if there is no memory for new states. */
    begin(first: number, available: number): boolean {
        const seenSets = this.#seenSets();
        const threads = this.#threadsFor(available);
        const mostNew = this.mostNew(available);
        const growing = seenSets
            .map(part => ({
                table: new SlotTable(part, this.#map),
                states: part.heap.read(HEADER.count) + mostNew,
            }))
            .filter(({ table, states }) => table.capacity < states);
        if (!this.#provideSections([this.#main, ...seenSets]) || !this.#beginGrowth(growing, threads)) {
            return false;
        }
        const control = this.#control;
        control[CONTROL.first] = first;
        control[CONTROL.available] = available;
        control[CONTROL.takesAll] = this.#main.heap.read(HEADER.takesAll);
        control[CONTROL.blocks] = 0;
        control[CONTROL.isEnough] = 0;
        control[CONTROL.threads] = threads;
        control[CONTROL.blockStates] = Math.min(
            this.#threadMap.blockStates,
            Math.ceil(available / (threads * LEAST_BLOCKS)),
        );
        this.#begin(growing.length > 0 ? 'grow' : 'expand');
        return true;
    }

    /** Works on the task; true after the last task of the round. */
    work(limit: WorkLimit): boolean {
        const task = this.#task;
        invariant(task !== undefined, 'something was begun');
        if (!this.#isOwnPartDone) {
            this.#thread.work(task, () => limit.isExhausted());
            if (this.#thread.isGrowing) {
                return false;
            }
            this.#isOwnPartDone = true;
        }
        return this.others.waitUntilDone(limit) && this.#finishTask(task);
    }

    /** Ends the round after the last task: takes over the results of the blocks, in the order of their states. */
    settle(progress: SearchProgress): void {
        const control = this.#control;
        const { heap } = this.#main;
        const blocks = control[CONTROL.blocks];
        const blockStates = control[CONTROL.blockStates];
        progress.next += Math.min(control[CONTROL.available] >>> 0, blocks * blockStates);
        for (let block = 0; block < blocks; block++) {
            const record = this.#blockAt(block);
            const first = (control[CONTROL.first] >>> 0) + block * blockStates;
            const base = control[record + BLOCK.base] >>> 0;
            heap.write(HEADER.count, base + control[record + BLOCK.found]);
            const events = control[record + BLOCK.firstEvent] >>> 0;
            if (!progress.tell(events, control[record + BLOCK.endEvent] >>> 0, first, base)) {
                return;
            }
            progress.takeOver(
                control[record + BLOCK.transitions],
                control[record + BLOCK.outside],
                control[record + BLOCK.enabled],
            );
        }
        this.#task = undefined;
    }

    /** The memories of the shards between two rounds. */
    get shardContents(): readonly Uint8Array[] {
        return this.#shards.map(({ heap }) => heap.contents);
    }

    /** Takes over the shards of another search before the first round; false if there is no memory. */
    restore(shards: readonly StoredMemory[]): boolean {
        this.#control[CONTROL.isSplit] = 1;
        return this.#shards.every(({ heap }, shard) => heap.restore(shards[shard]));
    }

    get #control(): Int32Array {
        return this.#shared.control;
    }

    /** The present parts of the seen set. */
    #seenSets(): readonly CompiledInstance[] {
        return this.isSplit ? this.#shards : [this.#main];
    }

    #threadsFor(available: number): number {
        return available < this.fewStates ? 1 : this.#shared.threadMemories.length;
    }

    /** The bytes of all memories. */
    get #allBytes(): number {
        return this.bytes + this.#main.heap.bytes;
    }

    /** Provides sections for all threads in these memories; false if there is no memory. */
    #provideSections(memories: readonly CompiledInstance[]): boolean {
        return memories.every(({ heap }) =>
            provideSections(heap, this.threadCount, this.#section, this.#map, this.#mostBytes - this.#allBytes),
        );
    }

    /** Begins to grow tables for so many states, each moved in so many parts; false if there is no memory. */
    #beginGrowth(growing: readonly { table: SlotTable; states: number }[], parts: number): boolean {
        for (const growth of GROWTHS) {
            const longer = growing.map(({ table, states }) => ({ table, slots: table.slotsFor(states, growth) }));
            const bytes = longer.reduce(
                (total, { table, slots }) => total + table.growthBytes(slots, parts),
                this.#allBytes,
            );
            if (bytes <= this.#mostBytes && longer.every(({ table, slots }) => table.canGrow(slots, parts))) {
                return longer.every(({ table, slots }) => table.beginGrowth(slots, Infinity, parts));
            }
        }
        return false;
    }

    #begin(task: Task): void {
        this.#task = task;
        this.#isOwnPartDone = false;
        this.#control[CONTROL.next] = 0;
        this.others.begin(task);
    }

    /** Begins the next task; true after the last one. */
    #finishTask(task: Task): boolean {
        const control = this.#control;
        switch (task) {
            case 'grow':
                for (const table of this.#seenSets().map(part => new SlotTable(part, this.#map))) {
                    if (table.isGrowing) {
                        table.finishGrowth(control[CONTROL.threads]);
                    }
                }
                this.#begin('expand');
                return false;
            case 'expand': {
                const blocks = Math.ceil((control[CONTROL.available] >>> 0) / control[CONTROL.blockStates]);
                control[CONTROL.blocks] = Math.min(Atomics.load(control, CONTROL.next), blocks, MOST_BLOCKS);
                this.#begin('publish');
                return false;
            }
            case 'publish':
                this.#numberNewStates();
                this.#begin('merge');
                return false;
            case 'merge':
                return true;
        }
    }

    /** Writes the number of the first new state of each block. */
    #numberNewStates(): void {
        const control = this.#control;
        let next = this.#main.heap.read(HEADER.count);
        for (let block = 0; block < control[CONTROL.blocks]; block++) {
            const record = this.#blockAt(block);
            control[record + BLOCK.base] = next;
            next += control[record + BLOCK.found];
        }
    }

    #blockAt(block: number): number {
        return blockAt(block, mostParts(this.#shared));
    }
}
