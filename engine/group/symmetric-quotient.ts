/** A group divided by a product of symmetric groups that it contains: the cosets, or the other direct factor. */
import { appendTo } from '../common/list-map.js';
import type { LiteralAction } from './literal-action.js';
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

/** About how many points are visited to tell cosets apart. */
const COSET_WORK_LIMIT = 20_000_000;

/**
 * One element h of each coset h·N of the group, where N is the given product of symmetric groups; the identity first.
 * `undefined` if there are more than `limit`, which a known order tells at once.
 */
export function cosetElements(
    group: Pick<LiteralAction, 'generators' | 'pointCount' | 'order'>,
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
    const isInProduct = membershipIn(symmetric, group.pointCount);
    const elements: SparsePermutation[] = [SPARSE_IDENTITY];
    // An element of N keeps the kinds of points and fixes points without a kind, so a coset has one key.
    const kindsUnder = (element: SparsePermutation): string =>
        Array.from(symmetric.basePoint, point => {
            const image = imageOf(element, point);
            return symmetric.kindOfPoint[image] < 0 ? -1 - image : symmetric.kindOfPoint[image];
        }).join();
    /** Inverses of the elements. */
    const inversesByKinds = new Map([[kindsUnder(SPARSE_IDENTITY), [SPARSE_IDENTITY]]]);
    for (const element of elements) {
        for (const generator of group.generators) {
            const product = composeSparse(generator, element);
            const kinds = kindsUnder(product);
            const inverses = inversesByKinds.get(kinds) ?? [];
            work += (inverses.length + 1) * (product.points.length + 1);
            if (work > COSET_WORK_LIMIT) {
                return undefined;
            }
            const isKnown = inverses.some(inverse => isInProduct(composeSparse(inverse, product)));
            if (!isKnown) {
                if (elements.length >= limit) {
                    return undefined;
                }
                elements.push(product);
                appendTo(inversesByKinds, kinds, inverseSparse(product));
            }
        }
    }
    return elements;
}

/** The families that every generator maps onto themselves, as a direct factor requires. O(points moved). */
export function keptFamilies(generators: readonly SparsePermutation[], action: SymmetricAction): readonly number[] {
    const { basePoint, kindOfPoint, firstElement } = action;
    /** `familyOfKind[kind]`: the family whose base points the points of the kind are, or -1. */
    const familyOfKind = new Int32Array(action.kinds.length).fill(-1);
    basePoint.forEach((point, element) => (familyOfKind[kindOfPoint[point]] = action.familyOfElement[element]));
    const isKept = new Uint8Array(firstElement.length - 1).fill(1);
    for (const { points, images } of generators) {
        for (let i = 0; i < points.length; i++) {
            const [kind, imageKind] = [kindOfPoint[points[i]], kindOfPoint[images[i]]];
            if (kind >= 0 && imageKind !== kind && familyOfKind[kind] >= 0) {
                isKept[familyOfKind[kind]] = 0;
            }
        }
    }
    return [...isKept.keys()].filter(family => isKept[family] === 1);
}

/**
 * Generators of a group K such that the group is the direct product of K and the symmetric group S of one of the
 * `keptFamilies`; `undefined` if this is not proven.
 *
 * Every generator is divided by the permutation of the family that it induces. If all quotients commute with S, they
 * generate K; it meets S in the center of S, which is trivial for three or more elements.
 */
export function divideByFamily(
    generators: readonly SparsePermutation[],
    action: SymmetricAction,
    family: number,
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

/**
 * Generators of the same group: the swaps of all families, and each generator divided by the permutations that it
 * induces on families. A generator that permutes many families may connect parts that are otherwise independent.
 */
export function dividedByFamilies(
    generators: readonly SparsePermutation[],
    action: SymmetricAction,
): readonly SparsePermutation[] {
    const familyOfBasePoint = new Map(
        Array.from(action.basePoint, (point, element) => [point, action.familyOfElement[element]]),
    );
    const quotients = generators.map(generator => {
        const moved = new Set(Array.from(generator.points, point => familyOfBasePoint.get(point)));
        let quotient = generator;
        for (const family of moved) {
            const induced = family === undefined ? undefined : inducedOnFamily(action, quotient, family);
            if (family !== undefined && induced !== undefined) {
                quotient = divideByElements(quotient, action, induced, action.firstElement[family]);
            }
        }
        return quotient;
    });
    return [...action.swap, ...quotients].filter(({ points }) => points.length > 0);
}

/**
 * Tells whether a permutation belongs to the product of the symmetric groups: whether it moves all points as the
 * permutation of the elements does that the base points show. O(points whose labels are moved).
 */
function membershipIn(action: SymmetricAction, degree: number): (p: SparsePermutation) => boolean {
    const elementAt = new Int32Array(degree).fill(-1);
    action.basePoint.forEach((point, element) => (elementAt[point] = element));
    const pointsOfElement: number[][] = Array.from({ length: action.elementCount }, () => []);
    action.kindOfPoint.forEach((kind, point) => {
        for (let role = 0; kind >= 0 && role < action.kinds[kind].arity; role++) {
            pointsOfElement[action.labels[point * MAXIMAL_ARITY + role]].push(point);
        }
    });
    const images = Int32Array.from({ length: action.elementCount }, (_, element) => element);
    return p => {
        const moved: number[] = [];
        for (let i = 0; i < p.points.length; i++) {
            const element = elementAt[p.points[i]];
            if (element >= 0) {
                moved.push(element);
                images[element] = elementAt[p.images[i]];
            }
        }
        // Points with moved labels go where these say; all others are fixed.
        const isMember =
            moved.every(
                element =>
                    images[element] >= 0 && action.familyOfElement[images[element]] === action.familyOfElement[element],
            ) &&
            p.points.every((point, i) => imageOfPoint(action, images, point) === p.images[i]) &&
            moved.every(element =>
                pointsOfElement[element].every(point => imageOfPoint(action, images, point) === imageOf(p, point)),
            );
        for (const element of moved) {
            images[element] = element;
        }
        return isMember;
    };
}

/** `p` divided by a permutation of the elements of one family, cycle by cycle, by swaps with the first element. */
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
    const images = Int32Array.from({ length: action.elementCount }, (_, element) => element);
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
