/** From the bytes of a file to a model, and the problems if there is no model. */
// @module-tag long
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Problem } from '../engine/common/problem.js';
import { loadModel } from '../language-server/load-model.js';
import { cases } from './cases.js';

const URI = 'file:///folder/model.orbit';
const TOGGLE = 'var x: bool\nprocess P { x := !x }\n';

function bytes(...parts: (string | number[])[]): Uint8Array {
    return Uint8Array.from(parts.flatMap(part => (typeof part === 'string' ? [...Buffer.from(part, 'utf8')] : part)));
}

function place({ code, range: { start, end } }: Problem): string {
    return `${code} ${start.line}:${start.character}-${end.line}:${end.character}`;
}

describe('files', () => {
    test('a file that is not UTF-8 is answered with file/not-utf-8 at its first wrong byte', async () => {
        const { model, problems } = await loadModel(bytes('// é\nvar ', [0xe9], ': bool'), URI);
        expect(model).toBeUndefined();
        expect(problems.map(place)).toEqual(['file/not-utf-8 1:4-1:5']);
        expect(problems[0]?.range.uri).toBe(URI);
    });

    test('the place of a wrong byte counts UTF-16 units, and a character that is cut off is found', async () => {
        const cases: [Uint8Array, string][] = [
            [bytes([0xff, 0xfe]), '0:0-0:1'],
            [bytes('// 𝔸', [0x80]), '0:5-0:6'],
            [bytes('// a\n', [0xe2, 0x82]), '1:0-1:1'],
            [bytes('// a', [0xf0, 0x9f, 0x98], '\nvar'), '0:4-0:5'],
        ];
        for (const [file, expected] of cases) {
            const { problems } = await loadModel(file, URI);
            expect(problems.map(place)).toEqual([`file/not-utf-8 ${expected}`]);
        }
    });

    test('a file in UTF-16 is called that', async () => {
        for (const mark of [
            [0xff, 0xfe],
            [0xfe, 0xff],
        ]) {
            const { problems } = await loadModel(bytes(mark, 'model M'), URI);
            expect(problems.map(({ message }) => message)).toEqual(['the file is text in UTF-16; save it as UTF-8']);
        }
    });

    test('a byte order mark is no part of the text', async () => {
        const { model, problems } = await loadModel(bytes([0xef, 0xbb, 0xbf], 'model M ', TOGGLE), URI);
        expect(problems).toEqual([]);
        expect(model?.nameRange.start).toEqual({ line: 0, character: 6 });
    });

    test('an empty file and one of blanks or comments hold no model', async () => {
        for (const text of ['', '\n\n', '  ', '// hello', '/// hello\n']) {
            const { model, problems } = await loadModel(text, URI);
            expect(model).toBeUndefined();
            expect(problems.map(problem => problem.code)).toEqual(['model/empty']);
        }
    });

    test('a model without a name is called after its file', async () => {
        const { model } = await loadModel(TOGGLE, URI);
        expect(model?.name).toBe('model');
        expect(model?.nameRange.end).toEqual({ line: 2, character: 0 });
    });

    test('lines may end as on Windows', async () => {
        const { model, problems } = await loadModel(`/// Doc.\r\nmodel M\r\n${TOGGLE.replaceAll('\n', '\r\n')}y`, URI);
        expect(model).toBeUndefined();
        expect(problems.map(place)).toEqual(['syntax/unexpected 4:0-4:1']);
        const fine = await loadModel(`/// Doc.\r\nmodel M\r\n${TOGGLE.replaceAll('\n', '\r\n')}`, URI);
        expect(fine.model?.documentation).toBe('Doc.');
    });
});

describe('parameters', () => {
    const text = 'enum Color = { red, green }\nparam N: 2 .. 64 = 5\nparam c: Color? = red\n' + TOGGLE;

    test('have their defaults', async () => {
        const { model } = await loadModel(text, URI);
        expect(model?.parameters.map(({ name, value }) => [name, value])).toEqual([
            ['N', 5],
            ['c', 'red'],
        ]);
    });

    test('take constant expressions from outside', async () => {
        const { model } = await loadModel(text, URI, new Map([['N', '3 * 4'], ['c', 'none']])); // prettier-ignore
        expect(model?.parameters.map(({ name, value }) => [name, value])).toEqual([
            ['N', 12],
            ['c', null],
        ]);
    });

    test('leave no trace in the next load', async () => {
        await loadModel(text, URI, [['N', 'nothing']]);
        const { problems } = await loadModel(text, URI, [['N', '7']]);
        expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    });
});

describe('bad input', () => {
    const extreme: [string, string][] = [
        ['nested parentheses', `var x: bool = ${'('.repeat(5000)}true${')'.repeat(5000)}`],
        ['open brackets', '['.repeat(100_000)],
        ['negations', `var x: bool = ${'!'.repeat(5000)}true`],
        ['signs', `var x: 0 .. 1 = ${'- '.repeat(5000)}1`],
        ['sums', `var x: 0 .. 1 = ${'1 + '.repeat(5000)}1`],
        ['implications', `var x: bool = ${'true implies '.repeat(5000)}true`],
        ['conditions', `var x: bool = ${'if true then true else '.repeat(5000)}true`],
        ['quantifiers', `var x: bool = ${'forall i in 0 .. 1: '.repeat(5000)}true`],
        ['loops', `process P { ${'loop { '.repeat(5000)}skip ${'}'.repeat(5001)}`],
        ['labels', `process P { ${'a: '.repeat(5000)}skip }`],
        ['else ifs', `process P { if true { skip } ${'else if true { skip } '.repeat(5000)} }`],
        ['else ifs in a step', `process P { { if true { skip } ${'else if true { skip } '.repeat(5000)} } }`],
        ['indices', `var x: bool[2] = true\nprocess P { ${'x['.repeat(5000)}0${']'.repeat(5000)} := true }`],
    ];

    test.each(extreme)('%s without end are answered', async (_, text) => {
        const { model, problems } = await loadModel(text, URI);
        expect(model).toBeUndefined();
        expect(problems.map(problem => problem.code)).toEqual(['syntax/too-deep']);
    });

    const justAllowed: [string, string][] = [
        ['parentheses', `invariant i = ${'('.repeat(45)}x${')'.repeat(45)}`],
        ['negations', `invariant i = ${'!'.repeat(45)}x`],
        ['implications', `invariant i = ${'x implies '.repeat(490)}x`],
        ['conjunctions', `invariant i = ${'x && '.repeat(490)}x`],
        ['conditions', `invariant i = ${'if x then x else '.repeat(45)}x`],
        ['quantifiers', `invariant i = ${'exists j in 0 .. 0: '.repeat(40)}x`],
        ['loops', `process Q { ${'loop { '.repeat(45)}skip ${'}'.repeat(46)}`],
        ['else ifs', `process Q { if x { skip } ${'else if x { skip } '.repeat(45)} }`],
    ];

    test.each(justAllowed)('%s up to the limit are a model', async (_, text) => {
        const { model } = await loadModel(`${TOGGLE}${text}`, URI);
        expect(model).toBeDefined();
    });

    const long: [string, string][] = [
        ['a line of ten megabytes', 'x '.repeat(5 << 20)],
        ['a name of ten megabytes', 'x'.repeat(10 << 20)],
        ['a list that never ends', `const a = [${'1, '.repeat(300_000)}`],
        ['steps that never end', `var x: bool\nprocess P { ${'x := !x; '.repeat(100_000)}}`],
    ];

    test.each(long)('%s is not read', async (_, text) => {
        const { model, problems } = await loadModel(text, URI);
        expect(model).toBeUndefined();
        expect(problems.map(problem => problem.code)).toEqual(['syntax/too-long']);
    });

    test('a quantifier with more variables than anyone writes, and one that never ends, are answered', async () => {
        const { problems } = await loadModel(`const a = max(${'i,'.repeat(50_000)}`, URI);
        expect(problems.map(problem => problem.code)).toEqual(['syntax/unexpected']);
    });

    test('of many names that are not declared the first hundred are told', async () => {
        const names = Array.from({ length: 3000 }, (_, index) => `b${index}`);
        const { problems } = await loadModel(`process P { ${names.join('; ')} }`, URI);
        expect(problems.filter(({ severity }) => severity === 'error')).toHaveLength(101);
        expect(problems.at(-1)?.message).toBe('2900 more names from here on are not declared');
    });

    test('200 syntax errors are answered with twenty of them and their number', async () => {
        const text = Array.from({ length: 200 }, (_, line) => `var x${line} bool\n`).join('');
        const { problems } = await loadModel(text, URI);
        expect(problems).toHaveLength(21);
        expect(problems[20]?.message).toBe('180 more syntax errors from here on');
    });

    test('what closes nothing is answered once', async () => {
        const { problems } = await loadModel('}'.repeat(100_000), URI);
        expect(problems.map(place)).toEqual(['syntax/unexpected 0:0-0:1']);
    });

    test('long lines and long names are answered', async () => {
        const name = 'z'.repeat(900_000);
        const { problems } = await loadModel(`// ${name}\n${TOGGLE}invariant i = ${name}`, URI);
        expect(problems.map(problem => problem.code)).toEqual(['name/unresolved']);
    });

    test('problems come in the order of the text', async () => {
        for (const file of readdirSync('test/validation').filter(name => name.endsWith('.orbit'))) {
            const { problems } = await loadModel(readFileSync(join('test/validation', file)), URI);
            const starts = problems.map(({ range }) => range.start.line * 1e6 + range.start.character);
            expect(starts).toEqual([...starts].sort((a, b) => a - b));
        }
    });

    // Any damage gives a result, never an exception. Without a model the result has an error in the text.
    test('any damage to a model gets an answer', async () => {
        const folder = 'models';
        const texts = readdirSync(folder)
            .filter(name => name.endsWith('.orbit'))
            .map(name => readFileSync(join(folder, name), 'utf8'));
        const words = ['{', '}', '(', ')', '[', ']', ';', ':=', '=', '..', 'when', 'loop', 'x', '7', 'none', 'at', '?'];
        const damage = fc.record({
            text: fc.constantFrom(...texts),
            from: fc.nat(3000),
            length: fc.nat(40),
            insert: fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 4 })),
        });
        await fc.assert(
            fc.asyncProperty(damage, async ({ text, from, length, insert }) => {
                const damaged = text.slice(0, from) + insert + text.slice(from + length);
                const lineCount = damaged.split('\n').length;
                const { model, problems } = await loadModel(damaged, URI);
                expect(model === undefined).toBe(problems.some(problem => problem.severity === 'error'));
                for (const { range, message } of problems) {
                    expect(range.uri).toBe(URI);
                    expect(range.end.line).toBeLessThan(lineCount);
                    expect(message).not.toMatch(/NoViable|Mismatched|token of type|undefined|\bnull\b/);
                }
            }),
            { numRuns: cases(500) },
        );
    });
});
