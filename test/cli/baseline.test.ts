/** Symmetry baselines: a group that shrank is a failure with the places to blame, and everything else is quiet. */
import { describe, expect, test } from 'vitest';
import { orbit, type Outcome } from './in-process.js';

/** Four workers that are interchangeable: S4, by its declarations. */
const LOCK = `model Lock
param N: 2 .. 9 = 4
type Id = 1 .. N
var taken: bool = false
process Worker[i: Id] {
    loop { look: when !taken; enter: taken := true; leave: taken := false }
}
`;
const BROKEN = LOCK.replace('!taken', '!taken && i != 2');
const CALL = ['check', 'models/lock.orbit', '--symmetry-baseline', 'ci/base.json'];

async function check(text: string, baseline: string | undefined, ...words: string[]): Promise<Outcome> {
    const files = { 'models/lock.orbit': text, ...(baseline !== undefined && { 'ci/base.json': baseline }) };
    return orbit([...CALL, ...words], { files });
}

async function baselineOf(text: string, old?: string, ...words: string[]): Promise<string> {
    const { exitCode, written } = await check(text, old, '--update-baseline', ...words);
    expect(exitCode).toBe(0);
    return written.get('ci/base.json') ?? '';
}

test('a baseline has a line for each group, and names models from its own folder', async () => {
    expect(await baselineOf(LOCK)).toBe(`{
  "schemaVersion": 1,
  "models": [
    {
      "file": "../models/lock.orbit",
      "params": {"N":4},
      "order": "24",
      "structure": "S4",
      "families": {
        "Worker": {"order":"24","structure":"S4"}
      },
      "types": {}
    }
  ]
}
`);
});

test('an update keeps what is about other models and parameters, and does not depend on the order of calls', async () => {
    const [four, five] = [await baselineOf(LOCK), await baselineOf(LOCK, undefined, '--param', 'N=5')];
    const both = await baselineOf(LOCK, four, '--param', 'N=5');
    expect(both).toBe(await baselineOf(LOCK, five));
    expect((JSON.parse(both) as { models: object[] }).models).toMatchObject([{ order: '24' }, { order: '120' }]);
    expect(await check(LOCK, both, '--param', 'N=5')).toMatchObject({ exitCode: 0 });
});

describe('compared with its baseline', () => {
    test('a model with the same symmetries is quiet', async () => {
        expect(await check(LOCK, await baselineOf(LOCK))).toMatchObject({
            exitCode: 0,
            stdout: 'models/lock.orbit: no problems\n',
            stderr: '',
        });
    });

    test('a group that shrank ends the call with 1, at the place that breaks it', async () => {
        const { exitCode, stdout, written } = await check(BROKEN, await baselineOf(LOCK));
        expect(exitCode).toBe(1);
        expect(stdout).toContain(
            'models/lock.orbit:6:33: error: the symmetries of the instances of `Worker` shrank from S4 (24) to S3 (6): ' +
                '`i != 2` breaks the symmetry of `Id`',
        );
        expect([...written]).toEqual([]);
    });

    test('it is one test of a build server, and one result of code scanning', async () => {
        const base = await baselineOf(LOCK);
        const junit = await check(BROKEN, base, '--format', 'junit');
        expect(junit.stdout).toContain('<testcase name="is a model" classname="models/lock.orbit"/>');
        expect(junit.stdout).toMatch(/<testcase name="is as symmetric as the baseline"[^>]*line="6">\s*<failure /);
        const sarif = await check(BROKEN, base, '--format', 'sarif');
        expect(JSON.parse(sarif.stdout)).toMatchObject({
            runs: [{ results: [{ ruleId: 'symmetry/shrunk', level: 'error' }] }],
        });
        expect([junit.exitCode, sarif.exitCode]).toEqual([1, 1]);
    });

    test('a group that grew is only said, and --quiet does not say it', async () => {
        const base = await baselineOf(BROKEN);
        const { exitCode, stdout } = await check(LOCK, base);
        expect(exitCode).toBe(0);
        expect(stdout).toContain('it has S4 (24) now, and S3 (6) in the baseline: --update-baseline records it');
        expect(await check(LOCK, base, '--quiet')).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    });

    test('values of a type that are no longer interchangeable count, too', async () => {
        const colors = `model Box
enum Color = { red, green, blue }
var box: Color = any
process P { loop { choose c in Color { paint: box := c } } }
`;
        const base = await baselineOf(colors);
        expect(base).toContain('"Color": {"order":"6","structure":"S3"}');
        const { exitCode, stdout } = await check(colors.replace('= any', '= red'), base);
        expect(exitCode).toBe(1);
        expect(stdout).toContain('the symmetries of the values of `Color` shrank from S3 (6) to ');
    });

    test('a declaration that is gone leaves the group as a whole to compare', async () => {
        const { exitCode, stdout } = await check(LOCK.replaceAll('Worker', 'Client'), await baselineOf(LOCK));
        expect([exitCode, stdout]).toEqual([0, expect.stringContaining('its parts have changed')]);
        const smaller = BROKEN.replaceAll('Worker', 'Client');
        expect((await check(smaller, await baselineOf(LOCK))).stdout).toContain(
            'the symmetries of the model shrank from S4 (24) to S3 (6)',
        );
    });
});

describe('there is no verdict, but an error and 2,', () => {
    test.each([
        [
            'without the file',
            undefined,
            [],
            "cannot read 'ci/base.json': there is no such file; --update-baseline writes",
        ],
        ['for a file that is no JSON', '{', [], "'ci/base.json' is no symmetry baseline: it is not JSON"],
        ['for a list', '[]', [], "it has no list of 'models'"],
        [
            'for a later version',
            '{"schemaVersion":2,"models":[]}',
            [],
            'its version is 2, and this Orbit reads version 1',
        ],
        [
            'for a part that is wrong',
            '{"schemaVersion":1,"models":[{"file":"a"}]}',
            [],
            'a part of models[0] is missing',
        ],
        [
            'without the model',
            '{"schemaVersion":1,"models":[]}',
            [],
            'the baseline does not have this model; --update-',
        ],
    ] as const)('%s', async (_, baseline, words, message) => {
        const outcome = await check(LOCK, baseline, ...words);
        expect(outcome.exitCode).toBe(2);
        expect(outcome.stdout + outcome.stderr).toContain(message);
    });

    test('for other parameters', async () => {
        const { exitCode, stdout } = await check(LOCK, await baselineOf(LOCK), '--param', 'N=5');
        expect(exitCode).toBe(2);
        expect(stdout).toContain('the baseline has this model with N = 4, and not with N = 5');
    });

    test('for a model with errors, which is not written either', async () => {
        const outcome = await check(LOCK.replace('true', 'maybe'), undefined, '--update-baseline');
        expect(outcome.exitCode).toBe(2);
        expect([...outcome.written]).toEqual([]);
    });

    test('for standard input, which has no name, and for an update of nothing', async () => {
        const input = await orbit(['check', '-', '--symmetry-baseline', 'b.json'], { standardInput: LOCK });
        expect(input).toMatchObject({ exitCode: 2 });
        expect(input.stderr).toContain('standard input has no name');
        const nothing = await orbit(['check', 'm.orbit', '--update-baseline']);
        expect(nothing.stderr).toContain("'--update-baseline' needs '--symmetry-baseline <file>'");
    });

    test('for a baseline that would replace a model', async () => {
        const outcome = await orbit(['check', 'a.orbit', '--symmetry-baseline', 'b.orbit', '--update-baseline'], {
            files: { 'a.orbit': LOCK },
        });
        expect(outcome).toMatchObject({ exitCode: 2 });
        expect(outcome.stderr).toContain('that is the name of a model');
    });
});
