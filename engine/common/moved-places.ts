/**
 * From one reading of a text to the next: two pieces of plain data that differ in nothing but where in the text things
 * stand, and what has been said of the first, said of the second.
 *
 * An edit of comments or of the layout leaves a model as it is and moves its places. What was found before then still
 * holds, at the places where the same things stand now.
 */
import type { SourceRange } from './source-range.js';

/** Where each place of the first reading is in the second. */
export type MovedPlaces = ReadonlyMap<string, SourceRange>;

/**
 * Where the places have gone; undefined where the readings differ in anything else, documentation apart, which is for
 * people only. Linear in the size of the data, parts that are one object counted once.
 */
export function movedPlaces(before: unknown, after: unknown): MovedPlaces | undefined {
    const places = new Map<string, SourceRange>();
    const seen = new Map<object, object>();
    return matches(before, after) ? places : undefined;

    function matches(first: unknown, second: unknown): boolean {
        if (!isObject(first) || !isObject(second)) {
            return Object.is(first, second);
        }
        if (seen.get(first) === second) {
            return true;
        }
        seen.set(first, second);
        if (isPlace(first) || isPlace(second)) {
            return isPlace(first) && isPlace(second) && moves(first, second);
        }
        const keys = Object.keys(first).filter(key => key !== 'documentation');
        const others = Object.keys(second).filter(key => key !== 'documentation');
        return (
            Array.isArray(first) === Array.isArray(second) &&
            keys.length === others.length &&
            keys.every(key => Object.hasOwn(second, key) && matches(first[key], second[key]))
        );
    }

    /** False where what was one place has become two: then it is not known which is meant. */
    function moves(first: SourceRange, second: SourceRange): boolean {
        const key = keyOf(first);
        const known = places.get(key);
        places.set(key, known ?? second);
        return known === undefined || keyOf(known) === keyOf(second);
    }
}

/** The same data with its places where they are now; undefined where one of them is not known. */
export function atMovedPlaces<Data>(data: Data, places: MovedPlaces): Data | undefined {
    let isKnown = true;
    const move = (part: unknown): unknown => {
        if (!isObject(part)) {
            return part;
        }
        if (isPlace(part)) {
            const moved = places.get(keyOf(part));
            isKnown &&= moved !== undefined;
            return moved;
        }
        return Array.isArray(part)
            ? part.map(move)
            : Object.fromEntries(Object.entries(part).map(([key, value]) => [key, move(value)]));
    };
    const moved = move(data) as Data;
    return isKnown ? moved : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
    return typeof value === 'object' && value !== null;
}

function isPlace(value: object): value is SourceRange {
    return 'uri' in value && 'start' in value && 'end' in value;
}

function keyOf({ uri, start, end }: SourceRange): string {
    return `${start.line}:${start.character}-${end.line}:${end.character} ${uri}`;
}
