/** The grammar of the command line: what is understood, and that whatever is not is an error. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseArguments, wantedFormat } from '../../cli/options/arguments.js';
import { VERSION } from '../../cli/version.js';
import { orbit } from './in-process.js';

describe('what is understood', () => {
    test('options may stand before and after the file', () => {
        const expected = { command: 'symmetry', file: 'a.orbit', json: true, parameters: new Map([['N', '3']]) };
        expect(parseArguments(['symmetry', '--json', '--param', 'N=3', 'a.orbit'])).toMatchObject(expected);
        expect(parseArguments(['symmetry', 'a.orbit', '--param=N=3', '--json'])).toMatchObject(expected);
    });

    test('a parameter may hold any expression, also one with an equals sign', () => {
        const words = ['check', 'a', '--param', 'clients=[3,3,2]', '--param', 'b= 1 == 2'];
        const parameters = new Map([
            ['clients', '[3,3,2]'],
            ['b', '1 == 2'],
        ]);
        expect(parseArguments(words)).toMatchObject({ parameters });
    });

    test('check takes several files and explore its limits', () => {
        expect(parseArguments(['check', 'a', '-', 'b'])).toMatchObject({ files: ['a', '-', 'b'], format: 'text' });
        const words =
            'explore m --reduction unique --continue --max-states 10 --max-memory 2G --timeout 0.5 --workers 3'.split(
                ' ',
            );
        expect(parseArguments(words)).toMatchObject({
            reduction: 'unique',
            continueAfterViolation: true,
            maxStates: 10,
            maxMemoryBytes: 2 * 1024 ** 3,
            timeoutSeconds: 0.5,
            workers: 3,
        });
    });

    test('a flag that is not given is false', () => {
        expect(parseArguments(['symmetry', 'm'])).toMatchObject({ why: false, json: false });
        expect(parseArguments(['symmetry', 'm', '--why'])).toMatchObject({ why: true });
    });

    test('a walk along a script has no seed', () => {
        expect(parseArguments(['simulate', 'm'])).toMatchObject({ seed: 1, steps: 100 });
        expect(parseArguments(['simulate', 'm', '--script', 's'])).not.toHaveProperty('seed');
    });
});

describe('what is not understood ends with 2 and a sentence', () => {
    test.each([
        ['', 'no command given'],
        ['frobnicate', "unknown command 'frobnicate'"],
        ['help frobnicate', "unknown command 'frobnicate'"],
        ['explore a --checkpoint-interval 3', "needs '--checkpoint <file>'"],
        ['simulate m --steps 0', 'Expected a whole number from 1'],
        ['simulate m --seed 4294967296', 'Expected a whole number from 0, below 2^32'],
        ['simulate m --seed -1', 'Expected a whole number from 0'],
        ['check', "missing required argument 'FILE'"],
        ['symmetry a b', 'too many arguments'],
        ['symmetry a --whynot', "unknown option '--whynot'"],
        ['explore a --workers 0', 'Expected a whole number from 1'],
        ['explore a --workers 65', 'A search has at most 64 threads'],
        ['explore a --nothing', "unknown option '--nothing'"],
        ['explore a --search dfs', 'Allowed choices are bfs'],
        ['explore a --reduction much', 'Allowed choices are auto, unique, local, none'],
        ['explore a --max-states 0', 'Expected a whole number from 1'],
        ['explore a --max-states 1e3', 'Expected a whole number from 1'],
        ['explore a --max-memory 5T', 'Expected a number of bytes'],
        ['explore a --timeout -1', 'Expected a number of seconds above 0'],
        ['explore a --sweep N=2..3 --sweep M=2..3', "'N' is swept already"],
        ['explore a --param N', 'NAME=VALUE'],
        ['explore a --param N=', 'NAME=VALUE'],
        ['explore a --param N=1 --param N=2', "Parameter 'N' is given twice"],
        ['export a', "required option '--to <form>' not specified"],
        ['export a --to graph', 'Allowed choices are graph-dimacs, graph-dot, gap'],
    ])('orbit %s', async (line, message) => {
        const words = line.split(' ').filter(word => word !== '');
        const outcome = await orbit(words, { files: { a: 'model M', b: 'model M' } });
        expect(outcome.exitCode).toBe(2);
        expect(outcome.stderr).toContain(message);
        expect(outcome.stderr).not.toMatch(/\n +at /);
        expect(outcome.stdout).toBe('');
    });

    test('with --json it is one document on stdout and nothing else', async () => {
        const outcome = await orbit(['explore', '--nothing', '--json', 'a']);
        expect(outcome).toMatchObject({ exitCode: 2, stderr: '' });
        expect(JSON.parse(outcome.stdout)).toEqual({
            schemaVersion: 1,
            problems: [
                {
                    severity: 'error',
                    code: 'call/option',
                    message: expect.stringContaining("unknown option '--nothing'") as string,
                    file: '',
                    line: 1,
                    column: 1,
                    endLine: 1,
                    endColumn: 1,
                },
            ],
        });
    });

    test('two forms at once contradict', async () => {
        const outcome = await orbit(['check', 'a', '--json', '--format', 'sarif'], { files: { a: 'model M' } });
        expect(outcome.exitCode).toBe(2);
        expect(outcome.stdout).toContain('contradict');
    });

    test('the name of a model is answered with the command that explores it', async () => {
        const { exitCode, stderr } = await orbit(['lock.orbit']);
        expect([exitCode, stderr]).toEqual([2, expect.stringContaining("'orbit explore lock.orbit'")]);
    });

    test.each([
        'check',
        'symmetry',
        'explore',
        'simulate',
        'match',
        'verify',
        'export',
        'expand',
        'import',
        'format',
        'lsp',
    ])('the help of %s has an example, which is a call that it understands', async command => {
        const { stdout } = await orbit([command, '--help']);
        const [, example = ''] = /^Example:\n {2}orbit ([^|\n]*)/m.exec(stdout) ?? [];
        expect(parseArguments(example.trim().split(' '))).toMatchObject({ command });
    });

    test.each(['explore', 'verify'])('the help of %s says what all values are asked for with', async command => {
        expect((await orbit([command, '--help'])).stdout.replace(/\s+/g, ' ')).toContain(
            'NAME=all asks for every value',
        );
    });

    test('a misspelled option is answered with the right one', async () => {
        expect((await orbit(['explore', 'a', '--reducton', 'none'])).stderr).toContain('--reduction');
    });
});

describe('help and version', () => {
    test.each([[['--help']], [['help']], [['check', '--help']], [['help', 'explore']], [['export', '-h']]])(
        'orbit %j explains on stdout and ends with 0',
        async words => {
            const outcome = await orbit(words);
            expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
            expect(outcome.stdout).toContain('Usage: orbit');
        },
    );

    test('the version is that of the package', async () => {
        const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
        expect(VERSION).toBe(version);
        for (const words of [['--version'], ['-V'], ['explore', '--version']]) {
            expect(await orbit(words)).toMatchObject({ exitCode: 0, stdout: `orbit ${version}\n` });
        }
    });
});

test('a form is wanted also where the rest of the call is wrong', () => {
    expect(wantedFormat(['explore', '--nonsense', '--json'])).toBe('json');
    expect(wantedFormat(['check', '--format', 'json'])).toBe('json');
    expect(wantedFormat(['check', '--format', 'sarif', '--nonsense'])).toBe('sarif');
    expect(wantedFormat(['check', '--format=junit'])).toBe('junit');
    expect(wantedFormat(['check', 'junit', '--', '--json'])).toBe('text');
});
