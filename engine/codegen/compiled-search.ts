/**
 * A breadth-first search whose inner loops are generated code.
 *
 * Of a state that has been expanded nothing is kept but its place in the seen set, which cannot be found by its number,
 * the summand by which it was found and the state before. A trace is made from these by firing the summands again.
 *
 * A slice of work expands some states of one level: the generated code appends their successors to the batch, looks them
 * up, stores the new ones and notes events; then the events are told in order. With a canonicalizer the batch comes here
 * in between, and its successors are replaced by their representatives.
 *
 * When the observer stops the search at an event, the counts are those of the moment of the event, although the
 * generated code has gone on to the end of its slice: so they are the same as those of the interpreted search.
 */
import { invariant, InvariantViolation } from '../common/assert.js';
import type { WorkLimit } from '../common/work-limit.js';
import { NO_PARENT } from '../explore/seen-set.js';
import type { SearchObserver, SearchOptions, StateSearch, StateSearchFactory } from '../explore/state-search.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { compileModel, instantiate } from './compiled-model.js';
import type { CompilationOptions, CompiledInstance, CompiledModel, NotCompiled } from './compiled-model.js';
import { CURRENT } from './compile-summands.js';
import { ENTRY, EVENT, EVENT_BYTES, FAULT_ENTRY, HEADER, STUCK_ENTRY, type Tape } from './memory-map.js';
import { FULL, SlotTable } from './slot-table.js';

/**
 * Entries that a slice of work makes at most, if every state has as many firings as a state can have: a tenth of a second.
 * Besides, generated code that runs is not replaced by better code before it returns.
 */
const SLICE_ENTRIES = 1 << 20;
/** Room for this many more states is made at a time. */
const ROOM_STATES = 1 << 12;
/** States with numbers beyond do not fit in the memory of 4 GiB anyway. */
const MOST_STATES = 2 ** 31 - 2 ** 20;
const NO_LIMIT = 0xffff_ffff;

/** Why a model is interpreted that was compiled. */
export const NO_WEBASSEMBLY = 'there is no WebAssembly here, or no memory for it';

interface Counts {
    readonly states: number;
    readonly transitions: number;
    readonly depth: number;
    readonly next: number;
}

/**
 * A compiled search of a model, to be made once; or why there is none, and the model has to be interpreted. The options
 * are those of the exploration.
 */
export function compileSearchOf(
    model: SequentialModel,
    options: CompilationOptions = {},
): { readonly kind: 'compiled'; readonly search: StateSearchFactory } | NotCompiled {
    const compiled = compileModel(model, options);
    if (compiled.kind === 'interpreted') {
        return compiled;
    }
    const instance = instantiate(compiled);
    if (instance === undefined) {
        return { kind: 'interpreted', reason: NO_WEBASSEMBLY };
    }
    return {
        kind: 'compiled',
        search: (observer, options) => new CompiledSearch(compiled, instance, observer, options),
    };
}

class CompiledSearch implements StateSearch {
    readonly #compiled: CompiledModel;
    readonly #instance: CompiledInstance;
    readonly #seen: SlotTable;
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
    /** Pages of each tape that have been taken, and how many of the first ones of the states have been given up. */
    #statePages = 0;
    #givenUpPages = 0;
    #summandPages = 0;
    #parentPages = 0;
    #initialStates = 0;
    /** States on the ways that were gone again, by number. */
    readonly #replayed = new Map<number, Int32Array>();
    /** `#parentsBefore[page]` is how many bits are set in the pages before. Made anew where states have been added. */
    #parentsBefore: number[] = [];
    #parentsCountedFor = -1;
    /** The entry of the batch that has to be replaced by its representative next; 0 where there is none. */
    #entry = 0;
    #isStopped = false;
    /** The counts at the event that is being told, and at the one at which the search was stopped. */
    #atEvent: Counts | undefined;

    constructor(compiled: CompiledModel, instance: CompiledInstance, observer: SearchObserver, options: SearchOptions) {
        this.#compiled = compiled;
        this.#instance = instance;
        this.#seen = new SlotTable(instance, compiled.map);
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
        return this.bytes;
    }

    get bytesPerState(): number {
        const { longCount, summandBytes } = this.#compiled.map;
        return Math.ceil((8 * longCount) / FULL + summandBytes + 2 / 8);
    }

    addInitialState(state: Readonly<Int32Array>, limit: WorkLimit): void {
        if (this.#isStopped || !this.#makeRoom()) {
            return;
        }
        while (!this.#seen.grow()) {
            // For its exception alone: a state that was found has to be stored.
            limit.isExhausted();
        }
        const { layout, map } = this.#compiled;
        const words = this.#instance.heap.words;
        layout.packLong(state, words, map.batch / 4);
        const tail = map.batch / 4 + 2 * map.longCount;
        words[tail + ENTRY.parent / 4] = NO_PARENT;
        words[tail + ENTRY.summand / 4] = 0;
        this.#write(HEADER.batchEnd, map.batch + map.entryBytes);
        this.#entry = map.batch;
        this.#storeBatch(limit);
        this.#initialStates = this.#read(HEADER.count);
    }

    advance(limit: WorkLimit): boolean {
        if (this.#isStopped) {
            return false;
        }
        if (this.#entry !== 0) {
            this.#storeBatch(limit);
            return true;
        }
        if (this.#seen.isGrowing) {
            while (!this.#seen.grow() && !limit.isExhausted());
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
        if (!this.#makeRoom() || this.#seen.isGrowing) {
            return true;
        }
        const sliceStates = Math.ceil(SLICE_ENTRIES / this.#compiled.map.batchEntries);
        const end = Math.min(this.#levelEnd, this.#next + sliceStates);
        const isReduced = this.#replacesRepresentatives();
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

    hasFired(summand: number): boolean {
        const address = this.#compiled.map.fired + summand;
        return ((this.#read(address & ~3) >>> (8 * (address & 3))) & 1) === 1;
    }

    parentOf(index: number): number {
        return index < this.#initialStates ? NO_PARENT : this.#positionOfParentBit(index) - index;
    }

    stateInto(target: Int32Array, index: number): void {
        const { states, longCount } = this.#compiled.map;
        const page = index >>> states.shift;
        if (page >= this.#givenUpPages || page < this.#initialPages()) {
            const address = this.#pageOf(states, index) + (index & ((1 << states.shift) - 1)) * 8 * longCount;
            this.#compiled.layout.unpackLong(this.#instance.heap.words, address / 4, target);
        } else {
            target.set(this.#replay(index));
        }
    }

    /** The state with this number, reached once more from an initial state or from one that is known. */
    #replay(index: number): Int32Array {
        const way: number[] = [];
        let from = index;
        while (from >= this.#initialStates && !this.#replayed.has(from)) {
            way.push(from);
            from = this.parentOf(from);
        }
        let state = this.#replayed.get(from);
        if (state === undefined) {
            state = new Int32Array(this.#state.length);
            this.stateInto(state, from);
        }
        for (const next of way.reverse()) {
            state = this.#successor(state, this.#summandOf(next));
            this.#replayed.set(next, state);
        }
        return state;
    }

    /** What is stored for the successor of a stored state by a summand. */
    #successor(state: Int32Array, summand: number): Int32Array {
        const { layout, map } = this.#compiled;
        const { canonicalizer } = this.#options;
        const { words } = this.#instance.heap;
        layout.packLong(state, words, CURRENT / 4);
        this.#write(HEADER.batchEnd, map.batch);
        this.#instance.visit();
        const end = this.#read(HEADER.batchEnd);
        this.#write(HEADER.batchEnd, map.batch);
        for (let entry = map.batch; entry < end; entry += map.entryBytes) {
            if (words[(entry + 8 * map.longCount + ENTRY.summand) / 4] === summand) {
                const successor = new Int32Array(state.length);
                layout.unpackLong(words, entry / 4, successor);
                const representative = new Int32Array(state.length);
                return canonicalizer?.canonicalizeInto(representative, successor) === true ? representative : successor;
            }
        }
        throw new InvariantViolation('a summand that has fired fires again');
    }

    #summandOf(index: number): number {
        const { summands, summandBytes } = this.#compiled.map;
        const address = this.#pageOf(summands, index) + (index & ((1 << summands.shift) - 1)) * summandBytes;
        const word = this.#instance.heap.words[address >>> 2] >>> (8 * (address & 3));
        return summandBytes === 4 ? word : word & ((1 << (8 * summandBytes)) - 1);
    }

    /** Where the set bit number `index` is, counted from 0. */
    #positionOfParentBit(index: number): number {
        const { parents } = this.#compiled.map;
        this.#countParents();
        const before = this.#parentsBefore;
        let low = 0;
        let high = before.length - 1;
        while (low < high) {
            const middle = (low + high + 1) >>> 1;
            if (before[middle] <= index) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        const { words } = this.#instance.heap;
        let rest = index - before[low];
        let word = this.#read(parents.directory + 4 * low) / 4;
        for (let count = bitCount(words[word]); rest >= count; count = bitCount(words[word])) {
            rest -= count;
            word++;
        }
        let bits = words[word];
        while (rest-- > 0) {
            bits &= bits - 1;
        }
        const bit = 31 - Math.clz32(bits & -bits);
        return low * 2 ** parents.shift + (word - this.#read(parents.directory + 4 * low) / 4) * 32 + bit;
    }

    #countParents(): void {
        const count = this.#read(HEADER.count);
        if (this.#parentsCountedFor === count) {
            return;
        }
        const { parents } = this.#compiled.map;
        const { words } = this.#instance.heap;
        const before = [0];
        for (let page = 0; page < this.#parentPages; page++) {
            const start = this.#read(parents.directory + 4 * page) / 4;
            let total = before[page];
            for (let word = start; word < start + 2 ** parents.shift / 32; word++) {
                total += bitCount(words[word]);
            }
            before.push(total);
        }
        before.pop();
        this.#parentsBefore = before;
        this.#parentsCountedFor = count;
    }

    #read(address: number): number {
        return this.#instance.heap.words[address / 4];
    }

    #write(address: number, value: number): void {
        this.#instance.heap.words[address / 4] = value;
    }

    #pageOf({ directory, shift }: Tape, number: number): number {
        return this.#read(directory + 4 * (number >>> shift));
    }

    /** The first pages of the states have the initial ones, which are kept. */
    #initialPages(): number {
        return Math.ceil(this.#initialStates / 2 ** this.#compiled.map.states.shift);
    }

    /** Whether the generated code leaves some or all of that to the canonicalizer. */
    #replacesRepresentatives(): boolean {
        return this.#options.canonicalizer !== undefined && this.#compiled.replaces !== 'all states';
    }

    /** Stores the batch, where there is a canonicalizer its representatives: as many as the limit allows at once. */
    #storeBatch(limit: WorkLimit): void {
        const { map } = this.#compiled;
        const end = this.#read(HEADER.batchEnd);
        if (this.#replacesRepresentatives()) {
            const isPartial = this.#compiled.replaces === 'some states';
            if (isPartial && this.#entry === map.batch) {
                this.#instance.reduce();
            }
            while (this.#entry < end) {
                const isLeft = !isPartial || this.#read(this.#entry + 8 * map.longCount + ENTRY.hash) === 1;
                if (isLeft && !this.#canonicalize(this.#entry)) {
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

    /** Stores what comes before this entry and ends the search. */
    #giveUpAt(entry: number): void {
        const { map } = this.#compiled;
        const { exactWithin } = this.#options;
        invariant(exactWithin !== undefined, 'a search ends here only where representatives must be exact');
        const isInitial = this.#read(entry + 8 * map.longCount + ENTRY.parent) === NO_PARENT;
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

    /** Room for a batch and more, once the seen set has grown; false where the search has ended because there is none. */
    #makeRoom(): boolean {
        const { map } = this.#compiled;
        this.#giveUpStates();
        const needed = this.#read(HEADER.count) + map.batchEntries + ROOM_STATES;
        this.#statePages = this.#extend(map.states, this.#statePages, needed);
        this.#summandPages = this.#extend(map.summands, this.#summandPages, needed);
        this.#parentPages = this.#extend(map.parents, this.#parentPages, 2 * needed);
        const mostBytes = this.#options.maxMemoryBytes ?? Infinity;
        const isComplete = this.#seen.capacity >= needed || this.#seen.beginGrowth(needed, mostBytes);
        const room = Math.min(
            this.#statePages * 2 ** map.states.shift,
            this.#summandPages * 2 ** map.summands.shift,
            (this.#parentPages * 2 ** map.parents.shift) / 2,
            this.#seen.capacity,
            MOST_STATES,
        );
        if (!isComplete || room < needed) {
            this.#observer.limited({ kind: 'memory', value: this.#options.maxMemoryBytes ?? this.bytes });
            return false;
        }
        this.#write(HEADER.room, room - map.batchEntries);
        return true;
    }

    /** Adds pages to a tape until it has room for so many; the number of pages it then has. */
    #extend(tape: Tape, pages: number, needed: number): number {
        let count = pages;
        while (count * 2 ** tape.shift < needed && count < tape.mostPages) {
            const page = this.#instance.heap.allocate(this.#options.maxMemoryBytes ?? Infinity);
            if (page === undefined) {
                break;
            }
            this.#write(tape.directory + 4 * count++, page);
        }
        return count;
    }

    /** Takes back the pages of states that have been expanded. */
    #giveUpStates(): void {
        const { states } = this.#compiled.map;
        const end = Math.floor(this.#next / 2 ** states.shift);
        for (let page = Math.max(this.#givenUpPages, this.#initialPages()); page < end; page++) {
            this.#instance.heap.release(this.#read(states.directory + 4 * page));
        }
        this.#givenUpPages = Math.max(this.#givenUpPages, end);
    }
}

/** How many bits of a word are set [Warren2013, §5-1]. */
function bitCount(word: number): number {
    let pairs = word - ((word >>> 1) & 0x5555_5555);
    pairs = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
    return Math.imul((pairs + (pairs >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
