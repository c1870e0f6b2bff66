/** Random models with values without end mean the same to the engine and to the reference. */
// @module-tag long
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../cases.js';
import { WAYS } from '../dynamic/agreement.js';

import { compareSeed } from './compare.js';

const MODELS = cases(400, 8);
const CLASS_LIMIT = 300;

test('random models with values without end have the classes of the reference', { timeout: 600_000 }, async () => {
    let [agreed, faulty, violated, many, unique] = [0, 0, 0, 0, 0];
    for (let index = 0; index < MODELS; index++) {
        const comparison = await compareSeed(
            (fc.readConfigureGlobal().seed ?? 0) + index,
            CLASS_LIMIT,
            WAYS[index % WAYS.length]!,
        );
        if (comparison.kind === 'agreed') {
            const { reference, isUnique } = comparison;
            agreed++;
            faulty += reference.isFaulty ? 1 : 0;
            violated += reference.isViolated ? 1 : 0;
            many += reference.mostNamed > 3 ? 1 : 0;
            unique += isUnique ? 1 : 0;
        }
    }
    expect(agreed).toBeGreaterThan(MODELS / 2);
    expect(unique).toBeGreaterThan(MODELS / 4);
    expect(Math.min(faulty, violated, many)).toBeGreaterThan(MODELS / 20);
});
