/**
 * An ordered partition of the vertices into cells, which can be split and merged back [McKayPiperno2014, §2;
 * Darga2008].
 *
 * All vertices are in one array. A cell is a range of it, named by its start. A split cuts the range in two; the front
 * keeps the name. Undoing splits restores the cells as sets, but not the order inside a cell. `watch` counts in how
 * many cells and vertices the partition differs from a given path.
 */
import { invariant } from '../common/assert.js';
import type { ColoredGraph } from './colored-graph.js';
import { Scratch } from './scratch.js';

/** A discrete partition: each array is the inverse of the other. */
export interface PartitionLeaf {
    /** `elements[p]` is the vertex at position p. */
    readonly elements: Int32Array;
    /** `position[v]` is the position of v. */
    readonly position: Int32Array;
}

const NO_LEAF: PartitionLeaf = { elements: new Int32Array(0), position: new Int32Array(0) };

/**
 * Ranges only become smaller, so a cell at any earlier time has the vertices that are in its range at the end.
 * Therefore a leaf of the search stands for every partition on the path to it.
 */
export class OrderedPartition {
    readonly vertexCount: number;
    /** `elements[p]` is the vertex at position p. Length vertexCount. */
    readonly elements: Int32Array;
    /** `position[v]` is the position of v: the inverse of `elements`. */
    readonly position: Int32Array;
    /** `cellOf[v]` is the start of the cell that holds v. Length vertexCount. */
    readonly cellOf: Int32Array;
    /** `cellLength[s]` is the number of vertices in the cell that starts at s; meaningless if none starts there. */
    readonly cellLength: Int32Array;
    cellCount = 0;

    /** `splitStart[i]` is the start of the cell cut off by the i-th split. The first `splitCount` entries count. */
    readonly splitStart: Int32Array;
    /** `splitParent[i]` is the start of the cell from which the i-th split cut it off. */
    readonly splitParent: Int32Array;
    splitCount = 0;

    /** How many cells of two or more vertices differ as sets from the watched path, after the last split watched. */
    differentCells = 0;
    /** How many vertices of such cells belong to another cell on the watched path. */
    differentVertices = 0;
    /** The leaf at the end of the path that is watched, or was watched last. */
    watchedLeaf = NO_LEAF;
    /** Only splits with lesser indices are watched. */
    #watchedSplits = 0;
    /** `#strangers[s]` counts the vertices of the cell s that stand outside of its range in the watched leaf. */
    readonly #strangers: Int32Array;
    /** `#strangersBefore[i]` is the value of `#strangers` for the parent of the i-th split before that split. */
    readonly #strangersBefore: Int32Array;

    /** The cells are the color classes in the order of the colors; inside a cell, vertices ascend. */
    constructor(graph: ColoredGraph, scratch = new Scratch()) {
        const { vertexCount, colors, colorCount } = graph;
        this.vertexCount = vertexCount;
        this.elements = scratch.integers(vertexCount);
        this.position = scratch.integers(vertexCount);
        this.cellOf = scratch.integers(vertexCount);
        this.cellLength = scratch.integers(vertexCount);
        this.splitStart = scratch.integers(vertexCount);
        this.splitParent = scratch.integers(vertexCount);
        this.#strangers = scratch.integers(vertexCount);
        this.#strangersBefore = scratch.integers(vertexCount);

        const cellStart = scratch.integers(colorCount + 1);
        for (let vertex = 0; vertex < vertexCount; vertex++) {
            cellStart[colors[vertex] + 1]++;
        }
        for (let color = 0; color < colorCount; color++) {
            invariant(cellStart[color + 1] > 0, `some vertex has color ${color}`);
            cellStart[color + 1] += cellStart[color];
        }
        const next = scratch.integers(colorCount);
        next.set(cellStart.subarray(0, colorCount));
        for (let vertex = 0; vertex < vertexCount; vertex++) {
            const start = cellStart[colors[vertex]];
            const place = next[colors[vertex]]++;
            this.elements[place] = vertex;
            this.position[vertex] = place;
            this.cellOf[vertex] = start;
            this.cellLength[start]++;
        }
        this.cellCount = colorCount;
    }

    /** A copy of the vertices in their order, to be watched later. */
    copyOfLeaf(scratch: Scratch): PartitionLeaf {
        const leaf = { elements: scratch.integers(this.vertexCount), position: scratch.integers(this.vertexCount) };
        leaf.elements.set(this.elements);
        leaf.position.set(this.position);
        return leaf;
    }

    /** Cuts the cell `parent` in two; the new cell starts at `start`, inside of it. O(length of the new cell). */
    split(parent: number, start: number): void {
        const { elements, cellOf, cellLength } = this;
        const end = parent + cellLength[parent];
        cellLength[parent] = start - parent;
        cellLength[start] = end - start;
        this.splitStart[this.splitCount] = start;
        this.splitParent[this.splitCount] = parent;
        if (this.splitCount < this.#watchedSplits) {
            this.#compareParts(parent, start, end);
        }
        for (let place = start; place < end; place++) {
            cellOf[elements[place]] = start;
        }
        this.splitCount++;
        this.cellCount++;
    }

    /** Moves `vertex` to the last position of its cell. */
    moveToEnd(vertex: number): void {
        const { elements, position } = this;
        const cell = this.cellOf[vertex];
        const last = cell + this.cellLength[cell] - 1;
        const place = position[vertex];
        const other = elements[last];
        elements[last] = vertex;
        elements[place] = other;
        position[vertex] = last;
        position[other] = place;
    }

    /** Undoes splits until `splitCount` of them are left. O(length of the cells that disappear). */
    undoTo(splitCount: number): void {
        const { elements, cellOf, cellLength, splitStart, splitParent } = this;
        const watchedSplits = this.#watchedSplits;
        const strangers = this.#strangers;
        const strangersBefore = this.#strangersBefore;
        for (let i = this.splitCount - 1; i >= splitCount; i--) {
            const start = splitStart[i];
            const parent = splitParent[i];
            const end = start + cellLength[start];
            if (i < watchedSplits) {
                this.#countDifference(strangers[parent], start - parent, -1);
                this.#countDifference(strangers[start], end - start, -1);
                strangers[parent] = strangersBefore[i];
                this.#countDifference(strangers[parent], end - parent, 1);
            }
            for (let place = start; place < end; place++) {
                cellOf[elements[place]] = parent;
            }
            cellLength[parent] = end - parent;
        }
        this.cellCount -= this.splitCount - splitCount;
        this.splitCount = splitCount;
    }

    /**
     * Starts to count how the cells differ from those on the path to `leaf`, for at most `watchedSplits` splits. The
     * partition must be one of that path, now and when `unwatch` is called.
     */
    watch(leaf: PartitionLeaf, watchedSplits: number): void {
        this.#watchedSplits = watchedSplits;
        this.watchedLeaf = leaf;
    }

    unwatch(): void {
        invariant(this.differentCells === 0, 'a path is watched until nothing differs');
        this.#watchedSplits = 0;
    }

    /** Whether the cell has two or more vertices, not all of which stand in its range in the watched leaf. */
    isDifferent(cell: number): boolean {
        return this.cellLength[cell] > 1 && this.#strangers[cell] > 0;
    }

    /** How many vertices of the cell stand outside of its range in the watched leaf. */
    strangerCount(cell: number): number {
        return this.#strangers[cell];
    }

    /** Adds a cell to the counts of differences, or removes it. */
    #countDifference(strangers: number, length: number, sign: 1 | -1): void {
        if (strangers > 0 && length > 1) {
            this.differentCells += sign;
            this.differentVertices += sign * strangers;
        }
    }

    /**
     * Updates the counts of strangers when the cell [front, end) is cut into [front, back) and [back, end). Only the
     * back part, here and in the watched leaf, is visited.
     */
    #compareParts(front: number, back: number, end: number): void {
        const { elements, position } = this;
        const watchedElements = this.watchedLeaf.elements;
        const watchedPosition = this.watchedLeaf.position;
        // The vertices that were no strangers to the whole cell, by their parts here and in the leaf.
        let backHereBackThere = 0;
        let backHereFrontThere = 0;
        let frontHereBackThere = 0;
        for (let place = back; place < end; place++) {
            const there = watchedPosition[elements[place]];
            if (there >= front && there < end) {
                if (there >= back) {
                    backHereBackThere++;
                } else {
                    backHereFrontThere++;
                }
            }
            const here = position[watchedElements[place]];
            if (here >= front && here < back) {
                frontHereBackThere++;
            }
        }
        const strangers = this.#strangers;
        const before = strangers[front];
        const backLength = end - back;
        const friendsBefore = end - front - before;
        strangers[back] = backLength - backHereBackThere;
        strangers[front] = back - front - (friendsBefore - backHereBackThere - backHereFrontThere - frontHereBackThere);
        this.#strangersBefore[this.splitCount] = before;
        this.#countDifference(before, end - front, -1);
        this.#countDifference(strangers[front], back - front, 1);
        this.#countDifference(strangers[back], backLength, 1);
    }
}
