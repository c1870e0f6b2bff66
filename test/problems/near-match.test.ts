import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editDistance, nearestName } from '../../language/problems/near-match.js';

/** The definition: the fewest edits, by trying all. Exchanged letters are not edited again. */
function slowDistance(from: string, to: string): number {
    if (from === '' || to === '') {
        return from.length + to.length;
    }
    const same = from[0] === to[0] ? 0 : 1;
    const choices = [
        slowDistance(from.slice(1), to) + 1,
        slowDistance(from, to.slice(1)) + 1,
        slowDistance(from.slice(1), to.slice(1)) + same,
    ];
    if (from.length > 1 && to.length > 1 && from[0] === to[1] && from[1] === to[0]) {
        choices.push(slowDistance(from.slice(2), to.slice(2)) + 1);
    }
    return Math.min(...choices);
}

describe('the edit distance', () => {
    test('is the number of edits', () => {
        const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 });
        fc.assert(
            fc.property(word, word, (from, to) => {
                expect(editDistance(from, to)).toBe(slowDistance(from, to));
            }),
        );
    });
});

describe('the nearest name', () => {
    test('is a small change away', () => {
        expect(nearestName('trun', ['turn', 'token'])).toBe('turn');
        expect(nearestName('leadr', ['label', 'leader'])).toBe('leader');
        expect(nearestName('n', ['N', 'M'])).toBe('N');
    });

    test('is none where nothing is similar', () => {
        expect(nearestName('x', ['y', 'z'])).toBeUndefined();
        expect(nearestName('ab', ['cd'])).toBeUndefined();
        expect(nearestName('counter', [])).toBeUndefined();
    });
});
