/**
 * Compares symmetries that are proved for all values of the parameters with runs for some values, on many random models;
 * `test/family/random-models.test.ts` does so on few.
 *
 *     npx esbuild bench/uniform.ts --bundle --platform=node --format=esm --packages=external --outfile=out/bench/uniform.mjs
 *     node out/bench/uniform.mjs [--models=10000] [--seed=7] [--states=300]
 *
 * Each generator is tried on all states of small models, else on `--states` of them, for three sizes. Writes a line of JSON
 * for each thousand models with the counts so far. A refuted generator is shown with its model; the exit code is then 1.
 */
import { createRandom } from '../engine/common/random.js';
import { uniformModel, UNIFORM_SIZES } from '../test/arbitrary/sort-models.js';
import { checkByRunning, instanceOf } from '../test/family/runs.js';
import { freshSeed } from './fresh-seed.js';

function option(name: string, fallback: number): number {
    const given = process.argv.find(argument => argument.startsWith(`--${name}=`));
    return given === undefined ? fallback : Number(given.slice(name.length + 3));
}

const MODELS_OF_A_LINE = 1000;

const seed = option('seed', freshSeed());
const states = option('states', 300);
const most = option('models', 10_000);
const random = createRandom(seed);
const counts = { models: 0, leftOut: 0, symmetric: 0, generators: 0, refuted: 0 };

while (counts.models < most) {
    const text = uniformModel(random);
    const instances = await Promise.all(UNIFORM_SIZES.map(size => instanceOf(text, size)));
    if (instances.includes(undefined)) {
        counts.leftOut++;
        continue;
    }
    counts.models++;
    let isSymmetric = false;
    for (const [position, instance] of instances.entries()) {
        if (instance === undefined || instance.generators.length === 0) {
            continue;
        }
        isSymmetric = true;
        counts.generators += instance.generators.length;
        const result = checkByRunning(instance, states);
        if (result.kind !== 'agrees') {
            counts.refuted++;
            process.exitCode = 1;
            console.log(JSON.stringify({ model: counts.models, size: UNIFORM_SIZES[position], result: result.kind }));
            console.log(text);
            break;
        }
    }
    counts.symmetric += isSymmetric ? 1 : 0;
    if (counts.models % MODELS_OF_A_LINE === 0 || counts.models === most) {
        console.log(JSON.stringify({ seed, ...counts }));
    }
}
