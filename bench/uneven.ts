/**
 * Compares explorations of random models with uneven starts with their whole state spaces; `test/uneven-start.test.ts` does
 * so on few.
 *
 *     npx esbuild bench/uneven.ts --bundle --platform=node --format=esm --packages=external --outfile=out/bench/uneven.mjs
 *     node out/bench/uneven.mjs [--models=1000] [--seed=7] [--states=3000]
 *
 * Without `--seed` the models are others on every run. Models with more states than `--states` are left out; the others are
 * explored in the ways of test/agreement/uneven.ts in turn. Writes a line of JSON for each hundred models with the counts so
 * far. A difference is shown with its model. The exit code is 1 if there are differences.
 */
import * as fc from 'fast-check';
import { compareCoverage, compareUneven, UNEVEN_WAYS } from '../test/agreement/uneven.js';
import { unevenModels } from '../test/arbitrary/uneven-models.js';
import { freshSeed } from './fresh-seed.js';

function option(name: string, fallback: number): number {
    const given = process.argv.find(argument => argument.startsWith(`--${name}=`));
    return given === undefined ? fallback : Number(given.slice(name.length + 3));
}

const MODELS_OF_A_LINE = 100;

const seed = option('seed', freshSeed());
const stateLimit = option('states', 3000);
const texts = fc.sample(unevenModels(), { seed, numRuns: option('models', 1000) });
const counts = { models: 0, skipped: 0, moved: 0, movedViolated: 0, states: 0, orbits: 0, different: 0 };

for (const [number, text] of texts.entries()) {
    counts.models++;
    try {
        const compared = await compareUneven(text, stateLimit, UNEVEN_WAYS[number % UNEVEN_WAYS.length]!);
        if (compared.kind === 'skipped') {
            counts.skipped++;
        } else {
            counts.moved += compared.isMoved ? 1 : 0;
            counts.movedViolated += compared.isMoved && compared.violations > 0 ? 1 : 0;
            counts.states += compared.states;
            counts.orbits += compared.orbits;
            if (number % UNEVEN_WAYS.length === 0) {
                await compareCoverage(text, stateLimit);
            }
        }
    } catch (error) {
        counts.different++;
        console.log(JSON.stringify({ number, difference: error instanceof Error ? error.stack : String(error) }));
        console.log(text);
        process.exitCode = 1;
    }
    if ((number + 1) % MODELS_OF_A_LINE === 0 || number + 1 === texts.length) {
        console.log(JSON.stringify({ seed, ...counts }));
    }
}
