/**
 * Breadth-first exploration of the states a model can reach, one state for each orbit if there is a canonicalizer.
 *
 *     initial states ── stored ── expanded in the order of storing ── traces of what was found ── report
 *
 * An exploration is resumed with `advance` until it says that it is finished, so the caller decides how long a slice
 * takes and may give up between slices, or inside one through the work limit. States are numbered as they are stored;
 * the numbers from the next one to expand up to the last are the frontier, so no queue is needed. Everything is
 * deterministic: the same model and options give the same report, whatever the slices.
 */
import { invariant } from '../common/assert.js';
import type { Problem } from '../common/problem.js';
import { NOWHERE } from '../common/source-range.js';
import { UNLIMITED, type WorkLimit } from '../common/work-limit.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { InitialStates } from './initial-states.js';
import { Properties } from './properties.js';
import type { Finding } from './properties.js';
import type { Canonicalizer } from './reduction.js';
import { NO_PARENT, SeenSet } from './seen-set.js';
import { StateLayout } from './state-layout.js';
import { interpretedSuccessors } from './successors.js';
import type { FiringVisitor, Successors } from './successors.js';
import { TraceBuilder } from './trace.js';
import type { FinalFault, TraceContext } from './trace.js';
import { verdictOf } from './verdict.js';
import type { ExplorationLimit, ExplorationReport, Violation } from './verdict.js';

export interface ExplorationOptions {
    /** One state for each orbit, under symmetries that keep what is checked and which instances may stop; else every state. */
    readonly canonicalizer?: Canonicalizer;
    /**
     * End undecided at a state whose representative is given up, instead of storing the state as it is. The value is the
     * work after which that happens, for the report.
     */
    readonly exactWithin?: number;
    /** The names of the invariants to check, and `deadlock`; everything the model states when absent. */
    readonly properties?: readonly string[];
    /** Explore everything, also after a violation. */
    readonly continueAfterViolation?: boolean;
    /** Stop after this many different violations. */
    readonly maxViolations?: number;
    readonly maxStates?: number;
    readonly maxMemoryBytes?: number;
    /** Another way to compute successors than the interpreter. */
    readonly successors?: Successors;
}

export type ExplorationPhase = 'initial states' | 'search' | 'traces' | 'finished';

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

export interface ExplorationResult {
    /** Absent where `problems` has errors. */
    readonly report?: ExplorationReport;
    readonly problems: readonly Problem[];
}

interface FoundViolation {
    readonly finding: Finding;
    readonly stateIndex: number;
    readonly finalFault: FinalFault | undefined;
}

export class Exploration {
    readonly #model: SequentialModel;
    readonly #options: ExplorationOptions;
    readonly #layout: StateLayout;
    readonly #seen: SeenSet;
    readonly #initialStates: InitialStates;
    readonly #successors: Successors;
    readonly #properties: Properties;
    readonly #visitor: FiringVisitor;
    readonly #violationsWanted: number;

    #phase: ExplorationPhase = 'initial states';
    #limit: ExplorationLimit | undefined;
    #problem: Problem | undefined;
    #unique: boolean;

    /** The state that is being expanded, and what becomes of a new one; scratch space. */
    readonly #state: Int32Array;
    readonly #representative: Int32Array;
    readonly #words: Uint32Array;

    /** The next state to expand. */
    #next = 0;
    /** Where the level after the current one begins. */
    #levelEnd = 0;
    #level = 0;
    #depth = 0;
    #transitions = 0;
    #deadlocks = 0;
    #firings = 0;
    /** Asked during an expansion too, so that a cancelled exploration stops inside of a long one. */
    #workLimit: WorkLimit | undefined;

    readonly #found: FoundViolation[] = [];
    readonly #foundKeys = new Set<string>();
    readonly #violations: Violation[] = [];
    #traceBuilder: TraceBuilder | undefined;

    constructor(model: SequentialModel, options: ExplorationOptions = {}) {
        this.#model = model;
        this.#options = options;
        this.#layout = new StateLayout(model.cells);
        this.#seen = new SeenSet(this.#layout.wordCount);
        this.#initialStates = new InitialStates(model);
        this.#successors = options.successors ?? interpretedSuccessors(model);
        this.#properties = new Properties(model, options.properties);
        this.#unique = options.canonicalizer?.strategy.unique ?? true;
        this.#violationsWanted = options.maxViolations ?? (options.continueAfterViolation === true ? Infinity : 1);
        this.#state = new Int32Array(model.cells.length);
        this.#representative = new Int32Array(model.cells.length);
        this.#words = new Uint32Array(this.#layout.wordCount);
        this.#visitor = {
            fired: (_summand, successor) => {
                this.#countFiring();
                this.#store(successor, this.#next);
                return this.#phase === 'search';
            },
            faulted: (_summand, fault) => {
                this.#countFiring();
                const finding: Finding = { kind: 'fault', name: fault.kind, range: fault.range };
                this.#report(finding, this.#next, { kind: fault.kind, range: fault.range });
                return this.#phase === 'search';
            },
        };
    }

    /** Works until the limit is exhausted; true once there is a result. */
    advance(limit: WorkLimit): boolean {
        this.#workLimit = limit;
        while (this.#phase !== 'finished') {
            switch (this.#phase) {
                case 'initial states':
                    this.#addInitialState();
                    break;
                case 'search':
                    this.#expandNext();
                    break;
                case 'traces':
                    this.#advanceTrace(limit);
                    break;
            }
            if (limit.isExhausted()) {
                break;
            }
        }
        return this.#isFinished();
    }

    #isFinished(): boolean {
        return this.#phase === 'finished';
    }

    /** Ends the search where it is, undecided; the traces of what was found are still to be built with `advance`. */
    stop(limit: ExplorationLimit): void {
        if (this.#phase === 'initial states' || this.#phase === 'search') {
            this.#endSearch(limit);
        }
    }

    progress(): ExplorationProgress {
        return {
            phase: this.#phase,
            states: this.#seen.count,
            transitions: this.#transitions,
            depth: this.#depth,
            frontier: this.#seen.count - this.#next,
            memoryBytes: this.#seen.bytes,
            violations: this.#found.length,
        };
    }

    /** The report so far; complete once `advance` has returned true. */
    result(): ExplorationResult {
        if (this.#problem !== undefined) {
            return { problems: [this.#problem] };
        }
        const { canonicalizer } = this.#options;
        const states = this.#seen.count;
        const report: ExplorationReport = {
            verdict: verdictOf(this.#found.length, this.#limit),
            states,
            transitions: this.#transitions,
            depth: this.#depth,
            deadlocks: this.#deadlocks,
            bytesPerState: this.#seen.bytesPerState,
            peakBytes: this.#seen.peakBytes,
            violations: [...this.#violations].sort((first, second) => first.trace.length - second.trace.length),
            ...(this.#limit === undefined ? {} : { limit: this.#limit }),
            ...(canonicalizer === undefined
                ? {}
                : { reduction: { strategy: canonicalizer.strategy.name, unique: this.#unique } }),
        };
        return { report, problems: [] };
    }

    #addInitialState(): void {
        if (this.#initialStates.nextInto(this.#state, this.#workLimit)) {
            this.#store(this.#state, NO_PARENT);
            return;
        }
        if (this.#initialStates.isPaused) {
            return;
        }
        const problem = this.#initialStates.problem;
        if (problem !== undefined || this.#seen.count === 0) {
            this.#problem = problem ?? {
                severity: 'error',
                code: 'model/no-initial-state',
                message: 'There is no initial state',
                range: this.#model.cells[0]?.declaration ?? NOWHERE,
            };
            this.#phase = 'finished';
            return;
        }
        this.#levelEnd = this.#seen.count;
        this.#phase = 'search';
    }

    #expandNext(): void {
        if (this.#next === this.#seen.count) {
            this.#endSearch(undefined);
            return;
        }
        if (this.#next === this.#levelEnd) {
            this.#levelEnd = this.#seen.count;
            this.#level++;
        }
        this.#readState(this.#state, this.#next);
        this.#firings = 0;
        this.#successors.forEachFiring(this.#state, this.#visitor);
        if (this.#firings === 0) {
            this.#checkStandstill();
        }
        if (this.#phase === 'search') {
            this.#next++;
        }
    }

    #checkStandstill(): void {
        const report = (finding: Finding): void => {
            this.#report(finding, this.#next, undefined);
        };
        if (this.#properties.isDeadlock(this.#state, report)) {
            this.#deadlocks++;
            if (this.#properties.checksDeadlock) {
                this.#report({ kind: 'deadlock', name: 'deadlock' }, this.#next, undefined);
            }
        }
    }

    #countFiring(): void {
        this.#firings++;
        this.#transitions++;
        // Throws where the caller has given up; that the slice is over can wait until the state is expanded.
        this.#workLimit?.isExhausted();
    }

    /** Stores the representative of a state unless it has been seen, and checks it. */
    #store(state: Readonly<Int32Array>, parent: number): void {
        const { canonicalizer, exactWithin, maxStates, maxMemoryBytes } = this.#options;
        let stored = state;
        if (canonicalizer !== undefined) {
            if (canonicalizer.canonicalizeInto(this.#representative, state)) {
                stored = this.#representative;
            } else if (exactWithin !== undefined) {
                this.#endSearch({ kind: 'work', value: exactWithin });
                return;
            } else {
                // The state stands for itself: sound, but another state of its orbit may be stored too.
                this.#unique = false;
            }
        }
        this.#layout.pack(stored, this.#words, 0);
        if (this.#seen.find(this.#words) >= 0) {
            return;
        }
        if (maxStates !== undefined && this.#seen.count >= maxStates) {
            this.#endSearch({ kind: 'states', value: maxStates });
            return;
        }
        if (maxMemoryBytes !== undefined && this.#seen.bytes + this.#seen.growthBytes > maxMemoryBytes) {
            this.#endSearch({ kind: 'memory', value: maxMemoryBytes });
            return;
        }
        if (!this.#seen.reserve(this.#workLimit ?? UNLIMITED)) {
            this.#endSearch({ kind: 'memory', value: this.#seen.bytes + this.#seen.growthBytes });
            return;
        }
        const index = this.#seen.insert(this.#words, parent);
        if (parent !== NO_PARENT) {
            this.#depth = this.#level + 1;
        }
        this.#properties.checkState(stored, finding => {
            this.#report(finding, index, undefined);
        });
    }

    #readState(target: Int32Array, index: number): void {
        this.#seen.readInto(this.#words, index);
        this.#layout.unpack(this.#words, 0, target);
    }

    /** Keeps the first violation of each kind, name and place; it has a shortest trace. */
    #report(finding: Finding, stateIndex: number, finalFault: FinalFault | undefined): void {
        const { kind, name, range } = finding;
        const key = JSON.stringify([kind, name, range ?? null]);
        if (this.#foundKeys.has(key) || this.#found.length >= this.#violationsWanted) {
            return;
        }
        this.#foundKeys.add(key);
        this.#found.push({ finding, stateIndex, finalFault });
        if (this.#found.length >= this.#violationsWanted) {
            this.#endSearch(undefined);
        }
    }

    #endSearch(limit: ExplorationLimit | undefined): void {
        this.#limit ??= limit;
        this.#phase = 'traces';
    }

    #advanceTrace(limit: WorkLimit): void {
        if (this.#violations.length === this.#found.length) {
            this.#phase = 'finished';
            return;
        }
        const { finding, stateIndex, finalFault } = this.#found[this.#violations.length];
        this.#traceBuilder ??= new TraceBuilder(this.#traceContext(), stateIndex, finalFault);
        const trace = this.#traceBuilder.advance(limit);
        if (trace !== undefined) {
            invariant(
                finalFault !== undefined || this.#shows(finding, this.#traceBuilder.lastState),
                'a trace ends with the violation it is about',
            );
            this.#violations.push({ ...finding, trace });
            this.#traceBuilder = undefined;
        }
    }

    /** Whether a state without a faulty firing is one that `finding` is about. */
    #shows({ kind, name }: Finding, state: Readonly<Int32Array>): boolean {
        let found = false;
        const compare = (other: Finding): void => {
            found ||= other.kind === kind && other.name === name;
        };
        this.#properties.checkState(state, compare);
        let firings = 0;
        const countOne = (): boolean => ++firings === 0;
        this.#successors.forEachFiring(state, { fired: countOne, faulted: countOne });
        if (firings === 0 && this.#properties.isDeadlock(state, compare)) {
            compare({ kind: 'deadlock', name: 'deadlock' });
        }
        return found;
    }

    #traceContext(): TraceContext {
        const { canonicalizer } = this.#options;
        const words = new Uint32Array(this.#layout.wordCount);
        return {
            model: this.#model,
            initialStates: this.#initialStates,
            successors: this.#successors,
            ...(canonicalizer === undefined ? {} : { canonicalizer }),
            stored: {
                parentOf: index => this.#seen.parentOf(index),
                stateInto: (target, index) => {
                    this.#seen.readInto(words, index);
                    this.#layout.unpack(words, 0, target);
                },
            },
        };
    }
}
