/**
 * Guesses an automorphism from two equitable partitions that were refined in step, long before they are discrete.
 *
 * Where both partitions have singletons, the image is clear. Where a cell is the same set in both, we guess that its
 * vertices stay: this is saucy's way to sparse automorphisms [Darga2008]. What is left are cells that differ as sets, such
 * as the steps from process p to any other process, and from q to any other, when p and q are exchanged. saucy and bliss
 * individualize on until these agree too, which takes as many levels as there are processes. We go further: a vertex of
 * such a cell goes to the one whose neighbors are the images of its neighbors, as far as these are known. Each cell settled
 * so settles others. Where nothing decides, one cell is paired off arbitrarily: subtrees and blocks may be matched in any
 * way as long as it is done consistently.
 *
 * The guess may be wrong. The certificate decides; after a wrong guess the search goes on as if there had been none.
 */
import type { SparsePermutation } from '../group/sparse-permutation.js';
import type { ColoredGraph } from './colored-graph.js';
import type { OrderedPartition } from './ordered-partition.js';

// What is known of a cell. Cells that were not split since the paths parted are SAME, as are all between two guesses.
const SAME = 0;
/** A singleton in both partitions. */
const SINGLE = 1;
/** The sets differ. */
const OPEN = 2;
/** The sets differ in a small part; we guess that the common vertices stay. */
const MOSTLY_SAME = 3;
/** The sets differ, and the image of each vertex has been chosen. */
const SETTLED = 4;

/** The sets count as mostly the same when fewer than one vertex in this many is not in both. */
const MOSTLY = 4;

/** Room for the index of a vertex in the low digits of a sort key, exact with a hash of 32 bits on top. */
const KEY_BASE = 2 ** 21;

export class Completion {
    readonly #graph: ColoredGraph;
    readonly #partition: OrderedPartition;
    /** `#stateOf[s]` is what is known of the cell that starts at s. */
    readonly #stateOf: Uint8Array;
    /** `#imageOf[v]` is the image chosen for v, or -1. */
    readonly #imageOf: Int32Array;
    /** The vertices with a chosen image other than themselves. */
    #moved: number[] = [];
    /** For cells that are mostly the same: the vertices that are in it on the first path only, and here only. */
    readonly #leftOf = new Map<number, number[]>();
    readonly #rightOf = new Map<number, number[]>();
    /** `#hashOf[v]` is the hash of the neighbors of a vertex on our side, while its cell is looked at. */
    readonly #hashOf: Int32Array;
    #edgesLeft = 0;
    /** The cells to look at, in turn, and whether a cell is still to come in it. */
    #waiting: number[] = [];
    readonly #isWaiting: Uint8Array;
    // The cell that is looked at: its vertices on the first path and here, and their keys. The first `#sideLength` count.
    #sideLength = 0;
    #left = new Int32Array(16);
    #right = new Int32Array(16);
    #leftKeys = new Float64Array(16);
    #rightKeys = new Float64Array(16);

    constructor(graph: ColoredGraph, partition: OrderedPartition) {
        this.#graph = graph;
        this.#partition = partition;
        this.#stateOf = new Uint8Array(graph.vertexCount);
        this.#isWaiting = new Uint8Array(graph.vertexCount);
        this.#imageOf = new Int32Array(graph.vertexCount).fill(-1);
        this.#hashOf = new Int32Array(graph.vertexCount);
    }

    /**
     * A permutation that maps the partition at the same depth of the watched path to the present one; both agree up to the
     * split with index `firstSplit`. Undefined if there is no guess, or it would take looking at more than `edgeLimit` edges.
     */
    guess(firstSplit: number, edgeLimit: number): SparsePermutation | undefined {
        this.#edgesLeft = edgeLimit;
        const cells = this.#cellsSplitSince(firstSplit);
        this.#mapSingletons(cells);
        const open = cells.filter(cell => this.#isOpen(cell));
        this.#collectStrangers(cells, open);
        const isComplete = this.#settleAll(open);
        const permutation = isComplete ? this.#toPermutation() : undefined;
        this.#forget(cells);
        return permutation;
    }

    /** All cells that were split since, each once, with their state. */
    #cellsSplitSince(firstSplit: number): number[] {
        const partition = this.#partition;
        const cells: number[] = [];
        for (let i = firstSplit; i < partition.splitCount; i++) {
            this.#classify(partition.splitParent[i], cells);
            this.#classify(partition.splitStart[i], cells);
        }
        return cells;
    }

    #classify(cell: number, cells: number[]): void {
        if (this.#stateOf[cell] !== SAME) {
            return;
        }
        const length = this.#partition.cellLength[cell];
        if (length === 1) {
            this.#stateOf[cell] = SINGLE;
            cells.push(cell);
        } else if (this.#partition.isDifferent(cell)) {
            this.#stateOf[cell] = this.#partition.strangerCount(cell) * MOSTLY < length ? MOSTLY_SAME : OPEN;
            cells.push(cell);
        }
    }

    #isOpen(cell: number): boolean {
        return this.#stateOf[cell] === OPEN || this.#stateOf[cell] === MOSTLY_SAME;
    }

    #mapSingletons(cells: readonly number[]): void {
        for (const cell of cells) {
            if (this.#stateOf[cell] === SINGLE) {
                this.#map(this.#partition.watchedLeaf.elements[cell], this.#partition.elements[cell]);
            }
        }
    }

    #map(vertex: number, image: number): void {
        if (vertex !== image) {
            this.#imageOf[vertex] = image;
            this.#moved.push(vertex);
        }
    }

    /**
     * For each open cell that is mostly the same, the vertices in which it differs. They are found in the cells that have
     * them on the other side; only when two such cells have exchanged vertices must the cell itself be gone through.
     */
    #collectStrangers(cells: readonly number[], open: readonly number[]): void {
        const { elements, cellOf, cellLength } = this.#partition;
        const leafElements = this.#partition.watchedLeaf.elements;
        const mostlySame = open.filter(cell => this.#stateOf[cell] === MOSTLY_SAME);
        if (mostlySame.length === 0) {
            return;
        }
        for (const cell of mostlySame) {
            this.#leftOf.set(cell, []);
            this.#rightOf.set(cell, []);
        }
        for (const cell of cells) {
            if (this.#stateOf[cell] === MOSTLY_SAME) {
                continue;
            }
            for (let place = cell; place < cell + cellLength[cell]; place++) {
                this.#leftOf.get(this.#cellOnFirstPath(elements[place]))?.push(elements[place]);
                this.#rightOf.get(cellOf[leafElements[place]])?.push(leafElements[place]);
            }
        }
        for (const cell of mostlySame) {
            const range = { start: cell, end: cell + cellLength[cell] };
            if (this.#leftOf.get(cell)?.length !== this.#partition.strangerCount(cell)) {
                this.#edgesLeft -= cellLength[cell];
                const left = leafElements.subarray(range.start, range.end).filter(vertex => cellOf[vertex] !== cell);
                const right = elements
                    .subarray(range.start, range.end)
                    .filter(vertex => this.#cellOnFirstPath(vertex) !== cell);
                this.#leftOf.set(cell, [...left]);
                this.#rightOf.set(cell, [...right]);
            }
        }
    }

    /** The start of the cell that holds `vertex` at this depth of the first path. */
    #cellOnFirstPath(vertex: number): number {
        return this.#partition.cellOf[this.#partition.elements[this.#partition.watchedLeaf.position[vertex]]];
    }

    /**
     * Settles the open cells; false if that fails. A cell is looked at again only when a neighbor has been settled, so
     * every edge is looked at a few times only.
     */
    #settleAll(open: readonly number[]): boolean {
        const waiting = this.#waiting;
        for (const cell of open) {
            this.#enqueue(cell);
        }
        let nextChoice = 0;
        for (let next = 0; ; next++) {
            let cell = waiting[next];
            const mustChoose = cell === undefined;
            if (cell === undefined) {
                while (nextChoice < open.length && !this.#isOpen(open[nextChoice])) {
                    nextChoice++;
                }
                if (nextChoice === open.length) {
                    return true;
                }
                cell = open[nextChoice];
                this.#enqueue(cell);
            }
            this.#isWaiting[cell] = 0;
            if (this.#isOpen(cell) && !this.#settle(cell, mustChoose)) {
                return false;
            }
            if (this.#edgesLeft < 0) {
                return false;
            }
        }
    }

    #enqueue(cell: number): void {
        if (this.#isWaiting[cell] === 0) {
            this.#isWaiting[cell] = 1;
            this.#waiting.push(cell);
        }
    }

    /**
     * Pairs off the vertices of a cell here and on the first path by what is known of their neighbors. When this does not
     * decide, the cell is left as it is, unless we must choose: then common vertices stay, and the others are paired in
     * order. False if both sides do not fit together.
     */
    #settle(cell: number, mustChoose: boolean): boolean {
        this.#loadSides(cell);
        const count = this.#sideLength;
        const left = this.#left;
        const right = this.#right;
        const leftKeys = this.#leftKeys;
        const rightKeys = this.#rightKeys;
        sortStart(leftKeys, count);
        sortStart(rightKeys, count);
        let isDecided = true;
        let previous = -1;
        for (let i = 0; i < count; i++) {
            const hash = hashOfKey(leftKeys[i]);
            if (hash !== hashOfKey(rightKeys[i])) {
                return false;
            }
            isDecided &&= hash !== previous;
            previous = hash;
        }
        if (!isDecided && !mustChoose) {
            return true;
        }
        this.#stateOf[cell] = SETTLED;
        if (isDecided) {
            for (let i = 0; i < count; i++) {
                this.#map(left[indexOfKey(leftKeys[i])], right[indexOfKey(rightKeys[i])]);
            }
        } else {
            this.#pairOff(cell);
        }
        for (let i = 0; i < count; i++) {
            this.#wakeNeighbors(left[i]);
        }
        return true;
    }

    /** Fills in the vertices of a cell on both sides, and for each its hash and index as a key to sort by. */
    #loadSides(cell: number): void {
        const leftList = this.#leftOf.get(cell);
        const rightList = this.#rightOf.get(cell);
        const { elements, watchedLeaf } = this.#partition;
        const count = leftList?.length ?? this.#partition.cellLength[cell];
        this.#sideLength = count;
        if (count > this.#left.length) {
            this.#left = new Int32Array(2 * count);
            this.#right = new Int32Array(2 * count);
            this.#leftKeys = new Float64Array(2 * count);
            this.#rightKeys = new Float64Array(2 * count);
        }
        for (let i = 0; i < count; i++) {
            const left = leftList === undefined ? watchedLeaf.elements[cell + i] : leftList[i];
            const right = rightList === undefined ? elements[cell + i] : rightList[i];
            const hash = this.#hashOfNeighbors(right);
            this.#left[i] = left;
            this.#right[i] = right;
            this.#hashOf[right] = hash;
            this.#leftKeys[i] = (this.#hashOfImages(left) >>> 0) * KEY_BASE + i;
            this.#rightKeys[i] = (hash >>> 0) * KEY_BASE + i;
        }
    }

    /** Pairs the vertices of a cell with equal hashes in the order of their keys; a vertex on both sides stays if it can. */
    #pairOff(cell: number): void {
        const { cellOf } = this.#partition;
        const count = this.#sideLength;
        const staying = new Set<number>();
        for (let i = 0; i < count; i++) {
            const vertex = this.#left[indexOfKey(this.#leftKeys[i])];
            if (cellOf[vertex] === cell && this.#hashOf[vertex] >>> 0 === hashOfKey(this.#leftKeys[i])) {
                staying.add(vertex);
            }
        }
        let next = 0;
        for (let i = 0; i < count; i++) {
            const vertex = this.#left[indexOfKey(this.#leftKeys[i])];
            if (staying.has(vertex)) {
                continue;
            }
            let image = this.#right[indexOfKey(this.#rightKeys[next++])];
            while (staying.has(image)) {
                image = this.#right[indexOfKey(this.#rightKeys[next++])];
            }
            this.#map(vertex, image);
        }
    }

    /** Queues the open cells with a neighbor of `vertex`, as they are on the first path. */
    #wakeNeighbors(vertex: number): void {
        const { firstNeighbor, neighbors } = this.#graph;
        const end = firstNeighbor[vertex + 1];
        for (let i = firstNeighbor[vertex]; i < end; i++) {
            const cell = this.#cellOnFirstPath(neighbors[i]);
            if (this.#isOpen(cell)) {
                this.#enqueue(cell);
            }
        }
        this.#edgesLeft -= end - firstNeighbor[vertex];
    }

    /** The sum over the neighbors of a vertex of the first path of their images, as far as they are known. */
    #hashOfImages(vertex: number): number {
        const { firstNeighbor, neighbors } = this.#graph;
        const { elements, cellOf } = this.#partition;
        const position = this.#partition.watchedLeaf.position;
        const stateOf = this.#stateOf;
        let hash = 0;
        const end = firstNeighbor[vertex + 1];
        for (let i = firstNeighbor[vertex]; i < end; i++) {
            const neighbor = neighbors[i];
            const cell = cellOf[elements[position[neighbor]]];
            const state = stateOf[cell];
            if (state === SAME || (state === MOSTLY_SAME && cellOf[neighbor] === cell)) {
                hash = (hash + scrambled(neighbor)) | 0;
            } else if (state === SINGLE || state === SETTLED) {
                const image = this.#imageOf[neighbor];
                hash = (hash + scrambled(image < 0 ? neighbor : image)) | 0;
            }
        }
        this.#edgesLeft -= end - firstNeighbor[vertex] + 1;
        return hash;
    }

    /** The sum over the neighbors of a vertex of the present partition that are known to be images. */
    #hashOfNeighbors(vertex: number): number {
        const { firstNeighbor, neighbors } = this.#graph;
        const { cellOf } = this.#partition;
        const stateOf = this.#stateOf;
        let hash = 0;
        const end = firstNeighbor[vertex + 1];
        for (let i = firstNeighbor[vertex]; i < end; i++) {
            const neighbor = neighbors[i];
            const cell = cellOf[neighbor];
            const state = stateOf[cell];
            if (state === OPEN || (state === MOSTLY_SAME && this.#cellOnFirstPath(neighbor) !== cell)) {
                continue;
            }
            hash = (hash + scrambled(neighbor)) | 0;
        }
        this.#edgesLeft -= end - firstNeighbor[vertex] + 1;
        return hash;
    }

    #toPermutation(): SparsePermutation {
        const points = Int32Array.from(this.#moved).sort();
        return { points, images: points.map(point => this.#imageOf[point]) };
    }

    #forget(cells: readonly number[]): void {
        for (const cell of cells) {
            this.#stateOf[cell] = SAME;
            this.#isWaiting[cell] = 0;
        }
        this.#waiting = [];
        for (const vertex of this.#moved) {
            this.#imageOf[vertex] = -1;
        }
        this.#moved = [];
        this.#leftOf.clear();
        this.#rightOf.clear();
    }
}

/** A scrambled form of a vertex, so that sums of different sets differ. As in refinement.ts. */
function scrambled(vertex: number): number {
    const product = Math.imul(vertex + 0x9e3779b9, 0x85ebca6b);
    return Math.imul(product ^ (product >>> 15), 0xc2b2ae35);
}

function hashOfKey(key: number): number {
    return Math.floor(key / KEY_BASE);
}

function indexOfKey(key: number): number {
    return key - Math.floor(key / KEY_BASE) * KEY_BASE;
}

/** Sorts the first `count` numbers of `keys`. Most cells have two or three. */
function sortStart(keys: Float64Array, count: number): void {
    if (count > 24) {
        keys.subarray(0, count).sort();
        return;
    }
    for (let i = 1; i < count; i++) {
        const key = keys[i];
        let j = i;
        for (; j > 0 && keys[j - 1] > key; j--) {
            keys[j] = keys[j - 1];
        }
        keys[j] = key;
    }
}
