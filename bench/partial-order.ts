/**
 * Violations of random models, with all steps and with those that stubborn sets choose.
 *
 *     npm run bench partial-order [-- --models=2000 --seed=7 --kinds=templates,sets]
 *
 * Each difference is shown with its text. The last line is JSON: how many models of each kind agreed, were passed over, and
 * had fewer states; the exit code is 1 if there are differences.
 */
import * as fc from 'fast-check';
import { threadPool } from '../test/agreement/thread-pool.js';
import { caseTexts } from '../test/arbitrary/case-texts.js';
import { equalTexts } from '../test/arbitrary/equal-texts.js';
import { faultyTemplates } from '../test/arbitrary/faulty-templates.js';
import { models, modelsWithAlikeInvariants } from '../test/arbitrary/models.js';
import { setTexts } from '../test/arbitrary/set-texts.js';
import { templateModels } from '../test/arbitrary/template-models.js';
import { unevenModels } from '../test/arbitrary/uneven-models.js';
import { compareViolations } from '../test/partial-order/violations.js';
import { printModel } from '../test/reference/print.js';
import { freshSeed } from './fresh-seed.js';

function option(name: string, fallback: number): number {
    const given = process.argv.find(argument => argument.startsWith(`--${name}=`));
    return given === undefined ? fallback : Number(given.slice(name.length + 3));
}

const KINDS: Readonly<Record<string, fc.Arbitrary<string>>> = {
    models: models().map(printModel),
    alike: modelsWithAlikeInvariants().map(printModel),
    templates: templateModels(),
    faulty: faultyTemplates(),
    sets: setTexts,
    uneven: unevenModels(),
    cases: caseTexts,
    equal: equalTexts,
};

const workers = threadPool(4);
const kinds = process.argv.find(argument => argument.startsWith('--kinds='))?.slice('--kinds='.length);
const seed = option('seed', freshSeed());
let different = 0;
for (const [kind, texts] of Object.entries(KINDS)) {
    if (kinds?.split(',').includes(kind) === false) {
        continue;
    }
    const counts = { agreed: 0, passedOver: 0, fewer: 0, violated: 0, different: 0 };
    for (const text of fc.sample(texts, { seed, numRuns: option('models', 2000) })) {
        const compared = await compareViolations(text, {}, workers).catch((error: unknown) => {
            throw new Error(`a search of this text failed:\n${text}`, { cause: error });
        });
        if (compared === undefined) {
            counts.passedOver++;
            continue;
        }
        const { states, reduced, violations, differences } = compared;
        counts.fewer += (reduced[0] ?? states) < states ? 1 : 0;
        counts.violated += violations > 0 ? 1 : 0;
        if (differences.length === 0) {
            counts.agreed++;
        } else {
            counts.different++;
            console.log(`${kind}: ${differences.join('\n')}\n\n${text}\n`);
        }
    }
    different += counts.different;
    console.log(JSON.stringify({ kind, seed, ...counts }));
}
process.exitCode = different > 0 ? 1 : 0;
