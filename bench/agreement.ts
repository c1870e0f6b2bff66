/**
 * Compares the product with the reference implementation on many random models; `test/agreement.test.ts` does so on few.
 *
 *     npx esbuild bench/agreement.ts --bundle --platform=node --format=esm --packages=external --outfile=out/bench/agreement.mjs
 *     node out/bench/agreement.mjs [--models=2000] [--seed=1] [--limit=200] [--passes] [--threads=1]
 *
 * `--limit` is the number of states beyond which a model is passed over; with `--passes` every choice of passes is tried for
 * every property; with `--threads` explorations in several memories are done by so many threads, which takes half a second
 * for each model. Each kind of difference is shrunk once and shown as the text of a model; the last line is JSON with the
 * numbers of models. The exit code is 1 where there are differences.
 */
import * as fc from 'fast-check';
import { fileURLToPath } from 'node:url';
import { runSearchThread, searchThreads } from '../language-server/analysis/search-threads.js';
import { compare, type Comparison } from '../test/agreement/compare.js';
import { models } from '../test/arbitrary/models.js';
import { shrinkModel } from '../test/arbitrary/shrink-model.js';
import { printModel } from '../test/reference/print.js';
import type { Model } from '../test/reference/syntax.js';

const MILLISECONDS_TO_SHRINK = 30_000;

function option(name: string, fallback: number): number {
    const given = process.argv.find(argument => argument.startsWith(`--${name}=`));
    return given === undefined ? fallback : Number(given.slice(name.length + 3));
}

const seed = option('seed', 1);
const limit = option('limit', 200);
const counts = { models: 0, agreed: 0, passedOver: 0, symmetric: 0, reduced: 0, violated: 0, states: 0, different: 0 };
const kinds = new Map<string, number>();

/** What a difference is about: names and numbers in a message change from model to model. */
function kindOf(error: Error): string {
    return `${error.name} ${error.message.split(/[\d'`\n]/)[0]!}`;
}

/** The difference on a text, or the comparison that found none. */
async function differenceOn(text: string): Promise<Comparison | Error> {
    try {
        const passes = process.argv.includes('--passes') ? 'all' : 'some';
        const workers = searchThreads(fileURLToPath(import.meta.url), option('threads', 1));
        const comparison = await compare(text, limit, {}, passes, workers);
        if (comparison.kind === 'rejected' && comparison.problems.some(({ code }) => code !== 'event/race')) {
            const [problem] = comparison.problems;
            return new Error(`rejected with ${problem?.code ?? 'nothing'}: ${problem?.message ?? ''}`);
        }
        return comparison;
    } catch (error) {
        return error as Error;
    }
}

/** The smallest model with the same kind of difference that is found in time. */
async function shrink(model: Model, kind: string): Promise<Model> {
    const end = performance.now() + MILLISECONDS_TO_SHRINK;
    for (const smaller of shrinkModel(model)) {
        if (performance.now() > end) {
            break;
        }
        const difference = await differenceOn(printModel(smaller));
        if (difference instanceof Error && kindOf(difference) === kind) {
            return shrink(smaller, kind);
        }
    }
    return model;
}

async function main(): Promise<void> {
    for (const model of fc.sample(models(), { seed, numRuns: option('models', 2000) })) {
        counts.models++;
        const found = await differenceOn(printModel(model));
        if (found instanceof Error) {
            counts.different++;
            const kind = kindOf(found);
            kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
            if (kinds.get(kind) === 1) {
                const smallest = printModel(await shrink(model, kind));
                const said = await differenceOn(smallest);
                console.log(`${said instanceof Error ? said.message : kind}\n\n${smallest}`);
            }
        } else if (found.kind === 'agreed') {
            counts.agreed++;
            counts.states += found.states;
            counts.symmetric += found.exploredOrder > 1n ? 1 : 0;
            counts.reduced += found.orbits < found.states ? 1 : 0;
            counts.violated += found.violations.size > 0 ? 1 : 0;
        } else {
            counts.passedOver++;
        }
    }
    console.log(JSON.stringify({ seed, limit, ...counts, kinds: Object.fromEntries(kinds) }));
    process.exitCode = counts.different > 0 ? 1 : 0;
}

if (!runSearchThread()) {
    await main();
}
