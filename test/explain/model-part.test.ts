/** The part of a model that a question is about: what shares nothing with it is left out, and nothing else is. */
import { describe, expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { createTextOf } from '../../engine/common/source-text.js';
import { ModelParts } from '../../engine/explain/model-part.js';
import { modelOf, symmetryOf } from '../model-of-text.js';

const LEFT = `
type Id = 0 .. 2
var x: 0 .. 2[Id] = 0
process P[i: Id] { loop { up: when x[i] < 2 && i != 1 { x[i] := x[i] + 1 } } }`;

const RIGHT = `
type Key = 0 .. 2
var y: 0 .. 2[Key] = any
init y[0] == 0
process Q[k: Key] { loop { down: when y[k] > 0 { y[k] := y[k] - 1 } } }`;

/** The processes that still do something in the part that is about the type; undefined where all do. */
async function processesAbout(type: string, text: string): Promise<string[] | undefined> {
    const model = await modelOf(text);
    const domain = model.types.find(({ name }) => name === type)?.domain;
    invariant(domain !== undefined, 'the type is declared');
    const part = new ModelParts(model).about({ types: [domain], processes: [] });
    return part?.model.processes.filter(({ body }) => body.length > 0).map(({ name }) => name);
}

test('what shares nothing with the type is left out', async () => {
    expect(await processesAbout('Id', LEFT + RIGHT)).toEqual(['P']);
    expect(await processesAbout('Key', LEFT + RIGHT)).toEqual(['Q']);
});

test('a type in two parts that share nothing else is in both of them', async () => {
    expect(await processesAbout('Id', `${LEFT + RIGHT}\nvar z: Id[Key] = 0`)).toEqual(['P']);
    const both = `${LEFT + RIGHT}\nprocess R { loop { choose i in Id { go: when y[0] == 2 && i == 1; } } }`;
    expect(await processesAbout('Id', both)).toBeUndefined();
});

describe('parts are one that share', () => {
    test.each([
        ['a variable', 'process R { loop { go: when x[0] == 1 { y[0] := 0 } } }'],
        [
            'a variable of a function',
            'function first(): bool = x[0] == 1\nprocess R { loop { go: when first() { y[0] := 0 } } }',
        ],
        ['an initial condition', 'init x[0] == y[1]'],
        ['where a process is', 'process R { loop { go: when P[0] at up { y[0] := 0 } } }'],
        ['an event', 'event e\nprocess R { loop { e { y[0] := 0 } } }\nprocess S { loop { e { x[0] := 0 } } }'],
        [
            'a channel',
            'channel c: 1 of bool\nprocess R { loop { c ! true { y[0] := 0 } } }\nprocess S { loop { c ? true { x[0] := 0 } } }',
        ],
        [
            'a channel that is a value',
            `channel c: 1 of bool
            process R { var to: channel of bool = c loop { to ! true { y[0] := 0 } } }
            process S { loop { c ? true { x[0] := 0 } } }`,
        ],
    ])('%s', async (_, link) => {
        expect(await processesAbout('Id', `${LEFT + RIGHT}\n${link}`)).toBeUndefined();
    });
});

test('what is said of a model is the same where another part stands beside it', async () => {
    const brokenIn = async (text: string): Promise<string[]> => {
        const { report } = await symmetryOf(text, { textOf: createTextOf(() => text) });
        return report.broken.map(({ message }) => message);
    };
    const left = await brokenIn(LEFT);
    const right = await brokenIn(RIGHT);
    expect([left.length, right.length]).toEqual([1, 1]);
    expect(await brokenIn(LEFT + RIGHT)).toEqual([...left, ...right]);
});
