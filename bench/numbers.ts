/**
 * Compares random models with numbers without end with the reference, which computes with the numbers themselves, in the
 * ways of test/numbers/compare.ts; each fifth creates its processes, as in compare-templates.ts, and of each fourth generated
 * code is compared with the interpreter, as in compare-code.ts. test/numbers has tests that do so with few.
 *
 *     npm run bench numbers -- [--models=500] [--seed=7] [--code]
 *
 * With `--code` generated code is compared alone, of all. Models are those of `seed`, `seed` + 1, …; without a seed others
 * on every run. A line of JSON for each that differs, with its text, and one with counts; the exit code is 1 if any does.
 */
import { numberModel } from '../test/arbitrary/number-models.js';
import { numberTemplateModel } from '../test/arbitrary/number-template-models.js';
import { compare } from '../test/numbers/compare.js';
import { compareCode } from '../test/numbers/compare-code.js';
import { compareTemplates } from '../test/numbers/compare-templates.js';
import { freshSeed } from './fresh-seed.js';

function option(name: string, fallback: number): number {
    const given = process.argv.find(argument => argument.startsWith(`--${name}=`));
    return given === undefined ? fallback : Number(given.slice(name.length + 3));
}

/** After so many models the counts so far are written, so that a run that is ended early has told something. */
const BETWEEN_COUNTS = 50;

const first = option('seed', freshSeed());
const isCodeAlone = process.argv.includes('--code');
const counts: Record<string, number> = {};
const count = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1;
};
const tell = (seed: number): void => {
    console.log(JSON.stringify({ seed: first, models: seed + 1 - first, ...counts }));
};

async function compareInstances(text: string): Promise<void> {
    const result = await compareTemplates(text, { bound: 6, states: 3000 });
    count(typeof result === 'string' ? 'rejected' : `with instances: ${result.verdict}`);
    if (typeof result !== 'string' && result.classes !== 'not counted') {
        count(`with instances: ${result.classes} classes met`);
    }
}

async function compareNumbers(text: string): Promise<void> {
    const result = await compare(text, { bound: 9, classes: 3000, states: 20_000 });
    if (result.kind === 'agreed') {
        count(`${result.verdict}, ${result.isExact ? 'exact' : 'not exact'}`);
        count(result.group > 1n ? 'with symmetries' : 'without symmetries');
    } else {
        count(result.kind);
    }
}

async function compareBothSearches(text: string, states: number): Promise<void> {
    const compared = await compareCode(text, states);
    count(compared === undefined ? 'rejected' : 'equal by generated code');
    if ((compared?.searches ?? 1) > 1) {
        count('with several searches');
    }
}

const last = first + option('models', 500) - 1;
for (let seed = first; seed <= last; seed++) {
    const creates = !isCodeAlone && seed % 5 === 0;
    const text = creates ? numberTemplateModel(seed) : numberModel(seed);
    try {
        if (!isCodeAlone) {
            await (creates ? compareInstances(text) : compareNumbers(text));
        }
        if (isCodeAlone || seed % 4 === 0) {
            await compareBothSearches(text, creates ? 800 : 3000);
        }
    } catch (error) {
        count('different');
        console.log(JSON.stringify({ seed, message: (error as Error).message, text }));
    }
    if (seed === last || (seed + 1 - first) % BETWEEN_COUNTS === 0) {
        tell(seed);
    }
}
process.exitCode = counts['different'] === undefined ? 0 : 1;
