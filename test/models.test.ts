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
        expect(parameters.length).toBeGreaterThan(0);
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
];

describe('the published numbers', () => {
    test.each(COUNTS)('$name $parameters', async ({ name, parameters, states, orbits, order }) => {
        const analysis = await analysisOf(name, parameters);
        expect(BigInt(analysis.symmetry?.report.order ?? 0)).toBe(order);
        expect(explore(analysis, 'none').states).toBe(states);
        expect(explore(analysis, 'unique').states).toBe(orbits);
    });

    test('peterson N = 9 has 9! symmetries', async () => {
        const { symmetry } = await analysisOf('peterson', { N: 9 });
        expect(BigInt(symmetry?.report.order ?? 0)).toBe(362880n);
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
    ];

    test.each(verdicts)('%s %o', async (name, parameters, violations) => {
        const analysis = await analysisOf(name, parameters);
        for (const reduction of ['none', 'unique'] as const) {
            expect(explore(analysis, reduction).violations.map(({ kind }) => kind)).toEqual(violations);
        }
    });
});
