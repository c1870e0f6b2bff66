import { expect, test } from 'vitest';
import type { Model } from '../../engine/model/model.js';
import { differencesOf } from '../../engine/explain/process-differences.js';
import { modelOf } from '../model-of-text.js';

/** A counter in each of many processes; those of `odd` count up to 3. */
function counters(count: number, odd: readonly number[]): Promise<Model> {
    const numbers = Array.from({ length: count }, (_, number) => number);
    const text = [
        'model Counters',
        ...numbers.map(number => `var c${number}: 0 .. 3 = 0`),
        ...numbers.map(
            number =>
                `process P${number} { loop { when c${number} < ${odd.includes(number) ? 3 : 2} { c${number} := 1 } } }`,
        ),
    ].join('\n');
    return modelOf(text);
}

function differencesAmongAll(model: Model): readonly (string | undefined)[] {
    const all = model.processes.map((_, process) => process);
    return differencesOf(model, all, () => undefined).map(({ instead }) => instead);
}

test('few that differ are told by what most of them say, wherever they stand', async () => {
    expect(differencesAmongAll(await counters(5, [0, 1]))).toEqual(['c0 < 2', 'c1 < 2']);
    expect(differencesAmongAll(await counters(5, [3, 4]))).toEqual(['c3 < 2', 'c4 < 2']);
    expect(differencesAmongAll(await counters(40, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]))).toHaveLength(12);
});

test('many that differ are no slips', async () => {
    expect(differencesAmongAll(await counters(40, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]))).toEqual([]);
});

test('many processes are not compared each with each', async () => {
    const model = await counters(100, [0]);
    let compared = 0;
    const counted: Model = {
        ...model,
        get processes() {
            compared++;
            return model.processes;
        },
    };
    expect(
        differencesOf(
            counted,
            model.processes.map((_, process) => process),
            () => undefined,
        ),
    ).toHaveLength(1);
    expect(compared).toBeLessThan(3 * model.processes.length);
});
