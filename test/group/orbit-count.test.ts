import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countOrbits } from '../../engine/group/orbit-count.js';
import { factorial } from '../../engine/group/permutation.js';
import { sparsePermutation } from '../../engine/group/sparse-permutation.js';
import {
    familyGroup,
    literalGroups,
    neighborSwaps,
    rotation,
    toSparseGenerators,
    treeGroup,
    type CellShape,
    type LiteralGroupSample,
} from '../arbitrary/literal-groups.js';
import { allStates, closure, orbitsOfStates } from '../reference/brute-force-group.js';

function toGroup({ domainSizes, generators }: LiteralGroupSample) {
    return { cellCount: domainSizes.length, domainSizes, generators: toSparseGenerators(generators) };
}

function orbitsByEnumeration({ domainSizes, generators }: LiteralGroupSample, lowest: 0 | -1): bigint {
    const literals = domainSizes.reduce((sum, size) => sum + size, 0);
    const elements = closure(generators, literals);
    return BigInt(orbitsOfStates(allStates(domainSizes, lowest), domainSizes, elements).length);
}

test('the lemma counts what enumeration finds, without and with cells that have no value', () => {
    fc.assert(
        fc.property(literalGroups(), sample => {
            expect(countOrbits(toGroup(sample))).toBe(orbitsByEnumeration(sample, 0));
            const codes = sample.domainSizes.map(size => Array.from({ length: size + 1 }, (_, code) => code - 1));
            expect(countOrbits(toGroup(sample), { codes })).toBe(orbitsByEnumeration(sample, -1));
        }),
    );
});

describe('symmetric groups', () => {
    const shapes: Record<string, readonly CellShape[]> = {
        blocks: [{ kind: 'array', plainValues: 3, namesElements: false }],
        'index values': [
            { kind: 'array', plainValues: 2, namesElements: false },
            { kind: 'single', plainValues: 1, namesElements: true },
        ],
        pointers: [{ kind: 'array', plainValues: 1, namesElements: true }],
        pairs: [
            { kind: 'array', plainValues: 1, namesElements: false },
            { kind: 'pairs', plainValues: 2, namesElements: false },
        ],
    };
    test.each(Object.entries(shapes))('on %s', (_, cells) => {
        for (const count of [2, 3]) {
            const sample = familyGroup(count, cells, neighborSwaps(count));
            expect(countOrbits(toGroup(sample))).toBe(orbitsByEnumeration(sample, 0));
        }
    });

    test('that index several shared variables, as enumeration finds them', () => {
        const cells: CellShape[] = [
            { kind: 'array', plainValues: 2, namesElements: false },
            { kind: 'single', plainValues: 1, namesElements: true },
            { kind: 'single', plainValues: 0, namesElements: true },
        ];
        for (const count of [2, 3, 4]) {
            const sample = familyGroup(count, cells, neighborSwaps(count));
            expect(countOrbits(toGroup(sample))).toBe(orbitsByEnumeration(sample, 0));
            const codes = sample.domainSizes.map(size => Array.from({ length: size + 1 }, (_, code) => code - 1));
            expect(countOrbits(toGroup(sample), { codes })).toBe(orbitsByEnumeration(sample, -1));
        }
    });

    test('that one variable points into are counted for hundreds of processes', () => {
        // A process with one of two states, or none, stands apart from a multiset of the others: 201 + 2 · 200.
        const cells: CellShape[] = [
            { kind: 'array', plainValues: 2, namesElements: false },
            { kind: 'single', plainValues: 1, namesElements: true },
        ];
        expect(countOrbits(toGroup(familyGroup(200, cells, neighborSwaps(200))))).toBe(601n);
    });

    test('processes without shared variables give multisets of local states', () => {
        // n processes with l local states: n + l - 1 over n; here 30 processes with 2 · 3 local states: 35 over 5.
        const cells: CellShape[] = [
            { kind: 'array', plainValues: 2, namesElements: false },
            { kind: 'array', plainValues: 3, namesElements: false },
        ];
        expect(countOrbits(toGroup(familyGroup(30, cells, neighborSwaps(30))))).toBe(324632n);
    });

    test('functions from a set of 7 to itself, up to renaming, are 343', () => {
        // OEIS A001372.
        const cells: CellShape[] = [{ kind: 'array', plainValues: 0, namesElements: true }];
        expect(countOrbits(toGroup(familyGroup(7, cells, neighborSwaps(7))))).toBe(343n);
    });

    test('directed graphs with 6 vertices, up to renaming, are 1540944', () => {
        // OEIS A000273. The array with one value only makes the elements visible.
        const cells: CellShape[] = [
            { kind: 'array', plainValues: 1, namesElements: false },
            { kind: 'pairs', plainValues: 2, namesElements: false },
        ];
        expect(countOrbits(toGroup(familyGroup(6, cells, neighborSwaps(6))))).toBe(1540944n);
    });
});

test('token ring: states of 3N bits under rotations and the flip of all labels', () => {
    for (const count of [2, 3, 4]) {
        const cells: CellShape[] = Array.from({ length: 3 }, () => ({
            kind: 'array',
            plainValues: 2,
            namesElements: false,
        }));
        const ring = familyGroup(count, cells, [rotation(count)]);
        const labels = 2 * 2 * count;
        const flip = ring.generators[0]!.map((_, literal) => (literal < labels ? literal : literal ^ 1));
        const sample = { domainSizes: ring.domainSizes, generators: [...ring.generators, flip] };
        expect(countOrbits(toGroup(sample))).toBe(orbitsByEnumeration(sample, 0));
    }
});

test('wreath products: multisets of the orbits of the blocks', () => {
    // Ten servers with two values and ten clients with three: 2 · (12 over 10) = 132 kinds of blocks, 141 over 10 multisets.
    const sample = treeGroup([10, 10], [2, 3]);
    const factorial10 = 3628800n;
    const group = { ...toGroup(sample), order: factorial10 ** 11n };
    let binomial = 1n;
    for (let i = 1n; i <= 10n; i++) {
        binomial = (binomial * (131n + i)) / i;
    }
    expect(countOrbits(group)).toBe(binomial);
});

test('towers side by side, of which only the order of all together is known', () => {
    // Alone, ten blocks of five clients with three values under a server with two have 2 · (7 over 2) = 42 contents.
    const [first, second] = [treeGroup([150, 4], [1, 3]), treeGroup([10, 5], [2, 3])];
    const [own] = first.generators;
    const beside = own!.length;
    const domainSizes = [...first.domainSizes, ...second.domainSizes];
    const literals = beside + second.generators[0]!.length;
    const generators = [
        ...first.generators.map(images => [
            ...images,
            ...Array.from({ length: literals - beside }, (_, i) => beside + i),
        ]),
        ...second.generators.map(images => [
            ...Array.from({ length: beside }, (_, i) => i),
            ...images.map(i => beside + i),
        ]),
    ];
    const order = factorial(4) ** 150n * factorial(150) * factorial(5) ** 10n * factorial(10);
    // Four clients with three values: (6 over 2) = 15 kinds of blocks of the first.
    const over = (n: bigint, k: bigint): bigint => (k === 0n ? 1n : (over(n - 1n, k - 1n) * n) / k);
    expect(countOrbits({ ...toGroup({ domainSizes, generators }), order })).toBe(over(164n, 150n) * over(51n, 10n));
});

test('rows and columns: binary matrices of four rows and five columns', () => {
    // Both permuted freely; OEIS A028657, row 9: 4 by 5 gives 1053.
    const cells = Array.from({ length: 20 }, (_, cell) => [Math.floor(cell / 5), cell % 5] as const);
    const act = (row: readonly number[], column: readonly number[]): number[] =>
        cells.flatMap(([i, j]) => [0, 1].map(bit => 2 * (5 * row[i]! + column[j]!) + bit));
    const still = [0, 1, 2, 3, 4];
    const generators = [
        ...neighborSwaps(4).map(images => act(images, still)),
        ...neighborSwaps(5).map(images => act(still, images)),
    ];
    expect(countOrbits(toGroup({ domainSizes: cells.map(() => 2), generators }))).toBe(1053n);
});

test('corners of a cube: two colors, up to its symmetries, and a corner that a variable points to', () => {
    // OEIS A000616.
    const reflections = (dimension: number): number[][] => {
        const corners = Array.from({ length: 2 ** dimension }, (_, corner) => corner);
        const permuted = neighborSwaps(dimension).map(images =>
            corners.map(corner => images.reduce((sum, image, bit) => sum + (((corner >> bit) & 1) << image), 0)),
        );
        return [corners.map(corner => corner ^ 1), ...permuted];
    };
    const order = (dimension: number): bigint => 2n ** BigInt(dimension) * factorial(dimension);
    const bits: CellShape[] = [{ kind: 'array', plainValues: 2, namesElements: false }];
    const known = [22n, 402n, 1_228_158n, 400_507_806_843_728n];
    known.forEach((expected, i) => {
        const dimension = i + 3;
        const group = toGroup(familyGroup(2 ** dimension, bits, reflections(dimension)));
        expect(countOrbits({ ...group, order: order(dimension) })).toBe(expected);
    });
    const pointed: CellShape[] = [...bits, { kind: 'single', plainValues: 0, namesElements: true }];
    const sample = familyGroup(8, pointed, reflections(3));
    expect(countOrbits({ ...toGroup(sample), order: 48n })).toBe(orbitsByEnumeration(sample, 0));
});

test('what would take too long is left uncounted', () => {
    const cells: CellShape[] = [{ kind: 'array', plainValues: 0, namesElements: true }];
    expect(countOrbits(toGroup(familyGroup(40, cells, neighborSwaps(40))), { workLimit: 100_000 })).toBeUndefined();
});

test('more classes of conjugate elements than the limit has steps are left uncounted before any is made', () => {
    const count = 80;
    // A bit for each pair of elements; a stabilizer chain would keep more than half a billion images of points.
    const domainSizes = Int32Array.from({ length: count * count }, () => 2);
    const generators = neighborSwaps(count).map(swap =>
        sparsePermutation(
            swap.flatMap((image, first) =>
                swap.flatMap((other, second) =>
                    [0, 1].map((bit): [number, number] => [
                        2 * (first * count + second) + bit,
                        2 * (image * count + other) + bit,
                    ]),
                ),
            ),
        ),
    );
    expect(
        countOrbits({ cellCount: domainSizes.length, domainSizes, generators, order: factorial(count) }),
    ).toBeUndefined();
});
