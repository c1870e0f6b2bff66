/**
 * Why a symmetry that a declaration suggests is missing.
 *
 * An index type suggests that its values are interchangeable, or at least that they form a ring. Where the group does
 * not even bring every instance of its families to the place of every other, the nearest suggestion is looked for: the
 * one that fails at the fewest places. Processes that are written alike suggest that they could be exchanged. Each answer
 * has been tried: with its places neutralized the symmetry is there.
 */
import { listed } from '../common/listed.js';
import type { WorkLimit } from '../common/work-limit.js';
import { domainSize, formatDomain, type Domain } from '../model/domain.js';
import type { Model } from '../model/model.js';
import { factorial } from '../group/permutation.js';
import { orbitNumbers } from '../group/orbits.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import { identityOf, indexTypes, MOST_SUGGESTED_VALUES } from '../symmetry/declared-action.js';
import { missingCounterparts, type Missing } from './counterparts.js';
import type { GraphEncoding } from '../symmetry/graph-encoding.js';
import { describeHeldFixed } from '../describe/too-large.js';
import { CUT, guiltOfTwins, guiltyPlaces, isNearer, MOST_TOLD, nearestGuilt, type Guilt } from './blame.js';
import { BRIEF, THOROUGH } from './place-sets.js';
import type { Goal, Trial, Trials } from './trials.js';
import { instanceVertices } from '../symmetry/instance-action.js';
import {
    areInterchangeable,
    exchangedDomain,
    fullName,
    memberActionOf,
    partSubjectOf,
    type MemberSubject,
} from '../describe/member-action.js';
import { INITIAL, ownerOfProcess, ownerOfStep, reportPlaces, type ModelPlace, type Owner } from './model-places.js';
import { quotePlaces } from './places.js';
import { repairsFor } from './repairs.js';
import type { BrokenSymmetry, CounterpartReport, FamilyReport } from '../describe/report.js';
import {
    familiesOver,
    familiesWith,
    hasValuesOf,
    mirrorOf,
    suggestionGoals,
    suggestionsFor,
    suggestionTest,
    withFields,
    type Suggestion,
} from './suggestions.js';
import { twinsOf } from './similar-processes.js';

/** What is said of the symmetries that declarations suggest and the group lacks. */
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

function isFieldOf(field: Domain, record: Domain): boolean {
    return withFields(record)
        .slice(1)
        .some(type => identityOf(type) === identityOf(field));
}

/** What one set of places breaks of a family over several types is said once. */
function explainIndexTypes(
    whole: Trial,
    trials: Trials,
    families: readonly FamilyReport[],
    limit: WorkLimit,
): (BrokenSymmetry | string)[] {
    const found = new Map<string, BrokenType | string>();
    for (const each of brokenTypes(whole, trials, families, limit)) {
        const key =
            typeof each === 'string' ? each : [each.family.name, ...each.places.map(place => place.key)].join('\n');
        const known = found.get(key);
        found.set(
            key,
            known === undefined || typeof known === 'string' || typeof each === 'string'
                ? each
                : { ...known, domains: [...known.domains, ...each.domains] },
        );
    }
    return [...found.values()].map(each =>
        typeof each === 'string' ? each : { ...describeBroken(whole, each), repairs: each.repairs },
    );
}

/** Index types whose values a family is not alike in, and why. */
interface BrokenType {
    readonly family: FamilyReport;
    readonly domains: readonly Domain[];
    readonly suggestion: Suggestion;
    readonly expected: Expected;
    readonly places: readonly ModelPlace[];
    readonly repairs: BrokenSymmetry['repairs'];
}

function brokenTypes(
    whole: Trial,
    trials: Trials,
    families: readonly FamilyReport[],
    limit: WorkLimit,
): (BrokenType | string)[] {
    const { model } = whole;
    const explained = new Set<string>();
    const isIndex = (type: Domain): boolean =>
        model.processes.some(({ indices }) => indices.some(({ domain }) => identityOf(domain) === identityOf(type)));
    const types = indexTypes(model);
    // What is only a field of indices is asked for where the record has no explanation.
    return [...types.filter(isIndex), ...types.filter(type => !isIndex(type))].flatMap(
        (domain): (BrokenType | string)[] => {
            // Records are unlike where their fields are.
            const isExplained = types.some(
                type => explained.has(identityOf(type)) && (isFieldOf(type, domain) || isFieldOf(domain, type)),
            );
            const splitFamily = [...familiesOver(domain, model), ...familiesWith(domain, model)]
                .map(process => familyOf(process, model, families))
                .find(family => family !== undefined && family.orbits.length > 1);
            if (splitFamily === undefined || isExplained || domainSize(domain) > MOST_SUGGESTED_VALUES) {
                return [];
            }
            const holds = suggestionTest(whole, domain, limit);
            if (suggestionsFor(domainSize(domain)).some(holds)) {
                return [];
            }
            const part = trials.about({ types: [domain], processes: [] });
            const subject = `instances of \`${splitFamily.name}\``;
            const held = heldFixedIn(part);
            if (held !== undefined) {
                return [`${subject}: ${held}`];
            }
            const { suggestion, goal, guilt } = nearestSuggestion(domain, part, limit);
            if (guilt.kind === 'unknown' || guilt.places.length > MOST_TOLD) {
                return unexplained(subject, guilt);
            }
            const { places } = guilt;
            explained.add(identityOf(domain));
            const trial = part.without(places);
            if (trial === undefined) {
                // The time was over when this was asked again.
                return unexplained(subject, CUT);
            }
            const expected = expectedOf(splitFamily, domain, suggestion, trial, limit);
            const repairs = repairsFor(places, goal, part);
            return [{ family: splitFamily, domains: [domain], suggestion, expected, places, repairs }];
        },
    );
}

/**
 * What is too large to be compared in a model, if something is: without a place of it the rest may be small enough, and a
 * symmetry that is found then may have been there all along.
 */
function heldFixedIn(trials: Trials): string | undefined {
    const whole = trials.without([]);
    return whole && describeHeldFixed(whole.model, whole.problem)[0]?.message;
}

/** The suggestion that fails at the fewest places, as a goal, and these. */
function nearestSuggestion(
    domain: Domain,
    trials: Trials,
    limit: WorkLimit,
): { readonly suggestion: Suggestion; readonly goal: Goal; readonly guilt: Guilt } {
    const goals = suggestionGoals(domain, suggestionsFor(domainSize(domain)), limit);
    const { goal, guilt } = nearestGuilt(goals, trials, THOROUGH, limit);
    return (
        mirrorGuilt(domain, guilt, trials, limit) ?? { suggestion: goals[goal].suggestion, goal: goals[goal], guilt }
    );
}

/** Who is told of so few places that they stand against a ring sees it, and nothing is gained by a mirror image. */
const FEW_AGAINST_A_RING = 2;

/** What stands against turning the type round; nothing where no more stands against something larger, and where it holds. */
export function mirrorGuilt(
    domain: Domain,
    against: Guilt,
    trials: Trials,
    limit: WorkLimit,
): { readonly suggestion: Suggestion; readonly goal: Goal; readonly guilt: Guilt } | undefined {
    const suggestion = mirrorOf(domain);
    const whole = trials.without([]);
    const isClear = against.kind === 'places' && against.places.length <= FEW_AGAINST_A_RING;
    if (suggestion === undefined || whole === undefined || isClear) {
        return undefined;
    }
    const [goal] = suggestionGoals(domain, [suggestion], limit);
    const guilt = goal.holds(whole) ? CUT : guiltyPlaces(goal, trials, THOROUGH, limit);
    return isNearer(guilt, against) ? { suggestion, goal, guilt } : undefined;
}

function familyOf(process: number, model: Model, families: readonly FamilyReport[]): FamilyReport | undefined {
    return families.find(({ name }) => name === model.processes[process].name);
}

/** What the instances of a family would have without the places that break a suggestion. */
interface Expected {
    readonly name: string;
    readonly order: bigint;
    /** `be interchangeable (S4)`, `have S4 x S3 on `Row` and `Column`` */
    readonly wish: string;
}

/** A family over several types would have the product of what each of them has. */
function expectedOf(
    family: FamilyReport,
    domain: Domain,
    { name, order, verb }: Suggestion,
    trial: Trial,
    limit: WorkLimit,
): Expected {
    const { processes } = trial.model;
    const process = processes.findIndex(each => each.name === family.name);
    const { indices } = processes[process];
    if (indices.length === 1 && identityOf(indices[0].domain) === identityOf(domain)) {
        const { instances } = trial.problem.sequential;
        const count = instances.filter(instance => instance.process === process).length;
        // A family need not have an instance for each value.
        return name === fullName(domainSize(domain))
            ? { name: fullName(count), order: factorial(count), wish: `${verb} (${fullName(count)})` }
            : { name, order, wish: `${verb} (${name})` };
    }
    const isThere = (type: Domain): ((suggestion: Suggestion) => boolean) =>
        1 < domainSize(type) && domainSize(type) <= MOST_SUGGESTED_VALUES
            ? suggestionTest(trial, type, limit)
            : () => false;
    const fields = indices.flatMap(index => withFields(index.domain));
    const types = [...new Map(fields.map(type => [identityOf(type), type])).values()];
    const factors = types.flatMap((type, index): { type: Domain; name: string; order: bigint }[] => {
        // Who exchanges records exchanges what is in their fields.
        const isMovedWhole = types
            .slice(0, index)
            .some(record => isFieldOf(type, record) && suggestionsFor(domainSize(record)).some(isThere(record)));
        if (isMovedWhole) {
            return [];
        }
        if (identityOf(type) === identityOf(domain)) {
            return [{ type, name, order }];
        }
        const found = suggestionsFor(domainSize(type)).find(isThere(type));
        return found === undefined ? [] : [{ type, name: found.name, order: found.order }];
    });
    const product = factors.map(factor => factor.name).join(' x ');
    const on = listed(factors.map(factor => `\`${nameOfType(factor.type)}\``));
    return {
        name: product,
        order: factors.reduce((total, factor) => total * factor.order, 1n),
        wish: `have ${product} on ${on}`,
    };
}

/** An order that is not known is 0. */
function isDivisor(order: bigint, of: bigint): boolean {
    return order > 0n && of % order === 0n;
}

function nameOfType(domain: Domain): string {
    return domain.name ?? formatDomain(domain);
}

/** Why nothing is said of the subject; nothing where all was tried. */
function unexplained(subject: string, guilt: Guilt): string[] {
    if (guilt.kind === 'places') {
        return [`${subject}: ${guilt.places.length} places together make the difference`];
    }
    return guilt.isCut ? [`${subject}: the search for what makes the difference ended at its budget`] : [];
}

/** That all members of the subject are interchangeable. */
export function membersGoal(subject: MemberSubject, model: Model, limit: WorkLimit): Goal {
    const type = exchangedDomain(subject, model);
    return {
        ...(type && { type }),
        holds: ({ model, encoding }) =>
            (type === undefined || hasValuesOf(type, model)) && areInterchangeable(subject, model, encoding, limit),
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

function describeBroken(
    whole: Trial,
    { family, domains, suggestion, expected, places }: BrokenType,
): Omit<BrokenSymmetry, 'repairs'> {
    const { model } = whole;
    const [domain] = domains;
    const declaration = model.types.find(candidate => candidate.name === domain.name)?.nameRange ?? family.range;
    const types = listed(domains.map(type => `\`${nameOfType(type)}\``));
    const [it, breaks] = places.length === 1 ? ['it', 'breaks'] : ['them', 'break'];
    return {
        expected: expected.name,
        found: family.structure,
        subject: `instances of ${family.name}`,
        index: isDivisor(family.order, expected.order) ? expected.order / family.order : expected.order,
        locations: reportPlaces(places),
        counterparts: counterpartsOf(
            suggestion.generators.flatMap(images => missingCounterparts(whole, domain, images)),
            places,
        ),
        message:
            `${quotePlaces(places)} ${breaks} the symmetry of ${types}: without ${it} the instances of ` +
            `\`${family.name}\` would ${expected.wish}, ${nowTheyHave(family.structure)}`,
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
        if (action.isFull) {
            return [];
        }
        const names = listed(action.members.map(name => `\`${name}\``));
        const who = `processes ${names}`;
        if (!action.isComplete) {
            return limit.isExhausted() ? unexplained(who, CUT) : [];
        }
        const goal = membersGoal(subject, model, limit);
        const part = trials.about(partSubjectOf(subject, model));
        const guilt = guiltOfTwins(processes, goal, part, BRIEF, limit);
        if (guilt.kind === 'unknown') {
            return unexplained(who, guilt);
        }
        const { places } = guilt;
        const breaks = places.length === 1 ? 'breaks' : 'break';
        const expected = fullName(processes.length);
        return [
            {
                expected,
                found: action.structure,
                subject: `processes ${listed(action.members)}`,
                index: factorial(processes.length) / action.order,
                locations: reportPlaces(places),
                counterparts: [],
                repairs: repairsFor(places, goal, part),
                message:
                    `${quotePlaces(places)} ${breaks} the symmetry of ${names}: ${describeWithout(places)} the processes would be ` +
                    `interchangeable (${expected}), ${nowTheyHave(action.structure)}`,
                declaration: model.processes[processes[0]].nameRange,
            },
        ];
    });
}

/** `without it`, `with `b < 2` in its place`, `with its counterpart of another process in its place`. */
function describeWithout(places: readonly ModelPlace[]): string {
    const [it, its] = places.length === 1 ? ['it', 'its'] : ['them', 'their'];
    const instead = describeInstead(places, its);
    return instead === undefined ? `without ${it}` : `with ${instead} in ${its} place`;
}

/** What processes that are written alike say at places where one of them says something else; undefined for other places. */
export function describeInstead(places: readonly ModelPlace[], its: string): string | undefined {
    if (places.every(({ kind }) => kind !== 'difference')) {
        return undefined;
    }
    const instead = places.flatMap(place => place.instead ?? []);
    return instead.length === places.length
        ? listed(instead.map(text => `\`${text}\``))
        : `${its} counterpart${places.length === 1 ? '' : 's'} of another process`;
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
