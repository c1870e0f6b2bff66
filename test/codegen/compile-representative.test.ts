/** Representatives in generated code are those that the canonicalizer finds, so the whole report is the same. */
import { expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { compileModel } from '../../engine/codegen/compiled-model.js';
import { analyze, startExploration } from '../../engine/pipeline.js';
import { representativesOf } from '../../engine/symmetry/representatives.js';
import { diningPhilosophers, tokenRing } from '../arbitrary/published-models.js';

test.each([
    // 25, 60 and 100 bits: one word and two.
    ['5 philosophers', diningPhilosophers(5), 2000],
    ['12 philosophers', diningPhilosophers(12), 4000],
    ['20 philosophers', diningPhilosophers(20), 1500],
])('the rotations of %s', (_name, model, maxStates) => {
    const analysis = analyze(model, { now: () => 0, workLimit: UNLIMITED, explain: false });
    const { sequential, symmetry } = analysis;
    invariant(sequential !== undefined && symmetry !== undefined, 'the model has symmetries');
    const canonicalizer = representativesOf(symmetry.explorationGroup);
    expect(canonicalizer.strategy.name).toBe('list');
    expect(canonicalizer.cellPermutations?.length).toBe(Number(symmetry.explorationGroup.order) - 1);
    expect(compileModel(sequential, { canonicalizer })).toMatchObject({ kind: 'compiled', isReducing: true });
    const [expected, actual] = [true, false].map(isInterpreted => {
        const options = { reduction: 'unique', continueAfterViolation: true, maxStates, isInterpreted } as const;
        const { exploration } = startExploration(analysis, options, UNLIMITED);
        exploration.advance(UNLIMITED);
        const { report } = exploration.result();
        invariant(report !== undefined, 'there is a report');
        return { ...report, bytesPerState: 0, peakBytes: 0 };
    });
    expect(actual).toEqual(expected);
    expect(actual?.reduction).toEqual({ strategy: 'list', unique: true });
});

test('values that move with the cells are left to the canonicalizer', () => {
    const { sequential, symmetry } = analyze(tokenRing(3), { now: () => 0, workLimit: UNLIMITED, explain: false });
    invariant(sequential !== undefined && symmetry !== undefined, 'the model has symmetries');
    const canonicalizer = representativesOf(symmetry.explorationGroup);
    expect(canonicalizer.cellPermutations).toBeUndefined();
    expect(compileModel(sequential, { canonicalizer })).toMatchObject({ kind: 'compiled', isReducing: false });
});
