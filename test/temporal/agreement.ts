/** Answers about temporal properties against the reference. */
import type { Violation } from '../../engine/explore/verdict.js';
import type { PropertyMember, SequentialModel, TemporalProperty } from '../../engine/sequential/sequential-model.js';
import { checkLasso, type ClaimedLasso } from '../../engine/verify/check-lasso.js';
import type { TemporalSystem } from '../arbitrary/temporal-systems.js';
import { referenceVerdict, type ReferenceVerdict } from '../reference/temporal/check.js';
import type { FullGraph } from '../reference/temporal/full-graph.js';
import type { GraphLasso } from '../reference/temporal/lasso-evaluation.js';

export interface Answer {
    readonly verdict: ReferenceVerdict | 'undecided';
    /** The counterexample, where there is one. */
    readonly lasso?: ClaimedLasso | undefined;
    /** The member that the lasso violates, if it is not the one in question but an image of it, or one of several. */
    readonly member?: PropertyMember | undefined;
}

/** Decides one member of a property of the model, under the fairness of the model. */
export type VerdictOf = (model: SequentialModel, member: PropertyMember) => Answer;

/** Decides all members of a property at once. The counterexample is one of the members. */
export type PropertyVerdictOf = (model: SequentialModel, property: TemporalProperty) => Answer;

/** The searches by name. */
export interface Searches {
    readonly ofMembers: Readonly<Record<string, VerdictOf>>;
    readonly ofProperties: Readonly<Record<string, PropertyVerdictOf>>;
}

export interface Comparison {
    readonly members: number;
    readonly violated: number;
    readonly held: number;
    /** Lassos that were checked. */
    readonly lassos: number;
    /** Wrong answers, as sentences. */
    readonly disagreements: readonly string[];
}

/** Compares the answers of all searches about all members of a system with the definition. */
export function compare({ model, graph }: TemporalSystem, searches: Searches): Comparison {
    const verdicts: ReferenceVerdict[] = [];
    const disagreements: string[] = [];
    let lassos = 0;
    const compareAnswer = (search: string, expected: ReferenceVerdict, answer: Answer): void => {
        lassos += answer.lasso === undefined ? 0 : 1;
        const problem = problemOf(model, answer, expected);
        if (problem !== undefined) {
            disagreements.push(`${search} says ${answer.verdict}: ${problem}`);
        }
    };
    for (const property of model.properties) {
        const { name, members } = property;
        const expected = members.map(member => referenceVerdict(model, graph, member));
        verdicts.push(...expected);
        for (const [search, verdictOf] of Object.entries(searches.ofMembers)) {
            members.forEach((member, index) => {
                const about = `${name} for ${JSON.stringify(member.values)}: ${search}`;
                compareAnswer(about, expected[index]!, { member, ...verdictOf(model, member) });
            });
        }
        const ofAll = expected.find(verdict => verdict !== 'holds') ?? 'holds';
        for (const [search, verdictOf] of Object.entries(searches.ofProperties)) {
            const answer = verdictOf(model, property);
            // Which of the members is shown is left to the search.
            const isFault = answer.verdict === 'fault' && expected.includes('fault');
            compareAnswer(`${name}: ${search}`, isFault ? 'fault' : ofAll, answer);
        }
    }
    return {
        members: verdicts.length,
        violated: verdicts.filter(verdict => verdict !== 'holds').length,
        held: verdicts.filter(verdict => verdict === 'holds').length,
        lassos,
        disagreements,
    };
}

function problemOf(
    model: SequentialModel,
    { verdict, lasso, member }: Answer,
    expected: ReferenceVerdict,
): string | undefined {
    if (verdict !== expected) {
        return `it is ${expected} by definition`;
    }
    if (lasso === undefined) {
        return undefined;
    }
    return member === undefined ? 'no member is shown' : checkLasso(model, lasso, member);
}

/** The first wrong answer about a member of a property, as a sentence; undefined if all are right. */
export function disagreementOf(system: TemporalSystem, verdictOf: VerdictOf): string | undefined {
    return compare(system, { ofMembers: { 'the search': verdictOf }, ofProperties: {} }).disagreements[0];
}

/** The counterexample of a report, where there is one. A run that ends is reported without its rest. */
export function lassoOfViolation({ run: { states, firings }, loop }: Violation): ClaimedLasso | undefined {
    if (loop === undefined) {
        return undefined;
    }
    return loop.start === firings.length
        ? { states: [...states, states[loop.start]!], firings: [...firings, -1], loopStart: loop.start }
        : { states, firings, loopStart: loop.start };
}

/** The member of a property that a report shows. */
export function memberOfViolation(
    { members }: TemporalProperty,
    { loop }: Pick<Violation, 'loop'>,
): PropertyMember | undefined {
    return members.find(({ values }) => JSON.stringify(values) === JSON.stringify(loop?.member));
}

/** A lasso of the graph with its states. */
export function lassoOf(graph: FullGraph, { positions, loopStart }: GraphLasso): ClaimedLasso {
    const firings = positions.map(position => graph.firings[position]!);
    return {
        states: [...firings.map(({ from }) => from), firings[loopStart]!.from].map(state => graph.states[state]!),
        firings: firings.map(({ summand }) => summand),
        loopStart,
    };
}
