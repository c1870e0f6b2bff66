import { describe, expect, test } from 'vitest';
import { isCube } from '../../engine/describe/known-shapes.js';
import { neighborSwaps, reflection, rotation, toSparseGenerators } from '../arbitrary/literal-groups.js';

/** Some order of 0 … size - 1 that has nothing to do with the shape. */
function mixedUp(size: number): number[] {
    const step = [7, 11, 13, 17].find(candidate => size % candidate !== 0)!;
    return Array.from({ length: size }, (_, point) => (point * step + 3) % size);
}

/** The same generators with other names for the points. */
function renamed(generators: readonly (readonly number[])[], names: readonly number[]): number[][] {
    return generators.map(images => {
        const result: number[] = [];
        images.forEach((image, point) => (result[names[point]!] = names[image]!));
        return result;
    });
}

function cube(dimension: number): number[][] {
    const corners = Array.from({ length: 2 ** dimension }, (_, corner) => corner);
    const permuted = neighborSwaps(dimension).map(images =>
        corners.map(corner => images.reduce((sum, image, bit) => sum + (((corner >> bit) & 1) << image), 0)),
    );
    return [corners.map(corner => corner ^ 1), ...permuted];
}

describe('a cube is seen', () => {
    test.each([3, 4, 5, 8])('of %d dimensions, whatever its corners are called', dimension => {
        const size = 2 ** dimension;
        const generators = toSparseGenerators(renamed(cube(dimension), mixedUp(size)));
        expect(isCube(generators, size, dimension)).toBe(true);
        expect(isCube(generators, size, dimension - 1)).toBe(false);
    });

    test('only where there is one: eight points in a ring, and two squares side by side, have none', () => {
        expect(isCube(toSparseGenerators([rotation(8), reflection(8)]), 8, 3)).toBe(false);
        const squares = [
            [1, 2, 3, 0, 5, 6, 7, 4],
            [4, 5, 6, 7, 0, 1, 2, 3],
        ];
        expect(isCube(toSparseGenerators(squares), 8, 2)).toBe(false);
    });
});

test('where thousands of pairs have too many images to be edges nobody waits for the last of them', () => {
    // The rotations of a torus of 80 by 80: a cube of 13 dimensions has more edges than a pair has images.
    const size = 80;
    const points = Array.from({ length: size * size }, (_, point) => point);
    const generators = [
        points.map(point => point - (point % size) + ((point + 1) % size)),
        points.map(point => (point + size) % (size * size)),
    ];
    expect(isCube(toSparseGenerators(generators), size * size, 13)).toBe(false);
});
