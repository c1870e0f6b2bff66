/** A model, or a part of one, with some of its parts replaced, wherever they stand. */

/**
 * Asks of each object in the whole what it becomes; `undefined` leaves it, and its parts are asked for. An object that
 * stands at several places is asked for once.
 */
export function replaceParts<Whole extends object>(
    whole: Whole,
    replacement: (part: object) => object | undefined,
): Whole {
    const known = new Map<object, unknown>();
    const replaced = (part: unknown): unknown => {
        if (typeof part !== 'object' || part === null) {
            return part;
        }
        if (!known.has(part)) {
            known.set(
                part,
                replacement(part) ??
                    (Array.isArray(part)
                        ? part.map(replaced)
                        : Object.fromEntries(Object.entries(part).map(([name, value]) => [name, replaced(value)]))),
            );
        }
        return known.get(part);
    };
    return replaced(whole) as Whole;
}
