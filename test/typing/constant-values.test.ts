/** Constants of every type: parameters, tables and calls of functions. */
import { expect, test } from 'vitest';
import { loadModel } from '../../language-server/load-model.js';
import { modelOf } from '../model-of-text.js';

/** The value of a parameter of this type with `expression` as its default. */
async function valueOf(type: string, expression: string, declarations = ''): Promise<unknown> {
    const text = `${declarations}\nparam p: ${type} = ${expression}\nvar x: bool\nprocess P { x := true }`;
    return (await modelOf(text)).parameters.find(({ name }) => name === 'p')?.value;
}

test.each([
    ['0 .. 9[*]', '[1 + 1, 3]', [2, 3]],
    [
        '0 .. 9[2, 3]',
        '[[1, 2, 3], [4, 5, 6]]',
        [
            [1, 2, 3],
            [4, 5, 6],
        ],
    ],
    [
        '0 .. 9[*, 2]',
        '[i, j in 0 .. 1: i * 2 + j]',
        [
            [0, 1],
            [2, 3],
        ],
    ],
    ['bool[Color]', '[c in Color: c != red]', [false, true]],
    ['Color?[2]', '[none, green]', [null, 'green']],
    ['Pair', 'Pair(2, true)', { one: 2, other: true }],
    [
        'Pair[2]',
        '[i in 0 .. 1: Pair(i, i == 1)]',
        [
            { one: 0, other: false },
            { one: 1, other: true },
        ],
    ],
    ['Small', 'Small(1, Pair(2, false))', { first: 1, second: { one: 2, other: false } }],
    ['0 .. 9', 'sum(s in Small: s.first)', 2],
    ['0 .. 9', 'count(p in Pair where !p.other: p.one > 0)', 2],
    ['bool', 'Pair(1, true) == Pair(1, false) || [1, 2] == [1, 2]', true],
    ['bool', '3 in {1, 2 .. 4} && !(red in {green}) && Small(0, Pair(1, true)) in Small', true],
    ['0 .. 99', 'table[2][1] + table[0, 0]', 7],
    ['0 .. 99', 'max(i, j in 0 .. 1 where i != j: table[i, j]) + min(9, 3, 7) + len(table)', 9],
    ['0 .. 99', 'pow(2, 5) + xor(6, 3) + bitand(6, 3) + bitor(6, 3) + shl(3, 2) + shr(9, 1)', 32 + 5 + 2 + 7 + 12 + 4],
    ['0 .. 99', 'fibonacci(10)', 55],
    ['0 .. 9[3]', 'sorted([3, 1, 2])', [1, 2, 3]],
    ['0 .. 9', 'sorted([9, 8, 7])[0]', 7],
    ['Pair', 'swapped(Pair(2, true))', { one: 2, other: false }],
    ['0 .. 9', 'if false then 1 div 0 else 4', 4],
])('a %s that is %s', async (type, expression, value) => {
    const declarations = `
enum Color = { red, green }
record Pair = { one: 0 .. 2, other: bool }
type Small = { first: 0 .. 1, second: Pair where first <= second.one && !second.other || first == 0 && second.one == 1 }
const table: 0 .. 9[3, 2] = [[1, 2], [3, 4], [5, 6]]
function fibonacci(n: 0 .. 20): 0 .. 9999 = if n < 2 then n else fibonacci(n - 1) + fibonacci(n - 2)
function swapped(p: Pair): Pair { var q: Pair = p; q.other := !q.other; return q }
function sorted(a: 0 .. 9[3]): 0 .. 9[3] {
    var b: 0 .. 9[3] = a
    for i in 0 .. 1 {
        for j in 0 .. 1 {
            if b[j] > b[j + 1] { let c = b[j]; b[j] := b[j + 1]; b[j + 1] := c }
        }
    }
    return b
}`;
    expect(await valueOf(type, expression, declarations)).toEqual(value);
});

test('a record with a `where` has the values that satisfy it, and no others', async () => {
    const small = '{ first: 0 .. 3, second: 0 .. 3 where first + second == 3 }';
    expect(await valueOf('0 .. 99', 'count(s in Small: true)', `type Small = ${small}`)).toBe(4);
    expect(await valueOf('0 .. 99', 'sum(s in Small: s.first * s.second)', `type Small = ${small}`)).toBe(4);
});

test('constants that take too long end in an error, all of them together in a second or so', async () => {
    const loop = 'function f(n: 0 .. 999): 0 .. 999 { var i: 0 .. 999 = 0 while i < n { i := i + 1 } return i }';
    const many = Array.from({ length: 60 }, (_, index) => `const c${index} = sum(j in 0 .. 99: f(900 + ${index}))`);
    const { model, problems } = await loadModel([loop, ...many, 'process P { skip }'].join('\n'), 'file:///slow.orbit');
    expect(model).toBeUndefined();
    expect(problems.filter(({ code }) => code === 'type/too-large').length).toBeGreaterThan(0);
});

test('a function that calls itself for ever is an error at the call', async () => {
    const text = 'function f(n: 0 .. 9): 0 .. 9 = f(n)\nconst c = f(1)\nprocess P { skip }';
    const { problems } = await loadModel(text, 'file:///deep.orbit');
    expect(problems).toMatchObject([{ code: 'type/too-large', range: { start: { line: 1, character: 10 } } }]);
});
