/**
 * What stores states and expands them, breadth first: the interface between an exploration and the two ways to do the
 * work, the interpreted one here in engine/explore and the compiled one in engine/codegen.
 *
 * States are numbered as they are stored; the numbers from the next one to expand up to the last are the frontier, so no
 * queue is needed. Whatever happens is told to the observer in the order in which it happens, with the counts of that
 * moment; both ways tell the same, so an exploration has the same result however it is done.
 */
import type { WorkLimit } from '../common/work-limit.js';
import type { Fault } from '../sequential/expression/evaluate.js';
import type { InitialRest } from './initial/initial-rest.js';
import type { Canonicalizer } from './reduction.js';
import type { ReductionOverhead } from './reduction-overhead.js';
import type { SearchSnapshot, StoredSearch } from './snapshot.js';
import type { ExplorationLimit } from './verdict.js';
import type { WorkerHost } from './worker-host.js';

/** Is told what happens, and may end the search by `stop` meanwhile. A state it is given is valid during the call. */
export interface SearchObserver {
    /** A state was stored in which, it may be, something does not hold that is checked in every state. */
    storedSuspicious(index: number, state: Readonly<Int32Array>): void;
    /** Nothing happens in this state. It may be that all instances may stop. */
    stoodStill(index: number, state: Readonly<Int32Array>): void;
    /** A firing of this state is a fault; of one fault at one place, not every one needs to be told. */
    faulted(index: number, fault: Fault): void;
    /** No more states can be stored. */
    limited(limit: ExplorationLimit): void;
    /** The representative of a state was given up, and the state is stored as it is. */
    gaveUpRepresentative(): void;
}

/** What is stored, and when the search ends or pauses. */
export interface SearchOptions {
    /** One state for each orbit, under symmetries that keep what is checked and which instances may stop; else every state. */
    readonly canonicalizer?: Canonicalizer;
    /**
     * End undecided at a state whose representative is given up, instead of storing the state as it is. The value is the
     * work after which that happens, for the report.
     */
    readonly exactWithin?: number;
    readonly maxStates?: number;
    /** When `advance` returns, no more states are stored than this, but for the successors of one state. */
    readonly pauseAtStates?: number;
    readonly maxMemoryBytes?: number;
    /** Threads to use where there is enough to do, the same as when the search was compiled; `close` ends them. */
    readonly workers?: WorkerHost;
    /** Milliseconds on any monotonic clock, to measure what representatives cost; nothing depends on it. */
    readonly now?: () => number;
    /** How and when the seen set is split, for tests; else as it is worth it. */
    readonly shards?: ShardOptions;
}

/**
 * The seen set is split into so many parts once so many states of a level wait. All threads are waited for, and take part in
 * every round of so many states. With `fromBytes` they begin in one memory, and it is split when that has so many bytes.
 */
interface ShardOptions {
    readonly count: number;
    readonly fromStates: number;
    readonly fromBytes?: number;
}

/** A search that can be stopped between two slices of work and goes on where it was. */
export interface StateSearch {
    /** States stored. */
    readonly stateCount: number;
    /** The next state to expand. */
    readonly nextState: number;
    /** Firings, faults included. */
    readonly transitions: number;
    /** Steps from an initial state to the farthest state stored. */
    readonly depth: number;
    readonly bytes: number;
    readonly peakBytes: number;
    readonly bytesPerState: number;
    /** An upper bound of the probability that a state was taken for another one and left out; 0 where states are compared. */
    readonly omissionProbability: number;
    /** What representatives cost, where that was measured. */
    readonly overhead?: ReductionOverhead | undefined;
    /** Threads that take part, or took part in the end. */
    readonly threadCount: number;
    /** Takes an initial state, to be stored now or with others. To be called before the first call of `advance`. */
    addInitialState(state: Readonly<Int32Array>, limit: WorkLimit): void;
    /** Stores what has been taken. To be called after the last initial state, and wherever a slice of work ends before. */
    storeInitialStates(limit: WorkLimit): void;
    /**
     * Takes the initial states of all ways to make the last choices; false if they have to be given one by one. To be called
     * again with other first choices once `advanceInitialStates` returns false.
     */
    takeInitialStates?(rest: InitialRest): boolean;
    /** Stores some of the states of `takeInitialStates`; false if none are left, or if no more are taken. */
    advanceInitialStates?(limit: WorkLimit): boolean;
    /** Expands some states, fewer than take a noticeable time; false where all are expanded. */
    advance(limit: WorkLimit): boolean;
    /** Nothing is stored and nothing happens from here on; called by the observer, and the counts stay as they are then. */
    stop(): void;
    /** Whether this summand has fired in a state that was expanded, a fault included; once all are. */
    hasFired(summand: number): boolean;
    /** What it has stored and counted; undefined where some of its work is done by half, until `advance` has gone on. */
    snapshot(): SearchSnapshot | undefined;
    /**
     * Goes on where another search of the same model, with the same representatives, was when its snapshot was taken. To be
     * called once, instead of `addInitialState`; false where there is no memory for it.
     */
    restore(stored: StoredSearch): boolean;
    /** Ends the threads of the search, if it has any. It cannot be continued, but what is stored can be looked at. */
    close(): void;
    /** The state it was found from, or NO_PARENT. */
    parentOf(index: number): number;
    stateInto(target: Int32Array, index: number): void;
}

/** Makes a search that tells this observer. */
export type StateSearchFactory = (observer: SearchObserver, options: SearchOptions) => StateSearch;
