/**
 * The number of orbits of potential states, without visiting states: by the lemma of Cauchy and Frobenius it is the
 * average number of states that an element of the group fixes. [Neumann1979]
 *
 * The fixed states of an element are counted by its cycles of cells. Conjugate elements fix equally many states, so a
 * symmetric group needs one element for each partition of its degree.
 */
import { invariant } from '../common/assert.js';
import { UNLIMITED, type WorkLimit } from '../common/work-limit.js';
import { forEachElement, listElements } from './elements.js';
import {
    createLiteralAction,
    disjointFactors,
    positionsIn,
    type LiteralAction,
    type LiteralGroup,
} from './literal-action.js';
import { composeSparse, type SparsePermutation, toDense, toSparse } from './sparse-permutation.js';
import { factorial } from './permutation.js';
import { blocksOfElements } from './element-blocks.js';
import { countNamedStates, multisets } from './orbits-of-named-states.js';
import { findSymmetricAction, pointPermutation, type SymmetricAction } from './symmetric-action.js';
import { divideByFamily, dividedByFamilies, keptFamilies } from './symmetric-quotient.js';
import { disjointFactorsWithOrders, findWreathAction } from './wreath-action.js';

export interface OrbitCountOptions {
    /** By cell: its possible codes, -1 for no value. The group keeps them. By default, the codes of the domain. */
    readonly codes?: readonly (readonly number[])[];
    /** The most steps, about one for each point of each group element. */
    readonly workLimit?: number;
    readonly limit?: WorkLimit;
}

const DEFAULT_WORK_LIMIT = 20_000_000;
/** If listing all elements takes at most so many steps, it is tried before wreath products. */
const FEW_STEPS = 1_000_000;

/** The number of orbits of all states with the given codes, or `undefined` if counting them takes too long. */
export function countOrbits(group: LiteralGroup, options: OrbitCountOptions = {}): bigint | undefined {
    const action = createLiteralAction(group);
    const isAllowed = allowedPoints(action, options.codes);
    const { workLimit = DEFAULT_WORK_LIMIT, limit = UNLIMITED } = options;
    return countOrbitsOfAction(action, isAllowed, workLimit, limit);
}

/** The product over the direct factors and the cells in no factor. */
function countOrbitsOfAction(
    action: LiteralAction,
    isAllowed: Uint8Array,
    workLimit: number,
    limit: WorkLimit,
): bigint | undefined {
    const isTouched = new Uint8Array(action.cells.length);
    let product = 1n;
    for (const factor of disjointFactorsWithOrders(action)) {
        const positions = positionsIn(action, factor);
        positions.forEach(position => (isTouched[position] = 1));
        const inside = restrictPoints(action, isAllowed, factor, positions);
        const count = limit.isExhausted() ? undefined : countOrbitsOfFactor(factor, inside, workLimit, limit);
        if (count === undefined) {
            return undefined;
        }
        product *= count;
    }
    for (let cell = 0; cell < isTouched.length; cell++) {
        if (isTouched[cell] === 0) {
            product *= BigInt(allowedCount(action, isAllowed, cell));
        }
    }
    return product;
}

/** The allowed points of a restricted action. */
function restrictPoints(
    action: LiteralAction,
    isAllowed: Uint8Array,
    restricted: LiteralAction,
    positions: Int32Array,
): Uint8Array {
    const result = new Uint8Array(restricted.pointCount);
    positions.forEach((position, i) => {
        const contents = isAllowed.subarray(action.firstPoint[position], action.firstPoint[position + 1]);
        result.set(contents, restricted.firstPoint[i]);
    });
    return result;
}

function allowedPoints(action: LiteralAction, codes: readonly (readonly number[])[] | undefined): Uint8Array {
    const isAllowed = new Uint8Array(action.pointCount).fill(codes === undefined ? 1 : 0);
    for (let cell = 0; cell < action.cells.length; cell++) {
        const first = action.firstPoint[cell];
        if (codes === undefined) {
            isAllowed[first] = 0;
        } else {
            codes[cell].forEach(code => (isAllowed[first + 1 + code] = 1));
        }
    }
    for (const { points, images } of action.generators) {
        const isKept = points.every((point, i) => isAllowed[point] === isAllowed[images[i]]);
        invariant(isKept, 'the group maps the codes that cells may have onto each other');
    }
    return isAllowed;
}

function allowedCount(action: LiteralAction, isAllowed: Uint8Array, cell: number): number {
    let count = 0;
    for (let point = action.firstPoint[cell]; point < action.firstPoint[cell + 1]; point++) {
        count += isAllowed[point];
    }
    return count;
}

function countOrbitsOfFactor(
    action: LiteralAction,
    isAllowed: Uint8Array,
    workLimit: number,
    limit: WorkLimit,
): bigint | undefined {
    const symmetric = findSymmetricAction(action.generators, action.pointCount);
    const viaFamilies = symmetric && countBySymmetricAction(action, symmetric, isAllowed, workLimit);
    if (viaFamilies === 'too-many-classes') {
        return countByWreathAction(action, isAllowed, workLimit, limit);
    }
    if (viaFamilies !== undefined) {
        return viaFamilies;
    }
    const divided = symmetric && { ...action, generators: dividedByFamilies(action.generators, symmetric) };
    if (divided !== undefined && disjointFactors(divided).length > 1) {
        return countOrbitsOfAction(divided, isAllowed, workLimit, limit);
    }
    return (
        countByListing(action, isAllowed, Math.min(workLimit, FEW_STEPS)) ??
        countByWreathAction(action, isAllowed, workLimit, limit) ??
        countByListing(action, isAllowed, workLimit)
    );
}

function countByListing(action: LiteralAction, isAllowed: Uint8Array, workLimit: number): bigint | undefined {
    let fixed = 0n;
    let elementCount = 0n;
    const isDone = forEachElement(action, Math.floor(workLimit / action.pointCount), element => {
        fixed += fixedStates(action, isAllowed, element);
        elementCount++;
    });
    return isDone ? dividedEvenly(fixed, elementCount) : undefined;
}

/** An orbit is a multiset of orbits of the inner group, one for each block. */
function countByWreathAction(
    action: LiteralAction,
    isAllowed: Uint8Array,
    workLimit: number,
    limit: WorkLimit,
): bigint | undefined {
    const wreath = findWreathAction(action);
    if (wreath === undefined) {
        return undefined;
    }
    const inside = restrictPoints(action, isAllowed, wreath.inner, positionsIn(action, wreath.inner));
    const rows = countOrbitsOfAction(wreath.inner, inside, workLimit, limit);
    return rows && multisets(rows, wreath.blocks.length);
}

/**
 * For a direct product of the families' symmetric groups and a small group. If the former have too many conjugacy
 * classes for the limit, listing elements exceeds it as well.
 */
function countBySymmetricAction(
    action: LiteralAction,
    symmetric: SymmetricAction,
    isAllowed: Uint8Array,
    workLimit: number,
): bigint | 'too-many-classes' | undefined {
    const rest = complement(action, symmetric);
    if (rest === undefined) {
        return undefined;
    }
    if (rest.length === 0) {
        const blocks = blocksOfElements(action, symmetric);
        if (blocks !== undefined) {
            return blocks.reduce((product, { cells }) => {
                const rows = cells[0].reduce(
                    (count, cell) => count * BigInt(allowedCount(action, isAllowed, cell)),
                    1n,
                );
                return product * multisets(rows, cells.length);
            }, 1n);
        }
        const named = countNamedStates(action, symmetric, isAllowed);
        if (named !== undefined) {
            return named;
        }
    }
    const sizes = symmetric.firstElement.slice(1).map((end, family) => end - symmetric.firstElement[family]);
    const classCount = sizes.reduce((product, size) => product * partitionCount(size), 1);
    const restLimit = Math.floor(workLimit / action.pointCount / classCount);
    if (restLimit < 1) {
        return 'too-many-classes';
    }
    const restElements = listElements({ ...action, generators: rest, order: undefined }, restLimit);
    if (restElements === undefined) {
        return undefined;
    }
    const sparseRest = restElements.map(toSparse);
    let fixed = 0n;
    forEachClass(symmetric, sizes, (images, classSize) => {
        const familyElement = pointPermutation(symmetric, images, action.pointCount);
        for (const restElement of sparseRest) {
            const element = toDense(composeSparse(familyElement, restElement), action.pointCount);
            fixed += classSize * fixedStates(action, isAllowed, element);
        }
    });
    return dividedEvenly(fixed, symmetric.order * BigInt(restElements.length));
}

/** Generators of K if the group is known to be the direct product of K and the symmetric groups. */
function complement(action: LiteralAction, symmetric: SymmetricAction): readonly SparsePermutation[] | undefined {
    if (action.order === symmetric.order) {
        return [];
    }
    let rest: readonly SparsePermutation[] = action.generators;
    const kept = keptFamilies(rest, symmetric);
    if (kept.length + 1 < symmetric.firstElement.length) {
        return undefined;
    }
    for (const family of kept) {
        const quotients = divideByFamily(rest, symmetric, family);
        if (quotients === undefined) {
            return undefined;
        }
        rest = quotients;
    }
    return rest;
}

/** The number of allowed states that `element` fixes. O(pointCount). */
function fixedStates(action: LiteralAction, isAllowed: Uint8Array, element: Readonly<Int32Array>): bigint {
    const { firstPoint, cellOfPoint } = action;
    const isDone = new Uint8Array(action.cells.length);
    let product = 1n;
    /** A factor of the product that is an exact number. */
    let small = 1;
    for (let cell = 0; cell < isDone.length; cell++) {
        let length = 0;
        for (let next = cell; isDone[next] === 0; next = cellOfPoint[element[firstPoint[next]]]) {
            isDone[next] = 1;
            length++;
        }
        if (length === 0) {
            continue;
        }
        let returning = 0;
        for (let point = firstPoint[cell]; point < firstPoint[cell + 1]; point++) {
            let image = point;
            for (let step = 0; step < length; step++) {
                image = element[image];
            }
            returning += image === point ? isAllowed[point] : 0;
        }
        if (returning === 0) {
            return 0n;
        }
        if (small * returning > Number.MAX_SAFE_INTEGER) {
            product *= BigInt(small);
            small = 1;
        }
        small *= returning;
    }
    return product * BigInt(small);
}

/** Visits one element of each conjugacy class, which is a partition for each family, and the size of the class. */
function forEachClass(
    symmetric: SymmetricAction,
    sizes: readonly number[],
    visit: (images: Int32Array, classSize: bigint) => void,
): void {
    const images = Int32Array.from({ length: symmetric.elementCount }, (_, element) => element);
    const visitFamily = (family: number, classSize: bigint): void => {
        if (family === sizes.length) {
            visit(images, classSize);
            return;
        }
        forEachPartition(sizes[family], parts => {
            let first = symmetric.firstElement[family];
            for (const part of parts) {
                for (let i = 0; i < part; i++) {
                    images[first + i] = first + ((i + 1) % part);
                }
                first += part;
            }
            visitFamily(family + 1, classSize * permutationsWithCycles(parts));
        });
    };
    visitFamily(0, 1n);
}

/** Visits all partitions of `n`, parts descending. */
function forEachPartition(n: number, visit: (parts: readonly number[]) => void): void {
    const parts: number[] = [];
    const extend = (rest: number, largest: number): void => {
        if (rest === 0) {
            visit(parts);
            return;
        }
        for (let part = Math.min(rest, largest); part > 0; part--) {
            parts.push(part);
            extend(rest - part, part);
            parts.pop();
        }
    };
    extend(n, n);
}

/** The number of partitions of `n`; Infinity if it is too large to visit them. */
function partitionCount(n: number): number {
    if (n > 100) {
        return Infinity;
    }
    const ways = new Array<number>(n + 1).fill(0);
    ways[0] = 1;
    for (let part = 1; part <= n; part++) {
        for (let sum = part; sum <= n; sum++) {
            ways[sum] += ways[sum - part];
        }
    }
    return ways[n];
}

/** The number of permutations with these cycle lengths. */
function permutationsWithCycles(parts: readonly number[]): bigint {
    let divisor = 1n;
    for (let i = 0, run = 0; i < parts.length; i++) {
        run = i > 0 && parts[i] === parts[i - 1] ? run + 1 : 1;
        divisor *= BigInt(parts[i]) * BigInt(run);
    }
    return factorial(parts.reduce((sum, part) => sum + part, 0)) / divisor;
}

function dividedEvenly(total: bigint, order: bigint): bigint {
    invariant(total % order === 0n, 'the average number of fixed states is whole');
    return total / order;
}
