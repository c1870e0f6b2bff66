/** Random texts with sets mean what the reference says, in every way of exploring them. */
// @module-tag long
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { setTexts } from '../arbitrary/set-texts.js';
import { cases } from '../cases.js';
import { compare } from './compare.js';
import { WAYS } from './ways.js';

/** Random texts with more states than this are passed over. */
const STATE_LIMIT = 300;

test('texts with sets mean what the reference says', async () => {
    let agreed = 0;
    let reduced = 0;
    const single = WAYS.filter(({ execution }) => !execution.startsWith('threads'));
    await fc.assert(
        fc.asyncProperty(setTexts, async text => {
            const ways = [single[agreed % single.length]!];
            const comparison = await compare(text, STATE_LIMIT, { ways });
            // Only that two processes write one cell in one step is found before a run.
            expect(comparison.kind === 'rejected' ? comparison.problems : []).toEqual([]);
            if (comparison.kind === 'agreed') {
                agreed++;
                reduced += comparison.order > 1n ? 1 : 0;
            }
        }),
        { numRuns: cases(150) },
    );
    expect(agreed).toBeGreaterThan(10);
    expect(reduced).toBeGreaterThan(3);
}, 480_000);
