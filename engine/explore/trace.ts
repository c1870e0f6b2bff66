/**
 * From a stored state back to a run of the model as written. Every step is checked in the interpreter, so a trace never
 * depends on a symmetry being right.
 *
 * Without reduction the parents of a state are the run. If passes have made another model for the search, a step of
 * that model is one or more steps of the run (run-steps.ts).
 */
import { invariant } from '../common/assert.js';
import { sameNumbers } from '../common/same-data.js';
import type { SourceRange } from '../common/source-range.js';
import type { WorkLimit } from '../common/work-limit.js';
import { composeSparse, inverseSparse, SPARSE_IDENTITY } from '../group/sparse-permutation.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import { asWritten } from '../sequential/reduced-model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { changedNames, formatState } from '../describe/shown-state.js';
import { successorsWithAllSlots } from './all-slots-successors.js';
import { namesAtFirst, type InstanceNames } from './instance-names.js';
import { InitialStates } from './initial/initial-states.js';
import { Roots, type Root } from './initial/roots.js';
import type { StateCanonicalizer } from './state-canonicalizer.js';
import { RunSteps } from './run-steps.js';
import type { SearchParts } from './search-parts.js';
import { NO_PARENT } from './seen-set.js';
import type { Successors } from './successors.js';
import type { FinalFault, Run, TraceEntry, TraceStep, TraceValue } from './verdict.js';

/** Where the stored states are. */
export interface StoredStates {
    readonly parentOf: (index: number) => number;
    readonly stateInto: (target: Int32Array, index: number) => void;
}

/** The parts of a search that a trace is made from. */
export interface TraceContext {
    /** As written. */
    readonly model: SequentialModel;
    readonly initialStates: InitialStates;
    readonly successors: Successors;
    readonly canonicalizer?: StateCanonicalizer;
    /** Absent if all symmetries of the search keep the start. */
    readonly roots?: Roots | undefined;
    readonly stored: StoredStates;
    readonly steps: RunSteps;
}

/** The context of a search with these parts. */
export function traceContextOf(
    model: SequentialModel,
    { passed = asWritten(model), canonicalizer, startMoved }: SearchParts,
    stored: StoredStates,
): TraceContext {
    const successors = successorsWithAllSlots(model);
    return {
        model,
        initialStates: new InitialStates(model),
        successors,
        steps: new RunSteps(model, passed, successors),
        ...(canonicalizer !== undefined && {
            canonicalizer,
            roots: startMoved && new Roots(passed.stepwise, canonicalizer, startMoved.elements),
        }),
        stored,
    };
}

/** Builds one trace step by step. */
export class TraceBuilder {
    readonly #context: TraceContext;
    readonly #finalFault: FinalFault | undefined;
    readonly #start: SparsePermutation;
    /** The stored states from the root on. */
    readonly #indices: readonly number[];
    readonly #entries: TraceEntry[] = [];
    readonly #states: Int32Array[] = [];
    readonly #firings: number[] = [];
    /** How many of them the run has come to. */
    #reached = 0;
    /** The stored state that the run has come to, and the state of the run: it is seen as the image under `#toRun`. */
    readonly #representative: Int32Array;
    #current: Int32Array;
    #names: InstanceNames | undefined;
    #toRun: SparsePermutation = SPARSE_IDENTITY;
    #shownFault: FinalFault | undefined;

    /** The run is moved by `start` as a whole: a symmetry of the model that keeps what is checked. */
    constructor(
        context: TraceContext,
        stateIndex: number,
        finalFault: FinalFault | undefined,
        start: SparsePermutation = SPARSE_IDENTITY,
    ) {
        this.#context = context;
        this.#finalFault = finalFault;
        this.#start = start;
        const indices = [];
        for (let index = stateIndex; index !== NO_PARENT; index = context.stored.parentOf(index)) {
            indices.push(index);
        }
        this.#indices = indices.reverse();
        this.#representative = new Int32Array(context.model.cells.length);
        this.#current = this.#representative;
    }

    /** The run that the trace has come to. */
    get run(): Run {
        return { states: this.#states, firings: this.#firings };
    }

    /** The symmetry that takes the last stored state to the last state of the complete run. */
    get toRun(): SparsePermutation {
        return this.#toRun;
    }

    /** The final fault of the complete run; a symmetry may have moved it to another place of the text. */
    get shownFault(): FinalFault | undefined {
        return this.#shownFault;
    }

    /** The trace once it is complete; `undefined` when the limit ended the work first. */
    advance(limit: WorkLimit): readonly TraceEntry[] | undefined {
        if (this.#reached === 0 && !this.#begin(limit)) {
            return undefined;
        }
        while (this.#reached < this.#indices.length) {
            this.#step(this.#indices[this.#reached++]);
            if (limit.isExhausted() && this.#reached < this.#indices.length) {
                return undefined;
            }
        }
        if (this.#finalFault !== undefined) {
            this.#appendFault(this.#finalFault);
        }
        return this.#entries;
    }

    /** In the initial state that is stored as the root; false at the limit. */
    #begin(limit: WorkLimit): boolean {
        const { initialStates, model, roots, steps, stored } = this.#context;
        stored.stateInto(this.#representative, this.#indices[0]);
        const root = roots === undefined ? NOT_MOVED : roots.of(this.#representative, limit);
        if (root === undefined) {
            return false;
        }
        this.#toRun = composeSparse(root.toRun, this.#start);
        // The start may be kept by all symmetries: then the root is an initial state although it is a representative.
        this.#current = steps.initialState(this.#image(this.#representative, this.#toRun));
        invariant(initialStates.includes(this.#current), 'a trace begins in an initial state');
        this.#states.push(this.#current);
        this.#names = namesAtFirst(model, this.#current);
        this.#entries.push({ step: null, state: this.#format(this.#current), changed: [] });
        this.#reached = 1;
        return true;
    }

    /** From the stored state reached so far to the next one. */
    #step(nextIndex: number): void {
        const { stored } = this.#context;
        const cellCount = this.#current.length;
        const nextRepresentative = new Int32Array(cellCount);
        stored.stateInto(nextRepresentative, nextIndex);
        const states = this.#stepStoredAs(nextRepresentative);
        for (const state of states) {
            this.#append(this.#image(state, this.#toRun));
        }
        const transformation = this.#transformation(states[states.length - 1], nextRepresentative);
        this.#toRun = composeSparse(inverseSparse(transformation), this.#toRun);
        this.#representative.set(nextRepresentative);
    }

    /** A step of the run, to what is seen as `seen`. */
    #append(seen: Readonly<Int32Array>): void {
        const { model } = this.#context;
        const { summand, next } = this.#stepTo(seen);
        const before = this.#format(this.#current);
        const step = describeStep(model, summand, this.#names);
        this.#names = this.#names?.next(this.#current, next);
        const state = this.#format(next);
        this.#entries.push({ step, state, changed: changedNames(model, before, state) });
        this.#current = next;
        this.#states.push(next);
        this.#firings.push(summand);
    }

    /** What the step of the search from the stored state leads through that ends in a state stored as `target`. */
    #stepStoredAs(target: Readonly<Int32Array>): readonly Int32Array[] {
        const { steps, canonicalizer } = this.#context;
        const image = new Int32Array(target.length);
        let found: readonly Int32Array[] | undefined;
        steps.forEachStep(this.#representative, states => {
            const successor = states[states.length - 1];
            if (canonicalizer === undefined || !canonicalizer.canonicalizeInto(image, successor)) {
                image.set(successor);
            }
            if (sameNumbers(image, target)) {
                found = states;
            }
            return found === undefined;
        });
        invariant(found !== undefined, 'a stored state is a successor of its parent');
        return found;
    }

    /** The first summand that leads from the state of the run to what is seen as `seen`: the check that it is a run. */
    #stepTo(seen: Readonly<Int32Array>): { readonly summand: number; readonly next: Int32Array } {
        const { successors, steps } = this.#context;
        let found: { readonly summand: number; readonly next: Int32Array } | undefined;
        successors.forEachFiring(this.#current, {
            fired: (summand, successor) => {
                if (steps.isSeenAs(successor, seen)) {
                    found = { summand, next: successor.slice() };
                }
                return found === undefined;
            },
            faulted: () => true,
        });
        invariant(found !== undefined, 'each step of a trace is a step of the model');
        return found;
    }

    /** The firing at the place that was found, else one with the same kind of fault. */
    #appendFault({ kind, range }: FinalFault): void {
        let found = -1;
        let isExact = false;
        this.#context.successors.forEachFiring(this.#current, {
            fired: () => true,
            faulted: (summand, fault) => {
                if (fault.kind === kind) {
                    isExact = equalRanges(fault.range, range);
                    if (isExact || found < 0) {
                        found = summand;
                        this.#shownFault = { kind, range: fault.range };
                    }
                }
                return !isExact;
            },
        });
        invariant(found >= 0, 'the last step of a trace is the fault that was found');
        this.#firings.push(found);
        this.#entries.push({
            step: describeStep(this.#context.model, found, this.#names),
            state: this.#format(this.#current),
            changed: [],
            fault: kind,
        });
    }

    /** The symmetry that took `successor` to its stored form. */
    #transformation(successor: Readonly<Int32Array>, stored: Readonly<Int32Array>): SparsePermutation {
        if (sameNumbers(successor, stored)) {
            return SPARSE_IDENTITY;
        }
        const transformation = this.#context.canonicalizer?.transformation(successor);
        invariant(transformation !== undefined, 'a state that is not its own representative has a way there');
        invariant(
            sameNumbers(this.#image(successor, transformation), stored),
            'the symmetry maps it to what is stored',
        );
        return transformation;
    }

    #image(state: Readonly<Int32Array>, symmetry: SparsePermutation): Int32Array {
        if (symmetry.points.length === 0) {
            return state.slice();
        }
        const { canonicalizer } = this.#context;
        invariant(canonicalizer !== undefined, 'without reduction a run needs no symmetry');
        const image = new Int32Array(state.length);
        canonicalizer.imageInto(image, state, symmetry);
        return image;
    }

    #format(state: Readonly<Int32Array>): Record<string, TraceValue> {
        return formatState(this.#context.model, state, this.#names);
    }
}

/** The instances that a firing of a summand moves, and what a trace calls it. `names` are those before it. */
export function describeStep(
    { summands, instances }: SequentialModel,
    summandIndex: number,
    names?: InstanceNames,
): TraceStep {
    const { label, participants } = summands[summandIndex];
    const process = participants.map(({ instance }) => instances[instance].name).join(' & ');
    const choice = participants.flatMap(participant => participant.choice ?? []).join(', ');
    return {
        process: names?.inText(process) ?? process,
        label: names?.inText(label) ?? label,
        ...(choice !== '' && { choice: names?.inText(choice) ?? choice }),
        range: participants[0].range,
    };
}

/** Of a root that is an initial state. */
const NOT_MOVED: Root = { toRun: SPARSE_IDENTITY };

/** Whether two places of the text begin at the same character. */
export function equalRanges(first: SourceRange, second: SourceRange): boolean {
    return (
        first.uri === second.uri &&
        first.start.line === second.start.line &&
        first.start.character === second.start.character
    );
}

/*
 * With reduction the stored states r0, r1, … are representatives: r(i+1) is the image of some successor t of r(i) under
 * a symmetry. Let h map r(i) to the state s(i) of the run. Then h(t) is a successor of s(i), because h is a symmetry,
 * and becomes s(i+1). The first h maps r0 to an initial state; if all symmetries keep the start, r0 is one.
 */
