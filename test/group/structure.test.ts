import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compose, equals, factorial, orderOfElement, permutation } from '../../engine/group/permutation.js';
import { sparsePermutation, toDense } from '../../engine/group/sparse-permutation.js';
import { describeGroup, describeQuotient, directFactors, type GroupStructure } from '../../engine/group/structure.js';
import {
    familyGroup,
    neighborSwaps,
    permutationsOf,
    reflection,
    rotation,
    toSparseGenerators,
} from '../arbitrary/literal-groups.js';
import { closure } from '../reference/brute-force-group.js';

/** The group's name, with the order given and without. */
function nameOf(generators: readonly (readonly number[])[], order?: bigint): string {
    const degree = generators[0]?.length ?? 0;
    const sparse = toSparseGenerators(generators);
    const structure = describeGroup(sparse, degree, order);
    const withoutOrder = describeGroup(sparse, degree);
    expect(withoutOrder).toEqual(structure);
    return structure.name;
}

/** An image array from cycles, as `fromCycles(5, [0, 1], [2, 3, 4])`. */
function fromCycles(degree: number, ...cycles: number[][]): number[] {
    const images = Array.from({ length: degree }, (_, point) => point);
    for (const cycle of cycles) {
        cycle.forEach((point, i) => (images[point] = cycle[(i + 1) % cycle.length]!));
    }
    return images;
}

function disjoint(...groups: number[][][]): number[][] {
    const degrees = groups.map(group => group[0]!.length);
    return groups.flatMap((group, g) => {
        const start = degrees.slice(0, g).reduce((sum, degree) => sum + degree, 0);
        return group.map(images =>
            Array.from({ length: degrees.reduce((sum, degree) => sum + degree, 0) }, (_, point) =>
                point >= start && point < start + degrees[g]! ? images[point - start]! + start : point,
            ),
        );
    });
}

function wreathGenerators(inner: number[][], outer: number[][]): number[][] {
    const size = inner[0]!.length;
    const copies = outer[0]!.length;
    const degree = size * copies;
    return [
        ...inner.map(images => Array.from({ length: degree }, (_, point) => (point < size ? images[point]! : point))),
        ...outer.map(images =>
            Array.from({ length: degree }, (_, point) => images[Math.floor(point / size)]! * size + (point % size)),
        ),
    ];
}

/** The group's right regular action: point i is the i-th element. */
function regular(generators: number[][]): number[][] {
    const elements = closure(generators, generators[0]!.length);
    const index = new Map(elements.map((element, i) => [element.join(), i]));
    return generators.map(generator => elements.map(element => index.get(element.map(x => generator[x]!).join())!));
}

/** Reflections and permutations of the coordinates of the corners of a cube. */
function cube(dimension: number): number[][] {
    const corners = Array.from({ length: 2 ** dimension }, (_, corner) => corner);
    const permuted = neighborSwaps(dimension).map(images =>
        corners.map(corner => images.reduce((sum, image, bit) => sum + (((corner >> bit) & 1) << image), 0)),
    );
    return [corners.map(corner => corner ^ 1), ...permuted];
}

const alternatingGenerators = (n: number): number[][] =>
    Array.from({ length: n - 2 }, (_, i) => fromCycles(n, [0, 1, i + 2]));
const quaternion = [fromCycles(8, [0, 1, 2, 3], [4, 5, 6, 7]), fromCycles(8, [0, 4, 2, 6], [1, 7, 3, 5])];

/** The symmetries of the icosahedron on its corners: a turn about one of them, a mirror image, all for their opposites. */
const icosahedron = [
    fromCycles(12, [1, 2, 3, 4, 5], [6, 7, 8, 9, 10]),
    [1, 0, 2, 7, 6, 5, 4, 3, 8, 11, 10, 9],
    [11, 9, 10, 6, 7, 8, 3, 4, 5, 1, 2, 0],
];

describe('a group is named for what it is', () => {
    // Names follow from the construction; orders of the published systems are those of Zhang et al., ASE 2013, Table I.
    const cases: Record<string, number[][]> = {
        trivial: [fromCycles(3)],
        C2: neighborSwaps(2),
        S3: neighborSwaps(3),
        S5: [fromCycles(5, [0, 1]), rotation(5)],
        A4: alternatingGenerators(4),
        A5: alternatingGenerators(5),
        C10: disjoint([rotation(5)], neighborSwaps(2)),
        'C4 x C2': disjoint([rotation(4)], neighborSwaps(2)),
        'C6 x C2': disjoint([rotation(3)], neighborSwaps(2), neighborSwaps(2)),
        'C2 x C2': disjoint(neighborSwaps(2), neighborSwaps(2)),
        C12: [rotation(12)],
        D4: [rotation(4), reflection(4)],
        D5: [rotation(5), reflection(5)],
        'S3 x C2': [rotation(6), reflection(6)],
        'D5 x C2': [rotation(10), reflection(10)],
        D12: [rotation(12), reflection(12)],
        'D9 x S3 x C2': disjoint([rotation(9), reflection(9)], neighborSwaps(3), neighborSwaps(2)),
        'S3 wr S3': wreathGenerators(neighborSwaps(3), neighborSwaps(3)),
        '(S3 wr C2) x C2': disjoint(wreathGenerators(neighborSwaps(3), neighborSwaps(2)), neighborSwaps(2)),
        'S4 x C2': disjoint(neighborSwaps(4), neighborSwaps(2)),
        'A4 x C2': disjoint(alternatingGenerators(4), neighborSwaps(2)),
        'C2 wr S4': wreathGenerators(neighborSwaps(2), neighborSwaps(4)),
        'C2 wr C2 wr C2': wreathGenerators(neighborSwaps(2), wreathGenerators(neighborSwaps(2), neighborSwaps(2))),
        'S3 wr C4': wreathGenerators(neighborSwaps(3), [rotation(4)]),
        'C3 wr S4': wreathGenerators([rotation(3)], neighborSwaps(4)),
        'D5 wr C2': wreathGenerators([rotation(5), reflection(5)], neighborSwaps(2)),
        'A5 x S3': disjoint(alternatingGenerators(5), neighborSwaps(3)),
        'S3^3': disjoint(neighborSwaps(3), neighborSwaps(3), neighborSwaps(3)),
        'S3^3 x C2^4': disjoint(...[3, 3, 3, 2, 2, 2, 2].map(neighborSwaps)),
        'D5 x S3 x S3': disjoint([rotation(5), reflection(5)], neighborSwaps(3), neighborSwaps(3)),
    };
    test.each(Object.entries(cases))('%s', (name, generators) => {
        const order = BigInt(closureOrder(generators));
        expect(nameOf(generators, order)).toBe(name);
    });

    test.each([
        ['D4', wreathGenerators(neighborSwaps(2), neighborSwaps(2))],
        ['S4 x C2', wreathGenerators(neighborSwaps(2), neighborSwaps(3))],
        ['A4 x C2', wreathGenerators(neighborSwaps(2), [rotation(3)])],
        ['S3 x C3', wreathGenerators([rotation(3)], neighborSwaps(2))],
        ['S4 x C2', cube(3)],
        ['C2 wr S4', cube(4)],
        ['C2 wr S5', cube(5)],
        ['D4', cube(2)],
        ['S10', neighborSwaps(10)],
        ['A5 x C2', icosahedron],
    ])('%s, made in another way', (name, generators) => {
        expect(nameOf(generators)).toBe(name);
    });

    test.each([
        ['C4 x C2', disjoint([rotation(4)], neighborSwaps(2))],
        ['S3 x C2', [rotation(6), reflection(6)]],
        ['A4', alternatingGenerators(4)],
        ['S4', neighborSwaps(4)],
        ['D4', [rotation(4), reflection(4)]],
        ['S3 x S3', disjoint(neighborSwaps(3), neighborSwaps(3))],
    ])('%s in its regular action, or unnamed', (name, generators) => {
        const regularGenerators = regular(generators);
        expect([name, `order ${closureOrder(generators)}`]).toContain(nameOf(regularGenerators));
    });
});

describe('groups that are no products of natural ones', () => {
    // Normal subgroups, quotients and complements as GAP 4.12.1 finds them; PSL(3, 2) is also PSL(2, 7).
    test.each([
        ['C4 . C2', 'the quaternion group', 8, quaternion],
        ['C5 : C4', 'the Frobenius group of order 20', 20, [rotation(5), fromCycles(5, [1, 2, 4, 3])]],
        ['C7 : C3', 'the Frobenius group of order 21', 21, [rotation(7), fromCycles(7, [1, 2, 4], [3, 6, 5])]],
        ['C2 . A4', 'SL(2, 3) on eight points', 24, [quaternion[0]!, fromCycles(8, [1, 4, 5], [3, 6, 7])]],
        ['PSL(3, 2)', 'PSL(2, 7) on seven points', 168, [rotation(7), fromCycles(7, [1, 2], [3, 6])]],
        ['(C2 x C2) : S3', 'S4 on the edges of the tetrahedron', 24, onPairs(neighborSwaps(4))],
        ['S5', 'S5 on six points', 120, [fromCycles(6, [0, 1], [2, 3], [4, 5]), fromCycles(6, [1, 2, 3, 4, 5])]],
        ['A5', 'A5 on six points', 60, [fromCycles(6, [0, 1], [2, 5]), fromCycles(6, [1, 2, 3, 4, 5])]],
        [
            'C2^3 : S4',
            'the even elements of C2 wr S4',
            192,
            [...wreathGenerators([[0, 1]], neighborSwaps(4)), fromCycles(8, [0, 1], [2, 3])],
        ],
        // S3 on three points and at the same time as sign on two more.
        ['S3', 'two polygons that turn together', 6, neighborSwaps(3).map(images => [...images, 4, 3])],
    ])('%s: %s', (name, _, order, generators) => {
        expect(closureOrder(generators)).toBe(order);
        expect(nameOf(generators)).toBe(name);
    });
});

function onPairs(generators: readonly (readonly number[])[]): number[][] {
    const degree = generators[0]!.length;
    const pairs = Array.from({ length: degree * degree }, (_, index) => [Math.floor(index / degree), index % degree])
        .filter(([a, b]) => a! < b!)
        .map(pair => pair.join());
    return generators.map(images =>
        pairs.map(pair =>
            pairs.indexOf(
                pair
                    .split(',')
                    .map(point => images[Number(point)]!)
                    .sort((a, b) => a - b)
                    .join(),
            ),
        ),
    );
}

describe('direct factors', () => {
    test('of random groups commute, meet in the identity and generate the group', () => {
        fc.assert(
            fc.property(fc.array(permutationsOf(7), { minLength: 1, maxLength: 3 }), generators => {
                const factors = directFactors(toSparseGenerators(generators), 7).map(factor => ({
                    order: Number(factor.structure.order),
                    generators: factor.generators.map(generator => [...toDense(generator, 7)]),
                }));
                for (const factor of factors) {
                    expect(closureOrder(factor.generators)).toBe(factor.order);
                    for (const other of factors.filter(each => each !== factor)) {
                        for (const a of factor.generators) {
                            for (const b of other.generators) {
                                expect(a.map(image => b[image])).toEqual(b.map(image => a[image]));
                            }
                        }
                    }
                }
                const together = factors.flatMap(factor => factor.generators);
                const order = factors.reduce((product, factor) => product * factor.order, 1);
                expect(order).toBe(closureOrder(generators));
                expect(together.length === 0 ? 1 : closureOrder(together)).toBe(order);
            }),
        );
    });

    test.each<[string, number[][], string[]]>([
        // Ten processes in a ring, and two values that are exchanged on the way or not.
        [
            'a ring with a flip',
            [
                [...rotation(10), 11, 10],
                [...rotation(10).map((_, i) => i), 11, 10],
            ],
            ['C2', 'C10'],
        ],
        ['a ring whose only generator flips', [[...rotation(5), 6, 5]], ['C2', 'C5']],
        [
            'a ring with reflections, and three colors',
            disjoint([rotation(9), reflection(9)], neighborSwaps(3)),
            ['D9', 'S3'],
        ],
        [
            'three servers of three clients, and one of two',
            disjoint(wreathGenerators(neighborSwaps(3), neighborSwaps(3)), neighborSwaps(2)),
            ['C2', 'S3 wr S3'],
        ],
        // Exchanging the colors of every other process turns with the ring, so nothing of it can be taken apart.
        ['colors by parity', parityColors(12), ['(S3 x S3) : D12']],
    ])('of %s', (_, generators, names) => {
        const factors = directFactors(toSparseGenerators(generators), generators[0]!.length);
        expect(factors.map(({ structure }) => structure.name).sort()).toEqual(names.sort());
    });
});

/** A ring of even length: rotations and reflections move three colors of each, which are permuted by parity. */
function parityColors(size: number): number[][] {
    const color = (place: number, value: number): number => 3 * place + value;
    const build = (image: (place: number, value: number) => number): number[] =>
        Array.from({ length: 3 * size }, (_, point) => image(Math.floor(point / 3), point % 3));
    const evenColors = neighborSwaps(3).map(images =>
        build((place, value) => color(place, place % 2 === 0 ? images[value]! : value)),
    );
    return [
        build((place, value) => color((place + 1) % size, value)),
        build((place, value) => color((size - place) % size, value)),
        ...evenColors,
    ];
}

test('matrices, pairs and index values do not hide a symmetric group', () => {
    const peterson = familyGroup(
        9,
        [
            { kind: 'array', plainValues: 3, namesElements: false },
            { kind: 'single', plainValues: 1, namesElements: true },
        ],
        neighborSwaps(9),
    );
    expect(
        nameOf(
            peterson.generators.map(g => [...g]),
            362880n,
        ),
    ).toBe('S9');
    // The social golfer problem on the full matrix: golfers are permuted, and the matrix may be transposed.
    const golfers = familyGroup(
        9,
        [
            { kind: 'array', plainValues: 2, namesElements: false },
            { kind: 'pairs', plainValues: 2, namesElements: false },
        ],
        neighborSwaps(9),
    );
    const pairs = Array.from({ length: 9 }, (_, i) => i).flatMap(i =>
        Array.from({ length: 9 }, (_, j) => j)
            .filter(j => j !== i)
            .map(j => [i, j] as const),
    );
    const transpose = golfers.generators[0]!.map((_, point) => {
        if (point < 18) {
            return point;
        }
        const [i, j] = pairs[Math.floor((point - 18) / 2)]!;
        return 18 + 2 * pairs.findIndex(pair => pair[0] === j && pair[1] === i) + (point % 2);
    });
    expect(nameOf([...golfers.generators.map(g => [...g]), transpose], 725760n)).toBe('S9 x C2');
});

test('a ring of nine with three colors and a flip, acting on the same cells, is D9 x S3 x C2', () => {
    // Two-hop coloring: color[u] in 0 … 2 and F[u][c] in 0 … 1, literals 3u + c and 27 + 6u + 2c + b.
    const act = (agent: (u: number) => number, color: (c: number) => number, flip: number): number[] => {
        const images: number[] = [];
        for (let u = 0; u < 9; u++) {
            for (let c = 0; c < 3; c++) {
                images[3 * u + c] = 3 * agent(u) + color(c);
                for (let b = 0; b < 2; b++) {
                    images[27 + 6 * u + 2 * c + b] = 27 + 6 * agent(u) + 2 * color(c) + (b ^ flip);
                }
            }
        }
        return images;
    };
    const same = (x: number): number => x;
    const generators = [
        act(u => (u + 1) % 9, same, 0),
        act(u => (9 - u) % 9, same, 0),
        act(same, c => [1, 0, 2][c]!, 0),
        act(same, c => [0, 2, 1][c]!, 0),
        act(same, same, 1),
    ];
    expect(nameOf(generators, 216n)).toBe('D9 x S3 x C2');
});

test('large direct factors are told apart by their orders', () => {
    // 10! ^ 11 for ten servers with ten clients each, 12! for twelve processes beside them.
    const servers = wreathGenerators(neighborSwaps(10), neighborSwaps(10));
    const generators = disjoint(servers, neighborSwaps(12), [rotation(7), reflection(7)]);
    const structure = describeGroup(
        toSparseGenerators(generators),
        generators[0]!.length,
        3628800n ** 11n * 479001600n * 14n,
    );
    expect(structure.name).toBe('(S10 wr S10) x S12 x D7');
});

test('large towers are told apart where a generator moves something in every block of both', () => {
    const [first, second] = [150, 120].map(count => wreathGenerators(neighborSwaps(3), neighborSwaps(count)));
    const degree = 3 * (150 + 120);
    const everywhere = Array.from({ length: degree }, (_, point) => point + [1, -1, 0][point % 3]!);
    const order = 6n ** 270n * factorial(150) * factorial(120);
    expect(nameOf([everywhere, ...disjoint(first!, second!)], order)).toBe('(S3 wr S150) x (S3 wr S120)');
});

test('two thousand interchangeable processes are recognized at once', () => {
    const count = 2000;
    const generators = neighborSwapsSparse(count, 5);
    let order = 1n;
    for (let i = 2n; i <= 2000n; i++) {
        order *= i;
    }
    expect(describeGroup(generators, count * 5, order).name).toBe('S2000');
    expect(describeGroup(generators, count * 5).name).toBe('S2000');
});

describe('the quotients of a symmetric group', () => {
    /** What exchanges of neighbors do to all ordered pairs of different ones of 0 … count - 1. */
    function onPairs(count: number) {
        const at = (first: number, second: number): number => first * count + second;
        return neighborSwaps(count).map(swap => {
            const moved = swap.flatMap((image, first) =>
                swap.flatMap((other, second): [number, number][] =>
                    first === second ? [] : [[at(first, second), at(image, other)]],
                ),
            );
            return sparsePermutation(moved);
        });
    }

    test('are what the action is without knowing of what group it is a quotient', () => {
        for (const count of [3, 4, 5, 6]) {
            const whole = describeGroup(toSparseGenerators(neighborSwaps(count)), count);
            const pairs = onPairs(count);
            expect(describeQuotient(pairs, count * count, whole)).toEqual(describeGroup(pairs, count * count));
            const signs = toSparseGenerators(neighborSwaps(count).map(() => [1, 0]));
            expect(describeQuotient(signs, 2, whole).name).toBe('C2');
        }
        // S4 permutes the three ways to make two pairs of four, and what leaves all of them alone is a subgroup.
        const ways = toSparseGenerators([
            [0, 2, 1],
            [1, 0, 2],
            [0, 2, 1],
        ]);
        expect(describeQuotient(ways, 3, describeGroup(toSparseGenerators(neighborSwaps(4)), 4)).name).toBe('S3');
    });

    test('are told apart without elements on many points', () => {
        const whole = describeGroup(toSparseGenerators(neighborSwaps(100)), 100);
        expect(describeQuotient(onPairs(100), 10_000, whole).name).toBe('S100');
    });
});

describe('a random group and the group its name means cannot be told apart', () => {
    /** Generators of the group in its natural action, from the name's data alone. */
    function standardGenerators(structure: GroupStructure): number[][] {
        switch (structure.kind) {
            case 'trivial':
                return [[0]];
            case 'symmetric':
                return neighborSwaps(structure.degree);
            case 'alternating':
                return alternatingGenerators(structure.degree);
            case 'cyclic':
                return [rotation(structure.degree)];
            case 'dihedral':
                return [rotation(structure.degree), reflection(structure.degree)];
            case 'wreath':
                return structure.tower.map(standardGenerators).reduce(wreathGenerators);
            case 'product':
                return disjoint(...structure.factors.map(standardGenerators));
            case 'extension':
            case 'other':
                throw new Error('has no standard form');
        }
    }

    function hasStandardForm(structure: GroupStructure): boolean {
        switch (structure.kind) {
            case 'wreath':
                return structure.tower.every(hasStandardForm);
            case 'product':
                return structure.factors.every(hasStandardForm);
            case 'extension':
            case 'other':
                return false;
            default:
                return true;
        }
    }

    /** How many elements have each order, and how many pairs commute: the same for isomorphic groups. */
    function invariantsOf(generators: readonly (readonly number[])[]): string {
        const elements = closure(generators, generators[0]!.length).map(permutation);
        const orders = new Map<bigint, number>();
        for (const element of elements) {
            const order = orderOfElement(element);
            orders.set(order, (orders.get(order) ?? 0) + 1);
        }
        let commuting = 0;
        for (const p of elements.slice(0, 300)) {
            for (const q of elements.length <= 300 ? elements : []) {
                commuting += equals(compose(p, q), compose(q, p)) ? 1 : 0;
            }
        }
        return JSON.stringify([[...orders].map(String).sort(), commuting]);
    }

    const ambient: Record<string, number[][]> = {
        S6: neighborSwaps(6),
        'S3 wr S3': wreathGenerators(neighborSwaps(3), neighborSwaps(3)),
        'S4 wr C2': wreathGenerators(neighborSwaps(4), neighborSwaps(2)),
        'C2 wr S4': wreathGenerators(neighborSwaps(2), neighborSwaps(4)),
        'corners of the cube': cube(3),
        'D6 x D4': disjoint([rotation(6), reflection(6)], [rotation(4), reflection(4)]),
        'regular S4': regular(neighborSwaps(4)),
        'regular D6': regular([rotation(6), reflection(6)]),
    };
    test.each(Object.entries(ambient))('subgroups of %s', (_, generators) => {
        const elements = closure(generators, generators[0]!.length);
        let named = 0;
        fc.assert(
            fc.property(fc.array(fc.nat(elements.length - 1), { minLength: 1, maxLength: 3 }), chosen => {
                const subgroup = chosen.map(index => elements[index]!);
                const order = closureOrder(subgroup);
                const structure = describeGroup(toSparseGenerators(subgroup), subgroup[0]!.length);
                expect(structure.order).toBe(BigInt(order));
                if (hasStandardForm(structure)) {
                    named++;
                    expect(invariantsOf(standardGenerators(structure))).toBe(invariantsOf(subgroup));
                    // The group in its natural action has the same name: there is one name for each.
                    const standard = toSparseGenerators(standardGenerators(structure));
                    const degree = standardGenerators(structure)[0]!.length;
                    expect(describeGroup(standard, degree).name).toBe(structure.name);
                }
            }),
            { numRuns: 60 },
        );
        expect(named).toBeGreaterThan(20);
    });
});

test('random groups: an order is the number of elements, whatever the name', () => {
    fc.assert(
        fc.property(fc.array(permutationsOf(6), { minLength: 1, maxLength: 3 }), generators => {
            const structure = describeGroup(toSparseGenerators(generators), 6);
            expect(structure.order).toBe(BigInt(closureOrder(generators)));
        }),
    );
});

function neighborSwapsSparse(count: number, width: number) {
    return Array.from({ length: count - 1 }, (_, i) => {
        const points = Int32Array.from({ length: 2 * width }, (_, k) => i * width + k);
        return { points, images: points.map(point => (point < (i + 1) * width ? point + width : point - width)) };
    });
}

function closureOrder(generators: readonly (readonly number[])[]): number {
    return closure(generators, generators[0]!.length).length;
}

describe('where time is over', () => {
    const over = { isExhausted: () => true };

    test('the order that is known is said, and no name that was not found', () => {
        const generators = toSparseGenerators(disjoint([rotation(9)], [rotation(8), reflection(8)]));
        expect(describeGroup(generators, 17, 144n)).toMatchObject({ name: 'D8 x C9' });
        expect(describeGroup(generators, 17, 144n, over).order).toBe(144n);
    });

    test('an order that nobody has told is not guessed', () => {
        expect(describeGroup(toSparseGenerators([rotation(8), reflection(8)]), 8, undefined, over)).toMatchObject({
            name: 'order unknown',
            order: 0n,
        });
    });
});
