/** What `orbit explore` says of the symmetries that it uses. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ExploreDocument } from '../../language-server/document-schema.js';
import { orbit } from './in-process.js';

/** Three lamps that always change together: exchanging them makes no other state. */
const LAMPS = `model Lamps
type Lamp = 0 .. 2
var isOn: bool[Lamp] = false
process Switch {
    loop {
        on: { isOn[0] := true; isOn[1] := true; isOn[2] := true };
        off: { isOn[0] := false; isOn[1] := false; isOn[2] := false };
        wait: skip
    }
}
`;

async function reductionOf(text: string, ...words: string[]): Promise<ExploreDocument['reduction']> {
    const { stdout } = await orbit(['explore', 'm', '--json', ...words], { files: { m: text } });
    return (JSON.parse(stdout) as ExploreDocument).reduction;
}

test('the strategy of each factor, and how much auto uses', async () => {
    // Two servers with three clients each and one with two: (S3 wr S2) × S2.
    const text = readFileSync('models/three-tier.orbit', 'utf8');
    const reduction = await reductionOf(text, '--param', 'clients=3,3,2');
    expect(reduction).toMatchObject({
        order: '144',
        unique: true,
        factors: [
            { strategy: 'sort', unique: true, cells: 8 },
            { strategy: 'sort', unique: true, cells: 2 },
        ],
        choice: { uses: 'group' },
    });
    expect(await reductionOf(text, '--param', 'clients=3,3,2', '--reduction', 'none')).toEqual({
        group: '1',
        order: '1',
        start: 'kept',
        startOrder: '1',
        strategy: 'none',
        unique: false,
    });
});

test('symmetries that save nothing are left out, and the text says why', async () => {
    expect(await reductionOf(LAMPS)).toMatchObject({ order: '1', choice: { uses: 'nothing', statesPerOrbit: 1 } });
    expect(await reductionOf(LAMPS, '--reduction', 'unique')).toMatchObject({ group: 'S3', order: '6', unique: true });
    const { stdout } = await orbit(['explore', 'm'], { files: { m: LAMPS } });
    expect(stdout).toMatch(
        /reduction +none: an orbit has about 1\.0 states, and finding its representative costs as much as/,
    );
});
