import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { positionInAscending, sortAscending, sortShort } from '../../engine/common/ascending.js';

const lists = fc.array(fc.integer({ min: -5, max: 40 }), { maxLength: 40 });

describe('numbers in ascending order', () => {
    test('are what the library sorts, in the list itself', () => {
        fc.assert(
            fc.property(lists, numbers => {
                const list = numbers.slice();
                expect(sortAscending(list)).toBe(list);
                expect(list).toEqual(numbers.slice().sort((a, b) => a - b));
            }),
        );
    });

    test('are found where they stand, and nowhere else', () => {
        fc.assert(
            fc.property(lists, fc.integer({ min: -6, max: 41 }), (numbers, number) => {
                const list = [...new Set(numbers)].sort((a, b) => a - b);
                expect(positionInAscending(list, number)).toBe(list.indexOf(number));
            }),
        );
    });
});

test('what is sorted by a comparison stands as the library puts it, equal ones in their order', () => {
    const pairs = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer()), { maxLength: 40 });
    fc.assert(
        fc.property(pairs, list => {
            const byFirst = ([a]: [number, number], [b]: [number, number]): number => a - b;
            expect(sortShort(list.slice(), byFirst)).toEqual(list.slice().sort(byFirst));
        }),
    );
});
