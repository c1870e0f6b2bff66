/**
 * Compares searches that only expand states with those of the engine, on many random models; `test/expansion` does so on
 * few.
 *
 *     npm run bench expansion -- [--models=600] [--seed=7] [--states=1000]
 *
 * Without `--seed` the models are others on every run. Models with more states than `--states` are left out. Writes a line
 * of JSON for each hundred models with the counts so far. A difference is shown with its model. The exit code is 1 if there
 * are differences.
 */
import * as fc from 'fast-check';
import { models, modelsWithAlikeInvariants } from '../test/arbitrary/models.js';
import { templateModels } from '../test/arbitrary/template-models.js';
import { unevenModels } from '../test/arbitrary/uneven-models.js';
import { compare, compareTemplates, WAYS } from '../test/expansion/compare.js';
import { printModel } from '../test/reference/print.js';
import { freshSeed } from './fresh-seed.js';

function option(name: string, fallback: number): number {
    const given = process.argv.find(argument => argument.startsWith(`--${name}=`));
    return given === undefined ? fallback : Number(given.slice(name.length + 3));
}

const MODELS_OF_A_LINE = 100;
/** One model in so many has templates. */
const TEMPLATES_AMONG = 6;

const seed = option('seed', freshSeed());
const mostStates = option('states', 1000);
const numRuns = option('models', 600);
const plain = fc.sample(fc.oneof(fc.oneof(models(), modelsWithAlikeInvariants()).map(printModel), unevenModels()), {
    seed,
    numRuns,
});
const templates = fc.sample(templateModels(), { seed, numRuns: Math.ceil(numRuns / TEMPLATES_AMONG) });
const counts = { models: 0, compared: 0, reduced: 0, violated: 0, templates: 0, different: 0 };

for (const [number, given] of plain.entries()) {
    const isTemplate = number % TEMPLATES_AMONG === 0;
    const text = isTemplate ? templates[number / TEMPLATES_AMONG]! : given;
    counts.models++;
    try {
        const compared = isTemplate
            ? await compareTemplates(text, mostStates)
            : await compare(text, WAYS[number % WAYS.length]!, mostStates);
        if (compared !== undefined) {
            counts.compared++;
            counts.reduced += compared.order > 1n ? 1 : 0;
            counts.violated += compared.findings.length > 0 ? 1 : 0;
            counts.templates += isTemplate ? 1 : 0;
        }
    } catch (error) {
        counts.different++;
        console.log(JSON.stringify({ number, difference: error instanceof Error ? error.message : String(error) }));
        console.log(text);
        process.exitCode = 1;
    }
    if ((number + 1) % MODELS_OF_A_LINE === 0 || number + 1 === plain.length) {
        console.log(JSON.stringify({ seed, ...counts }));
    }
}
