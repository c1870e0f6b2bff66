/** Adds an entry behind those of its key. */
export function appendTo<Key, Entry>(lists: Map<Key, Entry[]>, key: Key, entry: Entry): void {
    const known = lists.get(key);
    if (known === undefined) {
        lists.set(key, [entry]);
    } else {
        known.push(entry);
    }
}

/** The value of a key; if the map has none, it is made and added. */
export function remembered<Key, Value extends NonNullable<unknown>>(
    map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
    key: Key,
    make: () => NoInfer<Value>,
): Value {
    let value = map.get(key);
    if (value === undefined) {
        value = make();
        map.set(key, value);
    }
    return value;
}
