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
import { imageOfPoint, MAXIMAL_ARITY, pointPermutation, type SymmetricAction } from './symmetric-action.js';

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
    degree: number,
): readonly SparsePermutation[] | undefined {
    const [first, end] = [action.firstElement[family], action.firstElement[family + 1]];
    if (end - first < 3) {
        return undefined;
    }
    const quotients: SparsePermutation[] = [];
    for (const generator of generators) {
        const induced = inducedOnFamily(action, generator, family);
        if (induced === undefined) {
            return undefined;
        }
        const quotient = composeSparse(generator, inverseSparse(pointPermutation(action, induced, degree)));
        for (let element = first + 1; element < end; element++) {
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

/** The permutation of the elements that moves one family as `p` moves its base points, and no other family. */
function inducedOnFamily(action: SymmetricAction, p: SparsePermutation, family: number): Int32Array | undefined {
    const images = Int32Array.from({ length: action.elementCount }, (_, element) => element);
    const kind = action.kindOfPoint[action.basePoint[action.firstElement[family]]];
    for (let element = action.firstElement[family]; element < action.firstElement[family + 1]; element++) {
        const image = imageOf(p, action.basePoint[element]);
        if (action.kindOfPoint[image] !== kind) {
            return undefined;
        }
        images[element] = action.labels[image * MAXIMAL_ARITY];
    }
    return images;
}
