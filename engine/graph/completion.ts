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

// What is known of a cell. Between two guesses, all cells are SAME, and so are those that were not split since the paths
// parted.
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

/** When more than one vertex in this many is moved, going through all vertices is faster than sorting the moved ones. */
const SCAN = 16;

/** Stands for the image of a vertex that has none yet. */
const UNKNOWN = -1;

/** Room for the index of a vertex in the low digits of a sort key, exact with a hash of 32 bits on top. */
const KEY_BASE = 2 ** 21;

export class Completion {
    readonly #graph: ColoredGraph;
    readonly #partition: OrderedPartition;

    /** `#stateOf[s]` is what is known of the cell that starts at s. */
    readonly #stateOf: Uint8Array;
    /** The cells that are not SAME, in the order in which they were first split. */
    #cells: number[] = [];
    /** `#imageOf[v]` is the image of v, or UNKNOWN. Between two guesses, all vertices stay. */
    readonly #imageOf: Int32Array;
    /** `#isTaken[w]` is 0 if w is to become the image of a vertex whose image is unknown, else 1. */
    readonly #isTaken: Uint8Array;
    /** The vertices with another image than themselves. The first `#movedCount` entries count. */
    readonly #moved: Int32Array;
    #movedCount = 0;

    // An open cell has two sides: its vertices on the first path and here. Of a cell that is mostly the same, they are those
    // that are on one side only.
    /** `#firstOf[s]` is where the sides of the cell s begin in `#left` and `#right`. */
    readonly #firstOf: Int32Array;
    /** `#countOf[s]` is how many vertices each side has. */
    readonly #countOf: Int32Array;
    /** `#leftFound[s]` and `#rightFound[s]` count those found so far of a cell that is mostly the same. */
    readonly #leftFound: Int32Array;
    readonly #rightFound: Int32Array;
    #left = new Int32Array(16);
    #right = new Int32Array(16);

    /** The open cells to look at, in turn, and whether a cell is still to come among them. */
    #waiting: number[] = [];
    readonly #isWaiting: Uint8Array;
    /** The sort keys of both sides of the cell that is looked at. */
    #leftKeys = new Float64Array(16);
    #rightKeys = new Float64Array(16);
    /** How many more edges may be looked at. */
    #edgesLeft = 0;

    constructor(graph: ColoredGraph, partition: OrderedPartition) {
        const { vertexCount } = graph;
        this.#graph = graph;
        this.#partition = partition;
        this.#stateOf = new Uint8Array(vertexCount);
        this.#imageOf = new Int32Array(vertexCount);
        for (let vertex = 0; vertex < vertexCount; vertex++) {
            this.#imageOf[vertex] = vertex;
        }
        this.#isTaken = new Uint8Array(vertexCount).fill(1);
        this.#moved = new Int32Array(vertexCount);
        this.#firstOf = new Int32Array(vertexCount);
        this.#countOf = new Int32Array(vertexCount);
        this.#leftFound = new Int32Array(vertexCount);
        this.#rightFound = new Int32Array(vertexCount);
        this.#isWaiting = new Uint8Array(vertexCount);
    }

    /**
     * A permutation that maps the partition at the same depth of the watched path to the present one; both agree up to the
     * split with index `firstSplit`. Undefined if there is no guess, or it would take looking at more than `edgeLimit` edges.
     */
    guess(firstSplit: number, edgeLimit: number): SparsePermutation | undefined {
        this.#edgesLeft = edgeLimit;
        this.#collectCells(firstSplit);
        const permutation = this.#settleAll() ? this.#toPermutation() : undefined;
        this.#forget();
        return permutation;
    }

    /** Takes stock of the cells that were split since, and of the sides of the open ones. */
    #collectCells(firstSplit: number): void {
        const { splitStart, splitParent, splitCount, elements, cellLength, watchedLeaf } = this.#partition;
        const stateOf = this.#stateOf;
        let sideLength = 0;
        let areSomeMostlySame = false;
        for (let i = firstSplit; i < splitCount; i++) {
            for (let part = 0; part < 2; part++) {
                const cell = part === 0 ? splitParent[i] : splitStart[i];
                if (stateOf[cell] !== SAME) {
                    continue;
                }
                this.#classify(cell);
                if (this.#isOpen(cell)) {
                    this.#firstOf[cell] = sideLength;
                    sideLength += this.#countOf[cell];
                    areSomeMostlySame ||= this.#countOf[cell] < cellLength[cell];
                }
            }
        }
        if (sideLength > this.#left.length) {
            this.#left = new Int32Array(2 * sideLength);
            this.#right = new Int32Array(2 * sideLength);
        }
        for (const cell of this.#cells) {
            if (stateOf[cell] === MOSTLY_SAME) {
                continue;
            }
            const end = cell + cellLength[cell];
            for (let place = cell; place < end; place++) {
                const left = watchedLeaf.elements[place];
                const right = elements[place];
                if (stateOf[cell] === SINGLE) {
                    this.#map(left, right);
                } else {
                    this.#addToSides(cell, place - cell, left, right);
                }
                if (areSomeMostlySame && left !== right) {
                    this.#noteStrangers(left, right);
                }
            }
        }
        if (areSomeMostlySame) {
            this.#completeStrangers();
        }
    }

    #classify(cell: number): void {
        const length = this.#partition.cellLength[cell];
        if (length === 1) {
            this.#stateOf[cell] = SINGLE;
        } else if (this.#partition.isDifferent(cell)) {
            const strangers = this.#partition.strangerCount(cell);
            const isMostlySame = strangers * MOSTLY < length;
            this.#stateOf[cell] = isMostlySame ? MOSTLY_SAME : OPEN;
            this.#countOf[cell] = isMostlySame ? strangers : length;
            this.#leftFound[cell] = 0;
            this.#rightFound[cell] = 0;
        } else {
            return;
        }
        this.#cells.push(cell);
    }

    #isOpen(cell: number): boolean {
        return this.#stateOf[cell] === OPEN || this.#stateOf[cell] === MOSTLY_SAME;
    }

    #addToSides(cell: number, index: number, left: number, right: number): void {
        const place = this.#firstOf[cell] + index;
        this.#left[place] = left;
        this.#right[place] = right;
        this.#imageOf[left] = UNKNOWN;
        this.#isTaken[right] = 0;
    }

    /**
     * Two vertices have one place on the two sides. If the one here belongs to a cell that is mostly the same on the first
     * path, or the one there belongs to such a cell here, it is a stranger.
     */
    #noteStrangers(left: number, right: number): void {
        const cellThere = this.#cellOnFirstPath(right);
        if (this.#stateOf[cellThere] === MOSTLY_SAME) {
            this.#left[this.#firstOf[cellThere] + this.#leftFound[cellThere]++] = right;
        }
        const cellHere = this.#partition.cellOf[left];
        if (this.#stateOf[cellHere] === MOSTLY_SAME) {
            this.#right[this.#firstOf[cellHere] + this.#rightFound[cellHere]++] = left;
        }
    }

    /** Only when two cells that are mostly the same have exchanged vertices are some missing yet: go through such a cell. */
    #completeStrangers(): void {
        const { elements, cellOf, cellLength, watchedLeaf } = this.#partition;
        for (const cell of this.#cells) {
            if (this.#stateOf[cell] !== MOSTLY_SAME) {
                continue;
            }
            const first = this.#firstOf[cell];
            const count = this.#countOf[cell];
            if (this.#leftFound[cell] < count || this.#rightFound[cell] < count) {
                this.#edgesLeft -= cellLength[cell];
                let leftFound = 0;
                let rightFound = 0;
                for (let place = cell; place < cell + cellLength[cell]; place++) {
                    if (cellOf[watchedLeaf.elements[place]] !== cell) {
                        this.#left[first + leftFound++] = watchedLeaf.elements[place];
                    }
                    if (this.#cellOnFirstPath(elements[place]) !== cell) {
                        this.#right[first + rightFound++] = elements[place];
                    }
                }
            }
            for (let i = 0; i < count; i++) {
                this.#addToSides(cell, i, this.#left[first + i], this.#right[first + i]);
            }
        }
    }

    /** The start of the cell that holds `vertex` at this depth of the first path. */
    #cellOnFirstPath(vertex: number): number {
        return this.#partition.cellOf[this.#partition.elements[this.#partition.watchedLeaf.position[vertex]]];
    }

    #map(vertex: number, image: number): void {
        this.#imageOf[vertex] = image;
        this.#isTaken[image] = 1;
        if (vertex !== image) {
            this.#moved[this.#movedCount++] = vertex;
        }
    }

    /**
     * Settles the open cells; false if that fails. A cell is looked at again only when a neighbor has been settled, so
     * every edge is looked at a few times only.
     */
    #settleAll(): boolean {
        const cells = this.#cells;
        const waiting = this.#waiting;
        for (const cell of cells) {
            if (this.#isOpen(cell)) {
                this.#enqueue(cell);
            }
        }
        let nextChoice = 0;
        for (let next = 0; ; next++) {
            const mustChoose = next === waiting.length;
            if (mustChoose) {
                while (nextChoice < cells.length && !this.#isOpen(cells[nextChoice])) {
                    nextChoice++;
                }
                if (nextChoice === cells.length) {
                    return true;
                }
                this.#enqueue(cells[nextChoice]);
            }
            const cell = waiting[next];
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
     * Pairs off both sides of a cell by what is known of the neighbors of their vertices. When this does not decide, the
     * cell is left as it is, unless we must choose: then common vertices stay, and the others are paired in order. False if
     * both sides do not fit together.
     */
    #settle(cell: number, mustChoose: boolean): boolean {
        const first = this.#firstOf[cell];
        const count = this.#countOf[cell];
        if (count > KEY_BASE) {
            return false;
        }
        const isInformed = count === 1 || this.#isInformed(this.#left[first]);
        if (!isInformed && !mustChoose) {
            return true;
        }
        this.#sortSides(first, count, isInformed);
        const left = this.#left;
        const leftKeys = this.#leftKeys;
        const rightKeys = this.#rightKeys;
        let isDecided = true;
        let previous = -1;
        for (let i = 0; i < count; i++) {
            const hash = hashOfKey(leftKeys[i]);
            if (hash !== hashOfKey(rightKeys[i])) {
                return false;
            }
            if (hash === previous) {
                isDecided = false;
            }
            previous = hash;
        }
        if (!isDecided && !mustChoose) {
            return true;
        }
        this.#stateOf[cell] = SETTLED;
        if (isDecided) {
            for (let i = 0; i < count; i++) {
                this.#map(left[first + indexOfKey(leftKeys[i])], this.#right[first + indexOfKey(rightKeys[i])]);
            }
        } else {
            this.#pairOff(cell, first, count);
        }
        for (let i = 0; i < count; i++) {
            this.#wakeNeighbors(left[first + i]);
        }
        return true;
    }

    /**
     * Whether the neighbors of `vertex` may tell it from the other vertices of its cell. Singletons do not: as the partition
     * is equitable, they are neighbors of all vertices of a cell or of none. And what cells its neighbors are in, is the same
     * for the whole cell; so one vertex speaks for all.
     */
    #isInformed(vertex: number): boolean {
        const { firstNeighbor, neighbors } = this.#graph;
        const end = firstNeighbor[vertex + 1];
        this.#edgesLeft -= end - firstNeighbor[vertex];
        for (let i = firstNeighbor[vertex]; i < end; i++) {
            const cell = this.#cellOnFirstPath(neighbors[i]);
            if (this.#partition.cellLength[cell] > 1 && this.#stateOf[cell] !== OPEN) {
                return true;
            }
        }
        return false;
    }

    /** Fills in and sorts the keys of both sides. A key is the hash of a vertex, if it means anything, and its index. */
    #sortSides(first: number, count: number, isInformed: boolean): void {
        if (count > this.#leftKeys.length) {
            this.#leftKeys = new Float64Array(2 * count);
            this.#rightKeys = new Float64Array(2 * count);
        }
        const leftKeys = this.#leftKeys;
        const rightKeys = this.#rightKeys;
        if (!isInformed) {
            for (let i = 0; i < count; i++) {
                leftKeys[i] = i;
                rightKeys[i] = i;
            }
            return;
        }
        for (let i = 0; i < count; i++) {
            leftKeys[i] = (this.#hashOfImages(this.#left[first + i]) >>> 0) * KEY_BASE + i;
            rightKeys[i] = (this.#hashOfNeighbors(this.#right[first + i]) >>> 0) * KEY_BASE + i;
        }
        sortStart(leftKeys, count);
        sortStart(rightKeys, count);
    }

    /** Pairs the vertices of both sides with equal hashes in the order of their keys; one that is on both sides stays. */
    #pairOff(cell: number, first: number, count: number): void {
        const left = this.#left;
        const right = this.#right;
        this.#keepCommon(cell, first, count);
        let next = 0;
        for (let i = 0; i < count; i++) {
            const vertex = left[first + indexOfKey(this.#leftKeys[i])];
            if (this.#imageOf[vertex] !== UNKNOWN) {
                continue;
            }
            let image = right[first + indexOfKey(this.#rightKeys[next++])];
            while (this.#isTaken[image] === 1) {
                image = right[first + indexOfKey(this.#rightKeys[next++])];
            }
            this.#map(vertex, image);
        }
    }

    /** Lets those vertices stay that are on both sides of the cell with the same hash. */
    #keepCommon(cell: number, first: number, count: number): void {
        const hashOfCommon = new Map<number, number>();
        for (let i = 0; i < count; i++) {
            const vertex = this.#right[first + indexOfKey(this.#rightKeys[i])];
            if (this.#imageOf[vertex] === UNKNOWN && this.#cellOnFirstPath(vertex) === cell) {
                hashOfCommon.set(vertex, hashOfKey(this.#rightKeys[i]));
            }
        }
        if (hashOfCommon.size === 0) {
            return;
        }
        for (let i = 0; i < count; i++) {
            const vertex = this.#left[first + indexOfKey(this.#leftKeys[i])];
            if (hashOfCommon.get(vertex) === hashOfKey(this.#leftKeys[i])) {
                this.#map(vertex, vertex);
            }
        }
    }

    /** The sum over the neighbors of a vertex of the first path of their images, as far as they are known. */
    #hashOfImages(vertex: number): number {
        const { firstNeighbor, neighbors } = this.#graph;
        const imageOf = this.#imageOf;
        const end = firstNeighbor[vertex + 1];
        let hash = 0;
        for (let i = firstNeighbor[vertex]; i < end; i++) {
            const image = imageOf[neighbors[i]];
            if (image !== UNKNOWN) {
                hash = (hash + scrambled(image)) | 0;
            }
        }
        this.#edgesLeft -= end - firstNeighbor[vertex] + 1;
        return hash;
    }

    /** The sum over the neighbors of a vertex of the present partition that are known to be images. */
    #hashOfNeighbors(vertex: number): number {
        const { firstNeighbor, neighbors } = this.#graph;
        const isTaken = this.#isTaken;
        const end = firstNeighbor[vertex + 1];
        let hash = 0;
        for (let i = firstNeighbor[vertex]; i < end; i++) {
            if (isTaken[neighbors[i]] === 1) {
                hash = (hash + scrambled(neighbors[i])) | 0;
            }
        }
        this.#edgesLeft -= end - firstNeighbor[vertex] + 1;
        return hash;
    }

    /** Queues the open cells with a neighbor of `vertex`, as they are on the first path. */
    #wakeNeighbors(vertex: number): void {
        const { firstNeighbor, neighbors } = this.#graph;
        const end = firstNeighbor[vertex + 1];
        for (let i = firstNeighbor[vertex]; i < end; i++) {
            if (this.#imageOf[neighbors[i]] === UNKNOWN) {
                this.#enqueue(this.#cellOnFirstPath(neighbors[i]));
            }
        }
        this.#edgesLeft -= end - firstNeighbor[vertex];
    }

    #toPermutation(): SparsePermutation {
        const points = this.#moved.slice(0, this.#movedCount);
        if (points.length * SCAN < this.#graph.vertexCount) {
            points.sort();
        } else {
            let next = 0;
            for (let vertex = 0; vertex < this.#graph.vertexCount; vertex++) {
                if (this.#imageOf[vertex] !== vertex) {
                    points[next++] = vertex;
                }
            }
        }
        const images = new Int32Array(points.length);
        for (let i = 0; i < points.length; i++) {
            images[i] = this.#imageOf[points[i]];
        }
        return { points, images };
    }

    /** Makes all cells SAME and all vertices stay again. */
    #forget(): void {
        for (const cell of this.#cells) {
            if (this.#isOpen(cell)) {
                for (let i = this.#firstOf[cell]; i < this.#firstOf[cell] + this.#countOf[cell]; i++) {
                    this.#imageOf[this.#left[i]] = this.#left[i];
                    this.#isTaken[this.#right[i]] = 1;
                }
            }
            this.#stateOf[cell] = SAME;
            this.#isWaiting[cell] = 0;
        }
        for (let i = 0; i < this.#movedCount; i++) {
            this.#imageOf[this.#moved[i]] = this.#moved[i];
        }
        this.#cells = [];
        this.#waiting = [];
        this.#movedCount = 0;
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
