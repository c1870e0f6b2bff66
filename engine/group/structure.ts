/**
 * The structure of a permutation group, with a name that people read; structure-name.ts has the rules of naming.
 *
 * A name is given only for what is proven: by the order of the group together with an upper bound from an action that
 * it has, or by elements that satisfy the defining relations. Large symmetric groups and wreath products are recognized
 * from sparse generators; stabilizer chains are built for what is left, if that is of moderate size.
 */
import { invariant } from '../common/assert.js';
import { createRandom } from '../common/random.js';
import { UnionFind } from '../common/union-find.js';
import { allBlockSystems, type BlockSystem } from './blocks.js';
import { reduceSupports } from './literal-action.js';
import { orbits } from './orbits.js';
import {
    actionInBlock,
    actionOnOrbit,
    actionOnSets,
    actionOnSystem,
    CHAIN_ENTRY_LIMIT,
    chainOf,
    compress,
    conjugates,
    denseGenerators,
    sameGenerators,
    sideBySide,
    type PermutationGroup,
} from './permutation-group.js';
import {
    compose,
    equals,
    factorial,
    inverse,
    isIdentity,
    orderOfElement,
    permutation,
    power,
    toSparse,
    type Permutation,
} from './permutation.js';
import { conjugateSparse, equalsSparse, imageOf, type SparsePermutation } from './sparse-permutation.js';
import { tryStabilizerChain, type StabilizerChain } from './stabilizer-chain.js';
import {
    alternating,
    cyclic,
    dihedral,
    other,
    primePowers,
    product,
    symmetric,
    wreath,
    type GroupStructure,
} from './structure-name.js';
import { findSymmetricAction, type SymmetricAction } from './symmetric-action.js';
import { divideByFamily } from './symmetric-quotient.js';

export type { GroupStructure } from './structure-name.js';

/** Points of an orbit on which blocks are looked for. */
const ORBIT_LIMIT = 600;
/** Block systems of one orbit; regular groups with many subgroups have too many to go through. */
const BLOCK_SYSTEM_LIMIT = 60;
/** Elements that are listed to look for relations among them. */
const LISTED_ELEMENTS = 4_000;
/** Random elements that are tried as flips of one coordinate. */
const FLIP_TRIALS = 400;

/** The structure of the group that `generators` generate on 0 … degree - 1; `order` is its exact order, if known. */
export function describeGroup(
    generators: readonly SparsePermutation[],
    degree: number,
    order?: bigint,
): GroupStructure {
    const reduced = reduceSupports(generators);
    const sets = new UnionFind(degree);
    for (const { points } of reduced) {
        for (const point of points) {
            sets.union(points[0], point);
        }
    }
    const generatorsOfPart = new Map<number, SparsePermutation[]>();
    for (const generator of reduced) {
        const root = sets.find(generator.points[0]);
        generatorsOfPart.set(root, [...(generatorsOfPart.get(root) ?? []), generator]);
    }
    const parts = [...generatorsOfPart.values()].map(compress);
    const orders = order === undefined ? undefined : ordersOfParts(parts, order);
    const structure = product(parts.map((part, i) => describeConnected(part, orders?.[i])));
    invariant(order === undefined || structure.order === order, 'the order given is that of the generated group');
    return structure;
}

/**
 * The orders of direct factors whose product is known: lower bounds that are cheap to have are exact if their product
 * is the order of the whole. `undefined` if they are not.
 */
function ordersOfParts(parts: readonly PermutationGroup[], order: bigint): readonly bigint[] | undefined {
    if (parts.length === 1) {
        return [order];
    }
    const bounds = parts.map(part => {
        const action = findSymmetricAction(part.generators, part.degree);
        return action === undefined ? chainOf(part)?.order : (familyTower(part, action)?.order ?? action.order);
    });
    const known = bounds.reduce<bigint>((total, bound) => total * (bound ?? 0n), 1n);
    return known === order ? (bounds as bigint[]) : undefined;
}

function describeConnected(group: PermutationGroup, order: bigint | undefined): GroupStructure {
    const action = findSymmetricAction(group.generators, group.degree);
    if (action !== undefined) {
        if (action.order === order) {
            return productOfFamilies(action);
        }
        const split = splitSymmetricFactors(group, action, order);
        if (split !== undefined) {
            return split;
        }
    }
    const exact = order ?? chainOf(group)?.order;
    if (exact === undefined) {
        // Beyond all means: the chain without a limit may take long, but a group without an order has no name.
        return other(tryStabilizerChain(denseGenerators(group), group.degree, {})!.order);
    }
    const tower = action === undefined ? undefined : familyTower(group, action);
    return tower?.order === exact ? tower : describeByActions(group, exact);
}

function productOfFamilies(action: SymmetricAction): GroupStructure {
    const sizes = action.firstElement.slice(1).map((end, family) => end - action.firstElement[family]);
    return product(sizes.map(symmetric));
}

/** Splits off the families of three elements and more that are direct factors. */
function splitSymmetricFactors(
    group: PermutationGroup,
    action: SymmetricAction,
    order: bigint | undefined,
): GroupStructure | undefined {
    let rest = group.generators;
    const factors: GroupStructure[] = [];
    for (let family = 0; family + 1 < action.firstElement.length; family++) {
        const quotients = divideByFamily(rest, action, family);
        if (quotients !== undefined) {
            factors.push(symmetric(action.firstElement[family + 1] - action.firstElement[family]));
            rest = quotients;
        }
    }
    if (factors.length === 0) {
        return undefined;
    }
    const known = factors.reduce((total, factor) => total * factor.order, 1n);
    return product([...factors, describeGroup(rest, group.degree, order === undefined ? undefined : order / known)]);
}

/**
 * S_a wr K, as what the group does on one orbit: all families have a elements, their base points form that orbit, and
 * the group permutes the families as K does. The group contains S_a^b, and on the orbit it has no other elements that
 * map each family onto itself, so there it is the wreath product. If this has the order of the group, it is the group.
 */
function familyTower(group: PermutationGroup, action: SymmetricAction): GroupStructure | undefined {
    const familyCount = action.firstElement.length - 1;
    const size = action.firstElement[1];
    if (familyCount < 2 || action.elementCount !== size * familyCount) {
        return undefined;
    }
    const familyOfPoint = new Map<number, number>();
    action.basePoint.forEach((point, element) => familyOfPoint.set(point, action.familyOfElement[element]));
    const familyImages: Permutation[] = [];
    for (const generator of group.generators) {
        const images = new Int32Array(familyCount).fill(-1);
        for (let element = 0; element < action.elementCount; element++) {
            const family = familyOfPoint.get(imageOf(generator, action.basePoint[element]));
            const from = action.familyOfElement[element];
            if (family === undefined || (images[from] >= 0 && images[from] !== family)) {
                return undefined;
            }
            images[from] = family;
        }
        familyImages.push(permutation(images));
    }
    if (orbits(familyImages.map(toSparse), familyCount).length > 1) {
        return undefined;
    }
    const outer = describeNatural({ generators: familyImages.map(toSparse), degree: familyCount });
    return outer && wreath(symmetric(size), outer, familyCount);
}

/** The name of a transitive group whose name also tells how it acts on its points; else `undefined`. */
function describeNatural(group: PermutationGroup): GroupStructure | undefined {
    const moved = group.generators.filter(({ points }) => points.length > 0);
    const action = findSymmetricAction(moved, group.degree);
    if (action !== undefined && action.elementCount === group.degree && action.firstElement.length === 2) {
        return symmetric(group.degree);
    }
    const chain = chainOf({ generators: moved, degree: group.degree });
    return chain === undefined
        ? undefined
        : (describeByDegree(group.degree, chain.order) ??
              describePolygon(chain, group.degree) ??
              describeImprimitive(group, chain.order));
}

/** Groups that their degree and order determine: Sn and An have the only subgroups of index 1 and 2 in Sn. */
function describeByDegree(degree: number, order: bigint): GroupStructure | undefined {
    const all = factorial(degree);
    return order === all ? symmetric(degree) : order * 2n === all ? alternating(degree) : undefined;
}

/** Cn and Dn on the n corners of a polygon: order n or 2n, a rotation through all corners, and a reflection. */
function describePolygon(chain: StabilizerChain, degree: number): GroupStructure | undefined {
    if (chain.order !== BigInt(degree) && chain.order !== BigInt(2 * degree)) {
        return undefined;
    }
    const named = describeRotations(chain.elements(LISTED_ELEMENTS) ?? []);
    return named?.degree === degree ? named.structure : undefined;
}

interface Rotations {
    readonly structure: GroupStructure;
    /** The n of Cn or Dn before D2n becomes Dn x C2. */
    readonly degree: number;
}

/** Cn or Dn, if an element generates all or half of the group and the others invert it. */
function describeRotations(elements: readonly Permutation[]): Rotations | undefined {
    const order = elements.length;
    const orders = elements.map(element => Number(orderOfElement(element)));
    if (orders.includes(order)) {
        return { structure: cyclic(order), degree: order };
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
    return isInverted && isInvolution ? { structure: dihedral(order / 2), degree: order / 2 } : undefined;
}

/**
 * A transitive group embeds in H wr K, where K is its action on the blocks of a system and H that of a block's
 * stabilizer on the block. If the orders agree it is all of it. The finest system with natural actions is taken.
 */
function describeImprimitive(group: PermutationGroup, order: bigint): GroupStructure | undefined {
    const generators = denseGenerators(group);
    for (const system of blockSystemsOf(generators, group.degree) ?? []) {
        const outerGroup = actionOnSystem(generators, system);
        const outerOrder = chainOf(outerGroup)?.order;
        const innerGroup = actionInBlock(generators, group.degree, system);
        const innerOrder = chainOf(innerGroup)?.order;
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

/** Everything else: abelian groups, and what shows in the actions on orbits and on blocks. */
function describeByActions(group: PermutationGroup, order: bigint): GroupStructure {
    const abelian = describeAbelian(group, order);
    if (abelian !== undefined) {
        return abelian;
    }
    const actions = smallActions(group);
    const faithful = actions.filter(action => action.order === order);
    for (const action of faithful) {
        const named = describeByDegree(action.group.degree, order);
        if (named !== undefined) {
            return named;
        }
    }
    const rotations = describeRotations(listElements(faithful[0]?.group ?? group, order));
    if (rotations !== undefined) {
        return rotations.structure;
    }
    for (const action of faithful) {
        const named = describeImprimitive(action.group, order) ?? describeCube(action.group, order);
        if (named !== undefined) {
            return named;
        }
    }
    return splitByActions(actions, order) ?? other(order);
}

/** The elements of a group small enough for it; none otherwise. */
function listElements(group: PermutationGroup, order: bigint): readonly Permutation[] {
    if (order > BigInt(LISTED_ELEMENTS) || order * BigInt(group.degree) > BigInt(CHAIN_ENTRY_LIMIT)) {
        return [];
    }
    return chainOf(group)?.elements(LISTED_ELEMENTS) ?? [];
}

/** The invariant factors of an abelian group follow from the number of its elements of each prime power order. */
function describeAbelian(group: PermutationGroup, order: bigint): GroupStructure | undefined {
    const { generators } = group;
    if (generators.length === 1 && order <= BigInt(Number.MAX_SAFE_INTEGER)) {
        return cyclic(Number(order));
    }
    const isAbelian = generators.every((a, i) =>
        generators.every((b, j) => j <= i || equalsSparse(conjugateSparse(a, b), a)),
    );
    const orders = isAbelian ? listElements(group, order).map(element => Number(orderOfElement(element))) : [];
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

/** The group's action on an orbit or on the blocks of a system, with the order of that action. */
interface Action {
    readonly group: PermutationGroup;
    readonly order: bigint;
}

/** The actions on the orbits and on their blocks, smallest degree first. */
function smallActions(group: PermutationGroup): readonly Action[] {
    const actions: Action[] = [];
    for (const orbit of orbits(group.generators, group.degree)) {
        if (orbit.length > ORBIT_LIMIT) {
            continue;
        }
        const onOrbit = actionOnOrbit(group, orbit);
        if (actions.some(other => sameGenerators(other.group, onOrbit))) {
            continue;
        }
        const dense = denseGenerators(onOrbit);
        const systems = blockSystemsOf(dense, orbit.length) ?? [];
        for (const candidate of [onOrbit, ...systems.map(system => actionOnSystem(dense, system))]) {
            const isNew = !actions.some(other => sameGenerators(other.group, candidate));
            const order = isNew ? chainOf(candidate)?.order : undefined;
            if (order !== undefined && order > 1n) {
                actions.push({ group: candidate, order });
            }
        }
    }
    return actions.sort((a, b) => a.group.degree - b.group.degree);
}

/**
 * Two actions whose orders multiply to that of the group, and which only the identity leaves both trivial: then the
 * group is the direct product of the two.
 */
function splitByActions(actions: readonly Action[], order: bigint): GroupStructure | undefined {
    for (let i = 0; i < actions.length; i++) {
        for (let j = i + 1; j < actions.length; j++) {
            const [a, b] = [actions[i], actions[j]];
            if (a.order * b.order === order && chainOf(sideBySide(a.group, b.group))?.order === order) {
                return product([
                    describeGroup(a.group.generators, a.group.degree, a.order),
                    describeGroup(b.group.generators, b.group.degree, b.order),
                ]);
            }
        }
    }
    return undefined;
}

/**
 * C2 wr Sd as the symmetries of the cube of dimension d: an element that flips one coordinate has d conjugates, which
 * commute. The corners on which all coordinates but one agree up to flips form the 2d facets, and on these the group
 * acts as C2 wr Sd does, which its order confirms.
 */
function describeCube(group: PermutationGroup, order: bigint): GroupStructure | undefined {
    const chain = chainOf(group);
    let dimension = 1;
    while (2n ** BigInt(dimension) * factorial(dimension) < order) {
        dimension++;
    }
    if (chain === undefined || 2n ** BigInt(dimension) * factorial(dimension) !== order) {
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
        const facetAction = findSymmetricAction(onFacets.generators, onFacets.degree);
        if (facetAction !== undefined && chainOf(onFacets)?.order === order) {
            const tower = familyTower(onFacets, facetAction);
            return tower?.order === order ? tower : undefined;
        }
    }
    return undefined;
}

/** For each flip the two orbits of the other flips, as sorted lists of points, if they are two. */
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

function blockSystemsOf(generators: readonly Permutation[], degree: number): readonly BlockSystem[] | undefined {
    return degree > ORBIT_LIMIT ? undefined : allBlockSystems(generators, degree, BLOCK_SYSTEM_LIMIT);
}
