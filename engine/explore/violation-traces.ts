/** The traces of the violations that a search has found, one after the other, replayed and checked in the interpreter. */
import { invariant } from '../common/assert.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { OrbitSizes } from '../representative/orbit-size.js';
import type { PassedModel } from '../sequential/reduced-model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { InitialStates } from './initial/initial-states.js';
import { DEADLOCK, type Finding, type Properties } from './properties.js';
import type { Canonicalizer } from './reduction.js';
import { RunSteps } from './run-steps.js';
import type { FoundViolation } from './snapshot.js';
import { interpretedSuccessors } from './successors.js';
import { TraceBuilder, type StoredStates, type TraceContext } from './trace.js';
import type { Violation } from './verdict.js';

interface ViolationTracesContext {
    /** As written, and so are the properties. */
    readonly model: SequentialModel;
    readonly properties: Properties;
    readonly passed: PassedModel;
    readonly stored: StoredStates;
    readonly canonicalizer: Canonicalizer | undefined;
    readonly orbits: (() => OrbitSizes | undefined) | undefined;
}

export class ViolationTraces {
    readonly #context: ViolationTracesContext;
    /** Made when it is needed. */
    #traceContext: TraceContext | undefined;
    readonly #violations: Violation[] = [];
    #builder: TraceBuilder | undefined;

    constructor(context: ViolationTracesContext) {
        this.#context = context;
    }

    /** The violations whose traces are complete, in the order in which they were found. */
    get violations(): readonly Violation[] {
        return this.#violations;
    }

    /** Goes on with the trace of the next violation; false if all have one. */
    advance(found: readonly FoundViolation[], limit: WorkLimit): boolean {
        if (this.#violations.length === found.length) {
            return false;
        }
        const { finding, stateIndex, finalFault } = found[this.#violations.length];
        this.#builder ??= new TraceBuilder(this.#contextOfTraces(), stateIndex, finalFault);
        const trace = this.#builder.advance(limit);
        if (trace !== undefined) {
            const { run } = this.#builder;
            const lastState = run.states[run.states.length - 1];
            invariant(
                finalFault !== undefined || this.#shows(finding, lastState),
                'a trace ends with the violation it is about',
            );
            const copies = this.#context.orbits?.()?.orbitOf(lastState)?.size;
            this.#violations.push({ ...finding, trace, run, ...(copies === undefined ? {} : { copies }) });
            this.#builder = undefined;
        }
        return true;
    }

    /** Whether a state without a faulty firing is one that `finding` is about. */
    #shows({ kind, name }: Finding, state: Readonly<Int32Array>): boolean {
        const { properties } = this.#context;
        let found = false;
        const compare = (other: Finding): void => {
            found ||= other.kind === kind && other.name === name;
        };
        properties.checkState(state, compare);
        let firings = 0;
        const countOne = (): boolean => ++firings === 0;
        this.#contextOfTraces().successors.forEachFiring(state, { fired: countOne, faulted: countOne });
        if (firings === 0 && properties.isDeadlock(state, compare)) {
            compare(DEADLOCK);
        }
        return found;
    }

    #contextOfTraces(): TraceContext {
        const { model, passed, stored, canonicalizer } = this.#context;
        const successors = interpretedSuccessors(model);
        return (this.#traceContext ??= {
            model,
            initialStates: new InitialStates(model),
            successors,
            steps: new RunSteps(model, passed, successors),
            ...(canonicalizer !== undefined && { canonicalizer }),
            stored,
        });
    }
}
