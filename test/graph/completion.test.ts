import { describe, expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { Certifier } from '../../engine/graph/certify.js';
import type { ColoredGraph } from '../../engine/graph/colored-graph.js';
import { Completion } from '../../engine/graph/completion.js';
import { OrderedPartition } from '../../engine/graph/ordered-partition.js';
import { Refiner } from '../../engine/graph/refinement.js';
import type { SparsePermutation } from '../../engine/group/sparse-permutation.js';
import { completeGraph, frucht, heap, hypercube, processClique, ring, star, wreath } from './graph-families.js';

const NO_EDGE_LIMIT = Number.MAX_SAFE_INTEGER;

/** Goes from `point` to a leaf, always by the first cell; then individualizes `image` instead and asks for a guess. */
function guess(
    graph: ColoredGraph,
    point: number,
    image: number,
    edgeLimit = NO_EDGE_LIMIT,
): SparsePermutation | undefined {
    const partition = new OrderedPartition(graph);
    const refiner = new Refiner(graph, partition);
    refiner.enqueueAllCells();
    refiner.refine(UNLIMITED);
    const { splitCount } = partition;
    refiner.individualize(point);
    refiner.refine(UNLIMITED);
    while (partition.cellCount < partition.vertexCount) {
        const cell = [...partition.elements.keys()].find(start => isLargeCell(partition, start)) ?? 0;
        refiner.individualize(partition.elements[cell] ?? 0);
        refiner.refine(UNLIMITED);
    }
    const leaf = { elements: partition.elements.slice(), position: partition.position.slice() };
    partition.undoTo(splitCount);
    partition.watch(leaf, partition.vertexCount);
    refiner.individualize(image);
    refiner.refine(UNLIMITED);
    return new Completion(graph, partition).guess(splitCount, edgeLimit);
}

function holds(graph: ColoredGraph, { points, images }: SparsePermutation): boolean {
    return new Certifier(graph).holds(points, images, 0, points.length);
}

function isLargeCell(partition: OrderedPartition, start: number): boolean {
    return partition.cellOf[partition.elements[start] ?? 0] === start && (partition.cellLength[start] ?? 0) > 1;
}

describe('one individualized vertex is enough to guess', () => {
    const cases: [string, ColoredGraph, number, number, number | undefined][] = [
        // The last number is the number of vertices that the exchange has to move; undefined where it may be any.
        ['an exchange of two leaves of a star', star(50), 1, 20, 2],
        ['an exchange of two vertices of a complete graph', completeGraph(30), 3, 4, 2],
        ['an exchange of two halves of a tree', heap(63), 31, 62, 62],
        ['an exchange of two blocks', wreath(6, 5), 2, 9, 14],
        ['a symmetry of a ring', ring(30), 0, 7, undefined],
        ['a symmetry of a hypercube', hypercube(5), 0, 21, undefined],
        // 5 literals and steps of each process, in pairs; 4 steps with each other process, and the two between them.
        ['an exchange of two processes', processClique(6), 1, 11, 2 * 5 + 4 * 4 + 2],
    ];
    test.each(cases)('%s', (_name, graph, point, image, support) => {
        const permutation = guess(graph, point, image);
        expect(permutation).toBeDefined();
        if (permutation !== undefined) {
            expect(holds(graph, permutation)).toBe(true);
            expect(permutation.images[permutation.points.indexOf(point)]).toBe(image);
            expect(permutation.points.length).toBe(support ?? permutation.points.length);
        }
    });
});

test('where there is no automorphism, no guess is one', () => {
    const graph = frucht();
    for (let image = 1; image < graph.vertexCount; image++) {
        const permutation = guess(graph, 0, image);
        expect(permutation !== undefined && holds(graph, permutation)).toBe(false);
    }
});

test('a guess that would take too many edges is given up', () => {
    expect(guess(hypercube(6), 0, 1, 10)).toBeUndefined();
});
