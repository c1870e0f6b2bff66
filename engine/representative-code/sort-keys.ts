/**
 * Sorting of keys of one or more long words, the first one compared first.
 *
 * A state is mostly one step from a sorted one, so insertion is nearly linear, and what it does is easily foretold by the
 * processor. It works in memory. Few keys of one word are sorted in locals instead, by a network of comparisons without
 * branches [Batcher1968].
 */
import type { FunctionWriter, Local } from '../webassembly/function-writer.js';

/** Keys in memory, one after the other. */
export interface KeyArray {
    readonly address: number;
    /** Long words of each. */
    readonly words: number;
}

export function keyAddress({ address, words }: KeyArray, index: number, word: number): number {
    return address + 8 * (index * words + word);
}

/** Sorts the keys from number `from` up to, not including, `to`, ascending. Sets `moved` to 1 where it moves one. */
export function sortByInsertion(f: FunctionWriter, keys: KeyArray, from: number, to: number, moved: Local): void {
    const { address, words } = keys;
    const length = 8 * words;
    const key = Array.from({ length: words }, () => f.acquire('i64'));
    const next = f.acquire('i32');
    const place = f.acquire('i32');
    f.i32(length * (from + 1)).set(next);
    const eachKey = f.loop();
    key.forEach((local, word) => {
        f.get(next)
            .memory('i64_load', address + 8 * word)
            .set(local);
    });
    f.get(next).set(place);
    const found = f.block();
    const down = f.loop();
    f.get(place)
        .i32(length * from)
        .op('i32_eq')
        .brIf(found);
    // The key before is not greater.
    pushIsLessThanBefore();
    f.op('i32_eqz').brIf(found);
    key.forEach((_, word) => {
        f.get(place);
        f.get(place)
            .i32(length)
            .op('i32_sub')
            .memory('i64_load', address + 8 * word)
            .memory('i64_store', address + 8 * word);
    });
    f.i32(1).set(moved);
    f.get(place).i32(length).op('i32_sub').set(place).br(down).end().end();
    key.forEach((local, word) => {
        f.get(place)
            .get(local)
            .memory('i64_store', address + 8 * word);
    });
    f.get(next)
        .i32(length)
        .op('i32_add')
        .tee(next)
        .i32(length * to)
        .op('i32_lt_u')
        .brIf(eachKey)
        .end();
    [...key, next, place].forEach(local => {
        f.release(local);
    });

    function pushIsLessThanBefore(): void {
        const pushBefore = (word: number): void => {
            f.get(place)
                .i32(length)
                .op('i32_sub')
                .memory('i64_load', address + 8 * word);
        };
        f.get(key[words - 1]);
        pushBefore(words - 1);
        f.op('i64_lt_u');
        for (let word = words - 2; word >= 0; word--) {
            f.get(key[word]);
            pushBefore(word);
            f.op('i64_eq', 'i32_and').get(key[word]);
            pushBefore(word);
            f.op('i64_lt_u', 'i32_or');
        }
    }
}

/** Sorts locals, ascending. */
export function sortByNetwork(f: FunctionWriter, keys: readonly Local[]): void {
    const greater = f.acquire('i64');
    const isLess = f.acquire('i32');
    for (const [low, high] of comparisons(keys.length)) {
        const [a, b] = [keys[low], keys[high]];
        f.get(a).get(b).op('i64_lt_u').set(isLess);
        f.get(b).get(a).get(isLess).op('select').set(greater);
        f.get(a).get(b).get(isLess).op('select').set(a);
        f.get(greater).set(b);
    }
    f.release(greater);
    f.release(isLess);
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
