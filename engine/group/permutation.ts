/**
 * Permutations of the points 0 … degree - 1, as arrays of images. They act from the right, as in GAP: the image of
 * `point` under `p` is written point^p, and `compose(p, q)` applies `p` first. [Seress2003, ch. 1]
 */
import { invariant } from '../common/assert.js';
import { leastCommonMultiple } from '../common/divisors.js';
import { sameNumbers } from '../common/same-data.js';

/**
 * `p[point]` is the image of `point`. Length degree. Every value in 0 … degree - 1 occurs exactly once; `permutation()`
 * checks this for raw numbers.
 */
export type Permutation = Readonly<Int32Array> & { readonly __brand: 'Permutation' };

/** Checks that `images` is a bijection and copies it. */
export function permutation(images: ArrayLike<number>): Permutation {
    const degree = images.length;
    const seen = new Uint8Array(degree);
    for (let point = 0; point < degree; point++) {
        const image = images[point];
        invariant(0 <= image && image < degree && seen[image] === 0, `not a bijection at point ${point}`);
        seen[image] = 1;
    }
    return Int32Array.from(images) as unknown as Permutation;
}

/** The permutation that fixes every point. */
export function identity(degree: number): Permutation {
    const images = new Int32Array(degree);
    for (let point = 0; point < degree; point++) {
        images[point] = point;
    }
    return images as unknown as Permutation;
}

/** Whether no point is moved. O(degree). */
export function isIdentity(p: Readonly<Int32Array>): boolean {
    for (let point = 0; point < p.length; point++) {
        if (p[point] !== point) {
            return false;
        }
    }
    return true;
}

/** Whether both have the same degree and the same images. O(degree). */
export function equals(p: Permutation, q: Permutation): boolean {
    return sameNumbers(p, q);
}

/** `first` then `second`. O(degree). */
export function compose(first: Permutation, second: Permutation): Permutation {
    invariant(first.length === second.length, 'composed permutations act on the same points');
    const product = new Int32Array(first.length);
    for (let point = 0; point < product.length; point++) {
        product[point] = second[first[point]];
    }
    return product as unknown as Permutation;
}

/** The permutation that undoes `p`. */
export function inverse(p: Permutation): Permutation {
    const images = new Int32Array(p.length);
    for (let point = 0; point < p.length; point++) {
        images[p[point]] = point;
    }
    return images as unknown as Permutation;
}

/** `p` applied `exponent` times; a negative exponent undoes it. O(degree), whatever the exponent. */
export function power(p: Permutation, exponent: number): Permutation {
    const images = Int32Array.from(identity(p.length));
    for (const cycle of cycles(p)) {
        const shift = ((exponent % cycle.length) + cycle.length) % cycle.length;
        for (let i = 0; i < cycle.length; i++) {
            images[cycle[i]] = cycle[(i + shift) % cycle.length];
        }
    }
    return images as unknown as Permutation;
}

/** The least positive exponent for which the power is the identity. */
export function orderOfElement(p: Permutation): bigint {
    return cycles(p).reduce((order, cycle) => leastCommonMultiple(order, BigInt(cycle.length)), 1n);
}

/** The cycles of length two and more, each from its least point on, in the order of their least points. */
export function cycles(p: Permutation): readonly (readonly number[])[] {
    const seen = new Uint8Array(p.length);
    const result: number[][] = [];
    for (let start = 0; start < p.length; start++) {
        if (seen[start] === 1 || p[start] === start) {
            continue;
        }
        const cycle: number[] = [];
        for (let point = start; seen[point] === 0; point = p[point]) {
            seen[point] = 1;
            cycle.push(point);
        }
        result.push(cycle);
    }
    return result;
}

/** The text form of cycles, `(0 1)(2 4 3)`, or `()` for no cycles. */
export function formatCycles(
    cycleList: readonly (readonly number[])[],
    nameOfPoint: (point: number) => string,
): string {
    return cycleList.map(cycle => `(${cycle.map(point => nameOfPoint(point)).join(' ')})`).join('') || '()';
}

export function factorial(n: number): bigint {
    let product = 1n;
    for (let i = 2; i <= n; i++) {
        product *= BigInt(i);
    }
    return product;
}
