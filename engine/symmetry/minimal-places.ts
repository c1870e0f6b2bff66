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
