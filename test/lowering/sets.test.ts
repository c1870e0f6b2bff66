/** Sets mean what arrays of truth values mean, and an insertion touches one cell. */
import { describe, expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { cellsOfPlace, supportOf } from '../../engine/sequential/cell-access.js';
import { startExploration, type ReducedExplorationOptions } from '../../engine/pipeline.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { analysisOf, modelOf, sequentialOf } from '../model-of-text.js';

const TYPES = 'type Id = 1 .. 3\nenum Phase = { idle, busy }\nrecord Message = { from: Id, phase: Phase }\n';

/** Each model with sets, and with arrays of truth values. */
const TWINS: readonly (readonly [name: string, withSets: string, withArrays: string])[] = [
    [
        'insertions, removals and binders',
        `${TYPES}
        var heard: set of Id = {}
        var sent: set of Message
        var wanted: set of Id[Id] = {}
        invariant known = forall m in sent: m.from in heard
        process P[i: Id] {
            say: heard := heard union { i };
            tell: sent := sent union { Message(i, busy) };
            loop {
                choose m in sent where !(m.from in wanted[i]) { take: wanted[i] := wanted[i] union { m.from } }
                or {
                    forget: when wanted[i] == heard && heard == { x in Id where Message(x, busy) in sent } {
                        wanted[i] := {}
                        for x in heard where x != i { wanted[x] := wanted[x] minus { i } }
                    }
                }
            }
        }`,
        `${TYPES}
        var heard: bool[Id] = false
        var sent: bool[Message] = false
        var wanted: bool[Id, Id] = false
        invariant known = forall m in Message where sent[m]: heard[m.from]
        process P[i: Id] {
            say: heard[i] := true;
            tell: sent[Message(i, busy)] := true;
            loop {
                choose m in Message where sent[m] && !wanted[i, m.from] { take: wanted[i, m.from] := true }
                or {
                    forget: when (forall x in Id: wanted[i, x] == heard[x])
                        && (forall x in Id: heard[x] == sent[Message(x, busy)]) {
                        for x in Id { wanted[i, x] := false }
                        for x in Id where heard[x] && x != i { wanted[x, i] := false }
                    }
                }
            }
        }`,
    ],
    [
        'operators, comprehensions and sizes',
        `type Id = 0 .. 3
        var s: set of Id = { 1, 2 }
        var t: set of Id = any
        invariant parts = len(s union t) + len(s intersect t) == len(s) + len(t)
        process P[i: Id] {
            loop {
                choose { both: when !(s subset t) { t := t union s } }
                or { turn: s := { x in s: (x + 1) mod 4 } }
                or { drop: when len(s) > 1 { s := s minus { i } ; t := t intersect s } }
                or { fill: when empty(s intersect t) { s := { x in Id where x != i } } }
            }
        }`,
        `type Id = 0 .. 3
        var s: bool[Id] = [x in Id: x in { 1, 2 }]
        var t: bool[Id] = any
        invariant parts = count(x in Id: s[x] || t[x]) + count(x in Id: s[x] && t[x])
            == count(x in Id: s[x]) + count(x in Id: t[x])
        process P[i: Id] {
            loop {
                choose { both: when exists x in Id: s[x] && !t[x] { t := [x in Id: t[x] || s[x]] } }
                or { turn: s := [x in Id: s[(x + 3) mod 4]] }
                or { drop: when count(x in Id: s[x]) > 1 { s[i] := false; t := [x in Id: t[x] && s[x]] } }
                or { fill: when forall x in Id: !(s[x] && t[x]) { s := [x in Id: x != i] } }
            }
        }`,
    ],
    [
        'sets in records, locals, channels and functions',
        `type Id = 0 .. 1
        record Node = { peers: set of Id, load: 0 .. 1 }
        var node: Node[Id] = Node({}, 0)
        channel c: 1 of Node
        function other(a: set of Id, i: Id): set of Id = if i in a then a minus { i } else a union { i }
        process P[i: Id] {
            var own: set of Id = { i }
            loop {
                choose j in own { swap: { node[j].peers := other(node[j].peers, i); own := own union { (j + 1) mod 2 } } }
                or { send: c ! Node(own, 1) {} }
                or { receive: when len(own) == 2 c ? node[i] { own := node[i].peers minus { i } union { i } } }
            }
        }`,
        `type Id = 0 .. 1
        record Node = { peers: bool[Id], load: 0 .. 1 }
        var node: Node[Id] = Node([x in Id: false], 0)
        channel c: 1 of Node
        function other(a: bool[Id], i: Id): bool[Id] = [x in Id: if x == i then !a[x] else a[x]]
        process P[i: Id] {
            var own: bool[Id] = [x in Id: x == i]
            loop {
                choose j in Id where own[j] {
                    swap: { node[j].peers := other(node[j].peers, i); own[(j + 1) mod 2] := true }
                }
                or { send: c ! Node(own, 1) {} }
                or { receive: when forall x in Id: own[x] c ? node[i] { own := [x in Id: node[i].peers[x] || x == i] } }
            }
        }`,
    ],
];

async function explored(text: string, options: ReducedExplorationOptions) {
    const analysis = await analysisOf(`${text}\nallow deadlock`);
    const { exploration } = startExploration(analysis, options, UNLIMITED);
    exploration.advance(UNLIMITED);
    const { report } = exploration.result();
    const { verdict, states, transitions } = report ?? {};
    return { verdict, states, transitions, group: analysis.symmetry?.report.structure };
}

describe.each(TWINS)('%s', (_, withSets, withArrays) => {
    test.each([
        ['without reduction, interpreted', { reduction: 'none', isInterpreted: true }],
        ['without reduction, compiled', { reduction: 'none' }],
        ['with reduction', { reduction: 'auto' }],
    ] as const)('are those of arrays of truth values, %s', async (_name, options) => {
        const ofSets = await explored(withSets, options);
        expect(ofSets.states).toBeGreaterThan(20);
        expect(ofSets).toEqual(await explored(withArrays, options));
    });
});

test('an insertion writes the cell of its element, and reads no cell of the set', async () => {
    const { cells, summands } = await sequentialOf(
        'type Id = 0 .. 9\nvar s: set of Id\nprocess P[i: Id] { s := s union { i } minus { 9 - i } }\nallow deadlock',
    );
    const ofSet = cells.flatMap(({ member }, cell) => (member === undefined ? [] : [cell]));
    expect(ofSet).toHaveLength(10);
    for (const { participants } of summands) {
        const writes = participants.flatMap(({ body }) => body).filter(statement => statement.kind === 'assign');
        const written = writes.flatMap(({ target }) => cellsOfPlace(target)).filter(cell => ofSet.includes(cell));
        const read = writes.flatMap(({ value }) => supportOf(value)).filter(cell => ofSet.includes(cell));
        expect([written.length, read.length]).toEqual([2, 0]);
    }
});

test('an insertion of an element that is known but for a field writes the cells that may be meant', async () => {
    const { cells, summands } = await sequentialOf(`type Id = 1 .. 3
        enum Message = { ask(to: Id), answer(from: Id, last: Id?), other(last: Id?, from: Id) }
        var sent: set of Message
        var last: Id?[Id] = none
        process P[i: Id] { sent := sent union { answer(i, last[i]) }; sent := sent minus { other(last[i], i) } }
        allow deadlock`);
    const written = summands.flatMap(({ participants }) =>
        participants.flatMap(({ body }) => body).flatMap(each => (each.kind === 'assign' ? [each.target] : [])),
    );
    const names = written.map(target => cellsOfPlace(target).flatMap(cell => cells[cell]?.member?.element ?? []));
    const values = ['none', 1, 2, 3];
    expect(names.filter(({ length }) => length > 0)).toEqual(
        [1, 2, 3].flatMap(i => [
            values.map(value => `answer(${i}, ${value})`),
            values.map(value => `other(${value}, ${i})`),
        ]),
    );
});

test('there is no step for an element of another case', async () => {
    const { summands } = await sequentialOf(`type Id = 1 .. 3
        enum Message = { ask(to: Id), answer(from: Id, to: Id) }
        var sent: set of Message
        process P[i: Id] { loop { choose m in sent where m is ask && m.to == i { reply: skip } } }
        allow deadlock`);
    expect(summands).toHaveLength(3);
});

test('two processes that take a step together may insert into one set', async () => {
    const text = (change: string) => `type Id = 1 .. 2
        var s: set of Id
        event go
        process P[i: Id] { l: go { ${change} } }`;
    expect(await explored(text('s := s union { i }'), { reduction: 'none' })).toMatchObject({ verdict: 'holds' });
    // Who writes all cells writes those that the other one writes.
    const rewritten = linearize(await modelOf(text('s := { x in Id where x in s || x == i }')));
    expect(rewritten.problems.map(({ code }) => code)).toEqual(['event/race']);
});

test('a loop runs through the set as it was, and asks its condition before each round', async () => {
    const text = `type Id = 0 .. 4
        var s: set of Id = { 0, 2, 3 }
        var rounds: set of Id
        process P { l: { for x in s where len(s) > 1 { s := s minus { x }; rounds := rounds union { x } } } }
        invariant all = P at end || s == {0, 2, 3}
        invariant ended = rounds == {} || (s == { 3 } && rounds == { 0, 2 })`;
    const ended = text.replace(/\n\s*invariant all.*/, '');
    expect(await explored(ended, { reduction: 'none' })).toMatchObject({ verdict: 'holds', states: 2 });
});

test('laws of sets hold for all subsets of a type, as values of one cell', async () => {
    const laws = [
        'a union b == b union a',
        'a minus b == a intersect { x in Id where !(x in b) }',
        '(a subset b) == (a intersect b == a)',
        'len(a union b) + len(a intersect b) == len(a) + len(b)',
        'a == { x in a: x }',
        'empty(a) == (len(a) == 0)',
        '(a minus b) union (a intersect b) == a',
        'a in { c in set of Id where a subset c }',
        'count(x in a: x in b) == len(a intersect b)',
        'sum(x in a: 1) == len(a)',
        '(a == b) == (a subset b && b subset a)',
        '{ x in a where !(x in b) } == a minus b',
        '(exists x in a: true) == !empty(a)',
    ];
    const invariants = laws.map((law, index) => `invariant law${index} = forall a, b in set of Id: ${law}`);
    const asConstants = laws.map((law, index) => `const known${index} = forall a, b in set of Id: ${law}`);
    const known = laws.map((_, index) => `known${index}`).join(' && ');
    const text = `type Id = 0 .. 2\n${[...invariants, ...asConstants].join('\n')}
        invariant constants = ${known}
        process P { skip }`;
    expect(await explored(text, { reduction: 'none' })).toMatchObject({ verdict: 'holds' });
});

test('a set goes to one cell and back without a change', async () => {
    const text = `type Id = 1 .. 3
        type Some = set of Id
        var s: Some = any
        var kept: Some? = none
        var family: set of set of Id = {}
        process P { keep: { kept := s; family := family union { s } } look: when kept != none { s := {} } }
        invariant same = kept != none && P at look implies kept == s && s in family && len(family) == 1
        invariant none_ = kept == none implies empty(family)
        invariant members = forall q in family: kept != none && q == kept`;
    expect(await explored(text, { reduction: 'none' })).toMatchObject({ verdict: 'holds', states: 8 + 8 + 8 });
    expect((await explored(text, { reduction: 'auto' })).group).toBe('S3');
});

test('sets of types with different elements are the same where they have the same elements', async () => {
    const text = `type Id = 0 .. 2
        type Wide = 0 .. 3
        type Narrow = set of Id
        type Large = set of Wide
        var a: 0 .. 9[Narrow] = 0
        var b: bool[Narrow] = false
        var o: Narrow? = none
        var v: Large? = none
        process P {
            loop {
                choose q in set of Id, r in set of Wide where q == r && (if 1 in q then q else r) == r {
                    same: { a[{ 1 }] := 3; a[q] := 5; o := q; v := r; b[q union {}] := true }
                }
                or { clear: { o := none; v := none } }
            }
        }
        invariant equal = o == v
        invariant indices = a[{}] in { 0, 5 } && (forall q in set of Id: b[q] implies a[q] in { 3, 5 })
        invariant one = a[{ 1 }] != 5 || b[{ 1 }]`;
    expect(await explored(text, { reduction: 'none' })).toMatchObject({ verdict: 'holds' });
});

test('optional sets, and elements of empty arrays of sets, are values like others', async () => {
    const text = `type Id = 0 .. 2
        type Some = set of Id
        type Empty = 1 .. 0
        const none_ = [e in Empty: { 1 }]
        var o: Some? = none
        var p: Some? = { 1 }
        var c: bool = false
        process P {
            loop {
                choose { o := if c then none else { 1, 2 } } or { p := if c then o else {} } or { c := !c }
                or { o := if c then p else o } or { when o != none { o := o union { 0 } } }
            }
        }
        invariant equal = o == none || p == o || o != p
        invariant chosen = (if c then none else { 1 }) != none || c
        invariant empty_ = forall e in Empty: 1 in none_[e]`;
    const all = await explored(text, { reduction: 'none' });
    // By hand: the same with numbers of sets in the place of the sets.
    const coded = await explored(
        `var o: 0 .. 7? = none
        var p: 0 .. 7? = 2
        var c: bool = false
        process P {
            loop {
                choose { o := if c then none else 6 } or { p := if c then o else 0 } or { c := !c }
                or { o := if c then p else o } or { when o != none { o := bitor(o, 1) } }
            }
        }`,
        { reduction: 'none' },
    );
    expect([all.verdict, all.states, all.transitions]).toEqual(['holds', coded.states, coded.transitions]);
});
