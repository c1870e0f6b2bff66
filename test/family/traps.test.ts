/** Ways to prove too much. Each text has a symmetry less than it seems to have at first sight. */
import { describe, expect, test } from 'vitest';
import { loadModel, type ReadImport } from '../../language-server/load-model.js';
import { inferSorts } from '../../family/infer-sorts.js';
import { reportUniform } from '../../family/sort-report.js';
import { checkByRunning, instanceOf, orderOf } from './runs.js';

async function groupsOf(text: string, readImport?: ReadImport): Promise<string[]> {
    const { checked, problems } = await loadModel(text, 'file:///model.orbit', [], readImport);
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    return reportUniform(inferSorts(checked!.model)).proved.map(({ group }) => group);
}

/** Each process may take the token from whom it likes: without the line in question all are alike. */
const ALIKE = `
param N: 2 .. 9 = 3
type T = 1 .. N
var p: T? = none
`;

describe('the first value of a type (1)', () => {
    const taking = (declared: string, used: string): string => `${ALIKE}
process P[i: T] { ${declared} loop { take: { ${used} } } }`;

    test('is one value of many where a variable is read before it is written', async () => {
        expect(await groupsOf(taking('var x: T', 'p := x; x := i'))).toEqual(['S_(N - 1)']);
    });

    test('is no value where every way writes the variable first', async () => {
        expect(await groupsOf(taking('var x: T', 'x := i; p := x'))).toEqual(['S_N']);
    });

    test('is a value where the variable is written in a loop that may have no round', async () => {
        const text = `${ALIKE} param M: 0 .. 3 = 1 process P[i: T] {
            var x: T
            loop { for k in 1 .. M { write: x := i } take: p := x }
        }`;
        expect(await groupsOf(text)).toEqual(['S_(N - 1)']);
    });

    test('is a value of an array that may have one cell', async () => {
        const text = `${ALIKE} process P[i: T] {
            var x: T[1]
            loop { write: x := [i]; take: p := x[0] }
        }`;
        expect(await groupsOf(text)).toEqual(['S_(N - 1)']);
    });

    test('is a value of shared variables', async () => {
        expect(await groupsOf(`${ALIKE} var q: T process P[i: T] { loop { take: q := i } }`)).toEqual(['S_(N - 1)']);
    });

    test('is a value where a name for an expression reads two variables', async () => {
        const text = `${ALIKE} process P[i: T] {
            var x: T
            var y: T
            let same = x == y
            loop { take: when same { p := i; y := i } }
        }`;
        expect(await groupsOf(text)).toEqual(['S_(N - 1)']);
    });

    test('is a value where a step writes a part only', async () => {
        const text = `${ALIKE} record R = { one: T, two: T }
            process P[i: T] { var r: R loop { take: { r.one := i; p := r.two } } }`;
        expect(await groupsOf(text)).toEqual(['S_(N - 1)']);
    });
});

describe('a quantifier that stops early (2)', () => {
    const asking = (condition: string): string => `
param N: 2 .. 9 = 3
type T = 1 .. N
type U = 1 .. N
var p: U?[T] = none
var a: bool[U] = false
process P[u: U, t: T] { loop { choose { set: p[t] := u } or { turn: a[u] := !a[u] } } }
process Q { loop { ask: when ${condition} { skip } } }`;

    test('keeps the order of values if its body may be at fault', async () => {
        expect(await groupsOf(asking('exists i in T: a[p[i]]'))).toEqual(['S_N']);
    });

    test.each([
        ['of what a label asks for', '[i: T] { first: skip; TESTS }', 'exists i in T: P[i] at a'],
        ['on the way of a choice', ' { loop { first: skip; choose i in T { TESTS } } }', 'P at a'],
    ])('keeps it if an initial value %s may be of no value of its type', async (_, body, question) => {
        const tests = 'var t: 0 .. 3 = y[i] if t == 2 { a: skip } else { b: skip }';
        const text = `
            param N: 2 .. 9 = 3
            type T = 0 .. N - 1
            var y: 0 .. 9[T] = any
            var hit: bool = false
            process P${body.replace('TESTS', tests)}
            process Q { loop { ask: when ${question} { hit := true } } }
            allow deadlock`;
        // What is alike are values of `y`: those that are no 2, and those that are too large.
        expect(await groupsOf(text)).toEqual(['S_3 x S_6']);
    });

    test('keeps no order if a test excludes the fault', async () => {
        expect(await groupsOf(asking('exists i in T: p[i] != none && a[p[i]]'))).toEqual(['S_N', 'S_N']);
    });

    test('keeps no order if it looks at all values and only one fault is possible', async () => {
        expect(await groupsOf(asking('count(i in T: a[p[i]]) == 1'))).toEqual(['S_N', 'S_N']);
    });

    test('keeps the order of values if a sum may overflow on the way', async () => {
        const text = (factor: string): string => `
param N: 2 .. 9 = 3
type T = 1 .. N
var w: -1 .. 1[T] = 0
process P[i: T] { loop {
    choose { more: w[i] := 1 } or { less: w[i] := -1 } or { test: when sum(j in T: ${factor} * w[j]) == 0 { w[i] := 0 } }
} }`;
        expect(await groupsOf(text('1000'))).toEqual(['S_N']);
        expect(await groupsOf(text('9007199254740991'))).toEqual([]);
    });

    test('a test of a name in a body says nothing of an earlier value', async () => {
        const text = `
param N: 2 .. 9 = 3
type T = 1 .. N
var p: T? = none
var a: bool[T] = false
process Q[i: T] { loop { ask: { let old = p; p := i; if exists j in T: p != none && a[old] && a[j] { a[i] := !a[i] } } } }`;
        expect(await groupsOf(text)).toEqual([]);
    });
});

test('a power of an index is no constant (3)', async () => {
    const text = `
param D: 1 .. 5 = 3
type K = 0 .. D - 1
var x: 0 .. 63 = 0
process P[k: K] { const bit = pow(2, k) loop { set: x := bitor(x, bit) } }`;
    expect(await groupsOf(text)).toEqual([]);
});

test('ranges that are equal for the default value only are two ranges (4)', async () => {
    const text = (range: string): string => `
param N: 6 .. 9 = 6
type T = 1 .. N
type U = ${range}
var p: U? = none
process P[i: T] { loop { take: when i in U { p := i } } }`;
    expect(await groupsOf(text('1 .. N'))).toEqual(['S_N']);
    expect(await groupsOf(text('1 .. 6'))).toEqual(['S_6 x S_(N - 6)']);
});

test('carriers may be empty or have one value (5)', async () => {
    const text = (least: number): string => `
param R: ${least} .. 9 = 2
type T = 1 .. R
var p: T? = none
process P[i: T] { loop { take: p := i; first: when p == 1 { p := none } } }`;
    // With R = 0 the value 1 is outside of T; the sizes of the two parts cannot be told for all values.
    expect(await groupsOf(text(1))).toEqual(['S_(R - 1)']);
    expect(await groupsOf(text(0))).toEqual([]);
});

describe('a remainder (6, 7)', () => {
    const ring = (step: string, type = '0 .. N - 1'): string => `
param N: 2 .. 9 = 4
param M: 2 .. 9 = 4
type T = ${type}
var t: T = any
process P[i: T] { loop { go: when t == i { t := ${step} } } }`;

    test('of another number than the size of the range is no ring', async () => {
        expect(await groupsOf(ring('(i + 1) mod N'))).toEqual(['C_N']);
        expect(await groupsOf(ring('min(N - 1, (i + 1) mod M)'))).toEqual([]);
        expect(await groupsOf(ring('(i + 1) mod (N - 1)'))).toEqual([]);
    });

    test('with the base of another range is no ring', async () => {
        expect(await groupsOf(ring('i mod N + 1', '1 .. N'))).toEqual(['C_N']);
        expect(await groupsOf(ring('(i mod N + 1) mod (N + 1)', '0 .. N'))).toEqual([]);
    });

    test('of a difference with a constant is a step back', async () => {
        expect(await groupsOf(ring('(i - 1) mod N'))).toEqual(['C_N']);
        expect(await groupsOf(ring('(i + N - 1) mod N'))).toEqual(['C_N']);
    });

    test('of a difference of two values is a distance, which rotations keep', async () => {
        expect(await groupsOf(ring('if (t - i) mod N == 0 then (i + 1) mod N else i'))).toEqual(['C_N']);
    });
});

test('a loop comes to its values in their order (8)', async () => {
    const text = `${ALIKE} var a: bool[T] = false process P[i: T] { loop { last: for j in T { if a[j] { p := j } } turn: a[i] := !a[i] } }`;
    const copied = text.replace('for j in T { if a[j] { p := j } }', 'p := i;');
    expect(await groupsOf(text)).toEqual([]);
    expect(await groupsOf(copied)).toEqual(['S_N']);
    const steps = `${ALIKE} process P { for j in T { take: p := j } }`;
    expect(await groupsOf(steps)).toEqual([]);
});

test('the condition of a family and of a record tells values apart (9)', async () => {
    const family = (where: string): string =>
        `${ALIKE} process P[i: T, j: T where ${where}] { loop { take: when p == j { p := i } } }`;
    expect(await groupsOf(family('i != j'))).toEqual(['S_N']);
    expect(await groupsOf(family('i < j'))).toEqual([]);
    expect(await groupsOf(family('i != 1'))).toEqual(['S_(N - 1)']);
    const record = (where: string): string =>
        `${ALIKE} record R = { one: T, two: T where ${where} } var r: bool[R] = false
         process P[i: R] { loop { turn: r[i] := !r[i] } }`;
    expect(await groupsOf(record('one != two'))).toEqual(['S_N']);
    expect(await groupsOf(record('one <= two'))).toEqual([]);
});

test('a channel that is a value moves with the index of its declaration (10)', async () => {
    const text = (sent: string): string => `
param N: 2 .. 9 = 3
type T = 1 .. N
channel inbox[T]: 1 of bool
channel order: 1 of channel of bool
process P[i: T] { loop { order ! inbox[${sent}]; get: inbox[i] ? _ } }
process S { loop { var to: channel of bool order ? to; to ! true } }`;
    expect(await groupsOf(text('i'))).toEqual(['S_N']);
    expect(await groupsOf(text('1'))).toEqual(['S_(N - 1)']);
    // The messages of all channels that a value may name are one kind of values.
    const messages = `
param N: 2 .. 9 = 3
type T = 1 .. N
type U = 1 .. N
channel one: 1 of T
channel two: 1 of U
var a: bool[T] = false
process P[i: T] { loop { choose to in channel of T { send: to ! 2 } or { send2: one ! i } or { get: two ? _ { a[i] := true } } } }`;
    expect((await groupsOf(messages)).some(group => group === 'S_N')).toBe(false);
});

test('imported declarations count (11)', async () => {
    const readImport: ReadImport = () =>
        Promise.resolve({
            content: 'param N: 2 .. 9 = 3  type T = 1 .. N  var p: T? = none  process First { loop { p := 1 } }',
        });
    const text = 'import "other.orbit" process P[i: T] { loop { take: p := i } }';
    expect(await groupsOf(text, readImport)).toEqual(['S_(N - 1)']);
});

test('a recursive function has one sort for each of its places (12)', async () => {
    const text = (step: string): string => `
param N: 2 .. 9 = 3
type T = 1 .. N
var p: T? = none
function last(i: T, k: 0 .. 3): T = if k == 0 then i else last(${step}, k - 1)
process P[i: T] { loop { take: p := last(i, 2) } }`;
    expect(await groupsOf(text('i'))).toEqual(['S_N']);
    expect(await groupsOf(text('i mod N + 1'))).toEqual(['C_N']);
    expect(await groupsOf(text('if i == 1 then 1 else i'))).toEqual(['S_(N - 1)']);
});

describe('a reflection (13)', () => {
    const ring = (steps: string, declared = ''): string => `
param N: 3 .. 9 = 4
type T = 0 .. N - 1
type U = 1 .. N
var t: T = any
${declared}
process P[i: T] { loop { ${steps} } }`;
    const both = 'choose { when t == i { t := (i + 1) mod N } } or { when t == i { t := (i - 1) mod N } }';

    test('needs steps in both directions', async () => {
        expect(await groupsOf(ring(both))).toEqual(['D_N']);
        expect(await groupsOf(ring('when t == i { t := (i + 1) mod N }'))).toEqual(['C_N']);
    });

    test('is none of a ring with `x mod M + 1` in one direction', async () => {
        const text =
            'param N: 3 .. 9 = 4  type U = 1 .. N  var u: U = any  process P[k: U] { loop { when u == k { u := k mod N + 1 } } }';
        expect(await groupsOf(text)).toEqual(['C_N']);
    });

    test('is none where a distance has a direction', async () => {
        expect(await groupsOf(ring(`${both} far: when (t - i) mod N == 1 { t := i }`))).toEqual(['C_N']);
    });

    test('of one ring leaves the steps of another one as they are', async () => {
        const other = ring(`${both}`, 'var u: U = any process Q[k: U] { loop { when u == k { u := k mod N + 1 } } }');
        expect((await groupsOf(other)).sort()).toEqual(['C_N', 'D_N']);
    });

    test('is none where the two directions do different things', async () => {
        expect(await groupsOf(ring(both, 'var n: 0 .. 1 = 0').replace('t := (i - 1)', 'n := 1; t := (i - 1)'))).toEqual(
            ['C_N'],
        );
    });

    test('is none where the order of operands decides about a fault', async () => {
        const text = ring(
            'when q[(i + 1) mod N] == none || b[q[(i + 1) mod N]] || b[q[(i - 1) mod N]] { q[i] := i; b[i] := !b[i] }',
            'var q: T?[T] = none  var b: bool[T] = false',
        );
        expect(await groupsOf(text)).not.toContain('D_N');
    });

    test('is none where a label of one direction is spoken of', async () => {
        const text = `${ring('choose { up: when t == i { t := (i + 1) mod N } } or { down: when t == i { t := (i - 1) mod N } }')}
process Q { loop { when P[t] at up { skip } } }`;
        expect(await groupsOf(text)).toEqual(['C_N']);
    });
});

describe('a number that is local to an owner', () => {
    const model = (steps: string): string => `
param size: 0 .. 4[*] = [2, 2]
type A = 0 .. len(size) - 1
type C = { owner: A, number: 0 .. 3 where number < size[owner] }
var c: C? = none
var d: C? = none
var n: 0 .. 3 = 0
process P[i: C] { loop { ${steps} } }`;

    test('is none if its range has fewer numbers than an entry may say', async () => {
        const text = model('take: c := i').replace('number: 0 .. 3', 'number: 0 .. 2');
        expect(await groupsOf(text)).not.toContain('S_k wr S_n for each n equal entries k of size');
    });

    test('is exchanged within its owner', async () => {
        expect(await groupsOf(model('take: c := i'))).toEqual(['S_k wr S_n for each n equal entries k of size']);
    });

    test.each([
        ['it is read alone', 'take: n := i.number'],
        [
            'it is compared with the number of another owner',
            'take: when exists j in C: j.number == i.number && j != i { c := i }',
        ],
        ['a record is made of it', 'take: c := C(0, i.number)'],
        ['another owner gets it', 'var e: C  take: e := i; move: { e.owner := 0; c := e }'],
    ])('is none if %s', async (_, steps) => {
        expect(await groupsOf(model(steps))).not.toContain('S_k wr S_n for each n equal entries k of size');
    });
});

test('entries of a table that are records are equal if all their fields are', async () => {
    const instance = (await instanceOf(`
record Role = { rank: 0 .. 2, boss: bool }
param role: Role[*] = [Role(0, true), Role(1, false), Role(0, true)]
type T = 0 .. len(role) - 1
var busy: bool[T]
process P[i: T] { loop { when role[i].boss { busy[i] := !busy[i] } } }`))!;
    // Of the three only the first and the last may be exchanged.
    expect(orderOf(instance)).toBe(2n);
    expect(checkByRunning(instance, 40).kind).toBe('agrees');
});

describe('values that stand in no state', () => {
    const asking = (condition: string, declared = ''): string => `${ALIKE} type Large = 1 .. N + 4 ${declared}
process P[i: T] { loop { take: when ${condition} { p := i } } }`;

    test.each([
        ['a test of a type', 'p != none && p in Large', ''],
        ['a bound variable', 'exists z in Large: z == i', ''],
        ['an argument of a function', 'isOf(i)', 'function isOf(z: Large): bool = z != 0'],
    ])('are none of a group: %s', async (_, condition, declared) => {
        expect(await groupsOf(asking(condition, declared))).toEqual(['S_N']);
    });

    test('arguments of events and messages that are not stored have no group', async () => {
        const text = `param N: 2 .. 9 = 3  event e[0 .. N]  channel c: 0 of 0 .. N
            process P { loop { choose k in 0 .. N { choose { e[k] } or { c ! k } } } }
            process Q { loop { c ? _ } }`;
        expect(await groupsOf(text)).toEqual([]);
    });
});
