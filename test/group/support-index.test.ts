import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moversAmong, moversOf } from '../../engine/group/support-index.js';

test('what moves some points is what has one of them', () => {
    const lists = fc.array(fc.uniqueArray(fc.nat({ max: 9 })), { maxLength: 12 });
    fc.assert(
        fc.property(lists, fc.uniqueArray(fc.nat({ max: 9 })), (moved, points) => {
            const expected = [...moved.keys()].filter(index => moved[index]!.some(point => points.includes(point)));
            expect(
                moversAmong(
                    moversOf(moved, own => own),
                    points,
                ),
            ).toEqual(expected);
        }),
    );
});
