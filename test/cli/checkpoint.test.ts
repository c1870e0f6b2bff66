/** `orbit explore --checkpoint` and `--resume`: an exploration in pieces is one exploration, and a damaged file is none. */
// @module-tag long
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ExploreDocument } from '../../language-server/document-schema.js';
import { orbit, type Outcome } from './in-process.js';

const source = (name: string): string => readFileSync(`models/${name}.orbit`, 'utf8');

const documentOf = ({ stdout }: Outcome): ExploreDocument => JSON.parse(stdout) as ExploreDocument;

/** What does not depend on how long it took, and where. */
function answerOf(outcome: Outcome): Partial<ExploreDocument> {
    const { verdict, states, transitions, depth, deadlocks, violations, reduction, unreached } = documentOf(outcome);
    return { verdict, states, transitions, depth, deadlocks, violations, reduction, ...(unreached && { unreached }) };
}

/** Explores in pieces of so many states; the outcome of the last one, and how many there were. */
async function inPieces(text: string, words: readonly string[], size: number): Promise<[Outcome, number]> {
    let checkpoint: Uint8Array | undefined;
    for (let pieces = 1; ; pieces++) {
        const resume = checkpoint === undefined ? [] : ['--resume', 'c'];
        const outcome = await orbit(
            ['explore', 'm', '--json', ...words, ...resume, '--max-states', `${pieces * size}`, '--checkpoint', 'd'],
            { files: { m: text, ...(checkpoint && { c: checkpoint }) } },
        );
        expect(outcome.stderr).toBe('');
        checkpoint = outcome.saved.get('d');
        if (checkpoint === undefined) {
            return [outcome, pieces];
        }
        expect(documentOf(outcome)).toMatchObject({
            limit: { kind: 'states', value: pieces * size },
            checkpoint: { file: 'd', bytes: checkpoint.length },
        });
    }
}

test.each([
    ['peterson', ['--param', 'N=4', '--reduction', 'none']],
    ['peterson', ['--param', 'N=6', '--reduction', 'unique']],
    ['dining-philosophers', ['--param', 'N=9', '--continue', '--reduction', 'none']],
    ['dining-philosophers', ['--param', 'N=9', '--continue', '--reduction', 'unique']],
    ['dining-philosophers', ['--param', 'N=9', '--reduction', 'none']],
    ['german-cache', ['--reduction', 'unique', '--passes', 'all', '--property', 'coherent', '--property', 'deadlock']],
    ['bounded-buffer', ['--param', 'P=3', '--param', 'C=3', '--reduction', 'local']],
])('%s with %o in pieces is the same as at once', async (name, words) => {
    const text = source(name);
    const whole = await orbit(['explore', 'm', '--json', ...words], { files: { m: text } });
    const size = Math.ceil(documentOf(whole).states / 4);
    const [last, pieces] = await inPieces(text, words, size);
    expect(pieces).toBeGreaterThan(1);
    expect(answerOf(last)).toEqual(answerOf(whole));
    expect(last.exitCode).toBe(whole.exitCode);
});

test('Ctrl+C, a time limit and a memory limit leave a checkpoint, a result leaves none', async () => {
    const text = source('peterson');
    const words = ['explore', 'm', '--param', 'N=6', '--reduction', 'none', '--checkpoint', 'c'];
    const interrupted = await orbit(words, { files: { m: text }, interruptAfterTurns: 2 });
    expect(interrupted.exitCode).toBe(130);
    expect(interrupted.stdout).toContain('  checkpoint   c · ');
    expect(interrupted.saved.has('c')).toBe(true);
    const late = await orbit([...words, '--timeout', '0.3'], { files: { m: text } });
    expect(late.exitCode).toBe(3);
    expect(late.saved.has('c')).toBe(true);
    const large = await orbit([...words, '--max-memory', '8M'], { files: { m: text } });
    expect(large.exitCode).toBe(3);
    expect(large.saved.has('c')).toBe(true);
    const done = await orbit(['explore', 'm', '--param', 'N=3', '--checkpoint', 'c'], { files: { m: text } });
    expect(done.exitCode).toBe(0);
    expect(done.saved.has('c')).toBe(false);
});

test('that the disk is full is in the result, too', async () => {
    const words = ['explore', 'm', '--param', 'N=6', '--reduction', 'none', '--max-states', '1000'];
    const { stdout, stderr, exitCode } = await orbit([...words, '--checkpoint', '/full/c', '--json'], {
        files: { m: source('peterson') },
    });
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining('the disk is full')]);
    const { checkpoint } = JSON.parse(stdout) as ExploreDocument;
    expect(checkpoint).toEqual({ file: '/full/c', bytes: 0, problem: "cannot write '/full/c': the disk is full" });
});

test('that there is none before all initial states are stored is said', async () => {
    // Every state is initial: 8^9 of them.
    const words = ['explore', 'm', '--param', 'N=9', '--reduction', 'none', '--checkpoint', 'c'];
    const outcome = await orbit(words, { files: { m: source('token-ring') }, interruptAfterTurns: 2 });
    expect(outcome.exitCode).toBe(130);
    expect(outcome.saved.has('c')).toBe(false);
    expect(outcome.stderr).toContain('no checkpoint was written');
});

test('what is half done does not keep a checkpoint from being written', async () => {
    // Representatives that generated code does not find come one by one, so a slice mostly ends between two of them.
    const words = ['explore', 'm', '--param', 'N=8', '--reduction', 'local', '--checkpoint', 'c'];
    for (const interruptAfterTurns of [1, 2, 3]) {
        const { exitCode, saved } = await orbit(words, { files: { m: source('peterson') }, interruptAfterTurns });
        expect(exitCode).toBe(130);
        expect(saved.has('c')).toBe(true);
    }
});

test('without the memory for a checkpoint there is nothing of it in the result, and that is said', async () => {
    const text = source('dining-philosophers');
    const words = ['explore', 'm', '--json', '--param', 'N=9', '--reduction', 'none', '--continue'];
    const first = await orbit([...words, '--max-states', '20000', '--checkpoint', 'c'], { files: { m: text } });
    expect(documentOf(first)).toMatchObject({ verdict: 'violated', deadlocks: 1 });
    const c = first.saved.get('c') ?? '';
    const second = await orbit([...words, '--max-memory', '1M', '--resume', 'c'], { files: { m: text, c } });
    expect(second.exitCode).toBe(3);
    const limit = { kind: 'memory', value: 2 ** 20 };
    expect(documentOf(second)).toMatchObject({ verdict: 'undecided', limit, states: 0, deadlocks: 0, violations: [] });
    expect(second.stderr).toContain("'c' does not fit into the memory that may be used");
});

describe('a checkpoint', () => {
    const text = source('peterson');
    const words = ['explore', 'm', '--param', 'N=4', '--reduction', 'none', '--quiet'];

    async function checkpoint(): Promise<Buffer> {
        const { saved } = await orbit([...words, '--max-states', '2000', '--checkpoint', 'c'], { files: { m: text } });
        return Buffer.from(saved.get('c') ?? '');
    }

    async function complaint(c: Uint8Array, given = words, model = text): Promise<string> {
        const outcome = await orbit([...given, '--resume', 'c'], { files: { m: model, c } });
        expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
        return outcome.stderr;
    }

    test('with any byte changed is damaged', async () => {
        const right = await checkpoint();
        for (let position = 0; position < right.length; position += Math.ceil(right.length / 24)) {
            const wrong = Buffer.from(right);
            wrong[position]! ^= 1 << (position % 8);
            expect(await complaint(wrong)).toMatch(/'c' is (damaged|no checkpoint)/);
        }
    });

    test('that is cut short anywhere, or goes on, is damaged', async () => {
        const right = await checkpoint();
        for (let length = 0; length < right.length; length += Math.ceil(right.length / 12)) {
            expect(await complaint(right.subarray(0, length))).toMatch(
                /'c' is (damaged: it is cut short|no checkpoint)/,
            );
        }
        expect(await complaint(Buffer.concat([right, Buffer.from('x')]))).toContain('longer than it was written');
    });

    test('of another exploration is refused', async () => {
        const right = await checkpoint();
        expect(await complaint(right, [...words, '--property', 'mutex'])).toContain('of another exploration');
        expect(await complaint(right, ['explore', 'm', '--param', 'N=5', '--reduction', 'none'])).toContain('another');
        expect(await complaint(right, ['explore', 'm', '--param', 'N=4', '--reduction', 'unique'])).toContain(
            'another',
        );
        expect(await complaint(right, words, text.replace('model Peterson', 'model Other'))).toContain(
            "of the model 'Peterson', not of 'Other'",
        );
        const changed = text.replace('invariant mutex', 'invariant other = true\ninvariant mutex');
        expect(changed).not.toBe(text);
        expect(await complaint(right, words, changed)).toContain('of another exploration');
    });

    test('with states that are laid out in another way is refused', async () => {
        const switches = 'model Switches process P[i: 0 .. 9] { var n: 0 .. 100 = 0 loop { n := 1 - n } }';
        const given = ['explore', 'm', '--reduction', 'none', '--quiet', '--passes'];
        const { saved } = await orbit([...given, 'narrow', '--max-states', '100', '--checkpoint', 'c'], {
            files: { m: switches },
        });
        const c = Buffer.from(saved.get('c') ?? '');
        expect(await complaint(c, [...given, 'none'], switches)).toContain('of another exploration');
        const same = await orbit([...given, 'narrow', '--resume', 'c'], { files: { m: switches, c } });
        expect(same.stdout).toContain('holds · 1,024 states');
    });

    test('of a model in which only comments have changed goes on', async () => {
        const c = await checkpoint();
        const outcome = await orbit([...words, '--resume', 'c'], { files: { m: `// A comment.\n${text}`, c } });
        expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    });

    test('that is not there, or cannot be written, is an error of the call', async () => {
        const missing = await orbit([...words, '--resume', 'c'], { files: { m: text } });
        expect(missing).toMatchObject({ exitCode: 2, stdout: '' });
        expect(missing.stderr).toContain("cannot read 'c': there is no such file");
        const folder = await orbit([...words, '--resume', '/folder/'], {
            files: { m: text, '/folder/': await checkpoint() },
        });
        expect(folder).toMatchObject({ exitCode: 2, stdout: '' });
        expect(folder.stderr).toContain("cannot read '/folder/': it is a folder");
        const unwritten = await orbit([...words, '--max-states', '9', '--checkpoint', '/read-only/c'], {
            files: { m: text },
        });
        expect(unwritten.exitCode).toBe(2);
        expect(unwritten.stderr).toContain("cannot write '/read-only/c'");
    });

    test('is there once it is whole, not while it is asked whether it could be written', async () => {
        const { tried } = await orbit([...words, '--checkpoint', 'c', '--trace', 't'], { files: { m: text } });
        expect([...tried]).toEqual(['t']);
    });

    test.each(['--each', '--coverage'])('does not go with %s', async option => {
        const outcome = await orbit([...words, option, '--checkpoint', 'c'], { files: { m: text } });
        expect(outcome.exitCode).toBe(2);
    });
});
