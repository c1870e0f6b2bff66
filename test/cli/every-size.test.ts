/** `orbit explore --param N=all` and `orbit verify --param N=all`. */
// @module-tag long
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { EverySizeDocument, VerifyViewsDocument } from '../../language-server/document-schema.js';
import { orbit } from './in-process.js';

const LOCK = readFileSync('models/semaphore-mutex.orbit', 'utf8');
const BROKEN = LOCK.replace('when free', 'when true');

async function explored(model: string, ...words: string[]): Promise<{ document: EverySizeDocument; exitCode: number }> {
    const call = ['explore', 'm', '--json', '--param', 'N=all', ...words];
    const { stdout, exitCode } = await orbit(call, { files: { m: model } });
    return { document: JSON.parse(stdout) as EverySizeDocument, exitCode };
}

test('a proof, with what was explored beside it', async () => {
    const { document, exitCode } = await explored(LOCK);
    const { verdict, forAll, invariants, views, viewSize, extra, exact, params, rechecked } = document;
    // Whether there is a deadlock is about whole states.
    expect([exitCode, verdict, forAll, invariants, params]).toEqual([3, 'holds', ['N'], ['mutex'], { N: 'all' }]);
    // Two processes beside the semaphore: 15, as the design has computed with another program.
    expect([views, viewSize, extra, rechecked]).toEqual([15, 2, 1, true]);
    // 2N + 1 orbits, as the model's header counts them.
    expect(exact.map(({ params: { N }, states, deadlocks }) => [N, states, deadlocks])).toEqual(
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(size => [size, 2 * size + 1, 0]),
    );
    const { stdout } = await orbit(['explore', 'm', '--param', 'N=all'], { files: { m: LOCK } });
    expect(stdout).toContain('holds for every N; not for all: deadlock (none for N = 1 .. 10)\n');
    expect(stdout).toContain('N = 1 .. 10: holds, no deadlock');
    expect(stdout).toContain('checked again');
});

/** By hand: eleven may get, and then all wait; up to ten, everybody can put. */
const WAITING = `model Waiting
param N: 1 .. 64 = 3
type Proc = 1 .. N
var used: 0 .. 11 = 0
process P[i: Proc] { loop { get: when used < 11 { used := used + 1 }; more: when used < 11; put: used := max(0, used - 1) } }
invariant fits = used <= 11
property few = always (used <= 11)
property again = infinitely often used == 0
`;

test('what is not asked for all values stands in the verdict, and the exit code is that of no answer', async () => {
    const files = { m: WAITING };
    const call = ['explore', 'm', '--param', 'N=all'];
    const { document, exitCode } = await explored(WAITING);
    expect([exitCode, document.notForAll, document.invariants]).toEqual([3, ['deadlock', 'again'], ['fits', 'few']]);
    const line = await orbit([...call, '--quiet'], { files });
    expect(line.stdout).toMatch(/^holds for every N; not for all: deadlock \(none for N = 1 \.\. 10\), again · /);
    const junit = (await orbit([...call, '--format', 'junit'], { files })).stdout;
    expect(junit).toMatch(/name="deadlock"[^>]*>\s*<skipped message="it is not asked for all values"/);
    expect(junit).toContain('skipped="2"');
    const sarif = (await orbit([...call, '--format', 'sarif'], { files })).stdout;
    expect(sarif).toContain('deadlock: it is not asked for all values');
    // Nothing is left open if the model allows it.
    expect(
        (await orbit(call, { files: { m: `allow deadlock\n${LOCK.slice(LOCK.indexOf('/// The number'))}` } })).exitCode,
    ).toBe(0);
});

test('names say what is asked, and what is about more than single states is refused', async () => {
    const named = await explored(WAITING, '--property', 'fits');
    expect([named.exitCode, named.document.notForAll, named.document.invariants]).toEqual([0, [], ['fits']]);
    expect((await explored(WAITING, '--property', 'few')).document.invariants).toEqual(['few']);
    for (const name of ['deadlock', 'again']) {
        const call = ['explore', 'm', '--param', 'N=all', '--property', name];
        const { exitCode, stderr } = await orbit(call, { files: { m: WAITING } });
        expect([exitCode, stderr.includes(`\`${name}\` is about`)]).toEqual([2, true]);
    }
});

test('a property with nothing but `always` before a state is an invariant, and violated as one', async () => {
    for (const property of ['always (used < 3)', 'forall q in Proc: always (used < 3)', '!(eventually used >= 3)']) {
        const text = WAITING.replace('always (used <= 11)', property);
        const { document, exitCode } = await explored(text, '--property', 'few');
        // The third one to get.
        expect([exitCode, document.violatedFor, document.violations[0]?.name]).toEqual([1, { N: 3 }, 'few']);
    }
    const assumed = `${WAITING}assume rests = infinitely often used == 0\n`;
    expect((await explored(assumed)).document.notForAll).toEqual(['deadlock', 'few', 'again']);
});

test('a proof that is too much work is not checked again', { tags: 'thorough' }, async () => {
    const german = readFileSync('models/german-cache.orbit', 'utf8');
    const { document } = await explored(german);
    // The numbers of the manual.
    expect([document.verdict, document.views, document.rechecked]).toEqual(['holds', 6906, false]);
});

test('the smallest value with a violation, and its run', async () => {
    const { document, exitCode } = await explored(BROKEN);
    expect([exitCode, document.verdict, document.violatedFor]).toEqual([1, 'violated', { N: 2 }]);
    expect(document.violations[0]?.trace.length).toBe(5);
    const { stdout } = await orbit(['explore', 'm', '--param', 'N=all', '--quiet'], { files: { m: BROKEN } });
    expect(stdout).toMatch(/^violated for N = 2: invariant mutex/);
});

test('limits, and views that are too small, end undecided', async () => {
    expect((await explored(LOCK, '--view-size', '1')).exitCode).toBe(3);
    const { document, exitCode } = await explored(LOCK, '--view-size', '2', '--max-states', '3');
    expect([exitCode, document.verdict, document.limit]).toEqual([3, 'undecided', { kind: 'states', value: 3 }]);
});

test('what is not narrow ends with 2, at its place', async () => {
    const counting = LOCK.replace('when free', 'when free && N > 2');
    const { stderr, exitCode } = await orbit(['explore', 'm', '--param', 'N=all'], { files: { m: counting } });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('`N` is a number here, and more than the bound of a range [every/not-narrow]');
    const unknown = await orbit(['explore', 'm', '--param', 'M=all'], { files: { m: LOCK } });
    expect([unknown.exitCode, unknown.stderr.includes('the model has no parameter `M`')]).toEqual([2, true]);
    const files = { m: 'param N\nprocess P { loop { skip } }\n' };
    const wrong = await orbit(['explore', 'm', '--param', 'N=all'], { files });
    expect([wrong.exitCode, wrong.stderr.includes('[syntax/')]).toEqual([2, true]);
});

test('options of one search, and properties of runs, are refused', async () => {
    for (const words of [['--coverage'], ['--each'], ['--checkpoint', 'c'], ['--sweep', 'N=1..2']]) {
        const { exitCode } = await orbit(['explore', 'm', '--param', 'N=all', ...words], { files: { m: LOCK } });
        expect(exitCode, words.join(' ')).toBe(2);
    }
    const single = await orbit(['explore', 'm', '--view-size', '2'], { files: { m: LOCK } });
    expect([single.exitCode, single.stderr.includes('`--param NAME=all`')]).toEqual([2, true]);
    const bus = readFileSync('models/msi-bus.orbit', 'utf8');
    const call = ['explore', 'm', '--param', 'N=all', '--property', 'writable'];
    const { stderr, exitCode } = await orbit(call, { files: { m: bus } });
    expect([exitCode, stderr.includes('`writable` is about runs')]).toEqual([2, true]);
    const few = `${LOCK}property few = always (free || !free)\nassume often = infinitely often free\n`;
    const assumed = await orbit(['explore', 'm', '--param', 'N=all', '--property', 'few'], { files: { m: few } });
    expect(assumed.stderr).toContain('`few` is about runs that meet `often`, and views');
});

test('a declared name `all` is a value', async () => {
    const text = `const all = 2\n${LOCK.slice(LOCK.indexOf('/// The number'))}`;
    const { stdout, exitCode } = await orbit(['explore', 'm', '--json', '--param', 'N=all'], { files: { m: text } });
    expect([exitCode, (JSON.parse(stdout) as { params: unknown }).params]).toEqual([0, { N: 2 }]);
});

test('a certificate is written, checked, and refused where it was changed', async () => {
    const written = await orbit(['verify', 'm', '--param', 'N=all', '--output', 'c'], { files: { m: LOCK } });
    expect(written.exitCode).toBe(0);
    const certificate = written.written.get('c') ?? '';
    const check = (text: string, model = LOCK): ReturnType<typeof orbit> =>
        orbit(['verify', 'm', '--json', '--param', 'N=all', '--certificate', 'c'], { files: { m: model, c: text } });
    const checked = await check(certificate);
    const { verdict, views, configurations } = JSON.parse(checked.stdout) as VerifyViewsDocument;
    expect([checked.exitCode, verdict, views, configurations]).toEqual([0, 'verified', 15, 24]);
    const { views: list, ...rest } = JSON.parse(certificate) as { views: string[] };
    const fewer = JSON.stringify({ ...rest, views: list.slice(0, -1) });
    expect((await check(fewer)).exitCode).toBe(1);
    expect((await check(JSON.stringify({ ...rest, views: ['x', ...list] }))).exitCode).toBe(1);
    // The same list says nothing about a lock that does not wait.
    expect((await check(certificate, BROKEN)).exitCode).toBe(1);
    // A location that there is none of was "Cannot read properties of undefined", and a family likewise was verified.
    for (const view of ['0 |  | 0:99', '0 |  | 0:-', '0 |  | 3:1']) {
        expect((await check(JSON.stringify({ ...rest, views: [...list, view] }))).exitCode).toBe(1);
    }
    expect((await check('{}')).exitCode).toBe(2);
    // One that says nothing says nothing.
    const emptied = JSON.stringify({ ...rest, views: list, invariants: [] });
    for (const form of ['--quiet', '--json']) {
        const call = ['verify', 'm', form, '--param', 'N=all', '--certificate', 'c'];
        expect((await orbit(call, { files: { m: LOCK, c: emptied } })).exitCode).toBe(2);
        const whole = await orbit(call, { files: { m: LOCK, c: certificate } });
        expect([whole.exitCode, whole.stdout]).toEqual([0, expect.stringContaining('mutex')]);
    }
});

test('reports for other programs have a case for each invariant', async () => {
    const call = ['explore', 'm', '--param', 'N=all', '--format', 'junit'];
    const { stdout } = await orbit(call, { files: { m: BROKEN } });
    expect(stdout).toContain('name="m N = all"');
    expect(stdout).toMatch(/<testcase[^>]*name="mutex"[^>]*>\s*<failure/);
});
