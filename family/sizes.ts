/** How many members the instances have that are run for views of one size. */
import type { Narrow } from './narrow.js';

/**
 * The most members of a state that its shared part does not name. What is kept of a larger state for a step, or to show a
 * violation, is filled up to the least sizes of the families, so that there is an instance of that size.
 */
export function widthOf(narrow: Narrow, viewSize: number, invariants: readonly string[]): number {
    const ofInvariants = narrow.invariants.map(({ name, members = 0 }) => (invariants.includes(name) ? members : 0));
    return filledUp(Math.max(viewSize + narrow.extra, narrow.decisive, ...ofInvariants), narrow.least);
}

/** The numbers of members of the instances whose initial states have all views of initial states. */
export function startSizes(narrow: Narrow, viewSize: number): number[][] {
    const members = Math.max(viewSize + narrow.ofStart, narrow.decisive);
    const most = filledUp(members, narrow.least) + narrow.namedAtStart;
    let sizes: number[][] = [[]];
    for (const [family, { most: mostOfFamily }] of narrow.carrier.families.entries()) {
        const least = narrow.least[family];
        sizes = sizes.flatMap(before => {
            const left = most - before.reduce((sum, size) => sum + size, 0);
            const count = Math.max(0, Math.min(left, mostOfFamily) - least + 1);
            return Array.from({ length: count }, (_, more) => [...before, least + more]);
        });
    }
    return sizes;
}

/** So many members, whichever family they are of, and those that the other families have at least. */
function filledUp(members: number, least: readonly number[]): number {
    const all = least.reduce((sum, each) => sum + each, 0);
    return Math.max(...least.map(each => Math.max(members, each) + all - each));
}
