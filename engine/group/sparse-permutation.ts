/**
 * Permutations as the points they move: a large graph may have thousands of automorphisms that move few vertices each.
 * As in permutation.ts they act from the right: `composeSparse(p, q)` applies `p` first.
 */
import { invariant } from '../common/assert.js';
import { leastCommonMultiple } from '../common/divisors.js';
import { sameNumbers } from '../common/same-data.js';
import { formatCycles, identity, type Permutation } from './permutation.js';

/**
 * The permutation that maps `points[i]` to `images[i]` and fixes every other point. `points` is strictly ascending,
 * `images` is a rearrangement of it, and no point is its own image.
 */
export interface SparsePermutation {
    readonly points: Int32Array;
    readonly images: Int32Array;
}

export const SPARSE_IDENTITY: SparsePermutation = { points: new Int32Array(0), images: new Int32Array(0) };

/** Checks pairs of a point and its image, drops fixed points, and sorts the rest. */
export function sparsePermutation(pairs: Iterable<readonly [number, number]>): SparsePermutation {
    const moved: (readonly [number, number])[] = [];
    let isSorted = true;
    for (const pair of pairs) {
        if (pair[0] !== pair[1]) {
            isSorted &&= moved.length === 0 || moved[moved.length - 1][0] < pair[0];
            moved.push(pair);
        }
    }
    if (!isSorted) {
        moved.sort((a, b) => a[0] - b[0]);
    }
    const points = new Int32Array(moved.length);
    const images = new Int32Array(moved.length);
    for (let i = 0; i < moved.length; i++) {
        points[i] = moved[i][0];
        images[i] = moved[i][1];
    }
    return checked(points, images);
}

/** The restriction of a dense array of images to the points `moved`, in any order, which it maps onto each other. */
export function sparseFromImages(moved: readonly number[], images: Int32Array): SparsePermutation {
    const points = Int32Array.from(moved)
        .sort()
        .filter(point => images[point] !== point);
    return checked(
        points,
        points.map(point => images[point]),
    );
}

/** Compares by the first point at which they differ: one that moves it, or maps it to the smaller image, is less. */
export function compareSparse(one: SparsePermutation, other: SparsePermutation): number {
    const length = Math.min(one.points.length, other.points.length);
    for (let index = 0; index < length; index++) {
        const difference = one.points[index] - other.points[index] || one.images[index] - other.images[index];
        if (difference !== 0) {
            return difference;
        }
    }
    return other.points.length - one.points.length;
}

function checked(points: Int32Array, images: Int32Array): SparsePermutation {
    const sortedImages = images.slice().sort();
    for (let i = 0; i < points.length; i++) {
        invariant(points[i] === sortedImages[i] && (i === 0 || points[i - 1] < points[i]), 'not a bijection');
    }
    return { points, images };
}

/** O(log of the points moved). */
export function imageOf(p: SparsePermutation, point: number): number {
    const index = indexOfPoint(p, point);
    return p.points[index] === point ? p.images[index] : point;
}

/** `first` then `second`. O(points moved · log points moved). */
export function composeSparse(first: SparsePermutation, second: SparsePermutation): SparsePermutation {
    const firstCount = first.points.length;
    const secondCount = second.points.length;
    if (firstCount === 0 || secondCount === 0) {
        return firstCount === 0 ? second : first;
    }
    const points = new Int32Array(firstCount + secondCount);
    const images = new Int32Array(firstCount + secondCount);
    let count = 0;
    let i = 0;
    let j = 0;
    while (i < firstCount || j < secondCount) {
        const a = i < firstCount ? first.points[i] : Infinity;
        const b = j < secondCount ? second.points[j] : Infinity;
        const point = a <= b ? a : b;
        const image = a <= b ? imageOf(second, first.images[i]) : second.images[j];
        if (a <= b) {
            i++;
        }
        if (b <= a) {
            j++;
        }
        if (image !== point) {
            points[count] = point;
            images[count++] = image;
        }
    }
    return { points: points.slice(0, count), images: images.slice(0, count) };
}

/** The permutation that undoes `p`. */
export function inverseSparse(p: SparsePermutation): SparsePermutation {
    const images = new Int32Array(p.points.length);
    for (let i = 0; i < p.points.length; i++) {
        images[indexOfPoint(p, p.images[i])] = p.points[i];
    }
    return { points: p.points, images };
}

/** The conjugate renaming⁻¹ · p · renaming, which maps point^renaming to (point^p)^renaming. */
export function conjugateSparse(p: SparsePermutation, renaming: SparsePermutation): SparsePermutation {
    const count = p.points.length;
    const points = new Int32Array(count);
    /** A point and its index before sorting, in one number, because sorting numbers is fast. */
    const keys = new Float64Array(count);
    for (let i = 0; i < count; i++) {
        points[i] = imageOf(renaming, p.points[i]);
        keys[i] = points[i] * count + i;
    }
    keys.sort();
    const images = new Int32Array(count);
    for (let i = 0; i < count; i++) {
        images[i] = imageOf(renaming, p.images[keys[i] % count]);
    }
    return { points: points.sort(), images };
}

/** `p` applied `exponent` times. The exponent is not negative. */
export function powerOfSparse(p: SparsePermutation, exponent: number): SparsePermutation {
    const pairs: [number, number][] = [];
    for (const cycle of cyclesOfSparse(p)) {
        cycle.forEach((point, i) => pairs.push([point, cycle[(i + exponent) % cycle.length]]));
    }
    return sparsePermutation(pairs);
}

/** The restriction of `p` to the points below `degree`, which it maps onto each other. */
export function restrictPermutation(p: SparsePermutation, degree: number): SparsePermutation {
    let count = 0;
    while (count < p.points.length && p.points[count] < degree) {
        count++;
    }
    return { points: p.points.slice(0, count), images: p.images.slice(0, count) };
}

export function equalsSparse(p: SparsePermutation, q: SparsePermutation): boolean {
    return sameNumbers(p.points, q.points) && sameNumbers(p.images, q.images);
}

/** The cycles of length two and more, each from its least point on, in the order of their least points. */
export function cyclesOfSparse(p: SparsePermutation): readonly (readonly number[])[] {
    const seen = new Uint8Array(p.points.length);
    const result: number[][] = [];
    for (let start = 0; start < p.points.length; start++) {
        const cycle: number[] = [];
        for (let index = start; seen[index] === 0; index = indexOfPoint(p, p.images[index])) {
            seen[index] = 1;
            cycle.push(p.points[index]);
        }
        if (cycle.length > 0) {
            result.push(cycle);
        }
    }
    return result;
}

/** The least positive exponent for which the power is the identity. */
export function orderOfSparse(p: SparsePermutation): bigint {
    const lengths = new Set(cyclesOfSparse(p).map(cycle => cycle.length));
    return [...lengths].reduce((order, length) => leastCommonMultiple(order, BigInt(length)), 1n);
}

export function sparseToCycleNotation(p: SparsePermutation, nameOfPoint: (point: number) => string = String): string {
    return formatCycles(cyclesOfSparse(p), nameOfPoint);
}

export function toSparse(p: Permutation): SparsePermutation {
    let count = 0;
    for (let point = 0; point < p.length; point++) {
        count += p[point] === point ? 0 : 1;
    }
    const points = new Int32Array(count);
    const images = new Int32Array(count);
    let next = 0;
    for (let point = 0; point < p.length; point++) {
        if (p[point] !== point) {
            points[next] = point;
            images[next++] = p[point];
        }
    }
    return { points, images };
}

/** The image array of a sparse permutation. All points that it moves are less than `degree`. */
export function toDense(p: SparsePermutation, degree: number): Permutation {
    const images = Int32Array.from(identity(degree));
    for (let i = 0; i < p.points.length; i++) {
        invariant(p.points[i] < degree, 'a moved point lies below the degree');
        images[p.points[i]] = p.images[i];
    }
    return images as unknown as Permutation;
}

/** The index in `points` of a moved point. For another point, the index of some other point, or 0. */
function indexOfPoint(p: SparsePermutation, point: number): number {
    let low = 0;
    let high = p.points.length - 1;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (p.points[middle] < point) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}
