/** Models with numbers without end by generated code and by the interpreter. */
// @module-tag long
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cases } from '../cases.js';
import { numberModel } from '../arbitrary/number-models.js';
import { numberTemplateModel } from '../arbitrary/number-template-models.js';
import { compareCode, type ComparedReports, compareWithDistances } from './compare-code.js';
import { LARGE_ROWS, PAXOS } from './large-texts.js';
import { inStep, ROWS, TICKET } from './texts.js';

async function comparedFrom(first: number, count: number): Promise<ComparedReports[]> {
    const compared: ComparedReports[] = [];
    for (let seed = first; seed < first + count; seed++) {
        const reports = await compareCode(numberModel(seed), 3000);
        compared.push(...(reports === undefined ? [] : [reports]));
    }
    return compared;
}

test('random models have one report', async () => {
    const compared = await comparedFrom(1000, cases(40));
    const outcomes = new Set(compared.flatMap(each => each.outcomes));
    expect(['holds', 'violated', 'states'].filter(each => !outcomes.has(each))).toEqual([]);
    expect(new Set(compared.map(({ isExact }) => isExact))).toEqual(new Set([true, false]));
});

test('models that create processes have one report', async () => {
    for (let seed = 0; seed < cases(40, 10); seed++) {
        expect(await compareCode(numberTemplateModel(seed), 800)).toBeDefined();
    }
});

test('so they have with fewer distances than the text looks at, and the same states', async () => {
    let depending = 0;
    for (let seed = 3000; seed < 3000 + cases(60); seed++) {
        const compared = await compareWithDistances(numberModel(seed), 1 + (seed % 2), 2000);
        depending += compared?.steps.inexact.size ?? 0;
    }
    expect(depending).toBeGreaterThan(5);
});

test('all states that a search has passed are found again', async () => {
    expect((await compareWithDistances(PAXOS, 1, 40_000))?.steps.inexact.size).toBeGreaterThan(0);
});

test('steps that differ in what has an end, and in faults alone', async () => {
    const text = `
        var x: nat = 0
        var y: nat = 2
        var z: nat = 0
        var f: bool = false
        process P { loop { choose { up: when y < x + 9 { y := y + 1 } } or { look: { z := x + 3; f := z + 1 == y; y := z } }
            or { fail: { z := x + 3; assert z + 1 != y; y := z } } } }
        invariant same = !f`;
    const compared = await compareWithDistances(text, 2, 2000);
    expect(compared?.steps.inexact.size).toBe(2);
});

// By an interpreter in another language: with distances from one on as one there are 14 classes, two of them deadlocks.
test('what is found is not told if no real run shows it: the ticket lock of two processes with too few distances', async () => {
    const two = TICKET.replace('64 = 3', '64 = 2');
    const few = await compareWithDistances(two, 1, 2000);
    expect(few?.report).toMatchObject({ verdict: 'undecided', states: 14, deadlocks: 2, violations: [] });
    expect(few?.report?.limit?.kind).toBe('notReal');
    const enough = await compareWithDistances(two, 2, 2000);
    expect(enough?.report).toMatchObject({ verdict: 'holds', states: 9 });
    expect(enough?.steps.inexact.size).toBe(0);
});

test('and more of them', { tags: 'thorough', timeout: 600_000 }, async () => {
    expect((await comparedFrom(20_000, 150)).length).toBeGreaterThan(120);
});

test.each([...ROWS, ...LARGE_ROWS])('$name $parameters', async ({ text, parameters }) => {
    expect((await compareCode(text, cases(4000), parameters))?.outcomes).toHaveLength(9);
});

const ENDLESS = ['bakery', 'paxos', 'raft-election'].map(name => readFileSync(`models/${name}-endless.orbit`, 'utf8'));

test.each(ENDLESS)('a model of the repository', async text => {
    expect(await compareCode(text, cases(2000), text.includes('param P') ? {} : { N: 3 })).toBeDefined();
});

interface Nasty {
    readonly name: string;
    readonly text: string;
    /** What some search ends with. */
    readonly outcome: string;
    readonly searches?: number;
}

const NASTY: readonly Nasty[] = [
    {
        name: 'a step that adds to all numbers at once',
        text: `type I = 1 .. 3
            var x: nat[I] = 0
            var y: nat = 0
            process P { loop { choose { all: { for i in I { x[i] := x[i] + 1 } } } or { one: x[2] := x[2] + 2 } or { y: y := x[1] } or { back: when x[3] > y { x[3] := y; y := 1 } } } }
            invariant near = x[1] <= x[2] + 1 || x[2] == y
            allow deadlock`,
        outcome: 'holds',
    },
    {
        name: 'both sides of a rendezvous add, to numbers of two sorts and to what is sent',
        text: `type I = 1 .. 2
            channel c: 0 of nat
            var a: nat = 0
            var b: nat = 0
            var d: nat[I] = 0
            process P[i: I] { loop { choose { send: c ! a + 1 } or { up: when d[i] < b { d[i] := d[i] + 1 } } } }
            process Q { var m: nat loop { choose { take: c ? m { a := m; b := b + 1 } } or { fall: when d[1] == d[2] { b := 0; d[1] := 0; d[2] := 0; a := 0 } } } }
            allow deadlock`,
        outcome: 'holds',
    },
    {
        name: 'more cases of distances than are tried',
        text: `type I = 1 .. 9
            var x: nat[I] = [i in I: i]
            process P[i: I] { loop { up: x[i] := x[i] + 1 } }
            process All { loop { all: { for i in I { x[i] := x[i] + 1 } } } }
            invariant some = exists i in I: x[i] >= x[1]`,
        outcome: 'openings',
    },
    {
        name: 'more codes than fit into a long word',
        text: `var x: nat = 0
            var y: nat = 0
            var z: nat? = none
            process P { loop { choose { up: x := x + 1 } or { far: when x < y { x := x + 7 } } or { keep: z := x } or { on: when z != none { y := z + 1; z := none } } or { back: x := 100 } } }
            invariant apart = x != 150 && !(y == x + 20)`,
        outcome: 'states',
    },
    {
        name: 'rests, with numbers that may be none and locals that are dead',
        text: `type I = 1 .. 2
            var x: nat = 0
            var o: nat?[I] = none
            process P[i: I] { var m: nat loop { take: { m := x; x := x + 3 } choose { keep: when o[i] == none { o[i] := m } } or { drop: when o[i] != none && m mod 4 == 1 { o[i] := none } } or { same: when o[3 - i] == m { o[i] := m + 1 } } } }
            invariant odd = exists i in I: o[i] == none || o[i] mod 6 != 5
            allow deadlock`,
        outcome: 'holds',
    },
    {
        name: 'a constraint that cuts off some of the cases',
        text: `var x: nat = 0
            var y: nat = 0
            process P { loop { choose { a: x := x + 1 } or { b: y := y + 2 } or { c: y := max(x, y + 1) } } }
            constraint y <= x + 4 && x <= y + 3
            invariant near = x <= y + 2 || y > 3`,
        outcome: 'violated',
    },
    {
        name: 'a constraint that only a longer distance allows',
        text: `var x: nat = 0
            var y: nat = 9
            process P { loop { choose { a: x := x + 1 } or { b: y := y + 1 } } }
            constraint x + 3 < y`,
        outcome: 'holds',
    },
    {
        name: 'representatives that have to be searched for',
        text: `type I = 1 .. 8
            var link: I?[I] = none
            var t: nat[I] = 0
            process P[i: I] {
                loop {
                    choose { up: t[i] := t[i] + 1 }
                    or j in I where j != i { tie: when t[i] > t[j] && link[i] == none { link[i] := j; t[j] := t[i] } }
                    or { cut: when link[i] != none { link[i] := none; t[i] := t[i] + 1 } }
                }
            }
            allow deadlock`,
        outcome: 'states',
    },
    {
        name: 'a state of many words, and sums that lead to different faults',
        text: `type I = 1 .. 40
            var seen: nat[I] = 0
            var here: I = 1
            var x: nat = 0
            var y: nat = 0
            process P { loop { choose { see: seen[here] := x } or { next: when here < 40 { here := here + 1 } } or { up: x := x + 1 } or { look: { y := y + 1; assert y != x + 1 || seen[3] == 0 } } } }`,
        outcome: 'violated',
    },
    {
        name: 'what is found is not real, and distances are kept further',
        text: inStep('look: assert y == c'),
        outcome: 'notReal',
        searches: 4,
    },
    {
        name: 'more numbers than there are codes for at first',
        text: `type I = 1 .. 12
            var x: nat[I] = 0
            var next: nat = 0
            process P[i: I] { loop { take: { x[i] := next + 1; next := next + 1 } } }`,
        outcome: 'states',
        searches: 2,
    },
];

test.each(NASTY)('$name', async ({ text, outcome, searches }) => {
    const compared = await compareCode(text, 1500);
    expect(compared?.outcomes).toContain(outcome);
    if (searches !== undefined) {
        expect(compared?.searches).toBe(searches);
    }
});
