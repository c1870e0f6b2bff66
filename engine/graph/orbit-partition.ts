/**
 * The orbits of the automorphisms found so far, with their representatives in each cell of a partition.
 *
 * Each cell has a linked list of its representatives, because visiting a whole cell at each level would take quadratic
 * time. All automorphisms found at or below a node keep its cells, so no orbit leaves its cell.
 */
import type { SparsePermutation } from '../group/sparse-permutation.js';
import { VERTEX_LIMIT } from './colored-graph.js';
import type { OrderedPartition } from './ordered-partition.js';
import type { Scratch } from './scratch.js';

/** More representatives than this are not sorted by insertion. */
const MANY = 24;

/**
 * The orbits of the vertices that target cells can hold. An orbit is represented by its vertex that was fixed earliest
 * on the first path, which is the best image of a base point.
 */
export class OrbitPartition {
    /** `#fixedAt[v]` says how early v became fixed; it differs between the vertices of a cell. Length vertexCount. */
    readonly #fixedAt: Int32Array;
    readonly #partition: OrderedPartition;
    /** `#isSought[v]` is 1 if a target cell may hold v: if v shares a cell of the root with a base point. */
    readonly #isSought: Uint8Array;
    /** `#parent[v]` is another vertex of the orbit, or v if v represents it. */
    readonly #parent: Int32Array;
    /** `#size[v]` is the length of the orbit that v represents. */
    readonly #size: Int32Array;
    /** `#first[s]` and `#last[s]` are the ends of the list of the cell that starts at s. */
    readonly #first: Int32Array;
    readonly #last: Int32Array;
    /** `#next[v]` and `#previous[v]` are v's neighbors in the list, or -1. */
    readonly #next: Int32Array;
    readonly #previous: Int32Array;

    /** At first, every vertex is an orbit. `isSought` is equal for all vertices of a cell. */
    constructor(partition: OrderedPartition, fixedAt: Int32Array, isSought: Uint8Array, scratch: Scratch) {
        const { vertexCount, elements, cellLength } = partition;
        this.#fixedAt = fixedAt;
        this.#partition = partition;
        this.#isSought = isSought;
        this.#parent = scratch.integers(vertexCount);
        for (let vertex = 0; vertex < vertexCount; vertex++) {
            this.#parent[vertex] = vertex;
        }
        this.#size = scratch.integers(vertexCount).fill(1);
        this.#first = scratch.integers(vertexCount);
        this.#last = scratch.integers(vertexCount);
        this.#next = scratch.integers(vertexCount).fill(-1);
        this.#previous = scratch.integers(vertexCount).fill(-1);
        for (let cell = 0; cell < vertexCount; cell += cellLength[cell]) {
            if (isSought[elements[cell]] === 0) {
                continue;
            }
            const last = cell + cellLength[cell] - 1;
            this.#first[cell] = elements[cell];
            this.#last[cell] = elements[last];
            for (let place = cell; place < last; place++) {
                this.#next[elements[place]] = elements[place + 1];
                this.#previous[elements[place + 1]] = elements[place];
            }
        }
    }

    /** The representative of the orbit of `vertex`. */
    find(vertex: number): number {
        const parent = this.#parent;
        while (parent[vertex] !== vertex) {
            parent[vertex] = parent[parent[vertex]];
            vertex = parent[vertex];
        }
        return vertex;
    }

    /** The length of the orbit of `vertex`. */
    orbitLength(vertex: number): number {
        return this.#size[this.find(vertex)];
    }

    /** Joins the orbits that a permutation, which keeps the cells, connects. True if two sought orbits were joined. */
    uniteAll({ points, images }: SparsePermutation): boolean {
        const isSought = this.#isSought;
        const parent = this.#parent;
        let changed = false;
        for (let i = 0; i < points.length; i++) {
            // If both are in one orbit already, they mostly have the same parent.
            if (isSought[points[i]] === 1 && parent[points[i]] !== parent[images[i]]) {
                changed = this.union(points[i], images[i]) || changed;
            }
        }
        return changed;
    }

    /** Joins the orbits of two vertices of one cell. True if they were different. */
    union(first: number, second: number): boolean {
        let winner = this.find(first);
        let loser = this.find(second);
        if (winner === loser) {
            return false;
        }
        if (this.#fixedAt[loser] < this.#fixedAt[winner]) {
            [winner, loser] = [loser, winner];
        }
        this.#parent[loser] = winner;
        this.#size[winner] += this.#size[loser];
        this.#removeFromList(loser);
        return true;
    }

    /** The representatives of the orbits in the cell that starts at `cell`, those fixed earliest first. */
    representativesIn(cell: number): readonly number[] {
        const fixedAt = this.#fixedAt;
        const representatives: number[] = [];
        for (let vertex = this.#first[cell]; vertex >= 0; vertex = this.#next[vertex]) {
            representatives.push(vertex);
        }
        const count = representatives.length;
        if (count > MANY) {
            const keys = Float64Array.from(
                representatives,
                vertex => (fixedAt[vertex] + 1) * VERTEX_LIMIT + vertex,
            ).sort();
            for (let i = 0; i < count; i++) {
                representatives[i] = keys[i] - Math.floor(keys[i] / VERTEX_LIMIT) * VERTEX_LIMIT;
            }
            return representatives;
        }
        for (let i = 1; i < count; i++) {
            const vertex = representatives[i];
            let j = i;
            for (; j > 0 && fixedAt[representatives[j - 1]] > fixedAt[vertex]; j--) {
                representatives[j] = representatives[j - 1];
            }
            representatives[j] = vertex;
        }
        return representatives;
    }

    /** Appends the list of `cell` to that of `parent`, before the partition merges `cell` into `parent`. */
    mergeCells(parent: number, cell: number): void {
        if (this.#isSought[this.#partition.elements[cell]] === 0) {
            return;
        }
        const joint = this.#last[parent];
        const next = this.#first[cell];
        this.#next[joint] = next;
        this.#previous[next] = joint;
        this.#last[parent] = this.#last[cell];
    }

    /** Removes a representative from the list of its cell when its orbit joins another. */
    #removeFromList(vertex: number): void {
        const previous = this.#previous[vertex];
        const next = this.#next[vertex];
        const cell = this.#partition.cellOf[vertex];
        if (previous >= 0) {
            this.#next[previous] = next;
        } else {
            this.#first[cell] = next;
        }
        if (next >= 0) {
            this.#previous[next] = previous;
        } else {
            this.#last[cell] = previous;
        }
    }
}
