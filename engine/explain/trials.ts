/**
 * The model without some of its places, as a graph that shows which symmetries it has. A model in which less happens
 * than before proves nothing: its symmetries may be there only because of that.
 */
import { keyOfRange, type SourceRange } from '../common/source-range.js';
import type { TextOfRange } from '../common/source-text.js';
import { remembered } from '../common/list-map.js';
import { withKnownParts } from '../common/same-data.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { ConstraintProblem } from '../constraints/constraint-problem.js';
import type { Encoding } from '../constraints/encode.js';
import type { FragmentCache } from '../constraints/fragment.js';
import type { PartSubject } from '../describe/members.js';
import type { Domain } from '../model/domain.js';
import type { Model } from '../model/model.js';
import { LinearizationMemory } from '../sequential/known-processes.js';
import { linearize } from '../sequential/linearize.js';
import { constraintsOf } from '../symmetry/constraints.js';
import { encodeGraph, isConstant, type GraphEncoding } from '../symmetry/graph-encoding.js';
import { comparisonsOf } from './comparisons.js';
import { ModelParts } from './model-part.js';
import { neutralize, placesOf } from './neutralize.js';
import { isRemoval, someExpression, type ModelPlace, type Owner, type Repair } from './places.js';
import { differencesOf, repairsOfTwins } from './process-differences.js';
import { withoutRuns } from './without-runs.js';

/** A model, with or without some of its places, to search for symmetries in. */
export interface Trial {
    readonly model: Model;
    /** The graph without properties. */
    readonly encoding: GraphEncoding;
}

/** A part of the model without a counterpart. */
export interface Missing {
    /** The parts of the model of which one must change for it to get one. */
    readonly owners: ReadonlySet<Owner>;
    readonly range: SourceRange;
    /** For a reader; absent if there is nothing to show. */
    readonly message?: string;
}

/** Whether some members can be permuted as `wanted`, and the parts that lack a counterpart if not. */
export interface TrialQuestion {
    /** The action of the members: `be interchangeable`. */
    readonly wanted: string;
    /** With these symmetries it is back: `the ring`; absent: `the symmetry`. */
    readonly restored?: string;
    /** The type whose values are exchanged, if it is one. */
    readonly type?: Domain;
    /** Whether a model has all these symmetries. */
    readonly holds: (trial: Trial) => boolean;
    /** The parts without a counterpart, as far as they are known. */
    readonly missing: (trial: Trial) => readonly Missing[];
}

/** The activity of a model, which must not decrease when places are neutralized. */
interface Activity {
    /** Summands that can fire at all. */
    readonly summands: number;
    /** Steps of the text that can, each of an instance: all rounds of a `for` are one. */
    readonly steps: number;
    /** Cells of shared variables and of channels that change. */
    readonly shared: number;
    /** Locals and program counters that change. */
    readonly own: number;
}

/** The vertices of all graphs that are kept for later questions. */
const MOST_KEPT_VERTICES = 1_000_000;

/** How much larger a model may become when values are left open. */
const MOST_TIMES_LARGER = 4;
const FEW_SUMMANDS = 400;

export class Trials {
    /** Without properties, except invariants that keep a local alive, and without what it says of runs. */
    readonly model: Model;
    readonly textOf: TextOfRange;
    private knownPlaces: readonly ModelPlace[] | undefined;
    private knownComparisons: readonly ModelPlace[] | undefined;
    private readonly whole: Trial;
    private readonly before: Activity;
    private readonly limit: WorkLimit;
    /** Constraints of parts of the model: most of them are the same without a place. */
    private readonly fragments: FragmentCache;
    private readonly linearization = new LinearizationMemory();
    /** The last model that was linearized; the next one shares its unchanged parts. */
    private last: Model;
    private encoding: Encoding | undefined;
    private parts: ModelParts | undefined;
    /** By the names of the parts. */
    private readonly ofParts = new Map<string, Trials>();
    /** By the keys of the places: several searches ask for the same sets. */
    private readonly known = new Map<string, Trial | undefined>();
    private keptVertices = 0;
    /** A larger model is not searched. */
    private readonly mostSummands: number;

    /** `whole` is the model with nothing left out; `fragments` are those that it was encoded with, or none. */
    constructor(whole: Trial, textOf: TextOfRange, limit: WorkLimit, fragments: FragmentCache) {
        const model = withoutRuns(whole.model);
        const invariants = model.invariants.filter(({ expression }) =>
            // A local that no property mentions is dead at times, which is part of what a model does.
            someExpression(expression, ({ kind }) => kind === 'instance-local'),
        );
        this.model = { ...model, invariants };
        this.last = this.model;
        this.whole = whole;
        this.before = activityOf(whole.encoding.problem);
        this.mostSummands = MOST_TIMES_LARGER * whole.encoding.problem.sequential.summands.length + FEW_SUMMANDS;
        this.limit = limit;
        this.fragments = fragments;
        this.textOf = textOf;
    }

    /** Shorter texts first: the first answer that is found should be the easiest to read. */
    get places(): readonly ModelPlace[] {
        this.knownPlaces ??= placesOf(this.model, this.textOf).sort((a, b) => a.text.length - b.text.length);
        return this.knownPlaces;
    }

    /** The comparisons by order inside conditions; they are not among `places`, which contain them. */
    get comparisons(): readonly ModelPlace[] {
        this.knownComparisons ??= comparisonsOf(this.model, this.textOf);
        return this.knownComparisons;
    }

    /** The differences between similar processes; they are not among `places`, since they depend on the group. */
    differencesOf(group: readonly number[]): readonly ModelPlace[] {
        return differencesOf(this.model, group, this.textOf);
    }

    /** The edits that make two similar processes alike. */
    repairsOfTwins(pair: readonly number[]): readonly Repair[] {
        return repairsOfTwins(this.model, pair, this.textOf);
    }

    /** The model with these places neutralized; undefined if the rest is no model, or less happens in it. */
    without(places: readonly ModelPlace[]): Trial | undefined {
        if (places.length === 0) {
            return this.whole;
        }
        const keys = places.map(({ key }) => key).sort();
        const name = keys.join('\n');
        if (this.known.has(name)) {
            return this.known.get(name);
        }
        const model = neutralize(this.model, new Set(keys));
        const hasRemoval = places.some(isRemoval);
        const isRolledUp = places.some(({ kind }) => kind === 'order');
        const trial = model && this.of(model, { hasRemoval, isRolledUp });
        this.keptVertices += trial?.encoding.graph.vertexCount ?? 1;
        if (this.keptVertices <= MOST_KEPT_VERTICES) {
            this.known.set(name, trial);
        }
        return trial;
    }

    /** The same for the part of the model that a question is about; this object if that is all of it. */
    about(subject: PartSubject): Trials {
        this.parts ??= new ModelParts(this.model);
        const part = this.parts.about(subject);
        if (part === undefined) {
            return this;
        }
        return remembered(this.ofParts, part.name, () => {
            const trial = this.trialOf(part.model);
            return trial === undefined ? this : new Trials(trial, this.textOf, this.limit, this.fragments);
        });
    }

    /**
     * A changed model; undefined if it cannot be encoded or less happens in it. Locals that no longer change count only
     * after a removal. A loop in any order (`isRolledUp`) has fewer summands for the same steps.
     */
    of(model: Model, { hasRemoval, isRolledUp } = { hasRemoval: false, isRolledUp: false }): Trial | undefined {
        const trial = this.trialOf(model);
        if (trial === undefined) {
            return undefined;
        }
        const { before } = this;
        const after = activityOf(trial.encoding.problem);
        const isQuieter =
            (isRolledUp ? after.steps < before.steps : after.summands < before.summands) ||
            after.shared < before.shared ||
            (hasRemoval && after.own < before.own);
        return isQuieter ? undefined : trial;
    }

    private trialOf(model: Model): Trial | undefined {
        this.last = withKnownParts(this.last, model);
        const { sequential } = linearize(this.last, this.linearization);
        if (sequential === undefined || sequential.summands.length > this.mostSummands) {
            return undefined;
        }
        const encoding = constraintsOf(sequential, this.limit, this.fragments, this.encoding);
        const { problem } = encoding;
        if (!problem.complete) {
            return undefined;
        }
        this.encoding = encoding;
        return { model, encoding: encodeGraph(problem, []) };
    }
}

function activityOf(problem: ConstraintProblem): Activity {
    const { cells } = problem.sequential;
    const changing = cells.filter((_, cell) => !isConstant(problem.domains[cell]));
    const shared = changing.filter(({ kind }) => kind === 'shared' || kind === 'channel').length;
    const sources = problem.summands.flatMap(summand => summand.sources);
    const steps = new Set(
        sources.flatMap(source =>
            problem.sequential.summands[source].participants.map(
                ({ instance, range }) => `${instance} ${keyOfRange(range)}`,
            ),
        ),
    );
    return {
        summands: sources.length,
        steps: steps.size,
        shared,
        own: changing.length - shared,
    };
}
