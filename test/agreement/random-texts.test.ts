/** Random texts with one kind of data mean what the reference says, in every way of exploring them. */
// @module-tag long
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { DATA_TEXTS } from '../arbitrary/data-texts.js';
import { cases } from '../cases.js';
import { compare } from './compare.js';
import { WAYS } from './ways.js';

/** Random texts with more states than this are passed over. */
const STATE_LIMIT = 300;

test.each(DATA_TEXTS)(
    'texts with $kind mean what the reference says',
    async ({ texts, accepted }) => {
        let agreed = 0;
        let reduced = 0;
        const single = WAYS.filter(({ execution }) => !execution.startsWith('threads'));
        await fc.assert(
            fc.asyncProperty(texts, async text => {
                const ways = [single[agreed % single.length]!];
                const comparison = await compare(text, STATE_LIMIT, { ways });
                const problems = comparison.kind === 'rejected' ? comparison.problems : [];
                expect(problems.filter(({ code }) => !accepted.some(each => each === code))).toEqual([]);
                if (comparison.kind === 'agreed') {
                    agreed++;
                    reduced += comparison.order > 1n ? 1 : 0;
                }
            }),
            { numRuns: cases(75) },
        );
        expect(agreed).toBeGreaterThan(10);
        expect(reduced).toBeGreaterThan(2);
    },
    480_000,
);
