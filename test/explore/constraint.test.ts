/** What a constraint cuts off, interpreted and compiled, with and without symmetries. */
import { expect, test } from 'vitest';
import { createRandom } from '../../engine/common/random.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { simulate } from '../../engine/explore/simulate.js';
import type { ExplorationReport } from '../../engine/explore/verdict.js';
import { startExploration, type Analysis, type Reduction } from '../../engine/pipeline.js';
import { analysisOf, sequentialOf, symmetryOf } from '../model-of-text.js';

function explored(analysis: Analysis, reduction: Reduction, isInterpreted: boolean): ExplorationReport {
    const started = startExploration(analysis, { reduction, continueAfterViolation: true, isInterpreted }, UNLIMITED);
    expect(started.interpretedBecause === undefined).toBe(!isInterpreted);
    started.exploration.advance(UNLIMITED);
    return started.exploration.result().report!;
}

/** Counters of three processes up to 2 each, and 3 together. */
const COUNTERS = `
    type P = 0 .. 2
    var n: 0 .. 9[P] = 0
    constraint (forall i in P: n[i] <= 2) && sum(i in P: n[i]) <= 3
    process Count[i: P] { loop { up: n[i] := n[i] + 1 } }`;

test.each([true, false])(
    'firings that lead outside are counted, and are neither transitions nor deadlocks',
    async is => {
        const report = explored(await analysisOf(COUNTERS), 'none', is);
        // (0, 0, 0); three with sum 1; six with sum 2; seven with sum 3, since (3, 0, 0) and its like are outside.
        expect(report).toMatchObject({ verdict: 'holds', states: 17, deadlocks: 0 });
        // 3 from 000; from each 100 three; from each 200 two, from each 110 three: 3 + 9 + 6 + 9.
        expect(report.transitions).toBe(27);
        expect(report.outside).toBe(3 * 17 - 27);
        const reduced = explored(await analysisOf(COUNTERS), 'unique', is);
        // 000, 100, 200, 110, 210, 111, with three firings each; transitions are counted from these.
        expect(reduced).toMatchObject({ states: 6, transitions: 11, outside: 3 * 6 - 11 });
    },
);

test('a constraint that names one process leaves the symmetries of the others', async () => {
    const orderOf = async (text: string): Promise<string> => (await symmetryOf(text)).report.order.toString();
    expect(await orderOf(COUNTERS)).toBe('6');
    expect(await orderOf(COUNTERS.replace('constraint', 'constraint n[0] < 2\n    constraint'))).toBe('2');
});

test('a fault comes before the constraint, and a fault of the constraint is one of the step', async () => {
    const text = 'var n: 0 .. 3 = 0 constraint n < 3 process P { loop { n := n + 2 } }';
    const { violations } = explored(await analysisOf(text), 'none', false);
    expect(violations.map(({ kind, name, trace }) => [kind, name, trace.length])).toEqual([['fault', 'range', 3]]);
    const faulty = 'var n: 0 .. 3 = 1 constraint 6 div n > 2 process P { l: n := 0 }';
    const report = explored(await analysisOf(faulty), 'none', true);
    expect(report.violations.map(({ kind, name }) => [kind, name])).toEqual([['fault', 'division']]);
});

test('an invariant is not asked outside', async () => {
    const text = 'var n: 0 .. 9 = 0 constraint n <= 4 process P { loop { n := n + 1 } } invariant small = n < 5';
    expect(explored(await analysisOf(text), 'none', false)).toMatchObject({ verdict: 'holds', states: 5, outside: 1 });
});

test('a joint step is asked of once, with what all have written', async () => {
    const text = `
        event meet
        var n: 0 .. 9[2] = 0
        constraint n[0] + n[1] < 5
        process P[i: 0 .. 1] { loop { meet { n[i] := n[i] + 1 } } }`;
    for (const isInterpreted of [true, false]) {
        // (0, 0), (1, 1), (2, 2).
        expect(explored(await analysisOf(text), 'none', isInterpreted)).toMatchObject({ states: 3, outside: 1 });
    }
});

test('a walk takes no step that leads outside, and ends where all do', async () => {
    const model = await sequentialOf('var n: 0 .. 9 = 0 constraint n <= 4 process P { loop { n := n + 1 } }');
    const walk = simulate(model, { random: createRandom(1), steps: 100 });
    expect(walk).toMatchObject({ kind: 'walk', end: { kind: 'outside' } });
    expect(walk.kind === 'walk' && walk.trace.length).toBe(5);
});
