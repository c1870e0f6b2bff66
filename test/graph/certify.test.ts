import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Certifier, isAutomorphism } from '../../engine/graph/certify.js';
import { graphs, rearrangements } from '../arbitrary/graphs.js';
import { allAutomorphisms } from '../reference/brute-force-automorphisms.js';
import { completeGraph, graphOf, path, range, ring } from './graph-families.js';
import { sparse } from './permutations.js';

test('the automorphisms are exactly the permutations that trying out all of them finds', () => {
    const cases = graphs(6).chain(graph => fc.tuple(fc.constant(graph), rearrangements(graph.vertexCount)));
    fc.assert(
        fc.property(cases, ([graph, images]) => {
            const expected = allAutomorphisms(graph).some(automorphism => automorphism.join() === images.join());
            expect(isAutomorphism(graph, sparse(images))).toBe(expected);
        }),
        { numRuns: 300 },
    );
});

test('every automorphism found by trying out is certified', () => {
    fc.assert(
        fc.property(graphs(6), graph => {
            const certifier = new Certifier(graph);
            for (const automorphism of allAutomorphisms(graph)) {
                expect(certifier.isAutomorphism(sparse(automorphism))).toBe(true);
            }
        }),
    );
});

test('a permutation that breaks an edge or a color is refused', () => {
    expect(isAutomorphism(path(4), sparse([3, 2, 1, 0]))).toBe(true);
    expect(isAutomorphism(path(4), sparse([1, 0, 2, 3]))).toBe(false);
    const twoColors = graphOf(2, [], ['a', 'b']);
    expect(isAutomorphism(twoColors, sparse([1, 0]))).toBe(false);
});

test('what is no permutation of the vertices is refused', () => {
    const graph = completeGraph(4);
    const refused: [number[], number[]][] = [
        [[0, 1], [1]],
        [
            [0, 1],
            [1, 1],
        ],
        [
            [0, 1],
            [1, 2],
        ],
        [
            [1, 0],
            [0, 1],
        ],
        [
            [0, 4],
            [4, 0],
        ],
        [
            [-1, 0],
            [0, -1],
        ],
        [
            [0, 1, 2],
            [1, 0, 2],
        ],
    ];
    for (const [points, images] of refused) {
        const permutation = { points: Int32Array.from(points), images: Int32Array.from(images) };
        expect(isAutomorphism(graph, permutation)).toBe(false);
    }
});

test('one certifier checks many permutations, good and bad, without mixing them up', () => {
    const certifier = new Certifier(ring(9));
    const rotation = sparse(range(9).map(i => (i + 1) % 9));
    const exchange = sparse([1, 0, 2, 3, 4, 5, 6, 7, 8]);
    for (let i = 0; i < 5; i++) {
        expect(certifier.isAutomorphism(rotation)).toBe(true);
        expect(certifier.isAutomorphism(exchange)).toBe(false);
    }
});
