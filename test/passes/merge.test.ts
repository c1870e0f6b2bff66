/** Local steps that no one can observe are taken together with what leads to them. */
import { expect, test } from 'vitest';
import { exploreText } from './explore-text.js';

/** After each change of its switch a process does something for itself. */
const SWITCHES = (properties: string): string => `
model Switches
type Id = 0 .. 1
var on: bool[Id] = false
process P[i: Id] { loop { flip: { on[i] := !on[i] } rest: skip } }
${properties}`;

test('a state in front of such a step is not stored', async () => {
    const { report, passes } = await exploreText(SWITCHES(''), { passes: ['merge'] });
    expect(passes).toEqual([{ name: 'merge', stepsMerged: 2 }]);
    // By hand: two switches; with two places for each process 16.
    expect(report).toMatchObject({ states: 4, transitions: 8, depth: 2 });
    expect((await exploreText(SWITCHES(''), { passes: [] })).report.states).toBe(16);
});

test('what a property asks for is not merged, elsewhere is', async () => {
    const text = SWITCHES('invariant rests = !(P[0] at rest && !on[0])');
    const { report, passes } = await exploreText(text, { passes: ['merge'] });
    expect(passes).toEqual([{ name: 'merge', stepsMerged: 1 }]);
    // On and at rest, off and at rest: on and off, before the flip and after it, times the other switch.
    expect(report).toMatchObject({ states: 8, verdict: 'violated' });
    expect(report.violations[0]?.trace.map(({ step }) => step?.label)).toEqual([undefined, 'flip', 'rest', 'flip']);
});

test('a step that writes what a property reads is not merged', async () => {
    const { report, passes } = await exploreText(
        `model Local
         var on: bool = false
         process P { var k: 0 .. 1 = 0; loop { flip: { on := !on } up: { k := 1 } down: { k := 0 } } }
         process Q { loop { look: when on skip } }
         invariant zero = P.k == 0`,
        { passes: ['merge'] },
    );
    expect(passes).toEqual([{ name: 'merge', stepsMerged: 0 }]);
    expect(report.violations.map(({ name }) => name)).toEqual(['zero']);
});

test('where another process looks it is not merged', async () => {
    const { passes } = await exploreText(
        `${SWITCHES('')}\nprocess Q { loop { when P[0] at rest { on[1] := false } } }`,
        { passes: ['merge'] },
    );
    expect(passes).toEqual([{ name: 'merge', stepsMerged: 1 }]);
});

test('a trace has each step of its own', async () => {
    const { report } = await exploreText(SWITCHES('invariant one = !(on[0] && on[1])'), { passes: ['merge'] });
    const labels = report.violations[0]?.trace.map(({ step }) => `${step?.process ?? ''} ${step?.label ?? ''}`);
    expect(labels).toEqual([' ', 'P[0] flip', 'P[0] rest', 'P[1] flip', 'P[1] rest']);
});

test('a step that may be a fault is not merged', async () => {
    const counting = (bound: string): string => `
model Counts
var on: bool = false
process P { var k: 0 .. 3 = 0; loop { flip: { on := !on } if ${bound} { up: { k := k + 1 } } else { reset: { k := 0 } } } }
process Q { loop { look: when on skip } }`;
    // Where it is tested before, it is none.
    expect((await exploreText(counting('k < 3'), { passes: ['merge'] })).passes).toEqual([
        { name: 'merge', stepsMerged: 2 },
    ]);
    const { report, passes } = await exploreText(counting('k < 4'), { passes: ['merge'] });
    expect(passes).toEqual([{ name: 'merge', stepsMerged: 0 }]);
    expect(report.violations.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['fault range']);
});

test('both ways of a test are merged, and each state takes its own', async () => {
    const { report } = await exploreText(
        `model Ways
         var on: bool = false var odd: bool = false
         process P { var k: 0 .. 3 = 0; loop { flip: { on := !on } if k < 3 { up: { k := k + 1 } } else { reset: { k := 0 } } } }
         process Q { loop { look: when on { odd := !odd } } }`,
        { passes: ['merge'] },
    );
    // k counts the flips, so it says whether on: four times two for odd.
    expect(report).toMatchObject({ states: 8, verdict: 'holds' });
});

test('of steps in a circle some stay', async () => {
    const { report } = await exploreText(
        `model Circle
         var on: bool = false
         process P { loop { a: skip; b: skip; c: skip } }
         process Q { loop { flip: { on := !on } } }
         invariant off = !on`,
        { passes: ['merge'] },
    );
    expect(report.violations.map(({ name }) => name)).toEqual(['off']);
    expect(report.states).toBeLessThan(6);
});

test('what a partner of a joint step reads is not changed by what follows', async () => {
    const { report } = await exploreText(
        `model Joint allow deadlock
         channel c: 0 of 0 .. 3
         var got: 0 .. 3 = 0
         process S { var k: 0 .. 3 = 2; give: c ! k; reset: { k := 0 } again: { k := 1 } last: c ! k }
         process R { loop { take: c ? got } }
         invariant right = got in {0, 1, 2}`,
        { passes: ['merge'] },
    );
    expect(report).toMatchObject({ verdict: 'holds' });
    const { report: never } = await exploreText(
        `model Joint allow deadlock
         channel c: 0 of 0 .. 3
         var got: 0 .. 3 = 3
         process S { var k: 0 .. 3 = 2; give: c ! k; reset: { k := 0 } again: { k := 1 } last: c ! k }
         process R { loop { take: c ? got } }
         invariant two = got != 2
         invariant one = got != 1
         invariant zero = got != 0`,
        { passes: ['merge'] },
    );
    expect(never.violations.map(({ name }) => name).sort()).toEqual(['one', 'two']);
});

test('a deadlock behind merged steps is one', async () => {
    const { report } = await exploreText(
        `model Stops
         var on: bool = false
         process P { flip: { on := true } rest: skip; never: when !on skip }`,
        { passes: ['merge'] },
    );
    expect(report).toMatchObject({ states: 2, deadlocks: 1, verdict: 'violated' });
    expect(report.violations[0]?.trace.map(({ step }) => step?.label)).toEqual([undefined, 'flip', 'rest']);
});
