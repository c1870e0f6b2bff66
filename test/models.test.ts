/**
 * The models of the repository: each loads with its defaults and at the ends of its parameters' ranges, and has the
 * states, orbits and symmetries that its table in models/README.md says.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { UNLIMITED } from '../engine/common/work-limit.js';
import { invariant } from '../engine/common/assert.js';
import type { ExplorationReport } from '../engine/explore/verdict.js';
import type { Model } from '../engine/model/model.js';
import { analyze, startExploration, type Analysis, type Reduction } from '../engine/pipeline.js';
import { loadModel } from '../language-server/load-model.js';

type Parameters = Readonly<Record<string, number>>;

async function load(name: string, parameters: Parameters = {}): Promise<Model> {
    const values = Object.entries(parameters).map(([key, value]): [string, string] => [key, String(value)]);
    const { model, problems } = await loadModel(
        readFileSync(`models/${name}.orbit`),
        `file:///models/${name}.orbit`,
        values,
    );
    expect(problems.filter(problem => problem.code !== 'process/no-instance')).toEqual([]);
    invariant(model !== undefined, 'a model without problems is there');
    return model;
}

async function analysisOf(name: string, parameters: Parameters): Promise<Analysis> {
    return analyze(await load(name, parameters), { now: () => 0, workLimit: UNLIMITED, explain: false });
}

function explore(analysis: Analysis, reduction: Reduction): ExplorationReport {
    const { exploration } = startExploration(analysis, { reduction, continueAfterViolation: true }, UNLIMITED);
    exploration.advance(UNLIMITED);
    const { report } = exploration.result();
    invariant(report !== undefined, 'an exploration without limits has a report');
    return report;
}

const names = readdirSync('models')
    .filter(file => file.endsWith('.orbit'))
    .map(file => file.replace('.orbit', ''));

describe('every model', () => {
    test.each(names)('%s loads with its defaults', async name => {
        const model = await load(name);
        expect(model.documentation).toContain('Source: ');
        expect(model.processes.length).toBeGreaterThan(0);
    });

    test.each(names)('%s loads with the least and the greatest parameters', async name => {
        const { parameters } = await load(name);
        for (const end of ['low', 'high'] as const) {
            await load(
                name,
                Object.fromEntries(
                    parameters.map(({ name: parameter, domain }) => {
                        invariant(domain.kind === 'range', 'the parameters of the models are numbers');
                        return [parameter, domain[end]];
                    }),
                ),
            );
        }
    });

    test('is in the table', () => {
        const table = readFileSync('models/README.md', 'utf8');
        expect([...table.matchAll(/^\| \[(.*?)\]/gm)].map(match => match[1]).sort()).toEqual([...names].sort());
    });
});

/** Where the numbers come from stands in models/README.md, unless a comment here says otherwise. */
// prettier-ignore
const COUNTS: readonly { name: string; parameters: Parameters; states: number; orbits: number; order: bigint }[] = [
    // 8^N states; orbits under rotations and the exchange of labels by Burnside's lemma.
    { name: 'token-ring', parameters: { N: 3 }, states: 512, orbits: 88, order: 6n },
    { name: 'token-ring', parameters: { N: 4 }, states: 4096, orbits: 532, order: 8n },
    { name: 'dining-philosophers', parameters: { N: 10 }, states: 154450, orbits: 15489, order: 10n },
    // 2^N + N·2^(N-1) states, 2N + 1 orbits.
    { name: 'semaphore-mutex', parameters: { N: 1 }, states: 3, orbits: 3, order: 1n },
    { name: 'semaphore-mutex', parameters: { N: 10 }, states: 6144, orbits: 21, order: 3628800n },
    { name: 'readers-writers', parameters: { R: 2, W: 1 }, states: 22, orbits: 15, order: 2n },
    // 3^N states, of which one is its own image.
    { name: 'hanoi', parameters: { N: 3 }, states: 27, orbits: 14, order: 2n },
    { name: 'hanoi', parameters: { N: 6 }, states: 729, orbits: 365, order: 2n },
    // 2^(N+2) states; an orbit is how many leaders there are, with the two bits of the detector.
    { name: 'leader-election-complete', parameters: { N: 4 }, states: 64, orbits: 20, order: 24n },
    // 2^(N+2) states. Up to symmetry a subtree of 1, 3 agents has 2, 2·3 = 6 states, so the tree has 4·2·(6·7/2) = 168.
    { name: 'leader-election-tree', parameters: { N: 7 }, states: 512, orbits: 168, order: 8n },
    // 4·8^N states; necklaces of 8 colors: (8^4 + 8^2 + 2·8) / 4 = 1044, four times.
    { name: 'leader-election-ring', parameters: { N: 4 }, states: 16384, orbits: 4176, order: 4n },
    { name: 'two-hop-coloring', parameters: { N: 3 }, states: 13824, orbits: 233, order: 72n },
    { name: 'milner-scheduler', parameters: { N: 2 }, states: 10, orbits: 10, order: 1n },
    { name: 'milner-scheduler', parameters: { N: 8 }, states: 2944, orbits: 2944, order: 1n },
    // 3N·2^(N-1) states, 3·2^(N-1) orbits.
    { name: 'token-mutex', parameters: { N: 2 }, states: 12, orbits: 6, order: 2n },
    { name: 'token-mutex', parameters: { N: 8 }, states: 3072, orbits: 384, order: 8n },
    { name: 'dekker', parameters: {}, states: 106, orbits: 53, order: 2n },
    { name: 'szymanski', parameters: { N: 2 }, states: 79, orbits: 79, order: 1n },
    { name: 'szymanski', parameters: { N: 3 }, states: 637, orbits: 637, order: 1n },
    { name: 'bakery', parameters: { N: 2, limit: 4 }, states: 488, orbits: 488, order: 1n },
    { name: 'bakery', parameters: { N: 2, limit: 1 }, states: 60, orbits: 60, order: 1n },
    { name: 'two-phase-commit', parameters: { N: 2 }, states: 56, orbits: 34, order: 2n },
    { name: 'two-phase-commit', parameters: { N: 5 }, states: 8832, orbits: 314, order: 120n },
    // 2^N + N states: the line is modified in one cache, or in none; N + 2 orbits.
    { name: 'msi-bus', parameters: { N: 1 }, states: 3, orbits: 3, order: 1n },
    { name: 'msi-bus', parameters: { N: 6 }, states: 70, orbits: 8, order: 720n },
    // Slots from the first on hold one of P marks each, consumers one or none.
    { name: 'bounded-buffer', parameters: { P: 1, C: 1, K: 1 }, states: 4, orbits: 4, order: 1n },
    { name: 'bounded-buffer', parameters: { P: 2, C: 2, K: 3 }, states: 405, orbits: 46, order: 12n },
    { name: 'chang-roberts', parameters: { N: 2 }, states: 7, orbits: 7, order: 1n },
    { name: 'chang-roberts', parameters: { N: 6 }, states: 289, orbits: 289, order: 1n },
    // No state is its own image: the direction is always another one.
    { name: 'elevator', parameters: { N: 2 }, states: 24, orbits: 12, order: 2n },
    { name: 'elevator', parameters: { N: 5 }, states: 480, orbits: 240, order: 2n },
];

describe('the published numbers', () => {
    test.each(COUNTS)('$name $parameters', async ({ name, parameters, states, orbits, order }) => {
        const analysis = await analysisOf(name, parameters);
        expect(BigInt(analysis.symmetry?.report.order ?? 0)).toBe(order);
        expect(explore(analysis, 'none').states).toBe(states);
        expect(explore(analysis, 'unique').states).toBe(orbits);
    });

    /** Table I of Zhang et al.; models/README.md says where it is wrong. */
    const orders: [string, Parameters, bigint][] = [
        ['peterson', { N: 9 }, 362880n],
        ['leader-election-complete', { N: 12 }, 479001600n],
        ['leader-election-tree', { N: 15 }, 128n],
        ['leader-election-tree', { N: 19 }, 128n],
        ['leader-election-ring', { N: 12 }, 12n],
        ['milner-scheduler', { N: 10 }, 1n],
        ['two-hop-coloring', { N: 4 }, 576n],
        ['two-hop-coloring', { N: 5 }, 120n],
    ];

    test.each(orders)('%s %o has %s symmetries', async (name, parameters, order) => {
        const { symmetry } = await analysisOf(name, parameters);
        expect(BigInt(symmetry?.report.order ?? 0)).toBe(order);
    });
});

describe('what the models state', () => {
    const verdicts: [string, Parameters, string[]][] = [
        ['token-ring', { N: 3 }, []],
        ['dining-philosophers', { N: 4 }, ['deadlock']],
        ['peterson', { N: 3 }, []],
        ['semaphore-mutex', { N: 3 }, []],
        ['readers-writers', { R: 2, W: 2 }, []],
        ['hanoi', { N: 3 }, []],
        ['leader-election-complete', { N: 2 }, []],
        ['leader-election-tree', { N: 3 }, []],
        ['leader-election-ring', { N: 3 }, []],
        ['milner-scheduler', { N: 5 }, []],
        ['token-mutex', { N: 3 }, []],
        ['dekker', {}, []],
        ['szymanski', { N: 3 }, []],
        ['bakery', { N: 2 }, []],
        ['two-phase-commit', { N: 3 }, []],
        ['msi-bus', { N: 3 }, []],
        ['bounded-buffer', {}, []],
        ['chang-roberts', {}, []],
        ['elevator', { N: 3 }, []],
    ];

    test.each(verdicts)('%s %o', async (name, parameters, violations) => {
        const analysis = await analysisOf(name, parameters);
        for (const reduction of ['none', 'unique'] as const) {
            expect(explore(analysis, reduction).violations.map(({ kind }) => kind)).toEqual(violations);
        }
    });
});
