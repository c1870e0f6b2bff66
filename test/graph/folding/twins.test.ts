import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldTwins } from '../../../engine/graph/folding/twins.js';
import { graphs } from '../../arbitrary/graphs.js';
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
    shuffled,
} from '../graph-families.js';

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

test('of vertices with many neighbors, one of each class of twins is left', () => {
    const matrices = fc.array(fc.array(fc.boolean(), { minLength: 16, maxLength: 16 }), {
        minLength: 16,
        maxLength: 16,
    });
    const doubles = fc.array(fc.tuple(fc.nat(15), fc.boolean()), { minLength: 1, maxLength: 12 });
    fc.assert(
        fc.property(matrices, doubles, fc.nat(), (matrix, doubles, seed) => {
            const origins = [...range(16), ...doubles.map(([vertex]) => vertex)];
            const joins = [...range(16).map(() => false), ...doubles.map(([, isJoined]) => isJoined)];
            const isEdge = (a: number, b: number): boolean => {
                const [first, second] = [origins[a]!, origins[b]!].sort((x, y) => x - y);
                return first === second ? joins[Math.max(a, b)]! : matrix[first!]![second!]!;
            };
            const vertices = range(origins.length);
            const edges = vertices.flatMap(b => range(b).flatMap(a => (isEdge(a, b) ? [[a, b] as const] : [])));
            const graph = shuffled(graphOf(origins.length, edges), seed);
            // By the definition: the same neighbors, besides each other.
            const rows = vertices.map(
                vertex =>
                    new Set(
                        edgesOf(graph)
                            .filter(edge => edge.includes(vertex))
                            .flat(),
                    ),
            );
            const areTwins = (a: number, b: number): boolean =>
                vertices.every(other => other === a || other === b || rows[a]!.has(other) === rows[b]!.has(other));
            const classCount = vertices.filter(b => !range(b).some(a => areTwins(a, b))).length;
            expect(foldWith(foldTwins, graph).rest).toMatchObject({ graph: { vertexCount: classCount } });
        }),
        { numRuns: 100 },
    );
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
