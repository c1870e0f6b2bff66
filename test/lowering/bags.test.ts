/** Bags mean what arrays of counts mean, and channels that deliver in any order what such arrays and a choice mean. */
import { describe, expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { startExploration, type ReducedExplorationOptions } from '../../engine/pipeline.js';
import { analysisOf } from '../model-of-text.js';

const TYPES = 'type Id = 1 .. 3\nenum Kind = { ask, answer }\nrecord Message = { kind: Kind, from: Id }\n';

/** Each model with bags, and with arrays of counts. */
const TWINS: readonly (readonly [name: string, withBags: string, withArrays: string])[] = [
    [
        'counts, binders and comparisons',
        `type Id = 0 .. 2
        var b: bag 2 of Id = { 0: 2 }
        var c: bag 2 of Id[Id] = [i in Id: { i }]
        invariant all = len(b) + sum(i in Id: len(c[i])) <= 24
        process P[i: Id] {
            loop {
                choose x in b where c[i, x] < 2 { take: { b[x] := b[x] - 1; c[i, x] := c[i, x] + 1 } }
                or x in c[i] where !(x in b) { give: { c[i] := { x: c[i, x] - 1 }; b[x] := 1 } }
                or { clear: when b == c[i] || b == { 0: 2 } { b := {} } }
                or { turn: when len(b) == 1 { b := { (the(x in b: x) + 1) mod 3: 2 } } }
            }
        }`,
        `type Id = 0 .. 2
        var b: 0 .. 2[Id] = [x in Id: if x == 0 then 2 else 0]
        var c: 0 .. 2[Id, Id] = [i in Id, x in Id: if x == i then 1 else 0]
        invariant all = sum(x in Id: b[x]) + sum(i, x in Id: c[i, x]) <= 24
        process P[i: Id] {
            loop {
                choose x in Id where b[x] > 0 && c[i, x] < 2 { take: { b[x] := b[x] - 1; c[i, x] := c[i, x] + 1 } }
                or x in Id where c[i, x] > 0 && b[x] == 0 {
                    give: { c[i] := [y in Id: if y == x then c[i, x] - 1 else 0]; b[x] := 1 }
                }
                or { clear: when (forall x in Id: b[x] == c[i, x]) || (forall x in Id: b[x] == (if x == 0 then 2 else 0)) { b := 0 } }
                or { turn: when sum(x in Id: b[x]) == 1 { b := [x in Id: if b[(x + 2) mod 3] == 1 then 2 else 0] } }
            }
        }`,
    ],
    [
        'a channel that delivers in any order',
        `${TYPES}
        channel net[Id]: bag 1 of Message
        var heard: Id[Id] = 1
        process P[i: Id] {
            loop {
                choose { send: when heard[i] < 3 net[i mod 3 + 1] ! Message(ask, i) }
                or { reply: when empty(net[i mod 3 + 1]) net[i] ? (ask, heard[i]) { net[i mod 3 + 1, Message(answer, i)] := 1 } }
                or { hear: when i > 1 net[i] ? (answer, == i - 1) { heard[i] := 2 } }
                or { lose: net[i] ? Message(_, i mod 3 + 1) }
            }
        }`,
        `${TYPES}
        var net: 0 .. 1[Id, Message] = 0
        var heard: Id[Id] = 1
        process P[i: Id] {
            loop {
                choose {
                    send: when heard[i] < 3 && net[i mod 3 + 1, Message(ask, i)] < 1 { net[i mod 3 + 1, Message(ask, i)] := 1 }
                }
                or m in Message where net[i, m] > 0 && m.kind == ask {
                    reply: when forall n in Message: net[i mod 3 + 1, n] == 0 {
                        net[i, m] := 0;
                        heard[i] := m.from;
                        net[i mod 3 + 1, Message(answer, i)] := 1
                    }
                }
                or m in Message where i > 1 && net[i, m] > 0 && m.kind == answer && m.from == i - 1 {
                    hear: { net[i, m] := 0; heard[i] := 2 }
                }
                or m in Message where net[i, m] > 0 && m.from == i mod 3 + 1 { lose: net[i, m] := 0 }
            }
        }`,
    ],
    [
        'bags in records, locals, functions, procedures and loops',
        `type Id = 0 .. 1
        record Box = { held: bag 2 of Id, open: bool }
        var box: Box[Id] = Box({ 0, 1 }, true)
        function more(b: bag 2 of Id, x: Id): bag 2 of Id {
            var c: bag 2 of Id = b
            if c[x] < 2 { c[x] := c[x] + 1 }
            return c
        }
        procedure move(var from: 0 .. 2, var to: 0 .. 2) { if from > 0 && to < 2 { from := from - 1; to := to + 1 } }
        process P[i: Id] {
            var own: bag 2 of Id = {}
            loop {
                choose { fill: own := more(own, i) }
                or { put: move(own[i], box[1 - i].held[i]) }
                or { drop: when box[i].open { for x in own where x in box[i].held { own[x] := 0 } box[i].open := own == {} } }
                or { shut: when box[i] == Box({ 0: 2, 1 }, true) { box[i].held := if own == {} then { 1 } else own } }
            }
        }`,
        `type Id = 0 .. 1
        record Box = { held: 0 .. 2[Id], open: bool }
        var box: Box[Id] = Box([1, 1], true)
        function more(b: 0 .. 2[Id], x: Id): 0 .. 2[Id] {
            var c: 0 .. 2[Id] = b
            if c[x] < 2 { c[x] := c[x] + 1 }
            return c
        }
        procedure move(var from: 0 .. 2, var to: 0 .. 2) { if from > 0 && to < 2 { from := from - 1; to := to + 1 } }
        process P[i: Id] {
            var own: 0 .. 2[Id] = 0
            loop {
                choose { fill: own := more(own, i) }
                or { put: move(own[i], box[1 - i].held[i]) }
                or {
                    drop: when box[i].open {
                        for x in Id where own[x] > 0 && box[i].held[x] > 0 { own[x] := 0 }
                        box[i].open := forall x in Id: own[x] == 0
                    }
                }
                or {
                    shut: when box[i] == Box([2, 1], true) {
                        box[i].held := if forall x in Id: own[x] == 0 then [0, 1] else own
                    }
                }
            }
        }`,
    ],
];

async function explored(text: string, options: ReducedExplorationOptions) {
    const analysis = await analysisOf(`${text}\nallow deadlock`);
    const { exploration } = startExploration(analysis, options, UNLIMITED);
    exploration.advance(UNLIMITED);
    const { report } = exploration.result();
    const { verdict, states, transitions, violations } = report ?? {};
    const [violation] = violations ?? [];
    return { verdict, states, transitions, group: analysis.symmetry?.report.structure, name: violation?.name };
}

describe.each(TWINS)('%s', (_, withBags, withArrays) => {
    test.each([
        ['without reduction, interpreted', { reduction: 'none', isInterpreted: true }],
        ['without reduction and passes', { reduction: 'none', passes: [] }],
        ['with reduction', { reduction: 'auto' }],
    ] as const)('are those of arrays of counts, %s', async (_name, options) => {
        const ofBags = await explored(withBags, options);
        expect(ofBags.verdict).toBe('holds');
        expect(ofBags.states).toBeGreaterThan(20);
        expect(ofBags).toEqual(await explored(withArrays, options));
    });
});

test.each([
    ['b[x] := b[x] + 1', 'range'],
    ['b[1] := b[1] - 1', 'range'],
    ['b := { x: n, 2 }', 'range'],
    ['b := { n: 1 }', 'range'],
    ['n := b[n]', 'index'],
    ['n := if n in b then 1 else 0', undefined],
    ['n := if b == { n: 2 } then 1 else 0', undefined],
])('%s: the fault is %s', async (statement, fault) => {
    // What holds 2 copies of 2; `n` becomes 4, which is no value of the bag.
    const text = `type Id = 1 .. 3
        var b: bag 2 of Id = { 2: 2 }
        var n: 0 .. 4 = 4
        process P { choose x in b { ${statement} } }`;
    const { verdict, name } = await explored(text, { reduction: 'none' });
    expect([verdict, name]).toEqual(fault === undefined ? ['holds', undefined] : ['violated', fault]);
});

test('a send waits while its own message is there as often as possible, and no other one', async () => {
    const text = `channel c: bag 2 of 1 .. 2
        process P { one: c ! 1; two: c ! 1; other: c ! 2; three: c ! 1 }
        invariant counted = P at three implies c == { 1: 2, 2 }`;
    // The start and one state behind each of three sends.
    expect(await explored(text, { reduction: 'none' })).toMatchObject({ verdict: 'holds', states: 4, transitions: 3 });
});

test('there is one transition for each different message that matches', async () => {
    const text = `channel c: bag 3 of 0 .. 4 = { 1: 3, 2, 4: 2 }
        var n: 0 .. 4 = 0
        process P { take: c ? n }
        invariant taken = n == 0 || len(c) == 5 && c[n] == (if n == 1 then 2 else if n == 4 then 1 else 0)`;
    expect(await explored(text, { reduction: 'none' })).toMatchObject({ verdict: 'holds', states: 4, transitions: 3 });
});

test('bags known before a run count as they do in one', async () => {
    const laws = [
        'len({ 1: 2, 1, 2 .. 3: 2 }) == 7',
        '{ 1, 1: 1 } == { 1: 2 }',
        '{ 1, 1 } == { 1: 1 }',
        '{ x in { 1: 2, 3 }: x } == { 1, 3 }',
        'count(x in ({ 1: 2, 3 }): true) == 2',
        'b[1] == 2 && b[2] == 0 && !(2 in b)',
        '{ 2: 0 } == {}',
        'f(b) == { 1: 2, 2, 3 }',
    ];
    const known = laws.map((law, index) => `const known${index} = ${law}`).join('\n');
    const stated = laws.map((law, index) => `invariant law${index} = known${index} && (${law})`).join('\n');
    const text = `const b: bag 2 of 1 .. 3 = { 1: 2, 3 }
        function f(c: bag 2 of 1 .. 3): bag 2 of 1 .. 3 { var d: bag 2 of 1 .. 3 = c; d[2] := 1; return d }
        ${known}\n${stated}
        process P { skip }`;
    expect(await explored(text, { reduction: 'none' })).toMatchObject({ verdict: 'holds' });
});

test('a set is found in a bag of sets of a larger type', async () => {
    const text = `type Wide = 0 .. 3
        var b: bag 2 of set of Wide = { { 1 }: 2, { 2, 3 } }
        var s: set of 1 .. 2 = { 1 }
        process P { take: b[s] := b[s] - 1 }
        invariant same = P at take implies b[s] == 2 && s in b && b[{ 3, 2 }] == 1 && b[{}] == 0
        invariant after = P at take || b == { { 1 }, { 2, 3 } }`;
    expect(await explored(text, { reduction: 'none' })).toMatchObject({ verdict: 'holds', states: 2 });
});
