/**
 * Many sparse permutations in two arrays: creating an object for each of hundreds of thousands of generators would take
 * longer than finding them. A permutation is written in any order, then kept or dropped, and sorted when it is read.
 */
import type { SparsePermutation } from '../group/sparse-permutation.js';
import { VERTEX_LIMIT } from './colored-graph.js';
import { enlarged } from './scratch.js';

/** Permutations that move at most this many points are sorted by insertion. */
const SHORT = 16;

const NOTHING = new Int32Array(0);

export class PermutationList {
    /** `points[i]` goes to `images[i]`: the permutations one after the other, then the one being written. */
    points = NOTHING;
    images = NOTHING;
    /** `#ends[i]` is where the points of permutation i end. The first `count` entries count. */
    #ends = NOTHING;
    /** How many permutations have been kept. */
    count = 0;
    /** The range of the permutation being written. */
    start = 0;
    end = 0;

    /** Makes room for `length` more points, which may replace the arrays. */
    reserve(length: number): void {
        const needed = this.end + length;
        if (needed > this.points.length) {
            this.points = enlarged(this.points, needed);
            this.images = enlarged(this.images, needed);
        }
    }

    /** Maps `from[fromStart + i]` to `to[toStart + i]`, for i below `length`. Room must have been reserved. */
    map(from: Int32Array, fromStart: number, to: Int32Array, toStart: number, length: number): void {
        const { points, images } = this;
        let end = this.end;
        for (let i = 0; i < length; i++) {
            points[end] = from[fromStart + i];
            images[end++] = to[toStart + i];
        }
        this.end = end;
    }

    write({ points, images }: SparsePermutation): void {
        this.reserve(points.length);
        this.points.set(points, this.end);
        this.images.set(images, this.end);
        this.end += points.length;
    }

    /** Keeps the permutation being written. */
    keep(): void {
        if (this.count === this.#ends.length) {
            this.#ends = enlarged(this.#ends, this.count + 1);
        }
        this.#ends[this.count++] = this.end;
        this.start = this.end;
    }

    /** Returns and drops the permutation being written. */
    take(): SparsePermutation {
        const permutation = this.#sorted(this.start, this.end);
        this.drop();
        return permutation;
    }

    /** Drops the permutation being written. */
    drop(): void {
        this.end = this.start;
    }

    /** The permutations that were kept, in their order. */
    *[Symbol.iterator](): Generator<SparsePermutation> {
        for (let index = 0; index < this.count; index++) {
            yield this.#sorted(index === 0 ? 0 : this.#ends[index - 1], this.#ends[index]);
        }
    }

    #sorted(start: number, end: number): SparsePermutation {
        const length = end - start;
        const points = new Int32Array(length);
        const images = new Int32Array(length);
        if (length <= SHORT) {
            for (let i = 0; i < length; i++) {
                const point = this.points[start + i];
                let j = i;
                for (; j > 0 && points[j - 1] > point; j--) {
                    points[j] = points[j - 1];
                    images[j] = images[j - 1];
                }
                points[j] = point;
                images[j] = this.images[start + i];
            }
            return { points, images };
        }
        const pairs = new Float64Array(length);
        for (let i = 0; i < length; i++) {
            pairs[i] = this.points[start + i] * VERTEX_LIMIT + this.images[start + i];
        }
        pairs.sort();
        for (let i = 0; i < length; i++) {
            points[i] = Math.floor(pairs[i] / VERTEX_LIMIT);
            images[i] = pairs[i] - points[i] * VERTEX_LIMIT;
        }
        return { points, images };
    }
}
