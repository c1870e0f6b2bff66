/** `orbit explore --sweep`: one exploration after the other. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withRepeatableInput, type CommandIo } from '../../cli/io.js';
import type { SweepDocument } from '../../language-server/document-schema.js';
import { orbit } from './in-process.js';

const DINING = readFileSync('models/dining-philosophers.orbit', 'utf8');
const LOCK = readFileSync('models/semaphore-mutex.orbit', 'utf8');

async function swept(model: string, ...words: string[]): Promise<{ document: SweepDocument; exitCode: number }> {
    const { stdout, stderr, exitCode } = await orbit(['explore', 'm', '--json', ...words], { files: { m: model } });
    expect(stderr).toBe('');
    return { document: JSON.parse(stdout) as SweepDocument, exitCode };
}

test('each value has a document, and all of them hold', async () => {
    const { document, exitCode } = await swept(LOCK, '--sweep', 'N=2..5');
    expect([exitCode, document.verdict, document.params]).toEqual([0, 'holds', {}]);
    // 2N + 1 orbits, as the model's header counts them.
    expect(document.sweep.map(({ params, states }) => [params['N'], states])).toEqual([
        [2, 5],
        [3, 7],
        [4, 9],
        [5, 11],
    ]);
});

test('the first violation ends it, and is shown as always', async () => {
    const { document, exitCode } = await swept(DINING, '--sweep', 'N=3..20');
    expect([exitCode, document.verdict, document.sweep.length]).toEqual([1, 'violated', 1]);
    const text = (await orbit(['explore', 'm', '--sweep', 'N=3..20'], { files: { m: DINING } })).stdout;
    expect(text).toContain('N = 3 .. 20');
    expect(text).toMatch(/^ {5}3 +\d+ +\d+ +\d+ .*deadlock after 3 steps {2}C3$/m);
    expect(text).toContain('The 3 Phil wait for one another, in a circle.');
});

test('with --continue it goes on after violations', async () => {
    const { document, exitCode } = await swept(DINING, '--sweep', 'N=3..6', '--continue');
    expect(exitCode).toBe(1);
    // Orbits of the whole space, counted without symmetries and divided by rotation in the models' README.
    expect(document.sweep.map(({ states }) => states)).toEqual([13, 33, 80, 226]);
});

test('a limit ends it undecided', async () => {
    const { document, exitCode } = await swept(LOCK, '--sweep', 'N=2..9', '--max-states', '8');
    expect([exitCode, document.verdict]).toEqual([3, 'undecided']);
    expect(document.sweep.map(({ verdict }) => verdict)).toEqual(['holds', 'holds', 'undecided']);
});

test('a model from standard input is read once', async () => {
    const { stdout, exitCode } = await orbit(['explore', '-', '--sweep', 'N=2..3', '--quiet'], { standardInput: LOCK });
    expect([exitCode, stdout.match(/holds/g)?.length]).toEqual([0, 2]);
    let reads = 0;
    const once = { readStandardInput: () => Promise.resolve(Uint8Array.of(++reads)) } as unknown as CommandIo;
    const io = withRepeatableInput(once);
    expect(await io.readStandardInput()).toEqual(await io.readStandardInput());
    expect(reads).toBe(1);
});

test('a row has all states and how many times more they are', async () => {
    const { stdout } = await orbit(['explore', 'm', '--sweep', 'N=2..3'], { files: { m: LOCK } });
    expect(stdout).toMatch(/^ {5}N +orbits +all states +factor /m);
    // 2N + 1 orbits of (N + 2) 2^(N - 1) states: who waits, and who of the others is inside.
    expect(stdout).toMatch(/^ {5}2 +5 +8 +1\.6x /m);
    expect(stdout).toMatch(/^ {5}3 +7 +20 +2\.9x /m);
});

test('a last value that the type excludes is refused before anything is explored', async () => {
    const { stdout, stderr, exitCode } = await orbit(['explore', 'm', '--sweep', 'N=2..65'], { files: { m: LOCK } });
    expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringContaining('`1 .. 64`')]);
});

test('a value that the parameter does not allow is an error at its declaration', async () => {
    const { stderr, exitCode } = await orbit(['explore', 'm', '--sweep', 'N=64..65'], { files: { m: LOCK } });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('65')]);
});

test.each([
    [['--sweep', 'N'], 'NAME=FIRST..LAST'],
    [['--sweep', 'N=5..3'], 'There is no value from 5 to 3.'],
    [['--sweep', 'N=3..5', '--param', 'N=4'], "the parameter 'N' is both swept and given"],
    [['--sweep', 'N=3..5', '--checkpoint', 'c'], '--checkpoint'],
])('%s is refused', async (words, message) => {
    const { stderr, exitCode } = await orbit(['explore', 'm', ...words], { files: { m: LOCK } });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
});
