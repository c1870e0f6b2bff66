/** `orbit tests`: what is written, the forms of it, limits and wrong calls. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { TestsDocument } from '../../language-server/document-schema.js';
import { orbit } from './in-process.js';

const PETERSON = readFileSync('models/peterson.orbit', 'utf8');
const FILES = { 'm.orbit': PETERSON };
const SMALL = `model Small
type Id = 1 .. 2
var turn: Id in Id
process P[i: Id] { go: when turn == i }
`;

describe('tests of a model', () => {
    test('are told, with their start if there are several', async () => {
        const { stdout, exitCode } = await orbit(['tests', 'm.orbit', '--members', '2'], {
            files: { 'm.orbit': SMALL },
        });
        expect(exitCode).toBe(0);
        expect(stdout).toBe(
            'Small\n\ntest 1\n  from turn = 1, P[1].at = go, P[2].at = go\n   1  P[1] go\n\n' +
                'test 1.2\n  from turn = 2, P[1].at = go, P[2].at = go\n   1  P[2] go\n\n' +
                '2 tests, 2 steps: all 1 orbit of transitions\n',
        );
    });

    test('are data', async () => {
        for (const form of [['--json'], ['--as', 'json']]) {
            const { stdout } = await orbit(['tests', 'm.orbit', ...form, '--cover', 'steps'], { files: FILES });
            const document = JSON.parse(stdout) as TestsDocument;
            expect(document).toMatchObject({ model: 'Peterson', params: { N: 3 }, cover: 'steps', symmetries: '6' });
            expect(document.tests).toHaveLength(1);
            expect(document.tests[0]?.steps[0]).toEqual({
                process: 'P[1]',
                label: 'setFlag',
                changed: ['flag[1]', 'P[1].at'],
                values: { 'flag[1]': 1, 'P[1].at': 'setTurn' },
            });
            expect(document.covered).toBe(new Set(document.tests[0]?.covers).size);
            expect(document.transitionOrbits).toBe(228);
        }
    });

    test('are scripts that a simulation follows', async () => {
        const words = ['tests', 'm.orbit', '--as', 'scripts'];
        const { written } = await orbit([...words, '--output', 'scripts'], { files: FILES });
        expect(written.size).toBeLessThanOrEqual(35);
        const script = written.get('scripts/test-7.script') ?? '';
        const { exitCode } = await orbit(['simulate', 'm.orbit', '--script', 's'], { files: { ...FILES, s: script } });
        expect(exitCode).toBe(0);
        const { stdout } = await orbit(words, { files: FILES });
        expect(stdout).toBe([...written.values()].join(''));
    });

    test('are those of a part of the model at a limit', async () => {
        const { stdout, exitCode } = await orbit(['tests', 'm.orbit', '--max-states', '20', '--json'], {
            files: FILES,
        });
        expect(exitCode).toBe(3);
        expect(JSON.parse(stdout)).toMatchObject({ limit: 'states' });
        const said = await orbit(['tests', 'm.orbit', '--max-states', '20', '--quiet'], { files: FILES });
        expect(said.stdout).toContain('undecided: the limit of states was reached, and other tests are missing');
        const endless =
            'model M\nvar on: bool = false\nprocess H() { go: when on }\nprocess P { loop { new: spawn H() } }\n';
        const spawned = await orbit(['tests', 'm.orbit', '--json'], { files: { 'm.orbit': endless } });
        expect([spawned.exitCode, (JSON.parse(spawned.stdout) as TestsDocument).limit]).toEqual([3, 'instances']);
    });

    test('of a deep model are long, and end where they would have too many steps', async () => {
        const counter = (other: string): string =>
            'model M\nvar n: 0 .. 2000 = 0\n' +
            `process P { loop { choose { up: when n < 2000 { n := n + 1 } } or { when n > 0 { ${other} } } } }\n`;
        const call = ['tests', 'm.orbit', '--quiet'];
        // Up and down again is one run of 4,000 transitions.
        const down = await orbit(call, { files: { 'm.orbit': counter('n := n - 1') } });
        expect(down.stdout).toBe('1 test, 4,000 steps: all 4,000 orbits of transitions\n');
        // From each of the 2,000 numbers back to 0: 2 + 3 + … + 2,001 steps are more than a million.
        const back = await orbit(call, { files: { 'm.orbit': counter('n := 0') } });
        expect(back.exitCode).toBe(3);
        expect(back.stdout).toContain('undecided: tests have a million steps at most, and other tests are missing');
    });

    test('of numbers without end are refused', async () => {
        const endless = 'model M\nvar n: nat = 0\nprocess P { loop { up: n := n + 1 } }\n';
        const { stderr, exitCode } = await orbit(['tests', 'm.orbit'], { files: { 'm.orbit': endless } });
        expect([exitCode, stderr.includes('[tests/numbers]')]).toEqual([2, true]);
    });

    test('without a start are an error, and so are options that do not go together', async () => {
        const none = await orbit(['tests', 'm.orbit'], {
            files: { 'm.orbit': 'model M\nvar x: 0 .. 1\ninit x > 1\nprocess P { go: skip }\n' },
        });
        expect(none.exitCode).toBe(2);
        for (const words of [
            ['--output', 'x'],
            ['--json', '--as', 'scripts'],
            ['--with', 'true', '--as', 'scripts'],
            ['--cover', 'states'],
            ['--members', '0'],
        ]) {
            const { exitCode, stderr } = await orbit(['tests', 'm.orbit', ...words], { files: FILES });
            expect([exitCode, stderr.startsWith('orbit: ') || words.includes('--json')]).toEqual([2, true]);
        }
    });
});
