/** Numbers without end in instances that are created: by hand, and random models beside the reference. */
import { expect, test } from 'vitest';
import { numberTemplateModel } from '../arbitrary/number-template-models.js';
import { compareTemplates, type ComparedTemplates } from './compare-templates.js';
import { explored, isExact } from './explored.js';

const WAITERS = `
    param N: 1 .. 8 = 3
    var next: nat = 0
    var serving: nat = 0
    process Source { loop { come: when count(w in Waiter: true) < N { spawn Waiter(next); next := next + 1 } } }
    process Waiter(mine: nat) { enter: when mine == serving;  leave: serving := serving + 1 }
    invariant mutex = count(w in Waiter: w at leave) <= 1`;

test('a lock that creates who waits has the classes of the lock whose processes are there', async () => {
    // Those of the ticket lock in texts.ts, which an interpreter in another language has counted: 2 N + 1.
    for (const [N, states] of [
        [2, 5],
        [3, 7],
        [4, 9],
    ] as const) {
        const report = await explored(WAITERS, { reduction: 'unique' }, { N });
        expect([report.verdict, report.states, isExact(report)]).toEqual(['holds', states, true]);
    }
});

test('who lets in the next but one is violated in four steps, with real numbers', async () => {
    const text = WAITERS.replace('mine == serving', 'mine <= serving + 1');
    for (const reduction of ['none', 'unique'] as const) {
        const { verdict, violations } = await explored(text, { reduction });
        expect([verdict, violations[0]?.trace.length]).toEqual(['violated', 5]);
        expect(violations[0]?.trace.at(-1)?.state).toMatchObject({ next: 2, serving: 0 });
    }
});

test('an instance that has ended, and one that is not created, hold no number', async () => {
    const report = await explored(`
        var x: nat = 0
        process Main { loop { make: when count(w in W: true) == 0 { x := x + 1; spawn W(x) } } }
        process W(t: nat) { done: assert t == x }`);
    // With an instance, which has the slot that is free, and without.
    expect([report.verdict, report.states]).toEqual(['holds', 2]);
});

test.each([
    ['a local at the head', 'process W() { var h: nat = 0 look: assert h == x }'],
    ['a local without a value', 'process W() { var h: nat look: assert h == x }'],
    ['a parameter', 'process W(t: nat) { look: assert t == x }'],
    ['a cell for the instance', 'var v: nat[W] = 0 process W() { look: assert v[self] == x }'],
])('the first value of %s is a number that the text tells: it is not moved to others', async (_, rest) => {
    const create = rest.includes('t: nat') ? 'spawn W(0)' : 'spawn W()';
    const { verdict, violations } = await explored(`
        var x: nat = 0
        ${rest}
        process Main { loop { choose { up: x := x + 1 } or { make: ${create}; break } } }
        allow deadlock`);
    // x goes up, an instance comes to be and looks.
    expect([verdict, violations[0]?.trace.length]).toEqual(['violated', 4]);
});

test('sessions count what they send and get, and messages hold numbers', async () => {
    const session = (got: string): string => `
        var current: Session? = none
        channel mail[Session]: 1 of nat
        process Boss { loop { open: when current == none || !alive(current) { current := spawn Session(7) } } }
        process Session(first: nat) {
            var sent: nat = first
            var got: nat = first
            var m: nat
            loop {
                choose { send: mail[self] ! sent { sent := sent + 1 } }
                or { get: mail[self] ? m;  check: { assert m == got; got := ${got} } }
                or { close: skip; break }
            }
        }`;
    const right = await explored(session('got + 1'), { reduction: 'unique' });
    expect([right.verdict, isExact(right)]).toEqual(['holds', true]);
    const wrong = await explored(session('got'), { reduction: 'unique' });
    // Open, send, get, check, and the same three again.
    expect([wrong.verdict, wrong.violations[0]?.trace.length]).toEqual(['violated', 8]);
});

test('distances that are kept further are so for instances of slots that are added, too', async () => {
    // Two up in each instance and two up in each other one: only K = 3 tells that they are equal.
    const text = `
        var a: nat = 0
        var b: nat = 0
        var made: W? = none
        process Main {
            one: made := spawn W(a);
            two: spawn W(a);
            three: { spawn W(a); made := none }
        }
        process W(t: nat) { var u: nat = t  var w: nat = t
            up1: u := u + 1; up2: u := u + 1; down1: w := w + 1; down2: w := w + 1; look: assert u == w }`;
    for (const reduction of ['none', 'unique'] as const) {
        const report = await explored(text, { reduction, maxInstances: 8 });
        expect(report.verdict).toBe('holds');
        expect(
            new Set(
                report.numbers
                    ?.filter(({ places }) => places.some(place => /\.u$/.test(place)))
                    .map(({ kept }) => kept),
            ).size,
        ).toBe(1);
    }
});

test('the reference, in which numbers and instances have no end, has no other verdict and no other class', async () => {
    const results: (ComparedTemplates | string)[] = [];
    for (let seed = 0; seed < 8; seed++) {
        results.push(await compareTemplates(numberTemplateModel(seed), { bound: 6, states: 1000 }));
    }
    const compared = results.filter(result => typeof result !== 'string');
    expect(compared.length).toBe(results.length);
    expect(new Set(compared.map(({ verdict }) => verdict))).toEqual(new Set(['holds', 'violated']));
    expect(compared.some(({ classes }) => classes === 'all')).toBe(true);
});
