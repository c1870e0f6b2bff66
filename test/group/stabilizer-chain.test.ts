import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../engine/common/random.js';
import { nontrivialOrbits, orbitNumbers, orbits } from '../../engine/group/orbits.js';
import { permutation, type Permutation } from '../../engine/group/permutation.js';
import { tryStabilizerChain } from '../../engine/group/stabilizer-chain.js';
import { neighborSwaps, permutationsOf, toSparseGenerators } from '../arbitrary/literal-groups.js';
import { closure } from '../reference/brute-force-group.js';

const DEGREE = 7;
/** Groups of many orders: few random permutations generate everything, so some points are kept apart. */
const generatorLists = fc.oneof(
    fc.array(permutationsOf(DEGREE), { minLength: 0, maxLength: 2 }),
    fc.array(
        fc.tuple(permutationsOf(3), permutationsOf(4)).map(([p, q]) => [...p, ...q.map(point => point + 3)]),
        { minLength: 1, maxLength: 3 },
    ),
);

function chainOf(generators: readonly (readonly number[])[], options: { base?: number[]; order?: bigint } = {}) {
    return tryStabilizerChain(generators.map(permutation), DEGREE, options)!;
}

describe('a stabilizer chain agrees with the closure of its generators', () => {
    test('in order and elements, known order or not', () => {
        fc.assert(
            fc.property(generatorLists, generators => {
                const elements = closure(generators, DEGREE);
                const chain = chainOf(generators);
                expect(chain.order).toBe(BigInt(elements.length));
                expect(chainOf(generators, { order: BigInt(elements.length) }).order).toBe(chain.order);
                const listed = chain.elements(6000)!.map(element => element.join());
                expect(listed.map((_, index) => chain.element(index).join())).toEqual(listed);
                expect(chain.elements(6000)!.map(element => chain.indexOf(element))).toEqual([...listed.keys()]);
                expect(listed.sort()).toEqual(elements.map(element => element.join()).sort());
            }),
        );
    });

    test('in membership', () => {
        fc.assert(
            fc.property(generatorLists, permutationsOf(DEGREE), (generators, candidate) => {
                const elements = closure(generators, DEGREE);
                const isMember = elements.some(element => element.join() === candidate.join());
                expect(chainOf(generators).contains(permutation(candidate))).toBe(isMember);
            }),
        );
    });

    test('in the elements that fix the first base points, for any base', () => {
        fc.assert(
            fc.property(generatorLists, permutationsOf(DEGREE), fc.nat({ max: 4 }), (generators, base, count) => {
                const chain = chainOf(generators, { base });
                expect(chain.base.slice(0, DEGREE)).toEqual(base);
                const fixing = closure(generators, DEGREE).filter(element =>
                    base.slice(0, count).every(point => element[point] === point),
                );
                const stabilizer = chain.stabilizerGenerators(count).map(element => [...element]);
                expect(closure(stabilizer, DEGREE).length).toBe(fixing.length);
                expect(stabilizer.every(s => fixing.some(element => element.join() === s.join()))).toBe(true);
            }),
        );
    });

    test('in orbits, transversals and random elements', () => {
        fc.assert(
            fc.property(generatorLists, fc.nat(), (generators, seed) => {
                const chain = chainOf(generators);
                chain.base.forEach((point, level) => {
                    for (const image of chain.orbit(level)) {
                        expect(chain.transversalElement(level, image)[point]).toBe(image);
                    }
                });
                const element = chain.randomElement(createRandom(seed));
                expect(chain.contains(element)).toBe(true);
                const elements = closure(generators, DEGREE);
                const byClosure = [...Array(DEGREE).keys()].map(point =>
                    [...new Set(elements.map(e => e[point]!))].sort((a, b) => a - b),
                );
                const sparse = toSparseGenerators(generators);
                for (const orbit of orbits(sparse, DEGREE)) {
                    orbit.forEach(point => expect(byClosure[point]).toEqual(orbit));
                }
                const numbers = orbitNumbers(sparse, DEGREE);
                orbits(sparse, DEGREE).forEach((orbit, i) => orbit.forEach(point => expect(numbers[point]).toBe(i)));
                expect(nontrivialOrbits(sparse)).toEqual(orbits(sparse, DEGREE).filter(orbit => orbit.length > 1));
            }),
        );
    });
});

describe('large groups', () => {
    const fromCycles = (degree: number, ...cycles: number[][]): Permutation => {
        const images = Array.from({ length: degree }, (_, point) => point);
        for (const cycle of cycles) {
            cycle.forEach((point, i) => (images[point - 1] = cycle[(i + 1) % cycle.length]! - 1));
        }
        return permutation(images);
    };
    const count = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);

    test('the Mathieu groups have the orders 7920, 95040 and 244823040', () => {
        // Generators as in the GAP manual; orders: Conway et al., ATLAS of Finite Groups, 1985.
        const m11 = [fromCycles(11, count(11)), fromCycles(11, [3, 7, 11, 8], [4, 10, 5, 6])];
        const m12 = [
            fromCycles(12, count(11)),
            fromCycles(12, [3, 7, 11, 8], [4, 10, 5, 6]),
            fromCycles(12, [1, 12], [2, 11], [3, 6], [4, 8], [5, 9], [7, 10]),
        ];
        const m24 = [
            fromCycles(24, count(23)),
            fromCycles(24, [3, 17, 10, 7, 9], [4, 13, 14, 19, 5], [8, 18, 11, 12, 23], [15, 20, 22, 21, 16]),
            fromCycles(
                24,
                ...[
                    [1, 24],
                    [2, 23],
                    [3, 12],
                    [4, 16],
                    [5, 18],
                    [6, 10],
                ],
                ...[
                    [7, 20],
                    [8, 14],
                    [9, 21],
                    [11, 17],
                    [13, 22],
                    [19, 15],
                ],
            ),
        ];
        expect(tryStabilizerChain(m11, 11, {})!.order).toBe(7920n);
        expect(tryStabilizerChain(m12, 12, {})!.order).toBe(95040n);
        expect(tryStabilizerChain(m24, 24, {})!.order).toBe(244823040n);
    });

    test('the symmetric group of 40 points is built with its order given and without', () => {
        let order = 1n;
        for (let i = 2n; i <= 40n; i++) {
            order *= i;
        }
        const generators = neighborSwaps(40).map(permutation);
        expect(tryStabilizerChain(generators, 40, {})!.order).toBe(order);
        expect(tryStabilizerChain(generators, 40, { order })!.order).toBe(order);
    });

    test('a chain that would be too large is not built, and a wrong order is noticed', () => {
        const generators = neighborSwaps(40).map(permutation);
        expect(tryStabilizerChain(generators, 40, { entryLimit: 1000 })).toBeUndefined();
        expect(tryStabilizerChain(generators, 40, {})!.elements(1000)).toBeUndefined();
        expect(() => tryStabilizerChain(generators, 40, { order: 7n })!).toThrow('order');
    });
});

test('a chain whose proof takes long is given up where there is a limit', () => {
    const degree = 60;
    const swaps = neighborSwaps(degree).map(swap => permutation(swap));
    // The elements of all orbits have 60 · 61 / 2 · 60 entries at most.
    expect(tryStabilizerChain(swaps, degree, { entryLimit: 110_000 })).toBeUndefined();
    expect(tryStabilizerChain(swaps, degree, { entryLimit: 110_000_000 })?.base).toHaveLength(degree - 1);
});
