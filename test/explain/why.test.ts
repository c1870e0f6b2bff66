/** What `--why` says of declarations that only it asks about. */
import { expect, test } from 'vitest';
import { createTextOf } from '../../engine/common/source-text.js';
import { symmetryOf } from '../model-of-text.js';

async function whyOf(text: string): Promise<readonly string[]> {
    const { report } = await symmetryOf(text, { why: true, textOf: createTextOf(() => text) });
    return report.why!.map(({ subject, message }) => `${subject}: ${message}`);
}

test('records that are more without their condition are not said to be interchangeable without it', async () => {
    const why = await whyOf(`
        type Id = 0 .. 3
        record Pair = { a: Id, b: Id where a < b }
        var token: Pair
        var seen: bool[Pair] = false
        process Walk { loop { choose p in Pair where p.a != token.a { go: { seen[token] := true; token := p } } } }
    `);
    // By their first number the pairs are 01 02 03, 12 13, 23; 01 is where the walk starts.
    expect(why).toEqual([
        'values of `Id`: no symmetry moves them; without `a < b` and the default `token = Pair(0, 1)` they would be interchangeable',
        'values of `Pair`: they have C2 x C2, not S6; no places of the text were found without which they would be interchangeable',
    ]);
});
