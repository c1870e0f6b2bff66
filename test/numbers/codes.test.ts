/** The codes that a search happens to have for numbers without end decide nothing. */
import { expect, test } from 'vitest';
import { NOWHERE } from '../../engine/common/source-range.js';
import { boundsOf, MOST_NUMBER } from '../../engine/sequential/expression/bounds.js';
import { linearizeWithCodes } from '../../engine/sequential/numbers/enough-codes.js';
import { printSequentialModel } from '../../engine/sequential/print.js';
import { modelOf } from '../model-of-text.js';
import { exploreText } from '../passes/explore-text.js';

test('a test beyond the codes is no constant, and a sum beyond them no fault of the model', async () => {
    const model = await modelOf(`
        var x: nat = 0
        var y: nat = 0
        channel c: 0 of nat
        process P { loop { choose { up: when x < 40 { x := x + 1 } } or { far: when x == 50 { y := x + 30 } } or { send: c ! x + 9 } } }
        process Q { loop { take: c ? y } }
        invariant near = x <= 60`);
    const [few, many] = [8, 1000].map(codes => {
        const { sequential, problems } = linearizeWithCodes(model, codes);
        expect(problems).toEqual([]);
        const cell = sequential!.cells.findIndex(({ name }) => name === 'x');
        const bounds = boundsOf({ kind: 'cell', cell, range: NOWHERE }, sequential!.cells);
        expect([bounds.low, bounds.high]).toEqual([0, MOST_NUMBER]);
        return printSequentialModel(sequential!).replaceAll(/0 \.\. \d+/g, 'all');
    });
    expect(few).toContain('x < 40');
    expect(few).toContain('x <= 60');
    expect(few).toBe(many);
});

test('passes, which do not know of these numbers, leave them alone', async () => {
    const text = (type: string): string => `
        type I = 1 .. 9
        var all: ${type}[I] = 0
        var level: 0 .. 1000 = 0
        process P { var last: ${type} loop { up: when all[1] < 3 { last := all[1]; all[1] := last + 1; level := 1 } } }
        invariant small = level < 2
        allow deadlock`;
    const named = { passes: ['cone', 'reset', 'merge', 'narrow'] } as const;
    expect((await exploreText(text('0 .. 9'), named)).passes).toHaveLength(4);
    for (const options of [{}, named]) {
        const { passes, report } = await exploreText(text('nat'), options);
        expect([passes, report.verdict, report.states]).toEqual([[], 'holds', 4]);
    }
});
