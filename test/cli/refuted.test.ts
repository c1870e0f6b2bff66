/** What is said if the model refutes the symmetries found. No known model does, so the check is told to fail. */
// @module-tag long
import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { orbit } from './in-process.js';

vi.mock('../../engine/symmetry/certify.js', async importOriginal => ({
    ...(await importOriginal<typeof import('../../engine/symmetry/certify.js')>()),
    checkGenerators: () => ({ kind: 'refuted' }),
}));

const files = { 'ring.orbit': readFileSync('models/token-ring.orbit') };
const DEFECT = 'symmetries were found that this model does not have, as running it shows; this is a defect of Orbit';

test('no group is reported, it is called a defect of ours, and the exit code is 70', async () => {
    const outcome = await orbit(['symmetry', 'ring.orbit'], { files });
    expect(outcome.exitCode).toBe(70);
    expect(outcome.stdout).toContain(DEFECT);
    expect(outcome.stdout).not.toMatch(/time limit|C10|Generators|Broken/);
    expect(await orbit(['symmetry', 'ring.orbit', '--quiet'], { files })).toMatchObject({
        exitCode: 70,
        stdout: expect.stringContaining(DEFECT) as string,
    });
});

test('the document says so', async () => {
    const { exitCode, stdout } = await orbit(['symmetry', 'ring.orbit', '--json'], { files });
    expect(exitCode).toBe(70);
    expect(JSON.parse(stdout)).toMatchObject({ order: '1', generators: [], verified: false, refuted: true });
});

test('a reduced exploration stores all states, and says why', async () => {
    const words = ['explore', 'ring.orbit', '--param', 'N=3', '--reduction', 'unique', '--json'];
    const { exitCode, stdout, stderr } = await orbit(words, { files });
    expect(exitCode).toBe(0);
    expect(stderr).toContain(DEFECT);
    // All 8^3 states are initial.
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'holds', states: 512, reduction: { order: '1' } });
});

test('nothing of it is left to verify', async () => {
    expect(await orbit(['verify', 'ring.orbit'], { files })).toMatchObject({ exitCode: 70 });
});
