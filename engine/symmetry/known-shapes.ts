/**
 * Shapes that people know, the corners of which a transitive group permutes: a ring, a cube. A shape is seen by its edges,
 * which are the images of one of them.
 */
import { orbits } from '../group/orbits.js';
import { imageOf, type SparsePermutation } from '../group/sparse-permutation.js';

/** Whether the group acts on points 0 … size - 1 as on a ring: images of a pair of neighbors are its edges. */
export function isPolygon(generators: readonly SparsePermutation[], size: number): boolean {
    for (let other = 1; other < size; other++) {
        const edges = imagesOfPair(generators, 0, other, size);
        const neighbors = new Map<number, number[]>();
        edges.forEach(([a, b]) => {
            neighbors.set(a, [...(neighbors.get(a) ?? []), b]);
            neighbors.set(b, [...(neighbors.get(b) ?? []), a]);
        });
        if (edges.length === size && [...neighbors.values()].every(list => list.length === 2)) {
            const ring = orbits(
                edges.map(([a, b]) => ({ points: Int32Array.of(a, b), images: Int32Array.of(b, a) })),
                size,
            );
            if (ring.length === 1) {
                return true;
            }
        }
    }
    return false;
}

/** The images of a pair, each once; none where they are more than the points. */
function imagesOfPair(
    generators: readonly SparsePermutation[],
    first: number,
    second: number,
    most: number,
): readonly (readonly [number, number])[] {
    const key = (a: number, b: number): string => `${Math.min(a, b)} ${Math.max(a, b)}`;
    const seen = new Map<string, readonly [number, number]>([[key(first, second), [first, second]]]);
    for (const [, [a, b]] of seen) {
        for (const generator of generators) {
            const image = [imageOf(generator, a), imageOf(generator, b)] as const;
            if (!seen.has(key(...image))) {
                seen.set(key(...image), image);
            }
        }
        if (seen.size > most) {
            return [];
        }
    }
    return [...seen.values()];
}

/** Whether it acts as on the corners of a cube: images of a pair of neighbors are its edges, `dimension` at each corner. */
export function isCube(generators: readonly SparsePermutation[], size: number, dimension: number): boolean {
    const edgeCount = (size * dimension) / 2;
    for (let other = 1; other < size; other++) {
        const edges = imagesOfPair(generators, 0, other, edgeCount);
        if (edges.length === edgeCount && areEdgesOfCube(edges, size, dimension)) {
            return true;
        }
    }
    return false;
}

/**
 * A cube is the graph in which each point can be given a subset of the coordinates: a neighbor of 0 one coordinate, and
 * every other point those of its neighbors that are nearer to 0; different points have different ones, and neighbors
 * differ in one.
 */
function areEdgesOfCube(edges: readonly (readonly [number, number])[], size: number, dimension: number): boolean {
    const neighbors: number[][] = Array.from({ length: size }, () => []);
    edges.forEach(([a, b]) => {
        neighbors[a].push(b);
        neighbors[b].push(a);
    });
    if (neighbors.some(list => list.length !== dimension)) {
        return false;
    }
    const coordinates = new Int32Array(size).fill(-1);
    coordinates[0] = 0;
    neighbors[0].forEach((neighbor, axis) => (coordinates[neighbor] = 1 << axis));
    const queue = [...neighbors[0]];
    for (const point of queue) {
        for (const next of neighbors[point]) {
            if (coordinates[next] < 0) {
                const nearer = neighbors[next].filter(each => coordinates[each] >= 0);
                coordinates[next] = nearer.reduce((set, each) => set | coordinates[each], 0);
                queue.push(next);
            }
        }
    }
    const areDistinct = new Set(coordinates).size === size && coordinates.every(set => set >= 0);
    return (
        areDistinct &&
        edges.every(([a, b]) => {
            const difference = coordinates[a] ^ coordinates[b];
            return (difference & (difference - 1)) === 0;
        })
    );
}
