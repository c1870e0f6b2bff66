/** The places of a text that are changed, and what they become. */
import { expect, test } from 'vitest';
import { createTextOf } from '../../engine/common/source-text.js';
import { mutationsOf } from '../../engine/mutate/mutations.js';
import { modelOf } from '../model-of-text.js';

async function changesOf(text: string): Promise<readonly string[]> {
    const mutations = mutationsOf(
        await modelOf(text),
        createTextOf(() => text),
    );
    return mutations.map(({ within, change, from, to }) => `${within} | ${change} | ${from} | ${to}`);
}

test('each change has its place', async () => {
    expect(
        await changesOf(`
            var x: 0 .. 9 = 0
            var on: bool = false
            fair process P {
                loop {
                    choose { up: when x < 3 && !on { x := x + 1 } }
                    or { fair down: when (forall i in 0 .. 1: x != i) || on { on := true; x := x - 2 } }
                }
            }
            invariant low = x <= 9`),
    ).toEqual([
        'P | fairness | fair process P | process P',
        'P | alternative | up | ',
        'P up | guard | x < 3 && !on | ',
        'P up | conjunct | x < 3 | ',
        'P up | connective | x < 3 && !on | x < 3 || !on',
        'P up | bound | x < 3 | x <= 3',
        'P up | conjunct | !on | ',
        'P up | assignment | x := x + 1 | ',
        'P up | step | x + 1 | x - 1',
        'P | alternative | down | ',
        'P down | fairness | fair down | down',
        'P down | guard | (forall i in 0 .. 1: x != i) || on | ',
        'P down | connective | (forall i in 0 .. 1: x != i) || on | (forall i in 0 .. 1: x != i) && on',
        'P down | quantifier | (forall i in 0 .. 1: x != i) | (exists i in 0 .. 1: x != i)',
        'P down | negation | x != i | x == i',
        'P down | assignment | on := true | ',
        'P down | truth | true | false',
        'P down | assignment | x := x - 2 | ',
    ]);
});

test('a function that only properties read has no places, and one that steps read has each place once', async () => {
    const text = `
        var x: 0 .. 9 = 0
        function near(a: 0 .. 9, b: 0 .. 9): bool = a == b || a == b
        function seen(a: 0 .. 9): bool = a != 4
        process P { loop { a: when near(x, 3) { x := 0 } b: when !near(x, 3) { x := (x + 2) mod 10 } } }
        invariant low = seen(x)`;
    const changes = await changesOf(text);
    expect(changes.filter(change => change.startsWith('near'))).toEqual([
        'near | connective | a == b || a == b | a == b && a == b',
        'near | negation | a == b | a != b',
        'near | negation | a == b | a != b',
    ]);
    expect(changes.some(change => change.startsWith('seen'))).toBe(false);
});

test('the insertion into a set becomes a removal; tests that are not written are left alone', async () => {
    expect(
        await changesOf(`
            type Id = 1 .. 3
            var s: set of Id = {}
            process P[i: Id] { loop { put: when !(i in s) && s subset { 1, 2, 3 } { s := s union { i } } } }
            invariant few = len(s) <= 3`),
    ).toEqual([
        'P put | guard | !(i in s) && s subset { 1, 2, 3 } | ',
        'P put | conjunct | !(i in s) | ',
        'P put | connective | !(i in s) && s subset { 1, 2, 3 } | !(i in s) || s subset { 1, 2, 3 }',
        'P put | conjunct | s subset { 1, 2, 3 } | ',
        'P put | assignment | s := s union { i } | ',
        'P put | element | s := s union { i } | s := s minus { i }',
    ]);
});

test('a change touches nothing but its place', async () => {
    const text = `
        var x: 0 .. 9 = 0
        process P { loop { a: when x == 0 { x := 1 } } }
        process Q { loop { b: when x == 1 { x := 0 } } }
        invariant low = x < 9`;
    const model = await modelOf(text);
    const mutations = mutationsOf(
        model,
        createTextOf(() => text),
    );
    const changed = mutations.find(({ within, change }) => within === 'Q b' && change === 'negation')?.changed();
    expect(changed?.processes[0]).toBe(model.processes[0]);
    expect(changed?.processes[1]).not.toBe(model.processes[1]);
    expect(changed?.functions).toBe(model.functions);
});

test('a comparison of sequences, which lowering takes apart, is left alone', async () => {
    expect(
        await changesOf(`
            var q: seq 2 of 1 .. 2 = []
            process P { loop { fill: when q != [1, 2] && len(q) < 2 { q := append(q, len(q) + 1) } } }
            invariant short = len(q) <= 2`),
    ).toEqual([
        'P fill | guard | q != [1, 2] && len(q) < 2 | ',
        'P fill | conjunct | q != [1, 2] | ',
        'P fill | connective | q != [1, 2] && len(q) < 2 | q != [1, 2] || len(q) < 2',
        'P fill | conjunct | len(q) < 2 | ',
        'P fill | bound | len(q) < 2 | len(q) <= 2',
        'P fill | assignment | q := append(q, len(q) + 1) | ',
        'P fill | step | len(q) + 1 | len(q) - 1',
    ]);
});
