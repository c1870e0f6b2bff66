/**
 * Why a symmetry that a declaration suggests is missing.
 *
 * An index type suggests that its values are interchangeable, or at least that they form a ring. Where the group does
 * not even bring every instance of its families to the place of every other, the nearest suggestion is looked for: the
 * one that fails at the fewest places. Each answer has been tried: with its places neutralized the symmetry is there.
 */
import type { SourceRange } from '../common/source-range.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { ConstraintProblem } from '../csp/constraint-problem.js';
import { domainSize, formatDomain, type Domain } from '../model/domain.js';
import type { Model } from '../model/model.js';
import { linearize } from '../sequential/linearize.js';
import { DeclaredAction, identityOf, indexTypes, MOST_SUGGESTED_VALUES } from './candidates.js';
import { imageOf } from '../group/sparse-permutation.js';
import { constraintsOf } from './constraints.js';
import { encodeGraph, isConstant } from './graph-encoding.js';
import { GraphExtension } from './graph-extension.js';
import { InstanceAction } from './instance-action.js';
import { literalPoints } from './model-symmetry.js';
import { neutralize, placesOf, type Place } from './neutralize.js';
import type { BrokenSymmetry, FamilyReport } from './report.js';

/** More places than this are no explanation. */
const MOST_PLACES = 4;

/** What an index type of `size` values suggests, largest first, by generators on the codes. */
interface Suggestion {
    readonly name: string;
    readonly order: bigint;
    readonly generators: readonly (readonly number[])[];
    readonly verb: string;
}

/**
 * The symmetries that index types suggest and the families do not have. Stops when the limit is reached. `problem` is
 * the model's own.
 */
export function explainBroken(
    model: Model,
    problem: ConstraintProblem,
    families: readonly FamilyReport[],
    limit: WorkLimit,
): BrokenSymmetry[] {
    const broken: BrokenSymmetry[] = [];
    const before = activityOf(problem);
    for (const domain of indexTypes(model)) {
        const members = model.processes.flatMap(process => {
            const usesIt =
                process.indices.length === 1 && process.indices.some(i => identityOf(i.domain) === identityOf(domain));
            const report = families.find(family => family.name === process.name);
            return usesIt && report !== undefined ? [report] : [];
        });
        const splitFamily = members.find(family => family.orbits.length > 1);
        if (splitFamily === undefined || domainSize(domain) > MOST_SUGGESTED_VALUES) {
            continue;
        }
        const found = nearestSuggestion(model, domain, before, limit);
        if (found !== undefined) {
            broken.push(describeBroken(model, domain, splitFamily, found));
        }
    }
    return broken;
}

interface Explanation {
    readonly suggestion: Suggestion;
    readonly places: readonly Place[];
}

/** The suggestion that fails at the fewest places; the larger group where two fail at equally many. */
function nearestSuggestion(model: Model, domain: Domain, before: Activity, limit: WorkLimit): Explanation | undefined {
    // Places that treat the indices differently come first: an explanation among them is the one to read.
    const places = placesOf(model).sort((a, b) => Number(b.mentionsOrder) - Number(a.mentionsOrder));
    const open = suggestionsFor(domainSize(domain));
    for (const place of places) {
        const holds = trial(model, domain, [place], before, limit);
        const suggestion = holds && open.find(holds);
        if (suggestion) {
            return { suggestion, places: [place] };
        }
        if (limit.isExhausted()) {
            return undefined;
        }
    }
    let best: Explanation | undefined;
    for (const suggestion of open) {
        const minimal = minimalPlaces(model, domain, places, suggestion, before, limit);
        if (minimal !== undefined && minimal.length < (best?.places.length ?? MOST_PLACES + 1)) {
            best = { suggestion, places: minimal };
        }
    }
    return best;
}

/**
 * Leaves out one place after the other, those that treat all indices alike first, while the rest still explains; none of
 * what is left can be left out. Undefined where all places together do not explain.
 */
function minimalPlaces(
    model: Model,
    domain: Domain,
    places: readonly Place[],
    suggestion: Suggestion,
    before: Activity,
    limit: WorkLimit,
): readonly Place[] | undefined {
    let needed = places;
    if (trial(model, domain, needed, before, limit)?.(suggestion) !== true) {
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
            if (trial(model, domain, without, before, limit)?.(suggestion) === true) {
                needed = without;
            }
        }
    }
    return needed;
}

/** How much happens in a model: what must not get less when places are neutralized. */
interface Activity {
    /** Summands that can fire at all. */
    readonly summands: number;
    /** Cells that change at all. */
    readonly cells: number;
}

function activityOf(problem: ConstraintProblem): Activity {
    return {
        summands: problem.summands.reduce((count, summand) => count + summand.sources.length, 0),
        cells: problem.domains.reduce((count, codes) => count + (isConstant(codes) ? 0 : 1), 0),
    };
}

/**
 * Which suggestions hold once these places are neutralized; undefined where the rest is no model, or where less happens
 * without the places: then the symmetry is there only because of that.
 */
function trial(
    model: Model,
    domain: Domain,
    places: readonly Place[],
    before: Activity,
    limit: WorkLimit,
): ((suggestion: Suggestion) => boolean) | undefined {
    const changed = neutralize(model, new Set<SourceRange>(places.map(place => place.range)));
    const { sequential } = linearize(changed);
    if (sequential === undefined) {
        return undefined;
    }
    const { problem } = constraintsOf(sequential, limit);
    const after = activityOf(problem);
    if (!problem.complete || after.summands < before.summands || after.cells < before.cells) {
        return undefined;
    }
    const points = literalPoints(problem);
    const encoding = encodeGraph(problem, []);
    const extension = new GraphExtension(encoding, points);
    const declared = new DeclaredAction(changed, sequential, points);
    const instances = new InstanceAction(encoding);
    return suggestion =>
        !limit.isExhausted() &&
        suggestion.generators.every(images => {
            const permutation = declared.ofIndexType(domain, images);
            const extended = permutation === undefined ? undefined : extension.extend(permutation);
            if (extended === undefined) {
                return false;
            }
            const wanted = declared.ofInstances(domain, images);
            const moves = instances.of(extended, wanted);
            return moves !== undefined && [...wanted].every(([from, to]) => imageOf(moves, from) === to);
        });
}

function suggestionsFor(size: number): Suggestion[] {
    const codes = Array.from({ length: size }, (_, code) => code);
    const exchange = codes.map(code => (code < 2 ? 1 - code : code));
    const rotation = codes.map(code => (code + 1) % size);
    const reflection = codes.map(code => size - 1 - code);
    const all: Suggestion = {
        name: size === 2 ? 'C2' : `S${size}`,
        order: factorial(size),
        generators: [exchange, rotation],
        verb: 'be interchangeable',
    };
    if (size <= 3) {
        return size === 3 ? [all, { name: 'C3', order: 3n, generators: [rotation], verb: 'form a ring' }] : [all];
    }
    return [
        all,
        {
            name: `D${size}`,
            order: 2n * BigInt(size),
            generators: [rotation, reflection],
            verb: 'form a ring without direction',
        },
        { name: `C${size}`, order: BigInt(size), generators: [rotation], verb: 'form a ring' },
    ];
}

function factorial(n: number): bigint {
    let product = 1n;
    for (let factor = 2; factor <= n; factor++) {
        product *= BigInt(factor);
    }
    return product;
}

function describeBroken(
    model: Model,
    domain: Domain,
    family: FamilyReport,
    { suggestion, places }: Explanation,
): BrokenSymmetry {
    const quoted = places.map(place => `\`${place.text}\``);
    const subject = quoted.length === 1 ? quoted[0] : `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`;
    const type = domain.name ?? formatDomain(domain);
    const declaration = model.types.find(candidate => candidate.name === domain.name)?.nameRange ?? family.range;
    return {
        expected: suggestion.name,
        found: family.structure,
        subject: `instances of ${family.name}`,
        index: suggestion.order % family.order === 0n ? suggestion.order / family.order : suggestion.order,
        locations: places.map(({ range, text }) => ({ range, text })),
        message:
            `${subject} ${places.length === 1 ? 'breaks' : 'break'} the symmetry of \`${type}\`: without ` +
            `${places.length === 1 ? 'it' : 'them'} the instances of \`${family.name}\` would ${suggestion.verb} ` +
            `(${suggestion.name}), now they have ${family.structure === 'trivial' ? 'no symmetry' : family.structure}`,
        declaration,
    };
}
