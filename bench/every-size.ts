/**
 * Compares what views say of random families of models with the exploration of their instances, as
 * `test/family/agreement.test.ts` does with few.
 *
 *     npx esbuild bench/every-size.ts --bundle --platform=node --format=esm --packages=external --outfile=out/bench/every-size.mjs
 *     node out/bench/every-size.mjs [--models=1000] [--seed=7] [--from=0] [--size=7] [--views=2] [--drop=0]
 *
 * Without `--seed` the models are others on every run; the last line says which. `--size` is the greatest value of N that
 * is explored, `--views` the greatest size of views. With `--hidden` the families are those of arbitrary/hidden-asks.ts,
 * all of them. With `--stateless` they are those of arbitrary/stateless-families.ts, and each proof is checked by its
 * definition, too; those that count to 11 are asked by the command. With `--drop=1` one witness less is kept for each step than the text
 * needs: then there should be differences. Each is shown as the text of its model, and the exit code is 1. With
 * `--instances` the instances of random texts are compared with their check and lowering, problems included, as
 * `test/language/instantiate.test.ts` does with few: `--models` of each kind, up to `--size` above the least values.
 */
import { ASKS, hiddenAsk, PLACES } from '../test/arbitrary/hidden-asks.js';
import { compareFamily, randomOf } from '../test/family/agreement.js';
import { compareHidden } from '../test/family/hidden.js';
import { compareStateless } from '../test/family/stateless.js';
import { freshSeed } from './fresh-seed.js';
import { compareInstances } from '../test/language/instances.js';
import { RANDOM_TEXTS } from '../test/language/random-texts.js';

function option(name: string, fallback: number): number {
    const given = process.argv.find(argument => argument.startsWith(`--${name}=`));
    return given === undefined ? fallback : Number(given.slice(name.length + 3));
}

const seed = option('seed', freshSeed());
const from = option('from', 0);
const drop = option('drop', 0);
const options = {
    mostSize: option('size', 7),
    mostViewSize: option('views', 2),
    mostConfigurations: 4000,
    mutate: <Narrow extends { readonly extra: number }>(narrow: Narrow): Narrow => ({
        ...narrow,
        extra: Math.max(0, narrow.extra - drop),
    }),
};
if (process.argv.includes('--hidden')) {
    await compareAllHidden();
} else if (process.argv.includes('--stateless')) {
    await compareAllStateless();
} else if (process.argv.includes('--instances')) {
    await compareAllInstances();
} else {
    await compareRandom();
}

async function compareAllStateless(): Promise<void> {
    const counts = { models: 0, refused: 0, open: 0, agreed: 0, wrong: 0 };
    for (let index = from; index < from + option('models', 1000); index++) {
        const comparison = await compareStateless(randomOf(seed, index), option('size', 6));
        counts.models++;
        counts[comparison.kind]++;
        if (comparison.kind === 'wrong') {
            console.log(`model ${index}: ${comparison.what}\n${comparison.text}`);
        }
    }
    console.log(JSON.stringify({ seed, from, ...counts }));
    process.exitCode = counts.wrong > 0 ? 1 : 0;
}

async function compareAllInstances(): Promise<void> {
    for (const [kind, textOf] of Object.entries(RANDOM_TEXTS)) {
        const counts = { texts: 0, points: 0, errors: 0, wrong: 0 };
        for (let index = from; index < from + option('models', 1000); index++) {
            const text = textOf(seed, index);
            const { points, errors, differences } = await compareInstances(text, option('size', 5));
            counts.texts++;
            counts.points += points;
            counts.errors += errors;
            if (differences.length > 0) {
                counts.wrong++;
                process.exitCode = 1;
                console.log(`text ${index} of ${kind}: ${differences[0]}\n${text}`);
            }
        }
        console.log(JSON.stringify({ kind, seed, from, ...counts }));
    }
}

async function compareAllHidden(): Promise<void> {
    const counts = { refused: 0, open: 0, agreed: 0, wrong: 0 };
    for (const [name, place] of Object.entries(PLACES)) {
        for (const [ask, condition] of Object.entries(ASKS)) {
            const text = hiddenAsk(condition, place);
            const comparison = await compareHidden(text, 2000);
            counts[comparison]++;
            if (comparison === 'wrong') {
                console.log(`${ask} in ${name} is violated for N = 5:\n${text}`);
            }
        }
    }
    console.log(JSON.stringify(counts));
    process.exitCode = counts.wrong > 0 ? 1 : 0;
}

async function compareRandom(): Promise<void> {
    const counts = { models: 0, refused: 0, open: 0, agreed: 0, wrong: 0 };
    /** By the members of a step: how many agreed. */
    const extras = new Map<number, number>();
    for (let index = from; index < from + option('models', 1000); index++) {
        const comparison = await compareFamily(randomOf(seed, index), options);
        counts.models++;
        counts[comparison.kind]++;
        if (comparison.kind === 'wrong') {
            console.log(`model ${index} is violated for N = ${comparison.size}:\n${comparison.text}`);
        } else if (comparison.kind === 'agreed') {
            extras.set(comparison.extra, (extras.get(comparison.extra) ?? 0) + 1);
        }
    }
    console.log(JSON.stringify({ seed, from, ...counts, extras: Object.fromEntries([...extras].sort()) }));
    process.exitCode = counts.wrong > 0 ? 1 : 0;
}
