/**
 * Generated code that sorts keys of one or more long words, the first word compared first.
 *
 * A state is mostly one step from a sorted one, so insertion in memory is nearly linear, and its branches are easy to
 * predict. Few keys of one word are sorted in locals by a network of comparisons without branches [Batcher1968].
 */
import {
    type FunctionBody,
    type Int,
    load64,
    type Long,
    select,
    type WasmVariable,
} from '../webassembly/function-body.js';

/** Keys in memory, one after the other. */
export interface KeyArray {
    readonly address: number;
    /** Long words of each. */
    readonly words: number;
}

export function keyAddress({ address, words }: KeyArray, index: number, word: number): number {
    return address + 8 * (index * words + word);
}

/** Sorts the keys `from` to `to - 1`, ascending. Sets `moved` to 1 if it moves one. */
export function sortByInsertion(
    f: FunctionBody,
    keys: KeyArray,
    from: number,
    to: number,
    moved: WasmVariable<'i32'>,
): void {
    const { address, words } = keys;
    const length = 8 * words;
    const wordsAt = (offset: Int): readonly Long[] =>
        Array.from({ length: words }, (_, word) => load64(offset, address + 8 * word));
    const next = f.variable(length * (from + 1));
    f.doWhile(
        () => {
            const key = wordsAt(next).map(word => f.variable(word));
            const place = f.variable<'i32'>(next);
            const before = wordsAt(place.minus(length));
            f.while(place.isNot(length * from), found => {
                f.branchUnless(isLess(key, before), found);
                before.forEach((word, i) => {
                    f.store64(place, address + 8 * i, word);
                });
                moved.set(1);
                place.set(place.minus(length));
            });
            key.forEach((word, i) => {
                f.store64(place, address + 8 * i, word);
            });
            next.add(length);
        },
        next.isLessUnsigned(length * to),
    );
}

/** Whether some words, the first one compared first, are less than others. */
export function isLess(words: readonly Long[], others: readonly Long[]): Int {
    const last = words.length - 1;
    let less = words[last].isLessUnsigned(others[last]);
    for (let word = last - 1; word >= 0; word--) {
        // Less in a word, or the same there and less in the words after it.
        less = less.and(words[word].is(others[word])).or(words[word].isLessUnsigned(others[word]));
    }
    return less;
}

export function sortByNetwork(f: FunctionBody, keys: readonly WasmVariable<'i64'>[]): void {
    const greater = f.local('i64');
    const isAscending = f.local('i32');
    for (const [low, high] of comparisons(keys.length)) {
        const [a, b] = [keys[low], keys[high]];
        isAscending.set(a.isLessUnsigned(b));
        greater.set(select(isAscending, b, a));
        a.set(select(isAscending, a, b));
        b.set(greater);
    }
}

/** Pairs of places to compare, one after the other: Batcher's merge exchange, for any number of places. */
export function comparisons(count: number): readonly (readonly [number, number])[] {
    const pairs: (readonly [number, number])[] = [];
    let top = 1;
    while (top * 2 < count) {
        top *= 2;
    }
    for (let p = top; count > 1 && p > 0; p = Math.floor(p / 2)) {
        let r = 0;
        let d = p;
        for (let q = top; ; q = Math.floor(q / 2)) {
            for (let i = 0; i < count - d; i++) {
                if ((i & p) === r) {
                    pairs.push([i, i + d]);
                }
            }
            if (q === p) {
                break;
            }
            d = q - p;
            r = p;
        }
    }
    return pairs;
}
