/**
 * The model without some of its places, taken through all stages again to see which symmetries are there without them.
 *
 * A model in which less happens without the places proves nothing: its symmetries are there only because of that.
 */
import type { WorkLimit } from '../common/work-limit.js';
import type { ConstraintProblem } from '../constraints/constraint-problem.js';
import type { FragmentCache } from '../constraints/fragment.js';
import { withKnownParts } from '../common/same-data.js';
import type { Encoding } from '../constraints/encode.js';
import type { Domain } from '../model/domain.js';
import type { Invariant, Model } from '../model/model.js';
import { LinearizationMemory } from '../sequential/known-processes.js';
import { linearize } from '../sequential/linearize.js';
import { comparisonsOf } from './comparisons.js';
import { constraintsOf } from '../symmetry/constraints.js';
import type { Missing } from './counterparts.js';
import { encodeGraph, isConstant, type GraphEncoding } from '../symmetry/graph-encoding.js';
import type { PartSubject } from '../describe/member-action.js';
import { ModelParts } from './model-part.js';
import type { ModelPlace } from './model-places.js';
import { neutralize, placesOf } from './neutralize.js';
import { forEachPart, keyOfRange, type TextOfRange } from './places.js';
import { isWeak } from './suspicion.js';
import { differencesOf } from './twin-differences.js';

/** The model without some places, to look for symmetries in. */
export interface Trial {
    readonly model: Model;
    readonly problem: ConstraintProblem;
    /** The graph without properties. */
    readonly encoding: GraphEncoding;
}

/** A symmetry that is missing. */
export interface Goal {
    /** Of what type the values are that it exchanges, if it is of one. */
    readonly type?: Domain;
    readonly holds: (trial: Trial) => boolean;
    /** What has no counterpart, as far as that is known: empty where it is not. */
    readonly missing: (trial: Trial) => readonly Missing[];
}

/** How much happens in a model: what must not get less when places are neutralized. */
interface Activity {
    /** Summands that can fire at all. */
    readonly summands: number;
    /** Steps of the text that can, each of an instance: in the rounds of a `for` they are the same ones. */
    readonly steps: number;
    /** Cells of shared variables and of channels that change at all. */
    readonly shared: number;
    /** Locals and places of control that do. */
    readonly own: number;
}

/** Vertices of graphs that are kept for other questions about the same places. */
const MOST_KEPT_VERTICES = 1_000_000;

/** How much larger a model may become when values are left open. */
const MOST_TIMES_LARGER = 4;
const FEW_SUMMANDS = 400;

/** A model and what becomes of it without some of its places. */
export class Trials {
    /** With no more invariants than those that keep a local alive. */
    readonly model: Model;
    private readonly textOf: TextOfRange;
    private knownPlaces: readonly ModelPlace[] | undefined;
    private knownComparisons: readonly ModelPlace[] | undefined;
    private readonly whole: Trial;
    private readonly before: Activity;
    private readonly limit: WorkLimit;
    /** Most of a model is the same without one of its places. */
    private readonly fragments: FragmentCache;
    private readonly linearization = new LinearizationMemory();
    /** The last model that was looked at: the next one differs from it in a few places. */
    private last: Model;
    private encoding: Encoding | undefined;
    private parts: ModelParts | undefined;
    /** By the names of the parts. */
    private readonly ofParts = new Map<string, Trials>();
    private readonly known = new Map<string, Trial | undefined>();
    private keptVertices = 0;
    /** A trial with more is not worth its time. */
    private readonly mostSummands: number;

    /** `whole` is the model with nothing left out; `fragments` are those that it was made with, or none. */
    constructor(whole: Trial, textOf: TextOfRange, limit: WorkLimit, fragments: FragmentCache) {
        this.model = { ...whole.model, invariants: whole.model.invariants.filter(mentionsLocal) };
        this.last = this.model;
        this.whole = whole;
        this.before = activityOf(whole.problem);
        this.mostSummands = MOST_TIMES_LARGER * whole.problem.sequential.summands.length + FEW_SUMMANDS;
        this.limit = limit;
        this.fragments = fragments;
        this.textOf = textOf;
    }

    /** The shorter ones come first: what is found first is the one to read. */
    get places(): readonly ModelPlace[] {
        this.knownPlaces ??= placesOf(this.model, this.textOf).sort((a, b) => a.text.length - b.text.length);
        return this.knownPlaces;
    }

    /** The comparisons by order inside of conditions: none of `places`, for what is inside of these. */
    get comparisons(): readonly ModelPlace[] {
        this.knownComparisons ??= comparisonsOf(this.model, this.textOf);
        return this.knownComparisons;
    }

    /** Where processes that are written alike say something else: none of `places`, what is there depends on the group. */
    differencesOf(group: readonly number[]): readonly ModelPlace[] {
        return differencesOf(this.model, group, this.textOf);
    }

    /**
     * The model with these places neutralized; undefined where the rest is no model, or where less happens without the
     * places: then a symmetry is there only because of that.
     */
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
        const trial =
            model &&
            this.of(model, {
                isLess: places.some(isWeak),
                isRolledUp: places.some(({ kind }) => kind === 'order'),
            });
        this.keptVertices += trial?.encoding.graph.vertexCount ?? 1;
        if (this.keptVertices <= MOST_KEPT_VERTICES) {
            this.known.set(name, trial);
        }
        return trial;
    }

    /** The same for the part of the model that a question is about; this where that is all of it. */
    about(subject: PartSubject): Trials {
        this.parts ??= new ModelParts(this.model);
        const part = this.parts.about(subject);
        if (part === undefined) {
            return this;
        }
        let trials = this.ofParts.get(part.name);
        if (trials === undefined) {
            const trial = this.looked(part.model);
            trials = trial === undefined ? this : new Trials(trial, this.textOf, this.limit, this.fragments);
            this.ofParts.set(part.name, trials);
        }
        return trials;
    }

    /**
     * Another model in the place of this one; undefined as above. Where something is taken out of it (`isLess`), a local
     * that does not change any more counts, too; else it is one that nobody needs any more. A loop whose rounds are not
     * gone through one after the other (`isRolledUp`) has fewer summands for the same steps.
     */
    of(
        model: Model,
        { isLess, isRolledUp }: Readonly<Record<'isLess' | 'isRolledUp', boolean>> = {
            isLess: false,
            isRolledUp: false,
        },
    ): Trial | undefined {
        const trial = this.looked(model);
        if (trial === undefined) {
            return undefined;
        }
        const after = activityOf(trial.problem);
        const isQuieter =
            (isRolledUp ? after.steps < this.before.steps : after.summands < this.before.summands) ||
            after.shared < this.before.shared ||
            (isLess && after.own < this.before.own);
        return isQuieter ? undefined : trial;
    }

    private looked(model: Model): Trial | undefined {
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
        return { model, problem, encoding: encodeGraph(problem, []) };
    }
}

/** What no invariant names is dead at times, which is part of what a model does. */
function mentionsLocal({ expression }: Invariant): boolean {
    let isFound = false;
    forEachPart(expression, part => {
        isFound ||= part.kind === 'instance-local';
    });
    return isFound;
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
