import fc from 'fast-check';
import { expect, test } from 'vitest';
import { setStabilizer } from '../../engine/group/set-stabilizer.js';
import { imageOf, sparsePermutation, type SparsePermutation } from '../../engine/group/sparse-permutation.js';

const DEGREE = 6;

const permutations = fc
    .shuffledSubarray([...Array(DEGREE).keys()], { minLength: DEGREE })
    .map(images => sparsePermutation(images.map((image, point): [number, number] => [point, image])));

function elements(generators: readonly SparsePermutation[]): readonly (readonly number[])[] {
    const identity = [...Array(DEGREE).keys()];
    const found = new Map([[identity.join(), identity]]);
    for (const images of found.values()) {
        for (const generator of generators) {
            const product = images.map(image => imageOf(generator, image));
            found.set(product.join(), found.get(product.join()) ?? product);
        }
    }
    return [...found.values()];
}

test('the stabilizer of a set is made of the elements that map it onto itself', () => {
    const sets = fc.uniqueArray(fc.nat({ max: DEGREE - 1 }));
    fc.assert(
        fc.property(fc.array(permutations, { maxLength: 3 }), sets, (generators, set) => {
            const keeping = elements(generators).filter(images => set.every(point => set.includes(images[point]!)));
            const stabilizer = setStabilizer(generators, set)!;
            expect(elements(stabilizer.generators).map(String).sort()).toEqual(keeping.map(String).sort());
            const imageUnder = (images: readonly number[]): string =>
                set
                    .map(point => images[point]!)
                    .sort((a, b) => a - b)
                    .join();
            const images = new Set(elements(generators).map(imageUnder));
            expect(stabilizer.images.map(({ points }) => points.join()).sort()).toEqual([...images].sort());
            stabilizer.images.forEach(({ points, leadingTo }) => {
                const led = set.map(point => imageOf(leadingTo, point)).sort((a, b) => a - b);
                expect(led).toEqual(points);
            });
        }),
        { numRuns: 100 },
    );
});

test('of a set with very many images no stabilizer is made', () => {
    const neighbors = Array.from({ length: 40 }, (_, point) =>
        sparsePermutation([
            [point, point + 1],
            [point + 1, point],
        ]),
    );
    expect(setStabilizer(neighbors, [...Array(20).keys()])).toBeUndefined();
});
