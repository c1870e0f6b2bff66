/**
 * The places of the text that stand against a symmetry: it is there without them, as was tried (trials.ts). Places that
 * treat values differently come first: a few one by one, then all are neutralized and as many as possible restored. If
 * they are not enough, or the result may not be smallest, all sets of few places are enumerated (smallest-set.ts).
 */
import { remembered } from '../common/list-map.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { Expression } from '../model/expression.js';
import { identityOf } from '../symmetry/declared-action.js';
import { inTextOrder, isInside, isRemoval, type ModelPlace } from './places.js';
import {
    costOf,
    isSuspect,
    minimalSet,
    MOST_SEARCHED,
    mostTriedOf,
    neededMembers,
    SetSearch,
    takesPart,
    type Effort,
    type Sufficient,
} from './smallest-set.js';
import type { Missing, Trial, TrialQuestion, Trials } from './trials.js';

/** More places than this are no explanation: only their number is reported. */
export const MOST_TOLD = 6;

/** The places that stand against a symmetry, if they are known. */
export type Blame =
    /** Without all of them the symmetry is there, with any one of them it is not. */
    | { readonly kind: 'places'; readonly places: readonly ModelPlace[] }
    /** No set of up to `most` places (absent: any size) was found. `isCut`: a budget or the limit ended the search. */
    | { readonly kind: 'unknown'; readonly isCut: boolean; readonly most?: number };

/** A budget or the limit was reached before anything was known. */
export const CUT: Blame = { kind: 'unknown', isCut: true };

/** The blame of the question with this index, the first one that holds without these places. */
export interface NearestBlame {
    readonly question: number;
    readonly blame: Blame;
}

/** Whether the first names places, and fewer than the second. */
export function isNearer(first: Blame, second: Blame): boolean {
    return first.kind === 'places' && (second.kind !== 'places' || first.places.length < second.places.length);
}

/** The smallest set found without which the question holds: of one or two places, or without a superfluous member. */
export function blameFor(question: TrialQuestion, trials: Trials, effort: Effort, limit: WorkLimit): Blame {
    return nearestBlame([question], trials, effort, limit).blame;
}

/** The first question that fails at the fewest places. Each question must hold if one before it does. */
export function nearestBlame(
    questions: readonly TrialQuestion[],
    trials: Trials,
    effort: Effort,
    limit: WorkLimit,
): NearestBlame {
    return new BlameSearch(questions, trials, effort, limit).run();
}

/** For the exchange of similar processes. Of three or more one may be a slip, so differences are tried first. */
export function blameOfSimilar(
    processes: readonly number[],
    question: TrialQuestion,
    trials: Trials,
    effort: Effort,
    limit: WorkLimit,
): Blame {
    if (mostTriedOf(trials, effort) === 0) {
        return CUT;
    }
    const slips = (): Blame | undefined => {
        const differences = trials.differencesOf(processes);
        const isEnough = (set: readonly ModelPlace[]): boolean => answer(question, trials, set) === true;
        // A consequence of a slip is a difference, too; alone it may already restore the symmetry.
        const single = differences.find(each => !limit.isExhausted() && isEnough([each]));
        const least = single === undefined ? minimalSet(differences, isEnough, limit) : [single];
        return least === undefined || least.length === 0 || least.length > MOST_TOLD ? undefined : blameOn(least);
    };
    const first = processes.length > 2 ? slips() : undefined;
    const blame = first ?? blameFor(question, trials, effort, limit);
    return blame.kind === 'places' || processes.length > 2 ? blame : (slips() ?? blame);
}

/** Whether the question holds without the places; undefined if the rest is no model. */
function answer(question: TrialQuestion, trials: Trials, without: readonly ModelPlace[]): boolean | undefined {
    const trial = trials.without(without);
    return trial && question.holds(trial);
}

function blameOn(places: readonly ModelPlace[]): Blame & { readonly kind: 'places' } {
    return { kind: 'places', places: inTextOrder(places) };
}

/** A set that is enough for the question with this index. */
interface Nearest {
    readonly question: number;
    readonly places: readonly ModelPlace[];
}

/** The rest of many places after as many as possible are restored. */
interface Rest {
    readonly blame: Blame;
    readonly among: readonly ModelPlace[];
    /** The members of every set that is enough. */
    readonly needed: readonly ModelPlace[];
    /** Whether there is no smaller set among these places, or none at all. */
    readonly isSmallest: boolean;
}

/** Up to this many places are tried one by one before all of them together. */
const HANDFUL = 6;

class BlameSearch {
    private readonly questions: readonly TrialQuestion[];
    /** The last one: a set that is not enough for it is enough for none. */
    private readonly question: TrialQuestion;
    private readonly trials: Trials;
    private readonly effort: Effort;
    private readonly limit: WorkLimit;

    constructor(questions: readonly TrialQuestion[], trials: Trials, effort: Effort, limit: WorkLimit) {
        this.questions = questions.map(remembering);
        this.question = this.questions[this.questions.length - 1];
        this.trials = trials;
        this.effort = effort;
        this.limit = limit;
    }

    run(): NearestBlame {
        const { isThorough } = this.effort;
        if (!isThorough && mostTriedOf(this.trials, this.effort) === 0) {
            // The places of a large model take a while to be found.
            return this.last(CUT);
        }
        const suspected = isThorough ? this.amongSuspects() : undefined;
        if (suspected !== undefined && 'question' in suspected) {
            return suspected;
        }
        let rest = suspected;
        const search = this.searchOf(this.places);
        for (let size = 1; size <= MOST_SEARCHED && (rest === undefined || isOpen(rest)); size++) {
            const nearest = this.nearestOf(search.next());
            if (nearest !== undefined) {
                return this.narrowed(nearest);
            }
            if (size === 1 && isThorough) {
                rest = this.restOfAll(2 * search.mostTried);
            }
        }
        if (rest?.blame.kind === 'places') {
            return this.nearestIn(rest, rest.blame.places);
        }
        const isAll = rest?.isSmallest === true;
        return this.last({ kind: 'unknown', isCut: !isAll && search.isCut, ...(!isAll && { most: MOST_SEARCHED }) });
    }

    /** Without the range of a family over the type: with another one the instances would be members of another type. */
    private get places(): readonly ModelPlace[] {
        const { type } = this.question;
        return this.trials.places.filter(
            ({ family }) => family === undefined || type === undefined || identityOf(family.over) !== identityOf(type),
        );
    }

    private searchOf(places: readonly ModelPlace[], base: readonly ModelPlace[] = []): SetSearch {
        return new SetSearch(this.question, this.trials, { places, base }, this.effort, this.limit);
    }

    private last(blame: Blame): NearestBlame {
        return { question: this.questions.length - 1, blame };
    }

    /** A set of suspects that is enough, or what is left of all of them, if together they are enough. */
    private amongSuspects(): NearestBlame | Rest | undefined {
        const suspects = this.suspects();
        const search = this.searchOf(suspects);
        const single = this.nearestOf(search.single(HANDFUL));
        if (single !== undefined) {
            return this.narrowed(single);
        }
        const innermost = suspects.filter(place => !isComposedOf(place, suspects));
        const most = 2 * search.mostTried;
        let rest = this.restOf(innermost, most);
        if (rest === undefined && innermost.length < suspects.length) {
            rest = this.restOf(suspects, most);
        }
        if (rest?.blame.kind === 'unknown') {
            return this.last(rest.blame);
        }
        const places = rest?.blame.places;
        const smaller = this.initialValues(places?.length) ?? this.withPlacesJoined(places ?? [], suspects);
        const nearest = smaller && this.nearestOf([smaller]);
        return nearest === undefined ? rest : this.narrowed(nearest);
    }

    /** The places that treat values of the type differently: those of least cost first, then those of most that is missing. */
    private suspects(): ModelPlace[] {
        const { type } = this.question;
        const whole = this.trials.without([]);
        const missing = whole === undefined ? [] : this.question.missing(whole);
        return this.places
            .filter(place => !isRemoval(place) && isSuspect(place, type))
            .map(place => ({
                place,
                cost: costOf([place], type),
                partCount: missing.filter(each => takesPart(place, each)).length,
            }))
            .sort((a, b) => a.cost - b.cost || b.partCount - a.partCount)
            .map(({ place }) => place);
    }

    /** Fewer than `than` initial values that are enough: other types that move along may differ only there. */
    private initialValues(than: number = MOST_TOLD + 1): Sufficient | undefined {
        const starts = this.places.filter(({ kind }) => kind === 'start');
        const least =
            than <= 1 || starts.length === 0 ? undefined : minimalSet(starts, set => this.isEnough(set), this.limit);
        const trial = least === undefined || least.length >= than ? undefined : this.trials.without(least);
        return least && trial && { places: least, trial };
    }

    /** The set with a condition in the place of several parts of it, or with such a condition alone, if that is enough. */
    private withPlacesJoined(needed: readonly ModelPlace[], suspects: readonly ModelPlace[]): Sufficient | undefined {
        const around = suspects.filter(
            place => needed.length > 1 && isComposedOf(place, needed) && !needed.includes(place),
        );
        let found: Sufficient | undefined;
        for (const place of around) {
            const places = found?.places ?? needed;
            const others = places.filter(other => !isStrictlyInside(place, other));
            const sets = others.length < places.length - 1 && others.length > 0 ? [[], others] : [[]];
            for (const rest of sets) {
                const set = [place, ...rest];
                const isTried = !this.limit.isExhausted() && set.length < places.length;
                const trial = isTried ? this.trials.without(set) : undefined;
                if (trial !== undefined && this.question.holds(trial)) {
                    found = { places: set, trial };
                    break;
                }
            }
        }
        return found;
    }

    /** The rest of all places that remove nothing. If all of them are not enough no set is; without a model this is open. */
    private restOfAll(mostTried: number): Rest {
        const open = this.places.filter(place => !isRemoval(place));
        const rest = this.restOf(open, mostTried);
        if (rest !== undefined) {
            return rest;
        }
        const trial = this.limit.isExhausted() ? undefined : this.trials.without(open);
        const isKnown = trial !== undefined && !this.question.holds(trial);
        return { blame: { kind: 'unknown', isCut: !isKnown }, among: open, needed: [], isSmallest: isKnown };
    }

    /** Neutralizes all places and restores as many as possible, the last first. Undefined if all are not enough. */
    private restOf(places: readonly ModelPlace[], mostTried: number): Rest | undefined {
        let tried = 0;
        const ask = (set: readonly ModelPlace[]): boolean | undefined => {
            tried++;
            return answer(this.question, this.trials, set);
        };
        const holds = (set: readonly ModelPlace[]): boolean => ask(set) === true;
        const limit = { isExhausted: () => tried >= mostTried || this.limit.isExhausted() };
        const cut = { blame: CUT, among: places, needed: [], isSmallest: false };
        if (places.length === 0 || (!limit.isExhausted() && !holds(places))) {
            return undefined;
        }
        // The limit is reached from the start, or while they are looked for.
        const needed = neededMembers(places, set => ask(set) === false, limit);
        if (needed === undefined) {
            return cut;
        }
        if (needed.length > 0 && holds(needed)) {
            return { blame: blameOn(needed), among: places, needed, isSmallest: true };
        }
        const others = places.filter(place => !needed.includes(place));
        const chosen = minimalSet(others, set => holds([...needed, ...set]), limit);
        return chosen === undefined
            ? { ...cut, needed }
            : { blame: blameOn([...needed, ...chosen]), among: places, needed, isSmallest: chosen.length === 1 };
    }

    /** The blame of a rest that is enough; one place besides those that are needed may be enough as well. */
    private nearestIn({ among, needed, isSmallest }: Rest, places: readonly ModelPlace[]): NearestBlame {
        if (!isSmallest) {
            const nearest = this.nearestOf(this.searchOf(among, needed).next());
            if (nearest !== undefined) {
                return this.narrowed(nearest);
            }
        }
        const trial = this.trials.without(places);
        const question = trial === undefined ? -1 : this.questions.findIndex(each => each.holds(trial));
        // The limit may be reached by now.
        return question < 0 ? this.last(CUT) : { question, blame: this.withSmallerInside(places, question) };
    }

    /** Of sets that are enough for the last question, one that is enough for the first question of all. */
    private nearestOf(sufficient: Iterable<Sufficient>): Nearest | undefined {
        let nearest: Nearest | undefined;
        for (const { places, trial } of sufficient) {
            const question = this.questions.findIndex(each => each.holds(trial));
            if (nearest === undefined || question < nearest.question) {
                nearest = { question, places };
            }
            if (question === 0) {
                break;
            }
        }
        return nearest;
    }

    /** Larger sets can be worse, so a set may contain a smaller one that is enough and was not tried. */
    private narrowed({ question, places }: Nearest): NearestBlame {
        const least = minimalSet(places, set => this.isEnough(set, question), this.limit);
        return { question, blame: least === undefined ? CUT : this.withSmallerInside(least, question) };
    }

    private isEnough(set: readonly ModelPlace[], question: number = this.questions.length - 1): boolean {
        return answer(this.questions[question], this.trials, set) === true;
    }

    /** With smaller places inside those of the set, if that is enough; of a single place also those it reaches. */
    private withSmallerInside(places: readonly ModelPlace[], question: number): Blame {
        const { type } = this.questions[question];
        const smallest = places.reduce<readonly ModelPlace[]>((set, place) => {
            const suspects = [...this.places, ...this.trials.comparisons].filter(
                other => !isRemoval(other) && isSuspect(other, type),
            );
            const within = suspects.filter(other => isStrictlyInside(place, other));
            const reached = suspects.filter(other => place.reaches.some(range => isInside(range, other.range)));
            const smaller = places.length === 1 && reached.length <= HANDFUL ? [...within, ...reached] : within;
            const setWith = (other: ModelPlace): ModelPlace[] => set.map(each => (each === place ? other : each));
            const inside = smaller.find(other => !this.limit.isExhausted() && this.isEnough(setWith(other), question));
            return inside === undefined ? set : setWith(inside);
        }, places);
        return blameOn(smallest);
    }
}

/** Whether larger sets may be enough. */
function isOpen({ blame, isSmallest }: Rest): boolean {
    return blame.kind === 'unknown' && !isSmallest;
}

/** The question with its answers for each trial: an answer takes a search, and the same sets are tried repeatedly. */
function remembering(question: TrialQuestion): TrialQuestion {
    const held = new Map<Trial, boolean>();
    const missed = new Map<Trial, readonly Missing[]>();
    return {
        ...question,
        holds: trial => remembered(held, trial, () => question.holds(trial)),
        missing: trial => remembered(missed, trial, () => question.missing(trial)),
    };
}

/** Whether it is a condition composed of others, with places for all that it says of values. */
function isComposedOf(place: ModelPlace, places: readonly ModelPlace[]): boolean {
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

function isStrictlyInside(outer: ModelPlace, inner: ModelPlace): boolean {
    return isInside(outer.range, inner.range) && !isInside(inner.range, outer.range);
}
