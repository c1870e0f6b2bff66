/** `orbit mutate`: survivors as sentences, baselines that know them by their text, exit codes, JSON. */
import { expect, test } from 'vitest';
import { orbit, type Outcome } from './in-process.js';

const LOCK = `model Lock
param N: 2 .. 4 = 2
type Id = 1 .. N
var taken: bool = false
process P[i: Id] {
    loop {
        enter: when !taken && i <= N { taken := true }
        leave: taken := false
    }
}
invariant one = count(i in Id: P[i] at leave) <= N
`;
const CALL = ['mutate', 'lock.orbit', '--baseline', 'survivors.json'];

async function mutate(text: string, baseline: string | undefined, ...words: string[]): Promise<Outcome> {
    const files = { 'lock.orbit': text, ...(baseline !== undefined && { 'survivors.json': baseline }) };
    return orbit([...CALL, ...words], { files });
}

async function baselineOf(text: string, old?: string, expected = 0): Promise<string> {
    const { exitCode, written } = await mutate(text, old, '--update-baseline', '--quiet');
    expect(exitCode).toBe(expected);
    return written.get('survivors.json') ?? '';
}

test('each survivor is a sentence, of one guard and one body the first', async () => {
    const { stdout, exitCode } = await orbit(['mutate', 'lock.orbit'], { files: { 'lock.orbit': LOCK } });
    expect(exitCode).toBe(1);
    // Without the guard both may be inside at once, and one while `taken` is false.
    expect(stdout).toBe(
        'lock.orbit:7:21: nothing notices if the guard `!taken && i <= N` is dropped (3 states more)\n' +
            'lock.orbit:7:40: nothing notices if the assignment `taken := true` is dropped (something else happens)\n' +
            '… and 1 more at the same guards and bodies (--json lists all)\n' +
            'lock.orbit: 9 mutants: 2 killed, 3 survive, 3 like another one, 1 equivalent (N = 2)\n' +
            '9 mutants, 3 survivors that nothing notices\n',
    );
});

test('an accepted survivor stays accepted if its line moves, and is told again if its text changes', async () => {
    const baseline = await baselineOf(LOCK);
    expect(await mutate(LOCK, baseline)).toMatchObject({ exitCode: 0 });
    expect(await mutate(LOCK.replace('process P', '// moved\n\nprocess P'), baseline)).toMatchObject({ exitCode: 0 });
    const changed = await mutate(LOCK.replace('i <= N', 'N >= i'), baseline, '--quiet');
    expect(changed).toMatchObject({ exitCode: 1 });
    expect(changed.stdout).toMatch(/outside of the baseline/);
    expect(await mutate(LOCK, baseline, '--param', 'N=3')).toMatchObject({ exitCode: 1 });
});

test('an update keeps the words of those that stay, and drops those that are killed', async () => {
    const first = await baselineOf(LOCK);
    const explained = first.replace('"because":""', '"because":"the bound is for readers"');
    expect(await baselineOf(LOCK, explained)).toBe(explained);
    const strict = LOCK.replace('<= N\n', '<= 1\n');
    const left = JSON.parse(await baselineOf(strict, explained)) as { survivors: readonly object[] };
    expect(left.survivors.length).toBeLessThan(
        (JSON.parse(first) as { survivors: readonly object[] }).survivors.length,
    );
});

test('an entry of the baseline for what is killed by now is told', async () => {
    const baseline = await baselineOf(LOCK);
    expect((await mutate(LOCK, baseline)).stdout).not.toMatch(/nothing needs/);
    // At most one is inside: the guard is needed, and so is `taken := true`.
    const strict = LOCK.replace('<= N\n', '<= 1\n');
    expect((await mutate(strict, baseline)).stdout).toMatch(/^nothing needs \d entries of the baseline any more$/m);
});

test('JSON has each mutant with its place and its outcome', async () => {
    const { stdout } = await mutate(LOCK, await baselineOf(LOCK), '--json');
    const { models } = JSON.parse(stdout) as {
        models: readonly { readonly mutants: readonly Record<string, unknown>[] }[];
    };
    expect(models).toMatchObject([{ file: 'lock.orbit', model: 'Lock', params: { N: 2 } }]);
    expect(models[0]?.mutants[0]).toEqual({
        location: { file: 'lock.orbit', line: 7, column: 21, endLine: 7, endColumn: 37 },
        change: 'guard',
        within: 'P enter',
        from: '!taken && i <= N',
        to: '',
        outcome: 'survived',
        effect: 'more',
        states: 3,
        steps: 8,
        because: '',
    });
});

test('what a limit has left is undecided', async () => {
    const endless = LOCK.replace('taken: bool = false', 'taken: bool = false\nvar x: 0 .. 100000000 = 0').replace(
        'leave: taken := false',
        'leave: when x < 3 { x := x + 1; taken := false }',
    );
    const accepted = await baselineOf(`${endless}allow deadlock\n`, undefined, 3);
    const { exitCode, stdout } = await mutate(`${endless}allow deadlock\n`, accepted);
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/undecided/);
});

test('an update keeps what is accepted of mutants that a limit has left', async () => {
    const short = ['--timeout', '0.000001'];
    const explained = (await baselineOf(LOCK)).replaceAll('"because":""', '"because":"meant"');
    const { exitCode, written } = await mutate(LOCK, explained, '--update-baseline', ...short);
    expect(exitCode).toBe(3);
    expect(written.get('survivors.json')).toBe(explained);
    // Without a change of the text there is no mutant that an entry may be of.
    const other = await mutate(LOCK.replace('i <= N', 'N >= i'), explained, '--update-baseline');
    expect(other.written.get('survivors.json')).not.toContain('i <= N');
});

test('a file that is wrong or too large does not discard the others', async () => {
    // The state has 300,000 variables.
    const large = 'model Large var x: bool[1000][300] process P { x[1, 1] := true }';
    const files = { 'bad.orbit': 'model Bad var x: 0 .. y', 'lock.orbit': LOCK, 'large.orbit': large };
    const names = ['bad.orbit', 'missing.orbit', 'lock.orbit'];
    const json = await orbit(['mutate', ...names, '--json'], { files });
    expect(json.exitCode).toBe(2);
    const { models, problems } = JSON.parse(json.stdout) as {
        models: readonly { readonly file: string }[];
        problems: readonly { readonly file: string }[];
    };
    expect(models.map(({ file }) => file)).toEqual(['lock.orbit']);
    expect([...new Set(problems.map(({ file }) => file))]).toEqual(['bad.orbit', 'missing.orbit']);
    const text = await orbit(['mutate', ...names, '--update-baseline', '--baseline', 'survivors.json'], { files });
    expect(text).toMatchObject({
        exitCode: 2,
        stderr: expect.stringMatching(/bad\.orbit[^]*missing\.orbit/) as string,
    });
    expect(text.written.get('survivors.json')).toContain('lock.orbit');
    const limited = await orbit(['mutate', 'large.orbit'], { files });
    expect(limited).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('limit/cells') as string });
});

test('wrong calls and models', async () => {
    const missing = await mutate(LOCK, undefined);
    expect([missing.exitCode, missing.stderr]).toEqual([2, expect.stringContaining('--update')]);
    expect(await mutate(LOCK, '[]')).toMatchObject({ exitCode: 2 });
    expect(await mutate(LOCK, '{"schemaVersion":1,"survivors":[{}]}')).toMatchObject({ exitCode: 2 });
    expect(await orbit(['mutate', 'lock.orbit', '--update-baseline'], { files: { 'lock.orbit': LOCK } })).toMatchObject(
        { exitCode: 2 },
    );
    expect(await mutate('model M var x: 0 .. y', await baselineOf(LOCK))).toMatchObject({ exitCode: 2 });
});
