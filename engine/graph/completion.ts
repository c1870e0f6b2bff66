/**
 * Guesses an automorphism from two equitable partitions that were refined in step, long before they are discrete.
 *
 * Singletons are mapped to singletons. The vertices of a cell that is the same set in both are fixed, as in saucy
 * [Darga2008]. A vertex of any other cell is mapped to the vertex whose neighbors are the images of its neighbors, as
 * far as these are known. If nothing more follows, a choice is made. The certificate checks the guess.
 */
import type { SparsePermutation } from '../group/sparse-permutation.js';
import type { ColoredGraph } from './colored-graph.js';
import type { OrderedPartition } from './ordered-partition.js';
import { scrambled } from './scrambled.js';
import { Scratch } from './scratch.js';
import { KEY_BASE, SHORT, Sides } from './sides.js';

// The states of a cell. Between two guesses all cells are SAME, and so are those not split since the paths diverged.
const SAME = 0;
/** A singleton in both partitions. */
const SINGLE = 1;
/** The sets differ. */
const OPEN = 2;
/** The sets differ in a small part; the common vertices are fixed. */
const MOSTLY_SAME = 3;
/** The sets differ, and each vertex has an image. */
const SETTLED = 4;

/** The sets count as mostly the same if fewer than one vertex in this many is not in both. */
const MOSTLY = 4;

/** A choice in a cell with more vertices than this is made for all of them. */
const FEW = 64;

/** The image of a vertex that has none yet. */
const UNKNOWN = -1;

/**
 * Guesses permutations from the difference between a partition and the watched path.
 *
 * For example, if processes p and q are exchanged, the steps from p to all others and from q to all others are cells
 * that differ as sets. For each vertex a sum of scrambled images of its neighbors is kept, so every edge is visited
 * once.
 */
export class Completion {
    readonly #graph: ColoredGraph;
    readonly #partition: OrderedPartition;

    /** `#stateOf[s]` is the state of the cell that starts at s. */
    readonly #stateOf: Uint8Array;
    /** The cells that are not SAME, in the order in which they were first split. */
    #cells: number[] = [];
    /** `#imageOf[v]` is the image of v, or UNKNOWN. Between two guesses it is v. */
    readonly #imageOf: Int32Array;
    /** `#isTaken[w]` is 0 if w is still needed as an image, else 1. */
    readonly #isTaken: Uint8Array;
    /** The moved vertices. The first `#movedCount` entries count. */
    readonly #moved: Int32Array;
    #movedCount = 0;
    /** The images of the moved vertices, when there is a guess. */
    readonly #images: Int32Array;

    readonly #sides: Sides;

    /** The queue of open cells, and whether a cell is in it. */
    #waiting: number[] = [];
    readonly #isWaiting: Uint8Array;
    /**
     * A hash table for a long cell. A slot holds the vertices of the left side with one hash: the last of them, their
     * number, and the number of those not matched with the right side.
     */
    #tableVertex = new Int32Array(64);
    #tableCount = new Int32Array(64);
    #tableLeft = new Int32Array(64);
    /** How many more edges may be visited. */
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
        this.#sides = new Sides(vertexCount, scratch);
        this.#isWaiting = scratch.bytes(vertexCount);
    }

    /**
     * A permutation that maps the partition at this depth of the watched path to the present one; both agree up to the
     * split with index `firstSplit`. Undefined if there is no guess within `edgeLimit` edges. It is not sorted, and the
     * next guess overwrites it.
     */
    guess(firstSplit: number, edgeLimit: number): SparsePermutation | undefined {
        this.#edgesLeft = edgeLimit;
        this.#collectCells(firstSplit);
        const permutation = this.#settleAll() ? this.#toPermutation() : undefined;
        this.#forget();
        return permutation;
    }

    /** Collects the cells that were split since, and the sides of the open ones. */
    #collectCells(firstSplit: number): void {
        const { splitStart, splitParent, splitCount, elements, cellLength, watchedLeaf } = this.#partition;
        const stateOf = this.#stateOf;
        const { firstOf, sizeOf } = this.#sides;
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
                    firstOf[cell] = sideLength;
                    sideLength += sizeOf[cell];
                    areSomeMostlySame ||= sizeOf[cell] < cellLength[cell];
                }
            }
        }
        this.#sides.makeRoomFor(sideLength);
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
            this.#sides.begin(cell, isMostlySame ? strangers : length);
        } else {
            return;
        }
        this.#cells.push(cell);
    }

    #isOpen(cell: number): boolean {
        return this.#stateOf[cell] === OPEN || this.#stateOf[cell] === MOSTLY_SAME;
    }

    #addToSides(cell: number, index: number, left: number, right: number): void {
        const sides = this.#sides;
        const place = sides.firstOf[cell] + index;
        sides.left[place] = left;
        sides.right[place] = right;
        sides.openCell[left] = cell;
        this.#imageOf[left] = UNKNOWN;
        this.#isTaken[right] = 0;
    }

    /** Adds a vertex to the sides of a mostly same cell if it is in that cell in only one of the partitions. */
    #noteStrangers(left: number, right: number): void {
        const sides = this.#sides;
        const cellThere = this.#cellOnFirstPath(right);
        if (this.#stateOf[cellThere] === MOSTLY_SAME) {
            sides.left[sides.firstOf[cellThere] + sides.leftFound[cellThere]++] = right;
        }
        const cellHere = this.#partition.cellOf[left];
        if (this.#stateOf[cellHere] === MOSTLY_SAME) {
            sides.right[sides.firstOf[cellHere] + sides.rightFound[cellHere]++] = left;
        }
    }

    /** If two mostly same cells exchange vertices, some strangers are missing: visits these cells. */
    #completeStrangers(): void {
        const { elements, cellOf, cellLength, watchedLeaf } = this.#partition;
        const { firstOf, sizeOf, leftFound, rightFound, left, right } = this.#sides;
        for (const cell of this.#cells) {
            if (this.#stateOf[cell] !== MOSTLY_SAME) {
                continue;
            }
            const first = firstOf[cell];
            const count = sizeOf[cell];
            if (leftFound[cell] < count || rightFound[cell] < count) {
                this.#edgesLeft -= cellLength[cell];
                let leftCount = 0;
                let rightCount = 0;
                for (let place = cell; place < cell + cellLength[cell]; place++) {
                    if (cellOf[watchedLeaf.elements[place]] !== cell) {
                        left[first + leftCount++] = watchedLeaf.elements[place];
                    }
                    if (this.#cellOnFirstPath(elements[place]) !== cell) {
                        right[first + rightCount++] = elements[place];
                    }
                }
            }
            for (let i = 0; i < count; i++) {
                this.#addToSides(cell, i, left[first + i], right[first + i]);
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

    /** Finds images for all open cells; false if that fails. */
    #settleAll(): boolean {
        const cells = this.#cells;
        const waiting = this.#waiting;
        for (const cell of cells) {
            if (this.#isOpen(cell)) {
                this.#hearNeighbors(cell);
            }
        }
        /** The cells in which to choose, small ones first. */
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
        const { openOf } = this.#sides;
        const cells = this.#cells.filter(cell => this.#isOpen(cell));
        return Float64Array.from(cells, cell => openOf[cell] * KEY_BASE + cell).sort();
    }

    /**
     * Computes the first hashes of the vertices of a cell from known images. Because the partition is equitable,
     * singletons do not distinguish vertices, and the neighbors of one vertex show whether the cell has other
     * informative neighbors.
     */
    #hearNeighbors(cell: number): void {
        const { firstOf, sizeOf, left, right, leftHash, rightHash } = this.#sides;
        const { firstNeighbor, neighbors } = this.#graph;
        const first = firstOf[cell];
        const end = first + sizeOf[cell];
        const rowEnd = firstNeighbor[left[first] + 1];
        let isInformed = sizeOf[cell] === 1;
        for (let i = firstNeighbor[left[first]]; i < rowEnd && !isInformed; i++) {
            const neighborCell = this.#cellOnFirstPath(neighbors[i]);
            isInformed = this.#partition.cellLength[neighborCell] > 1 && this.#stateOf[neighborCell] !== OPEN;
        }
        this.#edgesLeft -= rowEnd - firstNeighbor[left[first]];
        if (!isInformed) {
            return;
        }
        for (let i = first; i < end; i++) {
            leftHash[left[i]] = this.#hashOfImages(left[i]);
            rightHash[right[i]] = this.#hashOfNeighbors(right[i]);
        }
        this.#enqueue(cell);
    }

    #enqueue(cell: number): void {
        if (this.#isWaiting[cell] === 0) {
            this.#isWaiting[cell] = 1;
            this.#waiting.push(cell);
        }
    }

    /** Maps the vertices of a cell whose hash is unique in it. False if the sides have different hashes. */
    #settle(cell: number): boolean {
        const sides = this.#sides;
        const { left, right, leftHash, rightHash } = sides;
        const first = sides.firstOf[cell];
        const end = first + sides.openOf[cell];
        this.#edgesLeft -= end - first;
        if (end - first > SHORT) {
            return this.#settleLong(cell, first, end);
        }
        sides.sort(left, first, end, leftHash);
        sides.sort(right, first, end, rightHash);
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

    /** The same for a long cell, which is visited often: counts the hashes of both sides in a table. */
    #settleLong(cell: number, first: number, end: number): boolean {
        const { left, right, leftHash, rightHash } = this.#sides;
        const mask = this.#clearTable(end - first);
        const tableVertex = this.#tableVertex;
        const tableCount = this.#tableCount;
        const tableLeft = this.#tableLeft;
        for (let i = first; i < end; i++) {
            const slot = this.#slotOf(leftHash[left[i]], mask);
            tableVertex[slot] = left[i];
            tableCount[slot]++;
            tableLeft[slot]++;
        }
        for (let i = first; i < end; i++) {
            const slot = this.#slotOf(rightHash[right[i]], mask);
            // A free slot has the count 0.
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

    /** Makes room for `count` hashes, and returns the greatest index of a slot: one less than a power of two. */
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

    /** The slot of the vertices of the left side with this hash, or the free slot for them. */
    #slotOf(hash: number, mask: number): number {
        const { leftHash } = this.#sides;
        const tableVertex = this.#tableVertex;
        const tableCount = this.#tableCount;
        let slot = (hash ^ (hash >>> 15)) & mask;
        while (tableCount[slot] > 0 && leftHash[tableVertex[slot]] !== hash) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    /**
     * Chooses images in a cell. If most vertices are common to both sides, these are fixed. Else one of the others is
     * mapped to the first possible image; in a large cell, all of them.
     */
    #choose(cell: number): void {
        const { firstOf, openOf, left } = this.#sides;
        const first = firstOf[cell];
        const end = first + openOf[cell];
        const isLarge = end - first > FEW;
        this.#edgesLeft -= end - first;
        let commonCount = 0;
        for (let i = first; i < end; i++) {
            commonCount += this.#isCommon(left[i], cell) ? 1 : 0;
        }
        const areMostCommon = 2 * commonCount >= end - first;
        if (areMostCommon || isLarge) {
            for (let i = first; i < end; i++) {
                if (this.#isCommon(left[i], cell)) {
                    this.#map(left[i], left[i]);
                }
            }
        }
        if (!areMostCommon) {
            this.#pairOff(cell, isLarge ? end - first - commonCount : 1);
        }
        this.#tellSettled(cell);
    }

    /** Whether a vertex is on both sides of a cell, and may be fixed. */
    #isCommon(vertex: number, cell: number): boolean {
        const sides = this.#sides;
        return (
            sides.openCell[vertex] === cell &&
            this.#imageOf[vertex] === UNKNOWN &&
            this.#partition.cellOf[vertex] === cell &&
            this.#isTaken[vertex] === 0 &&
            sides.leftHash[vertex] === sides.rightHash[vertex]
        );
    }

    /** Maps `count` vertices of a cell, in their order, to others with the same hash that are not common. */
    #pairOff(cell: number, count: number): void {
        const sides = this.#sides;
        const { left, right, leftHash, rightHash } = sides;
        const imageOf = this.#imageOf;
        const isTaken = this.#isTaken;
        let next = sides.firstOf[cell];
        if (count > 1) {
            sides.sort(left, next, next + sides.openOf[cell], leftHash);
            sides.sort(right, next, next + sides.openOf[cell], rightHash);
        }
        let done = 0;
        for (let i = next; done < count; i++) {
            if (imageOf[left[i]] !== UNKNOWN || this.#isCommon(left[i], cell)) {
                continue;
            }
            const hash = leftHash[left[i]];
            while (isTaken[right[next]] === 1 || rightHash[right[next]] !== hash || this.#isCommon(right[next], cell)) {
                next++;
            }
            this.#map(left[i], right[next]);
            done++;
        }
    }

    /** Moves the mapped vertices behind the others, and updates the hashes of their neighbors. */
    #tellSettled(cell: number): void {
        const sides = this.#sides;
        const { left, right, openOf } = sides;
        const imageOf = this.#imageOf;
        const first = sides.firstOf[cell];
        const end = first + openOf[cell];
        sides.moveToFront(left, first, end, imageOf, UNKNOWN);
        const openEnd = sides.moveToFront(right, first, end, this.#isTaken, 0);
        openOf[cell] = openEnd - first;
        if (openEnd === first) {
            this.#stateOf[cell] = SETTLED;
        }
        for (let i = openEnd; i < end; i++) {
            this.#tellNeighbors(left[i], imageOf[left[i]]);
        }
    }

    /** Updates the hashes of open neighbors of a vertex and of its image. */
    #tellNeighbors(vertex: number, image: number): void {
        const { firstNeighbor, neighbors } = this.#graph;
        const { openCell, leftHash, rightHash } = this.#sides;
        const imageOf = this.#imageOf;
        const isTaken = this.#isTaken;
        const value = scrambled(image);
        const end = firstNeighbor[vertex + 1];
        for (let i = firstNeighbor[vertex]; i < end; i++) {
            const neighbor = neighbors[i];
            if (imageOf[neighbor] === UNKNOWN) {
                leftHash[neighbor] += value;
                this.#enqueue(openCell[neighbor]);
            }
        }
        const imageEnd = firstNeighbor[image + 1];
        for (let i = firstNeighbor[image]; i < imageEnd; i++) {
            if (isTaken[neighbors[i]] === 0) {
                rightHash[neighbors[i]] += value;
            }
        }
        this.#edgesLeft -= end - firstNeighbor[vertex];
    }

    /** The sum of the scrambled known images of the neighbors of a vertex. */
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

    /** The sum of the scrambled neighbors of a vertex that are images. */
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

    #toPermutation(): SparsePermutation {
        const count = this.#movedCount;
        for (let i = 0; i < count; i++) {
            this.#images[i] = this.#imageOf[this.#moved[i]];
        }
        return { points: this.#moved.subarray(0, count), images: this.#images.subarray(0, count) };
    }

    /** Restores the state between two guesses. */
    #forget(): void {
        const { firstOf, sizeOf, left, right, leftHash, rightHash } = this.#sides;
        const imageOf = this.#imageOf;
        const isTaken = this.#isTaken;
        const moved = this.#moved;
        for (const cell of this.#cells) {
            if (this.#stateOf[cell] !== SINGLE) {
                const end = firstOf[cell] + sizeOf[cell];
                for (let i = firstOf[cell]; i < end; i++) {
                    imageOf[left[i]] = left[i];
                    isTaken[right[i]] = 1;
                    leftHash[left[i]] = 0;
                    rightHash[right[i]] = 0;
                }
            }
            this.#stateOf[cell] = SAME;
            this.#isWaiting[cell] = 0;
        }
        for (let i = 0; i < this.#movedCount; i++) {
            imageOf[moved[i]] = moved[i];
        }
        this.#cells = [];
        this.#waiting = [];
        this.#movedCount = 0;
    }
}
