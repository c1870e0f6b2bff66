/** Equality of plain data, and lists that keep the elements of an earlier list. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sameData, withKnownParts } from '../../engine/common/same-data.js';

test('data are the same exactly if they are written the same', () => {
    fc.assert(
        fc.property(fc.jsonValue(), fc.jsonValue(), (first, second) => {
            const copy: unknown = structuredClone(first);
            expect(sameData(first, copy)).toBe(true);
            const areEqual = ((): boolean => {
                try {
                    expect(first).toStrictEqual(second);
                    return true;
                } catch {
                    return false;
                }
            })();
            expect(sameData(first, second)).toBe(areEqual);
        }),
    );
    expect(sameData([], {})).toBe(false);
    expect(sameData({ a: undefined }, {})).toBe(false);
});

test('equal elements are those of the earlier list, and a list of equal elements is that list', () => {
    const known = { name: 'old', same: [{ a: 1 }, { a: 2 }], other: [{ a: 1 }, { a: 2 }, { a: 3 }] };
    const current = { name: 'new', same: [{ a: 1 }, { a: 2 }], other: [{ a: 1 }, { a: 4 }] };
    const result = withKnownParts(known, current);
    expect(result).toEqual(current);
    expect(result.same).toBe(known.same);
    expect(result.other[0]).toBe(known.other[0]);
    expect(result.other[1]).toBe(current.other[1]);
});
