import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ordersOfParts } from '../../engine/group/recognize-action.js';
import { permutationsOf, toSparseGenerators } from '../arbitrary/literal-groups.js';
import { closure } from '../reference/brute-force-group.js';

test('the orders of parts are those of their groups, where they are known', () => {
    const degree = 5;
    const parts = fc.array(fc.array(permutationsOf(degree), { minLength: 1, maxLength: 2 }), {
        minLength: 1,
        maxLength: 4,
    });
    fc.assert(
        fc.property(parts, generatorsOfParts => {
            const expected = generatorsOfParts.map(generators => BigInt(closure(generators, degree).length));
            const order = expected.reduce((product, own) => product * own, 1n);
            const groups = generatorsOfParts.map(generators => ({
                generators: toSparseGenerators(generators),
                degree,
            }));
            const orders = ordersOfParts(groups, order);
            const isSure = generatorsOfParts.filter(generators => generators.length > 1).length <= 1;
            expect(orders ?? (isSure ? 'orders' : expected)).toEqual(expected);
        }),
    );
});
