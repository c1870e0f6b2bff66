/** The traces of the violations that a search has found, one after the other, replayed and checked in the interpreter. */
import { invariant } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { OrbitSizes } from '../representative/orbit-size.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { composeSparse, inverseSparse, SPARSE_IDENTITY, type SparsePermutation } from '../group/sparse-permutation.js';
import { alikeFaults, type AlikeFault } from './alike-faults.js';
import { DEADLOCK, type Finding, type Properties } from './properties.js';
import type { StateCanonicalizer } from './state-canonicalizer.js';
import type { FoundViolation } from './snapshot.js';
import type { SearchParts } from './search-parts.js';
import { equalRanges, TraceBuilder, traceContextOf, type StoredStates, type TraceContext } from './trace.js';
import type { Traced } from './verdict.js';

interface ViolationTracesContext {
    /** As written, and so are the properties. */
    readonly model: SequentialModel;
    readonly properties: Properties;
    readonly parts: SearchParts;
    readonly stored: StoredStates;
    /** Under symmetries that keep the start, and so do those of `parts.alike`; absent if copies are not counted. */
    readonly orbits?: (() => OrbitSizes | undefined) | undefined;
    /** How many violations are told, those at alike places included. */
    readonly most: number;
}

/** A violation whose run is moved by a symmetry to show a fault that is alike. */
interface MovedViolation extends FoundViolation {
    readonly start?: SparsePermutation;
}

export class ViolationTraces {
    readonly #context: ViolationTracesContext;
    /** Made when it is needed. */
    #traceContext: TraceContext | undefined;
    readonly #violations: Traced[] = [];
    /** How many of those found have their trace, and the faults that are alike to the last one. */
    #done = 0;
    #alike: readonly MovedViolation[] = [];
    #builder: TraceBuilder | undefined;
    /** Of the next trace, if it is built for the second time. */
    #start: SparsePermutation | undefined;

    constructor(context: ViolationTracesContext) {
        this.#context = context;
    }

    /** The violations whose traces are complete, in the order in which they were found. */
    get violations(): readonly Traced[] {
        const isTold = (fault: Finding): boolean => this.#violations.some(isSameFault(fault));
        return this.#violations.map(({ possiblyAt, ...violation }) => {
            const others = possiblyAt?.filter(range => !isTold({ ...violation, range })) ?? [];
            return { ...violation, ...(others.length > 0 && { possiblyAt: others }) };
        });
    }

    /** Goes on with the trace of the next violation; false if all have one. */
    advance(found: readonly FoundViolation[], limit: WorkLimit): boolean {
        if (this.#alike.length === 0 && this.#done === found.length) {
            return false;
        }
        const violation: MovedViolation = this.#alike.length > 0 ? this.#alike[0] : found[this.#done];
        const { stateIndex, finalFault } = violation;
        this.#start ??= violation.start;
        this.#builder ??= new TraceBuilder(this.#contextOfTraces(), stateIndex, finalFault, this.#start);
        const trace = this.#builder.advance(limit);
        if (trace !== undefined) {
            const { run } = this.#builder;
            const lastState = run.states[run.states.length - 1];
            const shown = finalFault === undefined ? this.#findingsIn(lastState) : [];
            const start = this.#start === undefined ? this.#movement(violation, shown, this.#builder) : undefined;
            if (start === undefined) {
                const finding =
                    finalFault === undefined
                        ? shown.find(isAbout(violation.finding))
                        : this.#faultShown(violation.finding, this.#builder);
                invariant(finding !== undefined, 'a trace ends with the violation it is about');
                const copies = this.#copiesOf(finding, lastState, shown);
                if (finalFault === undefined || !this.#violations.some(isSameFault(finding))) {
                    const possiblyAt = this.#possiblyAt({ ...violation, finding }, lastState);
                    this.#violations.push({
                        ...finding,
                        trace,
                        run,
                        ...(copies !== undefined && { copies }),
                        ...(possiblyAt !== undefined && { possiblyAt }),
                    });
                }
                if (this.#alike.length > 0) {
                    this.#alike = this.#alike.slice(1);
                } else {
                    this.#done++;
                    this.#alike = this.#alikeTo({ ...violation, finding }, lastState);
                }
            }
            this.#start = start;
            this.#builder = undefined;
        }
        return true;
    }

    /** The faults at places that symmetries exchange with the one that a run has ended with. */
    #alikeFaults(
        { finding: { range }, finalFault }: FoundViolation,
        lastState: Readonly<Int32Array>,
        generatorsOf: (canonicalizer: StateCanonicalizer) => readonly SparsePermutation[] | undefined,
    ): readonly AlikeFault[] {
        const { canonicalizer } = this.#context.parts;
        const generators = canonicalizer && generatorsOf(canonicalizer);
        if (
            finalFault === undefined ||
            range === undefined ||
            canonicalizer === undefined ||
            generators === undefined
        ) {
            return [];
        }
        const { successors } = this.#contextOfTraces();
        return alikeFaults(lastState, { kind: finalFault.kind, range }, generators, successors, canonicalizer);
    }

    /** The places at which symmetries that do not keep the start show the fault, if more than one place is asked for. */
    #possiblyAt(found: FoundViolation, lastState: Readonly<Int32Array>): readonly SourceRange[] | undefined {
        const { parts, most } = this.#context;
        return parts.startMoved === undefined || most === 1
            ? undefined
            : this.#alikeFaults(found, lastState, ({ group }) => group?.generators).map(({ range }) => range);
    }

    /** Those at places that symmetries that keep the start exchange with it, with the run moved there. */
    #alikeTo(violation: FoundViolation, lastState: Readonly<Int32Array>): readonly MovedViolation[] {
        const { finding, ...found } = violation;
        const { parts, most } = this.#context;
        const left = most - this.#violations.length;
        if (left <= 0) {
            return [];
        }
        return this.#alikeFaults(violation, lastState, () => parts.alike?.().generators)
            .map(other => ({ finding: { ...finding, range: other.range }, movement: other.movement }))
            .filter(other => !this.#violations.some(isSameFault(other.finding)))
            .slice(0, left)
            .map(({ finding: shown, movement }) => ({
                ...found,
                finding: shown,
                finalFault: found.finalFault && { ...found.finalFault, range: shown.range },
                start: composeSparse(this.#start ?? SPARSE_IDENTITY, movement),
            }));
    }

    /**
     * The symmetry by which the run has to be moved to end with what was found. Undefined if it does so as it is: the
     * symmetries along the run may have taken what was found to an image of it.
     */
    #movement(
        { finding, finalFault }: FoundViolation,
        shown: readonly Finding[],
        { shownFault, toRun }: TraceBuilder,
    ): SparsePermutation | undefined {
        if (finalFault !== undefined) {
            // If the start has moved, the run there need not begin in an initial state: this one has its own fault.
            const isExact = shownFault !== undefined && equalRanges(shownFault.range, finalFault.range);
            return isExact || this.#context.parts.startMoved !== undefined ? undefined : inverseSparse(toRun);
        }
        if (shown.some(isAbout(finding))) {
            return undefined;
        }
        const wanted = invariantOf(finding);
        const alike = this.#context.parts.alike?.();
        const names = new Set(alike?.namesWith(wanted));
        const image = shown.find(other => other.kind === finding.kind && names.has(invariantOf(other)));
        return image === undefined || alike === undefined
            ? inverseSparse(toRun)
            : alike.movement(invariantOf(image), wanted);
    }

    /** The fault that was found, or its image if that is what the run shows. */
    #faultShown(finding: Finding, { shownFault }: TraceBuilder): Finding {
        const isImage = this.#context.parts.startMoved !== undefined && shownFault !== undefined;
        return isImage ? { ...finding, range: shownFault.range } : finding;
    }

    /**
     * How many states of the orbit of the last state show the finding. Of alike invariants each state of an orbit violates
     * equally many, and each of them is violated in equally many states.
     */
    #copiesOf(finding: Finding, lastState: Readonly<Int32Array>, shown: readonly Finding[]): bigint | undefined {
        const size = this.#context.orbits?.()?.orbitOf(lastState)?.size;
        const classes = this.#context.parts.alike?.().classesOf(invariantOf(finding));
        if (size === undefined || classes === undefined) {
            return size;
        }
        const violated = new Set(shown.filter(({ kind }) => kind === finding.kind).map(invariantOf));
        const count = classes.filter(([name]) => violated.has(name)).length;
        return (size * BigInt(count)) / BigInt(classes.length);
    }

    /** The findings in a state without a faulty firing. */
    #findingsIn(state: Readonly<Int32Array>): readonly Finding[] {
        const { properties } = this.#context;
        const findings: Finding[] = [];
        const add = (finding: Finding): void => {
            findings.push(finding);
        };
        properties.checkState(state, add);
        let firings = 0;
        const countOne = (): boolean => ++firings === 0;
        this.#contextOfTraces().successors.forEachFiring(state, { fired: countOne, faulted: countOne });
        if (firings === 0 && properties.isDeadlock(state, add)) {
            add(DEADLOCK);
        }
        return findings;
    }

    #contextOfTraces(): TraceContext {
        const { model, parts, stored } = this.#context;
        return (this.#traceContext ??= traceContextOf(model, parts, stored));
    }
}

/** The invariant that a finding is about, if it is about one. */
function invariantOf({ name, invariant: within = name }: Finding): string {
    return within;
}

/** Whether another violation is the same fault at the same place, of the same invariant or of steps, too. */
function isSameFault(fault: Finding): (other: Finding) => boolean {
    const { range } = fault;
    return other =>
        isAbout(fault)(other) && range !== undefined && other.range !== undefined && equalRanges(range, other.range);
}

/** Whether another finding is the same violation; a fault of an invariant may be at another place in it. */
function isAbout({ kind, name, invariant: within }: Finding): (other: Finding) => boolean {
    return other => other.kind === kind && other.name === name && other.invariant === within;
}
