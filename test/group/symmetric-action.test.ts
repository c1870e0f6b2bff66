import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { imageOf } from '../../engine/group/sparse-permutation.js';
import { withBlockPoints } from '../../engine/group/block-points.js';
import { findSymmetricAction, pointPermutation } from '../../engine/group/symmetric-action.js';
import { cosetElements } from '../../engine/group/symmetric-quotient.js';
import {
    familyGroup,
    literalGroups,
    neighborSwaps,
    permutationsOf,
    reflection,
    rotation,
    toSparseGenerators,
} from '../arbitrary/literal-groups.js';
import { closure } from '../reference/brute-force-group.js';

const family = familyGroup(
    4,
    [
        { kind: 'array', plainValues: 2, namesElements: true },
        { kind: 'pairs', plainValues: 1, namesElements: false },
        { kind: 'single', plainValues: 1, namesElements: true },
    ],
    neighborSwaps(4),
);
const degree = family.generators[0]!.length;

test('every permutation of the elements acts as an element of the group, and they are all of it', () => {
    const elements = new Set(closure(family.generators, degree).map(element => element.join()));
    const action = findSymmetricAction(toSparseGenerators(family.generators), degree)!;
    expect(action.order).toBe(24n);
    fc.assert(
        fc.property(permutationsOf(4), images => {
            const p = pointPermutation(action, Int32Array.from(images), degree);
            const dense = Array.from({ length: degree }, (_, point) => imageOf(p, point));
            expect(elements.has(dense.join())).toBe(true);
            action.basePoint.forEach((point, element) =>
                expect(imageOf(p, point)).toBe(action.basePoint[images[element]!]),
            );
        }),
    );
});

test('what is found lies in the group, and its cosets fill the group', () => {
    fc.assert(
        fc.property(literalGroups(), ({ domainSizes, generators }) => {
            const literals = domainSizes.reduce((sum, size) => sum + size, 0);
            const elements = closure(generators, literals);
            const sparse = toSparseGenerators(generators);
            const action = findSymmetricAction(sparse, literals);
            if (action === undefined) {
                return;
            }
            const keys = new Set(elements.map(element => element.join()));
            for (const swap of action.swap) {
                const dense = Array.from({ length: literals }, (_, point) => imageOf(swap, point));
                expect(keys.has(dense.join())).toBe(true);
            }
            const group = { generators: sparse, pointCount: literals, order: undefined };
            const cosets = cosetElements(group, action, 10_000)!;
            expect(action.order * BigInt(cosets.length)).toBe(BigInt(elements.length));
        }),
    );
});

describe('groups without freely exchangeable elements have no families', () => {
    test.each([
        ['rotations of five', [rotation(5)]],
        ['symmetries of the pentagon', [rotation(5), reflection(5)]],
        [
            'even permutations',
            [
                [1, 2, 0, 3, 4],
                [0, 2, 3, 1, 4],
                [0, 1, 3, 4, 2],
            ],
        ],
    ])('%s', (_, generators) => {
        expect(findSymmetricAction(toSparseGenerators(generators), 5)).toBeUndefined();
    });
});

test('rows and columns of a matrix become elements once blocks are points', () => {
    const act = (row: readonly number[], column: readonly number[]): number[] =>
        Array.from({ length: 12 }, (_, cell) => 4 * row[Math.floor(cell / 4)]! + column[cell % 4]!);
    const generators = toSparseGenerators([
        ...neighborSwaps(3).map(images => act(images, [0, 1, 2, 3])),
        ...neighborSwaps(4).map(images => act([0, 1, 2], images)),
    ]);
    expect(findSymmetricAction(generators, 12)).toBeUndefined();
    const extended = withBlockPoints(generators, 12);
    expect(extended.pointCount).toBe(12 + 3 + 4);
    expect(findSymmetricAction(extended.generators, extended.pointCount)!.order).toBe(144n);
});
