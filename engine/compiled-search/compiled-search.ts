/**
 * A breadth-first search whose inner loops are generated code.
 *
 * A slice of work expands some states of one level: the generated code appends their successors to the batch, looks them
 * up, stores the new ones and notes events; then the events are told in order. If generated code does not find all
 * representatives, the canonicalizer replaces the states of the batch in between.
 *
 * If the observer stops the search at an event, the counts are those at the event, as in the interpreted search, although
 * the generated code has gone on to the end of its slice.
 */
import { invariant } from '../common/assert.js';
import type { WorkLimit } from '../common/work-limit.js';
import { OverheadMeter, type ReductionOverhead } from '../explore/reduction-overhead.js';
import { NO_PARENT } from '../explore/seen-set.js';
import type { InitialRest } from '../explore/initial-states.js';
import type { SearchSnapshot, StoredSearch } from '../explore/snapshot.js';
import type { SearchObserver, SearchOptions, StateSearch, StateSearchFactory } from '../explore/state-search.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { compileModel, instantiate } from './compiled-model.js';
import { CompiledInitialStates } from './compiled-initial-states.js';
import { type CompiledInstance, leaveSharedMemory } from './compiled-instance.js';
import type { CompilationOptions, CompiledModel, NotCompiled, RunningModel } from './compiled-model.js';
import { ENTRY, EVENT, EVENT_BYTES, FAULT_ENTRY, HEADER, recentBytes, STUCK_ENTRY } from './memory-map.js';
import { Rounds } from './threads/rounds.js';
import { StateQueue } from './state-queue.js';
import { type Sharding, shardingOf } from './threads/sharding.js';
import { FULL, GROWTHS, SlotTable } from './slot-table.js';
import { PathReplay } from './path-replay.js';

/**
 * The entries of a slice of work if every state has the most firings: a tenth of a second, also if representatives take most
 * of the time. The host replaces generated code by better code only after it returns.
 */
const SLICE_ENTRIES = 1 << 20;
const SLICE_ENTRIES_REDUCED = 1 << 16;
/** The pages of the queue are allocated for this many more states at a time. */
const ROOM_STATES = 1 << 12;
const NO_LIMIT = 0xffff_ffff;
/** Threads are started for levels smaller by this factor than those that are worth several threads. */
const THREAD_START = 2;

/** The reason to interpret a model that was compiled. */
export const NO_WEBASSEMBLY = 'there is no WebAssembly here, or no memory for it';

interface CompiledSearchOf {
    readonly kind: 'compiled';
    readonly search: StateSearchFactory;
    /** Plain data: the layout of the memories of the search, and whether the code finds all representatives. */
    readonly memory: object;
}

interface Counts {
    readonly states: number;
    readonly transitions: number;
    readonly depth: number;
    readonly next: number;
}

/** A compiled search of a model, to be made once, or the reason why the model has to be interpreted. */
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
    readonly #running: RunningModel;
    readonly #instance: CompiledInstance;
    readonly #seen: SlotTable;
    readonly #queue: StateQueue;
    readonly #paths: PathReplay;
    readonly #observer: SearchObserver;
    readonly #options: SearchOptions;
    readonly #state: Int32Array;
    readonly #representative: Int32Array;

    #next = 0;
    /** The first state of the next level; Infinity before all initial states are stored. */
    #levelEnd = Infinity;
    #level = 0;
    #depth = 0;
    /** Before the slice that is worked on. */
    #transitions = 0;
    /** The entry of the batch that has to be replaced by its representative next; 0 if there is none. */
    #entry = 0;
    #isStopped = false;
    /** Whether successors of expanded states are missing because a representative was not found. */
    #lacksSuccessors = false;
    #isClosed = false;
    #initialStates: CompiledInitialStates | undefined;
    /** Whether and when the seen set is split; undefined once it can no longer be split. */
    #sharding: Sharding | undefined;
    #rounds: Rounds | undefined;
    /** Moves the seen set to the shards, a page with each step. */
    #adoption: Iterator<void, void> | undefined;
    #hasHadRounds = false;
    /** Of representatives; undefined if there are none, or no clock. */
    readonly #meter: OverheadMeter | undefined;
    /** The counts at the event that is being told, and at the one at which the search was stopped. */
    #atEvent: Counts | undefined;

    constructor(compiled: CompiledModel, running: RunningModel, observer: SearchObserver, options: SearchOptions) {
        this.#compiled = compiled;
        this.#running = running;
        this.#instance = running.instance;
        this.#seen = new SlotTable(running.instance, compiled.map);
        this.#queue = new StateQueue(running.instance, compiled.map);
        this.#paths = new PathReplay(compiled, running.instance, this.#queue, options.canonicalizer);
        this.#observer = observer;
        this.#options = options;
        const { canonicalizer, now } = options;
        this.#meter = canonicalizer === undefined || now === undefined ? undefined : new OverheadMeter(now);
        this.#state = new Int32Array(compiled.model.cells.length);
        this.#representative = new Int32Array(compiled.model.cells.length);
        this.#sharding = shardingOf(compiled, options);
        this.#write(HEADER.maxStates, Math.min(options.maxStates ?? NO_LIMIT, NO_LIMIT));
        this.#write(HEADER.batchEnd, compiled.map.batch);
        this.#write(HEADER.eventEnd, compiled.map.events);
    }

    get stateCount(): number {
        return this.#atEvent?.states ?? this.#read(HEADER.count);
    }

    get nextState(): number {
        return this.#atEvent?.next ?? this.#next;
    }

    get transitions(): number {
        return this.#atEvent?.transitions ?? this.#transitions;
    }

    get depth(): number {
        return this.#atEvent?.depth ?? this.#depth;
    }

    get bytes(): number {
        return recentBytes(this.#compiled.map) + this.#instance.heap.bytes + (this.#rounds?.bytes ?? 0);
    }

    get peakBytes(): number {
        return this.bytes;
    }

    /** The bound of all pairs of states; one of the 64 bits of a fingerprint is the mark. */
    get omissionProbability(): number {
        const states = this.stateCount;
        return this.#compiled.map.key === 0 ? 0 : Math.min(1, (states * (states - 1)) / 2 / 2 ** 63);
    }

    get threadCount(): number {
        return this.#hasHadRounds ? (this.#rounds?.threadCount ?? 1) : 1;
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
        const entry = this.#read(HEADER.batchEnd);
        const words = this.#instance.heap.words;
        layout.packLong(state, words, entry / 4);
        const tail = entry / 4 + 2 * map.longCount;
        words[tail + ENTRY.parent / 4] = NO_PARENT;
        words[tail + ENTRY.summand / 4] = 0;
        this.#write(HEADER.batchEnd, entry + map.entryBytes);
        // The canonicalizer may take long, so its states are stored one by one.
        if (leavesStates || entry + map.entryBytes >= map.fullBatch) {
            this.storeInitialStates(limit);
        }
    }

    /** False if the search takes no more states. */
    #hasRoomForInitialState(limit: WorkLimit): boolean {
        if (this.#isStopped) {
            return false;
        }
        if (this.#read(HEADER.batchEnd) === this.#compiled.map.batch) {
            if (!this.#makeRoom()) {
                return false;
            }
            while (!this.#seen.grow()) {
                // Asked only for its exception: a state that was found has to be stored.
                limit.isExhausted();
            }
        }
        return true;
    }

    takeInitialStates(rest: InitialRest): boolean {
        const { canonicalizer } = this.#options;
        // With unique representatives, more states of an orbit change nothing.
        const isUnique = canonicalizer?.strategy.unique !== false;
        if (this.#compiled.leavesStates || (rest.isReduced && !isUnique)) {
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
        const end = this.#read(HEADER.batchEnd);
        const entries = rest.entries(this.#compiled.map.fullBatch - end);
        this.#instance.heap.words.set(entries, end / 4);
        this.#write(HEADER.batchEnd, end + 4 * entries.length);
        this.storeInitialStates(limit);
        return true;
    }

    storeInitialStates(limit: WorkLimit): void {
        if (!this.#isStopped && this.#read(HEADER.batchEnd) > this.#compiled.map.batch) {
            this.#entry = this.#compiled.map.batch;
            this.#storeBatch(limit);
            this.#queue.initialStates = this.#read(HEADER.count);
        }
    }

    advance(limit: WorkLimit): boolean {
        if (this.#isStopped) {
            return false;
        }
        if (this.#entry !== 0) {
            this.#storeBatch(limit);
            return true;
        }
        if (this.#adoption !== undefined) {
            this.#adopt(this.#adoption, limit);
            return true;
        }
        if (this.#rounds !== undefined && (this.#rounds.isSplit || !this.#rounds.isBetween)) {
            return this.#advanceRound(this.#rounds, limit);
        }
        if (this.#seen.isGrowing) {
            while (!this.#seen.grow() && !limit.isExhausted());
            return true;
        }
        if (!this.#beginLevel()) {
            return false;
        }
        if (this.#considerRounds(limit)) {
            return true;
        }
        if (!this.#makeRoom() || this.#seen.isGrowing) {
            return true;
        }
        const sliceEntries = this.#options.canonicalizer === undefined ? SLICE_ENTRIES : SLICE_ENTRIES_REDUCED;
        const sliceStates = Math.ceil(sliceEntries / this.#compiled.map.batchEntries);
        const end = Math.min(this.#levelEnd, this.#next + Math.min(sliceStates, this.#statesBeforePause()));
        const { leavesStates } = this.#compiled;
        const isMeasured = this.#meter?.beginSlice() === true;
        if (leavesStates || isMeasured) {
            this.#next = this.#timed('rest', () => this.#instance.expand(this.#next, end, 0) >>> 0);
            this.#entry = this.#compiled.map.batch;
            this.#meter?.count((this.#read(HEADER.batchEnd) - this.#entry) / this.#compiled.map.entryBytes);
            this.#storeBatch(limit);
        } else {
            this.#next = this.#instance.expand(this.#next, end, 1) >>> 0;
            this.#settle();
        }
        return true;
    }

    stop(): void {
        this.#isStopped = true;
        this.close();
    }

    close(): void {
        if (this.#isClosed) {
            return;
        }
        this.#isClosed = true;
        this.#sharding = undefined;
        this.#rounds?.close();
        if (this.#compiled.isShared) {
            leaveSharedMemory(this.bytes);
        }
    }

    /** Between two slices, and with shards between two rounds, the memories and a few counts are the whole search. */
    snapshot(): SearchSnapshot | undefined {
        const isBetween = this.#rounds?.isBetween !== false;
        const isWhole = this.#entry === 0 && this.#adoption === undefined && !this.#lacksSuccessors;
        // A growing table has reserved pages, which another memory would not have.
        if (this.#seen.isGrowing || !isWhole || this.#atEvent !== undefined || !isBetween) {
            return undefined;
        }
        this.#collectFired();
        const counts = {
            next: this.#next,
            levelEnd: this.#levelEnd === Infinity ? -1 : this.#levelEnd,
            level: this.#level,
            depth: this.#depth,
            transitions: this.#transitions,
            ...this.#queue.counts,
        };
        const shards = this.#rounds?.isSplit === true ? this.#rounds.shardContents : [];
        return { counts, memories: [this.#instance.heap.contents, ...shards] };
    }

    restore({ counts, memories: [main, ...shards] }: StoredSearch): boolean {
        const { heap } = this.#instance;
        const mostBytes = this.#options.maxMemoryBytes ?? Infinity;
        const bytes = [main, ...shards].reduce((total, { byteLength }) => total + byteLength, 0);
        if (bytes > mostBytes || !heap.restore(main)) {
            return false;
        }
        this.#write(HEADER.maxStates, Math.min(this.#options.maxStates ?? NO_LIMIT, NO_LIMIT));
        this.#write(HEADER.isStopped, 0);
        this.#next = counts['next'];
        this.#levelEnd = counts['levelEnd'] < 0 ? Infinity : counts['levelEnd'];
        this.#level = counts['level'];
        this.#depth = counts['depth'];
        this.#transitions = counts['transitions'];
        this.#queue.restore(counts);
        if (shards.length === 0) {
            return true;
        }
        this.#rounds = Rounds.open(this.#running, this.#compiled.map, {
            shardCount: shards.length,
            workers: this.#sharding?.workers,
            fromStates: this.#sharding?.fromStates ?? Infinity,
            maxStates: this.#read(HEADER.maxStates),
            mostBytes: this.#mostBytes(),
        });
        this.#hasHadRounds = true;
        return this.#rounds?.restore(shards) === true;
    }

    /** Adds the summands that have fired in thread memories to those of the main memory. */
    #collectFired(): void {
        const { fired } = this.#compiled.map;
        const own = new Uint8Array(this.#instance.heap.memory.buffer, fired, this.#compiled.model.summands.length);
        for (const { buffer } of this.#rounds?.threadWords ?? []) {
            new Uint8Array(buffer, fired, own.length).forEach((flag, summand) => (own[summand] |= flag));
        }
    }

    parentOf(index: number): number {
        return this.#paths.parentOf(index);
    }

    stateInto(target: Int32Array, index: number): void {
        this.#paths.stateInto(target, index);
    }

    hasFired(summand: number): boolean {
        const address = this.#compiled.map.fired + summand;
        const isSet = (words: Uint32Array): boolean => ((words[address >>> 2] >>> (8 * (address & 3))) & 1) === 1;
        return isSet(this.#instance.heap.words) || this.#rounds?.threadWords.some(isSet) === true;
    }

    #read(address: number): number {
        return this.#instance.heap.words[address / 4];
    }

    #write(address: number, value: number): void {
        this.#instance.heap.words[address / 4] = value;
    }

    #timed<Result>(part: 'representatives' | 'rest', work: () => Result): Result {
        return this.#meter === undefined ? work() : this.#meter.time(part, work);
    }

    /** Stores the batch, or its representatives if there is a canonicalizer, as far as the limit allows. */
    #storeBatch(limit: WorkLimit): void {
        const isReduced =
            this.#options.canonicalizer === undefined ||
            this.#timed('representatives', () => this.#replaceStates(limit));
        if (isReduced) {
            this.#entry = 0;
            this.#timed('rest', () => {
                this.#instance.store();
            });
            this.#settle();
        }
    }

    /** Replaces the states of the batch; false if the limit or the end of the search has interrupted this. */
    #replaceStates(limit: WorkLimit): boolean {
        const { map, leavesStates } = this.#compiled;
        if (this.#entry === map.batch) {
            this.#instance.reduce();
        }
        if (!leavesStates) {
            return true;
        }
        const end = this.#read(HEADER.batchEnd);
        while (this.#entry < end) {
            const isLeft = this.#read(this.#entry + 8 * map.longCount + ENTRY.hash) === 1;
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

    /** Replaces a successor in the batch by its representative; false if the search has to end because there is none. */
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
        const isInitial = this.#read(entry + 8 * map.longCount + ENTRY.parent) === NO_PARENT;
        this.#lacksSuccessors = true;
        this.#write(HEADER.batchEnd, entry);
        this.#entry = 0;
        this.#instance.store();
        this.#settle();
        if (!this.#isStopped) {
            this.#transitions += isInitial ? 0 : 1;
            this.#observer.limited({ kind: 'work', value: exactWithin });
        }
    }

    /** Takes over the counts of the generated code, and tells its events. */
    #settle(): void {
        const { map } = this.#compiled;
        const { words } = this.#instance.heap;
        const end = words[HEADER.eventEnd / 4];
        for (let event = map.events; event < end; event += EVENT_BYTES) {
            if (!this.#tell(words.subarray(event / 4, event / 4 + EVENT_BYTES / 4), 0, 0)) {
                return;
            }
        }
        this.#takeOver(words[HEADER.transitions / 4]);
        words[HEADER.transitions / 4] = 0;
        words[HEADER.eventEnd / 4] = map.events;
    }

    /**
     * Tells an event; false if the search was stopped. Its states are counted from `firstStored`, and its subject from
     * `firstState`.
     */
    #tell([kind, subject, index, stored, transitions]: Uint32Array, firstState: number, firstStored: number): boolean {
        const states = firstStored + stored;
        this.#atEvent = {
            states,
            transitions: this.#transitions + transitions,
            depth: states > this.#levelEnd ? this.#level + 1 : this.#depth,
            next: Math.min(this.#next, states),
        };
        switch (kind) {
            case EVENT.violated:
                this.stateInto(this.#state, firstStored + index);
                this.#observer.storedSuspicious(firstStored + index, this.#state);
                break;
            case EVENT.stuck:
                this.stateInto(this.#state, firstState + index);
                this.#observer.stoodStill(firstState + index, this.#state);
                break;
            case EVENT.fault:
                this.#observer.faulted(firstState + index, this.#compiled.sites.faultOf(subject));
                break;
            case EVENT.limit:
                this.#observer.limited({ kind: 'states', value: this.#options.maxStates ?? NO_LIMIT });
                break;
        }
        if (this.#isStopped) {
            return false;
        }
        this.#atEvent = undefined;
        return true;
    }

    /** Counts firings, after their states were counted. */
    #takeOver(transitions: number): void {
        this.#transitions += transitions;
        if (this.#read(HEADER.count) > this.#levelEnd) {
            this.#depth = this.#level + 1;
        }
    }

    /** Whether there is a state to expand; its level has then begun. */
    #beginLevel(): boolean {
        const count = this.#read(HEADER.count);
        if (this.#next === count) {
            return false;
        }
        if (this.#levelEnd === Infinity) {
            this.#levelEnd = count;
        } else if (this.#next === this.#levelEnd) {
            this.#levelEnd = count;
            this.#level++;
        }
        return true;
    }

    /**
     * If the level or the seen set has become large: opens rounds, begins one, or begins to move the seen set to shards.
     * Returns whether something was begun.
     */
    #considerRounds(limit: WorkLimit): boolean {
        const sharding = this.#sharding;
        if (sharding === undefined) {
            return false;
        }
        const states = this.#levelEnd - this.#next;
        const isLarge = this.#instance.heap.bytes >= sharding.fromBytes;
        if (this.#rounds === undefined && (isLarge || states >= sharding.fromStates / THREAD_START)) {
            this.#rounds = Rounds.open(this.#running, this.#compiled.map, {
                ...sharding,
                maxStates: this.#read(HEADER.maxStates),
                mostBytes: this.#mostBytes(),
            });
            if (this.#rounds === undefined) {
                this.#sharding = undefined;
            }
        }
        const rounds = this.#rounds;
        if (rounds === undefined) {
            return false;
        }
        // Threads that run are worth using for smaller levels than those for which they are started.
        if (!isLarge && states < (this.#hasHadRounds ? rounds.fewStates : sharding.fromStates)) {
            return false;
        }
        if (sharding.waitsForThreads && !rounds.waitUntilReady(limit)) {
            return true;
        }
        if (!rounds.isReady && rounds.lost === undefined) {
            return false;
        }
        if (rounds.lost === undefined) {
            if (!rounds.canSplit || !(isLarge || sharding.splitsEarly)) {
                return this.#advanceRound(rounds, limit);
            }
            const visit = rounds.beginAdoption(this.#read(HEADER.count));
            if (visit !== undefined) {
                this.#adoption = this.#seen.dissolve(visit);
                return true;
            }
        }
        this.#collectFired();
        rounds.close();
        this.#rounds = undefined;
        this.#sharding = undefined;
        return false;
    }

    /** The number of states to expand before there may be more than `pauseAtStates`: one at least. */
    #statesBeforePause(): number {
        const { pauseAtStates = Infinity } = this.#options;
        const { mostFirings } = this.#compiled.map;
        return Math.max(1, Math.floor((pauseAtStates - this.#read(HEADER.count)) / Math.max(1, mostFirings)));
    }

    #adopt(adoption: Iterator<void, void>, limit: WorkLimit): void {
        do {
            if (adoption.next().done === true) {
                this.#adoption = undefined;
                return;
            }
        } while (!limit.isExhausted());
    }

    /** Does the next part of a round. Between rounds all that is stored is complete. */
    #advanceRound(rounds: Rounds, limit: WorkLimit): boolean {
        const count = this.#read(HEADER.count);
        if (rounds.isBetween) {
            if (rounds.lost === undefined && !rounds.waitUntilReady(limit)) {
                return true;
            }
            if (!this.#beginLevel()) {
                return false;
            }
            this.#hasHadRounds = true;
            this.#queue.freeStates(this.#next);
            const available = Math.min(this.#levelEnd - this.#next, this.#statesBeforePause());
            const needed = count + rounds.mostNew(available);
            const hasRoom = this.#queue.extend(needed, this.#mostOwnBytes()) >= needed;
            if (!hasRoom || !rounds.begin(this.#next, available)) {
                this.#observer.limited({ kind: 'memory', value: this.#options.maxMemoryBytes ?? this.bytes });
                return true;
            }
            if (rounds.isExpanding && this.bytes < this.#mostBytes() / 2) {
                // Room for the next round, too, while the others work. Near the limit the tables need the memory more.
                this.#queue.extend(needed + rounds.mostNew(available), this.#mostOwnBytes());
            }
        }
        const finished = rounds.work(limit);
        if (rounds.lost !== undefined) {
            this.#observer.limited({ kind: 'thread', value: 1 });
            return true;
        }
        switch (finished) {
            case undefined:
                break;
            case 'grow':
                rounds.expand();
                break;
            case 'expand':
                rounds.publish();
                break;
            case 'publish':
                rounds.merge(count);
                break;
            case 'merge':
                this.#settleRound(rounds);
                break;
        }
        return true;
    }

    #settleRound(rounds: Rounds): void {
        this.#next += rounds.expanded;
        for (const { first, base, found, transitions, events } of rounds.finishedBlocks()) {
            this.#write(HEADER.count, base + found);
            for (const event of events) {
                if (!this.#tell(event, first, base)) {
                    return;
                }
            }
            this.#takeOver(transitions);
        }
    }

    /** The limit of the main memory. */
    #mostOwnBytes(): number {
        return this.#mostBytes() - (this.#rounds?.bytes ?? 0);
    }

    /** The limit of the growing parts of all memories. */
    #mostBytes(): number {
        return (this.#options.maxMemoryBytes ?? Infinity) - recentBytes(this.#compiled.map);
    }

    /** Makes room for a batch and more, once the seen set has grown; false if there is no memory and the search has ended. */
    #makeRoom(): boolean {
        const { map } = this.#compiled;
        this.#queue.freeStates(this.#next);
        const needed = this.#read(HEADER.count) + map.batchEntries + ROOM_STATES;
        const room = this.#queue.extend(needed, this.#mostOwnBytes());
        const seen = this.#seen;
        const isTaken =
            room >= needed &&
            (seen.capacity >= needed ||
                GROWTHS.some(growth => seen.beginGrowth(seen.slotsFor(needed, growth), this.#mostOwnBytes(), 1)));
        if (!isTaken) {
            this.#observer.limited({ kind: 'memory', value: this.#options.maxMemoryBytes ?? this.bytes });
            return false;
        }
        this.#write(HEADER.room, Math.min(room, this.#seen.capacity) - map.batchEntries);
        return true;
    }
}
