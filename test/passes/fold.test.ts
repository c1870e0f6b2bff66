/** Steps that are never taken go, and nothing that anybody could notice. */
import { expect, test } from 'vitest';
import { exploreText } from './explore-text.js';

test('a step whose test is false in all states goes, and a test that always holds', async () => {
    const { report, passes } = await exploreText(
        `model Never
         var on: bool = false var x: 0 .. 3 = 0
         process P { loop { choose { when on { x := 3 } } or { when !on && x < 2 { x := x + 1 } } or { when x == 2 { x := 0 } } } }`,
        { passes: ['fold'] },
    );
    expect(passes).toMatchObject([{ name: 'fold', stepsDropped: 1 }]);
    expect(report).toMatchObject({ verdict: 'holds', states: 3, transitions: 3 });
});

test('a fault in front of a test that is always false stays', async () => {
    const text = `model Behind
         var on: bool = false var x: 0 .. 1 = 0
         process P { loop { choose { if 1 div x == 1 { when on { x := 0 } } } or { x := 1 - x } } }`;
    for (const passes of [[], ['fold']] as const) {
        const { report } = await exploreText(text, { passes });
        expect(report.violations.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['fault division']);
        expect(report).toMatchObject({ states: 2, transitions: 3 });
    }
});

test('an invariant that is known to hold is not checked, one that may be a fault is', async () => {
    const { report } = await exploreText(
        `model Known allow deadlock
         var x: 0 .. 9 = 0
         process P { when x == 0 { x := 2 } }
         invariant small = x <= 2
         invariant divides = 2 div x >= 0`,
        { passes: ['fold'] },
    );
    expect(report.violations.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['fault division']);
});
