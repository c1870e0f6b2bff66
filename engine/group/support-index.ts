/**
 * Which permutations of a list move a point. A part of a large model is moved by few of its symmetries, and what is asked
 * of each part must not go through all of them.
 */
import { appendTo } from '../common/list-map.js';

/** By the point, the indices of what moves it, ascending. */
export type Movers = ReadonlyMap<number, readonly number[]>;

/** `pointsOf` lists what a member of the list moves. Found once for each list. O(points moved). */
export function moversOf<Member>(list: readonly Member[], pointsOf: (member: Member) => Iterable<number>): Movers {
    let movers = knownMovers.get(list);
    if (movers === undefined) {
        const found = new Map<number, number[]>();
        for (const [index, member] of list.entries()) {
            for (const point of pointsOf(member)) {
                appendTo(found, point, index);
            }
        }
        movers = found;
        knownMovers.set(list, movers);
    }
    return movers;
}

/** The indices of what moves one of the points, ascending. */
export function moversAmong(movers: Movers, points: Iterable<number>): readonly number[] {
    const found = new Set<number>();
    for (const point of points) {
        movers.get(point)?.forEach(index => found.add(index));
    }
    return [...found].sort((a, b) => a - b);
}

const knownMovers = new WeakMap<object, Movers>();
