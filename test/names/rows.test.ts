/** Known numbers of classes of models with values without end, and what goes wrong where the rules are not kept. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { withSlots } from '../../engine/model/with-slots.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { explored, modelOf, type Options } from '../dynamic/explored.js';
import { SlotClasses } from '../dynamic/slot-classes.js';

/** What a client says is not in the net when a new nonce looks at the clients only. */
const CHALLENGE = `
param N: 1 .. 4 = 2
type Client = 1 .. N
enum Nonce = { .. }
var mine: Nonce?[Client] = none
var ok: bool[Client] = false
var asked: Nonce? = none
var answer: Nonce? = none
var kept: Nonce? = none
process C[i: Client] { loop {
    send: when asked == none { mine[i] := new Nonce; asked := mine[i] }
    choose { accept: when answer == mine[i] { assert ok[i]; mine[i] := none; ok[i] := false; answer := none } }
    or { giveUp: { mine[i] := none; ok[i] := false } } } }
process Net { loop { choose { lose: when asked != none { asked := none } }
    or { loseAnswer: when answer != none { answer := none } }
    or { reply: when asked != none && answer == none
         { ok := [c in Client: ok[c] || mine[c] == asked]; answer := asked; asked := none } }
    or { keep: when answer != none { kept := answer } }
    or { again: when kept != none && answer == none { answer := kept } } } }
`;

const WAYS: readonly Options[] = [true, false].map(isInterpreted => ({ reduction: 'unique', isInterpreted }));

describe.each(WAYS)('interpreted: $isInterpreted', options => {
    // By an interpreter in another language: 27 classes of one client; of two 148, which are 83 orbits of the clients.
    test.each([
        [1, 27],
        [2, 83],
    ])('challenge and response of %i clients', async (N, states) => {
        const report = await explored(CHALLENGE, options, { N });
        expect(report).toMatchObject({ verdict: 'holds', states });
    });

    test('a choice of two different values, where none is held, takes two', async () => {
        const text = `
            enum Value = { .. }
            var a: Value? = none
            var b: Value? = none
            process P { pick: choose v in Value, w in Value where v != w { two: { a := v; b := w } } }
            allow deadlock
            run both = a != none && b != none
        `;
        const report = await explored(text, options);
        expect(report).toMatchObject({ states: 2, runs: [{ name: 'both', verdict: 'reached' }] });
    });

    test('a new value is in no message, no place of a sequence, no field and no choice of the step', async () => {
        const text = (held: string, hold: string, known: string): string => `
            enum V = { named, .. }
            record R = { v: V? }
            enum M = { one(v: V), nothing }
            ${held}
            var x: V? = none
            var y: V? = none
            process P { loop {
                make: x := new V;
                choose w in V { hold: { ${hold}; x := none; y := new V; assert y != w && y != named } }
                check: { assert y != ${known}; y := none } } }
        `;
        for (const [held, hold, known] of [
            ['var r: R = R(none)', 'r.v := x', 'r.v'],
            ['var q: seq 1 of V = []', 'q := if x == none then [] else [x]', 'head(q)'],
            ['channel c: 1 of V = []', 'c := if x == none then [] else [x]', 'c[0]'],
            ['var m: M = nothing', 'm := if x == none then nothing else one(x)', 'm.v'],
        ] as const) {
            const report = await explored(text(held, hold, known), options);
            expect(report, held).toMatchObject({ verdict: 'holds' });
        }
    });
});

test('a dead local holds no value', async () => {
    const text = (read: string): string => `
        enum V = { .. }
        process P { var x: V loop { make: x := new V; rest: ${read} } }
    `;
    expect(await explored(text('skip'))).toMatchObject({ names: [{ mostNamed: 0 }] });
    expect(await explored(text('assert x == x'))).toMatchObject({
        verdict: 'holds',
        states: 2,
        names: [{ mostNamed: 1 }],
    });
});

test('two clients have 148 classes up to names alone', async () => {
    const model = await modelOf(CHALLENGE);
    const names = model.processes.findIndex(({ name }) => name === 'Nonce');
    const { sequential } = linearize(withSlots(model, new Map([[names, 4]])));
    expect(new SlotClasses(sequential!).explore()).toMatchObject({ classes: 148, deadlocks: 0 });
});

test('a value that was forgotten may be made again', async () => {
    const text = `
        enum V = { .. }
        var x: V? = none
        var old: V? = none
        process P { loop { make: { old := x; x := new V; assert x != old } forget: old := none } }
    `;
    expect(await explored(text)).toMatchObject({ verdict: 'holds', names: [{ mostNamed: 2 }] });
});

test('more values than the limit are undecided, with a run that needs them', async () => {
    const text = `
        enum V = { .. }
        var q: seq 40 of V = []
        process P { loop { make: when len(q) < 40 { var x: V? = none x := new V; q := append(q, x) } } }
        allow deadlock
    `;
    const report = await explored(text, { maxNames: 3, reduction: 'none' });
    expect(report).toMatchObject({ verdict: 'undecided', limit: { kind: 'names', value: 3, template: 'V' } });
    expect(report.limit?.trace?.length ?? report.violations.length).toBeGreaterThanOrEqual(0);
});

test('the page of the manual has these numbers', async () => {
    const [, text = ''] = /```orbit\n([\s\S]*?)```/.exec(readFileSync('docs/language/names.md', 'utf8')) ?? [];
    expect(await explored(text)).toMatchObject({ states: 28, transitions: 86, depth: 8, names: [{ mostNamed: 3 }] });
});
