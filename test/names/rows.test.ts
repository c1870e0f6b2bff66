/** Known numbers of classes of models with values without end, and what goes wrong where the rules are not kept. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { withSlots } from '../../engine/model/with-slots.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { explored, modelOf, type Options } from '../dynamic/explored.js';
import { SlotClasses } from '../dynamic/slot-classes.js';
import { ALTERNATING_BIT, CHALLENGE, SAFES } from './texts.js';

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

    // Each owner has five situations, whatever the others have: 5^N classes, and the multisets of N of five are orbits.
    test.each([
        [2, 15],
        [3, 35],
    ])('keys of %i owners', async (N, states) => {
        expect(await explored(SAFES, options, { N })).toMatchObject({ verdict: 'holds', states });
    });

    // By a program in another language: 37 classes, which are 20 up to an exchange of the bits.
    test('alternating bit with any data', async () => {
        expect(await explored(ALTERNATING_BIT, options)).toMatchObject({ verdict: 'holds', states: 20 });
        const broken = ALTERNATING_BIT.replace('packetBit == wanted &&', 'packetBit != none &&');
        expect(broken).not.toBe(ALTERNATING_BIT);
        expect(await explored(broken, options)).toMatchObject({ violations: [{ kind: 'fault' }] });
    });

    test('a client that takes each answer is wrong', async () => {
        const broken = CHALLENGE.replace('answer == mine[i] {', 'answer != none {');
        expect(broken).not.toBe(CHALLENGE);
        expect(await explored(broken, options)).toMatchObject({ violations: [{ kind: 'fault' }] });
    });

    test.each([
        ['the clients only', '', 'violated'],
        ['clients and messages', ' && asked != n && answer != n && kept != n', 'holds'],
    ])('a new value that looks at %s', async (_, also, verdict) => {
        const text = CHALLENGE.replace('enum Nonce = { .. }', 'type Nonce = 1 .. 4').replace(
            /send: when asked == none \{ .*\}/,
            `choose n in Nonce where (forall c in Client: mine[c] != n)${also} {
                send: when asked == none { mine[i] := n; asked := n } }`,
        );
        expect(text).toContain('mine[i] := n;');
        const report = await explored(text, options);
        expect(report).toMatchObject({ verdict, ...(verdict === 'holds' && { states: 83 }) });
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

    test('a new value is in no message, no place of a sequence, no field, no local and no choice of the step', async () => {
        const text = (held: string, hold: string, known: string): string => `
            enum V = { named, .. }
            record R = { v: V? }
            enum M = { one(v: V), nothing }
            ${held}
            var x: V? = none
            var y: V? = none
            process P { var own: V? = none loop {
                make: x := new V;
                hold: { ${hold}; x := none }
                choose w in V { again: { y := new V; assert y != w && y != named && y != ${known} } }
                forget: { assert y != ${known}; y := none } } }
        `;
        for (const [held, hold, known] of [
            ['var r: R = R(none)', 'r.v := x', 'r.v'],
            ['var q: seq 1 of V = []', 'q := if x == none then [] else [x]', 'head(q)'],
            ['channel c: 1 of V = []', 'c := if x == none then [] else [x]', 'c[0]'],
            ['', 'own := x', 'own'],
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

test.each([
    ['two clients', CHALLENGE, 148],
    ['keys of two owners', SAFES, 25],
    ['alternating bit', ALTERNATING_BIT, 37],
])('%s: classes up to names alone', async (_, text, classes) => {
    const model = await modelOf(text);
    const names = model.processes.findIndex(({ template }) => template !== undefined);
    const { sequential } = linearize(withSlots(model, new Map([[names, 4]])));
    expect(new SlotClasses(sequential!).explore()).toMatchObject({ classes, deadlocks: 0 });
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
    expect(report.limit?.trace).toHaveLength(5);
});

test('the page of the manual has these numbers', async () => {
    const [, text = ''] = /```orbit\n([\s\S]*?)```/.exec(readFileSync('docs/language/names.md', 'utf8')) ?? [];
    expect(await explored(text)).toMatchObject({ states: 28, transitions: 86, depth: 8, names: [{ mostNamed: 3 }] });
});
