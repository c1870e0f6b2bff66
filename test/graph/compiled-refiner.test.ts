import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { findAutomorphisms } from '../../engine/graph/automorphisms.js';
import type { ColoredGraph } from '../../engine/graph/colored-graph.js';
import { withCompiledRefiner } from '../../engine/graph/compiled-refiner.js';
import { OrderedPartition } from '../../engine/graph/ordered-partition.js';
import type { PartitionRefiner } from '../../engine/graph/refinement.js';
import { Refiner } from '../../engine/graph/refinement.js';
import { Scratch } from '../../engine/graph/scratch.js';
import {
    completeBipartite,
    disjointCopies,
    graphOf,
    hadamard,
    hypercube,
    processRing,
    projectivePlane,
    randomGraph,
    rook,
    star,
    switchedLatinSquare,
    torus,
} from './graph-families.js';

/** All that can be seen of a refiner and its partition. */
function stateOf(refiner: PartitionRefiner): unknown {
    const { partition } = refiner;
    const { vertexCount, splitCount, cellLength } = partition;
    const cells: number[][] = [];
    for (let start = 0; start < vertexCount; start += cellLength[start] ?? 1) {
        cells.push([start, cellLength[start] ?? 0, partition.strangerCount(start)]);
    }
    return {
        cells,
        elements: [...partition.elements],
        position: [...partition.position],
        cellOf: [...partition.cellOf],
        splits: [...partition.splitStart.subarray(0, splitCount), ...partition.splitParent.subarray(0, splitCount)],
        counts: [splitCount, partition.cellCount, partition.differentCells, partition.differentVertices],
        trace: [refiner.traceLength, refiner.traceCursor, refiner.stepCount, refiner.stepEdges, refiner.edgesSeen],
    };
}

/** Does the same with both, as a search would, and compares them after each step; `choose(n)` is a number below n. */
function compare(graph: ColoredGraph, choose: (count: number) => number): void {
    const plain = new Refiner(graph, new OrderedPartition(graph));
    const done = withCompiledRefiner(graph, compiled => {
        const both = <T>(act: (refiner: PartitionRefiner) => T): T => {
            const expected = act(plain);
            expect(act(compiled)).toEqual(expected);
            expect(stateOf(compiled)).toEqual(stateOf(plain));
            return expected;
        };
        const chooseVertex = (): number => {
            const { elements, cellLength, cellOf, cellCount, vertexCount } = plain.partition;
            expect(cellCount).toBeLessThan(vertexCount);
            const place = choose(vertexCount);
            const vertices = [...elements.subarray(place), ...elements.subarray(0, place)];
            return vertices.find(vertex => (cellLength[cellOf[vertex] ?? 0] ?? 0) > 1) ?? -1;
        };
        const isDiscrete = (): boolean => plain.partition.cellCount === graph.vertexCount;
        both(refiner => {
            refiner.enqueueAllCells();
        });
        both(refiner => refiner.refine(UNLIMITED));
        const levels: { splits: number; trace: number; steps: number }[] = [];
        const note = (): void => {
            levels.push({ splits: plain.partition.splitCount, trace: plain.traceLength, steps: plain.stepCount });
        };
        note();
        while (!isDiscrete()) {
            const vertex = chooseVertex();
            both(refiner => {
                refiner.individualize(vertex);
            });
            both(refiner => refiner.refine(UNLIMITED));
            note();
        }
        both(refiner => {
            refiner.partition.undoTo(0);
        });
        for (let attempt = 0; attempt < 6; attempt++) {
            const way = choose(3);
            both(refiner => {
                refiner.enqueueAllCells();
                refiner.compareFrom(0);
                return refiner.refine(UNLIMITED);
            });
            if (isDiscrete()) {
                break;
            }
            const vertex = chooseVertex();
            both(refiner => {
                refiner.partition.watch(refiner.partition.copyOfLeaf(new Scratch()), UNBOUNDED);
                switch (way) {
                    case 0:
                        return refiner.sign(vertex, 20, UNLIMITED);
                    case 1:
                        return refiner.repeat(vertex, levels[0]?.steps ?? 0, levels[1]?.steps ?? 0, UNLIMITED);
                    default:
                        refiner.compareFrom(levels[0]?.trace ?? 0);
                        refiner.individualize(vertex);
                        return refiner.refine(UNLIMITED);
                }
            });
            both(refiner => {
                refiner.partition.undoTo(levels[0]?.splits ?? 0);
                refiner.partition.unwatch();
            });
            both(refiner => {
                refiner.partition.undoTo(0);
            });
        }
    });
    expect(done).toBeDefined();
}

const UNBOUNDED = 2 ** 31 - 1;

/** Two hubs, and pairs of leaves of which either hub has one: fixing a hub splits all pairs at once. */
function hubsAndPairs(pairs: number): ColoredGraph {
    const leaves = Array.from({ length: pairs }, (_, i) => i);
    return graphOf(
        2 + 2 * pairs,
        leaves.flatMap(i => [[0, 2 + 2 * i] as const, [1, 3 + 2 * i] as const]),
        ['hub', 'hub', ...leaves.flatMap(i => [`leaf ${(i * 37) % pairs}`, `leaf ${(i * 37) % pairs}`])],
    );
}

const families: Readonly<Record<string, () => ColoredGraph>> = {
    'a torus': () => torus(7, 9),
    'a ring of processes': () => processRing(7),
    'a hypercube': () => hypercube(6),
    'a star': () => star(40),
    'a complete bipartite graph': () => completeBipartite(12, 30),
    'hubs and pairs': () => hubsAndPairs(100),
    'a Hadamard matrix': () => hadamard(11),
    'a projective plane': () => projectivePlane(5),
    'a Latin square': () => switchedLatinSquare(8, 3),
    "rooks' graphs": () => disjointCopies(rook(5), 6),
    'a random graph': () => randomGraph(300, 500, 3, 5),
    'a graph without edges': () => graphOf(30, []),
    'one vertex': () => graphOf(1, []),
    nothing: () => graphOf(0, []),
};

describe('compiled refinement does what the plain one does', () => {
    for (const [name, make] of Object.entries(families)) {
        test(`on ${name}`, () => {
            const graph = make();
            fc.assert(
                fc.property(fc.infiniteStream(fc.nat()), numbers => {
                    compare(graph, count => (numbers.next().value ?? 0) % count);
                }),
                { numRuns: 10 },
            );
        });
    }

    test('on random graphs', () => {
        fc.assert(
            fc.property(
                fc.integer({ min: 1, max: 60 }),
                fc.nat(150),
                fc.integer({ min: 1, max: 4 }),
                fc.nat(),
                fc.infiniteStream(fc.nat()),
                (vertexCount, edgeCount, colorCount, seed, numbers) => {
                    const mostEdges = (vertexCount * (vertexCount - 1)) / 4;
                    const graph = randomGraph(vertexCount, Math.min(edgeCount, mostEdges), colorCount, seed);
                    compare(graph, count => (numbers.next().value ?? 0) % count);
                },
            ),
            { numRuns: 300 },
        );
    });
});

test('a search finds the same with compiled code and without', () => {
    const host = globalThis as { WebAssembly?: unknown };
    const webAssembly = host.WebAssembly;
    for (const make of Object.values(families)) {
        const graph = make();
        const read = (): unknown => {
            const { generators, order, base, orbitLengths, statistics } = findAutomorphisms(graph, {
                workLimit: UNLIMITED,
            });
            return { generators, order, base, orbitLengths, statistics };
        };
        // So many vertices and edges that what follows is compiled.
        findAutomorphisms(torus(120, 120), { workLimit: UNLIMITED });
        const compiled = read();
        try {
            delete host.WebAssembly;
            expect(read()).toEqual(compiled);
        } finally {
            host.WebAssembly = webAssembly;
        }
    }
});
