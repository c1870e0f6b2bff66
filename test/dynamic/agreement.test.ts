/** Random models with templates mean the same to the engine and to the reference. */
// @module-tag long
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../cases.js';
import { templateModels } from '../arbitrary/template-models.js';
import { compare, WAYS } from './agreement.js';

/** `npm run bench dynamic` compares any number of them. */
const MODELS = cases(140);
const CLASS_LIMIT = 40;

test('random models with templates have the classes of the reference', { timeout: 600_000 }, async () => {
    let [agreed, created, rejected, reduced, unique] = [0, 0, 0, 0, 0];
    await fc.assert(
        fc.asyncProperty(templateModels(), fc.nat(WAYS.length - 1), async (text, way) => {
            const comparison = await compare(text, CLASS_LIMIT, WAYS[way]!);
            rejected += comparison.kind === 'rejected' ? 1 : 0;
            if (comparison.kind === 'agreed') {
                agreed++;
                reduced += ['auto', 'unique'].includes(WAYS[way]!.reduction) ? 1 : 0;
                unique += comparison.report.reduction?.unique === true ? 1 : 0;
                created += comparison.reference.creations > 0 ? 1 : 0;
            }
        }),
        { numRuns: MODELS },
    );
    expect(rejected).toBe(0);
    // The order of instances in the text of a fault rarely hides that they are interchangeable.
    expect(unique / reduced).toBeGreaterThan(0.9);
    expect(agreed).toBeGreaterThan(MODELS / 2);
    expect(created).toBeGreaterThan(MODELS / 2);
});
