/**
 * Compares random models with numbers without end with the reference, which computes with the numbers themselves, in the
 * ways of test/numbers/compare.ts; test/numbers/random.test.ts does so with few.
 *
 *     npm run bench numbers -- [--models=500] [--seed=7] [--code]
 *
 * With `--code` generated code is compared with the interpreter instead, as in test/numbers/compare-code.ts.
 * Models are those of `seed`, `seed` + 1, …; without a seed others on every run. A line of JSON for each that differs, with
 * its text, and one with counts; the exit code is 1 if any does.
 */
import { numberModel } from '../test/arbitrary/number-models.js';
import { compare } from '../test/numbers/compare.js';
import { compareCode } from '../test/numbers/compare-code.js';
import { freshSeed } from './fresh-seed.js';

function option(name: string, fallback: number): number {
    const given = process.argv.find(argument => argument.startsWith(`--${name}=`));
    return given === undefined ? fallback : Number(given.slice(name.length + 3));
}

const first = option('seed', freshSeed());
const counts: Record<string, number> = {};
const count = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1;
};
for (let seed = first; seed < first + option('models', 500); seed++) {
    const text = numberModel(seed);
    try {
        if (process.argv.includes('--code')) {
            const compared = await compareCode(text, 3000);
            count(compared === undefined ? 'rejected' : 'equal');
            compared?.outcomes.forEach(count);
            count(compared?.isExact === false ? 'not exact' : 'exact');
            continue;
        }
        const result = await compare(text, { bound: 9, classes: 3000, states: 20_000 });
        count(result.kind === 'agreed' ? result.verdict : result.kind);
        if (result.kind === 'agreed') {
            count(result.isExact ? 'exact' : 'not exact');
            count(result.group > 1n ? 'with symmetries' : 'without symmetries');
        }
    } catch (error) {
        count('different');
        console.log(JSON.stringify({ seed, message: (error as Error).message, text }));
    }
}
console.log(JSON.stringify({ seed: first, ...counts }));
process.exitCode = counts['different'] === undefined ? 0 : 1;
