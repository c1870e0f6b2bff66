/** The names of the places of a process, as traces show them. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { linearize } from '../../engine/sequential/linearize.js';
import { modelOf } from '../model-of-text.js';

async function namesOf(text: string): Promise<readonly string[]> {
    const { sequential } = linearize(await modelOf(text));
    return sequential?.instances[0]?.locations.map(({ name }) => name) ?? [];
}

test('an event that occurs once has its name, one that occurs several times its indices, too', async () => {
    const names = await namesOf(readFileSync('models/dining-philosophers.orbit', 'utf8'));
    expect(names).toEqual(['get[0, 1]', 'get[0, 0]', 'eat', 'put[0, 1]', 'put[0, 0]']);
});

test('indices have the values of the instance, and the text where they depend on the state', async () => {
    const text = `model m
type Id = 0 .. 2
event go[Id, Id]
channel link[Id]: 1 of Id
process P[i: Id] {
    var k: Id = 0
    for j in Id { if j != i { go[i, j] } };
    go[k, i];
    link[(i + 2) mod 3] ! i;
    link[k] ! i;
    link[i] ? k
}
`;
    expect(await namesOf(text)).toEqual([
        'go[0, 1]',
        'go[0, 2]',
        'go[k, 0]',
        'send link[2]',
        'send link[k]',
        'receive link',
        'end',
    ]);
});

test('a label comes first, and what is still alike has a number', async () => {
    const text = `model m
event go[0 .. 1]
process P { go[0]; first: go[1]; go[0] }
process Q { loop { choose { go[0] } or { go[1] } } }
`;
    expect(await namesOf(text)).toEqual(['go[0]', 'first', 'go[0] (2)', 'end']);
});
