import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chainOfListedGroup, listElements } from '../../engine/group/elements.js';
import { createLiteralAction } from '../../engine/group/literal-action.js';
import { literalPermutations, toSparseGenerators } from '../arbitrary/literal-groups.js';

test('the elements of a cyclic group are those of a stabilizer chain, the identity first', () => {
    const domainSizes = [3, 3, 3, 2, 2];
    fc.assert(
        fc.property(literalPermutations(domainSizes), fc.integer({ min: 1, max: 20 }), (generator, limit) => {
            const generators = toSparseGenerators([generator]);
            const action = createLiteralAction({ cellCount: domainSizes.length, domainSizes, generators });
            const listed = listElements(action, limit)?.map(element => element.join());
            const expected = chainOfListedGroup(action, limit)?.elements(limit);
            expect(listed && [...listed].sort()).toEqual(expected?.map(element => element.join()).sort());
            expect(listed?.[0]).toBe(expected?.[0]?.join());
        }),
    );
});
