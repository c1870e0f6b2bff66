/**
 * The isomorphism type of a group as data and as a name: `S5`, `C10`, `D9 x S3 x C2`, `S3 wr S3`. The rules of naming
 * are at the end of this file.
 */
import { unreachable } from '../common/assert.js';
import { factorial } from './permutation.js';

/** So many equal factors, or more, are written as a power. */
const FEWEST_IN_POWER = 3;
/** Longer orders are rounded. */
const MOST_DIGITS = 25;

export type GroupStructure = {
    readonly order: bigint;
    /** Contains the same information as the other fields. */
    readonly name: string;
} & (
    | { readonly kind: 'trivial' }
    /** `degree` is the n of Sn, An, Cn, Dn. */
    | { readonly kind: 'symmetric' | 'alternating' | 'cyclic' | 'dihedral'; readonly degree: number }
    /** `tower` is from the inside out: there is a copy of the first for each point of the second, and so on. */
    | { readonly kind: 'wreath'; readonly tower: readonly GroupStructure[] }
    | { readonly kind: 'product'; readonly factors: readonly GroupStructure[] }
    | { readonly kind: 'extension'; readonly normal: GroupStructure; readonly quotient: GroupStructure }
    /** `name` is that of a single group, or says the order only. */
    | { readonly kind: 'other' }
);

const TRIVIAL: GroupStructure = { kind: 'trivial', order: 1n, name: 'trivial' };

export function symmetric(degree: number): GroupStructure {
    if (degree < 2) {
        return TRIVIAL;
    }
    return degree === 2 ? cyclic(2) : { kind: 'symmetric', degree, order: factorial(degree), name: `S${degree}` };
}

export function alternating(degree: number): GroupStructure {
    if (degree < 3) {
        return TRIVIAL;
    }
    return degree === 3
        ? cyclic(3)
        : { kind: 'alternating', degree, order: factorial(degree) / 2n, name: `A${degree}` };
}

export function cyclic(order: number): GroupStructure {
    return order === 1 ? TRIVIAL : { kind: 'cyclic', degree: order, order: BigInt(order), name: `C${order}` };
}

/** The group of order 2 · `degree`: the rotations and reflections of a polygon. */
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

/** `copies` copies of `inner`, permuted by `outer` in its natural action: Sn on n points, and so on. */
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
        return UNKNOWN_STRUCTURE;
    }
    // Only the orders of unrecognized factors are known, so the order of the product says as much.
    return sorted.every(factor => !isNamed(factor))
        ? other(order)
        : { kind: 'product', factors: sorted, order, name: nameOfProduct(sorted) };
}

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

/** `isSplit`: the normal subgroup has a complement. */
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

/** A group that was too large for the limit. The order is not known; 0 stands for it. */
export const UNKNOWN_STRUCTURE: GroupStructure = { kind: 'other', order: 0n, name: 'order unknown' };

/** A group that is named by its order. */
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
            // A power needs no parentheses.
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

/** The pairs of a prime and its largest power that divides `n`. */
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
 * - Direct products are split completely, with the largest factor first: D6 is `S3 x C2`, D10 is `D5 x C2`. The factors
 *   are unique (Krull, Remak, Schmidt). Then cyclic factors are gathered, each dividing the one before it: `C10`,
 *   `C6 x C2`. Three or more equal factors are a power, `S3^400`.
 * - Wreath products are written from the inside out, `C2 wr C2 wr C2`. Small ones have simpler names: C2 wr C2 is `D4`,
 *   C2 wr C3 is `A4 x C2`, C2 wr S3 is `S4 x C2`, C3 wr C2 is `S3 x C3`, C5 wr C2 is `D5 x C5`. Other wreath products
 *   are not split, although C2 wr Sn has a factor C2 for odd n.
 * - `N : K` has the normal subgroup N with quotient K, of which a complement was found; for `N . K` none was found.
 *   Such a name need not determine the group, and is not unique, except for transitive groups of prime degree.
 * - Groups that their degree and order determine have the names of the Atlas, `PSL(3, 2)`, `AGL(3, 2)`.
 * - Other groups are named by their order, `order 1152`; large orders are rounded.
 */
