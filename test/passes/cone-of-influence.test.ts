/** Variables on which nothing depends that is checked are left out, and come back in traces. */
import { expect, test } from 'vitest';
import { coneOfInfluence } from '../../engine/passes/cone-of-influence.js';
import { explore, exploreText } from './explore-text.js';
import { analysisOf } from '../model-of-text.js';

const APART = `
model Apart
var a: 0 .. 4 = 0
var b: 0 .. 3 = 0
process A { loop { up: when a < 4 { a := a + 1 } } }
process B { loop { turn: { b := (b + 1) mod 4 } } }
invariant low = a < 3
invariant same = b < 4
allow deadlock`;

test('for one property, the variables of the others go, and steps that change nothing else', async () => {
    const { report, passes } = await exploreText(APART, { passes: ['cone'], properties: ['low'] });
    expect(passes).toEqual([{ name: 'cone', variablesDropped: 1, stepsDropped: 1 }]);
    expect(report).toMatchObject({ verdict: 'violated', states: 5, transitions: 4 });
    expect((await exploreText(APART, { passes: [], properties: ['low'] })).report.states).toBe(20);
});

test('a trace shows what was left out', async () => {
    const { report } = await exploreText(APART, { passes: ['cone'], properties: ['low'] });
    expect(report.violations[0]?.trace.map(({ state }) => state)).toEqual([0, 1, 2, 3].map(a => ({ a, b: 0 })));
});

test('where deadlocks are checked, what decides whether a step is taken stays', async () => {
    const text = `
model Waits
var a: 0 .. 1 = 0 var b: 0 .. 3 = 0 var c: 0 .. 3 = 0
process A { loop { when b < 3 { a := 1 - a; c := 3 - c } } }
process B { up: { b := 3 } }`;
    // B does not stop A for ever by itself; but A waits as soon as b is 3, and then nothing happens.
    for (const passes of [[], ['cone']] as const) {
        const { report } = await exploreText(text, { passes });
        expect(report.violations.map(({ kind }) => kind)).toEqual(['deadlock']);
    }
    const { passes, report } = await exploreText(text, { passes: ['cone'] });
    expect(passes).toEqual([{ name: 'cone', variablesDropped: 2, stepsDropped: 0 }]);
    expect(report).toMatchObject({ states: 2, deadlocks: 1 });
    expect(report.violations[0]?.trace.at(-1)?.state).toMatchObject({ a: 0, b: 3, c: 0 });
});

test('a step that may be a fault stays, with all that decides it', async () => {
    const text = `
model Fails
var a: 0 .. 1 = 0 var b: 0 .. 3 = 0
process A { loop { a := 1 - a } }
process B { loop { b := b + 1 } }
invariant bit = a < 2`;
    const { report, passes } = await exploreText(text, { passes: ['cone'], properties: ['bit'] });
    expect(passes).toEqual([{ name: 'cone', variablesDropped: 0, stepsDropped: 0 }]);
    expect(report.violations.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['fault range']);
});

test('of a step that never is a fault, nothing stays that only a fault would ask for', async () => {
    // `s` stays for l1, so l0 does; whether an operand of `minus` is a fault would need the rest of `sent`.
    const text = `
model Never
type Id = 1 .. 3
record Message = { from: Id, isRed: bool }
var s: set of Id = { x in Id where x > 1 } var t: set of Id = {} var sent: set of Message = {} var n: 0 .. 3 = 0
process P[i: Id] {
    var own: set of Id = { i }
    loop { choose { l0: { s := s minus { i }; if (exists m in sent: m.from == i) { own := own minus { (2 div n) } } } }
        or x in s where empty(s) { l1: { t := { m in sent where m.isRed: m.from }; s := s minus { i } } } }
}
invariant stated = (forall x in t: x in t)
invariant small = n < 4
allow deadlock`;
    for (const passes of [[], ['cone']] as const) {
        expect((await exploreText(text, { passes })).report).toMatchObject({ verdict: 'holds', violations: [] });
    }
});

test('what an initial value is computed from stays', async () => {
    const text = `
model Begins allow deadlock
var a: 0 .. 3 = any var b: 0 .. 3 = 3 - a var c: bool = any
process P { loop { when b > 0 { b := b - 1 } } }
invariant low = b < 3`;
    const { report, passes } = await exploreText(text, { passes: ['cone'] });
    expect(passes).toEqual([{ name: 'cone', variablesDropped: 1, stepsDropped: 0 }]);
    // a is 0 to 3 and b at most 3 - a: 4 + 3 + 2 + 1.
    expect(report).toMatchObject({ states: 10, verdict: 'violated' });
    expect(report.violations[0]?.trace.map(({ state }) => state)).toEqual([{ a: 0, b: 3, c: false }]);
});

test('a variable that does not matter may still have no initial value', async () => {
    const text = 'model Wrong var a: 0 .. 5 = any var c: 0 .. 3 = 3 - a process P { loop { skip } } allow deadlock';
    await expect(exploreText(text, { passes: ['cone'] })).rejects.toThrow(
        'initial value `-1` of `c` is outside its type',
    );
});

test('what stays is closed under symmetries, whatever the texts of symmetric steps look like', async () => {
    // x[0] and x[1] are both set to 1; only the text of one of the steps reads y[0], in vain.
    const analysis = await analysisOf(`
model Unlike
type Id = 0 .. 1
var x: 0 .. 2[Id] = 0 var y: 0 .. 2[Id] = 0
process P { loop { x[0] := 1 + y[0] - y[0] } }
process Q { loop { x[1] := 1 } }
process R[i: Id] { loop { y[i] := 1 - x[i] mod 2 } }
invariant set = forall i in Id: x[i] < 2`);
    const { sequential } = analysis;
    const options = { invariants: new Set(['set']), checksDeadlock: false, neverFaults: () => true };
    expect(coneOfInfluence(sequential!, { ...options, cellPermutations: [] }).dropped).toEqual([3]);
    const exchange = Int32Array.from([1, 0, 3, 2]);
    expect(coneOfInfluence(sequential!, { ...options, cellPermutations: [exchange] }).dropped).toEqual([]);
});

test('a symmetric model stays so, and reduction and the cone gain together', async () => {
    const analysis = await analysisOf(`
model Both
type Id = 0 .. 3
var on: bool[Id] = false var count: 0 .. 4[Id] = 0
process P[i: Id] { loop { flip: { on[i] := !on[i]; count[i] := (count[i] + 1) mod 5 } } }
invariant three = count(i in Id: on[i]) <= 3`);
    const { report } = explore(analysis, { passes: ['cone'], reduction: 'unique' });
    // So many are on: 0 to 4.
    expect(report).toMatchObject({ states: 5, verdict: 'violated', reduction: { unique: true } });
    expect(report.violations[0]?.trace.at(-1)?.state).toMatchObject({ 'count[0]': 1, 'count[3]': 1 });
});

test('where only some symmetries map what stays onto itself, these are used if that leaves fewer states', async () => {
    // Two of the cells that Q sets one by one are elements of the array that P writes through an index, so they stay.
    const analysis = await analysisOf(`
model Beside
type Id = 0 .. 3
var n: Id = 0 var seen: bool[Id] = false var other: bool[Id] = false
process P { loop { go: { seen[n] := true; n := 1 - n } } }
process Q {
    loop {
        choose i in Id where i >= 2 { when !seen[i] { seen[i] := true } }
        or i in Id { when !other[i] { other[i] := true } }
    }
}
invariant both = !(seen[0] && seen[1])
allow deadlock`);
    const all = { reduction: 'unique', passes: [] } as const;
    const some = { reduction: 'unique', passes: ['cone'] } as const;
    // Four states of P, of which the last two differ by the exchange of 0 and 1; six cells of which so many are set, 0 to
    // 6, or the two of them that stay.
    expect(explore(analysis, all).report).toMatchObject({ states: 3 * 7, verdict: 'violated' });
    expect(explore(analysis, { passes: ['cone'] }).report).toMatchObject({ states: 4 * 4, verdict: 'violated' });
    const { report } = explore(analysis, some);
    expect(report).toMatchObject({ states: 3 * 3, verdict: 'violated' });
    expect(report.violations[0]?.trace.at(-1)?.state).toMatchObject({
        'seen[0]': true,
        'seen[1]': true,
        'other[3]': false,
    });
});

test('all symmetries are used where they gain more than a smaller cone', async () => {
    // What is read in vain is four cells of a ring of five.
    const analysis = await analysisOf(`
model Around
type Id = 0 .. 4
var on: 0 .. 1[Id] = any var last: 0 .. 2 = 0
function set(i: Id, j: Id, bit: 0 .. 1): 0 .. 1 = if (j - i + 5) mod 5 < 3 then 1 else bit
process P[i: Id] { loop { go: { for j in Id { on[j] := set(i, j, on[j]) } } } }
process Q { loop { last := if last < 2 then last + 1 + (on[0] + on[1] + on[2] + on[3]) * 0 else last } }
invariant low = last < 2
allow deadlock`);
    // Words of five bits up to rotation and reflection are eight, those of four bits up to reflection ten.
    const states = (options: Parameters<typeof explore>[1]) => explore(analysis, options).report.states;
    expect(states({ passes: ['cone'] })).toBe(3 * 16);
    expect(states({ passes: ['cone'], reduction: 'unique' })).toBe(3 * 8);
});
