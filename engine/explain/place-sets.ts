/**
 * Sets of places by their sizes, those that are enough to bring a symmetry back.
 *
 * What has no counterpart says where to look: a place that has nothing to do with a step cannot give it its counterpart. So
 * one place is only tried if it takes part in all that lacks a counterpart. A set that is not enough is added to for
 * something that is still without its counterpart. This is how a smallest hitting set is found [Reiter1987].
 */
import type { WorkLimit } from '../common/work-limit.js';
import type { Missing } from './counterparts.js';
import type { ModelPlace, Owner } from './model-places.js';
import { costOf, isSuspect, isWeak } from './suspicion.js';
import type { Goal, Trial, Trials } from './trials.js';

/** Sets of more places than this are not gone through. */
export const MOST_SEARCHED = 4;

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

/** A set of places that is not enough as far as that is known. */
interface Insufficient {
    readonly places: readonly ModelPlace[];
    /** What is sure to have no counterpart without them: nothing else is known before the set has been tried. */
    readonly missing: readonly Missing[];
    readonly isTried: boolean;
}

/** A set of places without which the goal holds, and the model without them. */
export interface Sufficient {
    readonly places: readonly ModelPlace[];
    readonly trial: Trial;
}

/**
 * Goes through the sets of places by their sizes. A set that is not enough is added to from the places that take part in
 * one thing that has no counterpart, since one of these must change; it is tried where they take part in all.
 */
export class SetSearch {
    private readonly goal: Goal;
    private readonly trials: Trials;
    /** The places that sets are made of. */
    private readonly places: readonly ModelPlace[];
    private readonly limit: WorkLimit;
    private readonly seen = new Set<string>();
    private readonly knownPlaces = new Map<ReadonlySet<Owner>, readonly ModelPlace[]>();
    private readonly missingAtFirst: readonly Missing[];
    private frontier: readonly Insufficient[];
    private isBegun = false;
    private hopeless: boolean | undefined;
    private triedCount = 0;
    /** The budget ended it before it had gone through what it set out to try. */
    private wasCut = false;
    readonly mostTried: number;

    /** All sets have `base`, without which the goal does not hold yet, and no other places than `places`. */
    constructor(
        goal: Goal,
        trials: Trials,
        { places, base = [] }: { readonly places: readonly ModelPlace[]; readonly base?: readonly ModelPlace[] },
        effort: Effort,
        limit: WorkLimit,
    ) {
        this.goal = goal;
        this.trials = trials;
        this.places = places;
        this.limit = limit;
        this.mostTried = mostTriedOf(trials, effort);
        this.wasCut = this.mostTried === 0;
        const first = this.wasCut ? undefined : trials.without(base);
        this.missingAtFirst = first === undefined ? [] : distinct(goal.missing(first));
        this.frontier = this.wasCut ? [] : [{ places: base, missing: this.missingAtFirst, isTried: true }];
    }

    get isCut(): boolean {
        return this.wasCut;
    }

    /** The single places without which the goal holds, the ones to read first; none where more than `most` could be. */
    *single(most: number): Generator<Sufficient> {
        const { type } = this.goal;
        const places = this.frontier
            .flatMap(from => this.placesFor(from))
            .filter(place => this.missingAtFirst.every(each => takesPart(place, each)))
            .sort((a, b) => costOf([a], type) - costOf([b], type));
        for (const place of places.length > most ? [] : places) {
            const trial = this.limit.isExhausted() ? undefined : this.trials.without([place]);
            if (trial !== undefined && this.goal.holds(trial)) {
                yield { places: [place], trial };
            }
        }
    }

    /** The sets with one place more than those before without which the goal holds, the ones to read first. */
    *next(): Generator<Sufficient> {
        const { type } = this.goal;
        if (this.isBegun && this.frontier.length > 0 && this.isHopeless()) {
            this.frontier = [];
        }
        this.isBegun = true;
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
     * That is asked once, before the second sizes.
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
        return (candidates[0] ?? this.places).filter(place => !places.includes(place));
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
            known = this.places.filter(place => takesPart(place, missing));
            this.knownPlaces.set(missing.owners, known);
        }
        return known;
    }
}

/** How many sets may be tried: none of a model with a graph that is too large. */
export function mostTriedOf(trials: Trials, { vertices, trials: most }: Effort): number {
    const whole = trials.without([]);
    return whole === undefined ? 0 : Math.min(most, Math.floor(vertices / whole.encoding.graph.vertexCount));
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

export function takesPart({ owners }: ModelPlace, missing: Missing): boolean {
    for (const owner of owners) {
        if (missing.owners.has(owner)) {
            return true;
        }
    }
    return false;
}
