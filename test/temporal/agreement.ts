/** Answers about temporal properties against the reference. */
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import type { PropertyMember } from '../../engine/sequential/temporal.js';
import { checkLasso, type Lasso } from '../../engine/verify/check-lasso.js';
import type { TemporalSystem } from '../arbitrary/temporal-systems.js';
import { referenceVerdict, type ReferenceVerdict } from '../reference/temporal/check.js';
import type { FullGraph } from '../reference/temporal/full-graph.js';
import type { GraphLasso } from '../reference/temporal/lasso-evaluation.js';

export interface Answer {
    readonly verdict: ReferenceVerdict | 'undecided';
    /** The counterexample, where there is one. */
    readonly lasso?: Lasso | undefined;
    /** The member that the lasso violates, if it is an image of the one in question. */
    readonly member?: PropertyMember | undefined;
}

/** Decides one member of a property of the model, under the fairness of the model. */
export type VerdictOf = (model: SequentialModel, member: PropertyMember) => Answer;

/** The first wrong answer about a member of a property, as a sentence; undefined if all are right. */
export function disagreementOf({ model, graph }: TemporalSystem, verdictOf: VerdictOf): string | undefined {
    for (const { name, members } of model.properties) {
        for (const member of members) {
            const expected = referenceVerdict(model, graph, member);
            const { verdict, lasso, member: shown = member } = verdictOf(model, member);
            const problem =
                verdict === expected
                    ? lasso && checkLasso(model, lasso, shown)
                    : `the verdict is ${verdict}, and ${expected} by definition`;
            if (problem !== undefined) {
                return `${name} for ${JSON.stringify(member.values)}: ${problem}`;
            }
        }
    }
    return undefined;
}

/** A lasso of the graph with its states. */
export function lassoOf(graph: FullGraph, { positions, loopStart }: GraphLasso): Lasso {
    const firings = positions.map(position => graph.firings[position]!);
    return {
        states: [...firings.map(({ from }) => from), firings[loopStart]!.from].map(state => graph.states[state]!),
        firings: firings.map(({ summand }) => summand),
        loopStart,
    };
}
