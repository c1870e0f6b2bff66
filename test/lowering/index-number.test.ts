/** `T[N]` is `T[0 .. N - 1]`, for a parameter and for a constant, as `T[3]` is `T[0 .. 2]`. */
import { expect, test } from 'vitest';
import { loadModel } from '../../language-server/load-model.js';

async function indicesOf(index: string, value: number): Promise<unknown> {
    const text = `param N: 0 .. 4 = 3\nconst M = N\nvar on: bool[${index}, 2]\nprocess P { loop { skip } }\n`;
    const { model, problems } = await loadModel(text, 'file:///index.orbit', new Map([['N', String(value)]]));
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    return model?.variables[0]?.indices;
}

test.each([0, 1, 3, 4])('%i values', async value => {
    const written = await indicesOf('0 .. N - 1', value);
    expect(written).toHaveLength(2);
    expect(await indicesOf('N', value)).toEqual(written);
    expect(await indicesOf('M', value)).toEqual(written);
    expect(await indicesOf(String(value), value)).toEqual(written);
});
