/** Which texts are narrow, how many members take part in a step, and the places where a text is not narrow. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { familyOf, narrowFamilyOf, verdictOf } from './family.js';

const HEAD = 'param N: 1 .. 9 = 3\ntype Proc = 1 .. N\n';

/** A process for each member, around one step on line 5. */
function stepping(step: string, declarations = 'var flag: bool = false\nvar on: bool[Proc] = false'): string {
    return `${HEAD}${declarations}\nprocess P[i: Proc] { loop {\n${step}\n} }\n`;
}

async function extraOf(text: string): Promise<number> {
    return (await narrowFamilyOf(text)).narrow.extra;
}

test.each([
    [
        'a ring',
        `${HEAD}var token: Proc = 1\nprocess P[i: Proc] { loop { pass: when token == i { token := i mod N + 1 } } }`,
        '4:68 `N` is the length of a ring here, and its neighbors are not alike',
    ],
    [
        'a counter of members',
        `${HEAD}var n: 0 .. N = 0\nprocess P[i: Proc] { come: n := n + 1 }`,
        '4:33 this number grows with the members',
    ],
    [
        'a link',
        `${HEAD}var next: Proc?[Proc] = none\nprocess P[i: Proc] { loop { choose j in Proc { link: next[i] := j } } }`,
        '3:5 `next[i]` belongs to one member and may refer to another one',
    ],
    [
        // Once, though a cell of each member begins so.
        'a start that depends on a variable',
        `${HEAD}var lead: Proc = any\nvar on: bool[Proc] = [i in Proc: i == lead]\nprocess P[i: Proc] { on[i] := true }`,
        '4:34 its first value depends on other variables',
    ],
    [
        'a computed start',
        `${HEAD}var on: bool[Proc] = false\ninit one[i: Proc] { on[i] := true }\nprocess P[i: Proc] { skip }`,
        '4:1 initial states are computed here',
    ],
    [
        'a sequence of members',
        `${HEAD}var line: seq 2 of Proc = []\nprocess P[i: Proc] { when len(line) < 2 { line := append(line, i) } }`,
        '3:11 sequences are looked at for single sizes only',
    ],
    [
        'a bag of members',
        `${HEAD}var seen: bag 2 of Proc = {}\nprocess P[i: Proc] { when seen[i] < 2 { seen[i] := seen[i] + 1 } }`,
        '3:11 bags are looked at for single sizes only',
    ],
])('%s is refused', async (_, text, ...problems) => {
    expect(await familyOf(text)).toEqual(problems);
});

test('an array over members may be looked at in a set', async () => {
    const text = `${HEAD}enum S = { a, b, c }
var st: S[Proc] = a
process P[i: Proc] { loop { go: when st[i] in { a, b } { st[i] := b } } }
invariant never = forall i in Proc: st[i] != c
`;
    expect((await verdictOf(text)).verdict).toBe('holds');
});

test('a record of members may be none', async () => {
    const text = `${HEAD}record Message = { from: Proc, to: Proc?, seen: bool[Proc] }
var sent: Message? = none
process P[i: Proc] { loop {
    choose { ask: when sent == none { sent := Message(i, none, [j in Proc: j == i]) } }
    or { take: when sent != none && sent.to == none && sent.from != i { sent.to := i; sent.seen[i] := true } }
    or { end: when sent != none && sent.to == i { sent := none } }
} }
invariant others = sent != none implies sent.to != sent.from
invariant seen = sent != none && sent.to != none implies sent.seen[sent.to]
allow deadlock
`;
    expect((await verdictOf(text)).verdict).toBe('holds');
    expect((await verdictOf(text.replace(' && sent.from != i', ''))).verdict).toBe('violated');
    expect((await verdictOf(text.replace('; sent.seen[i] := true', ''))).verdict).toBe('violated');
});

test('a constraint that holds of fewer members too is kept', async () => {
    const text = (constraint: string, most: number): string => `${HEAD}var on: set of Proc = {}
constraint ${constraint}
process P[i: Proc] { loop { choose { up: on := on union { i } } or { down: on := on minus { i } } } }
invariant few = len(on) <= ${most}`;
    for (const [constraint, most] of [
        ['len(on) <= 2', 2],
        ['forall a, b in Proc where a != b: !({ a, b } subset on)', 1],
    ] as const) {
        expect((await verdictOf(text(constraint, most))).verdict).toBe('holds');
    }
    // By hand: the constraint leaves three, and three are more than two.
    expect(await verdictOf(text('len(on) <= 3', 2))).toMatchObject({ verdict: 'violated', violation: { values: [3] } });
    // What needs some members would need more of them the larger the instance is.
    expect(await familyOf(text('exists p in Proc: !(p in on)', 2))).toEqual([
        '4:12 a constraint must say of all members what it says of fewer',
    ]);
    expect(await familyOf(text('forall p in Proc: p in on implies p == 1', 2))).not.toEqual([]);
});

test('two parameters that begin at 0 are decided where an array spans both ranges', async () => {
    const text = `param R: 0 .. 9 = 2
param W: 0 .. 9 = 2
type Reader = 0 .. R - 1
type Writer = R .. R + W - 1
type All = 0 .. R + W - 1
var bad: bool = false
var met: bool[All] = false
process P[x: All] { met[x] := true }
process S { when count(x in All: met[x]) >= 3 && count(r in Reader: met[r]) == 1 { bad := true } }
invariant safe = !bad
allow deadlock
`;
    const { verdict, violation } = await verdictOf(text, { parameters: ['R', 'W'] });
    // By hand: one reader and two writers are three that have met, and fewer are not.
    expect([verdict, violation?.values]).toEqual(['violated', [1, 2]]);
});

describe('the members of a step', () => {
    test.each([
        ['flag := true', 1],
        ['choose j in Proc { on[j] := true }', 2],
        ['when exists j in Proc: on[j] { flag := true }', 2],
        ['when !(exists j in Proc: on[j]) { flag := true }', 1],
        ['when forall j in Proc: on[j] { flag := true }', 1],
        ['when !(forall j in Proc: on[j]) { flag := true }', 2],
        ['when exists j, k in Proc where j != k: on[j] && on[k] { flag := true }', 3],
        ['when (exists j in Proc: on[j]) && (exists j in Proc: !on[j]) { flag := true }', 3],
        ['when (exists j in Proc: on[j]) || (exists j in Proc: !on[j]) { flag := true }', 2],
        ['when count(j in Proc: on[j]) >= 2 { flag := true }', 3],
        ['when count(j in Proc: on[j]) == 2 { flag := true }', 3],
        ['when count(j in Proc: on[j]) != 2 { flag := true }', 4],
        ['when count(j in Proc: on[j]) <= 2 { flag := true }', 1],
        ['when 2 > count(j in Proc: on[j]) { flag := true }', 1],
        ['flag := exists j in Proc: on[j]', 2],
        ['if exists j in Proc: on[j] { flag := true } else { flag := false }', 2],
        ['while exists j in Proc: on[j] { a: skip }; b: skip', 2],
        ['on := true', 1],
        ['on := exists j in Proc: on[j]', 2],
        ['flag := some(on)', 2],
        ['n := [j in Proc: n[j] + 1]', 2],
        ['n := [j in Proc: if n[j] < 3 then n[j] else 0]', 1],
        ['n := [j in Proc: if n[j] < 3 then n[j] + 1 else 0]', 2],
        ['on := [j in Proc: !on[j]]', 1],
    ])('%s: %i', async (step, members) => {
        const declarations =
            'var flag: bool = false\nvar on: bool[Proc] = false\nvar n: 0 .. 3[Proc] = 0\n' +
            'function some(a: bool[Proc]): bool = forall j in Proc: a[j]';
        expect(await extraOf(stepping(step, declarations))).toBe(members);
    });

    test('the alternatives of a step count by the most, the tests of one way together', async () => {
        const step =
            'while exists j in Proc: on[j] { if exists j in Proc: !on[j] { a: skip } else { b: skip } }; c: skip';
        expect(await extraOf(stepping(step))).toBe(3);
    });

    test('members that take part in a joint event go with their process, an argument counts once', async () => {
        const text = `${HEAD}event go[Proc]\nvar on: bool[Proc] = false\nprocess P[i: Proc] { loop { go[i] { on[i] := true } } }
process Q[j: Proc, i: Proc where i != j] { loop { go[i] { on[j] := false } } }\n`;
        expect(await extraOf(text)).toBe(1);
    });

    test('a fault of one of them needs that one', async () => {
        const text = `${HEAD}event go\nvar n: 0 .. 3[Proc] = 0\nprocess P[i: Proc] { loop { go { n[i] := n[i] + 1 } } }\n`;
        expect(await extraOf(text)).toBe(1);
        const fine = `${HEAD}event go\nvar n: bool[Proc] = false\nprocess P[i: Proc] { loop { go { n[i] := true } } }\n`;
        expect(await extraOf(fine)).toBe(0);
    });

    test('two instances of a family that meet are two', async () => {
        const step = (low: number, places: string): string =>
            `{ when (forall k in ${low} .. ${low + 2}: exists q in Proc: st[q] == k) e[${places}] }`;
        const text = `${HEAD}event e[Proc, Proc]\nvar st: 0 .. 6[Proc] = 0
process P[i: Proc] { choose j in Proc where j != i ${step(1, 'i, j')} or { choose j in Proc where j != i ${step(4, 'j, i')} } }\n`;
        // The two arguments, and three witnesses of each.
        expect(await extraOf(text)).toBe(8);
    });

    test('two conditions that only look the same are two', async () => {
        const text = `${HEAD}type K = 1 .. 2\nvar st: 0 .. 2[Proc] = 0\nfunction both(a: bool, b: bool): bool = a && b
process P[i: Proc] { loop { skip } }
process R[k: K] {
    let own = k
    let a = exists q in Proc: st[q] == k;
    go: when exists k in K where k != own: both(a, exists q in Proc: st[q] == k) { skip }
}\n`;
        expect(await extraOf(text)).toBe(2);
    });

    test('a family with fewer members than its parameter says is looked at with enough of them', async () => {
        const text = `param N: 4 .. 12 = 4\ntype Proc = 1 .. N - 3\nvar on: bool[Proc] = false
process P[i: Proc] { loop { on[i] := true } }\nprocess R { loop { { var x: Proc\n on[x] := false } } }\n`;
        expect(await familyOf(text)).toEqual(['5:22 one member is treated in another way than the others']);
    });

    test('tests on the way to a step ask for members of one family only', async () => {
        const text = `param R: 0 .. 9 = 2\nparam W: 0 .. 9 = 2\ntype Reader = 1 .. R\ntype Writer = R + 1 .. R + W
process Q { loop { while count(r in Reader: true) >= 5 { }; skip } }\nprocess P[w: Writer] { loop { skip } }\n`;
        expect(await familyOf(text, ['R', 'W'])).toEqual([
            '5:26 with several parameters no test before a step asks for members',
        ]);
    });

    test('a test that has a value before the run needs as many members as decide it', async () => {
        const text = `${HEAD}event e\nvar bad: bool = false\nprocess P[i: Proc] { skip }
process R { if count(q in Proc: true) < 8 { when false e } }\nprocess T { e { bad := true } }\n`;
        const { narrow } = await narrowFamilyOf(text);
        expect(narrow.extra).toBe(1);
        expect(narrow.decisive).toBe(8);
    });

    test('a rendezvous has a sender and a receiver', async () => {
        const text = `${HEAD}channel c: 0 of bool\nvar on: bool[Proc] = false
process P[i: Proc] { loop { choose { c ! true } or { c ? on[i] } } }\n`;
        expect(await extraOf(text)).toBe(2);
    });

    test('a function asks for what its body asks for', async () => {
        const text = stepping(
            'when any() { flag := true }',
            'var flag: bool = false\nvar on: bool[Proc] = false\nfunction any(): bool = exists j in Proc: on[j]',
        ).replaceAll('any()', 'some()');
        expect(await extraOf(text)).toBe(2);
    });
});

describe('several families', () => {
    test('intervals of one type', async () => {
        const { narrow } = await narrowFamilyOf(readFileSync('models/readers-writers.orbit', 'utf8'), ['R', 'W']);
        expect(narrow.carrier.families.map(({ least }) => least)).toEqual([0, 0]);
    });

    test('a fixed value beside a family', async () => {
        const text = `param N: 1 .. 9 = 3\ntype Node = 0 .. N\ntype Proc = 1 .. N\nvar on: bool[Node] = false
var turn: Node = 0\nprocess P[i: Proc] { loop { when turn == i { turn := i } } }
process Q[i: Node] { loop { when turn == i { on[i] := true } } }\n`;
        const { narrow } = await narrowFamilyOf(text);
        expect([narrow.fixedCount, narrow.carrier.families.length]).toEqual([1, 1]);
    });

    test('ranges that are equal for one value only', async () => {
        const text = `param N: 1 .. 9 = 6\ntype A = 1 .. N\ntype B = 1 .. 6\nvar b: bool[B] = false
process P[i: A] { loop { when b[i] { skip } } }\n`;
        expect(await familyOf(text)).toEqual(['5:33 a member is compared or mixed with a number']);
    });

    test('one parameter is the size of one family', async () => {
        const text = `param N: 1 .. 9 = 3\ntype A = 1 .. N\ntype B = N + 1 .. 2 * N\nprocess P[i: A] { loop { skip } }\nprocess Q[i: B] { loop { skip } }\n`;
        expect(await familyOf(text)).toEqual(['3:10 `N` is the size of two separate ranges, this one and another one']);
    });
});

describe('what is refused, at its place', () => {
    test.each([
        // The traps: the number of processes in a guard, the length of an array over them.
        [
            'when count(j in Proc: on[j]) == N - 1 { flag := true }',
            '6:33 `N` is a number here, and more than the bound of a range',
        ],
        [
            'when count(j in Proc: on[j]) == len(on) { flag := true }',
            '6:33 the length of this array depends on the number of members',
        ],
        [
            'when 2 * count(j in Proc: on[j]) > 3 { flag := true }',
            '6:10 the number of members is compared with constants only',
        ],
        ['on := [j in Proc: exists k in Proc where k != j: on[k]]', '6:'],
        ['when i < 2 { flag := true }', '6:6 the order of members matters here'],
        ['when i == 1 { flag := true }', '6:6 a member is compared or mixed with a number'],
        ['on[i mod 2 + 1] := true', '6:4 a member is taken for a number'],
        ['{ for j in Proc { on[j] := true } }', '6:3 this loop takes the members one after the other'],
        ['for j in Proc { a: on[j] := true }', '6:1 this loop takes the members one after the other'],
        [
            'when forall j in Proc: exists k in Proc: on[k] { flag := true }',
            '6:6 inside a condition on all members another one asks for members',
        ],
        [
            'when exists j in Proc: on[turn] { flag := true }',
            '6:24 this may be a fault, so the order of the members matters',
            'var turn: Proc? = none\nvar flag: bool = false\nvar on: bool[Proc] = false',
        ],
        [
            'when sum(j in Proc: n[j]) > 3 { flag := true }',
            'depends',
            'var n: 0 .. 3[Proc] = 0\nvar flag: bool = false\nvar on: bool[Proc] = false',
        ],
    ])('%s', async (step, message, declarations?: string) => {
        const text = stepping(step, declarations);
        const refusals = await familyOf(text);
        expect(Array.isArray(refusals) ? refusals.join('\n') : refusals).toEqual(
            expect.stringContaining(message.replace(/^6:/, declarations === undefined ? '6:' : '7:')),
        );
    });

    test.each([
        [
            'a link between processes',
            'var next: Proc?[Proc] = none\nprocess P[i: Proc] { loop { skip } }',
            '3:5 `next[i]` belongs to one member and may refer to another one',
        ],
        [
            'a member in a local between steps',
            'var on: bool[Proc] = false\nprocess P[i: Proc] { loop { choose j in Proc { a: on[j] := true; b: on[j] := false } } }',
            '4:36 `P[i].j` belongs to one member and may refer to another one',
        ],
        [
            'a message in a channel of each',
            'channel box[Proc]: 1 of Proc\nprocess P[i: Proc] { loop { box[i] ! i } }',
            '3:9 `box[i][0]` belongs to one member and may refer to another one',
        ],
        [
            'a cell for each pair',
            'var m: bool[Proc, Proc] = false\nprocess P[i: Proc] { loop { m[i, i] := true } }',
            '3:5 there is a cell for each pair of members: `m[i, j]`',
        ],
        [
            'a start that singles out one of them',
            'var on: bool[Proc] = [i in Proc: i == 1]\nprocess P[i: Proc] { loop { on[i] := true } }',
            '3:34 a member is compared or mixed with a number',
        ],
        [
            'a template',
            'var x: bool = false\nprocess T() { x := true }\nprocess P[i: Proc] { loop { spawn T() } }',
            '4:9 instances of `T` are created while the model runs',
        ],
        [
            'a constant with their number',
            'const half = N div 2\nvar x: 0 .. half = 0\nprocess P[i: Proc] { loop { x := 0 } }',
            '3:14 `half` is no sum, so `N` stands for one value',
        ],
        [
            'a table with an entry for each',
            'param t: 0 .. 3[Proc] = [1, 2, 3]\nprocess P[i: Proc] { loop { when t[i] == 1 { skip } } }',
            '3:17 this must be known before the run, and `Proc` depends on the number of members',
        ],
        [
            'a capacity',
            'channel c: N of bool\nprocess P[i: Proc] { loop { c ! true } }',
            '3:12 `N` is a number here, and more than the bound of a range',
        ],
        [
            'a first value that asks for members',
            'var big: bool = count(j in Proc: true) >= 9\nprocess P[i: Proc] { loop { skip } }',
            '3:5 its first value depends on members',
        ],
        [
            'a local at the head that asks for members',
            'process P[i: Proc] { var big: bool = forall j in Proc: true\n loop { a: when big { skip } } }',
            '3:26 its first value depends on members',
        ],
        [
            'a constant with a length',
            'var on: bool[Proc] = false\nconst big = len(on) >= 9\nprocess P[i: Proc] { loop { skip } }',
            '4:13 the length of this array depends',
        ],
        [
            'a range with a length',
            'var on: bool[Proc] = false\ntype L = 0 .. max(len(on), 8) - 8\nprocess P[i: Proc] { loop { skip } }',
            '4:19 the length of this array depends',
        ],
        [
            'a range with a function of members',
            'function f(): 0 .. 9 = if forall j in Proc: true then 1 else 0\ntype L = 0 .. f()\nprocess P[i: Proc] { loop { skip } }',
            '4:15 this must be known before the run, and `f` depends on the number of members',
        ],
        [
            'a condition of a record',
            'record R = { a: 0 .. 1 where a == 0 || (forall j in Proc: true) }\nprocess P[i: Proc] { loop { skip } }',
            '3:53 this must be known before the run, and `Proc` depends on the number of members',
        ],
        [
            'a label behind a test',
            'var on: bool[Proc] = false\nprocess Q { if exists j in Proc: on[j] { l: when false } else { when false } }\nprocess R { when Q at l { skip } }\nprocess P[i: Proc] { loop { skip } }',
            '5:18 what stands before `l` asks for members or makes a choice',
        ],
        [
            'an entry of a table',
            'const tab = [false, false, true]\nvar on: bool[Proc] = [x in Proc: tab[x - 1]]\nprocess P[i: Proc] { loop { skip } }',
            '4:38 a member is taken for a number',
        ],
        [
            'an entry of a table of all',
            'param tab: bool[1 .. 9] = [false, false, true, true, true, true, true, true, true]\nvar on: bool[Proc] = [x in Proc: tab[x]]\nprocess P[i: Proc] { loop { skip } }',
            '4:38 a member is compared or mixed with a number',
        ],
        [
            'a member for each member between steps',
            'var on: bool = false\nprocess P { loop { var a: Proc[Proc] = any\n go: when forall x in Proc: a[x] == x { on := true } } }\nprocess Q[i: Proc] { loop { skip } }',
            'several members are chosen at once',
        ],
        [
            'several members in one channel place',
            'channel ch[Proc]: 1 of bool\nprocess R { a: skip; var a: Proc[3] = any\n when a[0] != a[1] ch[a[0]] ! true }\nprocess P[i: Proc] { loop { skip } }',
            '4:26 several members are chosen at once',
        ],
        [
            'a choice in each round',
            'var on: bool[Proc] = false\nprocess R { a: skip; for k in 1 .. 3 { choose j in Proc where on[j] { } }; b: skip }\nprocess P[i: Proc] { loop { skip } }',
            '4:47 it is chosen again on the way to one step',
        ],
        [
            'a number among the members',
            'process R { when 20 in Proc { skip } }\nprocess P[i: Proc] { loop { skip } }',
            '3:24 the ends of this type are numbers here',
        ],
        [
            'labels that depend on one another',
            'process A { if B at l { k: skip } else { x: skip } }\nprocess B { if A at k { l: skip } else { x: skip } }\nprocess P[i: Proc] { loop { skip } }',
            'asks for members or makes a choice',
        ],
        [
            'more members than are tried',
            'var on: bool[Proc] = false\nprocess P[i: Proc] { loop { when count(j in Proc: on[j]) >= 40 { skip } } }',
            '4:29 this step may depend on 41 members, and 12 are tried',
        ],
        [
            'two arrays over members that are compared as a whole',
            'var a: bool[Proc] = false\nvar b: bool[Proc] = false\nprocess P[i: Proc] { loop { when a != b { a := b } } }',
            '5:34 one member is named here',
        ],
        [
            'a name for an array over members',
            'var a: bool[Proc] = false\nprocess P[i: Proc] { loop { let t = [j in Proc: a[j]];\n when t[i] { skip } } }',
            '4:38 this table has an entry for each member',
        ],
        [
            'a constant among the members that is compared through a variable of another type',
            'type Fix = 0 .. 0\nvar z: Fix = 0\nvar t: 0 .. N = 0\nprocess P[i: Proc] { loop { when t == z { t := i } } }',
            '6:34 a member is compared or mixed with a number',
        ],
        [
            'a property of every state that names a member',
            'var a: bool[Proc] = false\nproperty first = always a[1] == false\nprocess P[i: Proc] { loop { a[i] := false } }',
            '4:27 a member is compared or mixed with a number',
        ],
        [
            'each writes what all share',
            'event go\nvar x: bool = false\nprocess P[i: Proc] { loop { go { x := true } } }',
            '5:34 all members take part in this event, and each writes here',
        ],
    ])('%s', async (_, declarations, message) => {
        const refusals = await familyOf(`${HEAD}${declarations}\n`);
        expect(Array.isArray(refusals) ? refusals.join('\n') : refusals).toEqual(expect.stringContaining(message));
    });

    test('a local that names a member during a step only is fine', async () => {
        const text = `${HEAD}var on: bool[Proc] = false\nprocess P[i: Proc] { loop { choose j in Proc where j != i { on[j] := true } } }\n`;
        expect(await extraOf(text)).toBe(2);
    });

    test.each([
        'dining-philosophers',
        'mcs-lock',
        'peterson',
        'raft-election',
        'bakery',
        'kessels',
        'szymanski',
        'token-ring',
    ])('%s is not narrow', async name => {
        expect(await familyOf(readFileSync(`models/${name}.orbit`, 'utf8'))).toBeInstanceOf(Array);
    });
});
