/** Replaces parts of a model, wherever they stand. */

/** `replacement` is called once for each object; `undefined` keeps the object, and its parts are visited. */
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
