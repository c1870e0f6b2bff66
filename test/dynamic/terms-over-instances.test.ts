/**
 * Terms over instances that read through references, and first values of instances: they tell no instance from another, and
 * a fault of one is a fault. Classes, faults and verdicts are those of the reference; `compare` also asks that all slots are
 * exchanged.
 */
// @module-tag long
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../cases.js';
import { faultyTemplates } from '../arbitrary/faulty-templates.js';
import { compare, WAYS, type Way } from './agreement.js';
import { explored } from './explored.js';

const CLASS_LIMIT = 400;

/** By what they are about: the text and its faults. */
const MODELS: readonly (readonly [about: string, text: string, faults: readonly string[]])[] = [
    [
        'a term that reads through a reference behind `alive`',
        `var n: W?[W] = none
        var o: bool[W] = false
        process A { loop { m: when count(w in W: true) < 2 { spawn W() }
            c: when forall w in W where n[w] != none && alive(n[w]): o[n[w]] } }
        process W() { choose x in W { a: { n[self] := x; o[self] := true } } g: skip }`,
        [],
    ],
    [
        'the cell of some instance',
        `var f: bool[W] = false
        process Main { loop { make: when count(x in W: true) < 2 { spawn W() } } }
        process W() { loop { choose { set: f[self] := true } or { some: when exists x in W: f[x]; break } } }`,
        [],
    ],
    [
        'terms with faults of two kinds',
        `var n: W?[W] = none
        var k: 0 .. 1[W] = 0
        process Main { loop { make: when count(w in W: true) < 2 { spawn W() }
            look: when exists w in W: o(w) } }
        function o(w: W): bool = if k[w] == 0 then 1 div k[w] == 1 else n[n[w]] == w
        process W() { set: { k[self] := 1; n[self] := self } g: skip }
        allow deadlock`,
        ['division'],
    ],
    [
        'an element that was written in the same step',
        `var r: W? = none
        var n: W?[W] = none
        process Main { make: r := spawn W(r); again: r := spawn W(r) }
        process W(who: W?) {
            var least: 0 .. 2 = min(q in W: if q.who in W && n[q.who] == r then 1 else 0)
            first: n[self] := who;
            choose b in W { second: when r in W { n[r] := b } }
        }
        allow deadlock`,
        [],
    ],
    [
        'the first value of a variable that nobody reads',
        `var x: 0 .. 1 = 0
        process Main { s: spawn W() }
        process W() { var c: 0 .. 1 = 1 div x g: skip }`,
        ['division'],
    ],
    [
        'a first value that nobody reads, outside its type',
        `var x: 0 .. 1 = 1
        process Main { s: spawn W(x) }
        process W(a: 0 .. 1) { var c: 0 .. 1 = a + x var d: 0 .. 1[0 .. 1] = c g: skip }`,
        ['range'],
    ],
    [
        'a first value that nobody reads, of the cell of none',
        `var r: W? = none
        var o: bool[W] = false
        process Main { s: spawn W() }
        process W() { var c: bool = o[r] g: skip }`,
        ['index'],
    ],
    [
        'an instance that is there when its variables get their values',
        `var u: 0 .. 2[W] = 2
        process Main { s: spawn W(count(w in W: true)); t: spawn W(count(w in W: true)) }
        process W(a: 0 .. 4) {
            var c: 0 .. 4 = count(w in W: true)
            var d: bool = alive(self)
            var e: 0 .. 2 = u[self]
            g: assert c == a + 1 && d && e == 2
        }`,
        [],
    ],
    [
        'an instance whose text is empty, which ends as soon as it is created',
        `var w: W? = none
        var u: 0 .. 2[W] = 1
        process Main { loop { make: { w := spawn W(w); assert !alive(w) && count(x in W: true) == 0 } } }
        process W(before: W?) { var b: bool = alive(self) && u[self] == 1 && !(before in W) }`,
        [],
    ],
    [
        'the cell of an instance whose text is empty',
        `var w: W? = none
        var u: 0 .. 2[W] = 1
        process Main { loop { make: { w := spawn W(); u[w] := 2 } } }
        process W() { for i in 1 .. 0 { s: skip } }
        allow deadlock`,
        ['index'],
    ],
];

test.each(MODELS)('%s', { timeout: 120_000 }, async (_, text, faults) => {
    for (const way of WAYS.filter(({ reduction }) => reduction !== 'local')) {
        const comparison = await compare(text, CLASS_LIMIT, way);
        expect(comparison).toMatchObject({ kind: 'agreed', reference: { faults } });
        const isUnique = comparison.kind === 'agreed' ? comparison.report.reduction?.unique : undefined;
        expect(isUnique).toBe(way.reduction === 'none' ? undefined : true);
    }
});

test('a condition on all that live has the classes of the count that says the same', async () => {
    const model = (condition: string): string => `
        var n: W?[W] = none
        var o: bool[W] = false
        process A { loop { m: when count(w in W: true) < 2 { spawn W() } c: when ${condition} } }
        process W() { choose x in W { a: { n[self] := x; o[self] := true } } g: skip }`;
    const filter = 'where n[w] != none && alive(n[w])';
    const all = await explored(model(`forall w in W ${filter}: o[n[w]]`), { reduction: 'unique' });
    const none = await explored(model(`count(w in W ${filter}: !o[n[w]]) == 0`), { reduction: 'unique' });
    expect(`${all.states}/${all.transitions}`).toBe(`${none.states}/${none.transitions}`);
});

/** `npm run bench dynamic -- --faulty=1` compares any number of them. */
const RANDOM_MODELS = cases(60);

test('random models with faults around instances have the classes of the reference', { timeout: 600_000 }, async () => {
    let [agreed, faulty] = [0, 0];
    await fc.assert(
        fc.asyncProperty(faultyTemplates(), fc.nat(WAYS.length - 1), async (text, way) => {
            const comparison = await compare(text, 40, WAYS[way] as Way);
            agreed += comparison.kind === 'agreed' ? 1 : 0;
            faulty += comparison.kind === 'agreed' && comparison.reference.faults.length > 0 ? 1 : 0;
        }),
        { numRuns: RANDOM_MODELS },
    );
    expect(agreed).toBeGreaterThan(RANDOM_MODELS / 2);
    expect(faulty).toBeGreaterThan(RANDOM_MODELS / 6);
});
