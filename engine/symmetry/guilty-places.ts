/**
 * Which places of the text stand against a symmetry: those without which it is there.
 *
 * Every answer has been tried: the model is taken through all stages again with the places neutralized, and the
 * symmetry looked for in what comes out. A model in which less happens without the places proves nothing.
 *
 * What has no counterpart says where to look: a place that has nothing to do with a step cannot give it its counterpart. So
 * one place is only tried if it takes part in all that lacks a counterpart. Where none is enough, all places that are open
 * to suspicion are taken out and as many as possible put back; what is not yet proven the smallest set then is looked for
 * from few places to many, each added for something that is still without its counterpart. This is how a smallest hitting
 * set is found [Reiter1987].
 */
import type { WorkLimit } from '../common/work-limit.js';
import type { ConstraintProblem } from '../csp/constraint-problem.js';
import type { Domain } from '../model/domain.js';
import type { FragmentCache } from '../csp/fragment.js';
import type { Model } from '../model/model.js';
import { linearize } from '../sequential/linearize.js';
import { constraintsOf } from './constraints.js';
import type { Missing } from './counterparts.js';
import { encodeGraph, isConstant, type GraphEncoding } from './graph-encoding.js';
import { neutralize, placesOf, type ModelPlace, type Owner } from './neutralize.js';
import { isInside, type TextOfRange } from './places.js';

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
    /** Cells that change at all. */
    readonly cells: number;
}

/** Vertices of graphs that are kept for other questions about the same places. */
const MOST_KEPT_VERTICES = 1_000_000;

/** How much larger a model may become when values are left open. */
const MOST_TIMES_LARGER = 4;
const FEW_SUMMANDS = 400;

/** A model and what becomes of it without some of its places. */
export class Trials {
    private readonly model: Model;
    private readonly textOf: TextOfRange;
    private knownPlaces: readonly ModelPlace[] | undefined;
    private readonly whole: Trial;
    private readonly before: Activity;
    private readonly limit: WorkLimit;
    /** Most of a model is the same without one of its places. */
    private readonly fragments: FragmentCache;
    private readonly known = new Map<string, Trial | undefined>();
    private keptVertices = 0;
    /** A trial with more is not worth its time. */
    private readonly mostSummands: number;

    /** `whole` is the model with nothing left out; `fragments` are those that it was made with, or none. */
    constructor(whole: Trial, textOf: TextOfRange, limit: WorkLimit, fragments: FragmentCache) {
        this.model = whole.model;
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
        const trial = this.make(new Set(keys));
        this.keptVertices += trial?.encoding.graph.vertexCount ?? 1;
        if (this.keptVertices <= MOST_KEPT_VERTICES) {
            this.known.set(name, trial);
        }
        return trial;
    }

    private make(keys: ReadonlySet<string>): Trial | undefined {
        const model = neutralize(this.model, keys);
        return model && this.of(model);
    }

    /** Another model in the place of this one; undefined as above. */
    of(model: Model): Trial | undefined {
        const { sequential } = linearize(model);
        if (sequential === undefined || sequential.summands.length > this.mostSummands) {
            return undefined;
        }
        const { problem } = constraintsOf(sequential, this.limit, this.fragments);
        const after = activityOf(problem);
        return !problem.complete || after.summands < this.before.summands || after.cells < this.before.cells
            ? undefined
            : { model, problem, encoding: encodeGraph(problem, []) };
    }
}

/** What takes something out of the model, where other places only leave something open. */
function isWeak({ kind }: ModelPlace): boolean {
    return kind === 'assignment' || kind === 'communication';
}

function activityOf(problem: ConstraintProblem): Activity {
    return {
        summands: problem.summands.reduce((count, summand) => count + summand.sources.length, 0),
        cells: problem.domains.reduce((count, codes) => count + (isConstant(codes) ? 0 : 1), 0),
    };
}

/** Sets of more places than this are not gone through. */
const MOST_SEARCHED = 4;

/** More places than this are no explanation: only their number is told. */
export const MOST_TOLD = 6;

/** How many sets of places are gone on with from one size to the next. */
const WIDTH = 24;

/** What a search may take. */
export interface Effort {
    /** How many vertices all the graphs have together that are looked at. */
    readonly vertices: number;
    /** How many sets are tried altogether. */
    readonly trials: number;
    /** Whether sets of more than MOST_SEARCHED places are of use. */
    readonly isThorough: boolean;
}

/** For what the model states, and what its families suggest. */
export const THOROUGH: Effort = { vertices: 20_000, trials: 32, isThorough: true };
/** For what is suggested by types that are often not meant so. */
export const BRIEF: Effort = { vertices: 5_000, trials: 64, isThorough: false };

/** What stands against a symmetry. */
export type Guilt =
    /** Without them the goal holds, and with any one of them it does not. */
    | { readonly kind: 'places'; readonly places: readonly ModelPlace[] }
    /** None was found: the places that could be taken out are not enough, or a budget or the limit came first (`isCut`). */
    | { readonly kind: 'unknown'; readonly isCut: boolean };

/**
 * The smallest set of places without which the goal holds, as far as the search goes: one or two are found wherever they
 * are enough; of more, a set of which nothing can be left out.
 */
export function guiltyPlaces(goal: Goal, trials: Trials, effort: Effort, limit: WorkLimit): Guilt {
    const { guilt } = nearestGuilt([goal], trials, effort, limit);
    return guilt;
}

/** What stands against the goal of this index, the first that holds without it. */
export interface NearestGuilt {
    readonly goal: number;
    readonly guilt: Guilt;
}

/**
 * What stands against the goal that fails at the fewest places, the first of those that fail at equally many. Each goal
 * holds where one before it does, so only the last one is looked for: what is not enough for it is enough for none.
 */
export function nearestGuilt(goals: readonly Goal[], trials: Trials, effort: Effort, limit: WorkLimit): NearestGuilt {
    const last = goals.length - 1;
    const search = new SetSearch(goals[last], trials, effort, limit);
    let left: Left | undefined;
    for (let size = 1; size <= MOST_SEARCHED && !isSettled(left, size); size++) {
        let nearest: { readonly goal: number; readonly places: readonly ModelPlace[] } | undefined;
        for (const { places, trial } of search.next()) {
            const goal = goals.findIndex(each => each.holds(trial));
            if (nearest === undefined || goal < nearest.goal) {
                nearest = { goal, places };
            }
            if (goal === 0) {
                break;
            }
        }
        if (nearest !== undefined) {
            const places = leastPlaces(nearest.places, goals[nearest.goal], trials, limit);
            return { goal: nearest.goal, guilt: places === undefined ? CUT : guiltOf(places) };
        }
        if (size === 1 && effort.isThorough) {
            left = leftOfAll(goals[last], trials, 2 * search.mostTried, limit);
        }
    }
    if (left?.guilt.kind === 'places') {
        const trial = trials.without(left.guilt.places);
        return { goal: trial === undefined ? last : goals.findIndex(each => each.holds(trial)), guilt: left.guilt };
    }
    return { goal: last, guilt: { kind: 'unknown', isCut: left?.isSmallest !== true && search.isCut } };
}

const CUT: Guilt = { kind: 'unknown', isCut: true };

/** In the order of the text. */
function guiltOf(places: readonly ModelPlace[]): Guilt {
    const isBefore = ({ range: a }: ModelPlace, { range: b }: ModelPlace): number =>
        a.start.line - b.start.line || a.start.character - b.start.character;
    return { kind: 'places', places: [...places].sort(isBefore) };
}

/** What is left of all places where as many are put back as can be; one alone was not enough. */
interface Left {
    readonly guilt: Guilt;
    /**
     * That there is no smaller set, or none at all: there are two places that treat values differently, or each is needed
     * even where all others are taken out.
     */
    readonly isSmallest: boolean;
}

/** Whether no set of this size need be looked for. */
function isSettled(left: Left | undefined, size: number): boolean {
    return left !== undefined && (left.isSmallest || (left.guilt.kind === 'places' && left.guilt.places.length < size));
}

/**
 * Takes out all places and puts back as many as can be. Those that treat values differently are tried first. Where not even
 * all are enough no fewer are, and where they leave no model nothing is known.
 */
function leftOfAll(goal: Goal, trials: Trials, mostTried: number, limit: WorkLimit): Left {
    let tried = 0;
    const holds = (without: readonly ModelPlace[]): boolean => {
        tried++;
        const trial = trials.without(without);
        return trial !== undefined && goal.holds(trial);
    };
    const isOver = { isExhausted: () => tried >= mostTried || limit.isExhausted() };
    const open = trials.places.filter(place => !isWeak(place));
    const suspects = open.filter(place => isSuspect(place, goal.type));
    for (const all of [suspects, open]) {
        const places = minimalPlaces(all, holds, isOver);
        if (places !== undefined) {
            const isSmallest =
                (places.length <= 2 && all === suspects) ||
                places.every(place => !isOver.isExhausted() && !holds(all.filter(other => other !== place)));
            return { guilt: guiltOf(places), isSmallest };
        }
    }
    const isKnown = !isOver.isExhausted() && trials.without(open) !== undefined;
    return { guilt: { kind: 'unknown', isCut: !isKnown }, isSmallest: isKnown };
}

/** A set of places that is not enough as far as that is known. */
interface Insufficient {
    readonly places: readonly ModelPlace[];
    /** What is sure to have no counterpart without them: nothing else is known before the set has been tried. */
    readonly missing: readonly Missing[];
    readonly isTried: boolean;
}

/** A set of places without which the goal holds, and the model without them. */
interface Sufficient {
    readonly places: readonly ModelPlace[];
    readonly trial: Trial;
}

/**
 * Goes through the sets of places by their sizes. A set that is not enough is added to from the places that take part in
 * one thing that has no counterpart, since one of these must change; it is tried where they take part in all.
 */
class SetSearch {
    private readonly goal: Goal;
    private readonly trials: Trials;
    private readonly limit: WorkLimit;
    private readonly seen = new Set<string>();
    private readonly knownPlaces = new Map<ReadonlySet<Owner>, readonly ModelPlace[]>();
    private readonly missingAtFirst: readonly Missing[];
    private frontier: readonly Insufficient[];
    private hopeless: boolean | undefined;
    private triedCount = 0;
    /** The budget ended it before it had gone through what it set out to try. */
    private wasCut = false;
    readonly mostTried: number;

    constructor(goal: Goal, trials: Trials, effort: Effort, limit: WorkLimit) {
        this.goal = goal;
        this.trials = trials;
        this.limit = limit;
        const whole = trials.without([]);
        const isSmall = whole !== undefined && whole.encoding.graph.vertexCount <= effort.vertices;
        this.mostTried = isSmall
            ? Math.min(effort.trials, Math.floor(effort.vertices / whole.encoding.graph.vertexCount))
            : 0;
        this.wasCut = this.mostTried === 0;
        this.missingAtFirst = whole === undefined || this.wasCut ? [] : distinct(goal.missing(whole));
        this.frontier = this.wasCut ? [] : [{ places: [], missing: this.missingAtFirst, isTried: true }];
    }

    get isCut(): boolean {
        return this.wasCut;
    }

    /** The sets with one place more than those before without which the goal holds, the ones to read first. */
    *next(): Generator<Sufficient> {
        const { type } = this.goal;
        const isLeft = this.frontier.length > 0 && (this.frontier[0].places.length === 0 || !this.isHopeless());
        if (!isLeft) {
            this.frontier = [];
        }
        const further: (Insufficient & { readonly cost: number })[] = [];
        const complete: { readonly from: Insufficient; readonly place: ModelPlace; readonly cost: number }[] = [];
        for (const entry of this.frontier) {
            const from = entry.isTried ? entry : yield* this.tried(entry.places, entry.missing);
            for (const place of from === undefined ? [] : this.placesFor(from)) {
                const open = from?.missing.filter(each => !takesPart(place, each)) ?? [];
                const places = [...(from?.places ?? []), place];
                const cost = costOf(places, type);
                if (open.length === 0 && from !== undefined) {
                    complete.push({ from, place, cost });
                } else if (places.length + this.fewestFor(open) <= MOST_SEARCHED) {
                    further.push({ places, missing: open, isTried: false, cost });
                }
            }
        }
        for (const { from, place, cost } of complete.sort((a, b) => a.cost - b.cost)) {
            const insufficient = yield* this.tried([...from.places, place], from.missing);
            if (insufficient !== undefined) {
                further.push({ ...insufficient, cost });
            }
        }
        further.sort((a, b) => a.missing.length - b.missing.length || a.cost - b.cost);
        const next = new Map(
            further
                .filter(each => each.isTried || !this.seen.has(nameOf(each.places)))
                .map(each => [nameOf(each.places), each]),
        );
        this.frontier = [...next.values()].slice(0, WIDTH);
        this.wasCut ||= next.size > WIDTH;
    }

    /**
     * Whether something would lack its counterpart without all the places that take part in it: then it will without some.
     * That is asked once, before the first sets of two.
     */
    private isHopeless(): boolean {
        this.hopeless ??= this.missingAtFirst.some(each => {
            const trial = this.withoutAll(this.partakers(each).filter(({ kind }) => kind !== 'assignment'));
            return (
                trial !== undefined &&
                !this.goal.holds(trial) &&
                this.goal.missing(trial).some(({ owners }) => [...each.owners].every(owner => owners.has(owner)))
            );
        });
        return this.hopeless;
    }

    /** Without as many of the places as leave a model that can be looked at. */
    private withoutAll(places: readonly ModelPlace[]): Trial | undefined {
        const whole = this.trials.without(places);
        if (whole !== undefined || places.some(isWeak)) {
            return whole;
        }
        const suspects = places.filter(place => place.kind !== 'value' || isSuspect(place, this.goal.type));
        return (
            this.trials.without(suspects) ??
            this.trials.without(places.filter(place => this.trials.without([place]) !== undefined))
        );
    }

    /** Tries a set; yields it where it is enough. Undefined then, and where there is nothing to go on with. */
    private *tried(
        places: readonly ModelPlace[],
        before: readonly Missing[],
    ): Generator<Sufficient, Insufficient | undefined> {
        const name = nameOf(places);
        if (this.seen.has(name)) {
            return undefined;
        }
        if (this.limit.isExhausted() || this.triedCount >= this.mostTried) {
            this.wasCut = true;
            return undefined;
        }
        this.seen.add(name);
        this.triedCount++;
        const trial = this.trials.without(places);
        if (trial !== undefined && this.goal.holds(trial)) {
            yield { places, trial };
            return undefined;
        }
        // What is no model yet may become one, but not where nobody writes to a variable any more.
        if (trial === undefined && places.some(({ kind }) => kind === 'assignment')) {
            return undefined;
        }
        const missing = trial === undefined ? before : distinct(this.goal.missing(trial));
        return places.length + this.fewestFor(missing) <= MOST_SEARCHED
            ? { places, missing, isTried: true }
            : undefined;
    }

    /**
     * The places that take part in one thing without a counterpart: one in which the last place takes part, too, if there
     * is one, and of these one in which the fewest take part. All places where nothing is known.
     */
    private placesFor({ places, missing }: Insufficient): readonly ModelPlace[] {
        const last = places.at(-1);
        const nearest = last === undefined ? [] : missing.filter(each => takesPart(last, each));
        const candidates = (nearest.length > 0 ? nearest : missing)
            .map(each => this.partakers(each))
            .sort((a, b) => a.length - b.length);
        return (candidates[0] ?? this.trials.places).filter(place => !places.includes(place));
    }

    /** No fewer places than this take part in all that is missing. */
    private fewestFor(missing: readonly Missing[]): number {
        const apart: (readonly ModelPlace[])[] = [];
        for (const each of missing) {
            const own = this.partakers(each);
            if (apart.every(others => !others.some(place => takesPart(place, each)))) {
                apart.push(own);
            }
        }
        return Math.max(1, apart.length);
    }

    private partakers(missing: Missing): readonly ModelPlace[] {
        let known = this.knownPlaces.get(missing.owners);
        if (known === undefined) {
            known = this.trials.places.filter(place => takesPart(place, missing));
            this.knownPlaces.set(missing.owners, known);
        }
        return known;
    }
}

/** One of each that have the same owners. */
function distinct(missing: readonly Missing[]): readonly Missing[] {
    return [...new Map(missing.map(each => [[...each.owners].sort().join('\n'), each])).values()];
}

function nameOf(places: readonly ModelPlace[]): string {
    return places
        .map(({ key }) => key)
        .sort()
        .join('\n');
}

/** None can be left out, and none has a smaller one inside that is enough. */
function leastPlaces(
    places: readonly ModelPlace[],
    goal: Goal,
    trials: Trials,
    limit: WorkLimit,
): readonly ModelPlace[] | undefined {
    const holds = (without: readonly ModelPlace[]): boolean => {
        const trial = trials.without(without);
        return trial !== undefined && goal.holds(trial);
    };
    // Taking out more may bring back what less does not, so a set may hold a smaller one that was not tried.
    const needed = minimalPlaces(places, holds, limit);
    return needed?.reduce<readonly ModelPlace[]>((set, place) => {
        const inside = trials.places.find(
            other =>
                isStrictlyInside(place, other) &&
                !isWeak(other) &&
                isSuspect(other, goal.type) &&
                !limit.isExhausted() &&
                holds(set.map(each => (each === place ? other : each))),
        );
        return inside === undefined ? set : set.map(each => (each === place ? inside : each));
    }, needed);
}

/** Which of several sets is the one to read: what tells values of the type apart, rather than what hides that. */
function costOf(places: readonly ModelPlace[], type: Domain | undefined): number {
    return places.reduce(
        (cost, each) => cost + COST_OF_KIND[each.kind] + (isSuspect(each, type) ? 0 : COST_OF_OTHERS),
        0,
    );
}

/** Leaving a value open may hide a difference that is somewhere else. */
const COST_OF_KIND: Readonly<Record<ModelPlace['kind'], number>> = {
    test: 0,
    branch: 0,
    start: 0,
    instances: 0,
    range: 0,
    capacity: 0,
    value: 1,
    communication: 3,
    assignment: 3,
};
const COST_OF_OTHERS = 2;

/** Whether a place treats values of the type differently, as far as one sees it. */
function isSuspect({ mentionsOrder, enumerations }: ModelPlace, type: Domain | undefined): boolean {
    return type?.kind === 'enumeration' ? enumerations.has(type.name) : mentionsOrder;
}

function isStrictlyInside(outer: ModelPlace, inner: ModelPlace): boolean {
    return isInside(outer.range, inner.range) && !isInside(inner.range, outer.range);
}

function takesPart({ owners }: ModelPlace, missing: Missing): boolean {
    for (const owner of owners) {
        if (missing.owners.has(owner)) {
            return true;
        }
    }
    return false;
}

/**
 * Leaves out places while the rest is still enough, first many at once, the last ones first. Undefined where all
 * together are not enough, and where the limit comes first.
 */
export function minimalPlaces<Part>(
    places: readonly Part[],
    holds: (without: readonly Part[]) => boolean,
    limit: WorkLimit,
): readonly Part[] | undefined {
    let needed = places;
    if (limit.isExhausted() || !holds(needed)) {
        return undefined;
    }
    for (let size = Math.ceil(places.length / 2); ;) {
        const before = needed.length;
        for (let end = needed.length; end > 0; end -= size) {
            if (limit.isExhausted()) {
                return undefined;
            }
            const without = [...needed.slice(0, Math.max(0, end - size)), ...needed.slice(end)];
            if (without.length > 0 && holds(without)) {
                needed = without;
            }
        }
        // Leaving out one place may make another one superfluous, so this goes on until nothing can be left out.
        if (size > 1) {
            size = Math.floor(size / 2);
        } else if (needed.length === before) {
            return needed;
        }
    }
}
