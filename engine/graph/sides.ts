import type { Scratch } from './scratch.js';

/** Sides of at most this length are sorted by insertion. */
export const SHORT = 24;

/** A sort key is a hash or a count times this, plus a vertex or an index: exact even with a hash of 32 bits. */
export const KEY_BASE = 2 ** 21;

/**
 * The two sides of each open cell: its vertices on the first path (left) and in the present partition (right). If the
 * cell is mostly the same, its sides hold only the vertices that it does not have in both.
 */
export class Sides {
    /** The sides of the cell s are the `sizeOf[s]` entries of `left` and `right` from index `firstOf[s]` on. */
    readonly firstOf: Int32Array;
    readonly sizeOf: Int32Array;
    /** `openOf[s]` counts the vertices of a side that are not matched yet. They come first. */
    readonly openOf: Int32Array;
    /** `leftFound[s]` and `rightFound[s]` count the vertices found so far of a cell that is mostly the same. */
    readonly leftFound: Int32Array;
    readonly rightFound: Int32Array;
    left = new Int32Array(16);
    right = new Int32Array(16);
    /** `openCell[v]` is the cell with v on its left side. */
    readonly openCell: Int32Array;
    /**
     * `leftHash[v]` is the sum of the scrambled images of the neighbors of v, and `rightHash[w]` that of the scrambled
     * neighbors of w that are images, as far as these are known. 0 for the vertices on no side.
     */
    readonly leftHash: Int32Array;
    readonly rightHash: Int32Array;
    /** Scratch space for a part of a side and its sort keys. */
    #copy = new Int32Array(16);
    #keys = new Float64Array(16);

    constructor(vertexCount: number, scratch: Scratch) {
        this.firstOf = scratch.integers(vertexCount);
        this.sizeOf = scratch.integers(vertexCount);
        this.openOf = scratch.integers(vertexCount);
        this.leftFound = scratch.integers(vertexCount);
        this.rightFound = scratch.integers(vertexCount);
        this.openCell = scratch.integers(vertexCount);
        this.leftHash = scratch.integers(vertexCount);
        this.rightHash = scratch.integers(vertexCount);
    }

    /** Sets the length of the sides of a cell; no vertex is found, and all are open. */
    begin(cell: number, size: number): void {
        this.sizeOf[cell] = size;
        this.openOf[cell] = size;
        this.leftFound[cell] = 0;
        this.rightFound[cell] = 0;
    }

    /** Makes room for `length` vertices on all left sides, and as many on the right. The contents are lost. */
    makeRoomFor(length: number): void {
        if (length > this.left.length) {
            this.left = new Int32Array(2 * length);
            this.right = new Int32Array(2 * length);
        }
    }

    /** Moves the vertices v with `marks[v] === mark` to the front of a part of a side. Returns where they end. */
    moveToFront(side: Int32Array, first: number, end: number, marks: Int32Array | Uint8Array, mark: number): number {
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

    /** Sorts part of a side by its hashes. */
    sort(side: Int32Array, first: number, end: number, hashOf: Int32Array): void {
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

    /** A copy of part of a side; the next call overwrites it. */
    #copyOf(side: Int32Array, first: number, end: number): Int32Array {
        if (end - first > this.#copy.length) {
            this.#copy = new Int32Array(2 * (end - first));
        }
        for (let i = first; i < end; i++) {
            this.#copy[i - first] = side[i];
        }
        return this.#copy;
    }
}
