/**
 * From stored states whose numbers without end stand for many, to runs with real numbers that show what was found
 * (run-search.ts). Without such a run what was found is *not real*: nobody knows whether the model has one.
 */
import type { WorkLimit } from '../common/work-limit.js';
import { withRealNumbers } from '../sequential/numbers/real-numbers.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import type { NumberSteps } from './number-successors.js';
import { DEADLOCK, type Finding, Properties } from './properties.js';
import type { SearchParts } from './search-parts.js';
import { type RealState, RealRunSearch, type StoredClasses } from './run-search.js';
import type { FoundViolation } from './snapshot.js';
import { interpretedSuccessors, type Successors } from './successors.js';
import { traceOf } from './run-trace.js';
import { describeStep, equalRanges } from './trace.js';
import type { Traced, TraceEntry, TraceStep } from './verdict.js';

/** How far the real run has come that shows nothing of what was found. */
export interface NotReal {
    readonly finding: Finding;
    /** A run to the place where no step goes on, or where nothing was found. */
    readonly trace: readonly TraceEntry[];
    /** The step that the stored states take there; absent at the end of them. */
    readonly stopsAt?: TraceStep;
}

/** The real runs of what a search has found, with the interface of `ViolationTraces`. */
export class RealRuns {
    readonly violations: Traced[] = [];
    readonly notReal: NotReal[] = [];
    readonly #model: SequentialModel;
    readonly #successors: Successors;
    readonly #properties: Properties;
    readonly #parts: SearchParts & { readonly numbers: NumberSteps };
    readonly #stored: StoredClasses;
    /** How many of those found are done. */
    #done = 0;
    #search: RealRunSearch | undefined;

    constructor(
        model: SequentialModel,
        properties: readonly string[] | undefined,
        parts: SearchParts & { readonly numbers: NumberSteps },
        stored: StoredClasses,
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
        this.#search ??= new RealRunSearch(
            { model: this.#model, successors: this.#successors, parts: this.#parts, stored: this.#stored },
            violation.stateIndex,
            state => this.#shows(violation, state),
        );
        const result = this.#search.advance(limit);
        if (result === undefined) {
            return true;
        }
        this.#search = undefined;
        this.#done++;
        if (result.isReal) {
            this.#add(violation, result.end);
        } else if (violation.finalFault?.kind !== 'slots') {
            // With more slots it is asked again what is found.
            this.notReal.push({
                finding: violation.finding,
                trace: traceOf(this.#model, runTo(result.end)),
                ...(result.stopsAt !== undefined && { stopsAt: describeStep(this.#model, result.stopsAt) }),
            });
        }
        return true;
    }

    #add({ finding, finalFault }: FoundViolation, end: RealState): void {
        const run = runTo(end);
        const faulty = finalFault && this.#faultIn(end.state, finalFault);
        if (faulty !== undefined) {
            run.firings.push(faulty);
        }
        this.violations.push({ ...finding, trace: traceOf(this.#model, run, finalFault), run });
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

/** From an initial state on. */
function runTo(end: RealState): { readonly states: Int32Array[]; readonly firings: number[] } {
    const path: RealState[] = [];
    for (let at: RealState | undefined = end; at !== undefined; at = at.before) {
        path.push(at);
    }
    path.reverse();
    return { states: path.map(({ state }) => state), firings: path.slice(1).map(({ summand }) => summand) };
}
