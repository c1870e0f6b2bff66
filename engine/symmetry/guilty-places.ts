/**
 * Which places of the text stand against a symmetry: those without which it is there.
 *
 * Every answer has been tried: the model is taken through all stages again with the places neutralized, and the
 * symmetry looked for in what comes out. A model in which less happens without the places proves nothing.
 */
import type { SourceRange } from '../common/source-range.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { ConstraintProblem } from '../csp/constraint-problem.js';
import type { FragmentCache } from '../csp/fragment.js';
import type { Model } from '../model/model.js';
import { linearize } from '../sequential/linearize.js';
import { constraintsOf } from './constraints.js';
import { encodeGraph, isConstant, type GraphEncoding } from './graph-encoding.js';
import { neutralize, placesOf, type Place } from './neutralize.js';

/** The model without some places, to look for symmetries in. */
export interface Trial {
    readonly model: Model;
    readonly problem: ConstraintProblem;
    /** The graph without properties. */
    readonly encoding: GraphEncoding;
}

/** How much happens in a model: what must not get less when places are neutralized. */
interface Activity {
    /** Summands that can fire at all. */
    readonly summands: number;
    /** Cells that change at all. */
    readonly cells: number;
}

/** A model and what becomes of it without some of its places. */
export class Trials {
    private readonly model: Model;
    private knownPlaces: readonly Place[] | undefined;
    private readonly before: Activity;
    private readonly limit: WorkLimit;
    /** Most of a model is the same without one of its places. */
    private readonly fragments: FragmentCache;
    /** Every explanation begins with the single places. */
    private readonly withoutOne = new Map<Place, Trial | undefined>();

    /** `problem` is the model's own; `fragments` are those that it was made with, or none. */
    constructor(model: Model, problem: ConstraintProblem, limit: WorkLimit, fragments: FragmentCache) {
        this.model = model;
        this.before = activityOf(problem);
        this.limit = limit;
        this.fragments = fragments;
    }

    /** Those that treat values differently come first: an explanation among them is the one to read. */
    get places(): readonly Place[] {
        this.knownPlaces ??= placesOf(this.model).sort((a, b) => Number(b.mentionsOrder) - Number(a.mentionsOrder));
        return this.knownPlaces;
    }

    /**
     * The model with these places neutralized; undefined where the rest is no model, or where less happens without the
     * places: then a symmetry is there only because of that.
     */
    without(places: readonly Place[]): Trial | undefined {
        const [place] = places;
        if (places.length !== 1) {
            return this.make(places);
        }
        if (!this.withoutOne.has(place)) {
            this.withoutOne.set(place, this.make(places));
        }
        return this.withoutOne.get(place);
    }

    private make(places: readonly Place[]): Trial | undefined {
        const model = neutralize(this.model, new Set<SourceRange>(places.map(place => place.range)));
        const { sequential } = linearize(model);
        if (sequential === undefined) {
            return undefined;
        }
        const { problem } = constraintsOf(sequential, this.limit, this.fragments);
        const after = activityOf(problem);
        return !problem.complete || after.summands < this.before.summands || after.cells < this.before.cells
            ? undefined
            : { model, problem, encoding: encodeGraph(problem, []) };
    }
}

function activityOf(problem: ConstraintProblem): Activity {
    return {
        summands: problem.summands.reduce((count, summand) => count + summand.sources.length, 0),
        cells: problem.domains.reduce((count, codes) => count + (isConstant(codes) ? 0 : 1), 0),
    };
}

/**
 * One place without which `holds`, else a set of them of which none can be left out, if it can be of places that treat
 * values differently; undefined where all places together are not enough, and where the limit comes first. Earlier
 * places are preferred.
 */
export function guiltyPlaces(
    places: readonly Place[],
    holds: (without: readonly Place[]) => boolean,
    limit: WorkLimit,
): readonly Place[] | undefined {
    for (const place of places) {
        if (limit.isExhausted()) {
            return undefined;
        }
        if (holds([place])) {
            return [place];
        }
    }
    const likely = places.filter(({ mentionsOrder }) => mentionsOrder);
    return minimalPlaces(likely, holds, limit) ?? minimalPlaces(places, holds, limit);
}

/** Leaves out one place after the other, the last ones first, while the rest is still enough. */
export function minimalPlaces<Part>(
    places: readonly Part[],
    holds: (without: readonly Part[]) => boolean,
    limit: WorkLimit,
): readonly Part[] | undefined {
    let needed = places;
    if (!holds(needed)) {
        return undefined;
    }
    // Leaving out one place may make another one superfluous, so this goes on until nothing can be left out.
    for (let known = Infinity; needed.length < known;) {
        known = needed.length;
        for (const place of [...needed].reverse()) {
            if (limit.isExhausted()) {
                return undefined;
            }
            const without = needed.filter(other => other !== place);
            if (holds(without)) {
                needed = without;
            }
        }
    }
    return needed;
}

/** `a`, `b` and `c`; of many the first ones. */
export function quotePlaces(places: readonly Place[]): string {
    const shown = places.length > MOST_QUOTED ? places.slice(0, MOST_QUOTED - 1) : places;
    const quoted = shown.map(place => `\`${place.text}\``);
    const left = places.length - shown.length;
    const last = left > 0 ? `${left} other places` : quoted.pop();
    return quoted.length === 0 ? (last ?? '') : `${quoted.join(', ')} and ${last}`;
}

const MOST_QUOTED = 4;
