/**
 * Searches for smallest sets of places without which a model has a symmetry. A place can give a step its counterpart
 * only if it belongs to the step. So a place is tried alone only if it belongs to everything that lacks a counterpart,
 * and a set that is not enough is extended by places of one such thing, as for smallest hitting sets [Reiter1987].
 */
import { remembered } from '../common/list-map.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { Domain } from '../model/domain.js';
import { identityOf } from '../symmetry/declared-action.js';
import { isRemoval, type ModelPlace, type Owner } from './places.js';
import type { Missing, Trial, TrialQuestion, Trials } from './trials.js';

/** A sufficient part without a superfluous member; undefined if all are not enough or the limit is reached. */
export function minimalSet<Part>(
    parts: readonly Part[],
    isEnough: (set: readonly Part[]) => boolean,
    limit: WorkLimit,
): readonly Part[] | undefined {
    let needed = parts;
    if (limit.isExhausted() || !isEnough(needed)) {
        return undefined;
    }
    for (let size = Math.ceil(parts.length / 2); ;) {
        const before = needed.length;
        for (let end = needed.length; end > 0; end -= size) {
            if (limit.isExhausted()) {
                return undefined;
            }
            const rest = [...needed.slice(0, Math.max(0, end - size)), ...needed.slice(end)];
            if (rest.length > 0 && isEnough(rest)) {
                needed = rest;
            }
        }
        // After one member is left out another one may be superfluous, so the last size is repeated.
        if (size > 1) {
            size = Math.floor(size / 2);
        } else if (needed.length === before) {
            return needed;
        }
    }
}

/**
 * The members without which all others together are not enough; undefined if the limit is reached. If larger sets are
 * never worse, they are in every set that is enough. About √n + k √n trials for k of n; all together must be enough.
 */
export function neededMembers<Part>(
    parts: readonly Part[],
    fails: (set: readonly Part[]) => boolean,
    limit: WorkLimit,
): readonly Part[] | undefined {
    const needed: Part[] = [];
    const isNeeded = (some: readonly Part[]): boolean => fails(parts.filter(part => !some.includes(part)));
    const size = parts.length <= MOST_TRIED_ALONE ? 1 : Math.ceil(Math.sqrt(parts.length));
    for (let start = 0; start < parts.length; start += size) {
        const some = parts.slice(start, start + size);
        if (limit.isExhausted()) {
            return undefined;
        }
        for (const part of some.length > 1 && !isNeeded(some) ? [] : some) {
            if (limit.isExhausted()) {
                return undefined;
            }
            if (isNeeded([part])) {
                needed.push(part);
            }
        }
    }
    return needed;
}

/** Up to this many members are left out one by one. */
const MOST_TRIED_ALONE = 5;

/** Sets of more places than this are not enumerated. */
export const MOST_SEARCHED = 4;

/** The number of sets that are extended from one size to the next. */
const WIDTH = 24;

/** The limits of a search. */
export interface Effort {
    /** The vertices of all graphs that are searched, in sum. */
    readonly vertices: number;
    /** The number of sets that are tried. */
    readonly trials: number;
    /** Whether sets of more than MOST_SEARCHED places are of use. */
    readonly isThorough: boolean;
}

/** For assertions of the model, and suggestions of its families. */
export const THOROUGH: Effort = { vertices: 20_000, trials: 32, isThorough: true };
/** For suggestions of types, which are often not meant so. */
export const BRIEF: Effort = { vertices: 5_000, trials: 64, isThorough: false };

/** The number of sets that may be tried: none of a model whose graph is too large. */
export function mostTriedOf(trials: Trials, { vertices, trials: most }: Effort): number {
    const whole = trials.without([]);
    return whole === undefined ? 0 : Math.min(most, Math.floor(vertices / whole.encoding.graph.vertexCount));
}

/** The cost of reading a set: low for places that tell values of the type apart, higher for those that may only hide it. */
export function costOf(places: readonly ModelPlace[], type: Domain | undefined): number {
    return places.reduce(
        (cost, each) =>
            cost +
            COST_OF_KIND[each.kind] +
            (type !== undefined && each.kind === 'value' && !each.isComputed ? COST_OF_NAMED : 0) +
            (isSuspect(each, type) ? 0 : COST_OF_OTHERS),
        0,
    );
}

/** A value that is left open may hide a difference that is somewhere else. */
const COST_OF_KIND: Readonly<Record<ModelPlace['kind'], number>> = {
    test: 0,
    branch: 0,
    start: 0,
    instances: 0,
    range: 0,
    capacity: 0,
    order: 0,
    comparison: 0,
    difference: 0,
    value: 1,
    communication: 3,
    assignment: 3,
};
const COST_OF_OTHERS = 2;
/** A number that is written as such may stand there because of another place. */
const COST_OF_NAMED = 0.5;

/** Whether a place seems to treat values of the type differently. Truth values are too common to tell. */
export function isSuspect({ mentionsOrder, types }: ModelPlace, type: Domain | undefined): boolean {
    return type === undefined || type.kind === 'boolean' ? mentionsOrder : types.has(identityOf(type));
}

/** Whether the place belongs to one of the parts of the model of which one must change. */
export function takesPart({ owners }: ModelPlace, missing: Missing): boolean {
    for (const owner of owners) {
        if (missing.owners.has(owner)) {
            return true;
        }
    }
    return false;
}

/** A set of places that is not enough as far as that is known. */
interface Insufficient {
    readonly places: readonly ModelPlace[];
    /** The parts that certainly lack a counterpart; of a set that was not tried, those known from a smaller one. */
    readonly missing: readonly Missing[];
    readonly isTried: boolean;
}

/** A set of places, and the model without them, which has the symmetry. */
export interface Sufficient {
    readonly places: readonly ModelPlace[];
    readonly trial: Trial;
}

/** Enumerates sets of places by their sizes. */
export class SetSearch {
    private readonly question: TrialQuestion;
    private readonly trials: Trials;
    private readonly places: readonly ModelPlace[];
    private readonly limit: WorkLimit;
    /** The names of the sets that were tried. */
    private readonly seen = new Set<string>();
    /** The places that take part in something missing, by its owners. */
    private readonly partakersOf = new Map<ReadonlySet<Owner>, readonly ModelPlace[]>();
    private readonly missingAtFirst: readonly Missing[];
    private frontier: readonly Insufficient[];
    private isBegun = false;
    private hopeless: boolean | undefined;
    private triedCount = 0;
    /** Whether a budget ended the search early. */
    isCut: boolean;
    readonly mostTried: number;

    /** All sets contain `base`, without which the symmetry is not there yet, and else only members of `places`. */
    constructor(
        question: TrialQuestion,
        trials: Trials,
        { places, base }: { readonly places: readonly ModelPlace[]; readonly base: readonly ModelPlace[] },
        effort: Effort,
        limit: WorkLimit,
    ) {
        this.question = question;
        this.trials = trials;
        this.places = places;
        this.limit = limit;
        this.mostTried = mostTriedOf(trials, effort);
        this.isCut = this.mostTried === 0;
        const first = this.isCut ? undefined : trials.without(base);
        this.missingAtFirst = first === undefined ? [] : distinct(question.missing(first));
        this.frontier = this.isCut ? [] : [{ places: base, missing: this.missingAtFirst, isTried: true }];
    }

    /** The single places that are enough, those of least cost first; nothing if more than `most` could be. */
    *single(most: number): Generator<Sufficient> {
        const { type } = this.question;
        const places = this.frontier
            .flatMap(from => this.placesFor(from))
            .filter(place => this.missingAtFirst.every(each => takesPart(place, each)))
            .sort((a, b) => costOf([a], type) - costOf([b], type));
        for (const place of places.length > most ? [] : places) {
            const trial = this.limit.isExhausted() ? undefined : this.trials.without([place]);
            if (trial !== undefined && this.question.holds(trial)) {
                yield { places: [place], trial };
            }
        }
    }

    /** The sets with one place more than those before that are enough, those of least cost first. */
    *next(): Generator<Sufficient> {
        const { type } = this.question;
        if (this.isBegun && this.frontier.length > 0 && this.isHopeless()) {
            this.frontier = [];
        }
        this.isBegun = true;
        const further: (Insufficient & { readonly cost: number })[] = [];
        const complete: { readonly from: Insufficient; readonly places: ModelPlace[]; readonly cost: number }[] = [];
        for (const entry of this.frontier) {
            const from = entry.isTried ? entry : yield* this.tried(entry.places, entry.missing);
            if (from === undefined) {
                continue;
            }
            for (const place of this.placesFor(from)) {
                const open = from.missing.filter(each => !takesPart(place, each));
                const places = [...from.places, place];
                const cost = costOf(places, type);
                if (open.length === 0) {
                    complete.push({ from, places, cost });
                } else if (places.length + this.fewestFor(open) <= MOST_SEARCHED) {
                    further.push({ places, missing: open, isTried: false, cost });
                }
            }
        }
        for (const { from, places, cost } of complete.sort((a, b) => a.cost - b.cost)) {
            const insufficient = yield* this.tried(places, from.missing);
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
        this.isCut ||= next.size > WIDTH;
    }

    /** Whether something lacks its counterpart without all its places: then no set is enough. Decided once. */
    private isHopeless(): boolean {
        this.hopeless ??= this.missingAtFirst.some(each => {
            const trial = this.withoutAll(this.partakers(each).filter(({ kind }) => kind !== 'assignment'));
            return (
                trial !== undefined &&
                !this.question.holds(trial) &&
                this.question.missing(trial).some(({ owners }) => [...each.owners].every(owner => owners.has(owner)))
            );
        });
        return this.hopeless;
    }

    /** Without as many of the places as leave a model that can be searched. */
    private withoutAll(places: readonly ModelPlace[]): Trial | undefined {
        const whole = this.trials.without(places);
        if (whole !== undefined || places.some(isRemoval)) {
            return whole;
        }
        const suspects = places.filter(place => place.kind !== 'value' || isSuspect(place, this.question.type));
        return (
            this.trials.without(suspects) ??
            this.trials.without(places.filter(place => this.trials.without([place]) !== undefined))
        );
    }

    /** Tries a set and yields it if it is enough. Undefined then, and if there is nothing to extend. */
    private *tried(
        places: readonly ModelPlace[],
        before: readonly Missing[],
    ): Generator<Sufficient, Insufficient | undefined> {
        const name = nameOf(places);
        if (this.seen.has(name)) {
            return undefined;
        }
        if (this.limit.isExhausted() || this.triedCount >= this.mostTried) {
            this.isCut = true;
            return undefined;
        }
        this.seen.add(name);
        this.triedCount++;
        const trial = this.trials.without(places);
        if (trial !== undefined && this.question.holds(trial)) {
            yield { places, trial };
            return undefined;
        }
        // A larger set may leave a model, but not after all assignments to a variable are removed.
        if (trial === undefined && places.some(({ kind }) => kind === 'assignment')) {
            return undefined;
        }
        const missing = trial === undefined ? before : distinct(this.question.missing(trial));
        return places.length + this.fewestFor(missing) <= MOST_SEARCHED
            ? { places, missing, isTried: true }
            : undefined;
    }

    /** The places of the missing thing with the fewest, if possible one of the last place; all if none is missing. */
    private placesFor({ places, missing }: Insufficient): readonly ModelPlace[] {
        const last = places.at(-1);
        const nearest = last === undefined ? [] : missing.filter(each => takesPart(last, each));
        const [fewest] = (nearest.length > 0 ? nearest : missing)
            .map(each => this.partakers(each))
            .sort((a, b) => a.length - b.length);
        return (fewest ?? this.places).filter(place => !places.includes(place));
    }

    /** A lower bound for the number of places that take part in all that is missing. */
    private fewestFor(missing: readonly Missing[]): number {
        const apart: (readonly ModelPlace[])[] = [];
        for (const each of missing) {
            if (apart.every(others => !others.some(place => takesPart(place, each)))) {
                apart.push(this.partakers(each));
            }
        }
        return Math.max(1, apart.length);
    }

    private partakers(missing: Missing): readonly ModelPlace[] {
        return remembered(this.partakersOf, missing.owners, () =>
            this.places.filter(place => takesPart(place, missing)),
        );
    }
}

/** One of those with the same owners. */
function distinct(missing: readonly Missing[]): readonly Missing[] {
    return [...new Map(missing.map(each => [[...each.owners].sort().join('\n'), each])).values()];
}

function nameOf(places: readonly ModelPlace[]): string {
    return places
        .map(({ key }) => key)
        .sort()
        .join('\n');
}
