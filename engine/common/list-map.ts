/** Maps from a key to the list of what belongs to it. */

/** Adds an entry behind those of its key. */
export function appendTo<Key, Entry>(lists: Map<Key, Entry[]>, key: Key, entry: Entry): void {
    const known = lists.get(key);
    if (known === undefined) {
        lists.set(key, [entry]);
    } else {
        known.push(entry);
    }
}
