/**
 * The interface between an exploration and its breadth-first search, interpreted (engine/explore) or compiled
 * (engine/compiled-search).
 *
 * States are numbered as they are stored; the numbers from the next state to expand on are the frontier. The observer
 * is told of events in their order, with the counts of that moment. Both searches tell the same.
 */
import type { WorkLimit } from '../common/work-limit.js';
import type { Fault } from '../sequential/expression/evaluate.js';
import type { InitialRest } from './initial/initial-rest.js';
import type { SearchParts } from './search-parts.js';
import type { ReductionOverhead } from './reduction-overhead.js';
import type { SearchSnapshot, StoredSearch } from './snapshot.js';
import type { ExplorationLimit } from './verdict.js';
import type { SelectionCounts } from './step-selection.js';
import type { WorkerHost } from './worker-host.js';

/** Is told of events, and may end the search by `stop` meanwhile. A state is valid during the call. */
export interface SearchObserver {
    /** A state was stored in which some checked property may not hold. */
    storedSuspicious(index: number, state: Readonly<Int32Array>): void;
    /** A state has no firing; perhaps all instances may stop. */
    stoodStill(index: number, state: Readonly<Int32Array>): void;
    /** A firing is a fault; of one fault at one place, not every firing needs to be told. */
    faulted(index: number, fault: Fault): void;
    /** No more states can be stored. */
    limited(limit: ExplorationLimit): void;
    /** A state is stored as it is, since the search for its representative took too long. */
    gaveUpRepresentative(): void;
}

export interface StateSearchOptions extends Pick<
    SearchParts,
    'canonicalizer' | 'equal' | 'exactWithin' | 'selection' | 'numbers'
> {
    readonly maxStates?: number;
    /** When `advance` returns, at most so many states are stored, but for the successors of one state. */
    readonly pauseAtStates?: number;
    readonly maxMemoryBytes?: number;
    /** Threads for large levels, as when the search was compiled; `close` ends them. */
    readonly workers?: WorkerHost;
    /** A monotonic clock in milliseconds, to measure the cost of representatives; nothing depends on it. */
    readonly now?: () => number;
    /** For tests: how and when the seen set is split. */
    readonly shards?: ShardOptions;
}

/**
 * The seen set is split into `count` parts if `fromStates` states of a level wait; with `fromBytes`, when it has so
 * many bytes. All threads are waited for, and take part in every round of so many states.
 */
interface ShardOptions {
    readonly count: number;
    readonly fromStates: number;
    readonly fromBytes?: number;
}

/** A search in slices of work. */
export interface StateSearch {
    readonly stateCount: number;
    readonly nextState: number;
    /** Firings, faults included. */
    readonly transitions: number;
    /** Firings that the constraint cut off, which are no transitions; exact once all states are expanded. */
    readonly outside: number;
    /** The steps from the initial states to the farthest stored state. */
    readonly depth: number;
    readonly bytes: number;
    readonly peakBytes: number;
    readonly bytesPerState: number;
    /** A bound of the probability that a state was taken for another one; 0 if whole states are compared. */
    readonly omissionProbability: number;
    /** Of the steps that were chosen and those that were possible; absent if all are taken. */
    readonly selected?: Readonly<SelectionCounts> | undefined;
    /** Undefined if nothing was measured. */
    readonly overhead?: ReductionOverhead | undefined;
    /** The number of threads that take part or, after the end, took part. */
    readonly threadCount: number;
    /** Takes an initial state, to be stored now or with others. To be called before `advance`. */
    addInitialState(state: Readonly<Int32Array>, limit: WorkLimit): void;
    /** Stores the states taken. To be called after the last initial state, and at the end of a slice before it. */
    storeInitialStates(limit: WorkLimit): void;
    /**
     * Takes all initial states of a rest; false if it takes only single states. To be called again for other first
     * choices once `advanceInitialStates` returns false.
     */
    takeInitialStates?(rest: InitialRest): boolean;
    /** Stores some states of `takeInitialStates`; false if none are left or no more are taken. */
    advanceInitialStates?(limit: WorkLimit): boolean;
    /** Expands some states in a short time; false if all are expanded. */
    advance(limit: WorkLimit): boolean;
    /** Ends the search, called by the observer; the counts stay as they are. */
    stop(): void;
    /** Whether a summand has fired in an expanded state, a fault included; with threads, complete after the end. */
    hasFired(summand: number): boolean;
    /** The stored states and counts; undefined in the middle of some work, until `advance` has gone on. */
    snapshot(): SearchSnapshot | undefined;
    /** Continues from a snapshot for the same model, instead of `addInitialState`; false if there is no memory. */
    restore(stored: StoredSearch): boolean;
    /** Ends the threads. The search cannot be continued, but stored states can be read. */
    close(): void;
    /** The number of the state before, or NO_PARENT. */
    parentOf(index: number): number;
    stateInto(target: Int32Array, index: number): void;
}

export type StateSearchFactory = (observer: SearchObserver, options: StateSearchOptions) => StateSearch;
