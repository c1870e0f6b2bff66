/** Elements of groups that are too large to be listed. */
import { expect, test } from 'vitest';
import { createLiteralAction } from '../../engine/group/literal-action.js';
import { someElements } from '../../engine/representative/some-elements.js';
import { sparsePermutation } from '../../engine/group/sparse-permutation.js';

test('neighbors exchanged in two rows give all transpositions within them, and none between them', () => {
    // S5 × S6 on the values of one variable, of order 86,400: 10 and 15 transpositions.
    const rows = [5, 6];
    const generators = rows.flatMap((length, row) =>
        Array.from({ length: length - 1 }, (_, i) => row * 5 + i).map(i =>
            sparsePermutation([
                [i, i + 1],
                [i + 1, i],
            ]),
        ),
    );
    const action = createLiteralAction({ cellCount: 1, domainSizes: [11], generators });
    const { count, element } = someElements(action);
    const all = count(1000);
    expect(all).toBe(10 + 15);
    const moved = Array.from({ length: all }, (_, index) => {
        const permutation = element(index);
        return 'points' in permutation ? [...permutation.points].join() : 'listed';
    });
    expect(new Set(moved).size).toBe(all);
    expect(moved.every(points => points.split(',').length === 2)).toBe(true);
    // Four and five generators, and no more than are wanted.
    expect([someElements(action).count(3), someElements(action).count(12), count(12)]).toEqual([9, 12, 12]);
});

test('all generators are among them, however many', () => {
    const size = 1100;
    const generators = Array.from({ length: size - 1 }, (_, i) =>
        sparsePermutation([
            [i, i + 1],
            [i + 1, i],
        ]),
    );
    const { generatorCount, count } = someElements(
        createLiteralAction({ cellCount: 1, domainSizes: [size], generators }),
    );
    expect([generatorCount, count(10), count(5000)]).toEqual([size - 1, size - 1, size - 1]);
});
