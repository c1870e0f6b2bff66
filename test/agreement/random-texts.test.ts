/** Random texts with one kind of data mean what the reference says, in every way of exploring them. */
// @module-tag long
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { caseTexts } from '../arbitrary/case-texts.js';
import { setTexts } from '../arbitrary/set-texts.js';
import { cases } from '../cases.js';
import { compare } from './compare.js';
import { WAYS } from './ways.js';

/** Random texts with more states than this are passed over. */
const STATE_LIMIT = 300;

const KINDS = [
    { kind: 'sets', texts: setTexts, accepted: [] },
    // A random test may leave only cases without the field behind it.
    { kind: 'cases', texts: caseTexts, accepted: ['case/no-field'] },
];

test.each(KINDS)(
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
            { numRuns: cases(150) },
        );
        expect(agreed).toBeGreaterThan(10);
        expect(reduced).toBeGreaterThan(3);
    },
    480_000,
);
