/** From the text to the engine's model: the result for each construct, and the range of every part. */
import { describe, expect, test } from 'vitest';
import type { SourceRange } from '../../engine/common/source-range.js';
import { NONE } from '../../engine/model/domain.js';
import { modelOf } from '../model-of-text.js';

function textAt(text: string, { start, end }: SourceRange): string {
    const lines = text.split('\n');
    const offset = ({ line, character }: SourceRange['start']): number =>
        lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0) + character;
    return text.slice(offset(start), offset(end));
}

/** A part of a model with each range replaced by the text that it covers. */
function withTexts(text: string, part: unknown): unknown {
    return JSON.parse(
        JSON.stringify(part, (key, value: unknown) =>
            value === NONE ? 'none' : /[rR]ange$/.test(key) ? textAt(text, value as SourceRange) : value,
        ),
    );
}

/** `text` of each node of an expression, with its kind, from the outside in. */
function nodesOf(text: string, part: unknown, found: string[] = []): string[] {
    if (typeof part === 'object' && part !== null) {
        const node = part as { kind?: string; range?: SourceRange };
        if (node.kind !== undefined && node.range !== undefined) {
            found.push(`${node.kind} ${textAt(text, node.range)}`);
        }
        Object.values(part).forEach(value => nodesOf(text, value, found));
    }
    return found;
}

describe('expressions', () => {
    const declarations = 'var a: 0 .. 3\nvar b: 0 .. 3[2]\nprocess P { skip }\n';

    async function expressionNodes(expression: string): Promise<string[]> {
        const text = `${declarations}invariant i = ${expression}\n`;
        const { invariants } = await modelOf(text);
        return nodesOf(text, invariants[0]?.expression);
    }

    test('group as the table of operators says, and each part has its own text', async () => {
        expect(await expressionNodes('a + 1 * 2 - 3 == 4 && true || false implies a > 1')).toEqual([
            'binary a + 1 * 2 - 3 == 4 && true || false implies a > 1',
            'binary a + 1 * 2 - 3 == 4 && true || false',
            'binary a + 1 * 2 - 3 == 4 && true',
            'binary a + 1 * 2 - 3 == 4',
            'binary a + 1 * 2 - 3',
            'binary a + 1 * 2',
            'read a',
            'shared a',
            'binary 1 * 2',
            'constant 1',
            'constant 2',
            'constant 3',
            'constant 4',
            'constant true',
            'constant false',
            'binary a > 1',
            'read a',
            'shared a',
            'constant 1',
        ]);
    });

    test('keep the parentheses in their text, but not around it', async () => {
        expect(await expressionNodes('(a - (1 - 2)) * 3 == (0)')).toEqual([
            'binary (a - (1 - 2)) * 3 == (0)',
            'binary (a - (1 - 2)) * 3',
            'binary (a - (1 - 2))',
            'read a',
            'shared a',
            'binary (1 - 2)',
            'constant 1',
            'constant 2',
            'constant 3',
            'constant (0)',
        ]);
    });

    test('of equal level group to the left, `implies` to the right', async () => {
        expect(await expressionNodes('a - 1 - 2 == 0')).toContain('binary a - 1');
        expect(await expressionNodes('true implies false implies true')).toContain('binary false implies true');
    });

    test('a quantifier reaches as far as it can, a sign only over its operand', async () => {
        expect(await expressionNodes('true && forall i in 0 .. 1: b[i] > -1 - a || false')).toEqual([
            'binary true && forall i in 0 .. 1: b[i] > -1 - a || false',
            'constant true',
            'quantifier forall i in 0 .. 1: b[i] > -1 - a || false',
            'binary b[i] > -1 - a || false',
            'binary b[i] > -1 - a',
            'read b[i]',
            'shared b[i]',
            'binder i',
            'binary -1 - a',
            'unary -1',
            'constant 1',
            'read a',
            'shared a',
            'constant false',
        ]);
    });
});

describe('names', () => {
    test('parameters and constants become values, the constants of a process what they name', async () => {
        const text = [
            'param N: 2 .. 9 = 3',
            'enum Color = { red, green }',
            'const c = green',
            'const two = N - 1',
            'var x: 0 .. 9',
            'var y: Color? = c',
            'process P[i: 0 .. two] { const v = (i + 1) mod N x := v + two }',
        ].join('\n');
        const { processes, variables } = await modelOf(text);
        expect(withTexts(text, variables[1]?.initializer)).toEqual({
            kind: 'value',
            expressions: [
                {
                    kind: 'constant',
                    value: 1,
                    domain: { kind: 'enumeration', name: 'Color', values: ['red', 'green'] },
                    range: 'c',
                },
            ],
            range: 'c',
        });
        const [process] = processes;
        expect(process?.indices[0]?.domain).toEqual({ kind: 'range', low: 0, high: 2 });
        expect(nodesOf(text, process?.body)).toEqual([
            'step x := v + two',
            'assign x := v + two',
            'shared x',
            'binary v + two',
            'binary (i + 1) mod N',
            'binary (i + 1)',
            'binder i',
            'constant 1',
            'constant N',
            'constant two',
        ]);
    });

    test('the innermost declaration is meant', async () => {
        const text = 'var x: bool\nprocess P { var x: 0 .. 3 loop { var x: 0 .. 7 x := 1 } }\nprocess Q { x := true }';
        const { processes } = await modelOf(text);
        expect(withTexts(text, processes[0]?.body[1])).toMatchObject({
            body: [
                { kind: 'declare', local: 1 },
                { body: [{ assignments: [{ target: { kind: 'local', local: 1 } }] }] },
            ],
        });
        expect(withTexts(text, processes[1]?.body[0])).toMatchObject({
            body: [{ assignments: [{ target: { kind: 'shared' } }] }],
        });
    });

    test('x[i][j] is x[i, j], and T[I][J] is T[I, J]', async () => {
        const text = 'type R = bool[2]\nvar x: R[3][4]\nprocess P { x[1][2][3] := x[1, 2][3] }';
        const { variables, processes, types } = await modelOf(text);
        expect(variables[0]?.indices.map(index => index.kind === 'range' && index.high)).toEqual([1, 2, 3]);
        expect(nodesOf(text, processes[0]?.body).filter(node => node.startsWith('constant'))).toHaveLength(6);
        expect(types).toEqual([]);
    });

    test('a domain carries the name of its type', async () => {
        const { variables, types } = await modelOf(
            'type Id = 0 .. 2\ntype Hand = Id?\nvar a: Hand[Id]\nvar b: Id?\nprocess P { skip }',
        );
        const id = { kind: 'range', low: 0, high: 2, name: 'Id' };
        expect(variables.map(({ element }) => element)).toEqual([
            { kind: 'optional', base: id, name: 'Hand' },
            { kind: 'optional', base: id },
        ]);
        expect(types.map(({ domain }) => domain)).toEqual([id, { kind: 'optional', base: id, name: 'Hand' }]);
    });
});

describe('steps', () => {
    const declarations = 'var x: 0 .. 3\nevent e\nevent f[2]\n';

    async function stepOf(step: string): Promise<unknown> {
        const text = `${declarations}process P { ${step} }`;
        return withTexts(text, (await modelOf(text)).processes[0]?.body[0]);
    }

    test('may lack any of their parts', async () => {
        const x = { kind: 'shared', variable: 0, indices: [], range: 'x' };
        const assign = {
            kind: 'assign',
            assignments: [{ target: x, value: { kind: 'constant', value: 1, range: '1' } }],
            range: 'x := 1',
        };
        const guard = { kind: 'binary', operator: '==' };
        expect(await stepOf('skip')).toEqual({ kind: 'step', body: [], range: 'skip' });
        expect(await stepOf('x := 1')).toEqual({ kind: 'step', body: [assign], range: 'x := 1' });
        expect(await stepOf('{ x := 1 }')).toEqual({ kind: 'step', body: [assign], range: '{ x := 1 }' });
        const e = { kind: 'event', event: 0, arguments: [], range: 'e' };
        const f = { kind: 'event', event: 1, range: 'f[1]' };
        expect(await stepOf('e')).toMatchObject({ communication: e, body: [] });
        expect(await stepOf('f[1]')).toMatchObject({ communication: f, body: [] });
        expect(await stepOf('f[1] { x := 1 }')).toMatchObject({ communication: f, body: [assign] });
        expect(await stepOf('when x == 1')).toMatchObject({ guard, body: [], range: 'when x == 1' });
        expect(await stepOf('when x == 1 skip')).toMatchObject({ guard, body: [] });
        expect(await stepOf('when x == 1 e')).toMatchObject({ guard, communication: e, body: [] });
        expect(await stepOf('when x == 1 { x := 1 }')).toMatchObject({ guard, body: [assign] });
        expect(await stepOf('when x == 1 f[1] { x := 1 }')).toMatchObject({ guard, communication: f, body: [assign] });
        expect(await stepOf('assert x == 1')).toMatchObject({ body: [{ kind: 'assert', condition: guard }] });
    });

    test('carry their labels', async () => {
        expect(await stepOf('a: b: skip')).toMatchObject({
            kind: 'labeled',
            label: 'a',
            labelRange: 'a',
            range: 'a: b: skip',
            control: { kind: 'labeled', label: 'b', control: { kind: 'step', range: 'skip' } },
        });
    });

    test('hold nested conditions', async () => {
        expect(await stepOf('{ if x == 1 { skip } else if x == 2 { x := 1 } else { assert x == 3 } }')).toMatchObject({
            body: [
                { kind: 'if', then: [{ kind: 'skip' }], otherwise: [{ kind: 'if', otherwise: [{ kind: 'assert' }] }] },
            ],
        });
    });
});

describe('control flow', () => {
    test('keeps its structure', async () => {
        const text = [
            'var x: 0 .. 3',
            'process P {',
            '    var k: bool[2] = any',
            '    loop {',
            '        while x < 3 { a: skip }',
            '        if x == 1 { break } else if x == 2 { b: skip } else { c: skip }',
            '        choose { d: skip } or { } or { var l: bool = true e: x := 1 }',
            '    }',
            '}',
        ].join('\n');
        const { processes } = await modelOf(text);
        expect(processes[0]?.locals.map(({ name, initializer }) => [name, initializer.kind])).toEqual([
            ['k', 'any'],
            ['l', 'value'],
        ]);
        expect(withTexts(text, processes[0]?.body)).toMatchObject([
            { kind: 'declare', local: 0 },
            {
                kind: 'loop',
                body: [
                    { kind: 'while', condition: { range: 'x < 3' }, body: [{ label: 'a' }] },
                    { kind: 'if', then: [{ kind: 'break' }], otherwise: [{ kind: 'if', otherwise: [{ label: 'c' }] }] },
                    {
                        kind: 'choose',
                        alternatives: [[{ label: 'd' }], [], [{ kind: 'declare', local: 1 }, { label: 'e' }]],
                    },
                ],
            },
        ]);
    });
});

test('a local that hides another of its process has a name of its own in states', async () => {
    const { processes } = await modelOf(
        `model M
        type I = 0 .. 1
        var i: I
        process P {
            var i: I
            loop { var i: I a: i := 1; choose i in I { b: skip } or { c: skip } }
            loop { var j: I d: j := 1 }
            loop { var j: I e: j := 1 }
        }
        process Q { var i: I f: i := 1 }`,
    );
    expect(processes.map(({ locals }) => locals.map(({ name }) => name))).toEqual([
        ['i', 'i#2', 'i#3', 'j', 'j'],
        ['i'],
    ]);
});

test('documentation is the lines with three slashes directly above', async () => {
    const text = [
        '/// The model.',
        '/// In two lines.',
        'model M',
        '/// Not this one.',
        '',
        '/// The variable.',
        '    /// Indented.',
        '    var x: bool',
        '// No documentation.',
        'var y: bool',
        '/// The process.',
        'process P { /// Local.',
        'var z: bool x := y }',
        '/// Holds.',
        'invariant i = x || !x',
        '',
    ].join('\n');
    const { documentation, variables, processes, invariants } = await modelOf(text);
    expect(documentation).toBe('The model.\nIn two lines.');
    expect(variables.map(variable => variable.documentation)).toEqual(['The variable.\nIndented.', '']);
    expect(processes[0]?.documentation).toBe('The process.');
    expect(invariants[0]?.documentation).toBe('Holds.');
});
