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
    /** The steps of the run. */
    readonly steps?: number;
}

const TRAPS: readonly Trap[] = [
    {
        name: 'the order alone is not enough: what goes up once passes what went up twice',
        text: `var a: nat = 0
            var b: nat = 0
            process P { loop { choose { up: a := a + 1 } or { go: skip; break } } one: b := b + 1; look: assert !(b < a) }
            allow deadlock`,
        verdict: 'violated',
        steps: 5,
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
            process P { loop { swap: skip } }
            invariant zero = b == 0 && a != b`,
        verdict: 'holds',
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
        name: 'adding three reaches three far',
        text: `var x: nat = 0
            var y: nat = 0
            process P { loop { choose { up: x := x + 1 } or { go: skip; break } } leap: y := y + 3; look: assert y != x + 2 }
            allow deadlock`,
        verdict: 'violated',
        steps: 4,
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
            process P { a1: a := a + 1; a2: a := a + 1; b1: b := b + 1; b2: b := b + 1; look: assert a == b }
            allow deadlock`,
        verdict: 'holds',
        isExact: true,
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
        name: 'a message holds its number',
        text: `channel c: 1 of nat
            var x: nat = 0
            process S { loop { send: c ! x; up: x := x + 1 } }
            process R { var got: nat loop { take: c ? got; look: assert got <= x } }`,
        verdict: 'holds',
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
            process P { loop { choose { up: x := x + 1 } or { go: skip; break } } one: y := y + 1; look: assert x mod 2 == y mod 2 }
            allow deadlock`,
        verdict: 'violated',
    },
    {
        name: 'sums in a loop that is unrolled open several distances at once',
        text: `type I = 1 .. 2
            var x: nat[I] = 0
            var y: nat = 0
            process P {
                loop { choose { up: y := y + 1 } or { on: x[1] := x[1] + 1 } or { go: skip; break } }
                all: { for i in I { x[i] := x[i] + 1 } }
                look: assert !(x[1] == y && x[2] + 2 < y)
            }
            allow deadlock`,
        verdict: 'violated',
    },
];

test.each(TRAPS)('$name', async ({ text, verdict, states, steps, isExact: exact }) => {
    const report = await explored(text);
    expect(report.verdict).toBe(verdict);
    if (states !== undefined) {
        expect(report.states).toBe(states);
    }
    if (steps !== undefined) {
        expect(report.violations.map(({ trace }) => trace.length - 1)).toEqual([steps]);
    }
    if (exact !== undefined) {
        expect(isExact(report)).toBe(exact);
    }
    expect(await compareCode(text, 3000)).toBeDefined();
});

// Each of two processes keeps numbers of its own, which are kept alike because the two change places.
test('numbers that symmetries exchange are of one kind', async () => {
    const text = `
        type I = 1 .. 2
        var low: nat[I] = 0
        var up: nat[I] = 0
        process P[i: I] { loop { choose { a: low[i] := low[i] + 1 } or { b: up[i] := up[i] + 1 } } }
        process Q { loop { choose { test: when low[1] <= up[1] { skip } } or { other: when low[2] < up[2] + 1 { skip } } } }
        invariant near = !(low[1] >= up[1] + 4 && low[2] >= up[2] + 4)`;
    const [none, unique] = [await explored(text), await explored(text, { reduction: 'unique' })];
    expect([none.verdict, unique.verdict]).toEqual(['violated', 'violated']);
    expect(unique.violations.map(({ trace }) => trace.length - 1)).toEqual([8]);
    expect(new Set(unique.numbers?.map(({ kept }) => kept)).size).toBe(1);
});

test.each([
    [
        'a first value beyond the others makes no step dead',
        `var x: nat = 8
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
