/** The text for GAP. That GAP reads it was tried by hand with GAP 4.12.1; here its form is pinned. */
import { expect, test } from 'vitest';
import { toGap } from '../../cli/report/gap.js';
import { sparsePermutation } from '../../engine/group/sparse-permutation.js';

test('a group is a list of permutations in cycles on points from 1, with the names of the literals', () => {
    const rotation = sparsePermutation([
        [0, 2],
        [2, 1],
        [1, 0],
    ]);
    const flip = sparsePermutation([
        [0, 1],
        [1, 0],
        [3, 4],
        [4, 3],
    ]);
    const text = toGap({
        title: 'M (N = 3)\nG := 0;',
        literals: ['x = 0', 'x = 1', 'x = 2', 'y = 0', 'y = 1'],
        generators: [rotation, flip],
        order: 6n,
        complete: true,
    });
    expect(text).toBe(
        [
            '# M (N = 3) G := 0;',
            '# Its symmetry group has order 6 and acts on the literals',
            '#   1  x = 0',
            '#   2  x = 1',
            '#   3  x = 2',
            '#   4  y = 0',
            '#   5  y = 1',
            'G := Group([',
            '    (1,3,2),',
            '    (1,2)(4,5)',
            '], ());',
            '',
        ].join('\n'),
    );
});

test('the trivial group has the identity alone, and a subgroup says so', () => {
    const text = toGap({ title: 'M', literals: ['x = 0'], generators: [], order: 1n, complete: false });
    expect(text).toContain('# A subgroup of its symmetry group');
    expect(text).toContain('G := Group([\n], ());\n');
});

test('long permutations are broken between cycles', () => {
    const swaps = Array.from({ length: 200 }, (_, point): [number, number] => [point, point ^ 1]);
    const lines = toGap({
        title: 'M',
        literals: [],
        generators: [sparsePermutation(swaps)],
        order: 2n,
        complete: true,
    }).split('\n');
    expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(100);
    expect(lines.join('').match(/\(\d+,\d+\)/g)).toHaveLength(100);
});
