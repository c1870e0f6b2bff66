/**
 * A breadth-first search whose inner loops are generated code.
 *
 * A slice of work expands states of one level: generated code appends their successors to the batch, stores the new
 * ones and notes events, which are then told in order. If generated code does not find all representatives, the
 * canonicalizer replaces the states of the batch before they are stored.
 */
import { invariant } from '../common/assert.js';
import { readUsage } from '../codegen/free-slots.js';
import type { WorkLimit } from '../common/work-limit.js';
import { OverheadMeter, type ReductionOverhead } from '../explore/reduction-overhead.js';
import { NO_PARENT } from '../explore/seen-set.js';
import type { InitialRest } from '../explore/initial/initial-rest.js';
import type { SearchSnapshot, StoredSearch } from '../explore/snapshot.js';
import type { SearchObserver, StateSearchOptions, StateSearch, StateSearchFactory } from '../explore/state-search.js';
import type { SelectionCounts } from '../explore/step-selection.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { compileModel, instantiate } from './compiled-model.js';
import { CompiledInitialStates } from './compiled-initial-states.js';
import { type CompiledInstance, leaveSharedMemory } from './compiled-instance.js';
import type { CompilationOptions, CompiledModel, NotCompiled, RunningModel } from './compiled-model.js';
import { ENTRY, FAULT_ENTRY, HEADER, LEFT, STUCK_ENTRY } from './memory-map.js';
import { RoundDriver } from './threads/round-driver.js';
import { StateQueue } from './state-queue.js';
import { MOST_STATES, SearchProgress } from './search-progress.js';
import type { WasmHeap } from './wasm-heap.js';
import { FULL, GROWTHS, SlotTable } from './slot-table.js';
import { PathReplay } from './path-replay.js';

/**
 * The entries of a slice if every state has the most firings: a tenth of a second, even with representatives. The host
 * replaces generated code by better code only after a return from it.
 */
const SLICE_ENTRIES = 1 << 20;
const SLICE_ENTRIES_REDUCED = 1 << 16;
/** The queue gets room for this many more states at a time. */
const ROOM_STATES = 1 << 12;

/** The reason to interpret a model that was compiled. */
export const NO_WEBASSEMBLY = 'there is no WebAssembly here, or no memory for it';

interface CompiledSearchOf {
    readonly kind: 'compiled';
    readonly search: StateSearchFactory;
    /** Plain data: the layout of the memories, and whether the code finds all representatives. */
    readonly memory: object;
}

/** A compiled search of a model, to be used once, or the reason why the model has to be interpreted. */
export function compileSearchOf(
    model: SequentialModel,
    options: CompilationOptions = {},
): CompiledSearchOf | NotCompiled {
    const compiled = compileModel(model, options);
    if (compiled.kind === 'interpreted') {
        return compiled;
    }
    const running = instantiate(compiled);
    if (running === undefined) {
        return { kind: 'interpreted', reason: NO_WEBASSEMBLY };
    }
    return {
        kind: 'compiled',
        memory: { map: compiled.map, leavesStates: compiled.leavesStates },
        search: (observer, options) => new CompiledSearch(compiled, running, observer, options),
    };
}

class CompiledSearch implements StateSearch {
    readonly #compiled: CompiledModel;
    readonly #instance: CompiledInstance;
    readonly #heap: WasmHeap;
    readonly #progress: SearchProgress;
    readonly #threads: RoundDriver;
    readonly #seen: SlotTable;
    readonly #queue: StateQueue;
    readonly #paths: PathReplay;
    readonly #observer: SearchObserver;
    readonly #options: StateSearchOptions;
    readonly #state: Int32Array;
    readonly #representative: Int32Array;

    /** The next entry of the batch to replace by its representative; 0 if there is none. */
    #entry = 0;
    /** Whether successors are missing since a representative was not found. */
    #lacksSuccessors = false;
    #isClosed = false;
    #initialStates: CompiledInitialStates | undefined;
    /** Undefined without representatives or a clock. */
    readonly #meter: OverheadMeter | undefined;

    constructor(compiled: CompiledModel, running: RunningModel, observer: SearchObserver, options: StateSearchOptions) {
        this.#compiled = compiled;
        this.#instance = running.instance;
        this.#heap = running.instance.heap;
        this.#seen = new SlotTable(running.instance, compiled.map);
        this.#queue = new StateQueue(this.#heap, compiled.map);
        this.#paths = new PathReplay(compiled, running.instance, this.#queue, options.canonicalizer);
        this.#observer = observer;
        this.#options = options;
        const { canonicalizer, now } = options;
        this.#meter = canonicalizer === undefined || now === undefined ? undefined : new OverheadMeter(now);
        this.#state = new Int32Array(compiled.model.cells.length);
        this.#representative = new Int32Array(compiled.model.cells.length);
        this.#progress = new SearchProgress(compiled, this.#heap, this.#paths, observer, options);
        this.#threads = new RoundDriver({
            compiled,
            running,
            observer,
            options,
            seen: this.#seen,
            queue: this.#queue,
            progress: this.#progress,
        });
        this.#heap.write(HEADER.maxStates, Math.min(options.maxStates ?? MOST_STATES, MOST_STATES));
        this.#heap.write(HEADER.batchEnd, compiled.map.batch);
        this.#heap.write(HEADER.eventEnd, compiled.map.events);
    }

    get stateCount(): number {
        return this.#progress.states;
    }

    get nextState(): number {
        return this.#progress.nextState;
    }

    get outside(): number {
        return this.#progress.outside;
    }

    get transitions(): number {
        return this.#progress.transitions;
    }

    get selected(): SelectionCounts | undefined {
        return (
            this.#options.selection && {
                enabled: this.#progress.enabled,
                isOff: this.#heap.read(HEADER.takesAll) === 1,
            }
        );
    }

    get depth(): number {
        return this.#progress.depth;
    }

    get bytes(): number {
        return this.#threads.bytes;
    }

    get peakBytes(): number {
        return this.bytes;
    }

    /** The bound for all pairs of states; one of the 64 bits of a fingerprint is the mark. */
    get omissionProbability(): number {
        const states = this.stateCount;
        return this.#compiled.map.key === 0 ? 0 : Math.min(1, (states * (states - 1)) / 2 / 2 ** 63);
    }

    get threadCount(): number {
        return this.#threads.threadCount;
    }

    get overhead(): ReductionOverhead | undefined {
        return this.#meter?.overhead;
    }

    get bytesPerState(): number {
        const { keyLongs, summandBytes } = this.#compiled.map;
        return Math.ceil((8 * keyLongs) / FULL + summandBytes + 2 / 8);
    }

    addInitialState(state: Readonly<Int32Array>, limit: WorkLimit): void {
        const { layout, map, leavesStates } = this.#compiled;
        if (!this.#hasRoomForInitialState(limit)) {
            return;
        }
        const entry = this.#heap.read(HEADER.batchEnd);
        const words = this.#heap.words;
        layout.packLong(inForm(state, this.#options), words, entry / 4);
        const tail = entry / 4 + 2 * map.longCount;
        words[tail + ENTRY.parent / 4] = NO_PARENT;
        words[tail + ENTRY.summand / 4] = 0;
        this.#heap.write(HEADER.batchEnd, entry + map.entryBytes);
        // The canonicalizer may be slow, so its states are stored one by one.
        if (leavesStates || entry + map.entryBytes >= map.fullBatch) {
            this.storeInitialStates(limit);
        }
    }

    /** False if the search takes no more states. */
    #hasRoomForInitialState(limit: WorkLimit): boolean {
        if (this.#progress.isStopped) {
            return false;
        }
        if (this.#heap.read(HEADER.batchEnd) === this.#compiled.map.batch) {
            if (!this.#makeRoom()) {
                return false;
            }
            while (!this.#seen.grow()) {
                // Only for its exception: a state that was found has to be stored.
                limit.isExhausted();
            }
        }
        return true;
    }

    takeInitialStates(rest: InitialRest): boolean {
        const { canonicalizer } = this.#options;
        // With unique representatives, more states of an orbit change nothing.
        const isUnique = canonicalizer?.strategy.unique !== false;
        if (this.#compiled.leavesStates || this.#compiled.numbers !== undefined || (rest.isReduced && !isUnique)) {
            return false;
        }
        this.#initialStates ??= CompiledInitialStates.of(rest, this.#compiled);
        this.#initialStates?.begin(rest);
        return this.#initialStates !== undefined;
    }

    advanceInitialStates(limit: WorkLimit): boolean {
        const rest = this.#initialStates;
        if (rest?.isLeft !== true || !this.#hasRoomForInitialState(limit)) {
            return false;
        }
        const end = this.#heap.read(HEADER.batchEnd);
        const entries = rest.entries(this.#compiled.map.fullBatch - end);
        this.#heap.words.set(entries, end / 4);
        this.#heap.write(HEADER.batchEnd, end + 4 * entries.length);
        this.storeInitialStates(limit);
        return true;
    }

    storeInitialStates(limit: WorkLimit): void {
        if (!this.#progress.isStopped && this.#heap.read(HEADER.batchEnd) > this.#compiled.map.batch) {
            this.#entry = this.#compiled.map.batch;
            this.#storeBatch(limit);
            this.#queue.initialStates = this.#heap.read(HEADER.count);
        }
    }

    advance(limit: WorkLimit): boolean {
        const goesOn = this.#advance(limit);
        for (const template of this.#compiled.templates) {
            readUsage(template, this.#heap.words);
        }
        return goesOn;
    }

    #advance(limit: WorkLimit): boolean {
        if (this.#progress.isStopped) {
            return false;
        }
        if (this.#entry !== 0) {
            this.#storeBatch(limit);
            return true;
        }
        if (this.#threads.isWorking) {
            return this.#threads.advance(limit);
        }
        if (this.#seen.isGrowing) {
            while (!this.#seen.grow() && !limit.isExhausted());
            return true;
        }
        if (!this.#progress.beginLevel()) {
            return false;
        }
        if (this.#threads.begin(limit)) {
            return true;
        }
        if (!this.#makeRoom() || this.#seen.isGrowing) {
            return true;
        }
        const sliceEntries = this.#options.canonicalizer === undefined ? SLICE_ENTRIES : SLICE_ENTRIES_REDUCED;
        const sliceStates = Math.ceil(sliceEntries / this.#compiled.map.usualEntries);
        const progress = this.#progress;
        const end = Math.min(progress.levelEnd, progress.next + Math.min(sliceStates, progress.statesBeforePause));
        const { leavesStates } = this.#compiled;
        const isMeasured = this.#meter?.beginSlice() === true;
        if (leavesStates || isMeasured) {
            progress.next = timed(this.#meter, 'rest', () => this.#instance.expand(progress.next, end, 0) >>> 0);
            this.#entry = this.#compiled.map.batch;
            this.#meter?.count((this.#heap.read(HEADER.batchEnd) - this.#entry) / this.#compiled.map.entryBytes);
            this.#storeBatch(limit);
        } else {
            progress.next = this.#instance.expand(progress.next, end, 1) >>> 0;
            this.#progress.settle();
        }
        return true;
    }

    stop(): void {
        this.#progress.isStopped = true;
        this.close();
    }

    close(): void {
        if (this.#isClosed) {
            return;
        }
        this.#isClosed = true;
        this.#threads.close();
        if (this.#compiled.isShared) {
            leaveSharedMemory(this.bytes);
        }
    }

    /** Between two slices, or two rounds, the memories and a few counts are the whole search. */
    snapshot(): SearchSnapshot | undefined {
        const isWhole = this.#entry === 0 && this.#threads.isBetween && !this.#lacksSuccessors;
        // A growing table has reserved pages that another memory would lack.
        if (this.#seen.isGrowing || !isWhole || this.#progress.isTelling) {
            return undefined;
        }
        this.#threads.collectFired();
        const counts = { ...this.#progress.counts, ...this.#queue.counts };
        return { counts, memories: [this.#heap.contents, ...this.#threads.shardContents] };
    }

    restore({ counts, memories: [main, ...shards] }: StoredSearch): boolean {
        const mostBytes = this.#options.maxMemoryBytes ?? Infinity;
        const bytes = [main, ...shards].reduce((total, { byteLength }) => total + byteLength, 0);
        if (bytes > mostBytes || !this.#heap.restore(main)) {
            return false;
        }
        this.#heap.write(HEADER.maxStates, Math.min(this.#options.maxStates ?? MOST_STATES, MOST_STATES));
        this.#heap.write(HEADER.isStopped, 0);
        this.#progress.restore(counts);
        this.#queue.restore(counts);
        return this.#threads.restore(shards);
    }

    parentOf(index: number): number {
        return this.#paths.parentOf(index);
    }

    stateInto(target: Int32Array, index: number): void {
        this.#paths.stateInto(target, index);
    }

    hasFired(summand: number): boolean {
        const address = this.#compiled.map.fired + summand;
        return ((this.#heap.words[address >>> 2] >>> (8 * (address & 3))) & 1) === 1;
    }

    /** Stores the batch or its representatives, as far as the limit allows. */
    #storeBatch(limit: WorkLimit): void {
        const isReduced =
            this.#options.canonicalizer === undefined ||
            timed(this.#meter, 'representatives', () => this.#replaceStates(limit));
        if (isReduced) {
            this.#entry = 0;
            timed(this.#meter, 'rest', () => {
                this.#instance.store();
            });
            this.#progress.settle();
        }
    }

    /** Replaces the states of the batch; false if interrupted by the limit or the end of the search. */
    #replaceStates(limit: WorkLimit): boolean {
        const { map, leavesStates } = this.#compiled;
        if (this.#entry === map.batch) {
            this.#instance.reduce();
        }
        if (!leavesStates) {
            return true;
        }
        const end = this.#heap.read(HEADER.batchEnd);
        while (this.#entry < end) {
            const isLeft = this.#heap.read(this.#entry + 8 * map.longCount + ENTRY.hash) === LEFT;
            if (isLeft && !this.#canonicalize(this.#entry)) {
                this.#giveUpAt(this.#entry);
                return false;
            }
            this.#entry += map.entryBytes;
            if (limit.isExhausted() && this.#entry < end) {
                return false;
            }
        }
        return true;
    }

    /** Replaces a state in the batch by its representative; false if the search must end without one. */
    #canonicalize(entry: number): boolean {
        const { map, layout } = this.#compiled;
        const { canonicalizer, exactWithin } = this.#options;
        const { words } = this.#instance.heap;
        const parent = words[(entry + 8 * map.longCount + ENTRY.parent) / 4];
        if (canonicalizer === undefined || parent === FAULT_ENTRY || parent === STUCK_ENTRY) {
            return true;
        }
        layout.unpackLong(words, entry / 4, this.#state);
        if (canonicalizer.canonicalizeInto(this.#representative, this.#state)) {
            layout.packLong(this.#representative, words, entry / 4);
        } else if (exactWithin !== undefined) {
            return false;
        } else {
            this.#observer.gaveUpRepresentative();
        }
        return true;
    }

    /** Stores the entries before this one and ends the search. */
    #giveUpAt(entry: number): void {
        const { map } = this.#compiled;
        const { exactWithin } = this.#options;
        invariant(exactWithin !== undefined, 'a search ends here only where representatives must be exact');
        const isInitial = this.#heap.read(entry + 8 * map.longCount + ENTRY.parent) === NO_PARENT;
        this.#lacksSuccessors = true;
        this.#heap.write(HEADER.batchEnd, entry);
        this.#entry = 0;
        this.#instance.store();
        this.#progress.settle(this.#heap.read(HEADER.transitions) + 1);
        if (!this.#progress.isStopped) {
            this.#progress.takeOver(isInitial ? 0 : 1, 0, 0);
            this.#observer.limited({ kind: 'work', value: exactWithin });
        }
    }

    /** Makes room for a batch once the seen set has grown; false if the search has ended for lack of memory. */
    #makeRoom(): boolean {
        const { map } = this.#compiled;
        this.#queue.freeStates(this.#progress.next);
        const needed = this.#heap.read(HEADER.count) + map.batchEntries + ROOM_STATES;
        const room = this.#queue.extend(needed, this.#threads.mostOwnBytes);
        const seen = this.#seen;
        const isTaken =
            room >= needed &&
            (seen.capacity >= needed ||
                GROWTHS.some(growth => seen.beginGrowth(seen.slotsFor(needed, growth), this.#threads.mostOwnBytes, 1)));
        if (!isTaken) {
            this.#progress.tellMemoryLimit(this.bytes);
            return false;
        }
        this.#heap.write(HEADER.room, Math.min(room, this.#seen.capacity) - map.batchEntries);
        return true;
    }
}

/** A state as it is stored. */
function inForm(state: Readonly<Int32Array>, { numbers }: StateSearchOptions): Readonly<Int32Array> {
    if (numbers === undefined) {
        return state;
    }
    const form = state.slice();
    invariant(numbers.order.normalize(form), 'there are codes for all initial values');
    return form;
}

function timed<Result>(meter: OverheadMeter | undefined, part: 'representatives' | 'rest', work: () => Result): Result {
    return meter === undefined ? work() : meter.time(part, work);
}
