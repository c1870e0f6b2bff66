/**
 * Why a symmetry that a declaration suggests is missing.
 *
 * An index type suggests that its values are interchangeable, or at least that they form a ring. Where the group does
 * not even bring every instance of its families to the place of every other, the nearest suggestion is looked for: the
 * one that fails at the fewest places. Processes that are written alike suggest that they could be exchanged. Each answer
 * has been tried: with its places neutralized the symmetry is there.
 */
import type { WorkLimit } from '../common/work-limit.js';
import { domainSize, formatDomain, type Domain } from '../model/domain.js';
import type { Model } from '../model/model.js';
import { factorial } from '../group/permutation.js';
import { orbitNumbers } from '../group/orbits.js';
import { imageOf, type SparsePermutation } from '../group/sparse-permutation.js';
import { DeclaredAction, identityOf, indexTypes, MOST_SUGGESTED_VALUES } from './candidates.js';
import { missingCounterparts, type Missing } from './counterparts.js';
import type { GraphEncoding } from './graph-encoding.js';
import { GraphExtension } from './graph-extension.js';
import { guiltyPlaces, MOST_TOLD, nearestGuilt, type Guilt } from './guilty-places.js';
import { BRIEF, THOROUGH } from './place-sets.js';
import type { Goal, Trial, Trials } from './trials.js';
import { instanceActionOf, instanceVertices } from './instance-action.js';
import { areInterchangeable, exchangedDomain, fullName, memberActionOf, type MemberSubject } from './member-action.js';
import { literalPoints } from './model-symmetry.js';
import { INITIAL, ownerOfProcess, ownerOfStep, type ModelPlace, type Owner } from './model-places.js';
import { quotePlaces } from './places.js';
import { repairsFor } from './repairs.js';
import type { BrokenSymmetry, CounterpartReport, FamilyReport } from './report.js';
import { twinsOf } from './twins.js';

/** What an index type of `size` values suggests, largest first, by generators on the codes. */
export interface Suggestion {
    readonly name: string;
    readonly order: bigint;
    readonly generators: readonly (readonly number[])[];
    readonly verb: string;
}

export interface Explanations {
    readonly broken: readonly BrokenSymmetry[];
    /** What else is not alike, and why no places are named. */
    readonly unexplained: readonly string[];
}

/**
 * The symmetries that index types and twins suggest and the model does not have, as far as the limit allows.
 * `automorphisms` generate those of the graph.
 */
export function explainBroken(
    whole: Trial,
    trials: Trials,
    families: readonly FamilyReport[],
    automorphisms: readonly SparsePermutation[],
    limit: WorkLimit,
): Explanations {
    const found = [
        ...explainIndexTypes(whole, trials, families, limit),
        ...explainTwins(whole, trials, automorphisms, limit),
    ];
    return {
        broken: found.flatMap(each => (typeof each === 'string' ? [] : [each])),
        unexplained: found.flatMap(each => (typeof each === 'string' ? [each] : [])),
    };
}

function explainIndexTypes(
    whole: Trial,
    trials: Trials,
    families: readonly FamilyReport[],
    limit: WorkLimit,
): (BrokenSymmetry | string)[] {
    const { model } = whole;
    const explained = new Set<string>();
    return indexTypes(model).flatMap((domain): (BrokenSymmetry | string)[] => {
        // Records are unlike where their fields are.
        const isExplained =
            domain.kind === 'record' && domain.fields.some(field => explained.has(identityOf(field.domain)));
        const splitFamily = familiesOver(domain, model)
            .map(process => families.find(({ name }) => name === model.processes[process].name))
            .find(family => family !== undefined && family.orbits.length > 1);
        if (splitFamily === undefined || isExplained || domainSize(domain) > MOST_SUGGESTED_VALUES) {
            return [];
        }
        const holds = suggestionTest(whole, domain, limit);
        if (suggestionsFor(domainSize(domain)).some(holds)) {
            return [];
        }
        const suggestions = suggestionsFor(domainSize(domain));
        const goals = suggestions.map(suggestion => suggestionGoal(domain, suggestion, limit));
        const { goal, guilt } = nearestGuilt(goals, trials, THOROUGH, limit);
        const subject = `instances of \`${splitFamily.name}\``;
        if (guilt.kind === 'unknown' || guilt.places.length > MOST_TOLD) {
            return unexplained(subject, guilt);
        }
        const found = { suggestion: suggestions[goal], places: guilt.places };
        explained.add(identityOf(domain));
        const repairs = repairsFor(found.places, goals[goal], model, trials);
        return [{ ...describeBroken(whole, domain, splitFamily, found), repairs }];
    });
}

/** Why nothing is said of the subject; nothing where all was tried. */
function unexplained(subject: string, guilt: Guilt): string[] {
    if (guilt.kind === 'places') {
        return [`${subject}: ${guilt.places.length} places together make the difference`];
    }
    return guilt.isCut ? [`${subject}: the search for what makes the difference ended at its budget`] : [];
}

/** The families that have one index, and that of this type. */
export function familiesOver(domain: Domain, model: Model): number[] {
    return model.processes.flatMap(({ indices }, process) =>
        indices.length === 1 && identityOf(indices[0].domain) === identityOf(domain) ? [process] : [],
    );
}

interface Explanation {
    readonly suggestion: Suggestion;
    readonly places: readonly ModelPlace[];
}

/** That a suggestion holds for all families and all values of the type. */
export function suggestionGoal(domain: Domain, suggestion: Suggestion, limit: WorkLimit): Goal {
    return {
        type: domain,
        holds: trial => suggestionTest(trial, domain, limit)(suggestion),
        missing: trial => suggestion.generators.flatMap(images => missingCounterparts(trial, domain, images)),
    };
}

/** That all members of the subject are interchangeable. */
export function membersGoal(subject: MemberSubject, model: Model, limit: WorkLimit): Goal {
    const type = exchangedDomain(subject, model);
    return {
        ...(type && { type }),
        holds: ({ model, encoding }) => areInterchangeable(subject, model, encoding, limit),
        missing: trial => missingOfMembers(subject, trial),
    };
}

/** What has no counterpart when members are exchanged; nothing where the declaration does not say what that means. */
function missingOfMembers(subject: MemberSubject, trial: Trial): Missing[] {
    const { model } = trial;
    if (subject.kind === 'twins') {
        const { instances, summands } = trial.problem.sequential;
        const steps = summands
            .flatMap(({ participants }) => participants)
            .map(({ instance, range }) => ({ process: instances[instance].process, range }))
            .filter(({ process }) => subject.processes.includes(process))
            .map(({ process, range }) => ownerOfStep(process, range));
        const owners = new Set<Owner>([INITIAL, ...subject.processes.map(ownerOfProcess), ...steps]);
        return [{ owners, range: model.processes[subject.processes[0]].nameRange, message: '' }];
    }
    const domain = exchangedDomain(subject, model);
    if (domain === undefined || subject.kind === 'variable-values' || domainSize(domain) > MOST_SUGGESTED_VALUES) {
        return [];
    }
    const [all] = suggestionsFor(domainSize(domain));
    return all.generators.flatMap(images => missingCounterparts(trial, domain, images));
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

export function suggestionsFor(size: number): Suggestion[] {
    const codes = Array.from({ length: size }, (_, code) => code);
    const exchange = codes.map(code => (code < 2 ? 1 - code : code));
    const rotation = codes.map(code => (code + 1) % size);
    const reflection = codes.map(code => size - 1 - code);
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

function describeBroken(
    whole: Trial,
    domain: Domain,
    family: FamilyReport,
    { suggestion, places }: Explanation,
): Omit<BrokenSymmetry, 'repairs'> {
    const type = domain.name ?? formatDomain(domain);
    const { model } = whole;
    const declaration = model.types.find(candidate => candidate.name === domain.name)?.nameRange ?? family.range;
    const [it, breaks] = places.length === 1 ? ['it', 'breaks'] : ['them', 'break'];
    return {
        expected: suggestion.name,
        found: family.structure,
        subject: `instances of ${family.name}`,
        index: suggestion.order % family.order === 0n ? suggestion.order / family.order : suggestion.order,
        locations: places.map(({ range, text, kind }) => ({ range, text, kind })),
        counterparts: counterpartsOf(
            suggestion.generators.flatMap(images => missingCounterparts(whole, domain, images)),
            places,
        ),
        message:
            `${quotePlaces(places)} ${breaks} the symmetry of \`${type}\`: without ${it} the instances of ` +
            `\`${family.name}\` would ${suggestion.verb} (${suggestion.name}), ${nowTheyHave(family.structure)}`,
        declaration,
    };
}

function nowTheyHave(structure: string): string {
    return `now they have ${structure === 'trivial' ? 'no symmetry' : structure}`;
}

const MOST_COUNTERPARTS = 3;

/** What lacks a counterpart because of the places, for a reader. */
export function counterpartsOf(missing: readonly Missing[], places: readonly ModelPlace[]): CounterpartReport[] {
    const owners = new Set(places.flatMap(place => [...place.owners]));
    const ofPlaces = missing.filter(each => [...each.owners].some(owner => owners.has(owner)));
    return [...new Map(ofPlaces.map(({ range, message }) => [message, { range, message }])).values()].slice(
        0,
        MOST_COUNTERPARTS,
    );
}

function explainTwins(
    { model, encoding }: Trial,
    trials: Trials,
    automorphisms: readonly SparsePermutation[],
    limit: WorkLimit,
): (BrokenSymmetry | string)[] {
    const twins = twinsOf(model);
    const areApart = twins.length === 0 ? undefined : processesApart(encoding, automorphisms);
    return twins.flatMap((processes): (BrokenSymmetry | string)[] => {
        const subject: MemberSubject = { kind: 'twins', processes };
        const action =
            areApart?.(processes) === true
                ? { ...NO_ACTION, members: processes.map(process => model.processes[process].name) }
                : memberActionOf(subject, model, encoding, limit);
        if (action.isFull || !action.isComplete) {
            return [];
        }
        const goal = membersGoal(subject, model, limit);
        const guilt = guiltyPlaces(goal, trials, BRIEF, limit);
        const names = listed(action.members.map(name => `\`${name}\``));
        if (guilt.kind === 'unknown') {
            return unexplained(`processes ${names}`, guilt);
        }
        const { places } = guilt;
        const [it, breaks] = places.length === 1 ? ['it', 'breaks'] : ['them', 'break'];
        const expected = fullName(processes.length);
        return [
            {
                expected,
                found: action.structure,
                subject: `processes ${listed(action.members)}`,
                index: factorial(processes.length) / action.order,
                locations: places.map(({ range, text, kind }) => ({ range, text, kind })),
                counterparts: [],
                repairs: repairsFor(places, goal, model, trials),
                message:
                    `${quotePlaces(places)} ${breaks} the symmetry of ${names}: without ${it} the processes would be ` +
                    `interchangeable (${expected}), ${nowTheyHave(action.structure)}`,
                declaration: model.processes[processes[0]].nameRange,
            },
        ];
    });
}

const NO_ACTION = { structure: 'trivial', order: 1n, isFull: false, isComplete: true };

/** Whether it is sure without a search that no symmetry brings one of the processes to the place of another one. */
function processesApart(
    encoding: GraphEncoding,
    automorphisms: readonly SparsePermutation[],
): (processes: readonly number[]) => boolean {
    const { graph, problem } = encoding;
    const { instances } = problem.sequential;
    const orbitOf = orbitNumbers(automorphisms, graph.vertexCount);
    const verticesOf = instanceVertices(encoding);
    return processes => {
        const orbitsOf = processes.map(
            process =>
                new Set(
                    verticesOf.flatMap((vertices, instance) =>
                        instances[instance].process === process ? vertices.map(vertex => orbitOf[vertex]) : [],
                    ),
                ),
        );
        return (
            problem.pinned.length === 0 &&
            orbitsOf.every(
                (own, index) => own.size > 0 && orbitsOf.slice(0, index).every(other => isDisjoint(own, other)),
            )
        );
    };
}

function isDisjoint<Value>(first: ReadonlySet<Value>, second: ReadonlySet<Value>): boolean {
    return [...first].every(value => !second.has(value));
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(names: readonly string[]): string {
    return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
