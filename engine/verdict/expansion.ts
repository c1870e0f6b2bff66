/**
 * A model as a function from a state to the representatives of its successors, for searches whose stored states are
 * somewhere else: in files, on other machines. Whoever expands a state, and when, what comes out is the same.
 *
 * States are packed (StateLayout.pack), `wordCount` words each, one after the other. The caller looks for representatives
 * that are new, and comes back with the path of a violation to get a run of the model as written.
 */
import { invariant } from '../common/assert.js';
import type { Problem } from '../common/problem.js';
import { keyOfRange, NOWHERE } from '../common/source-range.js';
import { UNLIMITED } from '../common/work-limit.js';
import { compiledExpander } from '../compiled-search/compiled-expander.js';
import { compileModel } from '../compiled-search/compiled-model.js';
import type { KnownValues } from '../constraints/dead-steps.js';
import { interpretedExpander, type Expander, type ExpanderSink } from '../explore/expander.js';
import { InitialStates } from '../explore/initial/initial-states.js';
import { DEADLOCK, Properties, type Finding } from '../explore/properties.js';
import { elementsOfStart, type SearchParts } from '../explore/search-parts.js';
import { NO_PARENT } from '../explore/seen-set.js';
import type { FoundViolation } from '../explore/snapshot.js';
import { StateLayout } from '../explore/state-layout.js';
import { SelectedSuccessors } from '../explore/step-selection.js';
import type { CertainOrder } from '../explore/stubborn.js';
import { interpretedSuccessors } from '../explore/successors.js';
import { TraceBuilder, traceContextOf, type StoredStates } from '../explore/trace.js';
import type { TraceEntry } from '../explore/verdict.js';
import { ViolationTraces } from '../explore/violation-traces.js';
import type { Model } from '../model/model.js';
import type { PassName } from '../passes/pass-names.js';
import { bitsOfCell, codeRangeOf } from '../sequential/expression/code-range.js';
import { printSequentialModel } from '../sequential/print.js';
import { asWritten, type PassedModel } from '../sequential/reduced-model.js';
import type { FaultKind, SequentialModel } from '../sequential/sequential-model.js';
import { createdBy } from './enough-slots.js';
import { reduce } from './reduction.js';
import { certainReductions } from './reductions.js';
import type { CertainSymmetry } from './symmetry-reduction.js';

/** The symmetries that reduce an expansion. */
export interface ExpansionSymmetry extends CertainSymmetry {
    readonly values?: KnownValues;
}

export interface ExpansionOptions {
    /** When absent those that explorations have. */
    readonly passes?: readonly PassName[] | undefined;
    /** The names of the invariants to check, and `deadlock`; all if absent. */
    readonly properties?: readonly string[] | undefined;
    /** Whether some of the possible steps of a reachable state are enough; all are taken if absent. */
    readonly partialOrder?: CertainOrder | undefined;
}

/** What comes of states, in their order; `index` is that of the state among those that are expanded together. */
export interface ExpansionSink {
    /** One call for each firing; `representative` is valid during it. */
    successor(index: number, representative: Readonly<Uint32Array>): void;
    /** The state violates a property. */
    finding(index: number, finding: Finding): void;
    /** A step from the state is a fault; told once for each place of the text. */
    fault(index: number, finding: Finding): void;
    /** A step creates instances of these templates, and there are too few. */
    missed(index: number, templates: readonly string[]): void;
    /** The representative of a successor takes too much work, so that the successor is missing. */
    undecided(index: number): void;
}

/** Why words are no state: a variable cannot hold its value, or bits are set that are in no variable. */
export type WrongPart = 'unused' | { readonly variable: string };

/** A run along a path, with what is found in its last state; or the first state of the path that it cannot lead to. */
export type PathRun =
    | { readonly kind: 'run'; readonly trace: readonly TraceEntry[]; readonly finding?: Finding }
    | { readonly kind: 'broken'; readonly index: number };

export class Expansion {
    readonly layout: StateLayout;
    /** Firings so far that were taken, faults included. */
    transitions = 0;
    /** Firings that the constraint cut off. */
    outside = 0;
    readonly #model: Model;
    readonly #sequential: SequentialModel;
    readonly #options: ExpansionOptions;
    readonly #order: bigint;
    readonly #parts: SearchParts;
    /** Why all steps are taken, though some would do. */
    readonly allStepsBecause: string | undefined;
    readonly #passed: PassedModel;
    readonly #expander: Expander;
    readonly #properties: Properties;
    /** Places of a state's cells whose bits can be a code that the cell never has. */
    readonly #partial: readonly { readonly cell: number; readonly most: number }[];
    /** By word: the bits that are in some cell. */
    readonly #mask: Uint32Array;
    readonly #state: Int32Array;

    /** Without symmetries each state is its own representative. */
    constructor(
        model: Model,
        sequential: SequentialModel,
        symmetry: ExpansionSymmetry | undefined,
        options: ExpansionOptions,
    ) {
        const { passes, properties, partialOrder } = options;
        this.#model = model;
        this.#sequential = sequential;
        this.#options = options;
        this.#order = symmetry?.group.order ?? 1n;
        const { parts, report } = reduce(
            certainReductions(symmetry, passes, partialOrder),
            { sequential, values: symmetry?.values },
            { properties, workLimit: UNLIMITED },
        );
        this.#parts = parts;
        this.allStepsBecause = report.allStepsBecause;
        this.#passed = this.#parts.passed ?? asWritten(sequential);
        const { searched } = this.#passed;
        this.layout = new StateLayout(searched.cells);
        this.#expander = expanderOf(searched, this.layout, parts, properties);
        this.#properties = new Properties(searched, properties);
        this.#state = new Int32Array(searched.cells.length);
        this.#mask = new Uint32Array(this.layout.wordCount);
        this.#partial = searched.cells.flatMap((each, cell) => {
            const { least, most } = codeRangeOf(each);
            const bits = bitsOfCell(each);
            this.#markCell(cell);
            return bits > 0 && most - least + 1 < 2 ** bits ? [{ cell, most }] : [];
        });
    }

    /** Whether all states of an orbit have one representative. */
    get isUnique(): boolean {
        return this.#parts.canonicalizer?.strategy.unique ?? true;
    }

    /** The order of the symmetry group in use. */
    get order(): bigint {
        return this.#order;
    }

    /** Everything that states and their successors depend on, as text; the version of the program is not in it. */
    identity(): string {
        const { searched } = this.#passed;
        const { canonicalizer } = this.#parts;
        const representatives = canonicalizer && [canonicalizer.strategy.name, canonicalizer.plan?.()];
        const details = JSON.stringify({
            parameters: this.#model.parameters.map(({ name, text }) => [name, text]),
            properties: this.#options.properties ?? 'all',
            partialOrder: this.#options.partialOrder,
            representatives,
            stored: searched.cells.map(cell => [bitsOfCell(cell), codeRangeOf(cell).least]),
            generators: canonicalizer?.group?.generators.map(({ points, images }) => [[...points], [...images]]),
        });
        return `${printSequentialModel(this.#sequential)}${printSequentialModel(searched)}${details}\n`;
    }

    /**
     * The representatives of the initial states, each valid until the next one; some come several times. Undefined for one
     * that takes too much work. Returns the problem if there is none.
     */
    *initialStates(): Generator<Readonly<Uint32Array> | undefined, Problem | undefined> {
        const packed = new Uint32Array(this.layout.wordCount);
        // Only some states of each orbit, under the symmetries that map initial states onto initial states.
        const initial = new InitialStates(this.#passed.stepwise, elementsOfStart(this.#parts));
        while (initial.nextInto(this.#state)) {
            const isDecided = this.#parts.canonicalizer?.canonicalizeInto(this.#state, this.#state) ?? true;
            this.layout.pack(this.#state, packed, 0);
            yield isDecided ? packed : undefined;
        }
        return initial.problem;
    }

    /** Undefined if the words are a state. */
    wrongPart(words: Readonly<Uint32Array>, offset: number): WrongPart | undefined {
        for (let word = 0; word < this.layout.wordCount; word++) {
            if ((words[offset + word] & ~this.#mask[word]) !== 0) {
                return 'unused';
            }
        }
        if (this.#partial.length === 0) {
            return undefined;
        }
        this.layout.unpack(words, offset, this.#state);
        for (const { cell, most } of this.#partial) {
            if (this.#state[cell] > most) {
                return { variable: this.#passed.searched.cells[cell].name };
            }
        }
        return undefined;
    }

    /** Adds the bits of a cell to the mask. */
    #markCell(cell: number): void {
        const { word, shift, bits } = this.layout.placements[cell];
        for (let bit = shift; bit < shift + bits; bit++) {
            this.#mask[2 * word + (bit >= 32 ? 0 : 1)] |= 1 << (bit % 32);
        }
    }

    /** Expands the first `count` of these states. */
    expand(states: Readonly<Uint32Array>, count: number, sink: ExpansionSink): void {
        const stateAt = (index: number): Int32Array => {
            this.layout.unpack(states, index * this.layout.wordCount, this.#state);
            return this.#state;
        };
        /** The state whose faults have been told, and their places. */
        let faulty = -1;
        const places = new Set<string>();
        const steps: ExpanderSink = {
            suspicious: index => {
                this.#properties.checkState(stateAt(index), finding => {
                    sink.finding(index, finding);
                });
            },
            fired: (index, representative) => {
                this.transitions++;
                sink.successor(index, representative);
            },
            undecided: index => {
                sink.undecided(index);
            },
            faulted: (index, summand, { kind, range }) => {
                if (kind === 'outside') {
                    this.outside++;
                    return;
                }
                this.transitions++;
                if (faulty !== index) {
                    faulty = index;
                    places.clear();
                }
                const place = `${kind} ${keyOfRange(range)}`;
                if (places.has(place)) {
                    return;
                }
                places.add(place);
                if (kind === 'slots') {
                    const created = createdBy(this.#passed.searched, summand);
                    sink.missed(
                        index,
                        created.map(({ name }) => name),
                    );
                } else {
                    sink.fault(index, { kind: 'fault', name: kind, range });
                }
            },
            stuck: index => {
                const isDeadlock = this.#properties.isDeadlock(stateAt(index), finding => {
                    sink.finding(index, finding);
                });
                if (isDeadlock && this.#properties.checksDeadlock) {
                    sink.finding(index, DEADLOCK);
                }
            },
        };
        this.#expander.expand(states, count, steps);
    }

    /**
     * A run of the model as written whose states have these representatives. If a property is violated in the last one, or
     * a step from it is a fault, the run ends with that.
     */
    follow(path: readonly Readonly<Uint32Array>[]): PathRun {
        const broken = path.findIndex((_, index) => !this.#isNext(path, index));
        if (broken >= 0) {
            return { kind: 'broken', index: broken };
        }
        const stored: StoredStates = {
            parentOf: index => (index === 0 ? NO_PARENT : index - 1),
            stateInto: (target, index) => {
                this.layout.unpack(path[index], 0, target);
            },
        };
        const found = this.#foundIn(path, path.length - 1);
        return found === undefined
            ? { kind: 'run', trace: this.#traceAlong(stored, path.length - 1) }
            : this.#violationAlong(stored, found);
    }

    /** Whether a state of a path is an initial one, or comes after the one before. */
    #isNext(path: readonly Readonly<Uint32Array>[], index: number): boolean {
        const isWanted = (representative: Readonly<Uint32Array>): boolean =>
            representative.every((word, i) => word === path[index][i]);
        if (index === 0) {
            for (const initial of this.initialStates()) {
                if (initial !== undefined && isWanted(initial)) {
                    return true;
                }
            }
            return false;
        }
        let isFound = false;
        this.expand(path[index - 1], 1, {
            ...IGNORE_ALL,
            successor: (_, representative) => {
                isFound ||= isWanted(representative);
            },
        });
        return isFound;
    }

    /** The first finding in a state of a path. */
    #foundIn(path: readonly Readonly<Uint32Array>[], stateIndex: number): FoundViolation | undefined {
        const found: FoundViolation[] = [];
        this.expand(path[stateIndex], 1, {
            ...IGNORE_ALL,
            finding: (_, finding) => void found.push({ finding, stateIndex }),
            fault: (_, finding) => {
                const { name, range = NOWHERE } = finding;
                found.push({ finding, stateIndex, finalFault: { kind: name as FaultKind, range } });
            },
        });
        return found.at(0);
    }

    #violationAlong(stored: StoredStates, found: FoundViolation): PathRun {
        const traces = new ViolationTraces({
            model: this.#sequential,
            properties: new Properties(this.#sequential, this.#options.properties),
            parts: this.#parts,
            stored,
            most: 1,
        });
        while (traces.violations.length === 0) {
            traces.advance([found], UNLIMITED);
        }
        const [{ trace, ...finding }] = traces.violations;
        return { kind: 'run', trace, finding };
    }

    #traceAlong(stored: StoredStates, last: number): readonly TraceEntry[] {
        const builder = new TraceBuilder(traceContextOf(this.#sequential, this.#parts, stored), last, undefined);
        const trace = builder.advance(UNLIMITED);
        invariant(trace !== undefined, 'without a limit a trace comes to its end');
        return trace;
    }
}

const IGNORE_ALL: ExpansionSink = {
    successor: () => undefined,
    finding: () => undefined,
    fault: () => undefined,
    missed: () => undefined,
    undecided: () => undefined,
};

/** With generated code if that is possible. */
function expanderOf(
    searched: SequentialModel,
    layout: StateLayout,
    { canonicalizer, selection }: SearchParts,
    properties: readonly string[] | undefined,
): Expander {
    const code = compileModel(searched, {
        properties,
        selection,
        ...(canonicalizer !== undefined && { canonicalizer, replacesAll: true }),
    });
    const compiled = code.kind === 'compiled' ? compiledExpander(code, canonicalizer) : undefined;
    if (compiled !== undefined) {
        return compiled;
    }
    const all = interpretedSuccessors(searched);
    const successors = selection === undefined ? all : new SelectedSuccessors(searched, all, selection);
    return interpretedExpander(successors, layout, searched.cells.length, canonicalizer);
}
