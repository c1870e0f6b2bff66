/** Arrays, records, channels and functions become scalars. */
import { describe, expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { loadModel } from '../../language-server/load-model.js';
import { modelOf } from '../model-of-text.js';
import { printModel } from './print-model.js';

/** The lines of the lowered model, without the indentation of the text. */
async function lower(text: string, parameters: readonly (readonly [string, string])[] = []): Promise<string[]> {
    return printModel(await modelOf(text, parameters));
}

/** The lowered steps of a process with this body, one line each. */
async function steps(declarations: string, body: string): Promise<string[]> {
    const lines = await lower(`${declarations}\nprocess Steps { ${body} }`);
    return lines
        .slice(lines.indexOf('process Steps') + 1)
        .map(line => line.trim())
        .filter(line => line !== 'step');
}

async function invariantOf(declarations: string, expression: string): Promise<string> {
    const lines = await lower(`${declarations}\nprocess P { skip }\ninvariant i = ${expression}`);
    return lines[lines.length - 1]?.replace('invariant i = ', '') ?? '';
}

describe('records', () => {
    const node = 'type Proc = 1 .. 2\nrecord Node = { next: Proc?, data: bool[2] }\n';

    test('are split: one variable for each field, arrays of records become arrays', async () => {
        expect(await lower(`${node}var one: Node\nvar all: Node[Proc] = any\nprocess P { skip }`)).toEqual([
            'var one.next: Proc?',
            'var one.data: bool[0 .. 1]',
            'var all.next: Proc?[1 .. 2] = any',
            'var all.data: bool[1 .. 2, 0 .. 1] = any',
            'process P',
            '    step',
        ]);
    });

    test('are compared and assigned field by field', async () => {
        const declarations = `${node}var a: Node[Proc]\nvar b: Node`;
        expect(await steps(declarations, 'a[1] := b')).toEqual([
            'a[1].next := b.next, a[1].data[0] := b.data[0], a[1].data[1] := b.data[1]',
        ]);
        expect(await steps(declarations, 'a := a')).toEqual([
            'a[1].next := a[1].next, a[2].next := a[2].next, ' +
                'a[1].data[0] := a[1].data[0], a[1].data[1] := a[1].data[1], ' +
                'a[2].data[0] := a[2].data[0], a[2].data[1] := a[2].data[1]',
        ]);
        expect(await invariantOf(declarations, 'b == a[1]')).toBe(
            'b.next == a[1].next && b.data[0] == a[1].data[0] && b.data[1] == a[1].data[1]',
        );
        expect(await invariantOf(declarations, 'b != Node(none, [true, false])')).toBe(
            'b.next != none || b.data[0] != true || b.data[1] != false',
        );
    });

    test('an access is one place, whatever its indices are', async () => {
        const declarations = `${node}var a: Node[Proc]\nvar k: Proc\nvar l: 0 .. 1`;
        expect(await invariantOf(declarations, 'a[k].data[l]')).toBe('a[k].data[l]');
        expect(await steps(declarations, 'a[k].data[l] := a[3 - k].data[1 - l]')).toEqual([
            'a[k].data[l] := a[3 - k].data[1 - l]',
        ]);
    });

    test('nested records are flattened', async () => {
        const text = `${node}record Pair = { first: Node, second: Node }\nvar p: Pair[Proc]\nprocess P { p[1].first := p[2].second }`;
        expect(await lower(text)).toEqual([
            'var p.first.next: Proc?[1 .. 2]',
            'var p.first.data: bool[1 .. 2, 0 .. 1]',
            'var p.second.next: Proc?[1 .. 2]',
            'var p.second.data: bool[1 .. 2, 0 .. 1]',
            'process P',
            '    step',
            '        p[1].first.next := p[2].second.next, p[1].first.data[0] := p[2].second.data[0], ' +
                'p[1].first.data[1] := p[2].second.data[1]',
        ]);
    });

    test('with a condition are one value; a field of it is written with the record around', async () => {
        const client = 'type Client = { s: 0 .. 1, n: 0 .. 2 where n <= s }\n';
        const text = `${client}var c: Client = Client(1, 0)\nvar of: bool[Client]\nprocess P[i: Client] { c.n := i.s; when of[c] skip }`;
        expect(await lower(text)).toEqual([
            'var c: Client = Client(1, 0)',
            'var of: bool[Client]',
            'process P[Client]',
            '    step',
            '        c := Client(c.s, i.s)',
            '    step when of[c]',
        ]);
    });

    test('an array in a record of one value is written element by element', async () => {
        const row = 'record Row = { cells: bool[2], n: 0 .. 1 where cells[n] }\nvar r: Row\nvar k: 0 .. 1\n';
        expect(await steps(row, 'r.cells[1] := true')).toEqual(['r := Row(r.cells[0], true, r.n)']);
        expect(await steps(row, 'r.cells := [false, true]')).toEqual(['r := Row(false, true, r.n)']);
        expect(await steps(row, 'r.cells[k] := true')).toEqual([
            'r := Row([true, r.cells[0]][k], [r.cells[1], true][k], r.n)',
        ]);
        expect(await invariantOf(row, 'r.cells[k]')).toBe('[r.cells[0], r.cells[1]][k]');
    });

    test('go into an optional value field by field, and out of a binder in one piece', async () => {
        const pair = 'record Pair = { a: bool, b: 0 .. 1 }\nvar split: Pair\nvar hand: Pair?\n';
        expect(await steps(pair, 'hand := split')).toEqual(['hand := Pair, hand.a := split.a, hand.b := split.b']);
        expect(await steps(pair, 'hand := none')).toEqual(['hand := none, hand.a := false, hand.b := 0']);
        expect(await invariantOf(pair, 'hand == split')).toBe('hand == Pair && hand.a == split.a && hand.b == split.b');
        expect(await invariantOf(pair, 'exists p in Pair: p == split && p.a')).toBe(
            'exists p in Pair: p == Pair(split.a, split.b) && p.a',
        );
        expect(await steps(pair, 'choose p in Pair where p.a { split := p }')).toEqual([
            'var p: Pair = any',
            'choose',
            'declare p',
            'assume p.a',
            'split.a := p.a, split.b := p.b',
        ]);
    });

    test('whose values are known are one constant where they are one value', async () => {
        const pair = 'record Pair = { a: bool, b: 0 .. 1 }\nconst origin = Pair(false, 1)\nvar n: 0 .. 7[Pair]\n';
        expect(await invariantOf(pair, 'n[origin] == 0')).toBe('n[Pair(false, 1)] == 0');
        expect(await invariantOf(pair, 'origin.b == 1')).toBe('1 == 1');
        expect(
            await steps('type C = { s: 0 .. 1, n: 0 .. 1 where n <= s }\nvar x: 0 .. 2[C]', 'x := [c in C: c.s + c.n]'),
        ).toEqual(['x[C(0, 0)] := 0 + 0, x[C(1, 0)] := 1 + 0, x[C(1, 1)] := 1 + 1']);
    });
});

describe('a value given to a field', () => {
    const declarations = 'record R = { x: 0 .. 3, y: bool }\nvar r: R\nvar k: 0 .. 9\n';

    test('is checked by the place that it comes to, also by a name in a body', async () => {
        expect(await steps(declarations, 'r := R(k, true)')).toEqual(['r.x := k, r.y := true']);
        const { model } = await loadModel(
            `${declarations}process P { { let s = R(k, true); let n = k + 1; r := s; k := n } }`,
            'file:///model.orbit',
        );
        const [step] = model?.processes[0]?.body ?? [];
        invariant(step?.kind === 'step', 'the body is a step');
        const names = step.body.flatMap(statement => (statement.kind === 'declare' ? statement.declarations : []));
        expect(names.map(({ temporary }) => [temporary.name, temporary.element?.kind])).toEqual([
            ['s.x', 'range'],
            ['s.y', 'boolean'],
            ['n', undefined],
        ]);
    });

    test('is checked before it is compared, unless its type says enough', async () => {
        expect(await invariantOf(declarations, 'r == R(k, true)')).toBe(
            'r.x == (if 0 <= k && k <= 3 then k else no such value) && r.y == true',
        );
        expect(await invariantOf(declarations, 'r == R(r.x, k < 3) || r == R(3, r.y)')).toBe(
            'r.x == r.x && r.y == (k < 3) || r.x == 3 && r.y == r.y',
        );
    });
});

describe('arrays', () => {
    test('a comprehension is evaluated for each index; one value fills an array', async () => {
        const text = [
            'type T = 0 .. 2',
            'var a: 0 .. 9[T] = [i in T: i * i]',
            'var b: 0 .. 9[T, 2] = [i in T, j in 0 .. 1: i - j]',
            'var c: 0 .. 9[T] = 7',
            'process P { c := [3, 4, 5]; c := 1; c := a }',
        ].join('\n');
        expect(await lower(text)).toEqual([
            'var a: 0 .. 9[0 .. 2] = 0 * 0, 1 * 1, 2 * 2',
            'var b: 0 .. 9[0 .. 2, 0 .. 1] = 0 - 0, 0 - 1, 1 - 0, 1 - 1, 2 - 0, 2 - 1',
            'var c: 0 .. 9[0 .. 2] = 7',
            'process P',
            '    step',
            '        c[0] := 3, c[1] := 4, c[2] := 5',
            '    step',
            '        c[0] := 1, c[1] := 1, c[2] := 1',
            '    step',
            '        c[0] := a[0], c[1] := a[1], c[2] := a[2]',
        ]);
    });

    test('of literals and comprehensions in each other go row by row', async () => {
        const declarations = 'type T = 1 .. 2\nvar m: 0 .. 9[T, 3]';
        expect(await steps(declarations, 'm := [[1, 2, 3], [4, 5, 6]]')).toEqual([
            'm[1, 0] := 1, m[1, 1] := 2, m[1, 2] := 3, m[2, 0] := 4, m[2, 1] := 5, m[2, 2] := 6',
        ]);
        expect(await steps(declarations, 'm := [i in T: [j in 0 .. 2: i + j]]')).toEqual([
            'm[1, 0] := 1 + 0, m[1, 1] := 1 + 1, m[1, 2] := 1 + 2, m[2, 0] := 2 + 0, m[2, 1] := 2 + 1, m[2, 2] := 2 + 2',
        ]);
    });

    test('a constant table is folded where the index is known, and a choice where it is not', async () => {
        const declarations = 'type T = 1 .. 3\nconst next: T[T] = [2, 3, 1]\nvar k: T = 1';
        expect(await invariantOf(declarations, 'next[2] == 3')).toBe('3 == 3');
        expect(await invariantOf(declarations, 'next[k] == k')).toBe('[2, 3, 1][k] == k');
        expect(await invariantOf(declarations, 'next[next[k]] == k')).toBe('[2, 3, 1][[2, 3, 1][k]] == k');
        expect(await invariantOf(declarations, 'next[1 + 1] == k')).toBe('3 == k');
        expect(
            await steps(declarations, 'let twice = [i in T: next[i mod 3 + 1]] when twice[1] == twice[k] skip'),
        ).toEqual(['step when 3 == [3, 1, 2][k]']);
    });

    test('a choice between arrays is one for each element', async () => {
        const declarations = 'var a: bool[2]\nvar b: bool[2]\nvar c: bool';
        expect(await steps(declarations, 'a := if c then b else [true, c]')).toEqual([
            'a[0] := if c then b[0] else true, a[1] := if c then b[1] else c',
        ]);
    });

    test('the condition on many elements is not as deep as it is long', async () => {
        const { model } = await loadModel(
            'var a: bool[20000]\nvar b: bool[20000]\nprocess P { skip }\ninvariant i = a == b',
            'file:///model.orbit',
        );
        let depth = 0;
        for (let node = model?.invariants[0]?.expression; node?.kind === 'binary' && node.operator === 'and'; depth++) {
            node = node.left;
        }
        expect(depth).toBe(Math.ceil(Math.log2(20000)));
    });

    test('parameters may be arrays with the length of their value', async () => {
        const text = [
            'param clients: 0 .. 8[*] = [3, 3, 2]',
            'type Server = 0 .. len(clients) - 1',
            'type Client = { s: Server, n: 0 .. 7 where n < clients[s] }',
            'process P[c: Client] { skip }',
            'invariant i = len(clients) == 3 && forall s in Server: clients[s] > 0',
        ].join('\n');
        expect(await lower(text)).toEqual([
            'param clients = [3, 3, 2]',
            'process P[Client]',
            '    step',
            'invariant i = 3 == 3 && (forall s in Server: [3, 3, 2][s] > 0)',
        ]);
        const { model } = await loadModel(text, 'file:///model.orbit', [['clients', '[1, 4]']]);
        expect(model?.parameters).toMatchObject([{ name: 'clients', value: [1, 4], text: '[1, 4]' }]);
        expect(model?.processes[0]?.indices[0]?.domain).toMatchObject({
            tuples: [
                [0, 0],
                [1, 0],
                [1, 1],
                [1, 2],
                [1, 3],
            ],
        });
    });
});

describe('expressions', () => {
    test('built-in functions', async () => {
        const declarations = 'var a: 0 .. 9\nvar b: 0 .. 9';
        expect(
            await invariantOf(declarations, 'pow(a, 2) + xor(a, b) + shl(a, 1) == bitor(a, bitand(b, shr(a, 1)))'),
        ).toBe('pow(a, 2) + xor(a, b) + shl(a, 1) == bitor(a, bitand(b, shr(a, 1)))');
        expect(await invariantOf(declarations, 'min(a, b, 3) <= max(a, b)')).toBe(
            'min(argument in its type: [a, b, 3][argument]) <= max(argument in its type: [a, b][argument])',
        );
        expect(await invariantOf(declarations, 'min(i in 0 .. 3 where i > a: i + b) == 4')).toBe(
            'min(i in its type where i > a: i + b) == 4',
        );
    });

    test('membership in a set or a type is a disjunction', async () => {
        const declarations = 'type Low = 0 .. 3\nvar a: 0 .. 9\nvar o: Low?\nenum E = { p, q }\nvar e: E?';
        expect(await invariantOf(declarations, 'a in {1, 3 .. 5, a - 1}')).toBe(
            'a == 1 || 3 <= a && a <= 5 || a == a - 1',
        );
        expect(await invariantOf(declarations, 'a in Low')).toBe('0 <= a && a <= 3');
        expect(await invariantOf(declarations, 'o in Low')).toBe('o != none && (0 <= o && o <= 3)');
        expect(await invariantOf(declarations, 'a in {}')).toBe('false');
    });
});

describe('initial values', () => {
    test('from a set are chosen cell by cell', async () => {
        const lines = await lower(
            'var a: 0 .. 9[2] in {1, 3}\nvar b: bool = any\ninit a[0] != a[1]\nprocess P { skip }',
        );
        expect(lines.slice(0, 3)).toEqual([
            'var a: 0 .. 9[0 .. 1] in {1, 3}',
            'var b: bool = any',
            'init a[0] != a[1]',
        ]);
    });

    test('of a split record follow the fields before', async () => {
        const record = 'record R = { x: 0 .. 9, y: 0 .. 9 }\n';
        expect((await lower(`${record}var r: R in {R(1, 2), R(3, 4)}\nprocess P { skip }`)).slice(0, 2)).toEqual([
            'var r.x: 0 .. 9 in {1, 3}',
            'var r.y: 0 .. 9 in {if r.x == 1 then 2 else if r.x == 1 then 2 else if r.x == 3 then 4 else 4, ' +
                'if r.x == 3 then 4 else if r.x == 1 then 2 else if r.x == 3 then 4 else 4}',
        ]);
    });
});

describe('channels', () => {
    const message = 'enum Kind = { ask, tell }\nrecord Message = { kind: Kind, data: 0 .. 3[2] }\n';

    test('carry one scalar for each field and element of a message', async () => {
        const lines = await lower(
            `${message}channel c[2]: 1 + 1 of Message\nchannel d: 0 of bool\nprocess P { d ! true }`,
        );
        expect(lines).toEqual([
            'channel c[0 .. 1]: 2 of .kind Kind, .data[0] 0 .. 3, .data[1] 0 .. 3',
            'channel d: 0 of bool',
            'process P',
            '    step d ! true',
        ]);
    });

    test('a pattern becomes tests and bindings', async () => {
        const declarations = `${message}channel c[2]: 1 of Message\nvar x: 0 .. 3[2]\nvar m: Message\nconst zero = [0, 0]`;
        expect(await steps(declarations, 'c[0] ? m')).toEqual([
            'step c[0] ? m.kind := message 0; m.data[0] := message 1; m.data[1] := message 2',
        ]);
        expect(await steps(declarations, 'c[1] ? (ask, x)')).toEqual([
            'step c[1] ? message 0 == ask; x[0] := message 1; x[1] := message 2',
        ]);
        expect(await steps(declarations, 'c[1] ? Message(tell, x)')).toEqual([
            'step c[1] ? message 0 == tell; x[0] := message 1; x[1] := message 2',
        ]);
        expect(await steps(declarations, 'c[1] ? (_, == x)')).toEqual([
            'step c[1] ? message 1 == x[0] && message 2 == x[1]',
        ]);
        expect(await steps(declarations, 'c[1] ? _ { x[0] := 1 }')).toEqual(['step c[1] ? _', 'x[0] := 1']);
    });

    test('are sent scalar by scalar', async () => {
        const declarations = `${message}channel c: 1 of Message\nvar x: 0 .. 3[2]`;
        expect(await steps(declarations, 'when !full(c) && len(c) == 0 c ! Message(ask, x)')).toEqual([
            'step when !(len(c) == 1) && len(c) == 0 c ! ask, x[0], x[1]',
        ]);
    });

    test('are values of an enumeration', async () => {
        const text = [
            'channel a[2]: 1 of bool',
            'channel b: 1 of bool',
            'channel to: 0 of channel of bool',
            'var k: 0 .. 1',
            'var current: channel of bool = b',
            'process P { var c: channel of bool to ? c; c ! true; when !full(c) { current := a[k] } let d = a[1] d ? _ }',
        ].join('\n');
        expect(await lower(text)).toEqual([
            'var k: 0 .. 1',
            'var current: channel of bool = b',
            'channel a[0 .. 1]: 1 of bool',
            'channel b: 1 of bool',
            'channel to: 0 of channel of bool',
            'channel of bool = a[0] | a[1] | b',
            'process P',
            '    var c: channel of bool',
            '    declare c',
            '    step to ? c := message 0',
            '    step c ! true',
            '    step when !([len(a[0]), len(a[1]), len(b)][c] == 1)',
            '        current := [a[0], a[1]][k]',
            '    step a[1] ? _',
        ]);
    });
});

describe('functions and bodies', () => {
    test('a record comes into a function and out of it in pieces', async () => {
        const text = [
            'record R = { x: 0 .. 3, y: bool[2] }',
            'function turned(r: R, by: 0 .. 3): R {',
            '    var result: R',
            '    let sum = r.x + by',
            '    for i in 0 .. 1 { result.y[i] := r.y[1 - i] }',
            '    while result.x < sum { result.x := result.x + 1 }',
            '    if sum > 3 { return r } else { return result }',
            '}',
            'function size(r: R): 0 .. 9 = if r.x == 0 then 0 else 1 + size(R(r.x - 1, r.y))',
            'var s: R',
            'process P { s := turned(s, 1); s.x := size(turned(s, 2)) }',
        ].join('\n');
        expect(await lower(text)).toEqual([
            'var s.x: 0 .. 3',
            'var s.y: bool[0 .. 1]',
            'function turned(r.x, r.y[0 .. 1], by): 0 .. 3, bool[0 .. 1]',
            '    let result.x = 0',
            '    let result.y[0 .. 1] = false, false',
            '    let sum = r.x + by',
            '    for i in 0 .. 1',
            '        result.y[i] := r.y[1 - i]',
            '    while result.x < sum',
            '        result.x := result.x + 1',
            '    if sum > 3',
            '        return r.x; r.y[0], r.y[1]',
            '    else',
            '        return result.x; result.y[0], result.y[1]',
            'function size(r.x, r.y[0 .. 1]): 0 .. 9',
            '    return if r.x == 0 then 0 else 1 + size(r.x - 1, r.y[0], r.y[1])',
            'process P',
            '    step',
            '        s.x := turned(s.x, s.y[0], s.y[1], 1), s.y[0] := turned(s.x, s.y[0], s.y[1], 1)[0], ' +
                's.y[1] := turned(s.x, s.y[0], s.y[1], 1)[1]',
            '    step',
            '        s.x := size(turned(s.x, s.y[0], s.y[1], 2), turned(s.x, s.y[0], s.y[1], 2)[0], ' +
                'turned(s.x, s.y[0], s.y[1], 2)[1])',
        ]);
    });

    test('a name in a body keeps the value that it was given; one between steps is what it names', async () => {
        expect(await steps('var x: 0 .. 3[2]', 'let y = x[0] + 1 { let row = x; x[0] := y; x[1] := row[0] }')).toEqual([
            'let row[0 .. 1] = x[0], x[1]',
            'x[0] := x[0] + 1',
            'x[1] := row[0]',
        ]);
    });
});

describe('control flow', () => {
    test('a choice over values declares locals, a loop over values has a binder', async () => {
        const text = [
            'type T = 0 .. 2',
            'process P {',
            '    loop {',
            '        choose i, j in T where i < j { end l: skip } or { terminate }',
            '        for k in T { when k > 0 skip }',
            '    }',
            '}',
        ].join('\n');
        expect(await lower(text)).toEqual([
            'process P',
            '    var i: 0 .. 2 = any',
            '    var j: 0 .. 2 = any',
            '    loop',
            '        choose',
            '            declare i',
            '            declare j',
            '            assume i < j',
            '            end l:',
            '                step',
            '        or',
            '            terminate',
            '        for k in 0 .. 2',
            '            step when k > 0',
        ]);
    });

    test('a local of a record type is declared field by field', async () => {
        expect(await steps('record R = { x: bool, y: bool }', 'var r: R = R(true, false) r.x := r.y')).toEqual([
            'var r.x: bool = true',
            'var r.y: bool = false',
            'declare r.x',
            'declare r.y',
            'r.x := r.y',
        ]);
    });
});

test('what is imported stands in the place of the import, and points at its own file', async () => {
    const library = [
        'const size = 2',
        'type Lock = 0 .. size - 1',
        'var lock: bool[Lock]',
        'channel free: 1 of bool',
        'process Keeper { free ! lock[0] }',
    ];
    const text = [
        'model M',
        'var before: bool',
        'import "lock.orbit"',
        'var after: channel of bool',
        'channel taken: 1 of bool',
        'process User { free ? before; after := taken }',
    ];
    const { model, problems } = await loadModel(text.join('\n'), 'file:///models/m.orbit', [], uri =>
        Promise.resolve(
            uri === 'file:///models/lock.orbit' ? { content: library.join('\n') } : { reason: 'there is none' },
        ),
    );
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    invariant(model !== undefined, 'the texts are a model');
    expect(model.name).toBe('M');
    expect(printModel(model)).toEqual([
        'var before: bool',
        'var lock: bool[0 .. 1]',
        'var after: channel of bool',
        'channel free: 1 of bool',
        'channel taken: 1 of bool',
        'channel of bool = free | taken',
        'process Keeper',
        '    step free ! lock[0]',
        'process User',
        '    step free ? before := message 0',
        '    step',
        '        after := taken',
    ]);
    expect(model.variables.map(({ nameRange }) => nameRange.uri.slice(-10))).toEqual([
        'ls/m.orbit',
        'lock.orbit',
        'ls/m.orbit',
    ]);
});
