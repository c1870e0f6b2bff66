/**
 * Why a symmetry that a declaration suggests is missing.
 *
 * An index type suggests that its values are interchangeable, or at least that they form a ring. Where the group does
 * not even bring every instance of its families to the place of every other, the nearest suggestion is looked for: the
 * one that fails at the fewest places. Each answer has been tried: with its places neutralized the symmetry is there.
 */
import type { WorkLimit } from '../common/work-limit.js';
import { domainSize, formatDomain, type Domain } from '../model/domain.js';
import type { Model } from '../model/model.js';
import { DeclaredAction, identityOf, indexTypes, MOST_SUGGESTED_VALUES } from './candidates.js';
import { factorial } from '../group/permutation.js';
import { imageOf } from '../group/sparse-permutation.js';
import { GraphExtension } from './graph-extension.js';
import { InstanceAction } from './instance-action.js';
import { literalPoints } from './model-symmetry.js';
import { minimalPlaces, quotePlaces, type Trial, type Trials } from './guilty-places.js';
import type { Place } from './neutralize.js';
import type { BrokenSymmetry, FamilyReport } from './report.js';

/** More places than this are no explanation. */
const MOST_PLACES = 4;

/** What an index type of `size` values suggests, largest first, by generators on the codes. */
export interface Suggestion {
    readonly name: string;
    readonly order: bigint;
    readonly generators: readonly (readonly number[])[];
    readonly verb: string;
}

/**
 * The symmetries that index types suggest and the families do not have. Stops when the limit is reached.
 */
export function explainBroken(
    model: Model,
    trials: Trials,
    families: readonly FamilyReport[],
    limit: WorkLimit,
): BrokenSymmetry[] {
    const broken: BrokenSymmetry[] = [];
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
        const found = nearestSuggestion(domain, trials, limit);
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
function nearestSuggestion(domain: Domain, trials: Trials, limit: WorkLimit): Explanation | undefined {
    const { places } = trials;
    const open = suggestionsFor(domainSize(domain));
    for (const place of places) {
        const holds = trial(domain, [place], trials, limit);
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
        const holds = (without: readonly Place[]): boolean =>
            trial(domain, without, trials, limit)?.(suggestion) === true;
        const minimal = minimalPlaces(places, holds, limit);
        if (minimal !== undefined && minimal.length < (best?.places.length ?? MOST_PLACES + 1)) {
            best = { suggestion, places: minimal };
        }
    }
    return best;
}

/** Whether a suggestion holds once some places are neutralized. */
function trial(
    domain: Domain,
    places: readonly Place[],
    trials: Trials,
    limit: WorkLimit,
): ((suggestion: Suggestion) => boolean) | undefined {
    const without = trials.without(places);
    return without && suggestionTest(without, domain, limit);
}

/** Which suggestions hold in a model, for all families and all values of the type. */
export function suggestionTest(
    { model, problem, encoding }: Trial,
    domain: Domain,
    limit: WorkLimit,
): (suggestion: Suggestion) => boolean {
    const points = literalPoints(problem);
    const extension = new GraphExtension(encoding, points);
    const declared = new DeclaredAction(model, problem.sequential, points);
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

export function suggestionsFor(size: number): Suggestion[] {
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

function describeBroken(
    model: Model,
    domain: Domain,
    family: FamilyReport,
    { suggestion, places }: Explanation,
): BrokenSymmetry {
    const subject = quotePlaces(places);
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
