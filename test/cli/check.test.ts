/** `orbit check` from the words of the call to what stands on the screen, on good input and on bad. */
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { DocumentProblem } from '../../language-server/document-schema.js';
import { orbit } from './in-process.js';

const UNRESOLVED = 'model M\nvar x: Y\nprocess P { skip }\n';

async function problemsOf(text: string | Uint8Array, ...words: string[]): Promise<DocumentProblem[]> {
    const outcome = await orbit(['check', 'm.orbit', '--json', ...words], { files: { 'm.orbit': text } });
    const document = JSON.parse(outcome.stdout) as { schemaVersion: number; problems: DocumentProblem[] };
    expect(document.schemaVersion).toBe(1);
    expect(outcome.stderr).toBe('');
    const hasErrors = document.problems.some(problem => problem.severity === 'error');
    expect(outcome.exitCode).toBe(hasErrors ? 2 : 0);
    return document.problems;
}

const models = readdirSync('models').filter(file => file.endsWith('.orbit'));

test.each(models)('models/%s has no errors', async model => {
    expect(await problemsOf(readFileSync(`models/${model}`))).toEqual([]);
});

describe('bad input gets a message, a place and exit code 2', () => {
    const process = 'process P { loop { x := 1 } }';

    test.each<[string, string | Uint8Array, number]>([
        ['an empty file', '', 1],
        ['a file with only a comment', '// nothing here\n', 1],
        ['a file of one word', 'hello', 1],
        ['a domain of 2^40 values', `model M\nvar x: 0 .. ${2 ** 40 - 1} = any\n${process}\n`, 2],
        ['an index type of 2^40 values', `model M\ntype T = 0 .. ${2 ** 40 - 1}\nvar x: bool[T]\n${process}\n`, 2],
        ['a loop inside a step', 'model M\nvar x: 0 .. 5\nprocess P { { loop { x := 1 } } }\n', 3],
        ['a type without values', 'model M\ntype T = 3 .. 2\nvar x: T = any\nprocess P { loop { skip } }\n', 3],
        ['an initial value outside its type', `model M\nvar x: 0 .. 2 = 7\n${process}\n`, 2],
        [
            'bytes that are no UTF-8',
            Uint8Array.from([...'model M\n// gr'].map(c => c.charCodeAt(0)).concat(0xfc, 0x6e)),
            2,
        ],
        ['twenty thousand open brackets', `model M\nvar x: bool = ${'('.repeat(20000)}true${')'.repeat(20000)}\n`, 2],
    ])('%s', async (_, text, line) => {
        const [first] = await problemsOf(text);
        expect(first).toMatchObject({ severity: 'error', file: 'm.orbit', line });
        expect(first?.message).not.toBe('');
        expect(first?.code).toMatch(/^[a-z]+\/[a-z0-9-]+$/);
    });

    test('two hundred syntax errors are answered at once, and not all shown', async () => {
        const text = `model M\n${Array.from({ length: 200 }, (_, index) => `var x${index} = = ${index}`).join('\n')}\n`;
        const problems = await problemsOf(text);
        expect(problems.length).toBeGreaterThan(1);
        const shown = await orbit(['check', 'm'], { files: { m: text } });
        expect(shown.stdout.split('\n').length).toBeLessThan(70);
    });

    test('a parameter outside its range, unknown, or not an expression', async () => {
        const text = 'model M\nparam N: 2 .. 64 = 5\nvar x: 0 .. N\nprocess P { loop { x := 1 - x mod 2 } }\n';
        for (const value of ['N=1', 'N=65', 'N=five', 'N=2 +', 'M=3', 'N=true']) {
            expect(await problemsOf(text, '--param', value), value).toMatchObject([{ severity: 'error' }]);
        }
        expect(await problemsOf(text, '--param', 'N=2 * 3')).toEqual([]);
    });
});

describe('several files', () => {
    const files = { good: readFileSync('models/peterson.orbit'), bad: UNRESOLVED };

    test('are all checked, and the worst decides', async () => {
        const outcome = await orbit(['check', 'good', 'missing', 'bad', '--json'], { files });
        expect(outcome.exitCode).toBe(2);
        const { problems } = JSON.parse(outcome.stdout) as { problems: DocumentProblem[] };
        expect(problems.map(problem => problem.file)).toEqual(['missing', 'bad']);
    });

    test('each get a line', async () => {
        const outcome = await orbit(['check', 'good', 'bad'], { files });
        expect(outcome.stdout).toContain('good: no problems\n');
        expect(outcome.stdout).toContain('bad: 1 error\n');
        expect(await orbit(['check', 'good', '--quiet'], { files })).toMatchObject({ exitCode: 0, stdout: '' });
    });

    test('may be one SARIF log', async () => {
        const outcome = await orbit(['check', 'good', 'bad', '--format', 'sarif'], { files });
        expect(outcome.exitCode).toBe(2);
        expect(JSON.parse(outcome.stdout)).toMatchObject({
            version: '2.1.0',
            runs: [{ results: [{ locations: [{ physicalLocation: { artifactLocation: { uri: 'bad' } } }] }] }],
        });
    });
});

test('of a folder all models are checked, in order, and nothing else', async () => {
    const files = { 'a/two.orbit': UNRESOLVED, 'a/b/one.orbit': UNRESOLVED, 'a/notes.md': 'no model', 'c/x.md': '' };
    const { exitCode, stdout } = await orbit(['check', 'a', '--quiet'], { files });
    expect([exitCode, stdout]).toEqual([2, expect.stringMatching(/^a\/two\.orbit[^]*^a\/b\/one\.orbit/m)]);
    expect(stdout).not.toContain('notes');
    expect(await orbit(['check', 'c'], { files })).toMatchObject({ exitCode: 2 });
});

test('standard input is a model like another', async () => {
    const outcome = await orbit(['check', '-'], { standardInput: UNRESOLVED });
    expect(outcome.exitCode).toBe(2);
    expect(outcome.stdout).toMatch(/^-:2:8: error: /);
});

test('colors come only where they are wanted', async () => {
    const files = { m: UNRESOLVED };
    const isColored = async (words: string[], world: object = {}) =>
        (await orbit(['check', 'm', ...words], { files, ...world })).stdout.includes('\u001b[');
    expect(await isColored([])).toBe(false);
    expect(await isColored(['--color', 'always'])).toBe(true);
    expect(await isColored([], { isTerminal: true })).toBe(true);
    expect(await isColored(['--color', 'never'], { isTerminal: true })).toBe(false);
    expect(await isColored([], { isTerminal: true, environment: { NO_COLOR: '1' } })).toBe(false);
    expect(await isColored([], { isTerminal: true, environment: { TERM: 'dumb' } })).toBe(false);
    expect(await isColored([], { environment: { FORCE_COLOR: '1' } })).toBe(true);
});
