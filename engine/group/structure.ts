/**
 * The structure of a permutation group: its direct factors, each with generators and a name (see structure-name.ts).
 *
 * The group is split by disjoint supports, symmetric factors, commuting generators and complementary kernels, each
 * proven by orders. Large symmetric groups and towers of them need no stabilizer chain.
 */
import { invariant } from '../common/assert.js';
import { createRandom } from '../common/random.js';
import { UnionFind } from '../common/union-find.js';
import type { WorkLimit } from '../common/work-limit.js';
import { withBlockPoints } from './blocks.js';
import { disjointParts, reduceSupports } from './literal-action.js';
import {
    blockSystemsOf,
    describeAbelian,
    describeByDegree,
    describeRotations,
    describeTransitive,
    familyTower,
    listElementsOf,
    ORBIT_LIMIT,
    ordersOfParts,
} from './recognize-action.js';
import { orbits } from './orbits.js';
import {
    actionOnOrbit,
    actionOnSystem,
    CHAIN_ENTRY_LIMIT,
    chainOf,
    compress,
    denseGenerators,
    sameGenerators,
    sideBySide,
    type PermutationGroup,
} from './permutation-group.js';
import {
    composeSparse,
    equalsSparse,
    inverseSparse,
    orderOfSparse,
    powerOfSparse,
    restrictPermutation,
    type SparsePermutation,
    toSparse,
} from './sparse-permutation.js';
import { tryStabilizerChain } from './stabilizer-chain.js';
import {
    extension,
    isNamed,
    other,
    primePowers,
    product,
    symmetric,
    UNKNOWN_STRUCTURE,
    type GroupStructure,
} from './structure-name.js';
import { findSymmetricAction, type SymmetricAction } from './symmetric-action.js';
import { cosetElements, divideByFamily, dividedByFamilies, keptFamilies } from './symmetric-quotient.js';

export type { GroupStructure } from './structure-name.js';

/** The group is the direct product of its factors. */
export interface DirectFactor {
    /** On the points of the group. They commute with those of the other factors. */
    readonly generators: readonly SparsePermutation[];
    readonly structure: GroupStructure;
}

/** The most generators of which each pair is compared. */
const MOST_COMPARED = 64;
/** The most points of a group that is searched for a symmetric action on points and blocks. */
const BLOCK_DEGREE_LIMIT = 400;
/** The most quotients that are tried for one name, the largest first. */
const MOST_QUOTIENTS = 4;
/** Pairs of elements that are tried as generators of a copy of a quotient. */
const COMPLEMENT_TRIALS = 64;
/** The most entries of all elements of a group that is named by a quotient and a kernel. */
const LARGEST_DIVIDED = 2_000_000n;

/**
 * The structure of the group generated on 0 … degree - 1; `order` is its exact order, if known. A group that exceeds
 * the limit has no name, and an order only if that is known.
 */
export function describeGroup(
    generators: readonly SparsePermutation[],
    degree: number,
    order?: bigint,
    limit?: WorkLimit,
): GroupStructure {
    return product(directFactors(generators, degree, order, limit).map(factor => factor.structure));
}

/** The structure of a quotient of `whole`, given by an action. It is `whole` if the action is faithful. */
export function describeQuotient(
    generators: readonly SparsePermutation[],
    degree: number,
    whole: GroupStructure,
    limit?: WorkLimit,
): GroupStructure {
    if (isFaithfulActionOf(whole, generators, degree)) {
        return whole;
    }
    const moved = compress(generators);
    const action = findSymmetricAction(moved.generators, moved.degree);
    const isNatural = action?.elementCount === moved.degree;
    if (isNatural && action.firstElement.length === 2) {
        return symmetric(moved.degree);
    }
    const chain = isNatural
        ? undefined
        : tryStabilizerChain(denseGenerators({ generators, degree }), degree, {
              ...(whole.order > 0n && { bound: whole.order }),
              entryLimit: CHAIN_ENTRY_LIMIT,
              ...(limit !== undefined && { limit }),
          });
    return chain?.order === whole.order ? whole : describeGroup(generators, degree, chain?.order, limit);
}

/**
 * Whether the action is certainly faithful: a proper quotient of a symmetric group of five or more points has no orbit
 * of more than two points. O(points moved).
 */
function isFaithfulActionOf(whole: GroupStructure, generators: readonly SparsePermutation[], degree: number): boolean {
    return (
        whole.kind === 'symmetric' && whole.degree >= 5 && orbits(generators, degree).some(orbit => orbit.length > 2)
    );
}

/** The direct factors of the group, as far as they are found; none for the trivial group. `limit` is as above. */
export function directFactors(
    generators: readonly SparsePermutation[],
    degree: number,
    order?: bigint,
    limit?: WorkLimit,
): readonly DirectFactor[] {
    if (generators.length === 0) {
        return [];
    }
    const parts = disjointParts(reduceSupports(generators), degree).map(own => compress(own, limit));
    const orders = order === undefined ? undefined : ordersOfParts(parts, order);
    const factors = parts.flatMap(({ points, ...part }, i) =>
        factorsOfConnected(part, orders?.[i]).map(factor => ({
            ...factor,
            generators: factor.generators.map(element => renamed(element, points)),
        })),
    );
    const unknown = factors.filter(({ structure }) => structure === UNKNOWN_STRUCTURE);
    if (order !== undefined && unknown.length > 0) {
        const known = factors.filter(({ structure }) => structure !== UNKNOWN_STRUCTURE);
        const rest = unknown.flatMap(factor => factor.generators);
        return [...known, { generators: rest, structure: other(order / orderOf(known)) }];
    }
    invariant(order === undefined || orderOf(factors) === order, 'the order given is that of the generated group');
    return factors;
}

function orderOf(factors: readonly DirectFactor[]): bigint {
    return factors.reduce((total, { structure }) => total * structure.order, 1n);
}

function renamed({ points, images }: SparsePermutation, names: Int32Array): SparsePermutation {
    return { points: points.map(point => names[point]), images: images.map(point => names[point]) };
}

/** The factors of a group whose generators do not fall into parts that move different points. */
function factorsOfConnected(group: PermutationGroup, known: bigint | undefined): readonly DirectFactor[] {
    const whole = (structure: GroupStructure): readonly DirectFactor[] => [{ generators: group.generators, structure }];
    const bySymmetricGroups = factorsBySymmetricGroups(group, known);
    if (bySymmetricGroups !== undefined) {
        return bySymmetricGroups;
    }
    const order = known ?? exactOrder(group);
    if (order === undefined) {
        return whole(UNKNOWN_STRUCTURE);
    }
    const actions = smallActions(group, order);
    const faithful = actions.filter(action => action.order === order);
    for (const each of faithful) {
        const natural = describeByDegree(each.group.degree, order) ?? describeTransitive(each.group, order);
        if (natural !== undefined) {
            return whole(natural);
        }
    }
    const factors = splitByCommutation(group, order);
    if (factors !== undefined) {
        return factors;
    }
    const byElements =
        describeAbelian(group, order) ?? describeRotations(listElementsOf(faithful.at(0)?.group ?? group, order));
    return byElements !== undefined
        ? whole(byElements)
        : (splitByActions(group, actions, order) ?? whole(describeExtension(group, actions, order) ?? other(order)));
}

/** The factors if symmetric groups, which are found without a chain, make up all or a large part of the group. */
function factorsBySymmetricGroups(
    group: PermutationGroup,
    known: bigint | undefined,
): readonly DirectFactor[] | undefined {
    const action = findSymmetricAction(group.generators, group.degree);
    if (action !== undefined) {
        if (action.order === known || (known === undefined && isAllOf(group, action))) {
            return families(action);
        }
        const split = splitSymmetricFactors(group, action, known);
        if (split !== undefined) {
            return split;
        }
        const tower = familyTower(group, action);
        // If every point stands for an element, the action on elements and families is faithful.
        if (tower !== undefined && (tower.order === known || action.elementCount === group.degree)) {
            return [{ generators: group.generators, structure: tower }];
        }
        const divided = dividedByFamilies(group.generators, action);
        if (disjointParts(divided, group.degree).length > 1) {
            return directFactors(divided, group.degree, known, group.limit);
        }
    }
    if (known !== undefined || group.degree > BLOCK_DEGREE_LIMIT) {
        return undefined;
    }
    const { generators, pointCount } = withBlockPoints(group.generators, group.degree);
    const onBlocks = pointCount > group.degree ? findSymmetricAction(generators, pointCount) : undefined;
    return onBlocks !== undefined && isAllOf({ generators, degree: pointCount }, onBlocks)
        ? families(onBlocks).map(({ structure, generators: swaps }) => ({
              structure,
              generators: swaps.map(swap => restrictPermutation(swap, group.degree)),
          }))
        : undefined;
}

/** Whether the group is the product of symmetric groups that it contains. */
function isAllOf({ generators, degree }: PermutationGroup, action: SymmetricAction): boolean {
    return cosetElements({ generators, pointCount: degree, order: undefined }, action, 1) !== undefined;
}

function exactOrder(group: PermutationGroup): bigint | undefined {
    const chain = chainOf(group);
    // The chain without a limit may take long, but a group without an order has no name.
    return chain !== undefined || group.limit !== undefined
        ? chain?.order
        : tryStabilizerChain(denseGenerators(group), group.degree, {})!.order;
}

function families(action: SymmetricAction): readonly DirectFactor[] {
    return action.firstElement.slice(1).map((end, family) => {
        const first = action.firstElement[family];
        return { generators: action.swap.slice(first + 1, end), structure: symmetric(end - first) };
    });
}

/** Splits off the families of three or more elements that are direct factors. */
function splitSymmetricFactors(
    group: PermutationGroup,
    action: SymmetricAction,
    order: bigint | undefined,
): readonly DirectFactor[] | undefined {
    let rest = group.generators;
    const factors: DirectFactor[] = [];
    const all = families(action);
    for (const family of keptFamilies(rest, action)) {
        const quotients = divideByFamily(rest, action, family);
        if (quotients !== undefined) {
            factors.push(all[family]);
            rest = quotients;
        }
    }
    return factors.length === 0
        ? undefined
        : [
              ...factors,
              ...directFactors(
                  rest,
                  group.degree,
                  order === undefined ? undefined : order / orderOf(factors),
                  group.limit,
              ),
          ];
}

/**
 * Divides generators into classes such that those of different classes commute. If the orders of the generated
 * subgroups multiply to that of the group, the group is their direct product.
 */
function splitByCommutation(group: PermutationGroup, order: bigint): readonly DirectFactor[] | undefined {
    const { generators, degree, limit } = group;
    if (generators.length > MOST_COMPARED || limit?.isExhausted() === true) {
        return undefined;
    }
    for (const candidates of [generators, simplified(generators), simplified(generators.flatMap(primeParts))]) {
        const classes = new UnionFind(candidates.length);
        candidates.forEach((a, i) => {
            for (let j = 0; j < i; j++) {
                if (!commute(a, candidates[j])) {
                    classes.union(i, j);
                }
            }
        });
        if (classes.setCount === 1) {
            continue;
        }
        const subgroups = classes.sets().map(members => members.map(i => candidates[i]));
        const orders = subgroups.map(members => chainOf(compress(members, limit), order)?.order ?? 0n);
        if (orders.reduce((total, each) => total * each, 1n) === order) {
            return subgroups.flatMap((members, i) => directFactors(members, degree, orders[i], limit));
        }
    }
    return undefined;
}

function commute(a: SparsePermutation, b: SparsePermutation): boolean {
    return equalsSparse(composeSparse(a, b), composeSparse(b, a));
}

/** Generators of the same group: one is divided by another as long as it then moves fewer points. */
function simplified(generators: readonly SparsePermutation[]): readonly SparsePermutation[] {
    const parts = [...generators];
    for (let changed = true; changed;) {
        changed = false;
        for (let i = 0; i < parts.length; i++) {
            for (let j = 0; j < parts.length; j++) {
                const divided = i === j ? undefined : composeSparse(parts[i], inverseSparse(parts[j]));
                if (divided !== undefined && divided.points.length < parts[i].points.length) {
                    parts[i] = divided;
                    changed = true;
                }
            }
        }
    }
    return parts.filter(({ points }) => points.length > 0);
}

/** Powers of prime power order whose product is the generator; the generator if each of them moves as many points. */
function primeParts(generator: SparsePermutation): readonly SparsePermutation[] {
    const order = orderOfSparse(generator);
    if (order > BigInt(Number.MAX_SAFE_INTEGER)) {
        return [generator];
    }
    const parts = primePowers(Number(order)).map(([, power]) => powerOfSparse(generator, Number(order) / power));
    return parts.some(({ points }) => points.length < generator.points.length) ? parts : [generator];
}

/** The action of a group on an orbit or a block system, and the order of the image. */
interface Action {
    readonly group: PermutationGroup;
    readonly order: bigint;
}

/** The actions on the orbits and on their blocks, smallest degree first. */
function smallActions(group: PermutationGroup, groupOrder: bigint): readonly Action[] {
    const actions: Action[] = [];
    for (const orbit of orbits(group.generators, group.degree)) {
        if (orbit.length > ORBIT_LIMIT || group.limit?.isExhausted() === true) {
            continue;
        }
        const onOrbit = actionOnOrbit(group, orbit);
        if (actions.some(known => sameGenerators(known.group, onOrbit))) {
            continue;
        }
        const dense = denseGenerators(onOrbit);
        const systems = blockSystemsOf(dense, orbit.length);
        for (const candidate of [onOrbit, ...systems.map(system => actionOnSystem(dense, system))]) {
            const isNew = !actions.some(known => sameGenerators(known.group, candidate));
            const order = isNew ? orderOfAction(candidate, groupOrder) : undefined;
            if (order !== undefined && order > 1n) {
                actions.push({ group: candidate, order });
            }
        }
    }
    return actions.sort((a, b) => a.group.degree - b.group.degree);
}

/** The order of the symmetric group is known without a chain. */
function orderOfAction(action: PermutationGroup, bound: bigint): bigint | undefined {
    const symmetricAction = findSymmetricAction(action.generators, action.degree);
    return symmetricAction?.elementCount === action.degree && symmetricAction.firstElement.length === 2
        ? symmetricAction.order
        : chainOf(action, bound)?.order;
}

/**
 * Two actions whose orders multiply to that of the group and whose kernels have a trivial intersection: the group is
 * the direct product of the kernels, and the image of each action is isomorphic to the kernel of the other.
 */
function splitByActions(
    group: PermutationGroup,
    actions: readonly Action[],
    order: bigint,
): readonly DirectFactor[] | undefined {
    for (let i = 0; i < actions.length; i++) {
        for (let j = i + 1; j < actions.length; j++) {
            const [a, b] = [actions[i], actions[j]];
            if (a.order * b.order === order && chainOf(sideBySide(a.group, b.group), order)?.order === order) {
                const kernels = [kernelOf(group, b, order), kernelOf(group, a, order)];
                const known = kernels.filter(kernel => kernel !== undefined);
                if (known.length < kernels.length) {
                    return undefined;
                }
                return [a, b].flatMap((action, index) => {
                    const generators = known[index];
                    const { generators: acting, degree } = action.group;
                    const structure = describeGroup(acting, degree, action.order, group.limit);
                    const inside = directFactors(generators, group.degree, action.order, group.limit);
                    return inside.every(factor => isNamed(factor.structure)) ? inside : [{ generators, structure }];
                });
            }
        }
    }
    return undefined;
}

/** Generators of the kernel of an action. */
function kernelOf(group: PermutationGroup, action: Action, order: bigint): readonly SparsePermutation[] | undefined {
    const both = sideBySide(action.group, group);
    const { degree } = action.group;
    const chain = tryStabilizerChain(denseGenerators(both), both.degree, {
        base: Array.from({ length: degree }, (_, point) => point),
        order,
        entryLimit: CHAIN_ENTRY_LIMIT,
        ...(group.limit !== undefined && { limit: group.limit }),
    });
    return chain?.stabilizerGenerators(degree).map(generator => {
        const { points, images } = toSparse(generator);
        return { points: points.map(point => point - degree), images: images.map(point => point - degree) };
    });
}

/**
 * N : K or N . K for an action with image K and kernel N that both have names, where K is no product. A split extension
 * is preferred, then the shortest name. If N commutes with the group and has a complement, the group is N x K.
 */
function describeExtension(
    group: PermutationGroup,
    actions: readonly Action[],
    order: bigint,
): GroupStructure | undefined {
    if (order * BigInt(group.degree) > LARGEST_DIVIDED) {
        return undefined;
    }
    let best: { readonly structure: GroupStructure; readonly rank: number } | undefined;
    // Actions of one order are mostly the same quotient.
    const byOrder = new Map(actions.filter(action => action.order < order).map(action => [action.order, action]));
    const largestFirst = [...byOrder.values()].sort((a, b) => Number(b.order - a.order));
    for (const action of largestFirst.slice(0, MOST_QUOTIENTS)) {
        const { generators, degree } = action.group;
        const quotient = describeGroup(generators, degree, action.order, group.limit);
        const isUseful = isNamed(quotient) && quotient.kind !== 'product' && quotient.kind !== 'extension';
        const kernel = isUseful ? kernelOf(group, action, order) : undefined;
        const normal = kernel && describeGroup(kernel, group.degree, order / action.order, group.limit);
        if (kernel !== undefined && normal !== undefined && isNamed(normal)) {
            const isSplit = hasComplement(group, action, order);
            const isDirect = isSplit && kernel.every(a => group.generators.every(b => commute(a, b)));
            const structure = isDirect ? product([normal, quotient]) : extension(normal, quotient, isSplit);
            const rank = (isSplit ? 0 : 1000) + structure.name.length;
            best = best === undefined || rank < best.rank ? { structure, rank } : best;
        }
    }
    return best?.structure;
}

/** Whether two random elements are found that generate a subgroup on which the action is an isomorphism. */
function hasComplement(group: PermutationGroup, action: Action, order: bigint): boolean {
    const both = sideBySide(action.group, group);
    const { degree } = action.group;
    // An element of a complement has the same order on the points of the action.
    const candidates = listElementsOf(both, order)
        .map(toSparse)
        .filter(element => orderOfSparse(element) === orderOfSparse(restrictPermutation(element, degree)));
    const random = createRandom(group.degree);
    for (let trial = 0; trial < COMPLEMENT_TRIALS && candidates.length > 1; trial++) {
        const pair = [0, 1].map(() => candidates[random.below(candidates.length)]);
        const acting = pair.map(element => restrictPermutation(element, degree));
        if (
            chainOf({ generators: pair, degree: both.degree })?.order === action.order &&
            chainOf({ generators: acting, degree })?.order === action.order
        ) {
            return true;
        }
    }
    return false;
}
