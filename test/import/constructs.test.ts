/** What single constructs of Murphi become, and what is refused. */
import { describe, expect, test } from 'vitest';
import { importFormatted } from '../../language-server/import-murphi.js';
import { loadModel } from '../../library/index.js';

const START = 'startstate begin x := 0; y := true; end;';
const VARIABLES = 'var x: 0 .. 9; y: boolean;';

/** The text, which has no errors. */
async function imported(source: string): Promise<string> {
    const { text = '', problems } = await importFormatted(source, 'file:///m.m', 'm.m');
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    const { problems: found } = await loadModel(text);
    expect(found.filter(({ severity }) => severity === 'error')).toEqual([]);
    return text;
}

/** The body of the only rule. */
async function body(statements: string, declarations = ''): Promise<string> {
    const text = await imported(`${VARIABLES} ${declarations} ${START} rule "r" begin ${statements} end;`);
    return (/loop \{\n([^]*)\n {4}\}\n\}/.exec(text)?.[1] ?? '').replaceAll(/\s+/g, ' ').trim();
}

describe('statements', () => {
    test.each([
        ['x := 3; undefine x;', 'r: { x := 3; x := none }'],
        ['clear x; clear y;', 'r: { x := 0; y := false }'],
        [
            'if y then x := 1; elsif x = 2 then x := 3; else x := 4; end;',
            'r: { if y { x := 1 } else if x == 2 { x := 3 } else { x := 4 } }',
        ],
        [
            'switch x case 1: x := 2; case 3, 4: x := 5; else x := 6; end;',
            'r: { if x == 1 { x := 2 } else if x in { 3, 4 } { x := 5 } else { x := 6 } }',
        ],
        ['while x < 5 do x := x + 1; end;', 'r: { while x < 5 { x := x + 1 } }'],
        ['for i := 1 to 7 by 3 do x := i; end;', 'r: { for i in 1 .. 7 where (i - 1) mod 3 == 0 { x := i } }'],
        ['assert y "why"; error "no \\"way\\"";', 'r: { assert y, "why"; assert false, "no \'way\'" }'],
        ['put "x is "; put x; x := 1;', 'r: { x := 1 }'],
        ['if y then return; end; x := 1;', 'r: { if !y { x := 1 } }'],
        ['x := y ? 1 : 2;', 'r: { x := if y then 1 else 2 }'],
        ['y := !x = 3 & y;', 'r: { y := x != 3 && y }'],
        ['y := x = 1 -> y;', 'r: { y := x == 1 implies y }'],
    ])('%s', async (statements, expected) => {
        expect(await body(statements)).toBe(expected);
    });

    test('a loop downward counts its rounds', async () => {
        expect(await body('for i := 9 to 1 by -2 do x := i; end;')).toBe(
            'r: { for round in 0 .. 4 where 9 - 2 * round >= 1 { let i = 9 - 2 * round; x := i } }',
        );
    });

    test('a loop up to a number of a type with a parameter is over numbers of that type', async () => {
        const text = await imported(
            'const N: 3; var c: 0 .. N; a: array [0 .. N - 1] of boolean; startstate begin c := N; clear a; end; ' +
                'rule begin if c > 1 then for i := 0 to c - 2 do a[i] := a[i + 1]; end; end; end;',
        );
        expect(text).toContain('param N: 1 .. 64 = 3');
        expect(text).toContain('for i in -2 .. N - 2 where 0 <= i && i <= last {');
    });

    test('the index of an alias is taken once', async () => {
        expect(await body('alias a: arr[x] do x := 1; a := y; end;', 'var arr: array [0 .. 9] of boolean;')).toBe(
            'r: { let index = x; x := 1; arr[index] := y }',
        );
    });

    test('a loop that looks for a value with which it returns is a condition', async () => {
        expect(await body('for i: 0 .. 9 do if x < i then y := false; return; end; end; x := 9;')).toBe(
            'r: { if exists i in 0 .. 9: x < i { y := false } else { x := 9 } }',
        );
    });

    test('a return in another loop is a variable that ends it', async () => {
        expect(await body('for i: 0 .. 9 do if x = i then return; end; y := !y; end;')).toBe(
            'r: { var returned: bool = false; for i in 0 .. 9 { if !returned { if x == i { returned := true } else { y := !y } } } }',
        );
    });

    test('a procedure stays one, and a parameter that may be written is the place itself', async () => {
        const text = await imported(
            `${VARIABLES} procedure set(var a: 0 .. 9; b: 0 .. 5); begin if y then return; end; a := b; end; ${START} rule "r" begin set(x, 3); set(x, x); end;`,
        );
        expect(text).toContain('procedure set_(var a: 0 .. 9, b: 0 .. 5) {\n    if !y { a := b }\n}\n');
        expect(text.replaceAll(/\s+/g, ' ')).toContain('r: { set_(x, 3); set_(x, x) }');
    });

    test('a function that writes is a procedure with a place for its result', async () => {
        const declarations = 'function next(): 0 .. 9; begin y := !y; return x + 1; end;';
        expect(await body('x := next();', declarations)).toBe('r: { var result: 0 .. 9; next(result); x := result }');
    });
});

describe('numbers are those of C', () => {
    const signed = 'var s: -3 .. 3;';
    test.each([
        ['x := x / 2;', 'r: { x := x div 2 }'],
        ['s := 0; s := s % 2;', 'r: { s := 0; assert s != none; s := if s >= 0 then s mod 2 else -(-s mod 2) }'],
        ['x := x & 3 << 1;', 'r: { x := bitand(x, shl(3, 1)) }'],
        ['s := -1; s := s >> 1;', 'r: { s := -1; assert s != none; s := s div pow(2, 1) }'],
        ['x := 0x10 - 010;', 'r: { x := 16 - 8 }'],
    ])('%s', async (statements, expected) => {
        expect(await body(statements, signed)).toBe(expected);
    });
});

describe('what may be undefined', () => {
    test('is optional; a read of it is asserted to have a value', async () => {
        expect(await body('x := u + 1; u := x;', 'var u: 0 .. 8;')).toBe('r: { assert u != none; x := u + 1; u := x }');
    });

    test('a test of the source is enough', async () => {
        expect(await body('if !isundefined(u) & u < 3 then x := u; else u := 0; end;', 'var u: 0 .. 8;')).toBe(
            'r: { if u != none && u < 3 { x := u } else { u := 0 } }',
        );
    });

    test('a read in a guard is an invariant', async () => {
        const text = await imported(`${VARIABLES} var u: 0 .. 8; ${START} rule "r" y & u < 3 ==> begin u := 1; end;`);
        expect(text).toContain('invariant definedR = y implies u != none\n');
        expect(text).toContain('r: when y && u != none && u < 3 { u := 1 }');
    });

    test('what is given `undefined` is assigned as it is', async () => {
        const text = await imported(
            `${VARIABLES} var u: 0 .. 9; procedure p(v: 0 .. 9); begin u := v; end; ${START} rule "r" begin p(undefined); p(3); end;`,
        );
        expect(text).toContain('procedure p(v: 0 .. 9?) { u := v }');
    });

    test('locals that are written first have their type', async () => {
        expect(await body('l := 1; x := l;', '').catch(() => '')).toBe('');
        const text = await imported(
            `${VARIABLES} ${START} rule "r" var l: 0 .. 9; m: 0 .. 9; begin l := 1; x := l; x := m; end;`,
        );
        expect(text).toContain('var l: 0 .. 9;');
        expect(text).toContain('var m: 0 .. 9? = none;');
    });
});

describe('declarations', () => {
    test('constants that size a type are parameters, and scalarsets are asserted to be symmetric', async () => {
        const text = await imported(
            `const N: 3; M: 100; K: N + 1; T: true; type P: scalarset(N); Q: 0 .. M; ${VARIABLES} var p: array [P] of Q; ${START} rule "r" begin x := K; y := T; end;`,
        );
        expect(text).toContain('param N: 1 .. 64 = 3\n');
        expect(text).toContain('param M: 1 .. 100 = 100\n');
        expect(text).toContain('const K = N + 1\n');
        expect(text).toContain('type P = 1 .. N\nassert symmetric values of P\n');
        expect(text).toContain('var p: Q?[P] = none\n');
    });

    test('names that are words, and names within rules, are told apart', async () => {
        const text = await imported(
            'var at: boolean; at_: boolean; startstate begin at := true; at_ := true; end; rule type t: 0 .. 1; var loop: t; at: t; begin loop := 1; at := loop; end;',
        );
        expect(text).toContain('var at__: bool = true');
        expect(text).toContain('var loop_: t;');
    });

    test('comments stay with what they are about', async () => {
        const text = await imported(
            `-- first\n${VARIABLES} -- numbers\n/* how\n * it begins */ ${START}\n-- a rule\nrule "r" begin\n -- counts\n x := 1; -- up\nend;`,
        );
        expect(text).toContain('// first\n');
        expect(text).toContain('// how\n// it begins\n');
        expect(text).toMatch(/\/\/ a rule\n\s+r: \{\n\s+\/\/ counts\n\s+\/\/ up\n\s+x := 1\n/);
    });
});

describe('multisets', () => {
    test('of few values are bags', async () => {
        expect(
            await body(
                'if multisetcount(i: m, true) < 2 then multisetadd(x, m); end; multisetremovepred(i: m, m[i] > x);',
                'var m: multiset [3] of 0 .. 9;',
            ),
        ).toBe(
            'r: { if len(m) < 2 { assert len(m) < 3, "the multiset is full"; m[x] := m[x] + 1 } for i in m where i > x { m[i] := 0 } }',
        );
    });

    test('of many values are places, of which the first free one is taken', async () => {
        const text = await imported(
            `${VARIABLES} var m: multiset [3] of 0 .. 999; ${START} choose i: m do rule "r" m[i] > 5 ==> begin multisetremove(i, m); end; end; rule begin multisetadd(x, m); end;`,
        );
        expect(text).toContain('type MPlace = 1 .. 3\n');
        expect(text).toContain('var m: 0 .. 999?[MPlace] = none');
        expect(text.replaceAll(/\s+/g, ' ')).toContain(
            'choose i in MPlace where m[i] != none { r: when m[i] > 5 { m[i] := none } }',
        );
        expect(text).toContain('m[min(place in MPlace where m[place] == none: place)] := x');
    });
});

describe('rules', () => {
    test('those of a ruleset are one process with a choice; those within are chosen with a value', async () => {
        const text = await imported(
            `${VARIABLES} ${START} ruleset i: 0 .. 2 do rule "a" x = i ==> begin y := !y; end; ruleset j: 0 .. 3; k: boolean do rule "b b" begin x := j; end; end; end;`,
        );
        expect(text).toContain('process IRules[i: 0 .. 2] {');
        expect(text.replaceAll(/\s+/g, ' ')).toContain(
            'choose { a: when x == i { y := !y } } or j in 0 .. 3, k in bool { bB: { x := j } }',
        );
    });

    test('properties have their names, and are about all values of a ruleset', async () => {
        const text = await imported(
            `${VARIABLES} ${START} rule begin y := !y; end; ruleset i: 0 .. 2 do invariant "not too large" x < 9 + i; end; liveness "comes" y; invariant x < 9; assume "small" x < 8;`,
        );
        expect(text).toContain('invariant notTooLarge = forall i in 0 .. 2: x < 9 + i\n');
        expect(text).toContain('property comes = always possible (y)\n');
        expect(text).toMatch(/invariant invariant\d = x < 9\n/);
        expect(text).toContain('// small\nconstraint x < 8\n');
    });
});

describe('what is refused', () => {
    test.each([
        ['rule begin x := ; end;', 'murphi/syntax', '`;` is not expected here'],
        ['rule begin z := 1; end;', 'murphi/unresolved', 'there is no variable or constant `z` before'],
        ['rule begin x := y; end;', 'murphi/type', '`x` has the type `0 .. 9`, but this is a truth value'],
        [
            'rule x ==> begin end;',
            'murphi/type',
            'the guard after `when` must be a truth value, but this is an integer',
        ],
        ['rule begin x.a := 1; end;', 'murphi/type', 'but this is an integer'],
        ['rule begin for i := 3 to 0 do end; end;', 'murphi/type', 'these steps do not lead'],
        ['ruleset i: 0 .. 1 do rule begin i := 1; end; end;', 'murphi/type', 'only variables can be assigned to'],
        [
            'function f(): boolean; begin return f(); end; rule begin y := f(); end;',
            'murphi/not-carried-over',
            'calls itself',
        ],
        ['type U: union { boolean, boolean };', 'murphi/type', 'a union is one of scalarsets and enumerations'],
        ['var r: real(3, 2);', 'murphi/not-carried-over', 'real numbers are not carried over'],
        ['rule begin assume y; end;', 'murphi/not-carried-over', '`assume` in a rule is not carried over'],
        ['cover y;', 'murphi/not-carried-over', '`cover` is not carried over'],
        ['rule begin x := ~x; end;', 'murphi/not-carried-over', '`~` depends on'],
        [
            'function f(): 0 .. 9; begin y := !y; return 1; end; rule begin x := f() + f(); end;',
            'murphi/not-carried-over',
            'order',
        ],
    ])('%s', async (parts, code, message) => {
        const { problems } = await importFormatted(`${VARIABLES} ${START} ${parts}`, 'file:///m.m', 'm.m');
        expect(problems[0]?.code).toBe(code);
        expect(problems[0]?.message).toContain(message);
    });

    test('an error that the check of the result finds stands at the statement of the source', async () => {
        const { problems } = await importFormatted(
            `${VARIABLES}\n${START}\nrule begin\n  x := 1; x := y;\nend;`,
            'file:///m.m',
            'm.m',
        );
        expect(problems.map(({ range }) => [range.start, range.end])).toEqual([
            [
                { line: 3, character: 10 },
                { line: 3, character: 16 },
            ],
        ]);
    });

    test('what is left out stands as a comment in its place, and the rest is a text without errors', async () => {
        const { text = '', problems } = await importFormatted(
            `${VARIABLES} type U: real(3, 2); var u: U; bag: multiset [2] of U; r: record a: U; end;
            function f(v: U): boolean; begin return v = u; end;
            ${START}
            rule "tilde" begin x := ~x; end;
            function g(): 0 .. 9; begin return ~x; end;
            procedure h(); begin x := ~x; end;
            rule "calls" begin y := f(u); end;
            rule "function" begin x := g(); end;
            rule "procedure" begin h(); end;
            ruleset i: U do rule "real" i = u ==> begin y := true; end; end;
            choose c: bag do rule "bag" begin multisetremove(c, bag); end; end;
            ruleset i: 0 .. 1 do alias a: r.a do rule "alias" a = a ==> begin x := 1; end; end; rule "fine" begin x := i; end; end;`,
            'file:///m.m',
            'm.m',
        );
        expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(['murphi/not-carried-over']));
        expect((await loadModel(text)).problems.filter(({ severity }) => severity === 'error')).toEqual([]);
        for (const part of [
            'U: real(3, 2)',
            'u: U',
            'rule "tilde"',
            'rule "calls"',
            'rule "function"',
            'rule "procedure"',
            'rule "real"',
            'rule "alias"',
        ]) {
            expect(text).toContain(`// Not carried over:\n`);
            expect(text).toContain(`// ${part}`);
        }
        expect(text).toContain('fine: { x := i }');
    });
});
