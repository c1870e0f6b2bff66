/** Numbers without end as a reduction: of each state their order and small distances are stored. */
import type { KeptNumbers } from '../analysis.js';
import type { PartialOrder } from '../explore/stubborn.js';
import { NumberOrder } from '../explore/number-order.js';
import { codesIn } from '../sequential/numbers/enough-codes.js';
import type { SearchReduction } from './reduction.js';

export function numbersReduction(
    { sorts, kept }: KeptNumbers,
    partialOrder: PartialOrder | undefined,
): SearchReduction {
    return {
        prepare({ sequential }) {
            const order = new NumberOrder(sequential.cells, sorts, kept, codesIn({ sequential }) - 1);
            return {
                facts: {},
                apply: () => ({
                    parts: { numbers: { order, inexact: new Map() } },
                    report: partialOrder === undefined ? {} : { allStepsBecause: 'the model has numbers without end' },
                    identity: () => `numbers ${kept.join()}\n`,
                }),
            };
        },
    };
}
