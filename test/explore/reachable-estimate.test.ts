/** The reduction that random walks promise, beside the one that exploration finds. */
import { describe, expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { estimateReduction } from '../../engine/explore/reachable-estimate.js';
import type { Model } from '../../engine/model/model.js';
import { analyze, startExploration, type Analysis } from '../../engine/pipeline.js';
import type { ReachableEstimate } from '../../engine/explore/reachable-estimate.js';
import { diningPhilosophers, peterson, tokenRing } from '../arbitrary/published-models.js';

function analysisOf(model: Model): Analysis {
    return analyze(model, { now: () => 0, workLimit: UNLIMITED, explain: false });
}

function estimateOf({ sequential, symmetry }: Analysis): ReachableEstimate | undefined {
    invariant(sequential !== undefined && symmetry !== undefined, 'the model has no errors');
    return estimateReduction(sequential, symmetry.explorationGroup, UNLIMITED);
}

function statesOf(analysis: Analysis, reduction: 'unique' | 'none'): number {
    const { exploration } = startExploration(analysis, { reduction, continueAfterViolation: true }, UNLIMITED);
    exploration.advance(UNLIMITED);
    const { report } = exploration.result();
    invariant(report !== undefined, 'an exploration without limits has a report');
    return report.states;
}

describe.each<[string, Model]>([
    ['token ring', await tokenRing(4)],
    ['dining philosophers', await diningPhilosophers(6)],
    ['Peterson', await peterson(4)],
])('%s', (_, model) => {
    const analysis = analysisOf(model);

    test('the estimate is within a factor of two of what exploration finds', () => {
        const estimate = estimateOf(analysis);
        const ratio = statesOf(analysis, 'none') / statesOf(analysis, 'unique');
        expect(estimate?.statesPerOrbit).toBeGreaterThan(ratio / 2);
        expect(estimate?.statesPerOrbit).toBeLessThan(ratio * 2);
    });

    test('the same model gives the same estimate, from several walks', () => {
        const estimate = estimateOf(analysis);
        expect(estimate).toEqual(estimateOf(analysisOf(model)));
        expect(estimate?.walks).toBeGreaterThan(1);
        expect(estimate?.states).toBeGreaterThanOrEqual(estimate?.walks ?? Infinity);
        expect(estimate?.standardError).toBeGreaterThanOrEqual(0);
    });
});

test('the estimate is exact where walks come to all orbits', async () => {
    const analysis = analysisOf(await peterson(2));
    const ratio = statesOf(analysis, 'none') / statesOf(analysis, 'unique');
    expect(ratio).toBeGreaterThan(1);
    expect(estimateOf(analysis)?.statesPerOrbit).toBeCloseTo(ratio, 9);
});

test('nothing is estimated where the time is up or no symmetry is used', async () => {
    const { sequential, symmetry } = analysisOf(await tokenRing(4));
    invariant(sequential !== undefined && symmetry !== undefined, 'the model has no errors');
    const { explorationGroup } = symmetry;
    expect(estimateReduction(sequential, explorationGroup, { isExhausted: () => true })).toBeUndefined();
    const trivial = { ...explorationGroup, generators: [], order: 1n };
    expect(estimateReduction(sequential, trivial, UNLIMITED)).toBeUndefined();
});
