/** A system that does what its model does passes all tests, and covers all that it is asked for. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createRandom } from '../../engine/common/random.js';
import { createTests, runTests, type TestReport } from '../../library/run-tests.js';
import { modelOf } from '../model-of-text.js';
import { ModelAsSystem } from './model-as-system.js';

async function reportOf(
    name: string,
    parameters: object,
    own?: readonly string[],
    inputs?: readonly string[],
    forbidden = false,
): Promise<TestReport> {
    const text = readFileSync(`models/${name}.orbit`, 'utf8');
    const model = await modelOf(text, parameters as Readonly<Record<string, number>>);
    const mapping = inputs === undefined ? {} : { mapping: JSON.stringify({ inputs }) };
    const suite = createTests(model, { members: 2, text, forbidden, ...mapping });
    if ('problems' in suite) {
        throw new Error('the model has tests');
    }
    return runTests(suite, new ModelAsSystem(suite.parts.selection.sequential, createRandom(5), own));
}

test.each([
    ['peterson', { N: 3 }],
    ['two-phase-commit', { N: 3 }],
    ['dining-philosophers', { N: 4 }],
    ['raft-election', {}],
    ['msi-bus', {}],
    ['elevator', {}],
    ['readers-writers', {}],
    ['sessions', {}],
    ['hanoi', {}],
    ['stabilizing-matching', {}],
    ['leader-election-complete', {}],
])('%s', async (name, parameters) => {
    const report = await reportOf(name, parameters);
    expect(report.failures).toEqual([]);
    expect(report.undecided).toEqual([]);
    expect(report.covered).toBe(report.transitionOrbits);
});

test.each([
    ['german-cache', { N: 2 }],
    ['requests', {}],
    ['work-stealing', {}],
    ['three-tier-rendezvous', {}],
])('%s, of which some steps have no name', async (name, parameters) => {
    const report = await reportOf(name, parameters);
    expect(report.failures).toEqual([]);
    expect(report.covered).toBeLessThanOrEqual(report.transitionOrbits);
});

test('two-phase commit that decides on its own', async () => {
    const inputs = ['prepare', 'chooseToAbort'];
    const own = ['receivePrepared', 'decideCommit', 'decideAbort', 'receiveCommit', 'receiveAbort'];
    const report = await reportOf('two-phase-commit', { N: 3 }, own, inputs);
    expect(report.failures).toEqual([]);
    expect(report.covered).toBeGreaterThan(report.transitionOrbits / 2);
});

test.each([
    ['peterson', { N: 2 }],
    ['two-phase-commit', { N: 2 }],
    ['dining-philosophers', { N: 3 }],
    ['msi-bus', {}],
    ['readers-writers', {}],
    ['sessions', {}],
    ['hanoi', {}],
    ['requests', {}],
    ['bounded-buffer', {}],
    ['leader-election-complete', {}],
])('%s, which refuses all that is forbidden', async (name, parameters) => {
    const report = await reportOf(name, parameters, undefined, undefined, true);
    expect(report.failures).toEqual([]);
    expect(report.undecided).toEqual([]);
    expect(report.forbidden).toBeGreaterThan(0);
});

test('two-phase commit that decides on its own, and refuses what is forbidden', async () => {
    const inputs = ['prepare', 'chooseToAbort'];
    const own = ['receivePrepared', 'decideCommit', 'decideAbort', 'receiveCommit', 'receiveAbort'];
    const report = await reportOf('two-phase-commit', { N: 3 }, own, inputs, true);
    expect(report.failures).toEqual([]);
    expect(report.forbidden).toBeGreaterThan(0);
});
