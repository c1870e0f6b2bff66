/**
 * Before every test file: all random tests draw from one seed, so that the same commit has the same result on every run.
 * `ORBIT_SEED` is another one. What runs with fresh seeds are the programs in `bench`.
 */
import * as fc from 'fast-check';

const seed = Number(process.env['ORBIT_SEED'] ?? 2013);
if (!Number.isInteger(seed)) {
    throw new Error(`ORBIT_SEED must be a whole number, not "${process.env['ORBIT_SEED']!}"`);
}
fc.configureGlobal({ seed });
