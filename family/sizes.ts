/** How many members the instances have that are run for views of one size. */
import type { Carrier } from './carrier.js';
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
    return sizesFrom(narrow.least, narrow.carrier, filledUp(members, narrow.least) + narrow.namedAtStart);
}

/** By family so many members as are allowed, at least `least` and at most `most` in all. */
export function sizesFrom(least: readonly number[], { families }: Carrier, most: number): number[][] {
    let sizes: number[][] = [[]];
    for (const [family, { most: mostOfFamily }] of families.entries()) {
        sizes = sizes.flatMap(before => {
            const left = Math.min(mostOfFamily, most - sumOf(before));
            return Array.from({ length: Math.max(0, left - least[family] + 1) }, (_, more) => [
                ...before,
                least[family] + more,
            ]);
        });
    }
    return sizes;
}

export function sumOf(sizes: readonly number[]): number {
    return sizes.reduce((sum, size) => sum + size, 0);
}

/** So many members, whichever family they are of, and those that the other families have at least. */
function filledUp(members: number, least: readonly number[]): number {
    const all = sumOf(least);
    return Math.max(...least.map(each => Math.max(members, each) + all - each));
}
