import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldTwins } from '../../engine/graph/twins.js';
import { graphs } from '../arbitrary/graphs.js';
import { expectExactOn, foldWith, kernelOrder } from './folding.js';
import {
    completeBipartite,
    completeGraph,
    edgesOf,
    emptyGraph,
    graphOf,
    hypercube,
    range,
    ring,
} from './graph-families.js';

/** Small graphs in which some vertices have been doubled, joined with their doubles or not. */
const withTwins = fc
    .tuple(graphs(4), fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 3 }))
    .map(([graph, doubles]) => {
        const edges: (readonly [number, number])[] = edgesOf(graph);
        const colors = Array.from(graph.colors, String);
        for (const [choice, isJoined] of graph.vertexCount === 0 ? [] : doubles) {
            const vertex = choice % colors.length;
            const double = colors.length;
            const seen = edges.flatMap(([a, b]) => (a === vertex ? [b] : b === vertex ? [a] : []));
            seen.forEach(neighbor => edges.push([neighbor, double]));
            if (isJoined) {
                edges.push([vertex, double]);
            }
            colors.push(colors[vertex]!);
        }
        return graphOf(colors.length, edges, colors);
    });

test('what is folded up and what is left have exactly the symmetries of the graph', () => {
    expectExactOn(foldTwins, withTwins, 60);
    expectExactOn(foldTwins, graphs(7), 40);
});

test('vertices that are all alike become one, joined or not', () => {
    for (const graph of [completeGraph(6), emptyGraph(6)]) {
        const { rest, kernel } = foldWith(foldTwins, graph);
        expect(rest).toMatchObject({ graph: { vertexCount: 1 } });
        expect(kernelOrder(kernel)).toBe(720n);
    }
});

test('joined and not joined twins, and classes of other sizes, have other colors', () => {
    // Two triangles' worth of joined twins, three loose vertices, and two.
    const graph = graphOf(
        8,
        [
            [0, 1],
            [1, 2],
            [2, 0],
        ],
        [...range(6).map(() => 'a'), 'b', 'b'],
    );
    expect(foldWith(foldTwins, graph).rest).toMatchObject({ graph: { vertexCount: 3, colorCount: 3 } });
});

test('the sides of a complete bipartite graph become the ends of an edge', () => {
    const { rest, kernel } = foldWith(foldTwins, completeBipartite(3, 4));
    expect(rest).toMatchObject({ graph: { vertexCount: 2, edgeCount: 1, colorCount: 2 } });
    expect(kernelOrder(kernel)).toBe(6n * 24n);
});

test('graphs without twins come back as they are', () => {
    for (const graph of [ring(5), hypercube(3)]) {
        expect(foldWith(foldTwins, graph).rest).toMatchObject({ graph });
    }
});
