import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ColoredGraph } from '../../../engine/graph/colored-graph.js';
import { foldHangingTrees } from '../../../engine/graph/folding/hanging-trees.js';
import { graphs } from '../../arbitrary/graphs.js';
import { expectExactOn, foldWith, kernelOrder } from './folding.js';
import { caterpillar, graphOf, heap, path, randomTree, range, ring, wreath } from '../graph-families.js';

/** Random forests with up to seven vertices and two colors. */
const forests = fc.array(fc.tuple(fc.nat(), fc.boolean(), fc.boolean()), { maxLength: 7 }).map(vertices =>
    graphOf(
        vertices.length,
        vertices.flatMap(([parent, isRoot], i) => (i === 0 || isRoot ? [] : [[parent % i, i] as const])),
        vertices.map(([, , isBlack]) => (isBlack ? 'black' : 'white')),
    ),
);

test('what is folded up and what is left have exactly the symmetries of the graph', () => {
    expectExactOn(foldHangingTrees, forests, 100);
    expectExactOn(foldHangingTrees, graphs(7), 40);
});

test('a tree becomes one vertex, a forest one for each tree', () => {
    for (const [graph, trees] of [
        [heap(31), 1],
        [path(2), 1],
        [path(7), 1],
        [wreath(3, 4), 1],
        [graphOf(5, [[0, 1]]), 4],
    ] as const) {
        const { rest } = foldWith(foldHangingTrees, graph);
        expect(rest).toMatchObject({ graph: { vertexCount: trees, edgeCount: 0 } });
    }
});

test('the graph itself comes back where no vertex has degree one', () => {
    const { rest } = foldWith(foldHangingTrees, ring(5));
    expect(rest).toMatchObject({ graph: ring(5) });
});

test('the order for a random tree is that of counting equal subtrees', () => {
    for (const seed of range(40)) {
        const tree = randomTree(60, seed);
        expect(kernelOrder(foldWith(foldHangingTrees, tree).kernel)).toBe(orderOfTree(tree));
    }
});

test('two trees become one color exactly if they are isomorphic', () => {
    const trees = fc.array(fc.nat(), { minLength: 1, maxLength: 5 });
    fc.assert(
        fc.property(trees, trees, (first, second) => {
            const size = first.length + 1;
            const edges = [first, second].flatMap((parents, tree) =>
                parents.map(
                    (parent, i) =>
                        [(tree === 0 ? 0 : size) + (parent % (i + 1)), (tree === 0 ? 0 : size) + i + 1] as const,
                ),
            );
            const { rest } = foldWith(foldHangingTrees, graphOf(size + second.length + 1, edges));
            const areIsomorphic = centralNames(first) === centralNames(second);
            expect(rest).toMatchObject({ graph: { vertexCount: 2, colorCount: areIsomorphic ? 1 : 2 } });
        }),
        { numRuns: 200 },
    );
});

test('a path of 200,000 vertices with leaves is no deeper than the stack', () => {
    const { rest, kernel } = foldWith(foldHangingTrees, caterpillar(100_000, 1));
    expect(rest).toMatchObject({ graph: { vertexCount: 1 } });
    expect(kernelOrder(kernel)).toBe(2n);
});

test('a limit ends it at any time, with exchanges that hold', () => {
    const graph = wreath(3, 3);
    for (let questions = 0; ; questions++) {
        let left = questions;
        const { rest, kernel } = foldWith(foldHangingTrees, graph, { isExhausted: () => left-- <= 0 });
        expect(kernelOrder(kernel)).toBeLessThanOrEqual(1296n);
        if (rest !== 'stopped') {
            expect(kernelOrder(kernel)).toBe(1296n);
            return;
        }
        expect(questions).toBeLessThan(1000);
    }
});

/** The number of symmetries of a tree: rooted at a center, the orders of what permutes equal subtrees, multiplied. */
function orderOfTree(tree: ColoredGraph): bigint {
    const neighborsOf = (vertex: number): number[] => [
        ...tree.neighbors.subarray(tree.firstNeighbor[vertex], tree.firstNeighbor[vertex + 1]),
    ];
    const rooted = (vertex: number, parent: number): { name: string; order: bigint } => {
        const children = neighborsOf(vertex)
            .filter(child => child !== parent)
            .map(child => rooted(child, vertex));
        const names = children.map(({ name }) => name).sort();
        let order = children.reduce((product, child) => product * child.order, 1n);
        names.forEach((name, i) => (order *= BigInt(i - names.indexOf(name) + 1)));
        return { name: `(${names.join('')})`, order };
    };
    // Every vertex fixed gives the group that fixes it; the orbit of that vertex are those with the same name as a root.
    const roots = range(tree.vertexCount).map(vertex => rooted(vertex, -1));
    const first = roots[0]!;
    return first.order * BigInt(roots.filter(({ name }) => name === first.name).length);
}

/** The least name of a tree, given by parents, over all its roots. */
function centralNames(parents: readonly number[]): string {
    const edges = parents.map((parent, i) => [parent % (i + 1), i + 1] as const);
    const name = (vertex: number, parent: number): string =>
        `(${edges
            .flatMap(([a, b]) => (a === vertex ? [b] : b === vertex ? [a] : []))
            .filter(child => child !== parent)
            .map(child => name(child, vertex))
            .sort()
            .join('')})`;
    return range(parents.length + 1)
        .map(root => name(root, -1))
        .sort()[0]!;
}
