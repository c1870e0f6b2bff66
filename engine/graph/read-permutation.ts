/**
 * Reads a permutation from two partitions that were refined in step, if every cell of two or more vertices is the same
 * set in both: it maps singletons to singletons and fixes all other vertices [Darga2008].
 */
import type { SparsePermutation } from '../group/sparse-permutation.js';
import type { OrderedPartition } from './ordered-partition.js';
import type { Scratch } from './scratch.js';

export class PermutationReader {
    readonly #partition: OrderedPartition;
    /** `#readIn[s]` is the number of the last reading that visited the cell that starts at s. Length vertexCount. */
    readonly #readIn: Int32Array;
    #readings = 0;
    readonly #points: Int32Array;
    readonly #images: Int32Array;

    constructor(partition: OrderedPartition, scratch: Scratch) {
        this.#partition = partition;
        this.#readIn = scratch.integers(partition.vertexCount);
        this.#points = scratch.integers(partition.vertexCount);
        this.#images = scratch.integers(partition.vertexCount);
    }

    /**
     * The permutation that maps the partition at this depth of the watched path to the present one; both agree up to
     * the split with index `firstSplit`. It is not sorted, and the next reading overwrites it.
     */
    read(firstSplit: number): SparsePermutation {
        const { splitStart, splitParent, splitCount, cellLength, elements, watchedLeaf } = this.#partition;
        const readIn = this.#readIn;
        const points = this.#points;
        const images = this.#images;
        const reading = ++this.#readings;
        let count = 0;
        for (let i = 2 * firstSplit; i < 2 * splitCount; i++) {
            const cell = (i & 1) === 0 ? splitStart[i >> 1] : splitParent[i >> 1];
            if (cellLength[cell] > 1 || readIn[cell] === reading) {
                continue;
            }
            readIn[cell] = reading;
            const point = watchedLeaf.elements[cell];
            const image = elements[cell];
            if (point !== image) {
                points[count] = point;
                images[count++] = image;
            }
        }
        return { points: points.subarray(0, count), images: images.subarray(0, count) };
    }
}
