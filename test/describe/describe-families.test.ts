/** What is said of families that symmetries exchange with each other. */
import { expect, test } from 'vitest';
import type { SymmetryReport } from '../../engine/describe/report.js';
import { createTextOf } from '../../engine/common/source-text.js';
import { symmetryOf } from '../model-of-text.js';

async function reportOf(text: string): Promise<SymmetryReport> {
    return (await symmetryOf(text, { textOf: createTextOf(() => text) })).report;
}

function summaryOf({ families }: SymmetryReport): readonly string[] {
    return families.map(({ name, structure, order, orbits }) => `${name} ${structure} ${order} ${orbits.length}`);
}

/** The nine tiles of a puzzle; a row or a column is moved on by one place. */
const ROWS_AND_COLUMNS = `
    type C = 0 .. 2
    var tile: 0 .. 8[C, C] = [r, c in C: 3 * r + c]
    process Row[r: C] {
        loop {
            choose { right: { let t = tile[r, 2]; tile[r, 2] := tile[r, 1]; tile[r, 1] := tile[r, 0]; tile[r, 0] := t } }
            or { left: { let t = tile[r, 0]; tile[r, 0] := tile[r, 1]; tile[r, 1] := tile[r, 2]; tile[r, 2] := t } }
        }
    }
    process Column[c: C] {
        loop {
            choose { down: { let t = tile[2, c]; tile[2, c] := tile[1, c]; tile[1, c] := tile[0, c]; tile[0, c] := t } }
            or { up: { let t = tile[0, c]; tile[0, c] := tile[1, c]; tile[1, c] := tile[2, c]; tile[2, c] := t } }
        }
    }
`;

test('rows that become columns may come back in another order', async () => {
    const report = await reportOf(ROWS_AND_COLUMNS);
    // Any order of rows, any order of columns, and the two exchanged: 3! · 3! · 2, tiles come along.
    expect(report.order).toBe('72');
    expect(summaryOf(report)).toEqual(['Row S3 6 1', 'Column S3 6 1']);
    expect(report.broken).toEqual([]);
});

test.each([3, 12])('the instances of two families of %d that are all alike are so in each of them', async size => {
    const loops =
        '{ loop { choose { raise: when up < 3 { up := up + 1 } } or { lower: when up > 0 { up := up - 1 } } } }';
    const family = (name: string): string =>
        `process ${name}[i: 1 .. ${size}] { var on: bool = any loop { flip: { on := !on; up := 3 - up } } }`;
    const report = await reportOf(`var up: 0 .. 3 = any ${family('P')} ${family('Q')} process Other ${loops}`);
    const order = Array.from({ length: size }, (_, index) => BigInt(index + 1)).reduce((a, b) => a * b);
    expect(summaryOf(report)).toEqual([`P S${size} ${order} 1`, `Q S${size} ${order} 1`]);
});
