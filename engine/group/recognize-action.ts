/**
 * The name of a group from one of its actions.
 *
 * Each name is proven: by the order of the group and an upper bound from the action, or by elements that satisfy the
 * defining relations. Towers of symmetric groups need sparse generators only, other groups a stabilizer chain.
 */
import { invariant } from '../common/assert.js';
import { createRandom } from '../common/random.js';
import { UnionFind } from '../common/union-find.js';
import { allBlockSystems, type BlockSystem } from './blocks.js';
import { orbits } from './orbits.js';
import {
    actionInBlock,
    actionOnSets,
    actionOnSystem,
    CHAIN_ENTRY_LIMIT,
    chainOf,
    conjugates,
    denseGenerators,
    type PermutationGroup,
} from './permutation-group.js';
import {
    compose,
    equals,
    factorial,
    inverse,
    isIdentity,
    orderOfElement,
    type Permutation,
    power,
} from './permutation.js';
import {
    conjugateSparse,
    equalsSparse,
    orderOfSparse,
    sparsePermutation,
    type SparsePermutation,
    toSparse,
} from './sparse-permutation.js';
import type { StabilizerChain } from './stabilizer-chain.js';
import {
    alternating,
    cyclic,
    dihedral,
    extension,
    type GroupStructure,
    primePowers,
    product,
    special,
    symmetric,
    wreath,
} from './structure-name.js';
import { findSymmetricAction, type SymmetricAction } from './symmetric-action.js';

/** The most points of an orbit that is searched for blocks. */
export const ORBIT_LIMIT = 600;
/** The most block systems of one orbit; regular groups may have many more. */
const BLOCK_SYSTEM_LIMIT = 60;
/** The largest order of a group whose elements are listed. */
const LISTED_ELEMENTS = 4_000;
/** The most points of a grid, the number of random elements tried, and the most conjugates of each. */
const LARGEST_GRID = 600;
const LINE_TRIALS = 16;
const MOST_LINE_CONJUGATES = 64;
/** The number of random elements that are tried as flips of one coordinate. */
const FLIP_TRIALS = 400;

/**
 * S_a wr K as the action on the base points of all families, if they form one orbit: each of the b families has a
 * elements, and the group permutes the families as K does. The group contains S_a^b, so the action is the wreath
 * product, and it is faithful if the orders agree.
 */
export function familyTower(group: PermutationGroup, action: SymmetricAction): GroupStructure | undefined {
    const familyCount = action.firstElement.length - 1;
    const size = action.firstElement[1];
    if (familyCount < 2 || action.elementCount !== size * familyCount) {
        return undefined;
    }
    const familyOfPoint = new Int32Array(group.degree).fill(-1);
    action.basePoint.forEach((point, element) => (familyOfPoint[point] = action.familyOfElement[element]));
    const familyImages: SparsePermutation[] = [];
    for (const { points, images } of group.generators) {
        // By family: its image, and how many of its base points are moved.
        const target = new Map<number, number>();
        const count = new Map<number, number>();
        for (let i = 0; i < points.length; i++) {
            const from = familyOfPoint[points[i]];
            if (from < 0) {
                continue;
            }
            const to = familyOfPoint[images[i]];
            if (to < 0 || (target.get(from) ?? to) !== to) {
                return undefined;
            }
            target.set(from, to);
            count.set(from, (count.get(from) ?? 0) + 1);
        }
        const moved = [...target].filter(([from, to]) => from !== to);
        // A family with a fixed base point is fixed.
        if (moved.some(([from]) => count.get(from) !== size)) {
            return undefined;
        }
        familyImages.push(sparsePermutation(moved));
    }
    if (orbits(familyImages, familyCount).length > 1) {
        return undefined;
    }
    const outer = describeNatural({ generators: familyImages, degree: familyCount });
    return outer && wreath(symmetric(size), outer, familyCount);
}

/** The name of a group of this order from a faithful transitive action; `undefined` if the action shows none. */
export function describeTransitive(group: PermutationGroup, order: bigint): GroupStructure | undefined {
    return describeImprimitive(group, order) ?? describeCube(group, order) ?? describeGrid(group, order);
}

/**
 * Transitive groups that their degree and order determine. A transitive group of prime degree p whose order divides
 * p(p - 1) has only one subgroup of order p, by Sylow's theorem, and lies in its normalizer, which has one subgroup of
 * each such order. The list of transitive groups has the cases of degree 6 to 8. [ButlerMcKay1983]
 */
export function describeByDegree(degree: number, order: bigint): GroupStructure | undefined {
    const all = factorial(degree);
    if (order === all) {
        return symmetric(degree);
    }
    if (order * 2n === all) {
        return alternating(degree);
    }
    const isPrime = degree > 2 && primePowers(degree)[0][0] === degree;
    if (isPrime && order % BigInt(degree) === 0n && BigInt(degree * (degree - 1)) % order === 0n) {
        const complement = Number(order / BigInt(degree));
        return complement === 1
            ? cyclic(degree)
            : complement === 2
              ? dihedral(degree)
              : extension(cyclic(degree), cyclic(complement), true);
    }
    switch (`${degree} ${order}`) {
        case '6 60':
            return alternating(5);
        case '6 120':
            return symmetric(5);
        case '7 168':
            return special('PSL(3, 2)', order);
        case '8 336':
            return special('PGL(2, 7)', order);
        case '8 1344':
            return special('AGL(3, 2)', order);
        default:
            return undefined;
    }
}

/** Cn and Dn on the n corners of a polygon. */
function describePolygon(chain: StabilizerChain, degree: number): GroupStructure | undefined {
    if (chain.order !== BigInt(degree) && chain.order !== BigInt(2 * degree)) {
        return undefined;
    }
    const named = describeRotations(chain.elements(LISTED_ELEMENTS) ?? []);
    return named?.name === cyclic(degree).name || named?.name === dihedral(degree).name ? named : undefined;
}

/** Cn or Dn, if an element generates all or half of the group and the others invert it. */
export function describeRotations(elements: readonly Permutation[]): GroupStructure | undefined {
    const order = elements.length;
    const orders = elements.map(element => Number(orderOfElement(element)));
    if (orders.includes(order)) {
        return cyclic(order);
    }
    if (order < 6 || order % 2 === 1) {
        return undefined;
    }
    const rotation = elements.find((_, i) => orders[i] === order / 2);
    if (rotation === undefined) {
        return undefined;
    }
    const rotations = new Set(Array.from({ length: order / 2 }, (_, i) => power(rotation, i).join()));
    const reflection = elements.find(element => !rotations.has(element.join()))!;
    const isInverted = equals(compose(compose(reflection, rotation), reflection), inverse(rotation));
    const isInvolution = isIdentity(compose(reflection, reflection));
    return isInverted && isInvolution ? dihedral(order / 2) : undefined;
}

/** The invariant factors of an abelian group follow from the numbers of elements of each prime power order. */
export function describeAbelian(group: PermutationGroup, order: bigint): GroupStructure | undefined {
    const { generators } = group;
    if (generators.length === 1 && order <= BigInt(Number.MAX_SAFE_INTEGER)) {
        return cyclic(Number(order));
    }
    const isAbelian = generators.every((a, i) =>
        generators.every((b, j) => j <= i || equalsSparse(conjugateSparse(a, b), a)),
    );
    const orders = isAbelian ? listElementsOf(group, order).map(element => Number(orderOfElement(element))) : [];
    if (orders.length === 0) {
        return undefined;
    }
    const factors: GroupStructure[] = [];
    for (const [prime, largest] of primePowers(Number(order))) {
        // The elements x with x^(p^k) = 1 are p^(r1 + … + rk), where rj of the cyclic factors have order p^j or more.
        let previous = 1;
        let previousRank: number | undefined;
        for (let power = prime; ; power *= prime) {
            const count = orders.filter(elementOrder => power % elementOrder === 0).length;
            const rank = Math.round(Math.log(count / previous) / Math.log(prime));
            if (previousRank !== undefined) {
                factors.push(...Array.from({ length: previousRank - rank }, () => cyclic(power / prime)));
            }
            if (rank === 0) {
                break;
            }
            previous = count;
            previousRank = rank;
        }
        invariant(previous === largest, 'the elements of prime power order make up the largest power of the prime');
    }
    return product(factors);
}

/** All elements of a small group; none for larger groups. */
export function listElementsOf(group: PermutationGroup, order: bigint): readonly Permutation[] {
    if (order > BigInt(LISTED_ELEMENTS) || order * BigInt(group.degree) > BigInt(CHAIN_ENTRY_LIMIT)) {
        return [];
    }
    return chainOf(group, order)?.elements(LISTED_ELEMENTS) ?? [];
}

/** All block systems of a transitive group, finest first; none if there are too many or the degree is too large. */
export function blockSystemsOf(generators: readonly Permutation[], degree: number): readonly BlockSystem[] {
    return degree > ORBIT_LIMIT ? [] : (allBlockSystems(generators, degree, BLOCK_SYSTEM_LIMIT) ?? []);
}

/** The name of a transitive group whose name also tells how it acts on its points; else `undefined`. */
function describeNatural(group: PermutationGroup): GroupStructure | undefined {
    const moved = group.generators.filter(({ points }) => points.length > 0);
    const action = findSymmetricAction(moved, group.degree);
    if (action !== undefined && action.elementCount === group.degree) {
        // Every point stands for an element, so the action on elements and families is faithful.
        const structure =
            action.firstElement.length === 2
                ? symmetric(group.degree)
                : familyTower({ generators: moved, degree: group.degree }, action);
        if (structure !== undefined) {
            return structure;
        }
    }
    const chain = chainOf({ generators: moved, degree: group.degree });
    return chain === undefined
        ? undefined
        : (describeByDegree(group.degree, chain.order) ??
              describePolygon(chain, group.degree) ??
              describeImprimitive(group, chain.order));
}

/**
 * A transitive group embeds in H wr K, where K is its action on the blocks of a system and H that of a block's
 * stabilizer on the block. If the orders agree, they are equal. The first system with natural actions is taken.
 */
function describeImprimitive(group: PermutationGroup, order: bigint): GroupStructure | undefined {
    const { degree } = group;
    const generators = denseGenerators(group);
    for (const system of blockSystemsOf(generators, degree)) {
        // |H|^k · |K| is at least 2^k · k.
        if (order >> BigInt(system.blockCount) < system.blockCount) {
            continue;
        }
        const outerGroup = actionOnSystem(generators, system);
        const outerOrder = chainOf(outerGroup, order)?.order;
        const innerGroup = actionInBlock(generators, degree, system);
        const innerOrder = chainOf(innerGroup, order)?.order;
        if (outerOrder === undefined || innerOrder === undefined) {
            continue;
        }
        if (innerOrder ** BigInt(system.blockCount) * outerOrder !== order) {
            continue;
        }
        const inner = describeNatural(innerGroup);
        const outer = describeNatural(outerGroup);
        if (inner !== undefined && outer !== undefined) {
            return wreath(inner, outer, system.blockCount);
        }
    }
    return undefined;
}

/**
 * C2 wr Sd as the symmetries of the cube of dimension d: an element that flips one coordinate has d conjugates. The
 * orbits of all flips but one are two facets, and on the 2d facets the group acts as C2 wr Sd if the order agrees.
 */
function describeCube(group: PermutationGroup, order: bigint): GroupStructure | undefined {
    let dimension = 1;
    while (2n ** BigInt(dimension) * factorial(dimension) < order) {
        dimension++;
    }
    const isPossible = 2n ** BigInt(dimension) * factorial(dimension) === order;
    const chain = isPossible ? chainOf(group, order) : undefined;
    if (chain === undefined) {
        return undefined;
    }
    const generators = denseGenerators(group);
    const random = createRandom(dimension);
    for (let trial = 0; trial < FLIP_TRIALS; trial++) {
        const element = chain.randomElement(random);
        const elementOrder = orderOfElement(element);
        if (elementOrder % 2n === 1n) {
            continue;
        }
        const flips = conjugates(power(element, Number(elementOrder / 2n)), generators, dimension);
        if (flips?.length !== dimension) {
            continue;
        }
        const facets = facetsOf(flips, group.degree);
        const onFacets = facets && actionOnSets(generators, facets);
        if (onFacets === undefined) {
            continue;
        }
        // Conjugation permutes the flips and their pairs of facets, so this is no larger than C2 wr Sd.
        if (chainOf(onFacets, order)?.order === order) {
            return wreath(cyclic(2), symmetric(dimension), dimension);
        }
    }
    return undefined;
}

/**
 * Wreath products that act on the coordinates of a grid: an element that moves one coordinate has conjugates that move
 * one coordinate each. Those of different coordinates commute, so they fall into classes. The orbits of a class are
 * lines, and on the lines the group is an imprimitive wreath product, which the orders prove.
 */
function describeGrid(group: PermutationGroup, order: bigint): GroupStructure | undefined {
    const chain = group.degree <= LARGEST_GRID ? chainOf(group, order) : undefined;
    if (chain?.order !== order) {
        return undefined;
    }
    const generators = denseGenerators(group);
    const random = createRandom(group.degree);
    for (let trial = 0; trial < LINE_TRIALS; trial++) {
        const element = chain.randomElement(random);
        const elementOrder = Number(orderOfElement(element));
        for (const [prime] of elementOrder > 1 ? primePowers(elementOrder) : []) {
            const alike = conjugates(power(element, elementOrder / prime), generators, MOST_LINE_CONJUGATES);
            const lines = alike && linesOf(alike, group.degree);
            const onLines = lines && actionOnSets(generators, lines);
            if (onLines !== undefined && chainOf(onLines, order)?.order === order && isTransitive(onLines)) {
                const named = describeImprimitive(onLines, order);
                if (named !== undefined) {
                    return named;
                }
            }
        }
    }
    return undefined;
}

/** The orbits of commuting classes of elements; undefined unless there are several classes of several elements. */
function linesOf(elements: readonly Permutation[], degree: number): readonly (readonly number[])[] | undefined {
    const classes = new UnionFind(elements.length);
    elements.forEach((a, i) => {
        for (let j = 0; j < i; j++) {
            if (!equals(compose(a, elements[j]), compose(elements[j], a))) {
                classes.union(i, j);
            }
        }
    });
    const sets = classes.sets();
    if (sets.length < 2 || sets.some(members => members.length < 2)) {
        return undefined;
    }
    return sets.flatMap(members =>
        orbits(
            members.map(member => toSparse(elements[member])),
            degree,
        ),
    );
}

function isTransitive({ generators, degree }: PermutationGroup): boolean {
    return orbits(generators, degree).length === 1;
}

/** For each flip the two orbits of the other flips; undefined if they are not two. */
function facetsOf(flips: readonly Permutation[], degree: number): readonly (readonly number[])[] | undefined {
    const facets: (readonly number[])[] = [];
    for (const flip of flips) {
        const others = flips.filter(candidate => candidate !== flip).map(toSparse);
        const pair = orbits(others, degree);
        if (pair.length !== 2) {
            return undefined;
        }
        facets.push(...pair);
    }
    return facets;
}

/** The exact orders of parts whose direct product has the order `order`; `undefined` if bounds do not prove them. */
export function ordersOfParts(parts: readonly PermutationGroup[], order: bigint): readonly bigint[] | undefined {
    if (parts.length === 1) {
        return [order];
    }
    // A part with one generator has its order; the order of at most one other part follows.
    const cyclic = parts.map(({ generators }) => (generators.length === 1 ? orderOfSparse(generators[0]) : undefined));
    if (cyclic.filter(own => own === undefined).length <= 1) {
        const product = cyclic.reduce<bigint>((total, own) => total * (own ?? 1n), 1n);
        return cyclic.map(own => own ?? order / product);
    }
    const bounds = parts.map(part => {
        const action = findSymmetricAction(part.generators, part.degree);
        return action === undefined ? chainOf(part)?.order : (familyTower(part, action)?.order ?? action.order);
    });
    const known = bounds.reduce<bigint>((total, bound) => total * (bound ?? 0n), 1n);
    return known === order ? (bounds as bigint[]) : undefined;
}
