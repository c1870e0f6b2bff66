/**
 * A breadth-first search whose inner loops are generated code.
 *
 * A slice of work expands some states of one level: the generated code appends their successors to the batch, looks them
 * up, stores the new ones and notes events; then the events are told in order. With a canonicalizer the batch comes here
 * in between, and its successors are replaced by their representatives.
 *
 * When the observer stops the search at an event, the counts are those of the moment of the event, although the
 * generated code has gone on to the end of its slice: so they are the same as those of the interpreted search.
 */
import { invariant } from '../common/assert.js';
import type { WorkLimit } from '../common/work-limit.js';
import { NO_PARENT } from '../explore/seen-set.js';
import type { SearchObserver, SearchOptions, StateSearch, StateSearchFactory } from '../explore/state-search.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { compileModel, instantiate } from './compiled-model.js';
import type { CompiledInstance, CompiledModel, NotCompiled } from './compiled-model.js';
import { chunkBytes, EVENT, EVENT_BYTES, FAULT_ENTRY, HEADER, STUCK_ENTRY } from './memory-map.js';

/** States expanded in one slice: generated code that runs is not replaced by better code before it returns. */
const SLICE_STATES = 1 << 13;
/** Room for this many more states is made at a time. */
const ROOM_STATES = 1 << 12;
const FIRST_TABLE_BITS = 11;
const MOST_TABLE_BITS = 29;
const SLOT_BYTES = 8;
/** Of ten slots, so many may be taken. */
const TAKEN_OF_TEN = 7;
/** Slots of an old table that are moved before the caller is asked whether it has given up. */
const MOVED_AT_ONCE = 1 << 20;
const NO_LIMIT = 0xffff_ffff;

interface Counts {
    readonly states: number;
    readonly transitions: number;
    readonly depth: number;
    readonly next: number;
}

/**
 * A compiled search of a model, to be made once; or why there is none, and the model has to be interpreted. `properties`
 * are the names of the invariants to check; all when absent.
 */
export function compileSearchOf(
    model: SequentialModel,
    properties?: readonly string[],
): { readonly kind: 'compiled'; readonly search: StateSearchFactory } | NotCompiled {
    const compiled = compileModel(model, { properties });
    if (compiled.kind === 'interpreted') {
        return compiled;
    }
    const instance = instantiate(compiled);
    if (instance === undefined) {
        return { kind: 'interpreted', reason: 'there is no WebAssembly here, or no memory for it' };
    }
    return {
        kind: 'compiled',
        search: (observer, options) => new CompiledSearch(compiled, instance, observer, options),
    };
}

class CompiledSearch implements StateSearch {
    readonly #compiled: CompiledModel;
    readonly #instance: CompiledInstance;
    readonly #observer: SearchObserver;
    readonly #options: SearchOptions;
    readonly #state: Int32Array;
    readonly #representative: Int32Array;

    #next = 0;
    /** Where the level after the current one begins: nowhere before all initial states are stored. */
    #levelEnd = Infinity;
    #level = 0;
    #depth = 0;
    /** Before the slice that is worked on. */
    #transitions = 0;
    #chunks = 0;
    #table = 0;
    #tableBits = FIRST_TABLE_BITS;
    #peakBytes = 0;
    /** The entry of the batch that has to be replaced by its representative next; 0 where there is none. */
    #entry = 0;
    #isStopped = false;
    /** The counts at the event that is being told, and at the one at which the search was stopped. */
    #atEvent: Counts | undefined;

    constructor(compiled: CompiledModel, instance: CompiledInstance, observer: SearchObserver, options: SearchOptions) {
        this.#compiled = compiled;
        this.#instance = instance;
        this.#observer = observer;
        this.#options = options;
        this.#state = new Int32Array(compiled.model.cells.length);
        this.#representative = new Int32Array(compiled.model.cells.length);
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
        return this.#instance.heap.bytes;
    }

    get peakBytes(): number {
        return Math.max(this.#peakBytes, this.bytes);
    }

    get bytesPerState(): number {
        return 8 * this.#compiled.map.longCount + 4 + SLOT_BYTES;
    }

    addInitialState(state: Readonly<Int32Array>, limit: WorkLimit): void {
        if (this.#isStopped || !this.#makeRoom(limit)) {
            return;
        }
        const { layout, map } = this.#compiled;
        const words = this.#instance.heap.words;
        layout.pack(state, words, map.batch / 4);
        if (layout.wordCount % 2 === 1) {
            words[map.batch / 4 + layout.wordCount] = 0;
        }
        words[(map.batch + 8 * map.longCount) / 4 + 1] = NO_PARENT;
        this.#write(HEADER.batchEnd, map.batch + map.entryBytes);
        this.#entry = map.batch;
        this.#storeBatch(limit);
    }

    advance(limit: WorkLimit): boolean {
        if (this.#isStopped) {
            return false;
        }
        if (this.#entry !== 0) {
            this.#storeBatch(limit);
            return true;
        }
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
        if (!this.#makeRoom(limit)) {
            return true;
        }
        const end = Math.min(this.#levelEnd, this.#next + SLICE_STATES);
        const isReduced = this.#options.canonicalizer !== undefined;
        this.#next = this.#instance.expand(this.#next, end, isReduced ? 0 : 1) >>> 0;
        if (isReduced) {
            this.#entry = this.#compiled.map.batch;
            this.#storeBatch(limit);
        } else {
            this.#settle();
        }
        return true;
    }

    stop(): void {
        this.#isStopped = true;
    }

    parentOf(index: number): number {
        const { longCount, chunkShift } = this.#compiled.map;
        const inChunk = index & ((1 << chunkShift) - 1);
        return this.#instance.heap.words[(this.#chunkOf(index) + ((8 * longCount) << chunkShift) + 4 * inChunk) / 4];
    }

    stateInto(target: Int32Array, index: number): void {
        const { longCount, chunkShift } = this.#compiled.map;
        const address = this.#chunkOf(index) + (index & ((1 << chunkShift) - 1)) * 8 * longCount;
        this.#compiled.layout.unpack(this.#instance.heap.words, address / 4, target);
    }

    #read(address: number): number {
        return this.#instance.heap.words[address / 4];
    }

    #write(address: number, value: number): void {
        this.#instance.heap.words[address / 4] = value;
    }

    #chunkOf(index: number): number {
        const { directory, chunkShift } = this.#compiled.map;
        return this.#read(directory + 4 * (index >>> chunkShift));
    }

    /** Stores the batch, where there is a canonicalizer its representatives: as many as the limit allows at once. */
    #storeBatch(limit: WorkLimit): void {
        const { map } = this.#compiled;
        const { canonicalizer } = this.#options;
        const end = this.#read(HEADER.batchEnd);
        if (canonicalizer !== undefined) {
            while (this.#entry < end) {
                if (!this.#canonicalize(this.#entry)) {
                    this.#giveUpAt(this.#entry);
                    return;
                }
                this.#entry += map.entryBytes;
                if (limit.isExhausted() && this.#entry < end) {
                    return;
                }
            }
        }
        this.#entry = 0;
        this.#instance.store();
        this.#settle();
    }

    /** Replaces a successor in the batch by its representative; false where the search has to end because there is none. */
    #canonicalize(entry: number): boolean {
        const { map, layout } = this.#compiled;
        const { canonicalizer, exactWithin } = this.#options;
        const { words } = this.#instance.heap;
        const parent = words[(entry + 8 * map.longCount) / 4 + 1];
        if (canonicalizer === undefined || parent === FAULT_ENTRY || parent === STUCK_ENTRY) {
            return true;
        }
        layout.unpack(words, entry / 4, this.#state);
        if (canonicalizer.canonicalizeInto(this.#representative, this.#state)) {
            layout.pack(this.#representative, words, entry / 4);
        } else if (exactWithin !== undefined) {
            return false;
        } else {
            this.#observer.gaveUpRepresentative();
        }
        return true;
    }

    /** Stores what comes before this entry and ends the search. */
    #giveUpAt(entry: number): void {
        const { map } = this.#compiled;
        const { exactWithin } = this.#options;
        invariant(exactWithin !== undefined, 'a search ends here only where representatives must be exact');
        const isInitial = this.#read(entry + 8 * map.longCount + 4) === NO_PARENT;
        this.#write(HEADER.batchEnd, entry);
        this.#entry = 0;
        this.#instance.store();
        this.#settle();
        if (!this.#isStopped) {
            this.#transitions += isInitial ? 0 : 1;
            this.#observer.limited({ kind: 'work', value: exactWithin });
        }
    }

    /** Takes over the counts of what the generated code has done, and tells its events. */
    #settle(): void {
        const { map, sites } = this.#compiled;
        const { words } = this.#instance.heap;
        const transitionsBefore = this.#transitions;
        const depthBefore = this.#depth;
        const end = words[HEADER.eventEnd / 4];
        for (let event = map.events; event < end; event += EVENT_BYTES) {
            const [kind, subject, index, states, transitions] = words.subarray(event / 4, event / 4 + 5);
            this.#atEvent = {
                states,
                transitions: transitionsBefore + transitions,
                depth: states > this.#levelEnd ? this.#level + 1 : depthBefore,
                next: Math.min(this.#next, states),
            };
            switch (kind) {
                case EVENT.violated:
                    this.stateInto(this.#state, index);
                    this.#observer.storedSuspicious(index, this.#state);
                    break;
                case EVENT.stuck:
                    this.stateInto(this.#state, index);
                    this.#observer.stoodStill(index, this.#state);
                    break;
                case EVENT.fault:
                    this.#observer.faulted(index, sites.faultOf(subject));
                    break;
                case EVENT.limit:
                    this.#observer.limited({ kind: 'states', value: this.#options.maxStates ?? NO_LIMIT });
                    break;
            }
            if (this.#hasStopped()) {
                return;
            }
            this.#atEvent = undefined;
        }
        this.#transitions += words[HEADER.transitions / 4];
        if (words[HEADER.count / 4] > this.#levelEnd) {
            this.#depth = this.#level + 1;
        }
        words[HEADER.transitions / 4] = 0;
        words[HEADER.eventEnd / 4] = map.events;
    }

    /** The observer may have stopped the search. */
    #hasStopped(): boolean {
        return this.#isStopped;
    }

    /** Room for a batch and more; false where the search has ended because there is none. */
    #makeRoom(limit: WorkLimit): boolean {
        const { map } = this.#compiled;
        const needed = this.#read(HEADER.count) + map.batchEntries + ROOM_STATES;
        while (this.#chunks << map.chunkShift < needed) {
            const chunk = this.#chunks < map.mostChunks ? this.#allocate(chunkBytes(map)) : undefined;
            if (chunk === undefined) {
                return this.#outOfMemory(chunkBytes(map));
            }
            this.#write(map.directory + 4 * this.#chunks++, chunk);
        }
        while (this.#table === 0 || this.#tableCapacity() < needed) {
            const bits = this.#table === 0 ? this.#tableBits : this.#tableBits + 1;
            const bytes = SLOT_BYTES * 2 ** bits;
            const table = bits <= MOST_TABLE_BITS ? this.#allocate(bytes) : undefined;
            if (table === undefined) {
                return this.#outOfMemory(bytes);
            }
            this.#replaceTable(table, bits, limit);
        }
        this.#write(HEADER.room, Math.min(this.#chunks << map.chunkShift, this.#tableCapacity()) - map.batchEntries);
        return true;
    }

    #tableCapacity(): number {
        return Math.floor((2 ** this.#tableBits * TAKEN_OF_TEN) / 10);
    }

    #replaceTable(table: number, bits: number, limit: WorkLimit): void {
        const oldTable = this.#table;
        const oldSlots = 2 ** this.#tableBits;
        this.#table = table;
        this.#tableBits = bits;
        this.#write(HEADER.table, table);
        this.#write(HEADER.tableShift, 32 - bits);
        this.#write(HEADER.tableMask, 2 ** bits - 1);
        if (oldTable === 0) {
            return;
        }
        for (let slot = 0; slot < oldSlots; slot += MOVED_AT_ONCE) {
            // For its exception alone: the search cannot go on before the table is complete.
            limit.isExhausted();
            this.#instance.move(oldTable, slot, Math.min(oldSlots, slot + MOVED_AT_ONCE));
        }
        this.#instance.heap.release(oldTable, SLOT_BYTES * oldSlots);
    }

    #allocate(bytes: number): number | undefined {
        const { heap } = this.#instance;
        const { maxMemoryBytes } = this.#options;
        if (maxMemoryBytes !== undefined && heap.bytes + heap.growthFor(bytes) > maxMemoryBytes) {
            return undefined;
        }
        const address = heap.allocate(bytes);
        this.#peakBytes = Math.max(this.#peakBytes, heap.bytes);
        return address;
    }

    #outOfMemory(bytes: number): false {
        const { maxMemoryBytes } = this.#options;
        const { heap } = this.#instance;
        this.#observer.limited({ kind: 'memory', value: maxMemoryBytes ?? heap.bytes + heap.growthFor(bytes) });
        return false;
    }
}
