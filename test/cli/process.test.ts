/** The command as it ships: its bundles in a process of its own, with real streams, files and signals. */
// @module-tag long
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExploreDocument } from '../../language-server/document-schema.js';
import { patient } from '../patience.js';
import { provideCommand } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'orbit-cli-'));
const bundle = join(folder, 'cli.cjs');

beforeAll(async () => {
    await provideCommand(folder);
}, 120_000);

afterAll(() => {
    rmSync(folder, { recursive: true });
});

interface Ended {
    readonly exitCode: number | null;
    readonly stdout: string;
    readonly stderr: string;
}

function start(
    words: readonly string[],
    nodeOptions: readonly string[] = [],
): { child: ChildProcess; ended: Promise<Ended> } {
    // Whoever runs the tests may have asked for colors; a pipe gets none by itself.
    const { FORCE_COLOR: _, ...env } = process.env;
    const child = spawn(process.execPath, [...nodeOptions, bundle, ...words], { stdio: 'pipe', env });
    const text = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (part: string) => (text.stdout += part));
    child.stderr.setEncoding('utf8').on('data', (part: string) => (text.stderr += part));
    child.stdin.on('error', () => undefined);
    const ended = new Promise<Ended>(resolve => {
        child.on('close', exitCode => {
            resolve({ exitCode, ...text });
        });
    });
    return { child, ended };
}

test('a file, a folder, and nothing', async () => {
    expect(await start(['check', 'models/peterson.orbit']).ended).toEqual({
        exitCode: 0,
        stdout: 'models/peterson.orbit: no problems\n',
        stderr: '',
    });
    const isFolder = await start(['explore', 'models', '--json']).ended;
    expect(isFolder.exitCode).toBe(2);
    expect(isFolder.stdout).toContain("cannot read 'models': it is a folder");
    expect((await start(['check', join(folder, 'none.orbit')]).ended).exitCode).toBe(2);
});

test('a large search has as many threads as it is given, which run a bundle of their own', async () => {
    const words =
        'explore models/dining-philosophers.orbit --param N=13 --reduction none --continue --workers 2 --json';
    const { stdout } = await start(words.split(' ')).ended;
    const { states, workers } = JSON.parse(stdout) as ExploreDocument;
    // The numbers of states that Spin, too, has counted up to N = 12 (bench/exploration.ts): 35, 118 and 392 for N = 3, 4
    // and 5, then s(N) = 4 s(N - 1) - 2 s(N - 2) - s(N - 3).
    let [last, later, latest] = [35, 118, 392];
    for (let N = 6; N <= 13; N++) {
        [last, later, latest] = [later, latest, 4 * latest - 2 * later - last];
    }
    expect({ states, workers }).toEqual({ states: latest, workers: 2 });
});

test('standard input and output files', async () => {
    const output = join(folder, 'group.g');
    const { child, ended } = start(['export', '-', '--to', 'gap', '--output', output]);
    child.stdin?.end(readFileSync('models/hanoi.orbit'));
    expect(await ended).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(readFileSync(output, 'utf8')).toContain('# Hanoi (N = 3)');
});

// It was exit code 70, "this is a defect of Orbit".
test('more than 64 MB on standard input are refused', async () => {
    const { child, ended } = start(['check', '-']);
    child.stdin?.end(Buffer.alloc(64 * 2 ** 20 + 1, ' '));
    expect(await ended).toMatchObject({ exitCode: 2, stdout: expect.stringContaining('more than 64 MB') as string });
});

// Neither Ctrl+C nor a request to end ended it.
test.runIf(existsSync('/dev/zero'))('a pipe without a writer is refused', async () => {
    const pipe = join(folder, 'pipe.orbit');
    execFileSync('mkfifo', [pipe]);
    const { exitCode, stderr } = await start(['explore', pipe]).ended;
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('it is a pipe') as string });
});

test('a model may have any name', async () => {
    const file = join(folder, 'a model & more.txt');
    writeFileSync(file, readFileSync('models/hanoi.orbit'));
    expect((await start(['symmetry', file, '--quiet']).ended).stdout).toBe('C2 · 2 symmetries\n');
});

/** A device that takes nothing, where there is one. */
describe.runIf(existsSync('/dev/full'))('a result that cannot be written is a failure, and is said', () => {
    test.each([
        ['explore models/hanoi.orbit', 'the result'],
        ['--help', 'the result'],
        ['expand models/peterson.orbit --initial', 'the states'],
    ])('of orbit %s', async (words, what) => {
        const child = spawn('sh', ['-c', `"${process.execPath}" "${bundle}" ${words} > /dev/full`]);
        let complaint = '';
        child.stderr.setEncoding('utf8').on('data', (part: string) => (complaint += part));
        const exitCode = await new Promise(resolve => child.on('close', resolve));
        expect({ exitCode, complaint }).toEqual({
            exitCode: 2,
            complaint: `orbit: cannot write ${what}: the disk is full\n`,
        });
    });
});

test('a reader that goes away is no failure', async () => {
    const { child, ended } = start(['export', 'models/peterson.orbit', '--to', 'graph-dimacs', '--param', 'N=12']);
    child.stdout?.destroy();
    expect(await ended).toEqual({ exitCode: 0, stdout: '', stderr: '' });
});

test('states that nobody reads are a failure, since what was read would look whole', async () => {
    const { child, ended } = start(['expand', 'models/peterson.orbit', '--initial', '--reduction', 'none']);
    child.stdout?.destroy();
    expect(await ended).toEqual({
        exitCode: 2,
        stdout: '',
        stderr: 'orbit: cannot write the states: nobody reads any more\n',
    });
});

/** Runs before the command: tells when it listens to the signal, and its processor microseconds after the signal. */
const watcherOf = (signal: string): string => `
    let isListening = false;
    process.on('newListener', name => {
        if (name === '${signal}' && !isListening) {
            isListening = true;
            process.on('${signal}', () => {
                const before = process.cpuUsage();
                process.on('exit', () => {
                    const { user, system } = process.cpuUsage(before);
                    console.error(user + system);
                });
            });
            console.error('listening');
        }
    });
`;

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends an exploration at once, with what was reached', async signal => {
    const watcher = join(folder, `${signal}.cjs`);
    writeFileSync(watcher, watcherOf(signal));
    // It has more states than any memory; nothing else ends its exploration soon.
    const words = ['explore', 'models/peterson.orbit', '--param', 'N=9', '--reduction', 'none', '--json'];
    const checkpoint = join(folder, `${signal}.checkpoint`);
    const saving = ['--checkpoint', checkpoint, '--checkpoint-interval', '0.1'];
    const { child, ended } = start([...words, ...saving], ['--require', watcher]);
    // Once something is saved it searches.
    const poll = setInterval(() => {
        if (existsSync(checkpoint)) {
            clearInterval(poll);
            child.kill(signal);
        }
    }, 20);
    const { exitCode, stdout, stderr } = await ended;
    expect(exitCode).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'undecided', limit: { kind: 'interrupted' } });
    expect(readdirSync(folder).filter(name => name.endsWith('.part'))).toEqual([]);
    expect(stderr).toMatch(/^listening\n\d+\n$/);
    expect(Number(stderr.split('\n')[1])).toBeLessThan(1000 * patient(2000));
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s before the program is loaded ends with 130, too', async signal => {
    const watcher = join(folder, `early-${signal}.cjs`);
    writeFileSync(watcher, `process.on('newListener', name => name === '${signal}' && console.error('listening'));`);
    const { child, ended } = start(['explore', 'models/peterson.orbit', '--param', 'N=9'], ['--require', watcher]);
    child.stderr?.once('data', () => child.kill(signal));
    expect(await ended).toMatchObject({ exitCode: 130, stdout: '' });
});
