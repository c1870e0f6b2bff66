/**
 * Compares all searches for violations of temporal properties with the definition, on many small random systems;
 * `test/temporal/random-systems.test.ts` does so on few, with two of the searches for each.
 *
 *     npx esbuild bench/temporal.ts --bundle --platform=node --format=esm --packages=external --outfile=out/bench/temporal.mjs
 *     node out/bench/temporal.mjs [--systems=3000] [--seed=7] [--from=0] [--about=possible]
 *
 * Without `--seed` the systems are others on every run; system k of a seed is that of the number seed + k, and `--from`
 * passes over so many first. With `--about=possible` all ask for what is possible in alternatives `eventually always`.
 * Writes a line of JSON for each hundred systems, with the counts so far: systems by what acts
 * on them, members of properties, how many of them are violated and how many hold, and lassos that were checked. A
 * difference is shown with its system. The exit code is 1 if there are differences.
 */
import { printSequentialModel } from '../engine/sequential/print.js';
import { possibleSystemOf, temporalSystemOf } from '../test/arbitrary/temporal-systems.js';
import { compare } from '../test/temporal/agreement.js';
import { OBLIGED, SEARCHES } from '../test/temporal/searches.js';
import { freshSeed } from './fresh-seed.js';

function option(name: string, fallback: number): number {
    const given = process.argv.find(argument => argument.startsWith(`--${name}=`));
    return given === undefined ? fallback : Number(given.slice(name.length + 3));
}

const SYSTEMS_OF_A_LINE = 100;

const isAboutPossible = process.argv.includes('--about=possible');
const seed = option('seed', freshSeed());
const from = option('from', 0);
const end = from + option('systems', 3000);
const counts = { systems: 0, members: 0, violated: 0, held: 0, lassos: 0, different: 0 };
const kinds: Record<string, number> = {};

for (let number = from; number < end; number++) {
    const system = (isAboutPossible ? possibleSystemOf : temporalSystemOf)(seed + number);
    const { kind, model } = system;
    const { members, violated, held, lassos, disagreements } = compare(system, isAboutPossible ? OBLIGED : SEARCHES);
    kinds[kind] = (kinds[kind] ?? 0) + 1;
    counts.systems++;
    counts.members += members;
    counts.violated += violated;
    counts.held += held;
    counts.lassos += lassos;
    if (disagreements.length > 0) {
        counts.different++;
        const { properties, fairness } = model;
        console.log(JSON.stringify({ number, kind, disagreements, properties, fairness }));
        console.log(printSequentialModel(model));
        process.exitCode = 1;
    }
    if ((number + 1 - from) % SYSTEMS_OF_A_LINE === 0 || number + 1 === end) {
        console.log(JSON.stringify({ seed, from, ...counts, kinds }));
    }
}
