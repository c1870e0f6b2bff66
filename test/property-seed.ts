/** Before each file of tests: random tests draw from one seed, `ORBIT_SEED` if given; `bench` uses fresh ones. */
import * as fc from 'fast-check';

const seed = Number(process.env['ORBIT_SEED'] ?? 2013);
if (!Number.isInteger(seed)) {
    throw new Error(`ORBIT_SEED must be a whole number, not "${process.env['ORBIT_SEED']!}"`);
}
fc.configureGlobal({ seed });
