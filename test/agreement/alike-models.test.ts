/** Random models with invariants that symmetries exchange, beside the reference. */
// @module-tag long
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { modelsWithAlikeInvariants } from '../arbitrary/models.js';
import { printModel } from '../reference/print.js';
import type { Comparison } from './compare.js';
import { compareAccepted, FirstFailure, ModelText, waysOf } from './random-models.js';

/** `npm run bench agreement -- --alike` compares any number of them. */
const ALIKE_MODELS = 24;

test(
    'random models with alike invariants mean the same with the symmetries that keep their set',
    { timeout: 480_000 },
    async () => {
        const agreed: Extract<Comparison, { kind: 'agreed' }>[] = [];
        const failure = new FirstFailure();
        await fc.assert(
            fc.asyncProperty(
                modelsWithAlikeInvariants().map(model => new ModelText(printModel(model))),
                async ({ text }) => {
                    const ways = waysOf(agreed.length).slice(0, 1);
                    const comparison = await failure.watch(() => compareAccepted(text, ways));
                    if (comparison.kind === 'agreed' && !failure.hasOccurred) {
                        agreed.push(comparison);
                    }
                    fc.pre(comparison.kind === 'agreed');
                },
            ),
            { numRuns: ALIKE_MODELS },
        );
        const withSets = agreed.filter(({ alike }) => alike.length > 0);
        expect(withSets.length).toBeGreaterThanOrEqual(ALIKE_MODELS / 6);
        const isViolated = ({ alike, violations }: (typeof agreed)[number]): boolean =>
            alike.flat().some(name => violations.has(`invariant ${name}`));
        expect(withSets.filter(isViolated).length).toBeGreaterThanOrEqual(ALIKE_MODELS / 15);
    },
);
