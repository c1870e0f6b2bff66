/** What a call does when something goes wrong around it: files, streams, and ourselves. */
import { describe, expect, test } from 'vitest';
import { EXIT, worstExitCode } from '../../cli/exit-code.js';
import { describeFileError, describeWriteError } from '../../cli/model-source.js';
import { run } from '../../cli/run.js';
import { writersTo } from '../../cli/terminal-text.js';
import { orbit } from './in-process.js';

describe('a file that cannot be read', () => {
    test.each(['check', 'symmetry', 'explore'])('orbit %s says so and ends with 2', async command => {
        expect(await orbit([command, 'nowhere.orbit', '--json'])).toMatchObject({ exitCode: 2, stderr: '' });
        const outcome = await orbit([command, 'nowhere.orbit']);
        expect(outcome.exitCode).toBe(2);
        expect(outcome.stdout + outcome.stderr).toContain("cannot read 'nowhere.orbit': there is no such file");
    });

    test.each([
        ['EISDIR', 'it is a folder'],
        ['EACCES', 'permission denied'],
        ['EMFILE', 'the system says EMFILE'],
    ])('%s is put into words', (code, words) => {
        expect(describeFileError(Object.assign(new Error(), { code }))).toBe(words);
    });

    test.each([
        ['ENOENT', 'there is no such folder'],
        ['EACCES', 'permission denied'],
    ])('%s of a file that is written is put into words', (code, words) => {
        expect(describeWriteError(Object.assign(new Error(), { code }))).toBe(words);
    });

    test('standard input can be read once', async () => {
        expect(await orbit(['check', '-', '-'])).toMatchObject({ exitCode: 2 });
    });
});

describe('a defect of Orbit', () => {
    const broken = async (words: string[], environment: Record<string, string> = {}) => {
        const text = { stdout: '', stderr: '' };
        const sink = (name: keyof typeof text) => ({
            ...writersTo(part => void (text[name] += part)),
            isTerminal: false,
        });
        const exitCode = await run(words, {
            stdout: sink('stdout'),
            stderr: sink('stderr'),
            environment,
            modelsIn: () => Promise.resolve(undefined),
            entriesOf: () => Promise.resolve([]),
            readFile: () => Promise.reject(new TypeError('x is not a function')),
            standardInputLines: () => {
                throw new Error('nobody asked for lines');
            },
            standardInputParts: () => {
                throw new Error('nobody asked for bytes');
            },
            writeOutput: () => Promise.resolve(),
            readManual: () => Promise.resolve('{}'),
            runProgram: () => Promise.reject(new Error('nobody asked for a program')),
            startAdapter: () => {
                throw new Error('nobody asked for an adapter');
            },
            readStandardInput: () => Promise.resolve(new Uint8Array()),
            writeFile: () => Promise.resolve(),
            writeParts: () => Promise.resolve(),
            checkWritable: () => Promise.resolve(),
            checkReplaceable: () => Promise.resolve(),
            openFile: () => {
                throw new TypeError('x is not a function');
            },
            absolutePath: path => path,
            now: () => 0,
            memoryBytes: 2 ** 30,
            processorCount: 1,
            searchThreads: () => undefined,
            finish: work => work(),
            nextTurn: () => Promise.resolve(),
            startLanguageServer: () => undefined,
            onInterrupt: () => () => undefined,
        });
        return { exitCode, ...text };
    };

    test('is called one, without a stack, and ends with 70', async () => {
        const outcome = await broken(['check', 'm']);
        expect(outcome).toMatchObject({ exitCode: 70, stdout: '' });
        expect(outcome.stderr).toContain('this is a defect of Orbit, not of your model: x is not a function');
        expect(outcome.stderr).not.toMatch(/\n +at /);
    });

    test('is one document with --json', async () => {
        const outcome = await broken(['symmetry', 'm', '--json']);
        expect(outcome).toMatchObject({ exitCode: 70, stderr: '' });
        expect(JSON.parse(outcome.stdout)).toMatchObject({ schemaVersion: 1, problems: [{ code: 'internal/defect' }] });
    });

    test('shows its stack to who asks for it', async () => {
        expect((await broken(['check', 'm'], { ORBIT_DEBUG: '1' })).stderr).toMatch(/\n +at /);
    });
});

test('of several exit codes the worst counts', () => {
    expect(worstExitCode([])).toBe(EXIT.holds);
    expect(worstExitCode([EXIT.holds, EXIT.wrong, EXIT.holds])).toBe(EXIT.wrong);
    expect(worstExitCode([EXIT.undecided, EXIT.violated])).toBe(EXIT.violated);
    expect(worstExitCode([EXIT.defect, EXIT.wrong])).toBe(EXIT.defect);
});
