/** The digest against the one of the standard library. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256OfAscii } from '../../engine/common/sha256.js';

const expected = (text: string): string => createHash('sha256').update(text, 'ascii').digest('hex');

test('every length around a block and random texts have the digest of node:crypto', () => {
    for (let length = 0; length <= 200; length++) {
        expect(sha256OfAscii('x'.repeat(length))).toBe(expected('x'.repeat(length)));
    }
    const ascii = fc.string({ unit: 'binary-ascii', maxLength: 300 });
    fc.assert(fc.property(ascii, text => sha256OfAscii(text) === expected(text)));
});
