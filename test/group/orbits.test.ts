/** What generators tell of the order of their group, against the group written out. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { knownDivisorOf } from '../../engine/group/orbits.js';
import { sparsePermutation } from '../../engine/group/sparse-permutation.js';
import { permutationsOf } from '../arbitrary/literal-groups.js';

const DEGREE = 6;

function orderOf(generators: readonly (readonly number[])[]): number {
    const identity = Array.from({ length: DEGREE }, (_, point) => point);
    const known = new Map([[identity.join(), identity]]);
    for (const element of known.values()) {
        for (const generator of generators) {
            const product = element.map(point => generator[point]!);
            known.set(product.join(), product);
        }
    }
    return known.size;
}

test('orbits and elements say a divisor of the order, which is one for the trivial group alone', () => {
    fc.assert(
        fc.property(fc.array(permutationsOf(DEGREE), { maxLength: 3 }), generators => {
            const divisor = knownDivisorOf(generators.map(images => sparsePermutation(images.entries())));
            const order = BigInt(orderOf(generators));
            expect(order % divisor).toBe(0n);
            expect(divisor === 1n).toBe(order === 1n);
        }),
    );
});

test('an orbit tells more than the elements that generate it', () => {
    // Two exchanges, of 0 and 1 and of 1 and 2, give all permutations of three.
    const exchanges = [
        [1, 0, 2],
        [0, 2, 1],
    ];
    expect(knownDivisorOf(exchanges.map(images => sparsePermutation(images.entries())))).toBe(6n);
});
