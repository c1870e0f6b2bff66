/** Tests for `none`: random texts against the reference and against the same text with a function for `none`. */
// @module-tag long
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { testedTexts } from '../arbitrary/tested-texts.js';
import { cases } from '../cases.js';
import { symmetryOf } from '../model-of-text.js';
import { exploreText } from '../passes/explore-text.js';
import { compare } from './compare.js';

/** Random texts with more states than this are passed over. */
const STATE_LIMIT = 200;

test('arithmetic behind a test means what the reference says, and what the same text says with a function', async () => {
    let agreed = 0;
    await fc.assert(
        fc.asyncProperty(testedTexts, async ({ tested, ranked }) => {
            const found = await compare(tested, STATE_LIMIT);
            const before = await compare(ranked, STATE_LIMIT);
            expect(found.kind).toBe(before.kind);
            if (found.kind === 'agreed' && before.kind === 'agreed') {
                agreed++;
                expect(found.states).toBe(before.states);
                expect(found.violations).toEqual(before.violations);
                expect(found.order).toBeGreaterThanOrEqual(before.order);
            }
        }),
        { numRuns: cases(50, 7) },
    );
    expect(agreed).toBeGreaterThan(2);
});

/** What `Slot`s point at, through an array. Nothing is at fault; the three kinds of things are exchanged alike. */
const POINTERS = (condition: string): string => `
type Slot = 0 .. 2
type Who = 0 .. 2
type Place = 0 .. 2
var holder: Who?[Place] = none
var at_: Place[Slot] = any
var ok: bool[Who] = false
process Take[w: Who] {
    loop {
        choose p in Place { take: when holder[p] == none { holder[p] := w } }
        or { flip: ok[w] := !ok[w] }
        or { look: when ${condition} { skip } }
    }
}
process Leave[p: Place] { loop { leave: holder[p] := none } }
process Move[s: Slot] { loop { choose p in Place { move: at_[s] := p } } }
allow deadlock
`;

test('a covered read has no fault, so that the members of a quantifier have no order', async () => {
    const tested = POINTERS('exists s in Slot: holder[at_[s]] != none && ok[holder[at_[s]]]');
    // Without an index: each value is compared, and nothing can be at fault.
    const compared = POINTERS('exists s in Slot, w in Who: holder[at_[s]] == w && ok[w]');
    const open = POINTERS('exists s in Slot: ok[holder[at_[s]]]');
    const orders = [tested, compared, open].map(async text => (await symmetryOf(text)).group.order);
    // 3! for each of slots, places and values; of uncovered reads the first fault counts, so slots keep their order.
    expect(await Promise.all(orders)).toEqual([216n, 216n, 36n]);
    const plain = await exploreText(tested, { reduction: 'none' });
    // 4^3 holders, 3^3 places and 2^3 flags, all of them reached.
    expect(plain.report).toMatchObject({ verdict: 'holds', states: 4 ** 3 * 3 ** 3 * 2 ** 3 });
});
