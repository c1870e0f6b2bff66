/** Equality of plain data by content. */

/**
 * Whether two pieces of plain data are equal except for the ignored keys. Linear in the parts, each counted as often as
 * it occurs; an object that is identical in both is not visited.
 */
export function sameData(first: unknown, second: unknown, ignored: ReadonlySet<string> = NO_KEYS): boolean {
    if (first === second) {
        return true;
    }
    if (!isObject(first) || !isObject(second)) {
        return Object.is(first, second);
    }
    if (Array.isArray(first)) {
        return (
            Array.isArray(second) &&
            first.length === second.length &&
            first.every((part, index) => sameData(part, second[index], ignored))
        );
    }
    let count = 0;
    for (const key in first) {
        const part = second[key];
        if (ignored.has(key)) {
            continue;
        }
        if ((part === undefined && !Object.hasOwn(second, key)) || !sameData(first[key], part, ignored)) {
            return false;
        }
        count++;
    }
    for (const key in second) {
        count -= ignored.has(key) ? 0 : 1;
    }
    return !Array.isArray(second) && count === 0;
}

const NO_KEYS: ReadonlySet<string> = new Set();

export function sameNumbers(first: ArrayLike<number>, second: ArrayLike<number>): boolean {
    if (first.length !== second.length) {
        return false;
    }
    for (let index = 0; index < first.length; index++) {
        if (first[index] !== second[index]) {
            return false;
        }
    }
    return true;
}

/** `current` with elements of lists replaced by equal elements of `known` at the same index. */
export function withKnownParts<Data extends object>(known: Data, current: Data): Data {
    const parts = Object.entries(current).map(([key, part]: [string, unknown]) => {
        const other: unknown = Object.hasOwn(known, key) ? known[key as keyof Data] : undefined;
        return [key, Array.isArray(part) && Array.isArray(other) ? withKnownElements(other, part) : part];
    });
    return Object.fromEntries(parts) as Data;
}

/** The list with elements replaced by equal ones of `known` at the same index; `known` if the lists are equal. */
export function withKnownElements<Element>(known: readonly Element[], current: readonly Element[]): readonly Element[] {
    const elements = current.map((element, index) => (sameData(known[index], element) ? known[index] : element));
    return known.length === current.length && elements.every((element, index) => element === known[index])
        ? known
        : elements;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
    return typeof value === 'object' && value !== null;
}
