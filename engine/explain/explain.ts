/**
 * Why symmetries that declarations suggest are missing. An index type suggests that its values are interchangeable or
 * form a ring: if the instances of a family over it are not in one orbit, the suggestion that fails at the fewest
 * places is explained. Processes that are written alike suggest that they can be exchanged.
 */
import { remembered } from '../common/list-map.js';
import { listed } from '../common/listed.js';
import type { WorkLimit } from '../common/work-limit.js';
import { fullName, memberActionOf, type MemberAction } from '../describe/member-action.js';
import { partSubjectOf, type MemberSubject } from '../describe/members.js';
import type { BrokenSymmetry, FamilyReport } from '../describe/report.js';
import { describeTooLarge } from '../describe/too-large.js';
import { orbitNumbers } from '../group/orbits.js';
import { factorial } from '../group/permutation.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import { domainSize, type Domain } from '../model/domain.js';
import type { Model } from '../model/model.js';
import { identityOf, indexTypes, MOST_SUGGESTED_VALUES } from '../symmetry/declared-action.js';
import type { GraphEncoding } from '../symmetry/graph-encoding.js';
import { instanceVertices } from '../symmetry/instance-action.js';
import { answerOf, describeBroken, describeUnexplained, nameOfType, type Answer } from './answers.js';
import { blameFor, blameOfSimilar, CUT, isNearer, MOST_TOLD, nearestBlame, type Blame } from './blame.js';
import { isIntendedOrder } from './intended-order.js';
import type { ModelPlace } from './places.js';
import {
    familiesOver,
    familiesWith,
    membersQuestion,
    mirrorOf,
    suggestionHolds,
    suggestionQuestions,
    suggestionsFor,
    withFields,
    type Suggestion,
} from './question.js';
import { similarProcesses } from './similar-processes.js';
import { BRIEF, THOROUGH } from './smallest-set.js';
import type { TrialQuestion, Trial, Trials } from './trials.js';

export interface Explanations {
    readonly broken: readonly BrokenSymmetry[];
    /** Other missing symmetries, and why no places are named. */
    readonly unexplained: readonly string[];
}

/**
 * The symmetries that index types and similar processes suggest and the model does not have, as far as the limit allows.
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
        ...explainSimilar(whole, trials, automorphisms, limit),
    ];
    return {
        broken: found.flatMap(each => (typeof each === 'string' ? [] : [each])),
        unexplained: found.flatMap(each => (typeof each === 'string' ? [each] : [])),
    };
}

/** If the same places break a family over several types, one report names all of the types. */
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
    return [...found.values()].map(each => (typeof each === 'string' ? each : describeBrokenType(each, whole.model)));
}

/** Index types whose values a family treats differently, and where. */
interface BrokenType {
    readonly family: FamilyReport;
    readonly domains: readonly Domain[];
    readonly expected: Expected;
    readonly places: readonly ModelPlace[];
    readonly answer: Answer;
    /** Some of the places order the values, and nothing is lost by the others. */
    readonly isIntended: boolean;
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
    // A type that is only a field of indices follows: it is not explained if its record is.
    return [...types.filter(isIndex), ...types.filter(type => !isIndex(type))].flatMap(
        (domain): (BrokenType | string)[] => {
            const isExplained = types.some(
                type => explained.has(identityOf(type)) && (isFieldOf(type, domain) || isFieldOf(domain, type)),
            );
            const family = [...familiesOver(domain, model), ...familiesWith(domain, model)]
                .map(process => families.find(({ name }) => name === model.processes[process].name))
                .find(each => each !== undefined && each.orbits.length > 1);
            const holds = (suggestion: Suggestion): boolean => suggestionHolds(suggestion, domain, whole, limit);
            if (
                family === undefined ||
                isExplained ||
                domainSize(domain) > MOST_SUGGESTED_VALUES ||
                suggestionsFor(domainSize(domain)).some(holds)
            ) {
                return [];
            }
            const broken = brokenType(domain, family, whole, trials, limit);
            if (broken instanceof Array) {
                return broken;
            }
            explained.add(identityOf(domain));
            return [broken];
        },
    );
}

function isFieldOf(field: Domain, record: Domain): boolean {
    return withFields(record)
        .slice(1)
        .some(type => identityOf(type) === identityOf(field));
}

function brokenType(
    domain: Domain,
    family: FamilyReport,
    whole: Trial,
    trials: Trials,
    limit: WorkLimit,
): BrokenType | string[] {
    const part = trials.about({ types: [domain], processes: [] });
    const subject = `instances of \`${family.name}\``;
    const tooLarge = tooLargeIn(part);
    if (tooLarge !== undefined) {
        return [`${subject}: ${tooLarge}`];
    }
    const { suggestion, question, blame } =
        missingInstances(domain, part, limit) ?? nearestSuggestion(domain, part, limit);
    if (blame.kind === 'unknown' || blame.places.length > MOST_TOLD) {
        return describeUnexplained(subject, blame);
    }
    const trial = part.without(blame.places);
    if (trial === undefined) {
        // The limit is reached by now.
        return describeUnexplained(subject, CUT);
    }
    const type = question.type ?? domain;
    const slips = blame.places.filter(place => !isIntendedOrder(place));
    const isIntended = slips.length < blame.places.length;
    const beside = isIntended && slips.length > 0 ? slipsBesideOrder(family, slips, whole, part, limit) : undefined;
    return {
        family,
        domains: [type],
        expected: expectedOf(family, type, suggestion, trial, limit),
        places: blame.places,
        answer: answerOf(question, blame, { whole, trials: part, limit }),
        isIntended,
        ...beside,
    };
}

/** Places beside those that order the values on purpose, if a repair of them alone makes more of the instances alike. */
function slipsBesideOrder(
    family: FamilyReport,
    slips: readonly ModelPlace[],
    whole: Trial,
    trials: Trials,
    limit: WorkLimit,
): Partial<BrokenType> | undefined {
    const subject: MemberSubject = {
        kind: 'instances',
        process: whole.model.processes.findIndex(({ name }) => name === family.name),
    };
    const actionIn = ({ model, encoding }: Trial): MemberAction => memberActionOf(subject, model, encoding, limit);
    const [before, without] = [trials.without([]), trials.without(slips)];
    const found = before && actionIn(before);
    const action = without && actionIn(without);
    if (found?.isComplete !== true || action === undefined || action.order <= found.order) {
        return undefined;
    }
    const { structure: name, order } = action;
    const wanted = `have ${name}`;
    const question: TrialQuestion = { wanted, holds: each => actionIn(each).order >= order, missing: () => [] };
    const answer = answerOf(question, { kind: 'places', places: slips }, { whole, trials, limit });
    return answer.repairs.length === 0
        ? undefined
        : { expected: { name, order, wanted }, places: slips, answer, isIntended: false };
}

/** The message about the first part that is too large: a symmetry that a trial finds may have been there before. */
function tooLargeIn(trials: Trials): string | undefined {
    const whole = trials.without([]);
    return whole && describeTooLarge(whole.model, whole.encoding.problem)[0]?.message;
}

interface BlamedSuggestion {
    readonly suggestion: Suggestion;
    readonly question: TrialQuestion;
    readonly blame: Blame;
}

function nearestSuggestion(domain: Domain, trials: Trials, limit: WorkLimit): BlamedSuggestion {
    const questions = suggestionQuestions(domain, suggestionsFor(domainSize(domain)), limit);
    const nearest = nearestBlame(questions, trials, THOROUGH, limit);
    const question = questions[nearest.question];
    const { blame } = nearest;
    return blamedMirror(domain, blame, trials, limit) ?? { suggestion: question.suggestion, question, blame };
}

/** A suggestion of the type around this one that holds if the families over it have an instance for each of its values. */
function missingInstances(domain: Domain, trials: Trials, limit: WorkLimit): BlamedSuggestion | undefined {
    const places = trials.places.filter(({ family }) => family && identityOf(family.over) === identityOf(domain));
    const [whole, ...others] = new Map(
        places.flatMap(({ family }) => family ?? []).map(each => [identityOf(each.whole), each.whole]),
    ).values();
    if (whole === undefined || others.length > 0 || domainSize(whole) > MOST_SUGGESTED_VALUES) {
        return undefined;
    }
    const trial = trials.without(places);
    const question = suggestionQuestions(whole, suggestionsFor(domainSize(whole)), limit).find(
        each => trial !== undefined && each.holds(trial),
    );
    return question && { suggestion: question.suggestion, question, blame: { kind: 'places', places } };
}

/** If so few places stand against a ring, its mirror image adds nothing. */
const FEW_AGAINST_A_RING = 2;

/** The mirror suggestion, if it fails and fewer places stand against it than against more (`against`). */
export function blamedMirror(
    domain: Domain,
    against: Blame,
    trials: Trials,
    limit: WorkLimit,
): BlamedSuggestion | undefined {
    const suggestion = mirrorOf(domain);
    const whole = trials.without([]);
    const isClear = against.kind === 'places' && against.places.length <= FEW_AGAINST_A_RING;
    if (suggestion === undefined || whole === undefined || isClear) {
        return undefined;
    }
    const [question] = suggestionQuestions(domain, [suggestion], limit);
    const blame = question.holds(whole) ? CUT : blameFor(question, trials, THOROUGH, limit);
    return isNearer(blame, against) ? { suggestion, question, blame } : undefined;
}

/** The group of the instances of a family without the places that break a suggestion. */
interface Expected {
    readonly name: string;
    readonly order: bigint;
    /** `be interchangeable (S4)`, `have S4 x S3 on `Row` and `Column`` */
    readonly wanted: string;
}

/** A family over several types would have the product of what each of them has. */
function expectedOf(
    family: FamilyReport,
    domain: Domain,
    { name, order, wanted }: Suggestion,
    trial: Trial,
    limit: WorkLimit,
): Expected {
    const { processes } = trial.model;
    const process = processes.findIndex(each => each.name === family.name);
    const { indices } = processes[process];
    if (indices.length === 1 && identityOf(indices[0].domain) === identityOf(domain)) {
        const { instances } = trial.encoding.problem.sequential;
        const count = instances.filter(instance => instance.process === process).length;
        // A family need not have an instance for each value.
        return name === fullName(domainSize(domain))
            ? { name: fullName(count), order: factorial(count), wanted: `${wanted} (${fullName(count)})` }
            : { name, order, wanted: `${wanted} (${name})` };
    }
    const foundFor = (type: Domain): Suggestion | undefined =>
        1 < domainSize(type) && domainSize(type) <= MOST_SUGGESTED_VALUES
            ? suggestionsFor(domainSize(type)).find(each => suggestionHolds(each, type, trial, limit))
            : undefined;
    const fields = indices.flatMap(index => withFields(index.domain));
    const types = [...new Map(fields.map(type => [identityOf(type), type])).values()];
    const factors = types.flatMap((type, index) => {
        // A symmetry that exchanges records exchanges the values of their fields.
        const isMovedWhole = types
            .slice(0, index)
            .some(record => isFieldOf(type, record) && foundFor(record) !== undefined);
        const found = identityOf(type) === identityOf(domain) ? { name, order } : foundFor(type);
        return isMovedWhole || found === undefined ? [] : [{ type, name: found.name, order: found.order }];
    });
    const product = factors.map(factor => factor.name).join(' x ');
    const on = listed(factors.map(factor => `\`${nameOfType(factor.type)}\``));
    return {
        name: product,
        order: factors.reduce((total, factor) => total * factor.order, 1n),
        wanted: `have ${product} on ${on}`,
    };
}

function describeBrokenType(
    { family, domains, expected, places, answer, isIntended }: BrokenType,
    model: Model,
): BrokenSymmetry {
    const [domain] = domains;
    // An order that is not known is 0.
    const found = BigInt(family.order);
    const isDivisor = found > 0n && expected.order % found === 0n;
    return {
        expected: expected.name,
        found: family.structure,
        subject: `instances of ${family.name}`,
        index: Number(isDivisor ? expected.order / found : expected.order),
        ...answer,
        message: describeBroken(places, {
            of: listed(domains.map(type => `\`${nameOfType(type)}\``)),
            members: `the instances of \`${family.name}\``,
            wanted: expected.wanted,
            found: family.structure,
        }),
        declaration: model.types.find(({ name }) => name === domain.name)?.nameRange ?? family.range,
        ...(isIntended && { isIntended: true as const }),
    };
}

function explainSimilar(
    whole: Trial,
    trials: Trials,
    automorphisms: readonly SparsePermutation[],
    limit: WorkLimit,
): (BrokenSymmetry | string)[] {
    const { model, encoding } = whole;
    const groups = similarProcesses(model);
    const areApart = groups.length === 0 ? undefined : processesApart(encoding, automorphisms);
    return groups.flatMap((processes): (BrokenSymmetry | string)[] => {
        const subject: MemberSubject = { kind: 'similar', processes };
        const action =
            areApart?.(processes) === true
                ? { ...NO_ACTION, members: processes.map(process => model.processes[process].name) }
                : memberActionOf(subject, model, encoding, limit);
        if (action.isFull) {
            return [];
        }
        const names = listed(action.members.map(name => `\`${name}\``));
        if (!action.isComplete) {
            return limit.isExhausted() ? describeUnexplained(`processes ${names}`, CUT) : [];
        }
        const question = membersQuestion(subject, model, limit);
        const part = trials.about(partSubjectOf(subject, model));
        const blame = blameOfSimilar(processes, question, part, BRIEF, limit);
        if (blame.kind === 'unknown') {
            return describeUnexplained(`processes ${names}`, blame);
        }
        const twins = processes.length === 2 ? part.repairsOfTwins(processes) : [];
        const expected = fullName(processes.length);
        return [
            {
                expected,
                found: action.structure,
                subject: `processes ${listed(action.members)}`,
                index: Number(factorial(processes.length) / action.order),
                ...answerOf(question, blame, { whole, trials: part, limit }, twins),
                message: describeBroken(blame.places, {
                    of: names,
                    members: 'the processes',
                    wanted: `${question.wanted} (${expected})`,
                    found: action.structure,
                }),
                declaration: model.processes[processes[0]].nameRange,
            },
        ];
    });
}

const NO_ACTION = { structure: 'trivial', order: 1n, isFull: false, isComplete: true };

/** Whether it is certain without a search that no symmetry brings one of the processes to the place of another one. */
function processesApart(
    encoding: GraphEncoding,
    automorphisms: readonly SparsePermutation[],
): (processes: readonly number[]) => boolean {
    const { graph, problem } = encoding;
    const { instances } = problem.sequential;
    const orbitOf = orbitNumbers(automorphisms, graph.vertexCount);
    const orbitsOfProcess = new Map<number, Set<number>>();
    instanceVertices(encoding).forEach((vertices, instance) => {
        const orbits = remembered(orbitsOfProcess, instances[instance].process, () => new Set<number>());
        vertices.forEach(vertex => orbits.add(orbitOf[vertex]));
    });
    return processes => {
        const seen = new Set<number>();
        return (
            problem.pinned.length === 0 &&
            processes.every(process => {
                const own = [...(orbitsOfProcess.get(process) ?? [])];
                const areNew = own.length > 0 && own.every(orbit => !seen.has(orbit));
                own.forEach(orbit => seen.add(orbit));
                return areNew;
            })
        );
    };
}
