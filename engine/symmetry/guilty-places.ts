/**
 * Which places of the text stand against a symmetry: those without which it is there.
 *
 * Every answer has been tried (trials.ts). One place is looked for first. Where none is enough, all places that are open
 * to suspicion are taken out and as many as possible put back; what is not yet proven the smallest set then is looked for
 * from few places to many (place-sets.ts).
 */
import type { WorkLimit } from '../common/work-limit.js';
import { minimalPlaces } from './minimal-places.js';
import type { ModelPlace } from './model-places.js';
import { MOST_SEARCHED, SetSearch, type Effort } from './place-sets.js';
import { isInside } from './places.js';
import { isSuspect, isWeak } from './suspicion.js';
import type { Goal, Trials } from './trials.js';

/** More places than this are no explanation: only their number is told. */
export const MOST_TOLD = 6;

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

function isStrictlyInside(outer: ModelPlace, inner: ModelPlace): boolean {
    return isInside(outer.range, inner.range) && !isInside(inner.range, outer.range);
}
