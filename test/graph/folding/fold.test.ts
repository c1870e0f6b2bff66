import { expect, test } from 'vitest';
import { numberedBreadthFirst, unbundled } from '../../../engine/graph/folding/bundled-graph.js';
import { foldGraph } from '../../../engine/graph/folding/fold.js';
import { findAutomorphisms } from '../../../engine/graph/automorphisms.js';
import { BasePoints } from '../../../engine/graph/folding/base-points.js';
import { Certifier } from '../../../engine/graph/certify.js';
import { Kernel } from '../../../engine/graph/folding/kernel.js';
import { Scratch } from '../../../engine/graph/scratch.js';
import { UNLIMITED } from '../../../engine/common/work-limit.js';
import { graphs } from '../../arbitrary/graphs.js';
import { expectExactOn } from './folding.js';
import {
    completeBipartite,
    disjointUnion,
    edgesOf,
    graphOf,
    path,
    range,
    ring,
    shuffled,
    torus,
    wreath,
} from '../graph-families.js';

test('all steps together leave exactly the symmetries of the graph', () => {
    expectExactOn((stage, kernel, scratch) => foldGraph(stage.graph, kernel, scratch), graphs(7), 100);
});

test('what becomes plain by folding is folded in turn', () => {
    const plain = [completeBipartite(5, 7), wreath(4, 5)];
    for (const graph of plain) {
        const kernel = new Kernel(new Certifier(graph), UNLIMITED, new BasePoints(undefined));
        const rest = foldGraph(graph, kernel, new Scratch());
        expect(rest === 'stopped' ? 'stopped' : rest.graph.vertexCount).toBeLessThanOrEqual(2);
    }
});

test('a few vertices of a large graph are left to the search, which finds their symmetries', () => {
    const large = torus(30, 30);
    // The stabilizer of a vertex of a torus has order 8; the torus has order 8 * 900.
    const cases = [
        { graph: graphOf(902, [...edgesOf(large), [0, 900], [0, 901]]), order: 16n },
        {
            graph: graphOf(903, [...edgesOf(large), [0, 900], [1, 900], [0, 901], [1, 901], [0, 902], [1, 902]]),
            order: 24n,
        },
        { graph: disjointUnion(large, ring(3)), order: 7200n * 6n },
        { graph: disjointUnion(large, path(2)), order: 7200n * 2n },
    ];
    for (const { graph, order } of cases) {
        const kernel = new Kernel(new Certifier(graph), UNLIMITED, new BasePoints(undefined));
        const rest = foldGraph(graph, kernel, new Scratch());
        expect(rest === 'stopped' ? 'stopped' : rest.graph).toBe(graph);
        expect(findAutomorphisms(graph, { workLimit: UNLIMITED }).order).toBe(order);
    }
});

test('a good part of the vertices is folded up however many edges there are', () => {
    // 32 pairs of twins among 1,032 vertices with some 270,000 edges.
    const vertices = range(1032);
    const origin = (vertex: number): number => (vertex < 1000 ? vertex : 31 * (vertex - 1000));
    const isEdge = (a: number, b: number): boolean => Math.imul(a * b + a + b, 0x9e3779b1) < 0;
    const edges = vertices.flatMap(b =>
        range(b).flatMap(a => {
            const ends = [origin(a), origin(b)] as const;
            return ends[0] !== ends[1] && isEdge(...ends) ? [[a, b] as const] : [];
        }),
    );
    const graph = graphOf(1032, edges);
    const kernel = new Kernel(new Certifier(graph), UNLIMITED, new BasePoints(undefined));
    expect(foldGraph(graph, kernel, new Scratch())).toMatchObject({ graph: { vertexCount: 1000 } });
    expect(findAutomorphisms(graph, { workLimit: UNLIMITED }).order).toBe(2n ** 32n);
});

test('a graph that is numbered breadth-first is the same', () => {
    const graph = shuffled(torus(20, 20), 4);
    const rest = numberedBreadthFirst(unbundled(graph, new Scratch()), UNLIMITED, new Scratch());
    if (rest === 'stopped') {
        expect.unreachable('nothing is stopped without a limit');
    }
    expect(rest.graph.neighbors.slice(0, 4)).toEqual(Int32Array.of(1, 2, 3, 4));
    expect(rest.graph.edgeCount).toBe(graph.edgeCount);
    for (const vertex of range(graph.vertexCount)) {
        const row = [
            ...rest.graph.neighbors.subarray(rest.graph.firstNeighbor[vertex], rest.graph.firstNeighbor[vertex + 1]),
        ];
        const original = rest.bundle[vertex]!;
        const expected = [
            ...graph.neighbors.subarray(graph.firstNeighbor[original], graph.firstNeighbor[original + 1]),
        ];
        expect(row.map(neighbor => rest.bundle[neighbor]!).sort((a, b) => a - b)).toEqual(expected);
    }
});
