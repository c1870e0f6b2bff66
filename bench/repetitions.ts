/**
 * All cases of the random tests with fresh seeds; `npm test` runs a few of each, from one seed.
 *
 *     npm run bench repetitions [rounds]
 *
 * A line of JSON for each seed, and the output of the tests that fail. Some tests assert how often something occurs among
 * what they draw; with another seed such a count may be missed by a little.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { freshSeed } from './fresh-seed.js';
import { benchOptions, ROOT } from './measure.js';

let failed = 0;
for (let round = 0; round < benchOptions(process.argv.slice(2)).rounds; round++) {
    const seed = freshSeed();
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    const { status, stdout } = spawnSync(process.execPath, [vitest, 'run', '--reporter=dot'], {
        cwd: ROOT,
        env: { ...process.env, ORBIT_SEED: String(seed), ORBIT_CASES: 'all' },
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
    });
    process.stdout.write(`${JSON.stringify({ seed, passed: status === 0 })}\n${status === 0 ? '' : stdout}`);
    failed += status === 0 ? 0 : 1;
}
process.exitCode = failed > 0 ? 1 : 0;
