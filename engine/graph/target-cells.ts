/**
 * Chooses the cell in which the first path of the search individualizes next.
 *
 * The largest cell that the last refinement cut off is taken. So one part of the graph is fixed before the next part
 * begins, and equivalent parts are exchanged without moving others, as with component recursion [JunttilaKaski2011]. If
 * a connected graph has one cell, the remainders of split cells count as well, so that few vertices fix everything. All
 * choices of a path take O(vertexCount · log vertexCount).
 */
import type { ColoredGraph } from './colored-graph.js';
import { VERTEX_LIMIT } from './colored-graph.js';
import type { OrderedPartition } from './ordered-partition.js';
import type { Scratch } from './scratch.js';

/** More cells than this are not sorted by insertion. */
const MANY = 24;

/** After a refinement the remainders of split cells are pushed, then the cells cut off, each with the largest last. */
export class TargetCells {
    readonly #graph: ColoredGraph;
    readonly #partition: OrderedPartition;
    readonly #scratch: Scratch;
    /** Starts of cells, latest last. A singleton is dropped when it is on top. */
    readonly #stack: number[] = [];
    /** The same for the cells of preferred vertices, which are taken first. */
    readonly #preferredStack: number[] = [];
    /** `#isPreferredAt[p]` is 1 if the color of the vertex at position p is preferred; refinement keeps the color. */
    readonly #isPreferredAt: Uint8Array;
    /** `#pushedAt[s]` is the number of the push in which the cell s was last pushed. */
    readonly #pushedAt: Int32Array;
    #pushCount = 0;
    /** Whether the graph is connected and all vertices are in one cell. */
    #areAllAlike = false;

    /** For an unrefined `partition`: the cells are the colors. A color is preferred if one of its vertices is. */
    constructor(
        graph: ColoredGraph,
        partition: OrderedPartition,
        preferredVertices: ArrayLike<number>,
        scratch: Scratch,
    ) {
        this.#graph = graph;
        this.#scratch = scratch;
        this.#partition = partition;
        this.#isPreferredAt = scratch.bytes(partition.vertexCount);
        this.#pushedAt = scratch.integers(partition.vertexCount);
        const { cellOf, cellLength } = partition;
        for (let i = 0; i < preferredVertices.length; i++) {
            const cell = cellOf[preferredVertices[i]];
            if (this.#isPreferredAt[cell] === 0) {
                this.#isPreferredAt.fill(1, cell, cell + cellLength[cell]);
            }
        }
    }

    pushAllCells(): void {
        const { cellLength, vertexCount, cellCount } = this.#partition;
        this.#areAllAlike = cellCount === 1 && isConnected(this.#graph, this.#scratch);
        const cells: number[] = [];
        for (let start = 0; start < vertexCount; start += cellLength[start]) {
            if (cellLength[start] > 1) {
                cells.push(start);
            }
        }
        this.#push(cells);
    }

    /** Pushes the cells of the splits from index `firstSplit` on. */
    pushSplitCells(firstSplit: number): void {
        const { splitStart, splitParent, splitCount } = this.#partition;
        const cutOff: number[] = [];
        const left = this.#areAllAlike ? cutOff : [];
        this.#pushCount++;
        for (let i = firstSplit; i < splitCount; i++) {
            this.#collect(splitStart[i], cutOff);
        }
        for (let i = firstSplit; i < splitCount; i++) {
            this.#collect(splitParent[i], left);
        }
        if (left !== cutOff) {
            this.#push(left);
        }
        this.#push(cutOff);
    }

    /** The start of the cell to individualize in. The partition has a cell of two or more vertices. */
    choose(): number {
        const preferred = this.#top(this.#preferredStack);
        return preferred >= 0 ? preferred : this.#top(this.#stack);
    }

    #collect(cell: number, cells: number[]): void {
        if (this.#partition.cellLength[cell] > 1 && this.#pushedAt[cell] !== this.#pushCount) {
            this.#pushedAt[cell] = this.#pushCount;
            cells.push(cell);
        }
    }

    /** Pushes the smallest first, and of equal ones the latest: early splits are near the individualized vertex. */
    #push(cells: number[]): void {
        const { cellLength } = this.#partition;
        const count = cells.length;
        if (count > MANY) {
            const keys = Float64Array.from(cells, (cell, i) => cellLength[cell] * VERTEX_LIMIT + count - 1 - i).sort();
            for (let i = 0; i < count; i++) {
                const cell = cells[count - 1 - (keys[i] % VERTEX_LIMIT)];
                this.#stackOf(cell).push(cell);
            }
            return;
        }
        // The largest comes first, because the last is pushed first.
        for (let i = 1; i < count; i++) {
            const cell = cells[i];
            let j = i;
            for (; j > 0 && cellLength[cells[j - 1]] < cellLength[cell]; j--) {
                cells[j] = cells[j - 1];
            }
            cells[j] = cell;
        }
        for (let i = count - 1; i >= 0; i--) {
            this.#stackOf(cells[i]).push(cells[i]);
        }
    }

    #stackOf(cell: number): number[] {
        return this.#isPreferredAt[cell] === 1 ? this.#preferredStack : this.#stack;
    }

    /** The latest cell of the stack that is no singleton, or -1. */
    #top(stack: number[]): number {
        while (stack.length > 0) {
            const cell = stack[stack.length - 1];
            if (this.#partition.cellLength[cell] > 1) {
                return cell;
            }
            stack.pop();
        }
        return -1;
    }
}

/** Whether there is a path from the first vertex to every other. O(vertexCount + edgeCount). */
function isConnected({ vertexCount, firstNeighbor, neighbors }: ColoredGraph, scratch: Scratch): boolean {
    const wasSeen = scratch.bytes(vertexCount);
    const queue = scratch.integers(vertexCount);
    let seenCount = 1;
    wasSeen[0] = 1;
    for (let next = 0; next < seenCount && seenCount < vertexCount; next++) {
        const rowEnd = firstNeighbor[queue[next] + 1];
        for (let i = firstNeighbor[queue[next]]; i < rowEnd; i++) {
            if (wasSeen[neighbors[i]] === 0) {
                wasSeen[neighbors[i]] = 1;
                queue[seenCount++] = neighbors[i];
            }
        }
    }
    return seenCount === vertexCount;
}
