/**
 * Which places of the text stand against a symmetry: those without which it is there.
 *
 * Every answer has been tried (trials.ts). Only what treats values differently can tell them apart, so the places that do
 * are looked at first: a few one by one, then all are taken out and as many as possible put back. Where they are not enough,
 * or what is left is not proven to be the smallest set, sets are looked for from few places to many (place-sets.ts).
 */
import type { WorkLimit } from '../common/work-limit.js';
import type { Expression } from '../model/expression.js';
import type { Missing } from './counterparts.js';
import { minimalPlaces, neededPlaces } from './minimal-places.js';
import type { ModelPlace } from './model-places.js';
import { MOST_SEARCHED, mostTriedOf, SetSearch, takesPart, type Effort, type Sufficient } from './place-sets.js';
import { isInside } from './places.js';
import { costOf, isSuspect, isWeak } from './suspicion.js';
import type { Goal, Trial, Trials } from './trials.js';

/** More places than this are no explanation: only their number is told. */
export const MOST_TOLD = 6;

/** What stands against a symmetry. */
export type Guilt =
    /** Without them the goal holds, and with any one of them it does not. */
    | { readonly kind: 'places'; readonly places: readonly ModelPlace[] }
    /**
     * None was found: no set of up to `most` places is enough, no set at all where that is absent, or a budget or the limit
     * came first (`isCut`).
     */
    | { readonly kind: 'unknown'; readonly isCut: boolean; readonly most?: number };

/** Whether the first says that less stands in the way than the second does. */
export function isNearer(first: Guilt, second: Guilt): boolean {
    return first.kind === 'places' && (second.kind !== 'places' || first.places.length < second.places.length);
}

/**
 * The smallest set of places without which the goal holds, as far as the search goes: one or two are found wherever they
 * are enough; of more, a set of which nothing can be left out.
 */
export function guiltyPlaces(goal: Goal, trials: Trials, effort: Effort, limit: WorkLimit): Guilt {
    const { guilt } = nearestGuilt([goal], trials, effort, limit);
    return guilt;
}

/**
 * What stands against exchanging processes that are written alike. Of three or more that one is a slip which the others
 * do not have, so it is looked for first; of two nobody knows which of them is right.
 */
export function guiltOfTwins(
    processes: readonly number[],
    goal: Goal,
    trials: Trials,
    effort: Effort,
    limit: WorkLimit,
): Guilt {
    if (mostTriedOf(trials, effort) === 0) {
        return CUT;
    }
    const slips = (): Guilt | undefined => {
        const differences = trials.differencesOf(processes);
        const { holds } = tester(goal, trials);
        // What follows from a slip is a difference, too, and may be a slip if it is changed as well.
        const single = differences.find(each => !limit.isExhausted() && holds([each]));
        const least = single === undefined ? minimalPlaces(differences, holds, limit) : [single];
        return least === undefined || least.length === 0 || least.length > MOST_TOLD ? undefined : guiltOf(least);
    };
    const first = processes.length > 2 ? slips() : undefined;
    const guilt = first ?? guiltyPlaces(goal, trials, effort, limit);
    return guilt.kind === 'places' || processes.length > 2 ? guilt : (slips() ?? guilt);
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
export function nearestGuilt(wished: readonly Goal[], trials: Trials, effort: Effort, limit: WorkLimit): NearestGuilt {
    const goals = wished.map(remembering);
    const goal = goals[goals.length - 1];
    if (!effort.isThorough && mostTriedOf(trials, effort) === 0) {
        // The places of a large model take a while to be found, and after each edit this is asked again.
        return { goal: goals.length - 1, guilt: CUT };
    }
    let left: Left | undefined;
    if (effort.isThorough) {
        const suspects = suspectsOf(goal, trials);
        const search = new SetSearch(goal, trials, { places: suspects }, effort, limit);
        const single = nearestOf(search.single(HANDFUL), goals);
        if (single !== undefined) {
            return narrowed(single, goals, trials, limit);
        }
        const innermost = suspects.filter(place => !isMadeOf(place, suspects));
        const most = 2 * search.mostTried;
        left = leftOf(innermost, goal, trials, most, limit);
        if (left === undefined && innermost.length < suspects.length) {
            left = leftOf(suspects, goal, trials, most, limit);
        }
        if (left?.guilt.kind === 'unknown') {
            return { goal: goals.length - 1, guilt: left.guilt };
        }
        const starts = guiltyStarts(left?.guilt, goal, trials, limit);
        const start = starts === undefined ? undefined : nearestOf([starts], goals);
        if (start !== undefined) {
            return narrowed(start, goals, trials, limit);
        }
        const joined = withPlacesJoined(left?.guilt.places ?? [], suspects, goal, trials, limit);
        const nearest = joined === undefined ? undefined : nearestOf([joined], goals);
        if (nearest !== undefined) {
            return narrowed(nearest, goals, trials, limit);
        }
    }
    const search = new SetSearch(goal, trials, { places: trials.places }, effort, limit);
    for (let size = 1; size <= MOST_SEARCHED && isOpen(left); size++) {
        const nearest = nearestOf(search.next(), goals);
        if (nearest !== undefined) {
            return narrowed(nearest, goals, trials, limit);
        }
        if (size === 1 && effort.isThorough) {
            left = leftOfOpen(goal, trials, 2 * search.mostTried, limit);
        }
    }
    if (left?.guilt.kind === 'places' && !left.isSmallest) {
        // One more than those that are needed may be enough.
        const smaller = new SetSearch(goal, trials, { places: left.among, base: left.needed }, effort, limit);
        const nearest = nearestOf(smaller.next(), goals);
        if (nearest !== undefined) {
            return narrowed(nearest, goals, trials, limit);
        }
    }
    if (left?.guilt.kind === 'places') {
        const trial = trials.without(left.guilt.places);
        const nearest = trial === undefined ? -1 : goals.findIndex(each => each.holds(trial));
        if (nearest < 0) {
            // The time was over when this was asked again.
            return { goal: goals.length - 1, guilt: CUT };
        }
        return {
            goal: nearest,
            guilt: guiltOf(withSmallerInside(left.guilt.places, goals[nearest], trials, limit)),
        };
    }
    const guilt: Guilt = {
        kind: 'unknown',
        isCut: left?.isSmallest !== true && search.isCut,
        ...(left?.isSmallest !== true && { most: MOST_SEARCHED }),
    };
    return { goal: goals.length - 1, guilt };
}

/** The places that treat values of the type differently, first those to read, that take part in most of what is missing. */
function suspectsOf(goal: Goal, trials: Trials): ModelPlace[] {
    const whole = trials.without([]);
    const missing = whole === undefined ? [] : goal.missing(whole);
    const rank = (place: ModelPlace): readonly [number, number] => [
        costOf([place], goal.type),
        -missing.filter(each => takesPart(place, each)).length,
    ];
    return trials.places
        .filter(place => !isWeak(place) && isSuspect(place, goal.type))
        .map(place => ({ place, rank: rank(place) }))
        .sort(({ rank: a }, { rank: b }) => a[0] - b[0] || a[1] - b[1])
        .map(({ place }) => place);
}

/**
 * With a condition in the place of several that it is made of, or of all where the whole is enough alone; undefined where
 * there is none.
 */
function withPlacesJoined(
    needed: readonly ModelPlace[],
    suspects: readonly ModelPlace[],
    goal: Goal,
    trials: Trials,
    limit: WorkLimit,
): Sufficient | undefined {
    const around = suspects.filter(place => needed.length > 1 && isMadeOf(place, needed) && !needed.includes(place));
    let found: Sufficient | undefined;
    for (const place of around) {
        const places = found?.places ?? needed;
        const others = places.filter(other => !isStrictlyInside(place, other));
        const sets = others.length < places.length - 1 && others.length > 0 ? [[], others] : [[]];
        for (const rest of sets) {
            const set = [place, ...rest];
            const trial = limit.isExhausted() || set.length >= places.length ? undefined : trials.without(set);
            if (trial !== undefined && goal.holds(trial)) {
                found = { places: set, trial };
                break;
            }
        }
    }
    return found;
}

/**
 * The initial values without which the goal holds, of whatever type they are, where these are fewer than the places known:
 * what moves values of other types along may lack nothing but its first states.
 */
function guiltyStarts(known: Guilt | undefined, goal: Goal, trials: Trials, limit: WorkLimit): Sufficient | undefined {
    const most = known?.kind === 'places' ? known.places.length - 1 : MOST_TOLD;
    const { holds } = tester(goal, trials);
    const starts = trials.places.filter(({ kind }) => kind === 'start');
    const least = most === 0 || starts.length === 0 ? undefined : minimalPlaces(starts, holds, limit);
    const trial = least === undefined || least.length > most ? undefined : trials.without(least);
    return least && trial && { places: least, trial };
}

/** Whether it is a condition made of others, so that all that it says of values has places of its own. */
function isMadeOf(place: ModelPlace, places: readonly ModelPlace[]): boolean {
    return (
        place.subject?.kind === 'expression' &&
        isComposed(place.subject.expression) &&
        places.some(other => isStrictlyInside(place, other))
    );
}

function isComposed(condition: Expression): boolean {
    switch (condition.kind) {
        case 'unary':
            return isComposed(condition.operand);
        case 'binary':
            return ['and', 'or', 'implies'].includes(condition.operator);
        case 'quantifier':
            return condition.quantifier === 'forall' || condition.quantifier === 'exists';
        default:
            return false;
    }
}

/** So few places are tried one by one before all of them are together. */
const HANDFUL = 6;

/** The goal, asked once of each trial. */
function remembering(goal: Goal): Goal {
    const held = new Map<Trial, boolean>();
    const missed = new Map<Trial, readonly Missing[]>();
    return {
        ...goal,
        holds: trial => held.get(trial) ?? kept(held, trial, goal.holds(trial)),
        missing: trial => missed.get(trial) ?? kept(missed, trial, goal.missing(trial)),
    };
}

function kept<Value>(known: Map<Trial, Value>, trial: Trial, value: Value): Value {
    known.set(trial, value);
    return value;
}

interface Nearest {
    readonly goal: number;
    readonly places: readonly ModelPlace[];
}

/** Of sets that are enough for the last goal one that is enough for the first goal of all. */
function nearestOf(sufficient: Iterable<Sufficient>, goals: readonly Goal[]): Nearest | undefined {
    let nearest: Nearest | undefined;
    for (const { places, trial } of sufficient) {
        const goal = goals.findIndex(each => each.holds(trial));
        if (nearest === undefined || goal < nearest.goal) {
            nearest = { goal, places };
        }
        if (goal === 0) {
            break;
        }
    }
    return nearest;
}

function narrowed({ goal, places }: Nearest, goals: readonly Goal[], trials: Trials, limit: WorkLimit): NearestGuilt {
    const { holds } = tester(goals[goal], trials);
    // Taking out more may bring back what less does not, so a set may hold a smaller one that was not tried.
    const least = minimalPlaces(places, holds, limit);
    return {
        goal,
        guilt: least === undefined ? CUT : guiltOf(withSmallerInside(least, goals[goal], trials, limit)),
    };
}

/** The time or the budget was over before anything was known. */
export const CUT: Guilt = { kind: 'unknown', isCut: true };

/** In the order of the text. */
function guiltOf(places: readonly ModelPlace[]): Guilt {
    const isBefore = ({ range: a }: ModelPlace, { range: b }: ModelPlace): number =>
        a.start.line - b.start.line || a.start.character - b.start.character;
    return { kind: 'places', places: [...places].sort(isBefore) };
}

/** What is left of many places where as many are put back as can be. */
interface Left {
    readonly guilt: Guilt;
    readonly among: readonly ModelPlace[];
    /** Those that are in every set that is enough. */
    readonly needed: readonly ModelPlace[];
    /** That there is no smaller set among these places, or none at all. */
    readonly isSmallest: boolean;
}

/** Whether nothing is known of larger sets. */
function isOpen(left: Left | undefined): boolean {
    return left === undefined || (left.guilt.kind === 'unknown' && !left.isSmallest);
}

/**
 * Takes out all the places and puts back as many as can be, the last ones first. Those that are needed even where all
 * others are taken out are in every set that is enough. Undefined where all together are not enough.
 */
function leftOf(
    places: readonly ModelPlace[],
    goal: Goal,
    trials: Trials,
    mostTried: number,
    limit: WorkLimit,
): Left | undefined {
    const { holds, fails, tried } = tester(goal, trials);
    const isOver = { isExhausted: () => tried() >= mostTried || limit.isExhausted() };
    if (places.length === 0) {
        return undefined;
    }
    if (isOver.isExhausted()) {
        return { guilt: CUT, among: places, needed: [], isSmallest: false };
    }
    if (!holds(places)) {
        return undefined;
    }
    const needed = neededPlaces(places, fails, isOver);
    if (needed === undefined) {
        return { guilt: CUT, among: places, needed: [], isSmallest: false };
    }
    if (needed.length > 0 && holds(needed)) {
        return { guilt: guiltOf(needed), among: places, needed, isSmallest: true };
    }
    const others = places.filter(place => !needed.includes(place));
    const chosen = minimalPlaces(others, without => holds([...needed, ...without]), isOver);
    return chosen === undefined
        ? { guilt: CUT, among: places, needed, isSmallest: false }
        : { guilt: guiltOf([...needed, ...chosen]), among: places, needed, isSmallest: chosen.length === 1 };
}

/** The same of all places that take nothing out. Where they are not enough no fewer are; without a model nothing is known. */
function leftOfOpen(goal: Goal, trials: Trials, mostTried: number, limit: WorkLimit): Left {
    const open = trials.places.filter(place => !isWeak(place));
    const left = leftOf(open, goal, trials, mostTried, limit);
    if (left !== undefined) {
        return left;
    }
    const trial = limit.isExhausted() ? undefined : trials.without(open);
    const isKnown = trial !== undefined && !goal.holds(trial);
    return { guilt: { kind: 'unknown', isCut: !isKnown }, among: open, needed: [], isSmallest: isKnown };
}

/**
 * The set with a place inside of another one in the place of that, where that is enough. Alone, it is looked for also in
 * the functions that a condition calls and in what stands elsewhere under a name.
 */
function withSmallerInside(
    places: readonly ModelPlace[],
    goal: Goal,
    trials: Trials,
    limit: WorkLimit,
): readonly ModelPlace[] {
    const { holds } = tester(goal, trials);
    return places.reduce<readonly ModelPlace[]>((set, place) => {
        const suspects = [...trials.places, ...trials.comparisons].filter(
            other => !isWeak(other) && isSuspect(other, goal.type),
        );
        const within = suspects.filter(other => isStrictlyInside(place, other));
        const reached = suspects.filter(other => place.reaches.some(range => isInside(range, other.range)));
        const candidates = places.length === 1 && reached.length <= HANDFUL ? [...within, ...reached] : within;
        const inside = candidates.find(
            other => !limit.isExhausted() && holds(set.map(each => (each === place ? other : each))),
        );
        return inside === undefined ? set : set.map(each => (each === place ? inside : each));
    }, places);
}

/** Asks for the goal without some places, and counts how often. */
function tester(goal: Goal, trials: Trials): Tester {
    let tried = 0;
    const ask = (without: readonly ModelPlace[]): boolean | undefined => {
        tried++;
        const trial = trials.without(without);
        return trial && goal.holds(trial);
    };
    return { holds: without => ask(without) === true, fails: without => ask(without) === false, tried: () => tried };
}

/** Where the rest is no model it is not known whether the goal holds: it neither holds nor fails. */
interface Tester {
    readonly holds: (without: readonly ModelPlace[]) => boolean;
    readonly fails: (without: readonly ModelPlace[]) => boolean;
    readonly tried: () => number;
}

function isStrictlyInside(outer: ModelPlace, inner: ModelPlace): boolean {
    return isInside(outer.range, inner.range) && !isInside(inner.range, outer.range);
}
