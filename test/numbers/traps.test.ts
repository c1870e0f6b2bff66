/** Texts on which a careless form of numbers without end loses a violation or finds one that is not there. */
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { findSymmetries } from '../../engine/pipeline.js';
import { loadModel } from '../../language-server/load-model.js';
import { compareCode } from './compare-code.js';
import { explored, isExact } from './explored.js';
import { inStep } from './texts.js';

interface Trap {
    readonly name: string;
    readonly text: string;
    readonly verdict: 'holds' | 'violated' | 'undecided';
    readonly isExact?: boolean;
    readonly states?: number;
    /** All classes, also where a violation ends the search. */
    readonly all?: number;
    /** Where distances begin to be one, at the end. */
    readonly kept?: number;
    /** How often states are searched until enough is kept. */
    readonly searches?: number;
    /** The steps of the run. */
    readonly steps?: number;
}

const TRAPS: readonly Trap[] = [
    {
        name: 'the order alone is not enough: what goes up once passes what went up twice',
        text: `var a: nat = 0
            var b: nat = 0
            process P { loop { choose { up: a := a + 1 } or { go: when b < a; break } } one: b := b + 1; look: assert !(b < a) }
            allow deadlock`,
        verdict: 'violated',
        steps: 5,
        // By the order alone five, in none of which b is less.
        all: 6,
    },
    {
        name: 'distances that a comparison looks at are kept',
        text: `var a: nat = 0
            var b: nat = 0
            process P { loop { up: when a < b + 3 { a := a + 1 } } }
            allow deadlock`,
        verdict: 'holds',
        states: 4,
        isExact: true,
    },
    {
        name: 'zero is not moved away where it is compared',
        text: `var a: nat = 1
            var b: nat = 0
            process P { loop { copy: b := a } }
            invariant zero = a != b || b != 0`,
        verdict: 'holds',
        states: 2,
        isExact: true,
    },
    {
        name: 'a constant that is assigned falls into a long distance',
        text: `var x: nat = 0
            var y: nat = 0
            var isSet: bool = false
            process P { loop { up: when !isSet { x := x + 1 } } }
            process Q { set: { y := 2; isSet := true } }
            invariant near = !isSet || x <= y + 2
            allow deadlock`,
        verdict: 'violated',
        steps: 6,
        // x is 0, 1, 2, 3 or more; behind the assignment it is 0, 1, 2, 3, 4, or five and more.
        all: 10,
    },
    {
        name: 'a constant falls into the long distance above a zero that no place holds',
        text: `var x: nat = 0
            var y: nat? = none
            process P { loop { up: when y == none { x := x + 1 } } }
            process Q { set: y := 2 }
            invariant near = y == none || x <= y + 2
            allow deadlock`,
        verdict: 'violated',
        steps: 6,
        all: 10,
    },
    {
        name: 'so it does where the numbers need more than one word',
        text: `var x: nat = 0
            var y: nat? = none
            process P { loop { up: when y == none { x := x + 1 } } }
            process Q { set: y := 2 }
            invariant near = y == none || x <= y + 75
            allow deadlock`,
        verdict: 'violated',
        steps: 79,
    },
    {
        name: 'a constant that is compared is kept',
        text: `var x: nat = 0
            process P { loop { up: x := x + 1 } }
            invariant five = x != 5`,
        verdict: 'violated',
        steps: 5,
    },
    {
        name: 'a constant that is assigned is kept',
        text: `var x: nat = 0
            var y: nat = 0
            process P { one: x := 3; two: y := 3; look: assert x == y }
            allow deadlock`,
        verdict: 'holds',
        isExact: true,
        kept: 4,
        searches: 1,
    },
    {
        name: 'adding three reaches three far',
        text: `var x: nat = 0
            var y: nat = 0
            var phase: 0 .. 2 = 0
            process P {
                loop {
                    choose { up: when phase == 0 { x := x + 1 } }
                    or { go: when phase == 0 { phase := 1 } }
                    or { leap: when phase == 1 { y := y + 3; phase := 2 } }
                }
            }
            invariant beyond = phase < 2 || x <= y
            allow deadlock`,
        verdict: 'violated',
        steps: 6,
        // Four distances before the leap, twice, and then those from three below to three above.
        all: 15,
    },
    {
        name: 'rests are kept',
        text: `var v: nat = 0
            process P { loop { up: v := v + 1 } }
            invariant even = v mod 2 == 0`,
        verdict: 'violated',
        steps: 1,
    },
    {
        name: 'rests are kept where the least number passes the modulus at once',
        text: `var v: nat = 0
            process P { loop { up: v := v + 3 } }
            invariant even = v mod 2 == 0`,
        verdict: 'violated',
        steps: 1,
    },
    {
        name: 'two numbers that move in step with two others are beyond what is kept',
        text: inStep('look: assert y == c'),
        verdict: 'undecided',
    },
    {
        name: 'a run with real numbers need not take the way on which a class was found first',
        text: `var x: nat = 8
            var y: nat = 0
            var z: nat = 0
            process P { loop { choose { up: y := y + 1 } or { on: z := z + 1 } or { away: x := z } } }
            invariant far = !(x + 3 < y)`,
        verdict: 'violated',
        steps: 5,
    },
    {
        name: 'two up and two up are equal',
        text: `var a: nat = 0
            var b: nat = 0
            process P { loop { a1: a := a + 1; a2: a := a + 1; b1: b := b + 1; b2: { b := b + 1; assert a == b } } }`,
        verdict: 'holds',
        isExact: true,
        states: 4,
        // With distances from two on as one, they need not be equal.
        kept: 3,
        searches: 2,
    },
    {
        name: 'a dead local holds no number',
        text: `process P { var m: nat loop { set: m := m0; use: assert m == m0 } }
            var m0: nat = 0`,
        verdict: 'holds',
        states: 2,
    },
    {
        name: 'first values that nobody compares tell nothing',
        text: `var x: nat = 5
            var y: nat = 0
            process P { loop { rest: skip } }`,
        verdict: 'holds',
        states: 1,
    },
    {
        name: 'a first value that nobody compares is no zero that the text tells',
        text: `var x: nat = 0
            process P { loop { up: x := x + 1 } }`,
        verdict: 'holds',
        states: 1,
    },
    {
        name: 'a message holds its number',
        text: `channel c: 1 of nat
            var x: nat = 0
            process S { loop { send: c ! x; up: x := x + 1 } }
            process R { var got: nat loop { take: c ? got; look: assert got <= x } }`,
        verdict: 'holds',
    },
    {
        name: 'a place of a sequence holds its number',
        text: `var q: seq 2 of nat = []
            var x: nat = 0
            process P {
                loop {
                    choose { put: when x > 0 && len(q) < 2 { q := append(q, x) } }
                    or { up: x := x + 1 }
                    or { take: when len(q) > 0 { assert head(q) + 2 >= x; q := tail(q) } }
                }
            }`,
        verdict: 'violated',
        steps: 6,
    },
    {
        name: 'a field of a case holds its number',
        text: `enum M = { nil, ask(n: nat) }
            var e: M = nil
            var x: nat = 0
            process P {
                loop {
                    choose { put: e := ask(x) }
                    or { up: x := x + 1 }
                    or { take: when e is ask { assert e.n + 2 >= x; e := nil } }
                }
            }`,
        verdict: 'violated',
        steps: 5,
    },
    {
        name: 'a message that waits holds its number',
        text: `channel c: 1 of nat
            var x: nat = 0
            process S { loop { choose { send: c ! x } or { up: x := x + 1 } } }
            process R { var got: nat loop { take: c ? got; look: assert got + 2 >= x } }`,
        verdict: 'violated',
        steps: 6,
    },
    {
        name: 'a parameter of an instance holds its number',
        text: `var x: nat = 0
            process M { make: spawn W(x); loop { up: x := x + 1 } }
            process W(t: nat) { look: assert x <= t + 2 }`,
        verdict: 'violated',
        steps: 5,
    },
    {
        name: 'the first value of a local is one that the text tells',
        text: `var x: nat = 0
            process P { loop { choose { up: x := x + 1 } or { go: skip; break } } var h: nat = 0 rest: skip; look: assert h == x }
            allow deadlock`,
        verdict: 'violated',
        steps: 4,
    },
    {
        name: 'numbers that a property alone compares are one sort',
        text: `var x: nat = 0
            var y: nat = 0
            process P { loop { choose { up: x := x + 1 } or { on: y := y + 1 } } }
            invariant near = x <= y + 2`,
        verdict: 'violated',
        steps: 3,
    },
    {
        name: 'a constant through max is one of the constants',
        text: `var x: nat = 0
            var y: nat = 0
            process P { loop { choose { up: x := x + 1 } or { on: y := y + 1 } } }
            invariant far = !(max(x, 3) + 4 < y)`,
        verdict: 'violated',
        steps: 8,
    },
    {
        name: 'sums through max over an array',
        text: `type I = 1 .. 2
            var a: nat[I] = 0
            var y: nat = 0
            process P { loop { choose { up: y := y + 1 } } }
            invariant far = !(max(i in I: a[i] + 2) + 2 < y)`,
        verdict: 'violated',
        steps: 5,
    },
    {
        name: 'operands of max below mod are compared',
        text: `var x: nat = 0
            var y: nat = 0
            process P { loop { up: x := x + 2 } }
            invariant rest = max(x, y + 5) mod 2 == 1`,
        verdict: 'violated',
        steps: 3,
    },
    {
        name: 'operands of min below mod are compared',
        text: `var x: nat = 0
            process P { loop { up: x := x + 1 } }
            invariant rest = !(min(x, 1) mod 4 == 1 && x mod 4 == 0)`,
        verdict: 'violated',
        steps: 4,
    },
    {
        name: 'rests of long distances are kept',
        text: `var x: nat = 0
            var y: nat = 0
            process P { loop { up: x := x + 2 } }
            invariant even = x mod 2 == y mod 2 && (x == y + 2 implies y < x)`,
        verdict: 'holds',
        isExact: true,
        // From three on the odd distances are one, and so are the even ones: there are 0, 2, and even from four on.
        states: 3,
        kept: 3,
    },
    {
        name: 'a distance that is kept with its rest is opened by the modulus, however little is added',
        text: `var x: nat = 0
            var y: nat = 0
            process P {
                loop { choose { up: x := x + 1 } or { go: skip; break } }
                one: y := y + 1;
                look: assert !(y < x && x mod 2 == 1)
            }
            allow deadlock`,
        verdict: 'violated',
        // x goes up to 3.
        steps: 6,
    },
    {
        name: 'sums in a loop that is unrolled open several distances at once',
        text: `type I = 1 .. 2
            var x: nat[I] = 0
            var y: nat = 0
            var z: nat = 0
            process P {
                loop { choose { a: x[2] := x[2] + 1 } or { b: y := y + 1 } or { c: z := z + 1 } or { go: skip; break } }
                all: { for i in I { x[i] := x[i] + 1 } }
                look: assert !(x[1] + 1 < y && y < x[2] && x[2] + 1 < z)
            }
            allow deadlock`,
        verdict: 'violated',
        // Before all of them go up, x[1] is 0, x[2] and y are 3, and z is 6.
        steps: 15,
    },
    {
        name: 'a sum beside a constant opens two distances at once',
        text: `var x: nat = 0
            var y: nat = 0
            var z: nat = 0
            process P {
                loop { choose { up: x := x + 1 } or { on: z := z + 1 } or { go: skip; break } }
                both: { z := z + 1; y := 2 }
                look: assert !(y + 2 < z && z + 2 < x)
            }
            allow deadlock`,
        verdict: 'violated',
        // z goes to 4 and then to 5, x to 8.
        steps: 15,
    },
    {
        name: 'one sum in each of two sorts opens a distance in both',
        text: `var a: nat = 0
            var b: nat = 0
            var c: nat = 0
            var d: nat = 0
            process P {
                loop { choose { up: a := a + 1 } or { on: c := c + 1 } or { go: skip; break } }
                both: { b := b + 1; d := d + 1 }
                look: assert !(b < a && d < c)
            }
            allow deadlock`,
        verdict: 'violated',
        steps: 7,
    },
    {
        name: 'the sums of both sides of a rendezvous open two distances at once',
        text: `channel c: 0 of bool
            var a: nat = 0
            var b: nat = 0
            var x: nat = 0
            var y: nat = 0
            var isDone: bool = false
            process P { loop { choose { up: a := a + 1 } or { on: b := b + 1 } or { go: skip; break } } send: c ! true { x := x + 1 } }
            process Q { take: c ? isDone { y := y + 1 } }
            invariant near = !isDone || !(x < a && y < b)
            allow deadlock`,
        verdict: 'violated',
        steps: 6,
    },
];

test.each(TRAPS)('$name', async ({ text, verdict, states, all, kept, searches, steps, isExact: exact }) => {
    const report = await explored(text);
    expect(report.verdict).toBe(verdict);
    if (states !== undefined) {
        expect(report.states).toBe(states);
    }
    if (all !== undefined) {
        expect((await explored(text, { continueAfterViolation: true })).states).toBe(all);
    }
    if (kept !== undefined) {
        expect(new Set(report.numbers?.map(sort => sort.kept))).toEqual(new Set([kept]));
    }
    if (searches !== undefined) {
        expect(report.growthRounds).toBe(searches);
    }
    if (steps !== undefined) {
        expect(report.violations.map(({ trace }) => trace.length - 1)).toEqual([steps]);
    }
    if (exact !== undefined) {
        expect(isExact(report)).toBe(exact);
    }
    expect(await compareCode(text, 3000)).toBeDefined();
});

// The two tests say the same, the first by a larger constant. Both go up twice before one of them comes back by one.
test('numbers that symmetries exchange are of one kind', async () => {
    const text = `
        type I = 1 .. 2
        var low: nat[I] = 0
        var up: nat[I] = 0
        var isUp: bool[I] = false
        var isBack: bool[I] = false
        var isFar: bool[I] = false
        process P[i: I] {
            first: low[i] := low[i] + 1;
            second: { low[i] := low[i] + 1; isUp[i] := true }
            back: when isUp[1] && isUp[2] { up[i] := up[i] + 1; isBack[i] := true }
        }
        process Q {
            loop {
                choose { one: when isBack[1] && !isFar[1] && !(low[1] < up[1] + 1) { isFar[1] := true } }
                or { two: when isBack[2] && !isFar[2] && !(low[2] <= up[2]) { isFar[2] := true } }
            }
        }
        invariant near = !(isFar[1] && isFar[2])
        allow deadlock`;
    for (const reduction of ['unique', 'none'] as const) {
        const { verdict, violations, numbers } = await explored(text, { reduction });
        expect([verdict, violations.map(({ trace }) => trace.length - 1)]).toEqual(['violated', [8]]);
        expect(numbers?.map(({ kept }) => kept)).toEqual([2, 2]);
    }
});

test.each([
    [
        'a first value beyond the others makes no step dead',
        `var x: nat = 60
        var y: nat = 0
        var z: nat = 0
        var isFar: bool = false
        process P { loop { choose { up: y := y + 1 } or { on: z := z + 1 } or { see: when x + 3 < y { isFar := true } } } }`,
    ],
    [
        'a rest and an order together need more numbers than each of them',
        `var x: nat = 0
        var y: nat = 0
        var isSeen: bool = false
        process P { loop { choose { up: x := x + 1 } or { on: y := y + 1 } or { see: when x mod 6 == 5 && y < x { isSeen := true } } } }`,
    ],
    [
        'a chain of distances needs as many numbers as all of its links',
        `var w: nat = 0
        var x: nat = 0
        var y: nat = 0
        var z: nat = 0
        var isSeen: bool = false
        process P {
            loop {
                choose { a: w := w + 1 } or { b: x := x + 1 } or { c: y := y + 1 } or { d: z := z + 1 }
                or { see: when w + 3 < z && z + 3 < y && y + 3 < x { isSeen := true } }
            }
        }`,
    ],
    [
        'numbers that are only equal or not, and copied, are not exchanged',
        `var x: nat = 0
        var y: nat = 1
        var z: nat = 2
        process P { loop { choose { a: when x != y { x := y } } or { b: when x == y { y := z } } or { c: z := x } } }`,
    ],
    [
        'numbers that are only compared and copied are not exchanged',
        `var x: nat = 0
        var y: nat = 1
        process P { loop { choose { a: when x < y { x := y } } or { b: y := y + 1 } } }`,
    ],
])('%s, so nothing is exchanged', async (_, text) => {
    const { model } = await loadModel(text, 'file:///test.orbit');
    const analysis = model && findSymmetries(model, { now: () => 0, workLimit: UNLIMITED });
    expect(analysis?.symmetry?.group.order).toBe(1n);
});

test('an undecided search says where the real run ends, and shows no other one', async () => {
    const { limit, violations } = await explored(TRAPS.find(({ verdict }) => verdict === 'undecided')?.text ?? '');
    expect(violations).toEqual([]);
    expect(limit).toMatchObject({ kind: 'notReal', found: 'assert' });
    expect(limit?.trace?.length).toBeGreaterThan(1);
});

test('a deadlock of stored states that no real run comes to is not told', async () => {
    const text = inStep('look: when y == c; loop { rest: skip }').replace('allow deadlock', '');
    const { verdict, limit, violations } = await explored(text);
    expect([verdict, violations]).toEqual(['undecided', []]);
    expect(limit).toMatchObject({ kind: 'notReal', found: 'deadlock' });
});

// Each pair of numbers is a sort of its own, and the first pair alone shows what is not real.
test('sorts of one kind keep their distances further together', async () => {
    const text = `
        type I = 1 .. 2
        var a: nat[I] = 0
        var b: nat[I] = 0
        process P[i: I] { loop {
            a1: a[i] := a[i] + 1;
            a2: a[i] := a[i] + 1;
            b1: b[i] := b[i] + 1;
            b2: { b[i] := b[i] + 1; assert a[i] == b[i] }
        } }`;
    const { verdict, states, growthRounds, numbers = [] } = await explored(text, { reduction: 'unique' });
    // Multisets of two of four places.
    expect([verdict, states, numbers.map(({ kept }) => kept)]).toEqual(['holds', 10, [3, 3]]);
    expect(growthRounds).toBe(2);
});

test.each([
    ['are the same if zero is compared', 'step == 0 || x != 0', 'deadlock', 2100],
    ['keep their rests', 'step < 2100 || x mod 2 == 1', 'said', 2100],
])('numbers of a run beyond two thousand %s', async (_, condition, name, steps) => {
    const { violations } = await explored(`
        var step: 0 .. 2100 = 0
        var x: nat = 0
        process P { loop { up: when step < 2100 { step := step + 1; x := x + 1 } } }
        invariant said = ${condition}`);
    expect(violations.map(violation => [violation.name, violation.trace.length - 1])).toEqual([[name, steps]]);
});

// So many states, one behind the other, are more than calls within calls.
test('a run of twenty thousand steps is told', async () => {
    const text = `
        var step: 0 .. 20000 = 0
        var x: nat = 0
        process P { loop { up: when step < 20000 { step := step + 1; x := x + 1 } } }`;
    const { verdict, violations } = await explored(text);
    expect(verdict).toBe('violated');
    expect(violations.map(({ name, trace }) => [name, trace.length - 1])).toEqual([['deadlock', 20000]]);
});

test.each([
    [
        'so many steps lie between two first values',
        `var x: nat = 8
         var y: nat
         var n: 0 .. 20 = 0
         process P { loop { up: when y < x && n < 20 { y := y + 1; n := n + 1 } } }
         allow deadlock
         invariant i = x == y implies n == 8`,
        'n == 8',
        'n != 8',
    ],
    [
        'a step of two comes to a first value that is even',
        `var x: nat = 8
         var y: nat
         process P { loop { choose { up: when y < x { y := y + 2 } } or { look: when y >= x { assert y == x } } } }
         allow deadlock`,
        'nat = 8',
        'nat = 7',
    ],
    [
        'one that goes along is as far ahead as at first',
        `var x: nat = 8
         var y: nat
         var w: nat = 4
         process P { loop { up: when y < x { y := y + 1; w := w + 1 } } }
         allow deadlock
         invariant i = y == x implies x + 1 < w`,
        'w: nat = 4',
        'w: nat = 1',
    ],
])('first values that are far apart: %s', async (_, text, right, wrong) => {
    expect(text).toContain(right);
    for (const reduction of ['none', 'unique'] as const) {
        expect(await explored(text, { reduction })).toMatchObject({ verdict: 'holds' });
        expect(await explored(text.replace(right, wrong), { reduction })).toMatchObject({ verdict: 'violated' });
    }
});
