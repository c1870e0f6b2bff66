/** An index from points to the permutations of a list that move them: few symmetries move a part of a large model. */
import { appendTo, remembered } from '../common/list-map.js';

/** By point: the indices of the permutations that move it, ascending. */
export type Movers = ReadonlyMap<number, readonly number[]>;

/** `pointsOf` lists the points that a member moves. Computed once for each list. O(points moved). */
export function moversOf<Member>(list: readonly Member[], pointsOf: (member: Member) => Iterable<number>): Movers {
    return remembered(knownMovers, list, () => {
        const found = new Map<number, number[]>();
        for (const [index, member] of list.entries()) {
            for (const point of pointsOf(member)) {
                appendTo(found, point, index);
            }
        }
        return found;
    });
}

/** The indices of the permutations that move one of the points, ascending. */
export function moversAmong(movers: Movers, points: Iterable<number>): readonly number[] {
    const found = new Set<number>();
    for (const point of points) {
        movers.get(point)?.forEach(index => found.add(index));
    }
    return [...found].sort((a, b) => a - b);
}

const knownMovers = new WeakMap<object, Movers>();
