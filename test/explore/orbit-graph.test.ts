import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { exploreOrbitGraph, type OrbitGraph } from '../../engine/explore/orbit-graph.js';
import { exploreStateGraph, quotientOf } from '../../engine/explore/state-graph.js';
import { interpretedSuccessors } from '../../engine/explore/successors.js';
import { analyze, type Analysis } from '../../engine/pipeline.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { stateAction } from '../../engine/symmetry/certify.js';
import { orbitSizesOf } from '../../engine/symmetry/orbit-sizes.js';
import { modelOf } from '../model-of-text.js';

const MODELS = [
    ['dining-philosophers', 'N=5'],
    ['peterson', 'N=3'],
    ['semaphore-mutex', 'N=4'],
    ['token-ring', 'N=3'],
    ['readers-writers', 'R=3'],
] as const;

describe.each(MODELS)('the state graph of %s with %s', (name, parameter) => {
    test('is the quotient of the whole graph, and its tree is made of runs', async () => {
        const { sequential, orbitOf, generators } = await partsOf(
            readFileSync(`models/${name}.orbit`, 'utf8'),
            parameter,
        );
        const whole = exploreStateGraph(sequential, 20_000);
        if (whole.kind !== 'graph') {
            throw new Error(whole.kind);
        }
        const quotient = quotientOf(whole.graph, generators)!;
        const starts = whole.graph.initial.map(number => whole.graph.states[number]!);
        const graph = exploreOrbitGraph(sequential, starts, { orbitOf, most: 20_000, workLimit: UNLIMITED });

        expect(graph.isWhole).toBe(true);
        expect(graph.nodes.map(({ size }) => Number(size))).toEqual(quotient.orbitSizes);
        const pairs = quotient.edges.filter(({ to }) => typeof to === 'number').map(({ from, to }) => `${from} ${to}`);
        expect(new Set(graph.edges.map(({ from, to }) => `${from} ${to}`))).toEqual(new Set(pairs));
        expect(graph.edges).toHaveLength(new Set(pairs).size);
        for (const { state, origin } of graph.nodes) {
            const comesFrom =
                'start' in origin
                    ? new Set([starts[origin.start]!.join()])
                    : successorsOf(sequential, graph.nodes[origin.from]!.state);
            expect(comesFrom).toContain(state.join());
        }
    });
});

test('a violated orbit says what is violated in it', async () => {
    const { sequential, orbitOf } = await partsOf(readFileSync('models/dining-philosophers.orbit', 'utf8'), 'N=5');
    const graph = graphOf(sequential, orbitOf, 300);
    // By the symmetry of the ring there is one deadlock up to rotation, and all five forks are taken in it.
    const violated = graph.nodes.filter(({ findings }) => findings.length > 0);
    expect(violated.map(({ findings, depth, size }) => [findings[0]?.kind, depth, size])).toEqual([
        ['deadlock', 5, 1n],
    ]);
});

test('a fault is a finding of the state before it', async () => {
    const text = 'model m\nvar x: 0 .. 1 = 0\nprocess P { x := x + 1; x := x + 1 }\n';
    const { sequential, orbitOf } = await partsOf(text);
    const { nodes } = graphOf(sequential, orbitOf, 10);
    expect(nodes.map(({ findings }) => findings.map(({ name }) => name))).toEqual([[], ['range']]);
});

test('a part ends at nodes that are not expanded', async () => {
    const { sequential, orbitOf } = await partsOf(readFileSync('models/dining-philosophers.orbit', 'utf8'), 'N=9');
    const part = graphOf(sequential, orbitOf, 40);
    const larger = graphOf(sequential, orbitOf, 300);
    expect(part.isWhole).toBe(false);
    expect(part.nodes).toHaveLength(40);
    expect(part.nodes.some(({ isExpanded }) => !isExpanded)).toBe(true);
    expect(larger.nodes.slice(0, 40).map(({ state }) => state)).toEqual(part.nodes.map(({ state }) => state));
});

function graphOf(sequential: SequentialModel, orbitOf: Parts['orbitOf'], most: number): OrbitGraph {
    const whole = exploreStateGraph(sequential, 100_000);
    const starts = whole.kind === 'graph' ? [whole.graph.states[0]!] : [];
    return exploreOrbitGraph(sequential, starts, { orbitOf, most, workLimit: UNLIMITED });
}

interface Parts {
    readonly sequential: SequentialModel;
    readonly orbitOf: (state: Readonly<Int32Array>) => { readonly size: bigint; readonly key: string } | undefined;
    readonly generators: readonly ((state: Int32Array) => Int32Array)[];
}

async function partsOf(text: string, parameter?: string): Promise<Parts> {
    const parameters = parameter === undefined ? [] : [parameter.split('=') as [string, string]];
    const analysis: Analysis = analyze(await modelOf(text, parameters), { now: () => 0, workLimit: UNLIMITED });
    const { sequential, symmetry } = analysis;
    const group = symmetry!.startGroup;
    const sizes = orbitSizesOf(group);
    return {
        sequential: sequential!,
        orbitOf: state => sizes?.orbitOf(state),
        generators: group.generators.map(generator => stateAction(group, generator)),
    };
}

function successorsOf(sequential: SequentialModel, state: Readonly<Int32Array>): Set<string> {
    const found = new Set<string>();
    interpretedSuccessors(sequential).forEachFiring(state, {
        fired: (_, successor) => found.add(successor.join()).size > 0,
        faulted: () => true,
    });
    return found;
}
