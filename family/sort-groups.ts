/**
 * The group of a class, from what the text does with its values: all permutations of values that are alike, the rotations
 * of a ring, a reversal. The bounds of cuts are ordered for all values of the parameters at once, or nothing moves.
 */
import { appendTo } from '../engine/common/list-map.js';
import type { Node } from '../language/tree/node.js';
import type { Parameter } from '../language/generated/nodes.js';
import {
    combination,
    constantOf,
    formatPolynomial,
    isAtLeast,
    isSame,
    type Polynomial,
} from '../language/typing/polynomial.js';
import {
    FIXED_USES,
    pinsOf,
    type ClassFacts,
    type Cut,
    type LocalNumber,
    type Refusal,
    type RingUse,
} from './facts.js';

/** `low .. high`; `high` may be `low - 1`. */
export interface ClassInterval {
    readonly low: Polynomial;
    readonly high: Polynomial;
}

/** Values that no part of the text tells apart. */
export interface AlikeValues {
    readonly intervals: readonly ClassInterval[];
    readonly count: Polynomial;
}

export type SortGroup =
    /** `refusal` is absent if the class has no range. */
    | { readonly kind: 'trivial'; readonly refusal?: Refusal }
    /** The product of the symmetric groups of these sets, of the permutations that keep the entries of the tables. */
    | { readonly kind: 'alike'; readonly sets: readonly AlikeValues[]; readonly tables: readonly Parameter[] }
    /** Rotations of the interval, with reflections if `isReflected`. */
    | {
          readonly kind: 'ring';
          readonly interval: ClassInterval;
          readonly count: Polynomial;
          readonly isReflected: boolean;
      }
    /** `x` becomes `sum - x`. */
    | { readonly kind: 'reversal'; readonly sum: Polynomial; readonly interval: ClassInterval }
    /** The numbers of each owner are permuted on their own, those of two owners exchanged with the owners. */
    | { readonly kind: 'local'; readonly local: LocalNumber; readonly interval: ClassInterval };

type IsMirrored = (rings: readonly RingUse[]) => boolean;

/** The group of a class of so many places. `isMirrored` says whether the text is its own mirror image for these steps. */
export function groupOfClass(facts: ClassFacts, size: number, isMirrored: IsMirrored): SortGroup {
    const { rings, reversals, tables, cuts, locals } = facts;
    const [pin] = pinsOf(facts);
    if (pin !== undefined) {
        return { kind: 'trivial', refusal: { node: pin.node, words: FIXED_USES[pin.use] } };
    }
    if (locals.size > 0) {
        return groupOfLocals(facts, size);
    }
    if (rings.length === 0 && reversals.length === 0) {
        return groupOfCuts(cuts, [...tables]);
    }
    // Both would be a dihedral group only if they fit together; then one of them is rarely written.
    const [ring, reversal] = [rings[0], reversals[0]];
    const other = cuts.find(cut => !cut.isType);
    const [node, words] =
        ring !== undefined && reversal !== undefined
            ? [reversal.node, 'turns a ring around']
            : other !== undefined
              ? [other.node, 'names a value of a ring']
              : [undefined, ''];
    if (node !== undefined) {
        return { kind: 'trivial', refusal: { node, words } };
    }
    const [table] = tables;
    if (table !== undefined) {
        return { kind: 'trivial', refusal: { node: table, words: 'tells the values of a ring apart' } };
    }
    return ring === undefined ? groupOfReversals(facts) : groupOfRing(facts, isMirrored);
}

function groupOfRing({ cuts, rings }: ClassFacts, isMirrored: IsMirrored): SortGroup {
    const [first] = intervalsOf(cuts);
    for (const ring of rings) {
        const fits =
            first !== undefined &&
            isSame(ring.modulus, first.count) &&
            (ring.kind === 'difference' || isSame(ring.base, first.interval.low));
        if (!fits) {
            return { kind: 'trivial', refusal: { node: ring.node, words: 'is no step around the whole range' } };
        }
    }
    const odd = cuts.find(cut => !isOf(cut, first?.interval));
    const [ring] = rings;
    if (first === undefined || odd !== undefined || ring === undefined) {
        const node = odd?.node ?? ring?.node;
        return node === undefined
            ? { kind: 'trivial' }
            : { kind: 'trivial', refusal: { node, words: 'is another range than the ring' } };
    }
    return { kind: 'ring', interval: first.interval, count: first.count, isReflected: isMirrored(rings) };
}

function groupOfReversals({ cuts, reversals }: ClassFacts): SortGroup {
    const [first] = intervalsOf(cuts);
    const [reversal] = reversals;
    if (first === undefined || reversal === undefined) {
        return { kind: 'trivial' };
    }
    for (const { sum, node } of reversals) {
        if (!isSame(sum, reversal.sum)) {
            return { kind: 'trivial', refusal: { node, words: 'is another reversal' } };
        }
    }
    for (const { low, high, node } of cuts) {
        const ends = low && high && combination([1, low], [1, high]);
        if (ends === undefined || !isSame(ends, reversal.sum)) {
            return { kind: 'trivial', refusal: { node, words: 'is not the same from both ends' } };
        }
    }
    return { kind: 'reversal', sum: reversal.sum, interval: first.interval };
}

/**
 * A number that is local to an owner has the range of its field and nothing else. Only the set of all places shows that:
 * each is that field.
 */
function groupOfLocals({ cuts, rings, reversals, tables, locals }: ClassFacts, size: number): SortGroup {
    const all = [...locals.values()];
    const [local] = all;
    const refusal = (node: Node, words: string): SortGroup => ({ kind: 'trivial', refusal: { node, words } });
    if (locals.size < size || all.some(({ field }) => field !== local.field)) {
        return refusal(local.record.where ?? local.record, 'is a condition on other values too');
    }
    const other = [...cuts.filter(cut => !cut.isType), ...cuts.slice(1), ...rings, ...reversals][0];
    const [cut] = cuts;
    if (other !== undefined || tables.size > 0 || cut?.low === undefined || cut.high === undefined) {
        return refusal(other?.node ?? local.field, 'is about a number that belongs to an owner');
    }
    return { kind: 'local', local, interval: { low: cut.low, high: cut.high } };
}

/** The sets of values that lie in the same cuts. O(n²) for n cuts, with O(n log n) comparisons of bounds. */
function groupOfCuts(cuts: readonly Cut[], tables: readonly Parameter[]): SortGroup {
    const sorted = sortedBounds(cuts);
    if ('refusal' in sorted) {
        return { kind: 'trivial', ...sorted };
    }
    const { bounds, ends } = sorted;
    const sets = new Map<string, ClassInterval[]>();
    bounds.slice(0, -1).forEach((low, position) => {
        const high = combination([1, bounds[position + 1]], [-1, constantOf(1)]);
        const inside = ends.map(([first, behind]) => first <= position && position < behind);
        if (high !== undefined && cuts.some((cut, index) => cut.isOfState === true && inside[index])) {
            appendTo(sets, inside.map(Number).join(''), { low, high });
        }
    });
    const alike = [...sets.values()].flatMap(intervals => {
        const count = combination(
            ...intervals.flatMap(({ low, high }) => [
                [1, high] as const,
                [-1, low] as const,
                [1, constantOf(1)] as const,
            ]),
        );
        return count === undefined ? [] : [{ intervals, count }];
    });
    const isAlone = alike.every(({ count }) => isSame(count, constantOf(1)) || isSame(count, constantOf(0)));
    const last = cuts.find(cut => !cut.isType) ?? cuts[0];
    return isAlone && last !== undefined && alike.length > 0
        ? { kind: 'trivial', refusal: { node: last.node, words: 'tells all values apart' } }
        : { kind: 'alike', sets: alike, tables };
}

interface SortedBounds {
    readonly bounds: readonly Polynomial[];
    /** By cut the positions of its first value and of the one behind its last; infinite where it has no bound. */
    readonly ends: readonly (readonly [first: number, behind: number])[];
}

/** The bounds where cuts begin, and behind their ends, in order; what cannot be ordered for all parameters refuses. */
function sortedBounds(cuts: readonly Cut[]): SortedBounds | { readonly refusal: Refusal } {
    const bounds: Polynomial[] = [];
    const seen = new Set<string>();
    const ofCuts = cuts.map(({ low, high }) => ({ low, behind: high && combination([1, high], [1, constantOf(1)]) }));
    for (const [index, { low, behind }] of ofCuts.entries()) {
        const words = 'cannot be compared with the other bounds for all values of the parameters';
        const refused = { refusal: { node: cuts[index].node, words } };
        if (low !== undefined && behind !== undefined && !isAtLeast(behind, low)) {
            return refused;
        }
        for (const bound of [low, behind]) {
            if (bound === undefined || seen.has(formatPolynomial(bound))) {
                continue;
            }
            const position = positionFor(bound, bounds);
            if (position === undefined) {
                return refused;
            }
            bounds.splice(position, 0, bound);
            seen.add(formatPolynomial(bound));
        }
    }
    const positions = new Map(bounds.map((bound, position) => [formatPolynomial(bound), position]));
    const positionOf = (bound: Polynomial): number => positions.get(formatPolynomial(bound)) ?? Infinity;
    return {
        bounds,
        ends: ofCuts.map(({ low, behind }) => [
            low === undefined ? -Infinity : positionOf(low),
            behind === undefined ? Infinity : positionOf(behind),
        ]),
    };
}

/** The place of a bound in an ordered list; undefined if it cannot be compared. */
function positionFor(bound: Polynomial, bounds: readonly Polynomial[]): number | undefined {
    let [first, behind] = [0, bounds.length];
    while (first < behind) {
        const middle = (first + behind) >> 1;
        if (isAtLeast(bound, bounds[middle])) {
            first = middle + 1;
        } else if (isAtLeast(bounds[middle], bound)) {
            behind = middle;
        } else {
            return undefined;
        }
    }
    return first;
}

function intervalsOf(cuts: readonly Cut[]): { readonly interval: ClassInterval; readonly count: Polynomial }[] {
    return cuts.flatMap(({ isType, low, high }) => {
        const count = isType && low && high && combination([1, high], [-1, low], [1, constantOf(1)]);
        return count ? [{ interval: { low, high }, count }] : [];
    });
}

function isOf({ low, high }: Cut, interval: ClassInterval | undefined): boolean {
    return (
        interval !== undefined &&
        low !== undefined &&
        high !== undefined &&
        isSame(low, interval.low) &&
        isSame(high, interval.high)
    );
}
