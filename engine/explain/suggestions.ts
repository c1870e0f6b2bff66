/**
 * What an index type suggests: that its values are interchangeable, that they form a ring, or at least a ring with a
 * direction; or that they are alike from both ends. Each is a group of permutations of the values, in all families,
 * arrays, channels and variables at once.
 */
import type { WorkLimit } from '../common/work-limit.js';
import { factorial } from '../group/permutation.js';
import { imageOf } from '../group/sparse-permutation.js';
import { domainSize, type Domain } from '../model/domain.js';
import type { Model } from '../model/model.js';
import { declaredActionOf, identityOf } from '../symmetry/declared-action.js';
import { missingCounterparts } from './counterparts.js';
import { graphExtensionOf } from '../symmetry/graph-extension.js';
import { instanceActionOf } from '../symmetry/instance-action.js';
import { fullName, instanceMovesOf } from '../describe/member-action.js';
import type { Goal, Trial } from './trials.js';

/** What an index type of `size` values suggests, largest first, by generators on the codes. */
export interface Suggestion {
    readonly name: string;
    readonly order: bigint;
    readonly generators: readonly (readonly number[])[];
    readonly verb: string;
}

/** Which suggestions hold in a model, for all families and all values of the type. */
export function suggestionTest(
    { model, problem, encoding }: Trial,
    domain: Domain,
    limit: WorkLimit,
): (suggestion: Suggestion) => boolean {
    const extension = graphExtensionOf(encoding);
    const declared = declaredActionOf(model, problem);
    const instances = instanceActionOf(encoding);
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

/** What a type of so many values suggests, the largest group first. */
export function suggestionsFor(size: number): Suggestion[] {
    const codes = Array.from({ length: size }, (_, code) => code);
    const exchange = codes.map(code => (code < 2 ? 1 - code : code));
    const rotation = codes.map(code => (code + 1) % size);
    const reflection = reflectionOf(size);
    const all: Suggestion = {
        name: fullName(size),
        order: factorial(size),
        generators: size === 2 ? [exchange] : [exchange, rotation],
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

/** That the values of a type may be turned round, the first for the last: of more than three that are no records. */
export function mirrorOf(domain: Domain): Suggestion | undefined {
    const size = domainSize(domain);
    return size <= 3 || domain.kind === 'record'
        ? undefined
        : { name: 'C2', order: 2n, generators: [reflectionOf(size)], verb: 'mirror each other' };
}

function reflectionOf(size: number): readonly number[] {
    return Array.from({ length: size }, (_, code) => size - 1 - code);
}

/** That each suggestion of a type holds, in their order: each holds where one before it does. */
export function suggestionGoals(
    domain: Domain,
    suggestions: readonly Suggestion[],
    limit: WorkLimit,
): readonly (Goal & { readonly suggestion: Suggestion })[] {
    const known = new Map<Trial, (suggestion: Suggestion) => boolean>();
    const otherwise = (trial: Trial): ((suggestion: Suggestion) => boolean) => {
        const isKnown = known.get(trial) ?? instanceTest(trial, domain, limit);
        known.set(trial, isKnown);
        return isKnown;
    };
    return suggestions.map(suggestion => ({
        suggestion,
        type: domain,
        holds: trial =>
            hasValuesOf(domain, trial.model) &&
            (suggestionTest(trial, domain, limit)(suggestion) || otherwise(trial)(suggestion)),
        missing: trial =>
            hasValuesOf(domain, trial.model)
                ? suggestion.generators.flatMap(images => missingCounterparts(trial, domain, images))
                : [],
    }));
}

/** Whether a type has its values in a model: a record has more of them without its condition. */
export function hasValuesOf(type: Domain, { types }: Model): boolean {
    return types.every(
        ({ domain }) => identityOf(domain) !== identityOf(type) || domainSize(domain) === domainSize(type),
    );
}

/**
 * Which suggestions hold for the instances, where what the declaration suggests for all else is no symmetry: another one
 * may do the same to them, that moves values of other types, too.
 */
function instanceTest(
    { model, problem, encoding }: Trial,
    domain: Domain,
    limit: WorkLimit,
): (suggestion: Suggestion) => boolean {
    const isMove = instanceMovesOf(familiesWith(domain, model), encoding, limit);
    const declared = declaredActionOf(model, problem);
    return suggestion => suggestion.generators.every(images => isMove(declared.ofInstances(domain, images)));
}

/** The families that have one index, and that of this type. */
export function familiesOver(domain: Domain, model: Model): number[] {
    return model.processes.flatMap(({ indices }, process) =>
        indices.length === 1 && identityOf(indices[0].domain) === identityOf(domain) ? [process] : [],
    );
}

/** The families that have this type among their indices, or as a declared type among the fields of these. */
export function familiesWith(domain: Domain, model: Model): number[] {
    const isOf = (index: Domain): boolean =>
        [index, ...withFields(index).filter(({ name }) => name !== undefined)].some(
            type => identityOf(type) === identityOf(domain),
        );
    return model.processes.flatMap(({ indices }, process) =>
        indices.some(index => isOf(index.domain)) ? [process] : [],
    );
}

/** The type and, of a record, those of its fields. */
export function withFields(domain: Domain): Domain[] {
    return [domain, ...(domain.kind === 'record' ? domain.fields.flatMap(field => withFields(field.domain)) : [])];
}
