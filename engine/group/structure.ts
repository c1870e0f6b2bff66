/**
 * The structure of a permutation group: its direct factors, each with generators and with a name that people read;
 * structure-name.ts has the rules of naming.
 *
 * What falls apart is taken apart first: parts that move different points, symmetric groups that commute with all the
 * rest, classes of generators that commute, actions whose kernels complement each other. All of this is proven on the
 * way, by orders. Large symmetric groups and towers of them are recognized from sparse generators; stabilizer chains
 * are built for what is left, if that is of moderate size.
 */
import { invariant } from '../common/assert.js';
import { appendTo } from '../common/list-map.js';
import { createRandom } from '../common/random.js';
import { UnionFind } from '../common/union-find.js';
import type { WorkLimit } from '../common/work-limit.js';
import { withBlockPoints } from './block-points.js';
import { reduceSupports } from './literal-action.js';
import {
    blockSystemsOf,
    describeAbelian,
    describeByDegree,
    describeRotations,
    describeTransitive,
    familyTower,
    listElementsOf,
    ORBIT_LIMIT,
} from './recognize-action.js';
import { withoutCopies } from './orbit-copies.js';
import { ordersOfParts } from './orders-of-parts.js';
import { nontrivialOrbits, orbits } from './orbits.js';
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
    compose,
    inverse,
    orderOfElement,
    permutation,
    power,
    toDense,
    toSparse,
    type Permutation,
} from './permutation.js';
import {
    composeSparse,
    equalsSparse,
    inverseSparse,
    powerOfSparse,
    restrictPermutation,
    type SparsePermutation,
} from './sparse-permutation.js';
import { tryStabilizerChain } from './stabilizer-chain.js';
import {
    extension,
    isNamed,
    other,
    primePowers,
    product,
    symmetric,
    UNKNOWN,
    type GroupStructure,
} from './structure-name.js';
import { findSymmetricAction, type SymmetricAction } from './symmetric-action.js';
import { cosetElements, divideByFamily, dividedByFamilies, keptFamilies } from './symmetric-quotient.js';

export type { GroupStructure } from './structure-name.js';

/** A normal subgroup. The group is the direct product of its factors, each of which has all of these properties. */
export interface DirectFactor {
    /** On the points of the group. They generate the factor, and commute with those of the other factors. */
    readonly generators: readonly SparsePermutation[];
    readonly structure: GroupStructure;
}

/** Generators that are compared with each other; more of them are nearly always in parts that move different points. */
const MOST_COMPARED = 64;
/** Points on which a labeling is looked for with the help of blocks. */
const BLOCK_DEGREE_LIMIT = 400;
/** Quotients that are looked at for one name: the largest of those that are no products. */
const MOST_QUOTIENTS = 4;
/** Tries to find a copy of a quotient. */
const COMPLEMENT_TRIALS = 64;
/** Elements of a group in which conjugate subgroups are looked for, random elements for that, and how many conjugates. */
const LARGEST_CONJUGATED = 1_000_000n;
const CONJUGATION_TRIALS = 12;
const MOST_CONJUGATES = 24;
/** Elements of a group that is named by a quotient and a kernel. */
const LARGEST_DIVIDED = 10n ** 12n;

/**
 * The structure of the group that `generators` generate on 0 … degree - 1; `order` is its exact order, if known. Where there
 * is a limit, a group that is too large for it has no name, and an order only if that is known.
 */
export function describeGroup(
    generators: readonly SparsePermutation[],
    degree: number,
    order?: bigint,
    limit?: WorkLimit,
): GroupStructure {
    return product(directFactors(generators, degree, order, limit).map(factor => factor.structure));
}

/**
 * The structure of a group that is no larger than `whole`, of which it is a quotient: a way in which that acts. Where
 * nothing is lost it is the same group.
 */
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
        : tryStabilizerChain(
              generators.map(generator => toDense(generator, degree)),
              degree,
              {
                  ...(whole.order > 0n && { bound: whole.order }),
                  entryLimit: CHAIN_ENTRY_LIMIT,
                  ...(limit !== undefined && { limit }),
              },
          );
    return chain?.order === whole.order ? whole : describeGroup(generators, degree, chain?.order, limit);
}

/**
 * Whether an action of the group is seen to lose nothing: the quotients of a symmetric group of five points or more are
 * itself, and what has no orbit of more than two points. O(points moved).
 */
function isFaithfulActionOf(whole: GroupStructure, generators: readonly SparsePermutation[], degree: number): boolean {
    return (
        whole.kind === 'symmetric' && whole.degree >= 5 && orbits(generators, degree).some(orbit => orbit.length > 2)
    );
}

/** The direct factors of the group, as far as they are found; none for the trivial group. The limit is as above. */
export function directFactors(
    generators: readonly SparsePermutation[],
    degree: number,
    order?: bigint,
    limit?: WorkLimit,
): readonly DirectFactor[] {
    if (generators.length === 0) {
        return [];
    }
    const parts = disjointParts(reduceSupports(generators), degree).map(own => {
        const { points, ...part } = compress(own, limit);
        const { group, lift } = withoutCopies(part);
        /** What generates a factor, on all points; where the part is one factor, its own generators do. */
        const back = ({ generators }: DirectFactor): readonly SparsePermutation[] =>
            generators === group.generators ? own : generators.map(element => renamed(lift(element), points));
        return { group, back };
    });
    const orders =
        order === undefined
            ? undefined
            : ordersOfParts(
                  parts.map(({ group }) => group),
                  order,
              );
    const factors = parts.flatMap(({ group, back }, i) =>
        factorsOfConnected(group, orders?.[i]).map(factor => ({ ...factor, generators: back(factor) })),
    );
    const unknown = factors.filter(({ structure }) => structure === UNKNOWN);
    if (order !== undefined && unknown.length > 0) {
        const known = factors.filter(({ structure }) => structure !== UNKNOWN);
        const rest = unknown.flatMap(factor => factor.generators);
        return [...known, { generators: rest, structure: other(order / orderOf(known)) }];
    }
    invariant(order === undefined || orderOf(factors) === order, 'the order given is that of the generated group');
    return factors;
}

/** Generators by parts that move different points. */
function disjointParts(
    generators: readonly SparsePermutation[],
    degree: number,
): readonly (readonly SparsePermutation[])[] {
    const sets = new UnionFind(degree);
    for (const { points } of generators) {
        for (const point of points) {
            sets.union(points[0], point);
        }
    }
    const generatorsOfPart = new Map<number, SparsePermutation[]>();
    for (const generator of generators) {
        appendTo(generatorsOfPart, sets.find(generator.points[0]), generator);
    }
    return [...generatorsOfPart.values()];
}

function orderOf(factors: readonly DirectFactor[]): bigint {
    return factors.reduce((total, { structure }) => total * structure.order, 1n);
}

function renamed({ points, images }: SparsePermutation, names: Int32Array): SparsePermutation {
    return { points: points.map(point => names[point]), images: images.map(point => names[point]) };
}

/** Every generator moves points that others move. */
function factorsOfConnected(group: PermutationGroup, known: bigint | undefined): readonly DirectFactor[] {
    const shown = factorsShown(group, known);
    if (shown === undefined) {
        return [{ generators: group.generators, structure: UNKNOWN }];
    }
    return (
        shown.factors ?? splitByCommutation(group, shown.order) ?? describeByActions(group, shown.actions, shown.order)
    );
}

/**
 * Factors that natural actions show, or what else is known of the group: all that others need who go on. Undefined where the
 * limit leaves not even the order to be known.
 */
type Shown =
    | { readonly factors: readonly DirectFactor[] }
    | { readonly factors?: undefined; readonly order: bigint; readonly actions: readonly Action[] };

function factorsShown(group: PermutationGroup, known: bigint | undefined): Shown | undefined {
    const action = findSymmetricAction(group.generators, group.degree);
    if (action !== undefined) {
        if (action.order === known || (known === undefined && isAllOf(group, action))) {
            return { factors: families(action) };
        }
        const split = splitSymmetricFactors(group, action, known);
        if (split !== undefined) {
            return { factors: split };
        }
        const tower = familyTower(group, action);
        // Where every point stands for an element the group is no larger than what it does to elements and families.
        if (tower !== undefined && (tower.order === known || action.elementCount === group.degree)) {
            return { factors: [{ generators: group.generators, structure: tower }] };
        }
        const divided = dividedByFamilies(group.generators, action);
        if (disjointParts(divided, group.degree).length > 1) {
            return { factors: directFactors(divided, group.degree, known, group.limit) };
        }
    }
    if (known === undefined && group.degree <= BLOCK_DEGREE_LIMIT) {
        const { generators, pointCount } = withBlockPoints(group.generators, group.degree);
        const onBlocks = pointCount > group.degree ? findSymmetricAction(generators, pointCount) : undefined;
        if (onBlocks !== undefined && isAllOf({ generators, degree: pointCount }, onBlocks)) {
            return {
                factors: families(onBlocks).map(({ structure, generators: swaps }) => ({
                    structure,
                    generators: swaps.map(swap => restrictPermutation(swap, group.degree)),
                })),
            };
        }
    }
    const order = known ?? exactOrder(group);
    if (order === undefined) {
        return undefined;
    }
    const actions = smallActions(group, order);
    const natural = firstOf(
        actions.filter(each => each.order === order),
        each => describeByDegree(each.group.degree, order) ?? describeTransitive(each.group, order),
    );
    return natural === undefined
        ? { order, actions }
        : { factors: [{ generators: group.generators, structure: natural }] };
}

/** Whether the group is no more than the product of symmetric groups that it contains. */
function isAllOf({ generators, degree }: PermutationGroup, action: SymmetricAction): boolean {
    return cosetElements({ generators, pointCount: degree, order: undefined }, action, 1) !== undefined;
}

function exactOrder(group: PermutationGroup): bigint | undefined {
    const chain = chainOf(group);
    // Beyond all means: the chain without a limit may take long, but a group without an order has no name.
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

/** Splits off the families of three elements and more that are direct factors. */
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
 * Classes of generators such that those of different classes commute generate subgroups that do. If the orders of these
 * multiply to that of the group they meet in the identity only, and the group is their direct product.
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

function commuteAll(some: readonly SparsePermutation[], others: readonly SparsePermutation[]): boolean {
    return some.every(a => others.every(b => commute(a, b)));
}

/** Other generators of the same group: one is divided by another as long as it then moves fewer points. */
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

/** Powers of prime power order whose product the generator is; the generator itself where each of them moves as much. */
function primeParts(generator: SparsePermutation): readonly SparsePermutation[] {
    const order = orderOfElement(toDense(generator, (generator.points.at(-1) ?? -1) + 1));
    if (order > BigInt(Number.MAX_SAFE_INTEGER)) {
        return [generator];
    }
    const parts = primePowers(Number(order)).map(([, power]) => powerOfSparse(generator, Number(order) / power));
    return parts.some(({ points }) => points.length < generator.points.length) ? parts : [generator];
}

/** Everything else: what shows in the actions on orbits and on blocks. */
function describeByActions(
    group: PermutationGroup,
    actions: readonly Action[],
    order: bigint,
): readonly DirectFactor[] {
    const whole = (structure: GroupStructure): readonly DirectFactor[] => [{ generators: group.generators, structure }];
    const byElements = describeByElements(group, actions, order);
    if (byElements !== undefined) {
        return whole(byElements);
    }
    const small = smallFaithful(group, order);
    const conjugations = actionsByConjugation(small, order);
    const byConjugation = describeByConjugation(conjugations, order);
    if (byConjugation !== undefined) {
        return whole(byConjugation);
    }
    const all = [...actions, ...conjugations].sort((a, b) => a.group.degree - b.group.degree);
    return splitByActions(group, all, order) ?? whole(describeExtension(small, all, order) ?? other(order));
}

/** The name of a small group that its elements show. */
function describeByElements(
    group: PermutationGroup,
    actions: readonly Action[],
    order: bigint,
): GroupStructure | undefined {
    const faithful = actions.find(action => action.order === order)?.group ?? group;
    return describeAbelian(group, order) ?? describeRotations(listElementsOf(faithful, order))?.structure;
}

/** The name that shows in how a group permutes some of its subgroups. */
function describeByConjugation(conjugations: readonly Action[], order: bigint): GroupStructure | undefined {
    return firstOf(conjugations, action =>
        action.order === order ? describeByDegree(action.group.degree, order) : undefined,
    );
}

/** The action on as few orbits as are found that no element leaves alone. */
function smallFaithful(group: PermutationGroup, order: bigint): PermutationGroup {
    const all = nontrivialOrbits(group.generators);
    let points: readonly number[] = [];
    let known = 1n;
    for (const orbit of [...all].sort((a, b) => a.length - b.length)) {
        const more = [...points, ...orbit];
        const found = chainOf(actionOnOrbit(group, more), order)?.order;
        if (found !== undefined && found > known) {
            points = more;
            known = found;
        }
        if (known === order) {
            return actionOnOrbit(group, points);
        }
    }
    return group;
}

function firstOf<Item, Result>(items: readonly Item[], find: (item: Item) => Result | undefined): Result | undefined {
    for (const item of items) {
        const found = find(item);
        if (found !== undefined) {
            return found;
        }
    }
    return undefined;
}

/** The group's action on an orbit or on the blocks of a system, with the order of that action. */
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

/** Of all permutations it is known without a chain, whose proof would take long. */
function orderOfAction(action: PermutationGroup, bound: bigint): bigint | undefined {
    const symmetricAction = findSymmetricAction(action.generators, action.degree);
    return symmetricAction?.elementCount === action.degree && symmetricAction.firstElement.length === 2
        ? symmetricAction.order
        : chainOf(action, bound)?.order;
}

/**
 * The actions by conjugation on the cyclic subgroups of prime order that random elements have, if these are few: S4 on
 * the six edges of a tetrahedron permutes four subgroups of order three.
 */
function actionsByConjugation(group: PermutationGroup, order: bigint): readonly Action[] {
    const chain = order > LARGEST_CONJUGATED ? undefined : chainOf(group, order);
    if (chain === undefined) {
        return [];
    }
    const generators = denseGenerators(group);
    const random = createRandom(group.degree);
    const seen = new Set<string>();
    const actions: Action[] = [];
    for (let trial = 0; trial < CONJUGATION_TRIALS; trial++) {
        const element = chain.randomElement(random);
        const elementOrder = Number(orderOfElement(element));
        for (const [prime] of primePowers(elementOrder)) {
            const subgroup = cyclicSubgroup(power(element, elementOrder / prime), prime);
            const all = seen.has(subgroup.key) ? undefined : conjugateSubgroups(subgroup, generators, prime);
            if (all === undefined || all.images[0].length < 3) {
                continue;
            }
            all.keys.forEach(key => seen.add(key));
            const action: PermutationGroup = {
                generators: all.images.map(images => toSparse(permutation(images))),
                degree: all.keys.length,
            };
            const actionOrder = chainOf(action, order)?.order;
            if (actionOrder !== undefined && actionOrder > 1n) {
                actions.push({ group: action, order: actionOrder });
            }
        }
    }
    return actions;
}

interface CyclicSubgroup {
    readonly generator: Permutation;
    /** The same for all generators of the subgroup. */
    readonly key: string;
}

function cyclicSubgroup(generator: Permutation, order: number): CyclicSubgroup {
    const powers = Array.from({ length: order - 1 }, (_, exponent) => power(generator, exponent + 1).join());
    return { generator, key: powers.sort()[0] };
}

/** The conjugates by their keys, and how each of `generators` permutes them; `undefined` where they are too many. */
function conjugateSubgroups(
    subgroup: CyclicSubgroup,
    generators: readonly Permutation[],
    order: number,
): { readonly keys: readonly string[]; readonly images: readonly (readonly number[])[] } | undefined {
    const found = [subgroup];
    const numberOfKey = new Map([[subgroup.key, 0]]);
    const images: number[][] = generators.map(() => []);
    for (const member of found) {
        for (const [g, generator] of generators.entries()) {
            const conjugate = cyclicSubgroup(compose(compose(inverse(generator), member.generator), generator), order);
            let number = numberOfKey.get(conjugate.key);
            if (number === undefined) {
                number = found.length;
                if (number === MOST_CONJUGATES) {
                    return undefined;
                }
                numberOfKey.set(conjugate.key, number);
                found.push(conjugate);
            }
            images[g].push(number);
        }
    }
    return { keys: found.map(({ key }) => key), images };
}

/**
 * Two actions whose orders multiply to that of the group, and which only the identity leaves both trivial: then the
 * group is the direct product of their kernels, and each acts as the kernel of the other.
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

/** Generators of the subgroup that does nothing in an action. */
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
 * N : K or N . K for an action with image K and kernel N that both have names, K as large as possible without being a
 * product: one with a complement if there is one, of these one with the shortest names. Where N commutes with all the
 * group it commutes with the complement, too, and the group is N x K.
 */
function describeExtension(
    group: PermutationGroup,
    actions: readonly Action[],
    order: bigint,
): GroupStructure | undefined {
    if (order > LARGEST_DIVIDED) {
        return undefined;
    }
    let best: { readonly structure: GroupStructure; readonly rank: number } | undefined;
    for (const { action, quotient } of largestQuotients(actions, order)) {
        const kernel = kernelOf(group, action, order);
        if (kernel === undefined) {
            continue;
        }
        const normal = describeGroup(kernel, group.degree, order / action.order, group.limit);
        if (isNamed(normal)) {
            const isSplit = hasComplement(group, action, order);
            const rank = (isSplit ? 0 : 1000) + quotient.name.length + normal.name.length;
            if (best === undefined || rank < best.rank) {
                const isDirect = isSplit && commuteAll(kernel, group.generators);
                best = {
                    structure: isDirect ? product([normal, quotient]) : extension(normal, quotient, isSplit),
                    rank,
                };
            }
        }
    }
    return best?.structure;
}

interface Quotient {
    readonly action: Action;
    readonly quotient: GroupStructure;
}

/** The largest quotients that have a name and are no products, those that are wreath products last; each once. */
function largestQuotients(actions: readonly Action[], order: bigint): readonly Quotient[] {
    const seen: Quotient[] = [];
    const chosen: { plain: Quotient[]; wreath: Quotient[] } = { plain: [], wreath: [] };
    // Those that are the same quotient count, though nothing is gained by looking at it again.
    let plainCount = 0;
    const largestFirst = actions
        .filter(action => action.order < order)
        .sort((a, b) => (a.order < b.order ? 1 : a.order > b.order ? -1 : 0));
    for (const action of largestFirst) {
        if (plainCount === MOST_QUOTIENTS) {
            break;
        }
        const known = seen.find(other => haveSameKernel(action, other.action));
        const quotient = known?.quotient ?? describeQuotientAsOne(action);
        const isUseful = isNamed(quotient) && quotient.kind !== 'product' && quotient.kind !== 'extension';
        plainCount += isUseful && quotient.kind !== 'wreath' ? 1 : 0;
        if (known === undefined) {
            seen.push({ action, quotient });
            if (isUseful) {
                chosen[quotient.kind === 'wreath' ? 'wreath' : 'plain'].push({ action, quotient });
            }
        }
    }
    return [...chosen.plain, ...chosen.wreath.slice(0, MOST_QUOTIENTS - plainCount)];
}

/** The name of a quotient, or its order where it is none of those that are of use for a name. */
function describeQuotientAsOne({ group, order }: Action): GroupStructure {
    const shown = factorsShown(group, order);
    if (shown === undefined) {
        return other(order);
    }
    if (shown.factors !== undefined) {
        return product(shown.factors.map(({ structure }) => structure));
    }
    return (
        describeByElements(group, shown.actions, order) ??
        describeByConjugation(actionsByConjugation(group, order), order) ??
        other(order)
    );
}

/** Whether the two do nothing in the same elements: together they do not show more of the group than one does. */
function haveSameKernel(a: Action, b: Action): boolean {
    return a.order === b.order && chainOf(sideBySide(a.group, b.group), a.order * b.order)?.order === a.order;
}

/** Whether elements are found that generate a subgroup with the order of the quotient and all of its action. */
function hasComplement(group: PermutationGroup, action: Action, order: bigint): boolean {
    const both = sideBySide(action.group, group);
    const whole = tryStabilizerChain(denseGenerators(both), both.degree, { order, entryLimit: CHAIN_ENTRY_LIMIT });
    if (whole === undefined) {
        return false;
    }
    const random = createRandom(group.degree);
    const { degree } = action.group;
    const moving = both.generators.filter(({ points }) => points[0] < degree);
    const isComplement = (elements: readonly Permutation[]): boolean => {
        const sparse = elements.map(toSparse);
        const subgroup = tryStabilizerChain(elements, both.degree, { entryLimit: CHAIN_ENTRY_LIMIT });
        if (subgroup?.order !== action.order) {
            return false;
        }
        const onAction = sparse.map(element => restrictPermutation(element, degree));
        return chainOf({ generators: onAction, degree })?.order === action.order;
    };
    if (isComplement(moving.map(generator => toDense(generator, both.degree)))) {
        return true;
    }
    for (let trial = 0; trial < COMPLEMENT_TRIALS; trial++) {
        const elements = Array.from({ length: 2 }, () => freeOfKernel(whole.randomElement(random), degree));
        if (isComplement(elements)) {
            return true;
        }
    }
    return false;
}

/** A power of the element that does the same to the points below `degree`, and as little as possible elsewhere. */
function freeOfKernel(element: Permutation, degree: number): Permutation {
    const sparse = toSparse(element);
    const onAction = Number(orderOfElement(toDense(restrictPermutation(sparse, degree), degree)));
    const order = Number(orderOfElement(element));
    // The part of the order that is prime to that of the image is cut off, by a power that is 1 modulo the latter.
    let rest = order / onAction;
    for (let common = divisor(rest, onAction); common > 1; common = divisor(rest, onAction)) {
        rest /= common;
    }
    let exponent = rest;
    while (exponent % onAction !== 1 % onAction) {
        exponent += rest;
    }
    return toDense(powerOfSparse(sparse, exponent), element.length);
}

function divisor(a: number, b: number): number {
    return b === 0 ? a : divisor(b, a % b);
}
