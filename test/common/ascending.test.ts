import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { positionInAscending, sortAscending } from '../../engine/common/ascending.js';

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
