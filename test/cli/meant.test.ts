/** What a model says is meant, on the command line: exit codes, reports, and where it is not asked. */
import { expect, test } from 'vitest';
import type { ExploreDocument } from '../../language-server/document-schema.js';
import { orbit } from './in-process.js';

const COUNTER =
    'model Counter\nparam top: 1 .. 9 = 3\nvar x: 0 .. 9 = 0\n' +
    'process Up { loop { up: when x < top { x := x + 1 } } }\nallow deadlock\n';

const FAMILY =
    'model Family\nparam N: 1 .. 9 = 3\ntype I = 1 .. N\nvar free: bool = true\n' +
    'process P[i: I] { loop { enter: when free { free := false } leave: free := true } }\n' +
    'invariant mutex = count(i in I: P[i] at leave) <= 1\ninvariant never = free\n' +
    'expect violated never when N > 1\nrun pair = N < 2 || (exists i in I: P[i] at leave) then free\n';

async function run(m: string, ...words: readonly string[]): ReturnType<typeof orbit> {
    return orbit(['explore', 'm', ...words], { files: { m } });
}

test('the exit code follows the text', async () => {
    const expecting = `${COUNTER}invariant low = x < 2\nexpect violated low when top > 1\nrun far = x == top\n`;
    expect((await run(expecting)).exitCode).toBe(0);
    expect((await run(`${expecting}expect violated faults\n`)).exitCode).toBe(1);
    expect((await run(expecting, '--max-states', '2')).exitCode).toBe(3);
    const swept = await run(expecting, '--sweep', 'top=1..3');
    expect([swept.exitCode, swept.stdout.match(/ holds/g)?.length]).toEqual([0, 3]);
});

test('each is judged by what is said of it, faults too', async () => {
    const missing = `${COUNTER}invariant low = x < 2\nexpect violated low\nexpect violated faults\n`;
    const { stdout, exitCode } = await run(missing, '--each');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('violated: a fault is expected, but there is none (line 8)');
    expect((await run(missing.replace('expect violated faults\n', ''), '--each')).exitCode).toBe(0);
});

test('with each the verdict of a property is its own, and says whether a violation is meant', async () => {
    const text = `${COUNTER}invariant low = x < 2\nexpect violated low\ninvariant high = x < 9\nexpect violated high\nproperty small = always eventually x < 1\nexpect violated small\n`;
    const verdictsOf = async (...words: readonly string[]): Promise<readonly unknown[]> => {
        const { stdout } = await run(text, '--json', ...words);
        const { properties = [] } = JSON.parse(stdout) as ExploreDocument;
        return properties.map(each => [each.name, each.verdict, 'expected' in each]);
    };
    expect(await verdictsOf('--each')).toEqual([
        ['faults', 'holds', false],
        ['low', 'violated', true],
        ['high', 'holds', false],
        ['small', 'violated', true],
    ]);
    expect(await verdictsOf()).toEqual([['small', 'violated', true]]);
});

test('with each a violation that is meant is meant of no image by symmetry', async () => {
    const text = `type I = 1 .. 2
        var x: 0 .. 3[I] = 0
        process P[i: I] { loop { up: when x[i] < 3 { x[i] := x[i] + 1 } } }
        allow deadlock
        invariant a = x[1] < 2
        invariant b = x[2] < 2
        expect violated a
    `;
    const { stdout, exitCode } = await run(text, '--json', '--each');
    const { properties = [] } = JSON.parse(stdout) as ExploreDocument;
    expect(properties.map(each => [each.name, each.verdict, 'alikeTo' in each, 'expected' in each])).toEqual([
        ['faults', 'holds', false, false],
        ['a', 'violated', false, true],
        ['b', 'violated', true, false],
    ]);
    expect(exitCode).toBe(1);
});

test('a report for build servers has a case for each statement', async () => {
    const { stdout } = await run(
        `${COUNTER}invariant low = x < 2\nexpect violated low\nrun far = x == 3\nrun never = x == 7\nexpect every step\n`,
        '--format',
        'junit',
    );
    const cases = stdout.split('<testcase ').slice(1);
    expect(cases.map(each => [/name="([^"]*)"/.exec(each)?.[1], /\n\s*<(\w[\w-]*)/.exec(each)?.[1]])).toEqual([
        ['faults', undefined],
        ['low', 'system-out'],
        ['far', 'system-out'],
        ['never', 'failure'],
        ['every step', undefined],
    ]);
});

test('for all values of a parameter runs and what is expected are left out, and listed', async () => {
    const { stdout } = await run(FAMILY, '--param', 'N=all');
    expect(stdout).toMatch(/holds for every N; not for all: deadlock .*, pair, never/);
    const asked = await run(FAMILY, '--param', 'N=all', '--property', 'never');
    expect([asked.exitCode, asked.stderr]).toEqual([2, expect.stringContaining('is expected to be violated here')]);
});

test('passes and checkpoints are refused where they would hide what is asked', async () => {
    const passes = await run(`${COUNTER}expect every step\n`, '--passes', 'cone');
    expect([passes.exitCode, passes.stderr]).toEqual([2, expect.stringContaining('expects every step')]);
    const checkpoint = await run(`${COUNTER}run two = x == 1 then x == 3\n`, '--checkpoint', 'c');
    expect([checkpoint.exitCode, checkpoint.stderr]).toEqual([2, expect.stringContaining("cannot check 'two'")]);
});

test('a report says where a question is wrong, and which file an error is in', async () => {
    const asked = await run(COUNTER, '--find', 'x == y', '--format', 'junit');
    expect(asked.stdout).toContain('--find:1:6: y is not declared [name/unresolved]');
    const files = { 'm.orbit': 'import "n.orbit"\nprocess P { skip }\n', 'n.orbit': 'var x: bool = 3\n' };
    const imported = await orbit(['explore', 'm.orbit', '--format', 'junit'], { files });
    expect(imported.stdout).toMatch(/\nn\.orbit:1:15: |>n\.orbit:1:15: /);
});
