/** Initial states that statements compute, as the list of a model and as what a search begins with. */
import { expect, test } from 'vitest';
import { InitialStates } from '../../engine/explore/initial/initial-states.js';
import { sequentialOf } from '../model-of-text.js';

async function startsOf(text: string): Promise<string[]> {
    const model = await sequentialOf(text);
    const states = new InitialStates(model);
    const state = new Int32Array(model.cells.length);
    const found: string[] = [];
    while (states.nextInto(state)) {
        expect(states.includes(state)).toBe(true);
        found.push(state.slice(0, 2).join(' '));
    }
    return found.sort();
}

const PROCESS = 'process P { l: { a := 0; b := 0 } }\nallow deadlock\n';

test('there is one for each value of the indices that satisfies the condition', async () => {
    const text = `var a: 0 .. 3 = 0\nvar b: 0 .. 3 = 0\ninit s[i: 0 .. 2, j: 0 .. 3 where i < j] { a := i; b := j }\n${PROCESS}`;
    // The pairs i < j: three with 0, two with 1, one with 2.
    expect(await startsOf(text)).toEqual(['0 1', '0 2', '0 3', '1 2', '1 3', '2 3']);
});

test('a single body leaves values like those of declarations, and no list', async () => {
    const model = await sequentialOf(`var a: 0 .. 3 = 1\nvar b: 0 .. 3 = a\ninit s { a := a + b }\n${PROCESS}`);
    expect(model.startList).toBeUndefined();
    expect(model.initial.map(({ value }) => value.kind === 'value' && value.expression)).toMatchObject([
        { kind: 'constant', value: 2 },
        { kind: 'constant', value: 1 },
        {},
    ]);
});

test('what no body writes keeps its choice, and what only some write has it in the others', async () => {
    const text = `var a: 0 .. 1 = any\nvar b: 0 .. 1 = any\ninit s { a := 1 }\ninit t { a := 0; b := 0 }\n${PROCESS}`;
    expect(await startsOf(text)).toEqual(['0 0', '1 0', '1 1']);
});

test('equal results of several bodies are one initial state', async () => {
    const text = `var a: 0 .. 3 = 0\nvar b: 0 .. 3 = 0\ninit s[i: 0 .. 3] { a := i div 2 }\ninit t { a := 1 }\n${PROCESS}`;
    expect(await startsOf(text)).toEqual(['0 0', '1 0']);
});
