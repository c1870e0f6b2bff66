/**
 * Breadth-first exploration of the states a model can reach, one state for each orbit if there is a canonicalizer.
 *
 *     initial states ── search ── violations ── their traces ── report
 *
 * The caller calls `advance` until the exploration is finished, and may give up between slices or through the work
 * limit. The report depends on the model and the options only, not on the slices or on the kind of search
 * (state-search.ts).
 */
import type { Problem } from '../common/problem.js';
import { NOWHERE } from '../common/source-range.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { OrbitSizes } from '../representative/orbit-size.js';
import type { Fault } from '../sequential/expression/evaluate.js';
import { asWritten, type PassedModel } from '../sequential/reduced-model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { FoundViolations } from './found-violations.js';
import { InitialStateSupply } from './initial/initial-state-supply.js';
import { InitialStates } from './initial/initial-states.js';
import { InterpretedSearch } from './interpreted-search.js';
import { DEADLOCK, type Finding, Properties } from './properties.js';
import type { SearchObserver, SearchOptions, StateSearch, StateSearchFactory } from './state-search.js';
import { interpretedSuccessors, type Successors } from './successors.js';
import type { ExplorationSnapshot, StoredExploration } from './snapshot.js';
import type { FinalFault } from './trace.js';
import { type ExplorationLimit, type ExplorationReport, verdictOf } from './verdict.js';
import { ViolationTraces } from './violation-traces.js';

/** What is explored, and within which limits. */
export interface ExplorationOptions extends Omit<SearchOptions, 'pauseAtStates'> {
    /** The names of the invariants to check, and `deadlock`; everything the model states when absent. */
    readonly properties?: readonly string[];
    /** Explore everything, also after a violation. */
    readonly continueAfterViolation?: boolean;
    /**
     * Find this many violations: also several states that violate one property, no two of them symmetric. One for each
     * kind, name and place when absent. A fault is found once for its place in any case.
     */
    readonly maxViolations?: number;
    /** Steps that are faults are not reported: the question is what holds in the states before them. */
    readonly ignoresFaults?: boolean;
    /** The orbits of the group behind `canonicalizer`, where they can be had; asked for when they are needed. */
    readonly orbits?: () => OrbitSizes | undefined;
    /** Fingerprints of states are stored in place of long states, where the search can do that. */
    readonly storesFingerprints?: boolean;
    /** Another way to compute successors than the interpreter. */
    readonly successors?: Successors;
    /** Another way to search than one state after the other. */
    readonly search?: StateSearchFactory;
    /** The model that is searched in place of the one as written, for the same properties and symmetries. */
    readonly passed?: PassedModel;
    /** Where an exploration of the same model and for the same properties was, to go on there. */
    readonly resumeFrom?: StoredExploration;
    /**
     * A limit ends the search where `snapshot` has something: the state with whose successors there are more than
     * `maxStates` is expanded as a whole.
     */
    readonly endsWithSnapshot?: boolean;
}

/** What an exploration is doing; the phases come in this order. */
type ExplorationPhase = 'initial states' | 'search' | 'traces' | 'finished';

/** How far an exploration is. */
export interface ExplorationProgress {
    readonly phase: ExplorationPhase;
    readonly states: number;
    readonly transitions: number;
    readonly depth: number;
    /** States stored but not yet expanded. */
    readonly frontier: number;
    readonly memoryBytes: number;
    readonly violations: number;
}

/** What came of an exploration. */
export interface ExplorationResult {
    /** Absent where `problems` has errors. */
    readonly report?: ExplorationReport;
    readonly problems: readonly Problem[];
}

/** Orbits that each report of the reduction so far looks at. */
const ORBIT_SAMPLES = 4;

/** An exploration in slices: call `advance` until it returns true, then ask for the `result`. */
export class Exploration {
    readonly #model: SequentialModel;
    readonly #options: ExplorationOptions;
    readonly #search: StateSearch;
    readonly #passed: PassedModel;
    readonly #initialStates: InitialStateSupply;
    /** Those of the model that is searched. */
    readonly #properties: Properties;
    readonly #found: FoundViolations;
    readonly #traces: ViolationTraces;
    readonly #stopsWithViolations: boolean;
    /** Scratch space. */
    readonly #state: Int32Array;

    #phase: ExplorationPhase = 'initial states';
    #limit: ExplorationLimit | undefined;
    #problem: Problem | undefined;
    #unique: boolean;
    #deadlocks = 0;
    #isExhausted = false;
    /** Whether all initial states are stored. */
    #hasInitialStates = false;

    /** Of the samples taken for `statesPerOrbit`. */
    readonly #sampled = { count: 0, states: 0 };

    constructor(model: SequentialModel, options: ExplorationOptions = {}) {
        this.#model = model;
        this.#options = options;
        this.#passed = options.passed ?? asWritten(model);
        const { searched, stepwise } = this.#passed;
        const { maxStates, ...otherOptions } = options;
        const { canonicalizer, orbits, endsWithSnapshot } = options;
        const properties = new Properties(model, options.properties);
        this.#properties = searched === model ? properties : new Properties(searched, options.properties);
        this.#unique = canonicalizer?.strategy.unique ?? true;
        this.#stopsWithViolations = options.continueAfterViolation !== true;
        this.#state = new Int32Array(model.cells.length);
        const interpreted: StateSearchFactory = (observer, searchOptions) =>
            new InterpretedSearch(
                searched,
                options.successors ?? interpretedSuccessors(searched),
                observer,
                searchOptions,
            );
        this.#search = (options.search ?? interpreted)(this.#observer(), {
            ...otherOptions,
            ...(maxStates !== undefined && (endsWithSnapshot === true ? { pauseAtStates: maxStates } : { maxStates })),
        });
        this.#initialStates = new InitialStateSupply(
            new InitialStates(
                stepwise,
                canonicalizer && ((most, cells) => canonicalizer.elements?.(most, cells) ?? []),
            ),
            this.#search,
            model.cells.length,
        );
        this.#found = new FoundViolations({
            count: options.maxViolations ?? (options.continueAfterViolation === true ? Infinity : 1),
            severalPerPlace: options.maxViolations !== undefined,
            orbits: canonicalizer && orbits,
        });
        this.#traces = new ViolationTraces({
            model,
            properties,
            passed: this.#passed,
            stored: this.#search,
            canonicalizer,
            orbits,
        });
    }

    /** Works until the limit is exhausted; true once there is a result. */
    advance(limit: WorkLimit): boolean {
        while (this.#phase !== 'finished') {
            switch (this.#phase) {
                case 'initial states':
                    if (this.#options.resumeFrom === undefined) {
                        this.#addInitialState(limit);
                    } else {
                        this.#resume(this.#options.resumeFrom);
                    }
                    break;
                case 'search':
                    if (!this.#search.advance(limit) && this.#isSearching()) {
                        this.#isExhausted = true;
                        this.#endSearch(undefined);
                    }
                    this.#checkStateCount();
                    break;
                case 'traces':
                    if (!this.#traces.advance(this.#found.all, limit)) {
                        this.#phase = 'finished';
                    }
                    break;
            }
            if (limit.isExhausted()) {
                break;
            }
        }
        if (this.#phase === 'initial states') {
            // The next one may be long in coming, and one of these may violate something.
            this.#search.storeInitialStates(limit);
        }
        return this.#isFinished();
    }

    #isFinished(): boolean {
        return this.#phase === 'finished';
    }

    #isSearching(): boolean {
        return this.#phase === 'initial states' || this.#phase === 'search';
    }

    /** Ends the search where it is, undecided; the traces of what was found are still to be built with `advance`. */
    stop(limit: ExplorationLimit): void {
        if (this.#isSearching()) {
            this.#endSearch(limit);
        }
    }

    /**
     * What is needed to go on later, while it is searching or was ended by a limit. Undefined before all initial states are
     * stored, and between some calls of `advance`, for less than a tenth of a second.
     */
    snapshot(): ExplorationSnapshot | undefined {
        const hasMore = this.#hasInitialStates && (this.#phase === 'search' || this.#limit !== undefined);
        const search = hasMore ? this.#search.snapshot() : undefined;
        return (
            search && {
                state: {
                    unique: this.#unique,
                    deadlocks: this.#deadlocks,
                    found: this.#found.all,
                },
                search,
            }
        );
    }

    /** Ends the threads of an exploration that is not continued; one that is finished has none. May be called twice. */
    close(): void {
        this.#search.close();
    }

    progress(): ExplorationProgress {
        const { stateCount, nextState, transitions, depth, bytes } = this.#search;
        return {
            phase: this.#phase,
            states: stateCount,
            transitions,
            depth,
            frontier: stateCount - nextState,
            memoryBytes: bytes,
            violations: this.#found.all.length,
        };
    }

    /** Threads that have searched. */
    get threadCount(): number {
        return this.#search.threadCount;
    }

    /** Whether every state that can be reached was expanded. */
    get isComplete(): boolean {
        const { inert, dropped } = this.#passed;
        return this.#isExhausted && inert.size === 0 && dropped.length === 0;
    }

    /**
     * Whether a summand has fired in some state that was expanded; with reduction, in one of each orbit. Where variables
     * were dropped or steps were merged, it may have fired unseen.
     */
    hasFired(summand: number): boolean {
        const number = this.#passed.numberOf(summand);
        return number >= 0 && this.#search.hasFired(number);
    }

    /**
     * How many states one stored state has stood for so far, on average over a few that wait to be expanded: what
     * reduction gains. `undefined` without reduction and where the sizes of orbits cannot be had.
     */
    statesPerOrbit(): number | undefined {
        const orbits = this.#options.orbits?.();
        if (orbits === undefined) {
            return undefined;
        }
        const { nextState, stateCount } = this.#search;
        const samples = this.#phase === 'search' ? Math.min(ORBIT_SAMPLES, stateCount - nextState) : 0;
        for (let sample = 0; sample < samples; sample++) {
            this.#search.stateInto(this.#state, nextState + Math.floor(((stateCount - nextState) * sample) / samples));
            const size = orbits.orbitOf(this.#state)?.size;
            if (size !== undefined) {
                this.#sampled.count++;
                this.#sampled.states += Number(size);
            }
        }
        return this.#sampled.count === 0 ? undefined : this.#sampled.states / this.#sampled.count;
    }

    /** The report so far; complete once `advance` has returned true. */
    result(): ExplorationResult {
        if (this.#problem !== undefined) {
            return { problems: [this.#problem] };
        }
        const { canonicalizer } = this.#options;
        const { stateCount, transitions, depth, bytesPerState, peakBytes, omissionProbability, overhead } =
            this.#search;
        const report: ExplorationReport = {
            verdict: verdictOf(this.#found.all.length, this.#limit),
            states: stateCount,
            transitions,
            depth,
            deadlocks: this.#deadlocks,
            ...(omissionProbability > 0 && { omissionProbability }),
            bytesPerState,
            peakBytes,
            violations: [...this.#traces.violations].sort((first, second) => first.trace.length - second.trace.length),
            ...(this.#limit === undefined ? {} : { limit: this.#limit }),
            ...(canonicalizer !== undefined && {
                reduction: {
                    strategy: canonicalizer.strategy.name,
                    unique: this.#unique,
                    ...(overhead !== undefined && { overhead }),
                },
            }),
        };
        return { report, problems: [] };
    }

    #addInitialState(limit: WorkLimit): void {
        if (this.#initialStates.advance(limit)) {
            return;
        }
        this.#search.storeInitialStates(limit);
        if (!this.#isSearching()) {
            return;
        }
        const problem = this.#initialStates.problem;
        if (problem !== undefined || this.#search.stateCount === 0) {
            this.#problem = problem ?? {
                severity: 'error',
                code: 'model/no-initial-state',
                message: 'there is no initial state',
                range: this.#model.cells[0]?.declaration ?? NOWHERE,
            };
            this.#phase = 'finished';
            return;
        }
        this.#phase = 'search';
        this.#hasInitialStates = true;
        this.#checkStateCount();
    }

    #resume({ state, search }: StoredExploration): void {
        this.#unique = state.unique;
        this.#deadlocks = state.deadlocks;
        for (const violation of state.found) {
            this.#found.keep(violation);
        }
        this.#phase = 'search';
        if (!this.#search.restore(search)) {
            // Nothing is known of the states that were stored: there are no traces to them, and nothing to go on with later.
            this.#found.clear();
            this.#deadlocks = 0;
            this.#endSearch({ kind: 'memory', value: this.#options.maxMemoryBytes ?? this.#search.bytes });
            return;
        }
        this.#hasInitialStates = true;
        if (this.#found.areEnough && this.#stopsWithViolations) {
            this.#endSearch(undefined);
        }
        this.#checkStateCount();
    }

    /**
     * The limit on states, where the search itself does not know it. What is half done is done before; where there are too
     * many states already, nothing is begun.
     */
    #checkStateCount(): void {
        const { endsWithSnapshot, maxStates = Infinity } = this.#options;
        const isBeyond = endsWithSnapshot === true && this.#isSearching() && this.#search.stateCount > maxStates;
        if (isBeyond && this.#search.snapshot() !== undefined) {
            this.#endSearch({ kind: 'states', value: maxStates });
        }
    }

    #observer(): SearchObserver {
        return {
            storedSuspicious: (index, state) => {
                this.#properties.checkState(state, finding => {
                    this.#report(finding, index, state);
                });
            },
            stoodStill: (index, state) => {
                this.#checkStandstill(index, state);
            },
            faulted: (index, { kind, range }: Fault) => {
                if (this.#options.ignoresFaults !== true) {
                    this.#report({ kind: 'fault', name: kind, range }, index, undefined, { kind, range });
                }
            },
            limited: limit => {
                this.#endSearch(limit);
            },
            gaveUpRepresentative: () => {
                this.#unique = false;
            },
        };
    }

    #checkStandstill(index: number, state: Readonly<Int32Array>): void {
        const report = (finding: Finding): void => {
            this.#report(finding, index, state);
        };
        if (this.#properties.isDeadlock(state, report)) {
            this.#deadlocks++;
            if (this.#properties.checksDeadlock) {
                report(DEADLOCK);
            }
        }
    }

    /** `state` violates a property; it is absent for a fault. */
    #report(
        finding: Finding,
        stateIndex: number,
        state: Readonly<Int32Array> | undefined,
        finalFault?: FinalFault,
    ): void {
        const isNew = this.#found.add(finding, stateIndex, state, finalFault);
        if (isNew && this.#found.areEnough && this.#stopsWithViolations) {
            this.#endSearch(undefined);
        }
    }

    #endSearch(limit: ExplorationLimit | undefined): void {
        this.#limit ??= limit;
        this.#phase = 'traces';
        this.#search.stop();
    }
}
