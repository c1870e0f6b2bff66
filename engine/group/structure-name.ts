/**
 * What a group is, up to isomorphism, as data and as a name: `S5`, `C10`, `D9 x S3 x C2`, `S3 wr S3`. The rules of
 * naming are at the end of this file.
 */
import { unreachable } from '../common/assert.js';
import { factorial } from './permutation.js';

/** Equal factors from which on they are written as a power. */
const FEWEST_IN_POWER = 3;
/** Digits of an order that is written with all of them. */
const MOST_DIGITS = 25;

/** `name` says everything, the other fields say it for programs. */
export type GroupStructure =
    | { readonly kind: 'trivial'; readonly order: bigint; readonly name: string }
    | SimpleStructure
    | {
          readonly kind: 'wreath';
          /** From the inside out: a copy of the first for each point of the second, and so on. */
          readonly tower: readonly GroupStructure[];
          readonly order: bigint;
          readonly name: string;
      }
    | {
          readonly kind: 'product';
          readonly factors: readonly GroupStructure[];
          readonly order: bigint;
          readonly name: string;
      }
    | {
          readonly kind: 'extension';
          readonly normal: GroupStructure;
          readonly quotient: GroupStructure;
          readonly order: bigint;
          readonly name: string;
      }
    /** `name` is that of a single group, or says the order only. */
    | { readonly kind: 'other'; readonly order: bigint; readonly name: string };

/** `degree` is the n of Sn, An, Cn, Dn. */
export interface SimpleStructure {
    readonly kind: 'symmetric' | 'alternating' | 'cyclic' | 'dihedral';
    readonly degree: number;
    readonly order: bigint;
    readonly name: string;
}

const TRIVIAL: GroupStructure = { kind: 'trivial', order: 1n, name: 'trivial' };

/** The symmetric group of `degree` points. */
export function symmetric(degree: number): GroupStructure {
    if (degree < 2) {
        return TRIVIAL;
    }
    return degree === 2 ? cyclic(2) : { kind: 'symmetric', degree, order: factorial(degree), name: `S${degree}` };
}

/** The alternating group of `degree` points. */
export function alternating(degree: number): GroupStructure {
    if (degree < 3) {
        return TRIVIAL;
    }
    return degree === 3
        ? cyclic(3)
        : { kind: 'alternating', degree, order: factorial(degree) / 2n, name: `A${degree}` };
}

/** The cyclic group of this order. */
export function cyclic(order: number): GroupStructure {
    return order === 1 ? TRIVIAL : { kind: 'cyclic', degree: order, order: BigInt(order), name: `C${order}` };
}

/** The symmetries of the polygon with `degree` corners, rotations and reflections. */
export function dihedral(degree: number): GroupStructure {
    if (degree < 3) {
        return degree === 1 ? cyclic(2) : product([cyclic(2), cyclic(2)]);
    }
    if (degree === 3) {
        return symmetric(3);
    }
    if (degree % 4 === 2) {
        return product([dihedral(degree / 2), cyclic(2)]);
    }
    return { kind: 'dihedral', degree, order: BigInt(2 * degree), name: `D${degree}` };
}

/**
 * Two levels: `copies` copies of `inner`, permuted by `outer`, which acts on that many points in the way its name
 * suggests: Sn on n points, a wreath product on the points of all its copies.
 */
export function wreath(inner: GroupStructure, outer: GroupStructure, copies: number): GroupStructure {
    if (outer.kind === 'trivial') {
        return product(Array.from({ length: copies }, () => inner));
    }
    if (inner.kind === 'trivial') {
        return outer;
    }
    if (inner.name === 'C2') {
        if (outer.name === 'C2' && copies === 2) {
            return dihedral(4);
        }
        if (outer.name === 'S3' && copies === 3) {
            return product([symmetric(4), cyclic(2)]);
        }
        if (outer.name === 'C3' && copies === 3) {
            return product([alternating(4), cyclic(2)]);
        }
    }
    if (inner.kind === 'cyclic' && inner.degree % 2 === 1 && outer.name === 'C2' && copies === 2) {
        return product([dihedral(inner.degree), inner]);
    }
    const tower = [...towerOf(inner), ...towerOf(outer)];
    return {
        kind: 'wreath',
        tower,
        order: inner.order ** BigInt(copies) * outer.order,
        name: tower.map(level => parenthesize(level)).join(' wr '),
    };
}

/** The direct product, flattened, with cyclic factors gathered and the largest factor first. */
export function product(factors: readonly GroupStructure[]): GroupStructure {
    const flat = factors.flatMap(factor => (factor.kind === 'product' ? factor.factors : [factor]));
    const cyclicOrders: number[] = [];
    const rest: GroupStructure[] = [];
    for (const factor of flat) {
        if (factor.kind === 'cyclic') {
            cyclicOrders.push(factor.degree);
        } else if (factor.kind !== 'trivial') {
            rest.push(factor);
        }
    }
    const sorted = [...rest, ...invariantFactors(cyclicOrders).map(order => cyclic(order))].sort((a, b) =>
        a.order < b.order ? 1 : a.order > b.order ? -1 : a.name < b.name ? -1 : a.name > b.name ? 1 : 0,
    );
    if (sorted.length < 2) {
        return sorted[0] ?? TRIVIAL;
    }
    const order = sorted.reduce((total, factor) => total * factor.order, 1n);
    if (order === 0n && sorted.every(factor => !isNamed(factor))) {
        return UNKNOWN;
    }
    // Of an unrecognized factor only the order is known, and then the order of the whole says as much.
    return sorted.every(factor => !isNamed(factor))
        ? other(order)
        : { kind: 'product', factors: sorted, order, name: nameOfProduct(sorted) };
}

/** Factors by their names; as many equal ones as would have to be counted are a power. */
function nameOfProduct(sorted: readonly GroupStructure[]): string {
    const counts = new Map<string, number>();
    for (const factor of sorted) {
        const name = parenthesize(factor);
        counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return [...counts]
        .flatMap(([name, count]) =>
            count < FEWEST_IN_POWER ? Array.from({ length: count }, () => name) : [`${name}^${count}`],
        )
        .join(' x ');
}

/** A group with the normal subgroup and the quotient; `isSplit` if the quotient is a subgroup beside the other. */
export function extension(normal: GroupStructure, quotient: GroupStructure, isSplit: boolean): GroupStructure {
    return {
        kind: 'extension',
        normal,
        quotient,
        order: normal.order * quotient.order,
        name: `${parenthesize(normal)} ${isSplit ? ':' : '.'} ${parenthesize(quotient)}`,
    };
}

/** A group known by a name of its own. */
export function special(name: string, order: bigint): GroupStructure {
    return { kind: 'other', order, name };
}

/** Whether the name says more than the order. */
export function isNamed(structure: GroupStructure): boolean {
    switch (structure.kind) {
        case 'other':
            return !structure.name.startsWith('order ');
        case 'wreath':
            return structure.tower.every(isNamed);
        case 'product':
            return structure.factors.every(isNamed);
        case 'extension':
            return isNamed(structure.normal) && isNamed(structure.quotient);
        case 'trivial':
        case 'symmetric':
        case 'alternating':
        case 'cyclic':
        case 'dihedral':
            return true;
        default:
            return unreachable(structure);
    }
}

/** `1152`; `about 9.79 × 10^296` if there are many digits. */
export function writtenOrder(order: bigint): string {
    const digits = order.toString();
    return digits.length <= MOST_DIGITS
        ? digits
        : `about ${digits.slice(0, 1)}.${digits.slice(1, 3)} × 10^${digits.length - 1}`;
}

/** A group that was too large for the limit. Its order is not known, and 0 in its place. */
export const UNKNOWN: GroupStructure = { kind: 'other', order: 0n, name: 'order unknown' };

/** A group without a name, which is called by its order. */
export function other(order: bigint): GroupStructure {
    return order === 1n ? TRIVIAL : { kind: 'other', order, name: `order ${writtenOrder(order)}` };
}

/** D4 inside a tower is the tower C2 wr C2, so that wreath products associate. */
function towerOf(structure: GroupStructure): readonly GroupStructure[] {
    if (structure.kind === 'wreath') {
        return structure.tower;
    }
    return structure.name === 'D4' ? [cyclic(2), cyclic(2)] : [structure];
}

function parenthesize(structure: GroupStructure): string {
    switch (structure.kind) {
        case 'product':
            // A single power needs no parentheses.
            return structure.name.includes(' x ') ? `(${structure.name})` : structure.name;
        case 'wreath':
        case 'extension':
            return `(${structure.name})`;
        case 'other':
            return isNamed(structure) ? structure.name : `(${structure.name})`;
        case 'trivial':
        case 'symmetric':
        case 'alternating':
        case 'cyclic':
        case 'dihedral':
            return structure.name;
        default:
            return unreachable(structure);
    }
}

/** Orders of cyclic groups with the same product, each divided by the next: 2, 4, 3 gives 12, 2. */
function invariantFactors(orders: readonly number[]): number[] {
    const powersOfPrime = new Map<number, number[]>();
    for (const order of orders) {
        for (const [prime, power] of primePowers(order)) {
            powersOfPrime.set(prime, [...(powersOfPrime.get(prime) ?? []), power]);
        }
    }
    const result: number[] = [];
    for (const powers of powersOfPrime.values()) {
        powers.sort((a, b) => b - a);
        powers.forEach((power, i) => (result[i] = (result[i] ?? 1) * power));
    }
    return result;
}

/** The largest powers of primes that divide `n`, with their primes. */
export function primePowers(n: number): readonly (readonly [number, number])[] {
    const result: [number, number][] = [];
    let rest = n;
    for (let prime = 2; prime * prime <= rest; prime++) {
        let power = 1;
        while (rest % prime === 0) {
            rest /= prime;
            power *= prime;
        }
        if (power > 1) {
            result.push([prime, power]);
        }
    }
    if (rest > 1) {
        result.push([rest, rest]);
    }
    return result;
}

/*
 * Names of groups:
 * - S2 is `C2`, S3 (which is also D3) is `S3`, D2 is `C2 x C2`, A3 is `C3`.
 * - Direct products are split as far as they go, largest factor first: D6 is `S3 x C2`, D10 is `D5 x C2`. By the theorem
 *   of Krull, Remak and Schmidt the factors are determined. Only cyclic factors are then gathered again, each dividing
 *   the one before it: `C10`, `C4 x C2`, `C6 x C2`. Three equal factors and more are a power, `S3^400`.
 * - Wreath products are written from the inside out and associate, `C2 wr C2 wr C2`. The small ones that are something
 *   else have that name: C2 wr C2 is `D4`, C2 wr C3 is `A4 x C2`, C2 wr S3 is `S4 x C2`, C3 wr C2 is `S3 x C3`, C5 wr C2
 *   is `D5 x C5`. Apart from these a wreath product is not split, although C2 wr Sn has a factor C2 for odd n.
 * - `N : K` has the normal subgroup N, beside which a copy of its quotient K was found; `N . K` has the quotient, and no
 *   copy was found. Several groups may have such a name, and a group several of them. Transitive groups of prime degree,
 *   `C5 : C4` and `C7 : C3`, are determined by it.
 * - Groups that their degree and order determine have the names of the Atlas, `PSL(3, 2)`, `AGL(3, 2)`.
 * - A group that is not recognized is named by its order, `order 1152`; of a large one only the first digits are written.
 */
