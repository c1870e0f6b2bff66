import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NO_PARENT, SeenSet } from '../../engine/explore/seen-set.js';
import type { Cell } from '../../engine/sequential/sequential-model.js';
import { StateLayout } from '../../engine/explore/state-layout.js';
import { NO_VALUE } from '../../engine/model/domain.js';
import { integers, optional } from '../arbitrary/domains.js';

test('the set is a map from states to numbers in the order of insertion', () => {
    const word = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 0xffff_ffff }));
    const states = (wordCount: number): fc.Arbitrary<number[][]> =>
        fc.array(fc.array(word, { minLength: wordCount, maxLength: wordCount }), { maxLength: 300 });
    fc.assert(
        fc.property(
            fc.integer({ min: 1, max: 5 }).chain(wordCount => fc.tuple(fc.constant(wordCount), states(wordCount))),
            ([wordCount, inserted]) => {
                const set = new SeenSet(wordCount);
                const expected = new Map<string, number>();
                for (const state of inserted) {
                    const key = state.join();
                    expect(set.find(Uint32Array.from(state))).toBe(expected.get(key) ?? -1);
                    if (!expected.has(key)) {
                        const parent = expected.size === 0 ? NO_PARENT : expected.size - 1;
                        expect(set.insert(Uint32Array.from(state), parent)).toBe(expected.size);
                        expected.set(key, expected.size);
                    }
                }
                expect(set.count).toBe(expected.size);
                const words = new Uint32Array(wordCount);
                for (const [key, index] of expected) {
                    set.readInto(words, index);
                    expect(words.join()).toBe(key);
                    expect(set.parentOf(index)).toBe(index === 0 ? NO_PARENT : index - 1);
                }
            },
        ),
    );
});

test('it grows over many chunks and tables, and says beforehand what that takes', () => {
    const set = new SeenSet(2);
    const words = new Uint32Array(2);
    const count = 100_000;
    const setWords = (index: number): void => {
        words[0] = index % 1000;
        words[1] = Math.floor(index / 1000);
    };
    let growths = 0;
    let { peakBytes } = set;
    for (let index = 0; index < count; index++) {
        setWords(index);
        const { bytes, growthBytes } = set;
        set.insert(words, NO_PARENT);
        if (set.bytes !== bytes || growthBytes !== 0) {
            growths++;
            // A new table replaces the old one: for a moment there are both.
            expect(set.bytes).toBeGreaterThan(bytes);
            expect(set.bytes).toBeLessThanOrEqual(bytes + growthBytes);
            peakBytes = Math.max(peakBytes, bytes + growthBytes);
            expect(set.peakBytes).toBe(peakBytes);
        }
    }
    expect(growths).toBeGreaterThan(10);
    let found = 0;
    for (let index = 0; index < count; index++) {
        setWords(index);
        found += set.find(words) === index ? 1 : 0;
    }
    expect(found).toBe(count);
});

test('a packed state unpacks to itself, absent values too', () => {
    const size = fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 2 ** 31 - 2 }));
    const cellWithCode = fc
        .record({ size, mayBeAbsent: fc.boolean(), isOptional: fc.boolean() })
        .chain(cell =>
            fc.tuple(fc.constant(cell), fc.integer({ min: cell.mayBeAbsent ? NO_VALUE : 0, max: cell.size - 1 })),
        );
    fc.assert(
        fc.property(fc.array(cellWithCode, { maxLength: 40 }), cells => {
            const layout = new StateLayout(
                cells.map(([{ size: values, mayBeAbsent, isOptional }]) => ({
                    domain: isOptional && values > 1 ? optional(integers(7, values + 5)) : integers(7, values + 6),
                    kind: 'shared',
                    mayBeAbsent,
                })),
            );
            const state = Int32Array.from(cells, ([, code]) => code);
            const words = new Uint32Array(layout.wordCount + 2).fill(0xdead_beef);
            layout.pack(state, words, 1);
            const unpacked = new Int32Array(state.length);
            layout.unpack(words, 1, unpacked);
            expect(unpacked).toEqual(state);
            // Nothing beside its own words is touched.
            expect([words[0], words[layout.wordCount + 1]]).toEqual([0xdead_beef, 0xdead_beef]);
        }),
    );
});

test('so does one of cells that hold few of their codes, in as many bits as these need', () => {
    const rangeWithCode = fc
        .tuple(fc.integer({ min: NO_VALUE, max: 90 }), fc.integer({ min: 0, max: 9 }))
        .chain(([least, more]) =>
            fc.tuple(fc.constant({ least, most: least + more }), fc.integer({ min: least, max: least + more })),
        );
    fc.assert(
        fc.property(fc.array(rangeWithCode, { maxLength: 40 }), cells => {
            const layout = new StateLayout(
                cells.map(([codes]) => ({
                    domain: integers(7, 106),
                    kind: 'shared',
                    mayBeAbsent: codes.least === NO_VALUE,
                    codes,
                })),
            );
            cells.forEach(([{ least, most }], cell) => {
                expect(2 ** layout.placements[cell]!.bits).toBeGreaterThanOrEqual(most - least + 1);
                expect(2 ** layout.placements[cell]!.bits).toBeLessThan(2 * (most - least + 1));
            });
            const state = Int32Array.from(cells, ([, code]) => code);
            const words = new Uint32Array(layout.wordCount);
            layout.pack(state, words, 0);
            const unpacked = new Int32Array(state.length);
            layout.unpack(words, 0, unpacked);
            expect(unpacked).toEqual(state);
        }),
    );
});

test('small cells share a word', () => {
    const cells = (count: number, values: number): Pick<Cell, 'kind' | 'domain' | 'mayBeAbsent'>[] =>
        Array.from({ length: count }, () => ({ kind: 'shared', domain: integers(1, values), mayBeAbsent: false }));
    expect(new StateLayout(cells(32, 2)).wordCount).toBe(1);
    expect(new StateLayout(cells(33, 2)).wordCount).toBe(2);
    expect(new StateLayout(cells(16, 4)).wordCount).toBe(1);
    expect(new StateLayout(cells(1000, 1)).wordCount).toBe(1);
    expect(new StateLayout([]).wordCount).toBe(1);
});
