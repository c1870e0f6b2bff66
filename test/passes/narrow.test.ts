/** Fewer bits for variables that have fewer values, and nothing lost where a step holds more in between. */
import { expect, test } from 'vitest';
import { exploreText } from './explore-text.js';

test('a variable has as many bits as values that occur', async () => {
    const { report, passes } = await exploreText(
        'model Few allow deadlock var x: 0 .. 200 = 10 process P { loop { when x < 13 { x := x + 1 } } }',
        { passes: ['narrow'] },
    );
    // 10 to 13 are four values; 201 of them take eight bits.
    expect(passes).toEqual([{ name: 'narrow', bitsSaved: 6 }]);
    expect(report).toMatchObject({ verdict: 'holds', states: 4, transitions: 3 });
});

test('a constant takes no bits and keeps its value, also in a trace', async () => {
    const { report, passes } = await exploreText(
        'model Constant allow deadlock var c: 0 .. 100 = 70 var x: bool = false process P { flip: when !x { x := c > 60 } } invariant never = !x',
        { passes: ['narrow'] },
    );
    expect(passes).toEqual([{ name: 'narrow', bitsSaved: 7 }]);
    expect(report.violations.map(({ name }) => name)).toEqual(['never']);
    expect(report.violations[0]?.trace.map(({ state }) => state['c'])).toEqual([70, 70]);
});

test('what a variable holds in the middle of a step is not cut off', async () => {
    const { report } = await exploreText(
        `model Between allow deadlock
         var x: 0 .. 200 = 0 var y: 0 .. 200 = 0 var z: 0 .. 3 = 3
         process P { loop { step: { x := 200; y := x; x := 0 } } }
         invariant kept = x == 0 && z == 3 && (y == 0 || y == 200)`,
        { passes: ['narrow'] },
    );
    expect(report).toMatchObject({ verdict: 'holds', states: 2 });
});

test('a value that only a step sees that is a fault makes it one', async () => {
    const seen = await exploreText(
        'model Seen var y: 0 .. 7 in {0, 5} var x: 0 .. 7 = 0 process P { loop { step: { x := y; assert x == 0 } } }',
        { passes: ['narrow'] },
    );
    expect(seen.report.violations.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['fault assert']);
    // Here x, which only ever is 0, lies between two others that decide whether the step is a fault.
    const unseen = await exploreText(
        `model Unseen var a: bool = true var x: 0 .. 7 = 0 var b: bool = true var y: 0 .. 7 in {0, 5}
         process P { loop { step: { x := y; assert a && b; assert y == 0 } } }`,
        { passes: ['narrow'] },
    );
    expect(unseen.report.violations.map(({ name }) => name)).toEqual(['assert']);
    expect(unseen.report.violations[0]?.trace.at(-1)?.state).toMatchObject({ a: true, x: 0, b: true, y: 5 });
});

test('a value that is cut off in a step that is a fault does not reach into its neighbor', async () => {
    // x only ever is 0 or 1; with a beside it, 3 in its place would make a true.
    const { report } = await exploreText(
        `model Neighbor var a: bool in {false, true} var x: 0 .. 7 = 0 var y: 0 .. 7 in {0, 1, 3} var q: 0 .. 7 = 0
         process P { loop { step: { x := y; assert !a; q := 6 div (3 - y) } } }`,
        { passes: ['narrow'] },
    );
    expect(report.violations.map(({ name }) => name).sort()).toEqual(['assert', 'division']);
});

test('elements of an array that are narrowed are found by an index', async () => {
    const { report } = await exploreText(
        `model Elements allow deadlock
         type Id = 0 .. 3
         var x: 0 .. 100[Id] = 50
         process P { loop { choose i in Id where x[i] < 52 { x[i] := x[i] + 1 } } }
         invariant few = forall i in Id: x[i] in {50, 51, 52}`,
        { passes: ['narrow'] },
    );
    expect(report).toMatchObject({ verdict: 'holds', states: 81 });
});

test('a local that is dead between all steps takes no bits', async () => {
    const { report, passes } = await exploreText(
        `model Within
         type Id = 0 .. 6
         var last: Id = 0
         process P { loop { choose i in Id where i != last { when i != 3 { last := i } } } }`,
        { passes: ['narrow'] },
    );
    // What is chosen is no part of the state; `last` is never 3.
    expect(report).toMatchObject({ verdict: 'holds', states: 6, transitions: 30 });
    expect(passes.map(({ name }) => name)).toEqual(['narrow']);
});
