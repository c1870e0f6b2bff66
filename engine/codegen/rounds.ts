/**
 * A seen set in several memories, its shards, and the rounds in which threads fill it.
 *
 *     expand     each thread takes blocks of states, in order, and puts their successors into outboxes, one for each shard
 *     grow       tables that may become too full grow
 *     lookUp     each thread takes shards, and stores what is new of what was put into their outboxes, in order
 *     merge      each thread puts the new states of its blocks together and writes them to the tapes
 *
 * Between two tasks all threads wait for each other. The numbers of states, hence everything that is reported, are those
 * of a search by one thread in one memory: who expands a block or fills a shard changes nothing (search-thread.ts).
 *
 * One thread leads. It does its part of every task, alone where there is little to do, and comes back to its caller while
 * the others are not done.
 */
import { invariant } from '../common/assert.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { StoredMemory } from '../explore/snapshot.js';
import type { WorkerHandle, WorkerHost } from '../explore/worker-host.js';
import { type CompiledInstance, createMemory } from './compiled-instance.js';
import type { RunningModel } from './compiled-model.js';
import { deskMap, type DeskMap } from './desk.js';
import { EVENT_BYTES, HEADER, recentBytes, type MemoryMap } from './memory-map.js';
import { BLOCK, blockAt, CONTROL, createControl, failureOf, MOST_BLOCKS, TASK, type Task } from './round-control.js';
import { SearchThread, type SharedSearch } from './search-thread.js';
import type { SearchWorkerData } from './search-worker.js';
import { GROWTHS, SlotTable } from './slot-table.js';

/** A round of fewer states is left to the leading thread, unless shards are asked for from fewer on. */
const FEW_STATES = 1 << 10;
/** A shard begins with room for this part more states than it is given. */
const FIRST_ROOM = 1.25;
/** The leading thread looks this often, in milliseconds, whether its caller has given up while others are not done. */
const WAIT_MILLISECONDS = 5;
/**
 * When nothing at all is done while the leading thread has waited so many times, ten minutes and on a busy machine far more,
 * a thread is lost. Its host says so at once where the caller comes back to its event loop; this is for one that does not,
 * and a thread that only gets no turn must not be taken for a lost one.
 */
const MOST_WAITS = 120_000;

export interface RoundsOptions {
    readonly shardCount: number;
    /** Absent where one thread does everything. */
    readonly workers?: WorkerHost | undefined;
    /** So many states of a level are enough for shards, and for all threads to take part. */
    readonly fromStates: number;
    readonly maxStates: number;
    /** That all shards and desks may have. */
    readonly mostBytes: number;
}

/** What the states of a block have come to. */
export interface FinishedBlock {
    /** The number of its first state, and of the first new one. */
    readonly first: number;
    readonly base: number;
    readonly found: number;
    readonly transitions: number;
    /** Kind, subject, state, states stored, transitions: counted in the block. */
    readonly events: readonly Uint32Array[];
}

/** What desks take, with the states that each remembers, and the inboxes of shards. */
function fixedBytes(map: MemoryMap, desk: DeskMap, desks: number, shards: number): number {
    return desks * (desk.end - map.end + recentBytes(map)) + shards * (map.inboxEnd - map.inbox);
}

export class Rounds {
    readonly #shared: SharedSearch;
    readonly #map: MemoryMap;
    readonly #blockStates: number;
    /** States of a round from which on all threads take part in it. */
    readonly #fewStates: number;
    /** Of desks and inboxes, and of what threads tell each other. */
    readonly #fixedBytes: number;
    readonly #thread: SearchThread;
    readonly #shards: readonly CompiledInstance[];
    readonly #tables: readonly SlotTable[];
    readonly #handles: readonly WorkerHandle[];
    #task: Task | undefined;
    #isOwnPartDone = false;
    #waits = 0;
    #pulse = 0;
    #lost: string | undefined;

    /** Makes empty shards, and starts threads if there are any. Undefined where there is no memory for it. */
    static open({ module, instance }: RunningModel, map: MemoryMap, options: RoundsOptions): Rounds | undefined {
        const { shardCount, workers, fromStates, maxStates, mostBytes } = options;
        const isShared = workers !== undefined;
        const threadCount = workers?.threadCount ?? 1;
        const desk = deskMap(map, shardCount);
        if (desk === undefined || fixedBytes(map, desk, threadCount, shardCount) > mostBytes) {
            return undefined;
        }
        const desks = Array.from({ length: threadCount }, () => createMemory(desk.end, isShared));
        const shards = Array.from({ length: shardCount }, () => createMemory(map.end, isShared));
        if (![...desks, ...shards].every(memory => memory !== undefined)) {
            return undefined;
        }
        const shared: SharedSearch = {
            module,
            map,
            control: createControl(shardCount, isShared),
            tapes: instance.heap.memory,
            desks: desks.filter(memory => memory !== undefined),
            shards: shards.filter(memory => memory !== undefined),
            maxStates,
        };
        return new Rounds(shared, desk, Math.min(FEW_STATES, fromStates), workers);
    }

    private constructor(shared: SharedSearch, desk: DeskMap, fewStates: number, workers: WorkerHost | undefined) {
        this.#shared = shared;
        this.#map = shared.map;
        this.#blockStates = desk.blockStates;
        this.#fewStates = fewStates;
        const { map, desks, shards, control } = shared;
        this.#fixedBytes = fixedBytes(map, desk, desks.length, shards.length) + control.byteLength;
        this.#thread = new SearchThread(shared, 0);
        this.#shards = shared.shards.map((_, shard) => this.#thread.shard(shard));
        this.#tables = this.#shards.map(instance => new SlotTable(instance, shared.map));
        this.#handles = Array.from({ length: shared.desks.length - 1 }, (_, worker): WorkerHandle => {
            invariant(workers !== undefined, 'other threads come from a host');
            const data: SearchWorkerData = { shared, number: worker + 1 };
            return workers.start(data, reason => (this.#lost ??= reason));
        });
    }

    /** The leading one included. */
    get threadCount(): number {
        return this.#shared.desks.length;
    }

    /** Whether all threads have begun. */
    get isReady(): boolean {
        this.#checkFailure();
        return Atomics.load(this.#shared.control, CONTROL.ready) === this.#handles.length;
    }

    /** Waits until all have begun, or one is lost; false where the limit was exhausted first. */
    waitUntilReady(limit: WorkLimit): boolean {
        const control = this.#shared.control;
        while (!this.isReady && this.#lost === undefined) {
            this.#wait(CONTROL.ready, Atomics.load(control, CONTROL.ready));
            if (limit.isExhausted()) {
                return false;
            }
        }
        return true;
    }

    /** Why a thread has ended that was needed; undefined while none has. */
    get lost(): string | undefined {
        return this.#lost;
    }

    /** Of all shards and desks. */
    get bytes(): number {
        return this.#shards.reduce((total, { heap }) => total + heap.bytes, this.#fixedBytes);
    }

    /** The memories of the desks, which never grow. */
    get deskWords(): readonly Uint32Array[] {
        return this.#shared.desks.map(({ buffer }) => new Uint32Array(buffer));
    }

    /** Between two rounds all that is stored is complete. */
    get isBetween(): boolean {
        return this.#task === undefined;
    }

    /** Entries made in this round. */
    get entries(): number {
        return this.#sum(record => this.#control[record + BLOCK.endEntry] - this.#control[record + BLOCK.firstEntry]);
    }

    /** New states found in this round. */
    get found(): number {
        return this.#sum(record => this.#control[record + BLOCK.found]);
    }

    /** States expanded in this round. */
    get expanded(): number {
        return Math.min(this.#control[CONTROL.available] >>> 0, this.#control[CONTROL.blocks] * this.#blockStates);
    }

    /**
     * Begins to take over a table of so many states, whose memory is that of the tapes; what is to be called with each of its
     * pages. Undefined where that takes more than `mostBytes`.
     */
    beginAdoption(states: number, mostBytes: number): ((address: number, slots: number) => void) | undefined {
        const inPage = 2 ** this.#map.slots[0].shift;
        const expected = Math.ceil((states * FIRST_ROOM) / this.#tables.length) + inPage;
        const tables = this.#tables.map(table => ({ table, states: expected }));
        if (!this.#beginGrowth(tables, mostBytes)) {
            return undefined;
        }
        this.#tables.forEach(table => table.grow());
        return (address, slots) => {
            this.#thread.adopt(address, slots);
            invariant(
                this.#shards.every(({ heap }, shard) => heap.words[HEADER.count / 4] < this.#tables[shard].capacity),
                'shards have about the same number of states',
            );
        };
    }

    /** Begins a round that expands some of these states. */
    expand(first: number, available: number): void {
        const control = this.#control;
        control[CONTROL.first] = first;
        control[CONTROL.available] = available;
        control[CONTROL.blocks] = 0;
        control[CONTROL.threads] = available < this.#fewStates ? 1 : this.#shared.desks.length;
        this.#begin('expand');
    }

    /**
     * After `expand`: makes room in the shards for what may be new; false where there is no memory, or it would take more than
     * `mostBytes` together. Then nothing was stored.
     */
    grow(mostBytes: number): boolean {
        const needed = this.#tables.map((table, shard) => {
            const outbox = BLOCK.outboxes + 2 * shard;
            const bytes = this.#sum(record => this.#control[record + outbox + 1] - this.#control[record + outbox]);
            const states = this.#shards[shard].heap.words[HEADER.count / 4] + bytes / this.#map.entryBytes;
            return { table, states };
        });
        const growing = needed.filter(({ table, states }) => table.capacity < states);
        if (!this.#beginGrowth(growing, mostBytes)) {
            return false;
        }
        this.#begin(growing.length > 0 ? 'grow' : 'lookUp');
        return true;
    }

    /** After `grow`. */
    lookUp(): void {
        this.#begin('lookUp');
    }

    /** After `lookUp`: the first new state gets this number. */
    merge(base: number): void {
        const control = this.#control;
        let next = base;
        for (let block = 0; block < control[CONTROL.blocks]; block++) {
            const record = this.#blockAt(block);
            control[record + BLOCK.base] = next;
            next += control[record + BLOCK.found];
        }
        this.#begin('merge');
    }

    /** Works on the task that was begun; says which one once all threads are done with it. */
    work(limit: WorkLimit): Task | undefined {
        const task = this.#task;
        invariant(task !== undefined, 'something was begun');
        if (!this.#isOwnPartDone) {
            this.#thread.work(task, () => limit.isExhausted());
            const threads = this.#control[CONTROL.threads];
            if (task === 'grow' && this.#tables.some((table, shard) => shard % threads === 0 && table.isGrowing)) {
                return undefined;
            }
            this.#isOwnPartDone = true;
        }
        if (!this.#waitForOthers(limit)) {
            return undefined;
        }
        this.#finishTask(task);
        return task;
    }

    /** After `merge`, in the order of their states. Ends the round. */
    *finishedBlocks(): Generator<FinishedBlock, void> {
        const control = this.#control;
        const firstState = control[CONTROL.first] >>> 0;
        for (let block = 0; block < control[CONTROL.blocks]; block++) {
            const record = this.#blockAt(block);
            const { buffer } = this.#shared.desks[control[record + BLOCK.desk]];
            const events: Uint32Array[] = [];
            for (let event = control[record + BLOCK.firstEvent]; event < control[record + BLOCK.endEvent];) {
                events.push(new Uint32Array(buffer, event, EVENT_BYTES / 4));
                event += EVENT_BYTES;
            }
            yield {
                first: firstState + block * this.#blockStates,
                base: control[record + BLOCK.base] >>> 0,
                found: control[record + BLOCK.found],
                transitions: control[record + BLOCK.transitions],
                events,
            };
        }
        this.#task = undefined;
    }

    /** Gives up a round of which nothing is stored yet, for want of memory. */
    drop(): void {
        invariant(this.#task === 'expand', 'nothing of the round is stored');
        for (const table of this.#tables) {
            while (!table.grow());
        }
        this.#task = undefined;
    }

    /** The memories of the shards, between two rounds. */
    get shardContents(): readonly Uint8Array[] {
        return this.#shards.map(({ heap }) => heap.contents);
    }

    /** Takes over the shards of another search, before the first round; false where there is no memory for them. */
    restore(shards: readonly StoredMemory[]): boolean {
        return this.#shards.every(({ heap }, shard) => heap.restore(shards[shard]));
    }

    /** Ends the threads. */
    close(): void {
        const control = this.#control;
        Atomics.store(control, CONTROL.cancelled, 1);
        Atomics.store(control, CONTROL.kind, TASK.end);
        Atomics.add(control, CONTROL.task, 1);
        Atomics.notify(control, CONTROL.task);
        for (const handle of this.#handles) {
            handle.terminate();
        }
    }

    get #control(): Int32Array {
        return this.#shared.control;
    }

    /** Whether tables that are to take so many states can grow. */
    #beginGrowth(growing: readonly { table: SlotTable; states: number }[], mostBytes: number): boolean {
        for (const growth of GROWTHS) {
            const longer = growing.map(({ table, states }) => ({ table, slots: table.slotsFor(states, growth) }));
            const bytes = longer.reduce((total, { table, slots }) => total + table.growthBytes(slots), this.bytes);
            if (bytes <= mostBytes) {
                return longer.every(({ table, slots }) => table.beginGrowth(slots, Infinity));
            }
        }
        return false;
    }

    #begin(task: Task): void {
        const control = this.#control;
        this.#task = task;
        this.#isOwnPartDone = false;
        this.#waits = 0;
        control[CONTROL.next] = 0;
        control[CONTROL.done] = 0;
        if (control[CONTROL.threads] > 1) {
            Atomics.store(control, CONTROL.kind, TASK[task]);
            Atomics.add(control, CONTROL.task, 1);
            Atomics.notify(control, CONTROL.task);
        }
    }

    #finishTask(task: Task): void {
        if (task === 'expand') {
            const control = this.#control;
            const blocks = Math.ceil((control[CONTROL.available] >>> 0) / this.#blockStates);
            control[CONTROL.blocks] = Math.min(Atomics.load(control, CONTROL.next), blocks, MOST_BLOCKS);
        }
    }

    /** False where they are not done yet, or one is lost. */
    #waitForOthers(limit: WorkLimit): boolean {
        const control = this.#control;
        for (;;) {
            const done = Atomics.load(control, CONTROL.done);
            this.#checkFailure();
            if (done === control[CONTROL.threads] - 1) {
                return true;
            }
            if (this.#lost !== undefined) {
                return false;
            }
            this.#wait(CONTROL.done, done);
            if (limit.isExhausted()) {
                return false;
            }
        }
    }

    /** For a while, until a number of the control is not what it was. */
    #wait(number: number, seen: number): void {
        const control = this.#control;
        if (Atomics.wait(control, number, seen, WAIT_MILLISECONDS) !== 'timed-out') {
            this.#waits = 0;
            return;
        }
        const pulse = Atomics.load(control, CONTROL.pulse);
        this.#waits = pulse === this.#pulse ? this.#waits + 1 : 0;
        this.#pulse = pulse;
        if (this.#waits >= MOST_WAITS) {
            this.#lost = 'it does not answer';
        }
    }

    #checkFailure(): void {
        const failure = failureOf(this.#control);
        invariant(failure === undefined, `a thread of the search has failed: ${failure ?? ''}`);
    }

    #sum(valueOf: (record: number) => number): number {
        let total = 0;
        for (let block = 0; block < this.#control[CONTROL.blocks]; block++) {
            total += valueOf(this.#blockAt(block));
        }
        return total;
    }

    #blockAt(block: number): number {
        return blockAt(block, this.#shards.length);
    }
}
