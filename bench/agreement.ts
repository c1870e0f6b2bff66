/**
 * Compares the product with the reference implementation on many random models; `test/agreement/random-models.test.ts` does so on few.
 *
 *     npx esbuild bench/agreement.ts --bundle --platform=node --format=esm --packages=external --outfile=out/bench/agreement.mjs
 *     node out/bench/agreement.mjs [--models=2000] [--seed=7] [--from=0] [--limit=200] [--passes] [--ways[=4]]
 *         [--alike | --texts=sets]
 *
 * Without `--seed` the models are others on every run; the last line says which. `--from` passes over so many of the
 * models first, so that a long run can be done in pieces. `--limit` is the number of states beyond which a model is passed
 * over; with `--passes` every choice of passes is tried for every property; with `--alike` all models have invariants that
 * say the same of several processes; with `--texts` they are texts with one kind of data (test/arbitrary/data-texts.ts).
 * Each model is explored in some of the ways of test/agreement/ways.ts, taken in turn,
 * or with `--ways` alone in all of them. Each kind of difference is shrunk once and shown as the text of a model; the last
 * lines are JSON: how often each way was taken, how often with two threads, in pieces, and with fingerprints, and the
 * numbers of models. The exit code is 1 where there are differences.
 */
import * as fc from 'fast-check';
import { compare, type Comparison } from '../test/agreement/compare.js';
import { threadPool } from '../test/agreement/thread-pool.js';
import { nameOf, WAYS, type Way } from '../test/agreement/ways.js';
import { DATA_TEXTS } from '../test/arbitrary/data-texts.js';
import { models, modelsWithAlikeInvariants } from '../test/arbitrary/models.js';
import { shrinkModel } from '../test/arbitrary/shrink-model.js';
import { printModel } from '../test/reference/print.js';
import type { Model } from '../test/reference/syntax.js';
import { freshSeed } from './fresh-seed.js';

const MILLISECONDS_TO_SHRINK = 30_000;

function option(name: string, fallback: number): number {
    const given = process.argv.find(argument => argument.startsWith(`--${name}=`));
    return given === undefined ? fallback : Number(given.slice(name.length + 3));
}

const seed = option('seed', freshSeed());
const from = option('from', 0);
const waysAtOnce = process.argv.includes('--ways') ? WAYS.length : option('ways', 4);
const passes = process.argv.includes('--passes') ? 'all' : 'some';
const data = DATA_TEXTS.find(({ kind }) => process.argv.includes(`--texts=${kind}`));
const arbitrary: fc.Arbitrary<Model | string> =
    data?.texts ?? (process.argv.includes('--alike') ? modelsWithAlikeInvariants() : models());
const accepted: readonly string[] = ['event/race', ...(data?.accepted ?? [])];
const workers = threadPool(2);
const limit = option('limit', 200);
const counts = {
    models: 0,
    agreed: 0,
    passedOver: 0,
    symmetric: 0,
    reduced: 0,
    violated: 0,
    alike: 0,
    alikeViolated: 0,
    states: 0,
    different: 0,
};
const kinds = new Map<string, number>();
const taken = new Map(WAYS.map(way => [nameOf(way), { models: 0, twoThreads: 0, pieces: 0, fingerprints: 0 }]));

/** What a difference is about: names and numbers in a message change from model to model. */
function kindOf(error: Error): string {
    return `${error.name} ${error.message.split(/[\d'`\n]/)[0]!}`;
}

/** The difference on a text, or the comparison that found none. */
async function differenceOn(text: string, ways: readonly Way[]): Promise<Comparison | Error> {
    try {
        const comparison = await compare(text, limit, { passes, ways, workers });
        if (comparison.kind === 'rejected' && comparison.problems.some(({ code }) => !accepted.includes(code))) {
            const [problem] = comparison.problems;
            return new Error(`rejected with ${problem?.code ?? 'nothing'}: ${problem?.message ?? ''}`);
        }
        return comparison;
    } catch (error) {
        return error as Error;
    }
}

/** The smallest model with the same kind of difference that is found in time. */
async function shrink(model: Model, kind: string, ways: readonly Way[]): Promise<Model> {
    const end = performance.now() + MILLISECONDS_TO_SHRINK;
    for (const smaller of shrinkModel(model)) {
        if (performance.now() > end) {
            break;
        }
        const difference = await differenceOn(printModel(smaller), ways);
        if (difference instanceof Error && kindOf(difference) === kind) {
            return shrink(smaller, kind, ways);
        }
    }
    return model;
}

async function main(): Promise<void> {
    for (const model of fc.sample(arbitrary, { seed, numRuns: from + option('models', 2000) }).slice(from)) {
        const text = typeof model === 'string' ? model : printModel(model);
        const first = (from + counts.models++) * waysAtOnce;
        const ways = Array.from({ length: waysAtOnce }, (_, index) => WAYS[(first + index) % WAYS.length]!);
        const found = await differenceOn(text, ways);
        if (found instanceof Error) {
            counts.different++;
            const kind = kindOf(found);
            kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
            if (kinds.get(kind) === 1) {
                console.log(`${found.message}\n\n${text}\n`);
                if (typeof model === 'string') {
                    continue;
                }
                const smallest = printModel(await shrink(model, kind, ways));
                const said = await differenceOn(smallest, ways);
                console.log(`${said instanceof Error ? said.message : 'This shows it no longer:'}\n\n${smallest}`);
            }
        } else if (found.kind === 'agreed') {
            counts.agreed++;
            counts.states += found.states;
            counts.symmetric += found.exploredOrder > 1n ? 1 : 0;
            counts.reduced += found.orbits < found.states ? 1 : 0;
            counts.alike += found.alike.length > 0 ? 1 : 0;
            counts.alikeViolated += found.alike.flat().some(name => found.violations.has(`invariant ${name}`)) ? 1 : 0;
            counts.violated += found.violations.size > 0 ? 1 : 0;
            for (const { way, threads, pieces, hasFingerprints } of found.ways) {
                const count = taken.get(nameOf(way))!;
                count.models++;
                count.twoThreads += threads === 2 ? 1 : 0;
                count.pieces += pieces > 1 ? 1 : 0;
                count.fingerprints += hasFingerprints ? 1 : 0;
            }
        } else {
            counts.passedOver++;
        }
    }
    for (const [way, count] of taken) {
        console.log(JSON.stringify({ way, ...count }));
    }
    console.log(JSON.stringify({ seed, from, limit, waysAtOnce, ...counts, kinds: Object.fromEntries(kinds) }));
    process.exitCode = counts.different > 0 ? 1 : 0;
}

await main();
