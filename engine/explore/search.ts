/**
 * Breadth-first exploration of the states a model can reach, one state for each orbit if there is a canonicalizer.
 *
 *     initial states ── search ── violations ── their traces ── report
 *
 * The caller calls `advance` until the exploration is finished, and may give up between slices or by the work limit.
 * The report depends only on the model and the options, not on slices or the kind of search (state-search.ts).
 */
import type { Problem } from '../common/problem.js';
import type { SourceRange } from '../common/source-range.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { Fault } from '../sequential/expression/evaluate.js';
import { asWritten, type PassedModel } from '../sequential/reduced-model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { FoundViolations } from './found-violations.js';
import { InitialStateSupply } from './initial/initial-state-supply.js';
import { InitialStates } from './initial/initial-states.js';
import { InterpretedSearch } from './interpreted-search.js';
import { DEADLOCK, type Finding, Properties, statementOf } from './properties.js';
import { elementsOfStart, type SearchParts } from './search-parts.js';
import { NO_PARENT } from './seen-set.js';
import type { SearchObserver, StateSearchOptions, StateSearch, StateSearchFactory } from './state-search.js';
import { interpretedSuccessors, type Successors } from './successors.js';
import type { ExplorationSnapshot, FoundViolation, StoredExploration } from './snapshot.js';
import {
    type ExplorationLimit,
    type ExplorationReport,
    type FinalFault,
    type Traced,
    type Violation,
    verdictOf,
} from './verdict.js';
import { countingUsage } from './counting-usage.js';
import { limitOfNumbers } from './limit-of-numbers.js';
import { limitOfSlots } from './limit-of-slots.js';
import { numberSuccessors } from './number-successors.js';
import { RealRuns } from './real-runs.js';
import { ViolationTraces } from './violation-traces.js';

/** The task of an exploration, and its limits. */
export interface ExplorationOptions extends Omit<StateSearchOptions, 'pauseAtStates'>, SearchParts {
    /** The names of the invariants to check, and `deadlock`; all properties if absent. */
    readonly properties?: readonly string[];
    /** Whether to explore all states, also after a violation. */
    readonly continueAfterViolation?: boolean;
    /**
     * The number of violations to find; several of one property must be in different orbits. If absent, one for each
     * kind, name and place. A fault is found once for its place.
     */
    readonly maxViolations?: number;
    /** How many violations, different in kind, name or place, end the search; one if absent. */
    readonly violationsToStop?: number;
    /**
     * Whether a violation ends the search only behind the states of its depth: then all violations of the fewest steps
     * are found, one for each place, whatever the order of states is.
     */
    readonly finishesDepth?: boolean;
    /** What the model says is violated: it ends no search. */
    readonly meant?: ReadonlySet<string>;
    /** Whether to tell the faults at places that symmetries exchange with the one that ends the search. */
    readonly tellsAlikeFaults?: boolean;
    /** Whether to ignore faults: the question is about the states before them. */
    readonly ignoresFaults?: boolean;
    /** Whether to store fingerprints in place of long states, if the search can do that. */
    readonly storesFingerprints?: boolean;
    /** Successors; the interpreter's if absent. */
    readonly successors?: Successors;
    /** The search; the interpreted one if absent. */
    readonly search?: StateSearchFactory;
    /** The state of an exploration of this model for these properties, to continue from. */
    readonly resumeFrom?: StoredExploration;
    /** A limit ends the search only if `snapshot` is possible: the state that exceeds `maxStates` is expanded. */
    readonly endsWithSnapshot?: boolean;
}

/** The phases of an exploration, in order. */
type ExplorationPhase = 'initial states' | 'search' | 'traces' | 'orbits' | 'finished';

/** The progress of an exploration. */
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

/** The result of an exploration. */
export interface ExplorationResult {
    /** Absent if `problems` has errors. */
    readonly report?: ExplorationReport;
    readonly problems: readonly Problem[];
}

/** The orbits that each call of `statesPerOrbit` looks at. */
const ORBIT_SAMPLES = 4;

/** The cells that adding up all orbits may look at: some tenths of a second. */
const MOST_ADDED_WORK = 20_000_000;

/** An exploration in slices: call `advance` until it returns true, then ask for the `result`. */
export interface RunningExploration {
    /** The number of threads that take part or, after the end, took part. */
    readonly threadCount: number;
    /** Works until the limit is exhausted; true once there is a result. */
    advance(limit: WorkLimit): boolean;
    /** Ends the search undecided; `advance` still builds the traces of the violations. */
    stop(limit: ExplorationLimit): void;
    /** Ends the threads of an exploration that is not continued. May be called twice. */
    close(): void;
    progress(): ExplorationProgress;
    /**
     * The mean size of orbits of some waiting states so far; undefined without reduction or sizes of orbits, and if parts
     * of an orbit may not be reached.
     */
    statesPerOrbit(): number | undefined;
    /**
     * A snapshot while it is searching or after a limit. Undefined before all initial states are stored, and between
     * some calls of `advance`, for less than a tenth of a second.
     */
    snapshot(): ExplorationSnapshot | undefined;
    /** The report so far; complete after `advance` has returned true. */
    result(): ExplorationResult;
}

/** A search of states that checks the invariants, deadlock and faults of each of them, and ends with a report. */
export class Exploration implements RunningExploration {
    readonly #model: SequentialModel;
    readonly #options: ExplorationOptions;
    readonly #search: StateSearch;
    readonly #passed: PassedModel;
    readonly #initialStates: InitialStateSupply;
    /** The properties of the searched model. */
    readonly #properties: Properties;
    readonly #found: FoundViolations;
    readonly #traces: ViolationTraces;
    /** In place of `#traces` of a model with numbers without end. */
    readonly #realRuns: RealRuns | undefined;
    readonly #stopsWithViolations: boolean;
    /** By name of an image the run that is to exist, and the runs that are found. */
    readonly #runOf: ReadonlyMap<string, string>;
    readonly #reached = new Set<string>();
    /** Scratch space. */
    readonly #state: Int32Array;

    #phase: ExplorationPhase = 'initial states';
    #limit: ExplorationLimit | undefined;
    /** The depth whose states are the last to be expanded, once something is found and depths are finished. */
    #lastDepth = Infinity;
    /** The step for which there was no slot. */
    #missed: FoundViolation | undefined;
    #problem: Problem | undefined;
    #unique: boolean;
    #deadlocks = 0;
    #isExhausted = false;
    #hasInitialStates = false;

    /** The samples of `statesPerOrbit`. */
    readonly #sampled = { count: 0, states: 0 };
    /** The first stored orbits, and their sizes together. */
    readonly #added: { orbits: number; states: bigint; mostWorked?: number } = { orbits: 0, states: 0n };

    constructor(model: SequentialModel, options: ExplorationOptions = {}) {
        this.#model = model;
        this.#options = options;
        this.#passed = options.passed ?? asWritten(model);
        const { searched, stepwise } = this.#passed;
        const { maxStates, ...otherOptions } = options;
        const { canonicalizer, orbits, endsWithSnapshot, startMoved } = options;
        const properties = new Properties(model, options.properties);
        this.#properties = searched === model ? properties : new Properties(searched, options.properties);
        this.#unique = canonicalizer?.strategy.unique ?? true;
        this.#stopsWithViolations = options.continueAfterViolation !== true;
        this.#runOf = new Map(
            model.invariants.flatMap(({ name, imageOf }) => (imageOf === undefined ? [] : [[name, imageOf] as const])),
        );
        this.#state = new Int32Array(model.cells.length);
        const interpreted: StateSearchFactory = (observer, searchOptions) => {
            const ofStates = options.numbers
                ? numberSuccessors(searched, options.numbers)
                : (options.successors ?? interpretedSuccessors(searched));
            const successors = countingUsage(searched, ofStates);
            return new InterpretedSearch(searched, successors, observer, searchOptions);
        };
        this.#search = (options.search ?? interpreted)(this.#observer(), {
            ...otherOptions,
            ...(maxStates !== undefined && (endsWithSnapshot === true ? { pauseAtStates: maxStates } : { maxStates })),
        });
        this.#initialStates = new InitialStateSupply(
            new InitialStates(stepwise, elementsOfStart(options)),
            this.#search,
            model.cells.length,
        );
        const toStop = options.finishesDepth === true ? Infinity : (options.violationsToStop ?? 1);
        const most = options.maxViolations ?? (this.#stopsWithViolations ? toStop : Infinity);
        this.#found = new FoundViolations({
            count: most,
            severalPerPlace: options.maxViolations !== undefined,
            isMeant: finding => this.#isMeant(finding),
            orbits: canonicalizer && orbits,
            alikeTo: (finding, state) => this.#alikeTo(finding, state),
        });
        const { numbers } = options;
        this.#realRuns = numbers && new RealRuns(model, options.properties, { ...options, numbers }, this.#search);
        this.#traces = new ViolationTraces({
            model,
            properties,
            parts: options,
            stored: this.#search,
            orbits: startMoved?.orbits ?? orbits,
            most: options.tellsAlikeFaults === true ? Infinity : most,
        });
    }

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
                    if (this.#isBehindLastDepth()) {
                        this.#endSearch(undefined);
                    } else if (!this.#search.advance(limit) && this.#isSearching()) {
                        this.#isExhausted = true;
                        this.#endSearch(undefined);
                    }
                    this.#checkStateCount();
                    break;
                case 'traces':
                    if (!(this.#realRuns ?? this.#traces).advance(this.#withMissed(), limit)) {
                        this.#phase = 'orbits';
                    }
                    break;
                case 'orbits':
                    if (this.#addOrbits(limit)) {
                        this.#phase = 'finished';
                    }
                    break;
            }
            if (limit.isExhausted()) {
                break;
            }
        }
        if (this.#phase === 'initial states') {
            // The next one may take long, and one of these may violate something.
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

    stop(limit: ExplorationLimit): void {
        if (this.#isSearching()) {
            this.#endSearch(limit);
        }
    }

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

    get threadCount(): number {
        return this.#search.threadCount;
    }

    /** Whether not all possible steps of the states are taken. */
    get takesSomeSteps(): boolean {
        return this.#options.selection !== undefined;
    }

    /** Whether all states were seen that the search looks for. */
    get hasSeenAll(): boolean {
        return this.#isExhausted;
    }

    /** Whether every reachable state was expanded. */
    get isComplete(): boolean {
        const { inert, dropped } = this.#passed;
        return this.#isExhausted && inert.size === 0 && dropped.length === 0;
    }

    /**
     * Whether a summand has fired in an expanded state; with threads, complete only after the search has closed. If
     * variables were dropped or steps merged, it may have fired unseen.
     */
    hasFired(summand: number): boolean {
        const number = this.#passed.numberOf(summand);
        return number >= 0 && this.#search.hasFired(number);
    }

    statesPerOrbit(): number | undefined {
        const orbits = this.#options.startMoved === undefined ? this.#options.orbits?.() : undefined;
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

    /** Adds up the sizes of all stored orbits, if they are exact and it does not take long; true at the end. */
    #addOrbits(limit: WorkLimit): boolean {
        const { startMoved } = this.#options;
        const { stateCount } = this.#search;
        const isExact =
            this.isComplete &&
            !this.takesSomeSteps &&
            this.#options.numbers === undefined &&
            this.#unique &&
            this.#limit === undefined &&
            startMoved === undefined;
        const orbits = isExact && this.#model.templates === undefined ? this.#options.quickOrbits?.() : undefined;
        if (orbits === undefined || orbits.work * stateCount > MOST_ADDED_WORK) {
            return true;
        }
        if (orbits.work === 0) {
            // Without symmetries an orbit is one state, which need not be found again.
            this.#added.orbits = stateCount;
            this.#added.states = BigInt(stateCount);
        }
        this.#added.mostWorked ??= orbits.worked + MOST_ADDED_WORK;
        while (this.#added.orbits < stateCount) {
            this.#search.stateInto(this.#state, this.#added.orbits);
            const size = orbits.orbitOf(this.#state)?.size;
            if (size === undefined || orbits.worked > this.#added.mostWorked) {
                return true;
            }
            this.#added.states += size;
            this.#added.orbits++;
            if (limit.isExhausted()) {
                break;
            }
        }
        return this.#added.orbits === stateCount;
    }

    /** What has a trace, last the step for which there was no slot. */
    #withMissed(): readonly FoundViolation[] {
        return this.#missed === undefined ? this.#found.all : [...this.#found.all, this.#missed];
    }

    /** The limit, with a run if it is one of slots. That something found is not real is one, too. */
    #limitWithTrace(): ExplorationLimit | undefined {
        const [notReal] = this.#realRuns?.notReal ?? [];
        if (notReal !== undefined) {
            const { trace, stopsAt, finding } = notReal;
            const found = finding.invariant ?? finding.name;
            return { kind: 'notReal', value: trace.length - 1, trace, found, ...(stopsAt && { step: stopsAt }) };
        }
        const trace = this.#missed && (this.#realRuns ?? this.#traces).violations.find(isOfSlots)?.trace;
        return this.#limit && { ...this.#limit, ...(trace !== undefined && { trace }) };
    }

    result(): ExplorationResult {
        if (this.#problem !== undefined) {
            return { problems: [this.#problem] };
        }
        const { canonicalizer } = this.#options;
        const { stateCount, transitions, depth, bytesPerState, peakBytes, omissionProbability, overhead } =
            this.#search;
        const limit = this.#limitWithTrace();
        const traced = [...(this.#realRuns ?? this.#traces).violations].filter(violation => !isOfSlots(violation));
        const violations = traced.filter(isViolation);
        const reached = traced.filter(each => !isViolation(each));
        const countedCount =
            this.#realRuns === undefined
                ? this.#found.countedCount
                : violations.filter(violation => !this.#isMeant(violation)).length;
        const report: ExplorationReport = {
            verdict: verdictOf(countedCount, limit),
            states: stateCount,
            ...(stateCount > 0 && this.#added.orbits === stateCount && { allStates: this.#added.states }),
            transitions,
            depth,
            ...(this.#model.constraint !== undefined && this.#isExhausted && { outside: this.#search.outside }),
            deadlocks: this.#deadlocks,
            ...(omissionProbability > 0 && { omissionProbability }),
            bytesPerState,
            peakBytes,
            violations: violations.sort((first, second) => first.trace.length - second.trace.length),
            ...(reached.length > 0 && { reached }),
            ...(limit !== undefined && { limit }),
            ...this.#partialOrder(),
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

    #partialOrder(): Pick<ExplorationReport, 'por'> {
        const { selection } = this.#options;
        const { selected } = this.#search;
        if (selection === undefined || selected === undefined) {
            return {};
        }
        const { enabled, isOff } = selected;
        const { relations, checked, mode } = selection;
        return {
            por: {
                mode: isOff ? 'off' : mode === 'fewest' ? 'fewest' : 'shortest',
                fired: this.#search.transitions,
                // An event may end a search before the steps of its last states are counted.
                enabled: Math.max(enabled, this.#search.transitions),
                goals: [
                    ...(checked.deadlock ? ['deadlock'] : []),
                    ...(this.#options.ignoresFaults !== true && relations.faultPlaces.some(places => places > 0)
                        ? ['faults']
                        : []),
                    ...checked.names,
                ],
                ...(relations.bound !== undefined && { sticky: relations.bound.stickyCount }),
                ...(isOff && { because: 'more than a third of the possible steps were taken' }),
            },
        };
    }

    #addInitialState(limit: WorkLimit): void {
        if (this.#initialStates.advance(limit)) {
            return;
        }
        this.#search.storeInitialStates(limit);
        if (!this.#isSearching()) {
            return;
        }
        this.#problem = this.#initialStates.problem;
        if (this.#problem !== undefined) {
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
            // The stored states are lost, so there are no traces and no snapshots.
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

    /** Applies `maxStates` if the search does not: ends the search once `snapshot` is possible. */
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
                this.#noteLastDepth(() => (this.#phase === 'search' ? this.#search.parentOf(index) : NO_PARENT));
            },
            stoodStill: (index, state) => {
                this.#checkStandstill(index, state);
                this.#noteLastDepth(() => index);
            },
            faulted: (index, { kind, range }: Fault) => {
                if (kind === 'slots') {
                    this.#missSlot(index, range);
                } else if (kind === 'numbers') {
                    this.#missCode();
                } else if (this.#options.ignoresFaults !== true) {
                    this.#report({ kind: 'fault', name: kind, range }, index, undefined, { kind, range });
                    this.#noteLastDepth(() => index);
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

    /** Ends the search: what comes after this state is not all there. */
    #missSlot(index: number, range: SourceRange): void {
        if (!this.#isSearching()) {
            return;
        }
        this.#missed = {
            finding: { kind: 'fault', name: 'slots', range },
            stateIndex: index,
            finalFault: { kind: 'slots', range },
            orbit: undefined,
        };
        this.#endSearch(limitOfSlots(this.#model, range));
    }

    /** Ends the search: there is no code for a number, or there are too many cases of distances. */
    #missCode(): void {
        this.#endSearch(limitOfNumbers(this.#model, this.#options.numbers));
    }

    #checkStandstill(index: number, state: Readonly<Int32Array>): void {
        const report = (finding: Finding): void => {
            this.#report(finding, index, state);
        };
        if (this.takesSomeSteps && !this.#properties.checksDeadlock) {
            // Steps may be possible that lead to no goal.
            return;
        }
        if (this.#properties.isDeadlock(state, report)) {
            this.#deadlocks++;
            if (this.#properties.checksDeadlock) {
                report(DEADLOCK);
            }
        }
    }

    /** `state` violates a property; absent for a fault. */
    #report(
        finding: Finding,
        stateIndex: number,
        state: Readonly<Int32Array> | undefined,
        finalFault?: FinalFault,
    ): void {
        // Many states may show what one has shown.
        if (finding.kind === 'run' && this.#reached.has(this.#runOf.get(finding.name) ?? finding.name)) {
            return;
        }
        const isNew = this.#found.add(finding, stateIndex, state, finalFault);
        if (isNew && finding.kind === 'run') {
            this.#found.all.forEach(({ finding: { kind, name } }) => kind === 'run' && this.#reached.add(name));
        }
        if (isNew && this.#stopsWithViolations && (this.#found.areEnough || this.#isDecided())) {
            this.#endSearch(undefined);
        }
    }

    /** If something is found for the first time, by expanding this state: all that are expanded as early still are. */
    #noteLastDepth(expanded: () => number): void {
        const isFirst = this.#lastDepth === Infinity && this.#found.countedCount > 0;
        if (isFirst && this.#options.finishesDepth === true) {
            this.#lastDepth = this.#depthOf(expanded());
        }
    }

    /** Steps to a state that is stored; -1 for none. */
    #depthOf(state: number): number {
        let depth = -1;
        for (let each = state; each !== NO_PARENT; each = this.#search.parentOf(each)) {
            depth++;
        }
        return depth;
    }

    #isBehindLastDepth(): boolean {
        const { nextState, stateCount } = this.#search;
        return this.#lastDepth < Infinity && (nextState === stateCount || this.#depthOf(nextState) > this.#lastDepth);
    }

    #isMeant(finding: Finding): boolean {
        return finding.kind === 'run' || this.#options.meant?.has(statementOf(finding)) === true;
    }

    /** Whether all that was asked for by name was meant to be found, and is. */
    #isDecided(): boolean {
        const found = this.#found.all.map(({ finding }) => finding).filter(finding => this.#isMeant(finding));
        const names = new Set(found.map(statementOf));
        return this.#options.properties?.every(name => this.#runOf.has(name) || names.has(name)) === true;
    }

    /** What is found of each invariant of an orbit in an image of the state, in the order of the text. */
    #alikeTo(finding: Finding, state: Readonly<Int32Array>): readonly Finding[] {
        const { canonicalizer, alike } = this.#options;
        const within = finding.invariant ?? finding.name;
        const names = finding.kind === 'deadlock' ? undefined : alike?.().namesWith(within);
        if (names === undefined || canonicalizer === undefined || alike === undefined) {
            return [finding];
        }
        const image = new Int32Array(state.length);
        return names.flatMap((name): Finding[] => {
            if (this.#runOf.has(name)) {
                return [];
            }
            canonicalizer.imageInto(image, state, alike().movement(within, name));
            const found = name === within ? finding : this.#properties.findingOf(name, image);
            return found?.kind === finding.kind ? [found] : [];
        });
    }

    #endSearch(limit: ExplorationLimit | undefined): void {
        this.#limit ??= limit;
        this.#phase = 'traces';
        this.#search.stop();
    }
}

function isViolation(traced: Traced): traced is Violation {
    return traced.kind !== 'run';
}

/** Whether it is no violation of the model but a step for which there was no slot. */
function isOfSlots({ kind, name }: Finding): boolean {
    return kind === 'fault' && name === 'slots';
}
