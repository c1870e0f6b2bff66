/** What is said where time has ended before the symmetries were checked by running the model. */
import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { orbit } from './in-process.js';

vi.mock('../../engine/symmetry/certify.js', async importOriginal => ({
    ...(await importOriginal<typeof import('../../engine/symmetry/certify.js')>()),
    checkGenerators: () => ({ kind: 'stopped' }),
}));

const files = { 'ring.orbit': readFileSync('models/token-ring.orbit') };

test('the group is reported as one that was not checked', async () => {
    const words = ['symmetry', 'ring.orbit', '--param', 'N=3'];
    const { stdout } = await orbit(words, { files });
    expect(stdout).toContain('C6 · 6 symmetries');
    expect(stdout).toContain('not all of it was checked by running the model');
    expect((await orbit([...words, '--quiet'], { files })).stdout).toMatch(/^C6 · 6.* \(not checked\)\n$/);
    const document = await orbit([...words, '--json'], { files });
    expect(JSON.parse(document.stdout)).toMatchObject({ order: '6', verified: false });
});
