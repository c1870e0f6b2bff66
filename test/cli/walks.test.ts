/** `simulate --runs`: many random walks, and how much of what further ones meet would be new. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { createRandom } from '../../engine/common/random.js';
import { walkManyTimes } from '../../engine/verdict/walks.js';
import { orbit } from './in-process.js';
import { analysisOf } from '../model-of-text.js';

test.each(['raft-election', 'two-phase-commit'])('of %s the next run meets about as much as is said', async name => {
    const analysis = await analysisOf(readFileSync(`models/${name}.orbit`, 'utf8'));
    const { model, sequential, symmetry } = analysis;
    invariant(sequential !== undefined, 'the model has no errors');
    let [said, met, alone, withNew] = [0, 0, 0, 0];
    const seeds = 60;
    for (let seed = 1; seed <= seeds; seed++) {
        const walksOf = (runs: number): { orbits: number; newExpected: number; runsWithNew: number } => {
            const options = { createRandom: () => createRandom(seed * 7919), runs, steps: 40, isOver: () => false };
            const walks = walkManyTimes(model, sequential, symmetry, options);
            expect(walks).toMatchObject({ isUpToSymmetry: true, runs });
            return walks as Exclude<typeof walks, { code: string }>;
        };
        const [before, after] = [walksOf(25), walksOf(26)];
        said += before.newExpected / seeds;
        alone += before.runsWithNew / seeds;
        met += (after.orbits - before.orbits) / seeds;
        withNew += (after.orbits > before.orbits ? 1 : 0) / seeds;
    }
    // The estimate scatters: the mean over the seeds is within half of the truth.
    expect(said / met).toBeGreaterThan(0.67);
    expect(said / met).toBeLessThan(1.5);
    expect(Math.abs(alone - withNew)).toBeLessThan(0.25);
});

test('a violation is counted and the walks go on', async () => {
    const m = readFileSync('models/dining-philosophers.orbit', 'utf8');
    const words = ['simulate', 'm', '--runs', '30', '--seed', '4'];
    const { stdout, exitCode } = await orbit(words, { files: { m } });
    expect([exitCode, stdout]).toEqual([
        1,
        expect.stringMatching(/orbits in 30 runs; .*\n.*\n\ndeadlock in \d+ runs, the shortest/),
    ]);
    const { stdout: json } = await orbit([...words, '--json'], { files: { m } });
    expect(JSON.parse(json)).toMatchObject({
        seed: 4,
        walks: { runs: 30, isUpToSymmetry: true },
        violations: [{ kind: 'deadlock', trace: expect.any(Array) as unknown }],
    });
});

test('a violation that the text expects is no failure, and hides no other one', async () => {
    const m =
        'var x: 0 .. 9 = 0\nprocess P { loop { choose { up: x := x + 1 } or { two: { x := 0; assert false } } } }\n' +
        'invariant low = x < 9\nexpect violated faults\n';
    const words = ['simulate', 'm', '--runs', '40', '--quiet', '--steps'];
    expect(await orbit([...words, '3'], { files: { m } })).toMatchObject({
        exitCode: 0,
        stdout: expect.stringMatching(/^violated, as expected: fault assert; /) as string,
    });
    const one = m.replace('low = x < 9', 'low = x < 1');
    expect(await orbit([...words, '3'], { files: { m: one } })).toMatchObject({
        exitCode: 1,
        stdout: expect.stringMatching(/^violated: invariant low; violated, as expected: fault assert; /) as string,
    });
});

test('two assertions are two violations', async () => {
    const m =
        'var x: 0 .. 9 = 0\nprocess P { loop { choose { up: { x := x + 1; assert x < 3 } } or { two: { x := 0; assert false } } } }\n';
    const { stdout } = await orbit(['simulate', 'm', '--runs', '40', '--json'], { files: { m } });
    expect((JSON.parse(stdout) as { violations: object[] }).violations).toHaveLength(2);
});

test('models that create processes or count without end are counted by states', async () => {
    const files = {
        m: 'var x: nat = 0\nprocess P { loop { up: x := x + 1 } }\n',
        s: readFileSync('models/sessions.orbit', 'utf8'),
    };
    const endless = await orbit(['simulate', 'm', '--runs', '5', '--steps', '10'], { files });
    // Each walk is the same: 0 to 10.
    expect(endless.stdout).toContain('11 states in 5 runs; the next run is expected to meet 0.00 new ones, about 0 %');
    const created = await orbit(['simulate', 's', '--runs', '20', '--quiet'], { files });
    expect([created.exitCode, created.stdout]).toEqual([0, expect.stringMatching(/^\d+ states in 20 runs; .*\n$/)]);
});

test('the time may be over before the last walk', async () => {
    const m = readFileSync('models/peterson.orbit', 'utf8');
    const words = ['simulate', 'm', '--runs', '100000000', '--timeout', '2'];
    const { stdout, exitCode } = await orbit(words, { files: { m } });
    expect([exitCode, stdout]).toEqual([3, expect.stringContaining('the time limit of 2.0 s was reached')]);
});
