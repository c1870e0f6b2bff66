/** Random models with all steps and with some of them; `npm run bench partial-order` compares any number of them. */
// @module-tag thorough
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { models, modelsWithAlikeInvariants } from '../arbitrary/models.js';
import { setTexts } from '../arbitrary/set-texts.js';
import { templateModels } from '../arbitrary/template-models.js';
import { cases } from '../cases.js';
import { printModel } from '../reference/print.js';
import { compareViolations } from './violations.js';

const KINDS: readonly (readonly [string, fc.Arbitrary<string>])[] = [
    ['of processes', models().map(printModel)],
    ['with invariants that symmetries exchange', modelsWithAlikeInvariants().map(printModel)],
    ['with instances that are created', templateModels()],
    ['with sets', setTexts],
];

test.each(KINDS)('models %s have the same violations, and some have fewer states', async (_, texts) => {
    let fewer = 0;
    let violated = 0;
    await fc.assert(
        fc.asyncProperty(texts, async text => {
            const compared = await compareViolations(text);
            expect(compared?.differences ?? []).toEqual([]);
            fewer += compared?.reduced.some(states => states < compared.states) === true ? 1 : 0;
            violated += compared?.found === '' ? 0 : 1;
        }),
        { numRuns: cases(25) },
    );
    expect(fewer).toBeGreaterThan(0);
    expect(violated).toBeGreaterThan(0);
});
