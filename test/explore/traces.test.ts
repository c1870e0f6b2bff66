/** Traces under every strategy are runs of the model as written, as short as the state graph says. */
// @module-tag long
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { compileSearchOf } from '../../engine/compiled-search/compiled-search.js';
import { Exploration } from '../../engine/explore/search.js';
import { exploreStateGraph, type StateGraph } from '../../engine/explore/state-graph.js';
import { describeStep } from '../../engine/explore/trace.js';
import { formatState } from '../../engine/describe/shown-state.js';
import type { TraceEntry } from '../../engine/explore/verdict.js';
import type { StrategyName } from '../../engine/representative/strategy.js';
import type { Analysis } from '../../engine/pipeline.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { orbitSizesOf } from '../../engine/symmetry/orbit-sizes.js';
import { literalGroup } from '../../engine/symmetry/model-symmetry.js';
import { createCanonicalizer } from '../../engine/representative/representative.js';
import { analysisOf as analysisOfText } from '../model-of-text.js';

const STRATEGIES: readonly StrategyName[] = ['sort', 'refine', 'list', 'cosets', 'descent', 'local'];

/** With an invariant that does not hold everywhere, or a deadlock. */
const MODELS: readonly (readonly [string, string, string])[] = [
    ['dining-philosophers', 'N=4', ''],
    ['semaphore-mutex', 'N=4', 'invariant broken = count(i in Proc: P[i] at enter) <= 2'],
    [
        'peterson',
        'N=3',
        'invariant broken = !(exists i in Proc: flag[i] == 2 && turn[2] == i && turn[1] != none && turn[1] != i)',
    ],
    ['two-phase-commit', 'N=3', 'invariant broken = len(heard) <= 1'],
    ['token-ring', 'N=4', 'invariant broken = exists u in Agent: token[u] == 1'],
];

async function analysisOf(name: string, parameter: string, addition: string): Promise<Analysis> {
    const text = `${readFileSync(`models/${name}.orbit`, 'utf8')}\n${addition}\n`;
    const [key = '', value = ''] = parameter.split('=');
    return analysisOfText(text, [[key, value]]);
}

/** Steps from an initial state, by the number of the state. */
function distances({ states, initial, edges }: StateGraph): number[] {
    const distance = states.map(() => Infinity);
    initial.forEach(state => (distance[state] = 0));
    for (const { from, to } of edges) {
        // Edges are sorted by their sources, and states are numbered breadth first.
        if (typeof to === 'number') {
            distance[to] = Math.min(distance[to]!, distance[from]! + 1);
        }
    }
    return distance;
}

/** The number of the state in which a run ends; throws where it is no run. */
function replay(trace: readonly TraceEntry[], graph: StateGraph, sequential: SequentialModel): number {
    const key = (state: TraceEntry['state']): string => JSON.stringify(state);
    const keys = graph.states.map(state => key(formatState(sequential, state)));
    let at = keys.indexOf(key(trace[0]!.state));
    expect(graph.initial).toContain(at);
    for (const { step, state } of trace.slice(1)) {
        const next = keys.indexOf(key(state));
        const steps = graph.edges.filter(({ from, to }) => from === at && to === next);
        expect(steps.map(({ summand }) => describeStep(sequential, summand))).toContainEqual(step);
        at = next;
    }
    return at;
}

test.each(MODELS)('%s with %s', async (name, parameter, addition) => {
    const analysis = await analysisOf(name, parameter, addition);
    const sequential = analysis.sequential!;
    const group = analysis.symmetry!.explorationGroup;
    expect(group.order).toBeGreaterThan(1n);
    const result = exploreStateGraph(sequential, 20_000);
    if (result.kind !== 'graph') {
        throw new Error(result.kind);
    }
    const { graph } = result;
    const distance = distances(graph);
    const run = (options: ConstructorParameters<typeof Exploration>[1]): readonly (readonly [string, number])[] => {
        const exploration = new Exploration(sequential, { continueAfterViolation: true, ...options });
        exploration.advance(UNLIMITED);
        return exploration.result().report!.violations.map(violation => {
            const last = replay(violation.trace, graph, sequential);
            expect(violation.trace.length - 1).toBe(distance[last]);
            return [violation.name, violation.trace.length - 1];
        });
    };
    const expected = run({});
    expect(expected).toHaveLength(1);
    for (const force of STRATEGIES) {
        const canonicalizer = createCanonicalizer(literalGroup(group), { force });
        const options = { canonicalizer, orbits: () => orbitSizesOf(group) };
        expect([force, run(options)]).toEqual([force, expected]);
        const code = compileSearchOf(sequential, options);
        expect([force, code.kind === 'compiled' && run({ ...options, search: code.search })]).toEqual([
            force,
            expected,
        ]);
        // Each of several violations has the shortest way to its own state.
        run({ ...options, maxViolations: 10 });
    }
});
