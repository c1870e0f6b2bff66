/**
 * Whether a transitive group permutes the corners of a cube, whose edges are images of one of them. Each pair with
 * corner 0 is tried as an edge, until it has too many images or the search has taken `MOST_STEPS` steps.
 */
import type { Permutation } from '../group/permutation.js';
import { type SparsePermutation, toDense } from '../group/sparse-permutation.js';

/** Images of pairs that one search may visit. */
const MOST_STEPS = 2_000_000;

/** Edges, each once: from `first[i]` to `second[i]`. */
interface Edges {
    readonly first: readonly number[];
    readonly second: readonly number[];
}

/** Whether it acts as on the corners of a cube: images of a pair of neighbors are its edges, `dimension` at each corner. */
export function isCube(generators: readonly SparsePermutation[], size: number, dimension: number): boolean {
    const count = (size * dimension) / 2;
    const dense = generators.map(generator => toDense(generator, size));
    const meter = { left: MOST_STEPS };
    // A pair that is the image of one before has the same images.
    const isSeen = new Uint8Array(size);
    for (let other = 1; other < size && meter.left > 0; other++) {
        const edges = isSeen[other] === 0 ? imagesOfPair(dense, other, size, count, meter) : undefined;
        edges?.first.forEach((point, i) => {
            if (point === 0 || edges.second[i] === 0) {
                isSeen[point + edges.second[i]] = 1;
            }
        });
        if (edges?.first.length === count && areEdgesOfCube(edges, size, dimension)) {
            return true;
        }
    }
    return false;
}

/** The images of the pair of 0 and another point; undefined for more than `most`, or if no steps are left. */
function imagesOfPair(
    generators: readonly Permutation[],
    other: number,
    size: number,
    most: number,
    meter: { left: number },
): Edges | undefined {
    const first = [0];
    const second = [other];
    const seen = new Set([other]);
    for (let i = 0; i < first.length; i++) {
        meter.left -= generators.length;
        for (const generator of generators) {
            const [a, b] = [generator[first[i]], generator[second[i]]];
            const key = Math.min(a, b) * size + Math.max(a, b);
            if (!seen.has(key)) {
                seen.add(key);
                first.push(a);
                second.push(b);
            }
        }
        if (first.length > most || meter.left <= 0) {
            return undefined;
        }
    }
    return { first, second };
}

/** A neighbor of 0 has one coordinate, another point those of its neighbors nearer to 0; neighbors differ in one. */
function areEdgesOfCube({ first, second }: Edges, size: number, dimension: number): boolean {
    const neighbors: number[][] = Array.from({ length: size }, () => []);
    first.forEach((point, i) => {
        neighbors[point].push(second[i]);
        neighbors[second[i]].push(point);
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
        first.every((point, i) => {
            const difference = coordinates[point] ^ coordinates[second[i]];
            return (difference & (difference - 1)) === 0;
        })
    );
}
