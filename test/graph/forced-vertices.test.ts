import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { findAutomorphisms } from '../../engine/graph/automorphisms.js';
import type { ColoredGraph } from '../../engine/graph/colored-graph.js';
import { ForcedVertices } from '../../engine/graph/forced-vertices.js';
import { OrderedPartition } from '../../engine/graph/ordered-partition.js';
import { Refiner } from '../../engine/graph/refinement.js';
import { Scratch } from '../../engine/graph/scratch.js';
import { graphs } from '../arbitrary/graphs.js';
import { allAutomorphisms } from '../reference/brute-force-automorphisms.js';
import {
    completeGraph,
    processRing,
    projectivePlane,
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
