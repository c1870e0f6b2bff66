/**
 * The last step of a path of the search, without refining: fixing one more vertex may fix all others one after the other.
 *
 * A fixed vertex forces a neighbor that is the only one of its cell among those of its neighbors that are not fixed yet, and a
 * cell forces its last vertex. If fixing a vertex forces all that are left, what is kept is a list of instructions: to position
 * t goes the neighbor of the vertex at position s that is in the cell of position t and not fixed yet. They leave no choice, so
 * that an automorphism carries the leaf they lead to here to the leaf they lead to in the image of the partition. In rings and
 * grids, and wherever few processes see each other, this is a fraction of the work of a refinement, which would count the
 * neighbors in every new cell and cut every cell to pieces.
 *
 * The fixed vertices of a cell stand at its end, so that finding and following instructions permutes the vertices inside of
 * cells and does nothing else: there is nothing to undo.
 */
import type { WorkLimit } from '../common/work-limit.js';
import type { ColoredGraph } from './colored-graph.js';
import type { OrderedPartition } from './ordered-partition.js';
import type { Scratch } from './scratch.js';

/** Stands for no vertex and for no position. */
export const NONE = -1;
// The states of a vertex.
const OPEN = 0;
export const FIXED = 1;
/** Fixed, and has two neighbors in one cell that were not when its row was looked at. */
export const UNDECIDED = 2;

/** Looking for instructions is given up when so many times the edges have been looked at, from either end. */
export const MOST_LOOKS = 3;
/** The work limit is asked once in so many vertices. */
const POLL_MASK = 2 ** 10 - 1;

/** What finds and follows instructions: written out here, and compiled (compiled-forced-vertices.ts). */
export interface ForcingVertex {
    /** The positions of the vertices that are fixed after the singletons, in their order; empty where none was found. */
    readonly positions: Int32Array;
    /** How many edges have been looked at in vain. */
    readonly edgesWasted: number;
    /**
     * Looks for instructions that fix all vertices beginning with `vertex`. True if there are any. The partition is
     * equitable, else instructions may be overlooked. False also where too many edges would have to be looked at, or the
     * work limit was reached.
     */
    find(vertex: number, workLimit: WorkLimit): boolean;
    /** Follows the instructions in a partition with cells like those for which they were found. False if that fails. */
    follow(vertex: number): boolean;
}

/** Finds and follows instructions in plain code. */
export class ForcedVertices implements ForcingVertex {
    readonly #graph: ColoredGraph;
    readonly #partition: OrderedPartition;
    /** The positions of the fixed vertices, in the order in which they are fixed. The first `#count` entries count. */
    readonly #positions: Int32Array;
    /** `#sources[i]` is the position of the vertex that forces the one at `#positions[i]`; NONE if its cell does. */
    readonly #sources: Int32Array;
    #count = 0;
    edgesWasted = 0;

    // Scratch space of one search for instructions.
    /** The fixed vertices in that order. */
    readonly #fixed: Int32Array;
    /** `#stateOf[v]` is OPEN for what is not fixed, and for what was a singleton before. OPEN everywhere between two searches. */
    readonly #stateOf: Uint8Array;
    /** `#fixedIn[s]` counts the fixed vertices of the cell that starts at s. 0 everywhere between two searches. */
    readonly #fixedIn: Int32Array;
    /** `#rowOf[s]` is the number of the last row with vertices of the cell s that were not fixed, `#only[s]` such a vertex. */
    readonly #rowOf: Int32Array;
    readonly #only: Int32Array;
    #rowCount = 0;
    /** The cells of a row. */
    readonly #cells: Int32Array;

    constructor(graph: ColoredGraph, partition: OrderedPartition, scratch: Scratch) {
        const { vertexCount } = partition;
        this.#graph = graph;
        this.#partition = partition;
        this.#positions = scratch.integers(vertexCount);
        this.#sources = scratch.integers(vertexCount);
        this.#fixed = scratch.integers(vertexCount);
        this.#stateOf = scratch.bytes(vertexCount);
        this.#fixedIn = scratch.integers(vertexCount);
        this.#rowOf = scratch.integers(vertexCount);
        this.#only = scratch.integers(vertexCount);
        this.#cells = scratch.integers(vertexCount);
    }

    get positions(): Int32Array {
        return this.#positions.subarray(0, this.#count);
    }

    find(vertex: number, workLimit: WorkLimit): boolean {
        const edgesSeen = this.#fixAll(vertex, workLimit);
        const { cellOf } = this.#partition;
        const isFound = this.#areAllFixed();
        for (let i = 0; i < this.#count; i++) {
            this.#fixedIn[cellOf[this.#fixed[i]]] = 0;
            this.#stateOf[this.#fixed[i]] = OPEN;
        }
        if (!isFound) {
            this.edgesWasted += edgesSeen;
            this.#count = 0;
        }
        return isFound;
    }

    follow(vertex: number): boolean {
        const { firstNeighbor, neighbors } = this.#graph;
        const { elements, position, cellOf } = this.#partition;
        const positions = this.#positions;
        const sources = this.#sources;
        this.#partition.moveToEnd(vertex);
        for (let i = 1; i < this.#count; i++) {
            if (sources[i] === NONE) {
                // The others of its cell are in their places.
                continue;
            }
            const place = positions[i];
            const other = elements[place];
            const cell = cellOf[other];
            const source = elements[sources[i]];
            const rowEnd = firstNeighbor[source + 1];
            let next = firstNeighbor[source];
            while (next < rowEnd && !(cellOf[neighbors[next]] === cell && position[neighbors[next]] <= place)) {
                next++;
            }
            if (next === rowEnd) {
                return false;
            }
            const image = neighbors[next];
            const otherPlace = position[image];
            elements[otherPlace] = other;
            position[other] = otherPlace;
            elements[place] = image;
            position[image] = place;
        }
        return true;
    }

    /** Fixes what is forced when `vertex` is fixed. Returns how many edges were looked at. */
    #fixAll(vertex: number, workLimit: WorkLimit): number {
        const { firstNeighbor, neighbors, vertexCount, edgeCount } = this.#graph;
        const { elements, position, cellOf, cellLength } = this.#partition;
        const positions = this.#positions;
        const sources = this.#sources;
        const fixed = this.#fixed;
        const stateOf = this.#stateOf;
        const fixedIn = this.#fixedIn;
        const rowOf = this.#rowOf;
        const only = this.#only;
        const cells = this.#cells;
        const again: number[] = [];
        const mostEdges = 2 * MOST_LOOKS * (edgeCount + vertexCount);
        let edgesSeen = 0;
        let count = 0;
        let next = 0;
        let row = this.#rowCount;
        let current = NONE;
        only[cellOf[vertex]] = vertex;
        cells[0] = cellOf[vertex];
        let cellCount = 1;
        for (;;) {
            for (let i = 0; i < cellCount; i++) {
                const cell = cells[i];
                const forced = only[cell];
                if (forced === NONE) {
                    stateOf[current] = UNDECIDED;
                    continue;
                }
                const left = cellLength[cell] - ++fixedIn[cell];
                const place = cell + left;
                const other = elements[place];
                const otherPlace = position[forced];
                elements[otherPlace] = other;
                position[other] = otherPlace;
                elements[place] = forced;
                position[forced] = place;
                stateOf[forced] = FIXED;
                positions[count] = place;
                sources[count] = current === NONE ? NONE : position[current];
                fixed[count++] = forced;
                if (left === 1) {
                    const last = elements[cell];
                    fixedIn[cell]++;
                    stateOf[last] = FIXED;
                    positions[count] = cell;
                    sources[count] = NONE;
                    fixed[count++] = last;
                }
            }
            if (edgesSeen > mostEdges || ((row & POLL_MASK) === 0 && workLimit.isExhausted())) {
                break;
            }
            const isNew = next < count;
            if (isNew) {
                current = fixed[next++];
            } else if (again.length > 0) {
                current = again.pop() ?? NONE;
            } else {
                break;
            }
            row++;
            cellCount = 0;
            const rowEnd = firstNeighbor[current + 1];
            for (let i = firstNeighbor[current]; i < rowEnd; i++) {
                const neighbor = neighbors[i];
                const state = stateOf[neighbor];
                if (state === FIXED) {
                    continue;
                }
                if (state === UNDECIDED) {
                    if (isNew) {
                        stateOf[neighbor] = FIXED;
                        again.push(neighbor);
                    }
                    continue;
                }
                const cell = cellOf[neighbor];
                if (rowOf[cell] === row) {
                    only[cell] = NONE;
                } else if (cellLength[cell] > 1) {
                    rowOf[cell] = row;
                    only[cell] = neighbor;
                    cells[cellCount++] = cell;
                }
            }
            edgesSeen += rowEnd - firstNeighbor[current] + 1;
        }
        this.#rowCount = row;
        this.#count = count;
        return edgesSeen;
    }

    #areAllFixed(): boolean {
        const { vertexCount, cellLength } = this.#partition;
        let cell = 0;
        while (cell < vertexCount && (cellLength[cell] === 1 || this.#fixedIn[cell] === cellLength[cell])) {
            cell += cellLength[cell];
        }
        return cell === vertexCount;
    }
}
