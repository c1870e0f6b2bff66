/** The outcomes of one firing in all states that a stored one stands for. */
import { expect, test } from 'vitest';
import { NumberOrder } from '../../engine/explore/number-order.js';
import { numberSuccessors, type NumberSteps } from '../../engine/explore/number-successors.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { codesIn } from '../../engine/sequential/numbers/enough-codes.js';
import { loadModel } from '../../language-server/load-model.js';

test('two assertions that fail at different distances are two faults', async () => {
    const text = `
        var x: nat = 0
        var y: nat = 3
        process P {
            look: { x := x + 3; if x + 1 == y { assert false } else if x + 2 == y { assert false } }
        }`;
    const { model } = await loadModel(text, 'file:///test.orbit');
    const { sequential } = linearize(model!);
    const { sorts } = sequential!.numbers!;
    // Distances from three on are one, although the step tells four from five.
    const order = new NumberOrder(sequential!.cells, sorts, [3], codesIn({ sequential: sequential! }));
    const steps: NumberSteps = { order, inexact: new Map() };
    const state = Int32Array.from(sequential!.cells, ({ name }) => (name === 'y' ? 3 : 0));
    const faults: string[] = [];
    numberSuccessors(sequential!, steps).forEachFiring(state, {
        fired: () => true,
        faulted: (_, { kind, range: { start } }) => faults.push(`${kind} ${start.character}`) > 0,
    });
    const line = text.split('\n')[4]!;
    expect(faults).toEqual([`assert ${line.indexOf('assert')}`, `assert ${line.lastIndexOf('assert')}`]);
    expect([...steps.inexact.values()].map(sort => [...sort])).toEqual([[0]]);
});
