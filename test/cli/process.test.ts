/** The command as it ships: one bundled file in a process of its own, with real streams, files and signals. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'orbit-cli-'));
const bundle = join(folder, 'cli.cjs');

beforeAll(async () => {
    const options = { bundle: true, platform: 'node', target: 'node20', format: 'cjs', logLevel: 'error' } as const;
    await build({ ...options, entryPoints: ['cli/main.ts'], outfile: bundle });
});

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

const pause = (milliseconds: number) => new Promise(resume => setTimeout(resume, milliseconds));

test('it starts in less than 0.3 seconds', async () => {
    // Processor time: what else the machine does at the moment is not ours.
    const clock = join(folder, 'clock.cjs');
    writeFileSync(
        clock,
        `process.on('exit', () => console.error(process.cpuUsage().user + process.cpuUsage().system));`,
    );
    const microseconds: number[] = [];
    for (let run = 0; run < 3; run++) {
        const { exitCode, stderr } = await start(['--version'], ['--require', clock]).ended;
        expect(exitCode).toBe(0);
        microseconds.push(Number(stderr));
    }
    expect(Math.min(...microseconds)).toBeLessThan(300_000);
});

test('a file, a folder, and nothing', async () => {
    expect(await start(['check', 'models/peterson.orbit']).ended).toEqual({
        exitCode: 0,
        stdout: 'models/peterson.orbit: no problems\n',
        stderr: '',
    });
    const isFolder = await start(['explore', 'models', '--json']).ended;
    expect(isFolder.exitCode).toBe(2);
    expect(isFolder.stdout).toContain("Cannot read 'models': it is a folder");
    expect((await start(['check', join(folder, 'none.orbit')]).ended).exitCode).toBe(2);
});

test('standard input and output files', async () => {
    const output = join(folder, 'group.g');
    const { child, ended } = start(['export', '-', '--to', 'gap', '--output', output]);
    child.stdin?.end(readFileSync('models/hanoi.orbit'));
    expect(await ended).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(readFileSync(output, 'utf8')).toContain('# Hanoi (N = 3)');
});

test('a model may have any name', async () => {
    const file = join(folder, 'a model & more.txt');
    writeFileSync(file, readFileSync('models/hanoi.orbit'));
    expect((await start(['symmetry', file, '--quiet']).ended).stdout).toBe('C2 · 2 symmetries\n');
});

test('a reader that goes away is no failure', async () => {
    const { child, ended } = start(['export', 'models/peterson.orbit', '--to', 'graph-dimacs', '--param', 'N=12']);
    child.stdout?.destroy();
    expect(await ended).toEqual({ exitCode: 0, stdout: '', stderr: '' });
});

test('Ctrl+C ends an exploration at once, with what was reached', async () => {
    const words = ['--param', 'N=12', '--reduction', 'none', '--json'];
    const { child, ended } = start(['explore', 'models/token-ring.orbit', ...words]);
    await pause(4000);
    const pressed = performance.now();
    child.kill('SIGINT');
    const { exitCode, stdout } = await ended;
    expect(performance.now() - pressed).toBeLessThan(1000);
    expect(exitCode).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'undecided', limit: { kind: 'interrupted' } });
});
