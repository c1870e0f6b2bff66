/** The codes that a search happens to have for numbers without end decide nothing. */
import { expect, test } from 'vitest';
import { linearizeWithCodes } from '../../engine/sequential/numbers/enough-codes.js';
import { printSequentialModel } from '../../engine/sequential/print.js';
import { modelOf } from '../model-of-text.js';
import { explored } from './explored.js';

test('a test beyond the codes is no constant, and a sum beyond them no fault of the model', async () => {
    const model = await modelOf(`
        var x: nat = 0
        var y: nat = 0
        process P { loop { choose { up: when x < 40 { x := x + 1 } } or { far: when x == 50 { y := x + 30 } } } }
        invariant near = x <= 60`);
    const [few, many] = [8, 1000].map(codes => {
        const { sequential, problems } = linearizeWithCodes(model, codes);
        expect(problems).toEqual([]);
        return printSequentialModel(sequential!).replaceAll(/0 \.\. \d+/g, 'all');
    });
    expect(few).toContain('x < 40');
    expect(few).toContain('x <= 60');
    expect(few).toBe(many);
});

test('passes, which do not know of these numbers, leave them alone', async () => {
    const text = `
        type I = 1 .. 9
        var all: nat[I] = 0
        var level: 0 .. 1000 = 0
        process P { var last: nat loop { up: { last := all[1]; all[1] := last + 1; level := 1 } } }
        invariant small = level < 2`;
    const plain = await explored(text);
    const asked = await explored(text, { passes: ['cone', 'reset', 'merge', 'narrow'] });
    expect(asked.passes).toBeUndefined();
    expect(asked).toMatchObject({
        states: plain.states,
        transitions: plain.transitions,
        bytesPerState: plain.bytesPerState,
    });
});
