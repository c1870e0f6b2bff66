import { expect, test } from 'vitest';
import { PermutationList } from '../../engine/graph/permutation-list.js';

function write(list: PermutationList, pairs: readonly (readonly [number, number])[]): void {
    list.reserve(pairs.length);
    for (const [point, image] of pairs) {
        list.map(Int32Array.of(point), 0, Int32Array.of(image), 0, 1);
    }
}

test('what is kept comes out sorted and in order, what is dropped does not', () => {
    const list = new PermutationList();
    write(list, [
        [7, 3],
        [3, 7],
    ]);
    list.keep();
    write(list, [
        [1, 2],
        [2, 1],
    ]);
    list.drop();
    write(list, [
        [9, 4],
        [4, 6],
        [6, 9],
    ]);
    list.keep();
    expect([...list]).toEqual([
        { points: Int32Array.of(3, 7), images: Int32Array.of(7, 3) },
        { points: Int32Array.of(4, 6, 9), images: Int32Array.of(6, 9, 4) },
    ]);
});

test('it grows to any length', () => {
    const list = new PermutationList();
    for (let i = 0; i < 1000; i++) {
        write(list, [
            [2 * i + 1, 2 * i],
            [2 * i, 2 * i + 1],
        ]);
        list.keep();
    }
    expect([...list].map(({ points }) => points[0])).toEqual(Array.from({ length: 1000 }, (_, i) => 2 * i));
});
