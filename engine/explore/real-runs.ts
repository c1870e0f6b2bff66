/**
 * From stored states whose numbers without end stand for many, to a run with real numbers that shows what was found.
 *
 * The stored states are followed from the initial one: at each place the real steps whose results are stored as the next
 * one, or as this one again, since a search stores no state twice: all candidates, those that stay less often first. If none
 * is left, or after too many firings, what was found is *not real*: nobody knows whether the model has such a run.
 */
import { formatState, changedNames } from '../describe/shown-state.js';
import type { WorkLimit } from '../common/work-limit.js';
import { withRealNumbers } from '../sequential/numbers/real-numbers.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { InitialStates } from './initial/initial-states.js';
import { numberSuccessors, type NumberSteps } from './number-successors.js';
import { DEADLOCK, type Finding, Properties } from './properties.js';
import type { SearchParts } from './search-parts.js';
import { NO_PARENT } from './seen-set.js';
import type { FoundViolation } from './snapshot.js';
import { interpretedSuccessors, type Successors } from './successors.js';
import { describeStep, equalRanges, type StoredStates } from './trace.js';
import type { Run, Traced, TraceEntry, TraceStep } from './verdict.js';

/** With more firings the search for a run ends without one. */
const MOST_FIRINGS = 100_000;

/** So often a real run may stay at the stored states. */
const MOST_STAYS = 48;

/** How far the real run has come that shows nothing of what was found. */
export interface NotReal {
    readonly finding: Finding;
    /** A run to the place where no step goes on, or where nothing was found. */
    readonly trace: readonly TraceEntry[];
    /** The step that the stored states take there; absent at the end of them. */
    readonly stopsAt?: TraceStep;
    /** Whether it ended after too many firings. */
    readonly isCutShort: boolean;
}

interface RealState {
    readonly state: Int32Array;
    /** The one before, and the summand that led here. */
    readonly before?: RealState;
    readonly summand: number;
    /** Its place among the stored states, and how often the run has stayed at one of them. */
    readonly position: number;
    readonly stays: number;
}

/** The real runs of what a search has found, with the interface of `ViolationTraces`. */
export class RealRuns {
    readonly violations: Traced[] = [];
    readonly notReal: NotReal[] = [];
    readonly #model: SequentialModel;
    readonly #successors: Successors;
    readonly #properties: Properties;
    readonly #parts: SearchParts & { readonly numbers: NumberSteps };
    readonly #stored: StoredStates;
    /** How many of those found are done. */
    #done = 0;
    #search: RunSearch | undefined;

    constructor(
        model: SequentialModel,
        properties: readonly string[] | undefined,
        parts: SearchParts & { readonly numbers: NumberSteps },
        stored: StoredStates,
    ) {
        this.#model = withRealNumbers(model);
        this.#successors = interpretedSuccessors(this.#model);
        this.#properties = new Properties(this.#model, properties);
        this.#parts = parts;
        this.#stored = stored;
    }

    /** Goes on with the next violation; false if all are done. */
    advance(found: readonly FoundViolation[], limit: WorkLimit): boolean {
        if (this.#done === found.length) {
            return false;
        }
        const violation = found[this.#done];
        this.#search ??= new RunSearch(this.#model, this.#parts, this.#stored, violation.stateIndex);
        const search = this.#search;
        const result = search.advance(this.#successors, state => this.#shows(violation, state), limit);
        if (result === undefined) {
            return true;
        }
        this.#search = undefined;
        this.#done++;
        if (result.isReal) {
            this.#add(violation, result.end);
        } else {
            this.notReal.push({
                finding: violation.finding,
                trace: this.#traceTo(result.end),
                ...(result.stopsAt !== undefined && { stopsAt: describeStep(this.#model, result.stopsAt) }),
                isCutShort: result.isCutShort,
            });
        }
        return true;
    }

    #add({ finding, finalFault }: FoundViolation, end: RealState): void {
        const trace = [...this.#traceTo(end)];
        const run: { states: Int32Array[]; firings: number[] } = { states: [], firings: [] };
        for (let at: RealState | undefined = end; at !== undefined; at = at.before) {
            run.states.unshift(at.state);
            if (at.before !== undefined) {
                run.firings.unshift(at.summand);
            }
        }
        const faulty = finalFault && this.#faultIn(end.state, finalFault);
        if (finalFault !== undefined && faulty !== undefined) {
            run.firings.push(faulty);
            const last = trace[trace.length - 1];
            const step = describeStep(this.#model, faulty);
            trace.push({ step, state: last.state, changed: [], fault: finalFault.kind });
        }
        this.violations.push({ ...finding, trace, run: run satisfies Run });
    }

    #traceTo(end: RealState): readonly TraceEntry[] {
        const { before, state, summand } = end;
        const shown = formatState(this.#model, state);
        if (before === undefined) {
            return [{ step: null, state: shown, changed: [] }];
        }
        const entries = this.#traceTo(before);
        const changed = changedNames(this.#model, entries[entries.length - 1].state, shown);
        return [...entries, { step: describeStep(this.#model, summand), state: shown, changed }];
    }

    /** Whether what was found is there in a real state. */
    #shows({ finding, finalFault }: FoundViolation, state: Int32Array): boolean {
        if (finalFault !== undefined) {
            return this.#faultIn(state, finalFault) !== undefined;
        }
        let isShown = false;
        const compare = (other: Finding): void => {
            const isSame = other.kind === finding.kind && other.name === finding.name;
            isShown ||= isSame && other.invariant === finding.invariant;
        };
        if (finding.kind !== 'deadlock') {
            this.#properties.checkState(state, compare);
        }
        let firings = 0;
        const countOne = (): boolean => ++firings === 0;
        this.#successors.forEachFiring(state, { fired: countOne, faulted: countOne });
        if (firings === 0 && this.#properties.isDeadlock(state, compare)) {
            compare(DEADLOCK);
        }
        return isShown;
    }

    #faultIn(state: Int32Array, { kind, range }: NonNullable<FoundViolation['finalFault']>): number | undefined {
        let found: number | undefined;
        this.#successors.forEachFiring(state, {
            fired: () => true,
            faulted: (summand, fault) => {
                found = fault.kind === kind && equalRanges(fault.range, range) ? summand : undefined;
                return found === undefined;
            },
        });
        return found;
    }
}

type Found =
    | { readonly isReal: true; readonly end: RealState }
    | {
          readonly isReal: false;
          readonly end: RealState;
          readonly stopsAt: number | undefined;
          readonly isCutShort: boolean;
      };

/** The real runs along one list of stored states, depth first. */
class RunSearch {
    readonly #model: SequentialModel;
    readonly #parts: SearchParts & { readonly numbers: NumberSteps };
    /** The stored states from the root on. */
    readonly #path: readonly Int32Array[];
    /** By how often they have stayed. */
    readonly #waiting: RealState[][] = Array.from({ length: MOST_STAYS + 1 }, () => []);
    /** By position the real states that were there. */
    readonly #seen = new Set<string>();
    readonly #initial: InitialStates;
    readonly #image: Int32Array;
    #hasBegun = false;
    #firings = 0;
    #farthest: RealState | undefined;

    constructor(
        model: SequentialModel,
        parts: SearchParts & { readonly numbers: NumberSteps },
        stored: StoredStates,
        stateIndex: number,
    ) {
        this.#model = model;
        this.#parts = parts;
        this.#initial = new InitialStates(model);
        this.#image = new Int32Array(model.cells.length);
        const path: Int32Array[] = [];
        for (let index = stateIndex; index !== NO_PARENT; index = stored.parentOf(index)) {
            const state = new Int32Array(model.cells.length);
            stored.stateInto(state, index);
            path.unshift(state);
        }
        this.#path = path;
    }

    /** Undefined if the limit has ended the work before. */
    advance(successors: Successors, shows: (state: Int32Array) => boolean, limit: WorkLimit): Found | undefined {
        if (!this.#hasBegun && !this.#begin(limit)) {
            return undefined;
        }
        for (let next = this.#next(); next !== undefined; next = this.#next()) {
            if (this.#farthest === undefined || next.position > this.#farthest.position) {
                this.#farthest = next;
            }
            if (next.position === this.#path.length - 1 && shows(next.state)) {
                return { isReal: true, end: next };
            }
            this.#addNext(next, successors);
            if (this.#firings > MOST_FIRINGS) {
                break;
            }
            if (limit.isExhausted() && this.#isWaiting()) {
                return undefined;
            }
        }
        return this.#notReal();
    }

    #isWaiting(): boolean {
        return this.#waiting.some(({ length }) => length > 0);
    }

    #next(): RealState | undefined {
        return this.#waiting.find(({ length }) => length > 0)?.pop();
    }

    #notReal(): Found {
        const isCutShort = this.#isWaiting();
        const end = this.#farthest ?? { state: this.#path[0], summand: -1, position: 0, stays: 0 };
        const stopsAt = end.position === this.#path.length - 1 ? undefined : this.#storedStepAfter(end.position);
        return { isReal: false, end, stopsAt, isCutShort };
    }

    /** The summand by which a stored state leads to the next one. */
    #storedStepAfter(position: number): number | undefined {
        let found: number | undefined;
        numberSuccessors(this.#model, this.#parts.numbers).forEachFiring(this.#path[position], {
            fired: (summand, successor) => {
                found = this.#isStoredAs(successor, this.#path[position + 1]) ? summand : undefined;
                return found === undefined;
            },
            faulted: () => true,
        });
        return found;
    }

    #begin(limit: WorkLimit): boolean {
        const state = new Int32Array(this.#model.cells.length);
        while (this.#initial.nextInto(state, limit)) {
            this.#add({ state: state.slice(), summand: -1, position: 0, stays: 0 });
        }
        this.#hasBegun = !this.#initial.isPaused;
        return this.#hasBegun;
    }

    #addNext(before: RealState, successors: Successors): void {
        const { position, stays } = before;
        successors.forEachFiring(before.state, {
            fired: (summand, successor) => {
                this.#firings++;
                const state = successor.slice();
                const goesOn = position + 1 < this.#path.length;
                if (!goesOn || !this.#add({ state, before, summand, position: position + 1, stays })) {
                    this.#add({ state, before, summand, position, stays: stays + 1 });
                }
                return true;
            },
            faulted: () => true,
        });
    }

    /** Whether the search stores the state as that of its position. */
    #add(next: RealState): boolean {
        const { state, position, stays } = next;
        if (stays > MOST_STAYS || !this.#isStoredAs(state, this.#path[position])) {
            return false;
        }
        const key = `${position} ${state.join()}`;
        if (!this.#seen.has(key)) {
            this.#seen.add(key);
            this.#waiting[stays].push(next);
        }
        return true;
    }

    /** Whether the search stores a real state as this one. */
    #isStoredAs(state: Readonly<Int32Array>, stored: Readonly<Int32Array>): boolean {
        const { numbers, canonicalizer } = this.#parts;
        const form = state.slice();
        if (!numbers.order.normalize(form)) {
            return false;
        }
        if (canonicalizer === undefined || !canonicalizer.canonicalizeInto(this.#image, form)) {
            this.#image.set(form);
        }
        return this.#image.every((code, cell) => code === stored[cell]);
    }
}
