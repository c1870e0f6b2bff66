/**
 * What the example models state about runs: the verdicts of models/README.md, beside the definition on all states, and
 * `always c` beside the invariant `c`.
 */
// @module-tag long
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drawsAll } from '../cases.js';
import { referenceVerdict } from '../reference/temporal/check.js';
import { fullGraph } from '../reference/temporal/full-graph.js';
import { findingOf, temporalAnalysis } from './text-verdicts.js';

type Parameters = Readonly<Record<string, number | readonly number[]>>;

function textOf(name: string): string {
    return readFileSync(`models/${name}.orbit`, 'utf8');
}

function textsOf(parameters: Parameters): [string, string][] {
    return Object.entries(parameters).map(([name, value]) => [name, JSON.stringify(value)]);
}

const names = readdirSync('models')
    .filter(file => file.endsWith('.orbit'))
    .map(file => file.replace('.orbit', ''));

/** Sizes at which the definition is evaluated on all states; the models without parameters are small. */
const SMALL: Readonly<Record<string, Parameters>> = {
    'alternating-bit': { M: 1, K: 1 },
    bakery: { N: 2, limit: 2 },
    'bounded-buffer': { P: 1, C: 1, K: 2 },
    'chain-replication': { N: 2 },
    'chang-roberts': { N: 3 },
    'dining-philosophers': { N: 3 },
    elevator: { N: 3 },
    'german-cache': { N: 2 },
    hanoi: { N: 3 },
    hypercube: { D: 2 },
    'leader-election-complete': { N: 3 },
    'leader-election-ring': { N: 3 },
    'leader-election-tree': { parent: [0, 0, 0, 1] },
    'mcs-lock': { N: 2 },
    'milner-scheduler': { N: 3 },
    'msi-bus': { N: 3 },
    'paxos-commit': { R: 1, N: 2 },
    'paxos-single': { N: 2, B: 2, V: 2 },
    peterson: { N: 2 },
    'raft-election': { N: 2, T: 2 },
    'readers-writers': { R: 2, W: 1 },
    'resource-allocator': { clients: [1, 1] },
    'ricart-agrawala': { N: 2 },
    'semaphore-mutex': { N: 3 },
    'social-golfer': { G: 2, S: 2, W: 1 },
    'stabilizing-matching': { neighbors: [2, 5, 2] },
    szymanski: { N: 2 },
    'three-tier': { clients: [2, 1] },
    'three-tier-rendezvous': { clients: [2, 1] },
    'token-mutex': { N: 3 },
    'token-ring': { N: 2 },
    'treiber-stack': { N: 2, K: 1, V: 1 },
    'two-hop-coloring': { N: 2 },
    'two-phase-commit': { N: 2 },
};

/** The properties that are violated; all others hold. */
const VIOLATED: readonly string[] = [];

const withProperties = names.filter(name => /^property /m.test(textOf(name)));

/** Numbers without end have no list of all states; test/numbers has runs of real ones. */
const withFiniteStates = withProperties.filter(name => !/: +nat\b/.test(textOf(name)));

describe('what a model states of its runs', () => {
    test.each(withFiniteStates)('%s: the verdict of the definition on all states, and of all searches', async name => {
        const analysis = await temporalAnalysis(textOf(name), textsOf(SMALL[name] ?? {}));
        const model = analysis.sequential!;
        const graph = fullGraph(model)!;
        expect(model.properties.length).toBeGreaterThan(0);
        for (const { name: property, members } of model.properties) {
            const verdict = VIOLATED.includes(`${name} ${property}`) ? 'violated' : 'holds';
            const byDefinition = members.map(member => referenceVerdict(model, graph, member));
            expect(byDefinition.find(each => each !== 'holds') ?? 'holds', property).toBe(verdict);
            for (const reduction of ['none', 'auto'] as const) {
                expect(findingOf(analysis, property, reduction).verdict, property).toBe(verdict);
            }
        }
    });

    // Small sizes come before it.
    test.each(withProperties)('%s: the same with its defaults', { tags: 'thorough' }, async name => {
        const analysis = await temporalAnalysis(textOf(name));
        for (const { name: property } of analysis.sequential!.properties) {
            const verdict = VIOLATED.includes(`${name} ${property}`) ? 'violated' : 'holds';
            expect(findingOf(analysis, property, 'auto').verdict, property).toBe(verdict);
        }
    });

    test('is in the table', () => {
        const rows = readFileSync('models/README.md', 'utf8').split('\n');
        for (const name of withProperties) {
            const row = rows.find(line => line.startsWith(`| [${name}]`));
            for (const [, property] of textOf(name).matchAll(/^property (\w+)/gm)) {
                const verdict = VIOLATED.includes(`${name} ${property!}`) ? 'violated' : 'holds';
                expect(row).toContain(`\`${property!}\` ${verdict}`);
            }
        }
    });
});

/** The assumption holds on all runs; without it an `always` is checked as an invariant. */
const CALM = 'assume calm = infinitely often true\n';

/** Where processes are created properties of runs are not checked yet; where numbers have no end test/numbers has them. */
const withInvariants = names.filter(
    name => /^invariant /m.test(textOf(name)) && !/\bspawn \w+\(|: +nat\b/.test(textOf(name)),
);

test.each(withInvariants)('%s: always is as good as an invariant', async name => {
    const text = textOf(name);
    const stated = text.replaceAll(
        /^invariant (\w+)\s*=([^]*?)(?=\n\n|\n\/\/\/|\n\w|\s*(?![^]))/gm,
        (_, invariant: string, condition: string) => `property ${invariant}_ = always (${condition.trim()})`,
    );
    const parameters = textsOf(SMALL[name] ?? {});
    const expected = await temporalAnalysis(text, parameters);
    const analysis = await temporalAnalysis(`${stated}\n${CALM}`, parameters);
    const invariants = expected.model.invariants.map(invariant => invariant.name);
    expect(invariants.length).toBeGreaterThan(0);
    for (const invariant of invariants) {
        for (const reduction of drawsAll ? (['none', 'auto'] as const) : (['auto'] as const)) {
            expect(findingOf(analysis, `${invariant}_`, reduction).verdict).toBe(
                findingOf(expected, invariant, reduction).verdict,
            );
        }
    }
});
