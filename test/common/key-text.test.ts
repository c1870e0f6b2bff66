/** Keys are equal where the same was written, and nowhere else. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeyText } from '../../engine/common/key-text.js';

type Part = number | string;

function keyOf(parts: readonly Part[], key = new KeyText()): string {
    key.begin();
    for (const part of parts) {
        if (typeof part === 'number') {
            key.number(part);
        } else {
            key.text(part);
        }
    }
    return key.finish();
}

const number = fc.oneof(
    fc.integer({ min: 0, max: 3 }),
    fc.constantFrom(-1, 65_534, 65_535, 65_536, 0.5, -Infinity, Infinity),
);

test('what is written in the same kinds has one key only where it is the same', () => {
    // The kinds are the same on both sides, as where what comes first tells what follows.
    const both = fc
        .array(fc.boolean(), { maxLength: 6 })
        .chain(kinds =>
            fc.tuple(
                fc.tuple(...kinds.map(isNumber => (isNumber ? number : fc.string({ maxLength: 3 })))),
                fc.tuple(...kinds.map(isNumber => (isNumber ? number : fc.string({ maxLength: 3 })))),
            ),
        );
    fc.assert(
        fc.property(both, ([first, second]) => {
            const key = new KeyText();
            expect(keyOf(first, key) === keyOf(second, key)).toBe(
                JSON.stringify(first.map(String)) === JSON.stringify(second.map(String)),
            );
        }),
        { numRuns: 2000 },
    );
});

test('a long key is whole', () => {
    const parts = Array.from({ length: 30_000 }, (_, index) => index % 7);
    const key = keyOf(parts);
    expect(key.length).toBe(30_000);
    expect(key).not.toBe(keyOf([...parts.slice(0, -1), 6]));
    expect(key).toBe(keyOf(parts));
});
