/** Of many places a few that are enough: what is left where as many as can be are put back. */
import type { WorkLimit } from '../common/work-limit.js';

/**
 * Leaves out places while the rest is still enough, first many at once, the last ones first. Undefined where all
 * together are not enough, and where the limit comes first.
 */
export function minimalPlaces<Part>(
    places: readonly Part[],
    holds: (without: readonly Part[]) => boolean,
    limit: WorkLimit,
): readonly Part[] | undefined {
    let needed = places;
    if (limit.isExhausted() || !holds(needed)) {
        return undefined;
    }
    for (let size = Math.ceil(places.length / 2); ;) {
        const before = needed.length;
        for (let end = needed.length; end > 0; end -= size) {
            if (limit.isExhausted()) {
                return undefined;
            }
            const without = [...needed.slice(0, Math.max(0, end - size)), ...needed.slice(end)];
            if (without.length > 0 && holds(without)) {
                needed = without;
            }
        }
        // Leaving out one place may make another one superfluous, so this goes on until nothing can be left out.
        if (size > 1) {
            size = Math.floor(size / 2);
        } else if (needed.length === before) {
            return needed;
        }
    }
}

/**
 * Those without which all others together are not enough: they are in every part that is enough, if to take out more makes
 * nothing less alike. That all together are enough is known. Undefined where the limit comes first. Some are put back at
 * once first: about √n + k √n trials for k of n.
 */
export function neededPlaces<Part>(
    places: readonly Part[],
    fails: (without: readonly Part[]) => boolean,
    limit: WorkLimit,
): readonly Part[] | undefined {
    const needed: Part[] = [];
    const isNeeded = (some: readonly Part[]): boolean => fails(places.filter(place => !some.includes(place)));
    const size = places.length <= FEW ? 1 : Math.ceil(Math.sqrt(places.length));
    for (let start = 0; start < places.length; start += size) {
        const some = places.slice(start, start + size);
        if (limit.isExhausted()) {
            return undefined;
        }
        for (const place of some.length > 1 && !isNeeded(some) ? [] : some) {
            if (limit.isExhausted()) {
                return undefined;
            }
            if (isNeeded([place])) {
                needed.push(place);
            }
        }
    }
    return needed;
}

/** Of so few each is put back alone. */
const FEW = 5;
