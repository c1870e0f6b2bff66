/** Replaces parts of a model, wherever they stand. */

/**
 * `replacement` is called once for each object; `undefined` keeps the object, and its parts are visited. Parts without a
 * replaced one keep their identity.
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
            known.set(part, replacement(part) ?? withParts(part, replaced));
        }
        return known.get(part);
    };
    return replaced(whole) as Whole;
}

function withParts(part: object, replaced: (part: unknown) => unknown): object {
    const entries = Object.entries(part);
    const changed = entries.map(([name, value]): [string, unknown] => [name, replaced(value)]);
    if (changed.every(([, value], index) => value === entries[index][1])) {
        return part;
    }
    return Array.isArray(part) ? changed.map(([, value]) => value) : Object.fromEntries(changed);
}
