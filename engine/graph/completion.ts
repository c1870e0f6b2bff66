/**
 * Guesses an automorphism from two equitable partitions that were refined in step, long before they are discrete.
 *
 * Singletons of both partitions are mapped to each other. The vertices of a cell that is the same set in both stay, as in saucy
 * [Darga2008]. A vertex of any other cell goes to the vertex whose neighbors are the images of its neighbors, as far as these are
 * known. If nothing more follows, a choice is made. The certificate decides; a wrong guess costs time and nothing else.
 */
import type { SparsePermutation } from '../group/sparse-permutation.js';
import type { ColoredGraph } from './colored-graph.js';
import type { OrderedPartition } from './ordered-partition.js';
import { scrambled } from './scrambled.js';
import { Scratch } from './scratch.js';

// What is known of a cell. Between two guesses, all cells are SAME, and so are those that were not split since the paths
// parted.
const SAME = 0;
/** A singleton in both partitions. */
const SINGLE = 1;
/** The sets differ. */
const OPEN = 2;
/** The sets differ in a small part; we guess that the common vertices stay. */
const MOSTLY_SAME = 3;
/** The sets differ, and each vertex has found its image. */
const SETTLED = 4;

/** The sets count as mostly the same when fewer than one vertex in this many is not in both. */
const MOSTLY = 4;

/** Sides of at most this length are sorted by insertion. Most cells have two or three vertices. */
const SHORT = 24;

/** When we must choose in a cell with more vertices than this, we choose for all of them at once. */
const FEW = 64;

/** Stands for the image of a vertex that has none yet. */
const UNKNOWN = -1;

/** Room for a vertex in the low digits of a sort key, exact with a hash of 32 bits on top. */
const KEY_BASE = 2 ** 21;

/**
 * Guesses permutations from the difference between a partition and the path that it watches.
 *
 * For example, if processes p and q are exchanged, the steps from p to all others and from q to all others are cells that differ
 * as sets; saucy and bliss need as many levels as there are processes until they agree. For each vertex a sum of scrambled images
 * of its neighbors is kept, so every edge is visited once.
 */
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
    /** Their images, when there is a guess. */
    readonly #images: Int32Array;

    // An open cell has two sides: its vertices on the first path and here. Of a cell that is mostly the same, they are those
    // that are on one side only.
    /** `#firstOf[s]` is where the sides of the cell s begin in `#left` and `#right`, and `#sizeOf[s]` how long they are. */
    readonly #firstOf: Int32Array;
    readonly #sizeOf: Int32Array;
    /** `#openOf[s]` is how many of them have no image yet, or are none. They come first. */
    readonly #openOf: Int32Array;
    /** `#leftFound[s]` and `#rightFound[s]` count those found so far of a cell that is mostly the same. */
    readonly #leftFound: Int32Array;
    readonly #rightFound: Int32Array;
    #left = new Int32Array(16);
    #right = new Int32Array(16);
    /** `#openCell[v]` is the cell on whose left side v is. */
    readonly #openCell: Int32Array;
    /**
     * `#leftHash[v]` is the sum of the scrambled images of the neighbors of v, and `#rightHash[w]` that of the neighbors of w
     * that are images, as far as they have been told. Of vertices on no side, 0.
     */
    readonly #leftHash: Int32Array;
    readonly #rightHash: Int32Array;

    /** The open cells to look at, in turn, and whether a cell is still to come among them. */
    #waiting: number[] = [];
    readonly #isWaiting: Uint8Array;
    /** Room for one side of the cell that is looked at, and for its sort keys. */
    #copy = new Int32Array(16);
    #keys = new Float64Array(16);
    /**
     * A hash table for a long cell. A slot holds the vertices of the left side with one hash: the last of them, how many there
     * are, and how many of them have not been matched with the right side.
     */
    #tableVertex = new Int32Array(64);
    #tableCount = new Int32Array(64);
    #tableLeft = new Int32Array(64);
    /** How many more edges may be looked at. */
    #edgesLeft = 0;

    constructor(graph: ColoredGraph, partition: OrderedPartition, scratch = new Scratch()) {
        const { vertexCount } = graph;
        this.#graph = graph;
        this.#partition = partition;
        this.#stateOf = scratch.bytes(vertexCount);
        this.#imageOf = scratch.integers(vertexCount);
        for (let vertex = 0; vertex < vertexCount; vertex++) {
            this.#imageOf[vertex] = vertex;
        }
        this.#isTaken = scratch.bytes(vertexCount).fill(1);
        this.#moved = scratch.integers(vertexCount);
        this.#images = scratch.integers(vertexCount);
        this.#firstOf = scratch.integers(vertexCount);
        this.#sizeOf = scratch.integers(vertexCount);
        this.#openOf = scratch.integers(vertexCount);
        this.#leftFound = scratch.integers(vertexCount);
        this.#rightFound = scratch.integers(vertexCount);
        this.#openCell = scratch.integers(vertexCount);
        this.#leftHash = scratch.integers(vertexCount);
        this.#rightHash = scratch.integers(vertexCount);
        this.#isWaiting = scratch.bytes(vertexCount);
    }

    /**
     * A permutation that maps the partition at the same depth of the watched path to the present one; both agree up to the
     * split with index `firstSplit`. Undefined if there is no guess, or it would take looking at more than `edgeLimit` edges.
     * Not sorted, and gone with the next guess.
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
                    sideLength += this.#sizeOf[cell];
                    areSomeMostlySame ||= this.#sizeOf[cell] < cellLength[cell];
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
            this.#sizeOf[cell] = isMostlySame ? strangers : length;
            this.#openOf[cell] = this.#sizeOf[cell];
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
        this.#openCell[left] = cell;
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
            const count = this.#sizeOf[cell];
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

    /** Settles the open cells; false if that fails. */
    #settleAll(): boolean {
        const cells = this.#cells;
        const waiting = this.#waiting;
        for (const cell of cells) {
            if (this.#isOpen(cell)) {
                this.#hearNeighbors(cell);
            }
        }
        /** The cells in which to choose, once that is necessary: small ones first, where there is least to choose. */
        let choices: Float64Array | undefined;
        let nextChoice = 0;
        for (let next = 0; this.#edgesLeft >= 0;) {
            if (next < waiting.length) {
                const cell = waiting[next++];
                this.#isWaiting[cell] = 0;
                if (!this.#settle(cell)) {
                    return false;
                }
                continue;
            }
            choices ??= this.#openCellsBySize();
            while (nextChoice < choices.length && !this.#isOpen(choices[nextChoice] % KEY_BASE)) {
                nextChoice++;
            }
            if (nextChoice === choices.length) {
                return true;
            }
            this.#choose(choices[nextChoice] % KEY_BASE);
        }
        return false;
    }

    /** The open cells, each with the number of its open vertices times KEY_BASE added, ascending. */
    #openCellsBySize(): Float64Array {
        const cells = this.#cells.filter(cell => this.#isOpen(cell));
        return Float64Array.from(cells, cell => this.#openOf[cell] * KEY_BASE + cell).sort();
    }

    /**
     * Tells the vertices of a cell what is known of their neighbors from the beginning. Singletons tell them nothing: as the
     * partition is equitable, they are neighbors of all vertices of a cell or of none. And what cells its neighbors are in, is
     * the same for the whole cell; so one vertex speaks for all.
     */
    #hearNeighbors(cell: number): void {
        const { firstNeighbor, neighbors } = this.#graph;
        const first = this.#firstOf[cell];
        const end = first + this.#sizeOf[cell];
        const rowEnd = firstNeighbor[this.#left[first] + 1];
        let isInformed = this.#sizeOf[cell] === 1;
        for (let i = firstNeighbor[this.#left[first]]; i < rowEnd && !isInformed; i++) {
            const neighborCell = this.#cellOnFirstPath(neighbors[i]);
            isInformed = this.#partition.cellLength[neighborCell] > 1 && this.#stateOf[neighborCell] !== OPEN;
        }
        this.#edgesLeft -= rowEnd - firstNeighbor[this.#left[first]];
        if (!isInformed) {
            return;
        }
        for (let i = first; i < end; i++) {
            this.#leftHash[this.#left[i]] = this.#hashOfImages(this.#left[i]);
            this.#rightHash[this.#right[i]] = this.#hashOfNeighbors(this.#right[i]);
        }
        this.#enqueue(cell);
    }

    #enqueue(cell: number): void {
        if (this.#isWaiting[cell] === 0) {
            this.#isWaiting[cell] = 1;
            this.#waiting.push(cell);
        }
    }

    /**
     * Finds the images of the vertices of a cell that no other of the cell can be mistaken for, by what they have been told.
     * False if both sides of the cell do not fit together.
     */
    #settle(cell: number): boolean {
        const left = this.#left;
        const right = this.#right;
        const leftHash = this.#leftHash;
        const rightHash = this.#rightHash;
        const first = this.#firstOf[cell];
        const end = first + this.#openOf[cell];
        this.#edgesLeft -= end - first;
        if (end - first > SHORT) {
            return this.#settleLong(cell, first, end);
        }
        this.#sortSide(left, first, end, leftHash);
        this.#sortSide(right, first, end, rightHash);
        for (let i = first; i < end; i++) {
            if (leftHash[left[i]] !== rightHash[right[i]]) {
                return false;
            }
        }
        let isAnySettled = false;
        for (let i = first; i < end; i++) {
            const hash = leftHash[left[i]];
            const isAlone =
                (i === first || leftHash[left[i - 1]] !== hash) && (i + 1 === end || leftHash[left[i + 1]] !== hash);
            if (isAlone) {
                this.#map(left[i], right[i]);
                isAnySettled = true;
            }
        }
        if (isAnySettled) {
            this.#tellSettled(cell);
        }
        return true;
    }

    /** The same for a long cell, which is looked at again and again: counts the hashes of both sides in a table. */
    #settleLong(cell: number, first: number, end: number): boolean {
        const left = this.#left;
        const right = this.#right;
        const rightHash = this.#rightHash;
        const mask = this.#clearTable(end - first);
        const tableVertex = this.#tableVertex;
        const tableCount = this.#tableCount;
        const tableLeft = this.#tableLeft;
        for (let i = first; i < end; i++) {
            const slot = this.#slotOf(this.#leftHash[left[i]], mask);
            tableVertex[slot] = left[i];
            tableCount[slot]++;
            tableLeft[slot]++;
        }
        for (let i = first; i < end; i++) {
            const slot = this.#slotOf(rightHash[right[i]], mask);
            // In a free slot nothing is left either.
            if (--tableLeft[slot] < 0) {
                return false;
            }
        }
        let isAnySettled = false;
        for (let i = first; i < end; i++) {
            const slot = this.#slotOf(rightHash[right[i]], mask);
            if (tableCount[slot] === 1) {
                this.#map(tableVertex[slot], right[i]);
                isAnySettled = true;
            }
        }
        if (isAnySettled) {
            this.#tellSettled(cell);
        }
        return true;
    }

    /** Makes room for so many hashes, and returns the greatest index of a slot: one less than a power of two. */
    #clearTable(count: number): number {
        let size = 64;
        while (size < 2 * count) {
            size *= 2;
        }
        if (size > this.#tableVertex.length) {
            this.#tableVertex = new Int32Array(size);
            this.#tableCount = new Int32Array(size);
            this.#tableLeft = new Int32Array(size);
        }
        this.#tableCount.fill(0, 0, size);
        this.#tableLeft.fill(0, 0, size);
        return size - 1;
    }

    /** The slot of the vertices of the left side with a hash, or the free slot where they would be. */
    #slotOf(hash: number, mask: number): number {
        let slot = (hash ^ (hash >>> 15)) & mask;
        while (this.#tableCount[slot] > 0 && this.#leftHash[this.#tableVertex[slot]] !== hash) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    /**
     * Chooses images in a cell where nothing decides. If most vertices are common to both sides, these
     * stay. Else one of the others goes to the first that it may go to; in a large cell, all of them.
     */
    #choose(cell: number): void {
        const first = this.#firstOf[cell];
        const end = first + this.#openOf[cell];
        const isLarge = end - first > FEW;
        this.#edgesLeft -= end - first;
        let commonCount = 0;
        for (let i = first; i < end; i++) {
            commonCount += this.#isCommon(this.#left[i], cell) ? 1 : 0;
        }
        const areMostCommon = 2 * commonCount >= end - first;
        if (areMostCommon || isLarge) {
            for (let i = first; i < end; i++) {
                if (this.#isCommon(this.#left[i], cell)) {
                    this.#map(this.#left[i], this.#left[i]);
                }
            }
        }
        if (!areMostCommon) {
            this.#pairOff(cell, isLarge ? end - first - commonCount : 1);
        }
        this.#tellSettled(cell);
    }

    /** Whether a vertex is on both sides of a cell, and may stay. */
    #isCommon(vertex: number, cell: number): boolean {
        return (
            this.#openCell[vertex] === cell &&
            this.#imageOf[vertex] === UNKNOWN &&
            this.#partition.cellOf[vertex] === cell &&
            this.#isTaken[vertex] === 0 &&
            this.#leftHash[vertex] === this.#rightHash[vertex]
        );
    }

    /** Maps so many vertices of a cell, in their order, to others with the same hash: rather not to what may stay itself. */
    #pairOff(cell: number, count: number): void {
        const left = this.#left;
        const right = this.#right;
        let next = this.#firstOf[cell];
        if (count > 1) {
            this.#sortSide(left, next, next + this.#openOf[cell], this.#leftHash);
            this.#sortSide(right, next, next + this.#openOf[cell], this.#rightHash);
        }
        let done = 0;
        for (let i = next; done < count; i++) {
            if (this.#imageOf[left[i]] !== UNKNOWN || this.#isCommon(left[i], cell)) {
                continue;
            }
            const hash = this.#leftHash[left[i]];
            while (
                this.#isTaken[right[next]] === 1 ||
                this.#rightHash[right[next]] !== hash ||
                this.#isCommon(right[next], cell)
            ) {
                next++;
            }
            this.#map(left[i], right[next]);
            done++;
        }
    }

    /** Moves the vertices that have found their images behind those that have not, and tells their neighbors. */
    #tellSettled(cell: number): void {
        const first = this.#firstOf[cell];
        const end = first + this.#openOf[cell];
        this.#moveToFront(this.#left, first, end, this.#imageOf, UNKNOWN);
        const openEnd = this.#moveToFront(this.#right, first, end, this.#isTaken, 0);
        this.#openOf[cell] = openEnd - first;
        if (openEnd === first) {
            this.#stateOf[cell] = SETTLED;
        }
        for (let i = openEnd; i < end; i++) {
            this.#tellNeighbors(this.#left[i], this.#imageOf[this.#left[i]]);
        }
    }

    /** Moves the vertices for which `marks` has this mark to the front of a part of a side, and returns where they end. */
    #moveToFront(side: Int32Array, first: number, end: number, marks: Int32Array | Uint8Array, mark: number): number {
        const copy = this.#copyOf(side, first, end);
        let frontEnd = first;
        let backStart = end;
        for (let i = 0; i < end - first; i++) {
            if (marks[copy[i]] === mark) {
                side[frontEnd++] = copy[i];
            } else {
                side[--backStart] = copy[i];
            }
        }
        return frontEnd;
    }

    /** Tells the neighbors of a vertex that have no image yet, and those of its image that are none yet. */
    #tellNeighbors(vertex: number, image: number): void {
        const { firstNeighbor, neighbors } = this.#graph;
        const value = scrambled(image);
        const end = firstNeighbor[vertex + 1];
        for (let i = firstNeighbor[vertex]; i < end; i++) {
            const neighbor = neighbors[i];
            if (this.#imageOf[neighbor] === UNKNOWN) {
                this.#leftHash[neighbor] += value;
                this.#enqueue(this.#openCell[neighbor]);
            }
        }
        const imageEnd = firstNeighbor[image + 1];
        for (let i = firstNeighbor[image]; i < imageEnd; i++) {
            if (this.#isTaken[neighbors[i]] === 0) {
                this.#rightHash[neighbors[i]] += value;
            }
        }
        this.#edgesLeft -= end - firstNeighbor[vertex];
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

    /** Sorts part of a side by its hashes. */
    #sortSide(side: Int32Array, first: number, end: number, hashOf: Int32Array): void {
        if (end - first <= SHORT) {
            for (let i = first + 1; i < end; i++) {
                const vertex = side[i];
                const hash = hashOf[vertex];
                let j = i;
                for (; j > first && hashOf[side[j - 1]] > hash; j--) {
                    side[j] = side[j - 1];
                }
                side[j] = vertex;
            }
            return;
        }
        const count = end - first;
        const copy = this.#copyOf(side, first, end);
        if (count > this.#keys.length) {
            this.#keys = new Float64Array(2 * count);
        }
        const keys = this.#keys;
        for (let i = 0; i < count; i++) {
            keys[i] = hashOf[copy[i]] * KEY_BASE + i;
        }
        keys.subarray(0, count).sort();
        for (let i = 0; i < count; i++) {
            side[first + i] = copy[keys[i] - Math.floor(keys[i] / KEY_BASE) * KEY_BASE];
        }
    }

    /** Part of a side, to be used at once. */
    #copyOf(side: Int32Array, first: number, end: number): Int32Array {
        if (end - first > this.#copy.length) {
            this.#copy = new Int32Array(2 * (end - first));
        }
        for (let i = first; i < end; i++) {
            this.#copy[i - first] = side[i];
        }
        return this.#copy;
    }

    #toPermutation(): SparsePermutation {
        const count = this.#movedCount;
        for (let i = 0; i < count; i++) {
            this.#images[i] = this.#imageOf[this.#moved[i]];
        }
        return { points: this.#moved.subarray(0, count), images: this.#images.subarray(0, count) };
    }

    /** Makes all cells SAME and all vertices stay again. */
    #forget(): void {
        for (const cell of this.#cells) {
            if (this.#stateOf[cell] !== SINGLE) {
                const end = this.#firstOf[cell] + this.#sizeOf[cell];
                for (let i = this.#firstOf[cell]; i < end; i++) {
                    this.#imageOf[this.#left[i]] = this.#left[i];
                    this.#isTaken[this.#right[i]] = 1;
                    this.#leftHash[this.#left[i]] = 0;
                    this.#rightHash[this.#right[i]] = 0;
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
