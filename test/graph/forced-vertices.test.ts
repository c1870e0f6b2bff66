import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { findAutomorphisms } from '../../engine/graph/automorphisms.js';
import type { ColoredGraph } from '../../engine/graph/colored-graph.js';
import { withCompiledRefiner } from '../../engine/graph/compiled-refiner.js';
import { ForcedVertices } from '../../engine/graph/forced-vertices.js';
import { OrderedPartition } from '../../engine/graph/ordered-partition.js';
import { Refiner } from '../../engine/graph/refinement.js';
import type { PartitionRefiner } from '../../engine/graph/refinement.js';
import { Scratch } from '../../engine/graph/scratch.js';
import { graphs } from '../arbitrary/graphs.js';
import { allAutomorphisms } from '../reference/brute-force-automorphisms.js';
import {
    completeGraph,
    processNetwork,
    processRing,
    projectivePlane,
    randomRegular,
    range,
    recolored,
    ring,
    shuffled,
    torus,
} from './graph-families.js';

/** The coarsest equitable coloring, and what forces vertices in it. */
function refined(graph: ColoredGraph): { partition: OrderedPartition; forced: ForcedVertices } {
    const partition = new OrderedPartition(graph);
    const refiner = new Refiner(graph, partition);
    refiner.enqueueAllCells();
    refiner.refine(UNLIMITED);
    return { partition, forced: new ForcedVertices(graph, partition, new Scratch()) };
}

/** A vertex that shares its cell with another, if there is one. */
function openVertex({ elements, cellOf, cellLength }: OrderedPartition): number | undefined {
    return elements.find(vertex => (cellLength[cellOf[vertex] ?? 0] ?? 0) > 1);
}

describe('one vertex forces all others', () => {
    test.each([
        [
            'in a ring of processes, each of which can tell one neighbor from the other',
            shuffled(processRing(7), 1),
            true,
        ],
        ['not in a ring, which it does not keep from being turned over', ring(7), false],
        ['if there are two', completeGraph(2), true],
        ['not if there are three', completeGraph(3), false],
    ])('%s', (_name, graph, isForced) => {
        const { partition, forced } = refined(graph);
        expect(forced.find(openVertex(partition) ?? -1, UNLIMITED)).toBe(isForced);
    });

    test('only where no other automorphism fixes it, and following the instructions gives its image under each', () => {
        let forcedGraphs = 0;
        fc.assert(
            fc.property(graphs(7), graph => {
                const { partition, forced } = refined(graph);
                const vertex = openVertex(partition);
                if (vertex === undefined || !forced.find(vertex, UNLIMITED)) {
                    return;
                }
                forcedGraphs++;
                const leaf = partition.elements.slice();
                const group = allAutomorphisms(graph);
                expect(group.filter(images => images[vertex] === vertex)).toHaveLength(1);
                for (const images of group) {
                    expect(forced.follow(images[vertex] ?? -1)).toBe(true);
                    expect([...partition.elements]).toEqual([...leaf].map(point => images[point]));
                }
            }),
            { numRuns: 2000 },
        );
        expect(forcedGraphs).toBeGreaterThan(100);
    });
});

test('cells stay as they are, whether vertices are forced or not', () => {
    fc.assert(
        fc.property(graphs(9), graph => {
            const { partition, forced } = refined(graph);
            const cells = [...partition.cellOf];
            for (const vertex of [...partition.elements]) {
                if ((partition.cellLength[partition.cellOf[vertex] ?? 0] ?? 0) > 1 && forced.find(vertex, UNLIMITED)) {
                    forced.follow(vertex);
                }
                expect([...partition.cellOf]).toEqual(cells);
                partition.elements.forEach((element, place) => {
                    expect(partition.position[element]).toBe(place);
                    expect(place - (cells[element] ?? 0)).toBeLessThan(partition.cellLength[cells[element] ?? 0] ?? 0);
                });
            }
        }),
    );
});

test('looking in vain ends where nothing more is forced', () => {
    const graph = projectivePlane(7);
    const { partition, forced } = refined(graph);
    expect(forced.find(openVertex(partition) ?? -1, UNLIMITED)).toBe(false);
    expect(forced.edgesWasted).toBeLessThan(graph.edgeCount);
});

describe('compiled code finds and follows the same', () => {
    /** What is said and done in turn for vertices of every cell, and the vertices in their order after each. */
    const events = (graph: ColoredGraph, refiner: PartitionRefiner): unknown[] => {
        const { partition } = refiner;
        refiner.enqueueAllCells();
        refiner.refine(UNLIMITED);
        const forced = refiner.forcing();
        const written: unknown[] = [];
        for (const vertex of [...partition.elements]) {
            const cell = partition.cellOf[vertex] ?? 0;
            if ((partition.cellLength[cell] ?? 0) > 1) {
                const isFound = forced.find(vertex, UNLIMITED);
                written.push([vertex, isFound, [...forced.positions], forced.edgesWasted, [...partition.elements]]);
                for (const image of isFound ? range(graph.vertexCount).filter(v => partition.cellOf[v] === cell) : []) {
                    written.push([image, forced.follow(image), [...partition.elements], [...partition.position]]);
                }
            }
        }
        return written;
    };
    const expectSame = (graph: ColoredGraph): void => {
        const plain = events(graph, new Refiner(graph, new OrderedPartition(graph)));
        const compiled = withCompiledRefiner(graph, refiner => events(graph, refiner));
        expect(compiled?.result).toEqual(plain);
    };

    test('on small graphs', () => {
        fc.assert(fc.property(graphs(9), expectSame));
    });

    test.each([
        ['in rings of processes', shuffled(processRing(6), 1)],
        ['in processes on a torus', shuffled(processNetwork(torus(3, 4)), 2)],
        ['in a torus with a vertex of another color', recolored(torus(5, 6), vertex => String(Math.min(vertex, 1)))],
        ['in a random graph', randomRegular(60, 3, 2)],
        ['in a plane', projectivePlane(3)],
    ])('%s', (_name, graph) => {
        expectSame(graph);
    });

    test('and are ended by a limit', () => {
        const graph = shuffled(processRing(400), 1);
        withCompiledRefiner(graph, refiner => {
            refiner.enqueueAllCells();
            refiner.refine(UNLIMITED);
            const forced = refiner.forcing();
            const vertex = openVertex(refiner.partition) ?? -1;
            let questions = 0;
            expect(forced.find(vertex, { isExhausted: () => ++questions > 2 })).toBe(false);
            expect(forced.edgesWasted).toBeLessThan(graph.edgeCount);
            expect(forced.find(vertex, UNLIMITED)).toBe(true);
        });
    });
});

describe('the search refines', () => {
    test('once, for a ring of processes', () => {
        const { order, statistics } = findAutomorphisms(shuffled(processRing(20), 1), { workLimit: UNLIMITED });
        expect(order).toBe(20n);
        expect(statistics.refinements).toBe(1);
    });

    test('not on the last level of a torus', () => {
        const { order, base, statistics } = findAutomorphisms(torus(9, 9), { workLimit: UNLIMITED });
        expect(order).toBe(8n * 81n);
        expect(base).toHaveLength(2);
        // The root, and one vertex on the first path and for each generator that moves it.
        expect(statistics.refinements).toBeLessThanOrEqual(6);
        expect(statistics.badLeaves).toBe(0);
    });
});
