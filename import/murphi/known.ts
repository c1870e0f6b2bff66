/**
 * Places that are no `none` somewhere, by their texts: `tested` if Orbit knows it from a test, `read` if a read of it in
 * Murphi would have failed before.
 */
export type Known = ReadonlyMap<string, 'tested' | 'read'>;

export const NOTHING_KNOWN: Known = new Map();

export function withPlaces(known: Known, texts: Iterable<string>, how: 'tested' | 'read'): Known {
    const more = new Map(known);
    for (const text of texts) {
        more.set(text, more.get(text) === 'tested' ? 'tested' : how);
    }
    return more;
}

/** Without the places that a write to a place may change. */
export function withoutPlace(known: Known, place: string): Known {
    const word = new RegExp(`(?<![\\w.])${/^\w*/.exec(place)?.[0] ?? ''}(?!\\w)`);
    return new Map([...known].filter(([text]) => !word.test(text)));
}

/** What is known on both of two ways. */
export function inBoth(one: Known, other: Known): Known {
    return new Map(
        [...one].flatMap(([text, how]) => {
            const there = other.get(text);
            return there === undefined ? [] : [[text, how === 'tested' ? there : how]];
        }),
    );
}
