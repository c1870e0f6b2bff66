import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
    compose,
    cycles,
    formatCycles,
    identity,
    inverse,
    isIdentity,
    orderOfElement,
    permutation,
    power,
    type Permutation,
} from '../../engine/group/permutation.js';
import {
    composeSparse,
    conjugateSparse,
    cyclesOfSparse,
    equalsSparse,
    imageOf,
    inverseSparse,
    restrictPermutation,
    sparsePermutation,
    sparseToCycleNotation,
    toDense,
    toSparse,
} from '../../engine/group/sparse-permutation.js';
import { permutationsOf } from '../arbitrary/literal-groups.js';

const permutations = (degree: number): fc.Arbitrary<Permutation> => permutationsOf(degree).map(permutation);

test('only bijections become permutations', () => {
    expect(() => permutation([0, 0, 1])).toThrow('not a bijection at point 1');
    expect(() => permutation([0, 3, 1])).toThrow('not a bijection at point 1');
    expect(() => sparsePermutation([[1, 2]])).toThrow('not a bijection');
});

test('a permutation and its inverse cancel', () => {
    fc.assert(
        fc.property(permutations(9), p => {
            expect(compose(p, inverse(p))).toEqual(identity(9));
        }),
    );
});

test('compose is associative, and applies its first argument first', () => {
    fc.assert(
        fc.property(permutations(7), permutations(7), permutations(7), (p, q, r) => {
            expect(compose(compose(p, q), r)).toEqual(compose(p, compose(q, r)));
            expect(compose(p, q)[3]).toBe(q[p[3]!]);
        }),
    );
});

test('powers add, and the order is the first power that is the identity', () => {
    fc.assert(
        fc.property(
            permutations(9),
            fc.integer({ min: -20, max: 20 }),
            fc.integer({ min: -20, max: 20 }),
            (p, a, b) => {
                expect(compose(power(p, a), power(p, b))).toEqual(power(p, a + b));
                let first = 1;
                while (!isIdentity(power(p, first))) {
                    first++;
                }
                expect(orderOfElement(p)).toBe(BigInt(first));
            },
        ),
    );
});

test('cycle notation starts each cycle with its least point', () => {
    expect(formatCycles(cycles(permutation([1, 0, 4, 3, 5, 2])), String)).toBe('(0 1)(2 4 5)');
    expect(formatCycles(cycles(identity(3)), String)).toBe('()');
    const names = ['none', 'one', 'two'];
    expect(formatCycles(cycles(permutation([0, 2, 1])), point => names[point]!)).toBe('(one two)');
});

describe('sparse permutations agree with dense ones', () => {
    const pair = fc.tuple(permutations(8), permutations(8));
    test('in products, inverses, conjugates, cycles and images', () => {
        fc.assert(
            fc.property(pair, ([p, q]) => {
                const [sparseP, sparseQ] = [toSparse(p), toSparse(q)];
                expect(toDense(sparseP, 8)).toEqual(p);
                expect(composeSparse(sparseP, sparseQ)).toEqual(toSparse(compose(p, q)));
                expect(inverseSparse(sparseP)).toEqual(toSparse(inverse(p)));
                expect(conjugateSparse(sparseP, sparseQ)).toEqual(toSparse(compose(compose(inverse(q), p), q)));
                expect(cyclesOfSparse(sparseP)).toEqual(cycles(p));
                expect(sparseToCycleNotation(sparseP)).toBe(formatCycles(cycles(p), String));
                expect(Array.from({ length: 8 }, (_, point) => imageOf(sparseP, point))).toEqual([...p]);
                expect(equalsSparse(sparseP, sparseQ)).toBe(p.join() === q.join());
            }),
        );
    });

    test('on a set of points of their own', () => {
        const p = sparsePermutation([
            [0, 1],
            [1, 0],
            [5, 7],
            [7, 5],
        ]);
        expect(sparseToCycleNotation(restrictPermutation(p, 5))).toBe('(0 1)');
        expect(restrictPermutation(p, 8)).toEqual(p);
    });
});
