/**
 * Compares models whose instances are created with the reference, in which no name is used twice, on many random models;
 * `test/dynamic/agreement.test.ts` does so on few.
 *
 *     npx esbuild bench/dynamic.ts --bundle --platform=node --format=esm --packages=external --outfile=out/bench/dynamic.mjs
 *     node out/bench/dynamic.mjs [--models=2000] [--seed=7] [--classes=150] [--faulty=1]
 *
 * Without `--seed` the models are others on every run. Models with more classes than `--classes` are left out; the others
 * are searched with and without reduction, interpreted and compiled in turn. Writes a line of JSON for each hundred models
 * with the counts so far. With `--faulty` the models are about faults in heads and in quantifiers. A difference is shown with its model. The exit code is 1 if there are differences.
 */
import fc from 'fast-check';
import { faultyTemplates } from '../test/arbitrary/faulty-templates.js';
import { templateModels } from '../test/arbitrary/template-models.js';
import { compare, WAYS } from '../test/dynamic/agreement.js';
import { freshSeed } from './fresh-seed.js';

function option(name: string, fallback: number): number {
    const given = process.argv.find(argument => argument.startsWith(`--${name}=`));
    return given === undefined ? fallback : Number(given.slice(name.length + 3));
}

const MODELS_OF_A_LINE = 100;

const seed = option('seed', freshSeed());
const classLimit = option('classes', 150);
const models = option('faulty', 0) === 1 ? faultyTemplates() : templateModels();
const texts = fc.sample(models, { seed, numRuns: option('models', 2000) });
const counts = {
    models: 0,
    agreed: 0,
    leftOut: 0,
    rejected: 0,
    reduced: 0,
    classes: 0,
    faulty: 0,
    deadlocked: 0,
    violated: 0,
    heldAfterEnd: 0,
    different: 0,
};

for (const [number, text] of texts.entries()) {
    counts.models++;
    try {
        const comparison = await compare(text, classLimit, WAYS[number % WAYS.length]!);
        if (comparison.kind !== 'agreed') {
            counts.leftOut++;
            counts.rejected += comparison.kind === 'rejected' ? 1 : 0;
        } else {
            const { classes, faults, deadlocks, violatedInvariants, heldAfterEnd } = comparison.reference;
            counts.agreed++;
            counts.reduced += comparison.report.reduction === undefined ? 0 : 1;
            counts.classes += classes;
            counts.faulty += faults.length > 0 ? 1 : 0;
            counts.deadlocked += deadlocks > 0 ? 1 : 0;
            counts.violated += violatedInvariants.length > 0 ? 1 : 0;
            counts.heldAfterEnd += heldAfterEnd > 0 ? 1 : 0;
        }
    } catch (error) {
        counts.different++;
        console.log(JSON.stringify({ number, difference: error instanceof Error ? error.message : String(error) }));
        console.log(text);
        process.exitCode = 1;
    }
    if ((number + 1) % MODELS_OF_A_LINE === 0 || number + 1 === texts.length) {
        console.log(JSON.stringify({ seed, ...counts }));
    }
}
