/**
 * What a group is beside a product of symmetric groups that it contains: its cosets, or, where the product is a direct
 * factor, the other factor.
 */
import {
    composeSparse,
    conjugateSparse,
    equalsSparse,
    imageOf,
    inverseSparse,
    SPARSE_IDENTITY,
    type SparsePermutation,
} from './sparse-permutation.js';
import { imageOfPoint, MAXIMAL_ARITY, type SymmetricAction } from './symmetric-action.js';

/** Points looked at, about, to tell cosets apart. */
const COSET_WORK_LIMIT = 20_000_000;

/**
 * One element h of each coset h·N of the group, where N is the product of symmetric groups given; the identity first.
 * `undefined` when there are more than `limit`. Their number times the order of N is the order of the group, so a known
 * order tells beforehand whether to begin.
 */
export function cosetElements(
    group: {
        readonly generators: readonly SparsePermutation[];
        readonly pointCount: number;
        readonly order: bigint | undefined;
    },
    symmetric: SymmetricAction,
    limit: number,
): readonly SparsePermutation[] | undefined {
    if (group.order !== undefined && group.order > symmetric.order * BigInt(limit)) {
        return undefined;
    }
    if (group.order === symmetric.order) {
        return [SPARSE_IDENTITY];
    }
    let work = 0;
    const elements: SparsePermutation[] = [SPARSE_IDENTITY];
    const inverses: SparsePermutation[] = [SPARSE_IDENTITY];
    for (const element of elements) {
        for (const generator of group.generators) {
            const product = composeSparse(generator, element);
            work += inverses.length * (product.points.length + symmetric.elementCount);
            if (work > COSET_WORK_LIMIT) {
                return undefined;
            }
            const isKnown = inverses.some(inverse =>
                isInProduct(symmetric, composeSparse(inverse, product), group.pointCount),
            );
            if (!isKnown) {
                if (elements.length >= limit) {
                    return undefined;
                }
                elements.push(product);
                inverses.push(inverseSparse(product));
            }
        }
    }
    return elements;
}

/**
 * Generators of a group K such that what `generators` generate is the direct product of K and of the symmetric group of
 * one family; `undefined` if this is not proven.
 *
 * Every generator is divided by the permutation of the family that it induces. If all quotients commute with the
 * family's symmetric group, the group is the product of that and of what the quotients generate, and the two meet in
 * the center of the former, which is trivial from three elements on.
 */
export function divideByFamily(
    generators: readonly SparsePermutation[],
    action: SymmetricAction,
    family: number,
): readonly SparsePermutation[] | undefined {
    const [first, end] = [action.firstElement[family], action.firstElement[family + 1]];
    // A direct factor is normal: the base points of the family, which only it moves apart, go to base points of it.
    if (end - first < 3 || generators.some(generator => !keepsFamily(generator, action, first, end))) {
        return undefined;
    }
    const quotients: SparsePermutation[] = [];
    for (const generator of generators) {
        const induced = inducedOnFamily(action, generator, family);
        if (induced === undefined) {
            return undefined;
        }
        const quotient = divideByElements(generator, action, induced, first);
        for (let element = first + 1; element < end && quotient.points.length > 0; element++) {
            if (!equalsSparse(conjugateSparse(action.swap[element], quotient), action.swap[element])) {
                return undefined;
            }
        }
        if (quotient.points.length > 0) {
            quotients.push(quotient);
        }
    }
    return quotients;
}

function keepsFamily(p: SparsePermutation, action: SymmetricAction, first: number, end: number): boolean {
    const kind = action.kindOfPoint[action.basePoint[first]];
    for (let element = first; element < end; element++) {
        if (action.kindOfPoint[imageOf(p, action.basePoint[element])] !== kind) {
            return false;
        }
    }
    return true;
}

/** Whether `p` belongs to the product of the symmetric groups. */
function isInProduct(action: SymmetricAction, p: SparsePermutation, degree: number): boolean {
    const images = inducedPermutation(action, p);
    return images !== undefined && actsAs(action, images, p, degree);
}

/** The permutation of the elements that `p` induces through the base points, whatever it does elsewhere. */
function inducedPermutation(action: SymmetricAction, p: SparsePermutation): Int32Array | undefined {
    const images = new Int32Array(action.elementCount);
    for (let element = 0; element < images.length; element++) {
        const point = action.basePoint[element];
        const image = imageOf(p, point);
        if (action.kindOfPoint[image] !== action.kindOfPoint[point]) {
            return undefined;
        }
        images[element] = action.labels[image * MAXIMAL_ARITY];
    }
    return images;
}

function actsAs(action: SymmetricAction, images: Int32Array, p: SparsePermutation, degree: number): boolean {
    let next = 0;
    for (let point = 0; point < degree; point++) {
        let image = point;
        if (next < p.points.length && p.points[next] === point) {
            image = p.images[next++];
        }
        if (imageOfPoint(action, images, point) !== image) {
            return false;
        }
    }
    return true;
}

/**
 * `p` after undoing a permutation of the elements of one family by swaps with its first element. An element that is
 * mapped onto the first is brought home by its own swap; when the first is at home, any swap opens the next cycle.
 */
function divideByElements(
    p: SparsePermutation,
    action: SymmetricAction,
    images: Readonly<Int32Array>,
    first: number,
): SparsePermutation {
    let quotient = p;
    const preimage = new Int32Array(images.length);
    images.forEach((image, element) => (preimage[image] = element));
    const swapWithFirst = (element: number): void => {
        quotient = composeSparse(quotient, action.swap[element]);
        [preimage[first], preimage[element]] = [preimage[element], preimage[first]];
    };
    for (let element = first; element < preimage.length; element++) {
        if (preimage[element] !== element && element !== first) {
            swapWithFirst(element);
        }
        while (preimage[first] !== first) {
            swapWithFirst(preimage[first]);
        }
    }
    return quotient;
}

/** The permutation of the elements that moves one family as `p` moves its base points, and no other family. */
function inducedOnFamily(action: SymmetricAction, p: SparsePermutation, family: number): Int32Array | undefined {
    const images = new Int32Array(action.elementCount);
    for (let element = 0; element < images.length; element++) {
        images[element] = element;
    }
    // The points of this kind are the base points of the family.
    const kind = action.kindOfPoint[action.basePoint[action.firstElement[family]]];
    for (let i = 0; i < p.points.length; i++) {
        if (action.kindOfPoint[p.points[i]] === kind) {
            if (action.kindOfPoint[p.images[i]] !== kind) {
                return undefined;
            }
            images[action.labels[p.points[i] * MAXIMAL_ARITY]] = action.labels[p.images[i] * MAXIMAL_ARITY];
        }
    }
    return images;
}
