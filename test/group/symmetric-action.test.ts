import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { imageOf, sparsePermutation } from '../../engine/group/sparse-permutation.js';
import { withBlockPoints } from '../../engine/group/blocks.js';
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

test('hundreds of families have tables no larger than what their points speak of', () => {
    const familyCount = 300;
    const size = 4;
    // Of each family an array, and a variable that names its elements.
    const ownPoints = 2 * size;
    const generators = Array.from({ length: familyCount }, (_, family) =>
        neighborSwaps(size).map(images =>
            sparsePermutation(
                Array.from({ length: ownPoints }, (__, i): [number, number] => [
                    ownPoints * family + i,
                    ownPoints * family + size * Math.floor(i / size) + images[i % size]!,
                ]),
            ),
        ),
    ).flat();
    const action = findSymmetricAction(generators, familyCount * ownPoints)!;
    expect(action.firstElement).toHaveLength(familyCount + 1);
    expect(action.order).toBe(24n ** BigInt(familyCount));
    expect(action.kinds.map(({ pointOfLabels }) => pointOfLabels.length)).toEqual(
        Array.from({ length: 2 * familyCount }, () => size),
    );
});

test('of families that do not fit together the first ones are found', () => {
    // Five of three elements each, and points that speak of one of each: a point may speak of four elements, not of more.
    const tuples = Array.from({ length: 3 ** 5 }, (_, code) =>
        Array.from({ length: 5 }, (__, role) => Math.floor(code / 3 ** role) % 3),
    );
    const familyCount = 5;
    const first = 3 * familyCount;
    const generators = Array.from({ length: familyCount }, (_, family) =>
        neighborSwaps(3).map(images =>
            sparsePermutation([
                ...images.map((image, i): [number, number] => [3 * family + i, 3 * family + image]),
                ...tuples.map((tuple, code): [number, number] => [
                    first + code,
                    first +
                        tuple.reduce(
                            (sum, label, role) => sum + (role === family ? images[label]! : label) * 3 ** role,
                            0,
                        ),
                ]),
            ]),
        ),
    ).flat();
    const action = findSymmetricAction(generators, first + tuples.length)!;
    expect(action.order).toBe(6n ** 4n);
    expect(Math.max(...action.kinds.map(({ arity }) => arity))).toBe(4);
});

test('families are told apart where one is only ever permuted together with the other', () => {
    // A row for each voter and a column for each candidate: points 0 … 4, 5 … 9, and 10 + 5 * row + column.
    const count = 5;
    const exchanged = (row: number, column: number): number[] => {
        const swap = (first: number, i: number): number => (i === first ? i + 1 : i === first + 1 ? i - 1 : i);
        const indexes = Array.from({ length: count }, (_, i) => i);
        return [
            ...indexes.map(i => swap(row, i)),
            ...indexes.map(i => count + swap(column, i)),
            ...indexes.flatMap(i => indexes.map(j => 2 * count + count * swap(row, i) + swap(column, j))),
        ];
    };
    const nowhere = 2 * count;
    const neighbors = Array.from({ length: count - 1 }, (_, i) => i);
    const alone = neighbors.map(i => exchanged(i, nowhere));
    const together = neighbors.map(i => exchanged(i, i));
    const action = findSymmetricAction(toSparseGenerators([...alone, ...together]), 2 * count + count ** 2)!;
    expect(action.order).toBe(120n ** 2n);
    expect(action.firstElement).toEqual([0, count, 2 * count]);
    fc.assert(
        fc.property(permutationsOf(count), permutationsOf(count), (rows, columns) => {
            const [first, second] = action.basePoint[0]! < count ? [rows, columns] : [columns, rows];
            const images = Int32Array.from([...first, ...second.map(column => count + column)]);
            const p = pointPermutation(action, images, 2 * count + count ** 2);
            for (let row = 0; row < count; row++) {
                for (let column = 0; column < count; column++) {
                    const to = 2 * count + count * rows[row]! + columns[column]!;
                    expect(imageOf(p, 2 * count + count * row + column)).toBe(to);
                }
            }
        }),
    );
});

// What is done for each exchange must not grow with the family: of one that grows so, this takes half a minute.
test('many processes of many variables each are labeled at once', { timeout: 10_000 }, () => {
    const [count, variables] = [3000, 20];
    const generators = Array.from({ length: count - 1 }, (_, i) =>
        sparsePermutation(
            Array.from({ length: variables }, (_, variable) => count * variable + i).flatMap(
                (point): [number, number][] => [
                    [point, point + 1],
                    [point + 1, point],
                ],
            ),
        ),
    );
    expect(findSymmetricAction(generators, count * variables)?.firstElement).toEqual([0, count]);
});

test('a family is independent of another whose elements an exchange moves along a cycle', () => {
    // All permutations of 0 … 4, and all of 5 … 8; those two of which generators exchange go along with cycles of the others.
    const action = findSymmetricAction(
        toSparseGenerators([
            ...neighborSwaps(5).map(images => [...images, 5, 6, 7, 8]),
            [1, 2, 3, 0, 4, 6, 5, 7, 8],
            [0, 4, 1, 3, 2, 5, 7, 6, 8],
            [3, 2, 1, 0, 4, 5, 6, 8, 7],
        ]),
        9,
    );
    expect(action?.order).toBe(120n * 24n);
    for (const swap of action?.swap ?? []) {
        expect([...swap.points].every(point => point < 5) || [...swap.points].every(point => point >= 5)).toBe(true);
    }
});
