/**
 * The symmetries that explanations ask for: of the members of a subject, or those that an index type suggests. Its
 * values are interchangeable, form a ring, perhaps with a direction, or are mirrored, in the whole model at once.
 */
import { remembered } from '../common/list-map.js';
import type { WorkLimit } from '../common/work-limit.js';
import { fullName, instanceMovesOf, memberActionOf, permutesType } from '../describe/member-action.js';
import { exchangedDomain, type MemberSubject } from '../describe/members.js';
import { factorial } from '../group/permutation.js';
import { domainSize, type Domain } from '../model/domain.js';
import type { Model } from '../model/model.js';
import { declaredActionOf, identityOf, MOST_SUGGESTED_VALUES } from '../symmetry/declared-action.js';
import { missingCounterparts } from './counterparts.js';
import { INITIAL, ownerOfProcess, ownerOfStep, type Owner } from './places.js';
import type { Missing, Trial, TrialQuestion } from './trials.js';

const INTERCHANGEABLE = 'be interchangeable';

/** Whether all members of the subject are interchangeable. */
export function membersQuestion(subject: MemberSubject, model: Model, limit: WorkLimit): TrialQuestion {
    const type = exchangedDomain(subject, model);
    return {
        wanted: INTERCHANGEABLE,
        ...(type && { type }),
        holds: ({ model, encoding }) =>
            (type === undefined || hasValuesOf(type, model)) && memberActionOf(subject, model, encoding, limit).isFull,
        missing: trial => missingOfMembers(subject, trial),
    };
}

/** Whether all the questions hold. */
export function allOf(questions: readonly TrialQuestion[]): TrialQuestion {
    return {
        ...questions[0],
        holds: trial => questions.every(question => question.holds(trial)),
        missing: trial => questions.flatMap(question => question.missing(trial)),
    };
}

/** The parts without a counterpart if members are exchanged; none if the declaration does not say what that means. */
function missingOfMembers(subject: MemberSubject, trial: Trial): Missing[] {
    const { model } = trial;
    if (subject.kind === 'similar') {
        const { instances, summands } = trial.encoding.problem.sequential;
        const steps = summands
            .flatMap(({ participants }) => participants)
            .map(({ instance, range }) => ({ process: instances[instance].process, range }))
            .filter(({ process }) => subject.processes.includes(process))
            .map(({ process, range }) => ownerOfStep(process, range));
        const owners = new Set<Owner>([INITIAL, ...subject.processes.map(ownerOfProcess), ...steps]);
        return [{ owners, range: model.processes[subject.processes[0]].nameRange }];
    }
    const domain = exchangedDomain(subject, model);
    if (domain === undefined || subject.kind === 'variable-values' || domainSize(domain) > MOST_SUGGESTED_VALUES) {
        return [];
    }
    const [all] = suggestionsFor(domainSize(domain));
    return all.generators.flatMap(images => missingCounterparts(trial, domain, images));
}

/** A group of permutations of the values of a type, by generators on the codes. */
export interface Suggestion {
    readonly name: string;
    readonly order: bigint;
    readonly generators: readonly (readonly number[])[];
    /** The action of the values: `form a ring`. */
    readonly wanted: string;
    readonly restored?: string;
}

/** The suggestions of a type with this many values, the largest group first. */
export function suggestionsFor(size: number): Suggestion[] {
    const codes = Array.from({ length: size }, (_, code) => code);
    const exchange = codes.map(code => (code < 2 ? 1 - code : code));
    const rotation = codes.map(code => (code + 1) % size);
    const all: Suggestion = {
        name: fullName(size),
        order: factorial(size),
        generators: size === 2 ? [exchange] : [exchange, rotation],
        wanted: INTERCHANGEABLE,
    };
    const cyclic = {
        name: `C${size}`,
        order: BigInt(size),
        generators: [rotation],
        wanted: 'form a ring',
        restored: 'the ring',
    };
    const dihedral = {
        name: `D${size}`,
        order: 2n * BigInt(size),
        generators: [rotation, reflectionOf(size)],
        wanted: 'form a ring without direction',
        restored: 'the mirrored ring',
    };
    return size < 3 ? [all] : size === 3 ? [all, cyclic] : [all, dihedral, cyclic];
}

/** The suggestion to mirror the values of a type, the first with the last: for more than three that are no records. */
export function mirrorOf(domain: Domain): Suggestion | undefined {
    const size = domainSize(domain);
    return size <= 3 || domain.kind === 'record'
        ? undefined
        : {
              name: 'C2',
              order: 2n,
              generators: [reflectionOf(size)],
              wanted: 'mirror each other',
              restored: 'the mirror image',
          };
}

function reflectionOf(size: number): readonly number[] {
    return Array.from({ length: size }, (_, code) => size - 1 - code);
}

/** Whether a suggestion holds in a model, for all families and all values of the type. */
export function suggestionHolds(
    { generators }: Suggestion,
    domain: Domain,
    { model, encoding }: Trial,
    limit: WorkLimit,
): boolean {
    return !limit.isExhausted() && generators.every(images => permutesType(domain, images, model, encoding));
}

/** Whether a suggestion holds for the instances; a symmetry may move values of other types in a way of its own. */
function instanceTest(
    { model, encoding }: Trial,
    domain: Domain,
    limit: WorkLimit,
): (suggestion: Suggestion) => boolean {
    const isMove = instanceMovesOf(familiesWith(domain, model), encoding, limit);
    const declared = declaredActionOf(model, encoding.problem);
    return suggestion => suggestion.generators.every(images => isMove(declared.ofInstances(domain, images)));
}

/** Whether each suggestion of a type holds, in their order: each holds if one before it does. */
export function suggestionQuestions(
    domain: Domain,
    suggestions: readonly Suggestion[],
    limit: WorkLimit,
): readonly (TrialQuestion & { readonly suggestion: Suggestion })[] {
    /** A test of instances takes a search, which serves all suggestions. */
    const knownTests = new Map<Trial, (suggestion: Suggestion) => boolean>();
    const testOf = (trial: Trial): ((suggestion: Suggestion) => boolean) =>
        remembered(knownTests, trial, () => instanceTest(trial, domain, limit));
    return suggestions.map(suggestion => ({
        suggestion,
        wanted: suggestion.wanted,
        ...(suggestion.restored && { restored: suggestion.restored }),
        type: domain,
        holds: trial =>
            hasValuesOf(domain, trial.model) &&
            (suggestionHolds(suggestion, domain, trial, limit) || testOf(trial)(suggestion)),
        missing: trial =>
            hasValuesOf(domain, trial.model)
                ? suggestion.generators.flatMap(images => missingCounterparts(trial, domain, images))
                : [],
    }));
}

/** Whether a type has the same values in a model: a record without its condition has more. */
function hasValuesOf(type: Domain, { types }: Model): boolean {
    return types.every(
        ({ domain }) => identityOf(domain) !== identityOf(type) || domainSize(domain) === domainSize(type),
    );
}

/** The families with a single index, which is of this type. */
export function familiesOver(domain: Domain, model: Model): number[] {
    return model.processes.flatMap(({ indices }, process) =>
        indices.length === 1 && identityOf(indices[0].domain) === identityOf(domain) ? [process] : [],
    );
}

/** The families with an index of this type, or of a record with a field of this declared type. */
export function familiesWith(domain: Domain, model: Model): number[] {
    const isOf = (index: Domain): boolean =>
        [index, ...withFields(index).filter(({ name }) => name !== undefined)].some(
            type => identityOf(type) === identityOf(domain),
        );
    return model.processes.flatMap(({ indices }, process) =>
        indices.some(index => isOf(index.domain)) ? [process] : [],
    );
}

/** The type and the types of its fields. */
export function withFields(domain: Domain): Domain[] {
    return [domain, ...(domain.kind === 'record' ? domain.fields.flatMap(field => withFields(field.domain)) : [])];
}
