import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import type { ColoredGraph } from '../../engine/graph/colored-graph.js';
import { OrderedPartition } from '../../engine/graph/ordered-partition.js';
import { Refiner } from '../../engine/graph/refinement.js';
import { graphs, rearrangements } from '../arbitrary/graphs.js';
import { isEquitable, naiveRefinement } from '../reference/naive-refinement.js';
import {
    completeGraph,
    disjointUnion,
    graphOf,
    heap,
    path,
    randomGraph,
    relabeled,
    ring,
    rook,
    shrikhande,
} from './graph-families.js';

interface EquitableColoring {
    /** `cellOf[v]` numbers the cell of v, from 0 in the order of the cells. Isomorphisms keep it. Length vertexCount. */
    readonly cellOf: Int32Array;
    readonly cellCount: number;
    /** What the refiner did, event by event: equal for isomorphic graphs. */
    readonly trace: Int32Array;
}

function refineColors(graph: ColoredGraph): EquitableColoring {
    const partition = new OrderedPartition(graph);
    const refiner = new Refiner(graph, partition);
    refiner.enqueueAllCells();
    refiner.refine(UNLIMITED);
    const cellOf = new Int32Array(graph.vertexCount);
    let cellCount = 0;
    for (let start = 0; start < graph.vertexCount;) {
        const end = start + partition.cellLength[start]!;
        for (const vertex of partition.elements.subarray(start, end)) {
            cellOf[vertex] = cellCount;
        }
        cellCount++;
        start = end;
    }
    return { cellOf, cellCount, trace: refiner.trace.recorded() };
}

test('the cells are those of the naive refinement', () => {
    fc.assert(
        fc.property(graphs(14), graph => {
            const { cellOf, cellCount } = refineColors(graph);
            expect(isEquitable(graph, cellOf)).toBe(true);
            const naive = naiveRefinement(graph);
            expect(cellCount).toBe(new Set(naive).size);
            expect(new Set(naive.map((name, vertex) => `${name} ${cellOf[vertex]}`)).size).toBe(cellCount);
        }),
        { numRuns: 500 },
    );
});

test('larger random graphs agree with the naive refinement too', () => {
    for (let seed = 0; seed < 20; seed++) {
        const graph = randomGraph(200, 190, 1, seed);
        const { cellOf, cellCount } = refineColors(graph);
        expect(isEquitable(graph, cellOf)).toBe(true);
        expect(cellCount).toBe(new Set(naiveRefinement(graph)).size);
    }
});

test('renaming the vertices changes neither the cells nor the trace', () => {
    const cases = graphs(12).chain(graph => fc.tuple(fc.constant(graph), rearrangements(graph.vertexCount)));
    fc.assert(
        fc.property(cases, ([graph, names]) => {
            const original = refineColors(graph);
            const renamed = refineColors(relabeled(graph, names));
            expect([...renamed.trace]).toEqual([...original.trace]);
            expect(names.map(name => renamed.cellOf[name])).toEqual([...original.cellOf]);
        }),
        { numRuns: 500 },
    );
});

test('a path is split into pairs at equal distance from the ends, a heap into its levels', () => {
    expect(refineColors(path(9)).cellCount).toBe(5);
    expect(refineColors(heap(31)).cellCount).toBe(5);
});

test('regular graphs of one valency are one cell', () => {
    expect(refineColors(disjointUnion(ring(3), ring(5))).cellCount).toBe(1);
    expect(refineColors(disjointUnion(rook(4), shrikhande())).cellCount).toBe(1);
});

test('the graph without vertices has no cells', () => {
    expect(refineColors(graphOf(0, [])).cellCount).toBe(0);
});

test('individualizing and refining is undone without a trace, and conflicts leave the refiner usable', () => {
    fc.assert(
        fc.property(graphs(12), fc.array(fc.nat({ max: 11 }), { maxLength: 6 }), (graph, vertices) => {
            const partition = new OrderedPartition(graph);
            const refiner = new Refiner(graph, partition);
            refiner.enqueueAllCells();
            refiner.refine(UNLIMITED);
            const before = cellsOf(partition);
            const splitCount = partition.splitCount;
            const traceLength = refiner.trace.length;
            const isFree = (v: number): boolean => (partition.cellLength[partition.cellOf[v] ?? -1] ?? 0) > 1;
            for (const vertex of vertices.filter(vertex => vertex < graph.vertexCount && isFree(vertex))) {
                if (refiner.trace.length > traceLength) {
                    refiner.trace.compareFrom(traceLength);
                }
                refiner.individualize(vertex);
                const outcome = refiner.refine(UNLIMITED);
                if (outcome === 'equitable') {
                    expect(isEquitable(graph, partition.cellOf)).toBe(true);
                }
                partition.undoTo(splitCount);
                expect(cellsOf(partition)).toEqual(before);
            }
        }),
        { numRuns: 500 },
    );
});

test('a refinement that differs from the recorded one ends in a conflict', () => {
    // The middle of the path and its end look different as soon as their neighbors are counted.
    const graph = disjointUnion(ring(3), ring(5));
    const partition = new OrderedPartition(graph);
    const refiner = new Refiner(graph, partition);
    refiner.individualize(0);
    expect(refiner.refine(UNLIMITED)).toBe('equitable');
    partition.undoTo(0);
    refiner.trace.compareFrom(0);
    refiner.individualize(1);
    expect(refiner.refine(UNLIMITED)).toBe('equitable');
    partition.undoTo(0);
    refiner.trace.compareFrom(0);
    refiner.individualize(7);
    expect(refiner.refine(UNLIMITED)).toBe('conflict');
});

test('what is repeated by its effective steps has the cells of the refinement wherever that agrees', () => {
    const twice = graphs(7).map(graph => disjointUnion(graph, graph));
    fc.assert(
        fc.property(fc.oneof(graphs(12), twice), fc.nat(), fc.nat(), (graph, firstChoice, secondChoice) => {
            const partition = new OrderedPartition(graph);
            const refiner = new Refiner(graph, partition);
            refiner.enqueueAllCells();
            refiner.refine(UNLIMITED);
            const cell = cellsOf(partition).find(({ length }) => length > 1);
            fc.pre(cell !== undefined);
            const first = cell[firstChoice % cell.length]!;
            const second = cell[secondChoice % cell.length]!;
            const { splitCount } = partition;
            const { length: traceLength, stepCount } = refiner.trace;
            refiner.individualize(first);
            refiner.refine(UNLIMITED);
            const recordedSplits = partition.splitCount;
            partition.undoTo(splitCount);

            refiner.trace.compareFrom(traceLength);
            refiner.individualize(second);
            const refined = refiner.refine(UNLIMITED);
            const cells = cellsOf(partition);
            partition.undoTo(splitCount);

            const repeated = refiner.repeat(second, stepCount, refiner.trace.stepCount, UNLIMITED);
            if (refined === 'equitable' && refiner.trace.cursor === refiner.trace.length) {
                expect(repeated).toBe('equitable');
                expect(cellsOf(partition)).toEqual(cells);
            }
            if (repeated === 'equitable') {
                expect(partition.splitCount).toBe(recordedSplits);
            }
        }),
        { numRuns: 500 },
    );
});

test('what is repeated for a vertex of another kind may end in a conflict, or overlook what splits nothing', () => {
    const graph = disjointUnion(ring(3), ring(5));
    const repeated = (recorded: number, vertex: number): string => {
        const partition = new OrderedPartition(graph);
        const refiner = new Refiner(graph, partition);
        refiner.individualize(recorded);
        refiner.refine(UNLIMITED);
        partition.undoTo(0);
        return refiner.repeat(vertex, 0, refiner.trace.stepCount, UNLIMITED);
    };
    expect(repeated(4, 7)).toBe('equitable');
    expect(repeated(4, 0)).toBe('conflict');
    // Two neighbors are split off in the triangle; that they are neighbors of each other splits nothing more.
    expect(repeated(0, 7)).toBe('equitable');
});

test('what is repeated stops at the work limit', () => {
    const graph = ring(8);
    const partition = new OrderedPartition(graph);
    const refiner = new Refiner(graph, partition);
    refiner.individualize(0);
    refiner.refine(UNLIMITED);
    partition.undoTo(0);
    expect(refiner.repeat(1, 0, refiner.trace.stepCount, { isExhausted: () => true })).toBe('stopped');
});

test('a refinement stops at the work limit', () => {
    const graph = completeGraph(5);
    const refiner = new Refiner(graph, new OrderedPartition(graph));
    refiner.enqueueAllCells();
    expect(refiner.refine({ isExhausted: () => true })).toBe('stopped');
});

function cellsOf(partition: OrderedPartition): number[][] {
    const cells: number[][] = [];
    for (let start = 0; start < partition.vertexCount; start += partition.cellLength[start] ?? 1) {
        cells.push(
            [...partition.elements.slice(start, start + (partition.cellLength[start] ?? 1))].sort((a, b) => a - b),
        );
    }
    return cells;
}
