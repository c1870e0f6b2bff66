/** An instance of a family is the model, or the errors, of the text with these values, for a tree that was posted, too. */
// @module-tag long
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { cases } from '../cases.js';
import { compareInstances } from './instances.js';
import { RANDOM_TEXTS } from './random-texts.js';

const MODELS = readdirSync('models')
    .filter(file => file.endsWith('.orbit'))
    .map(file => [file, readFileSync(`models/${file}`, 'utf8')] as const)
    .filter(([, text]) => /^param /m.test(text));

test.each(MODELS)('%s', async (_, text) => {
    const { points, differences } = await compareInstances(text, cases(5));
    expect(differences).toEqual([]);
    // The types of all parameters but tables have several values.
    expect(points > 1 || /^param .*\[.*\] =/m.test(text)).toBe(true);
});

describe.each(Object.entries(RANDOM_TEXTS))('random texts, %s', (_, textOf) => {
    test('have the instances that they have by their check', async () => {
        let models = 0;
        for (let index = 0; index < cases(50, 7); index++) {
            const { points, errors, differences } = await compareInstances(textOf(1, index), 3);
            expect(differences).toEqual([]);
            models += points - errors;
        }
        expect(models).toBeGreaterThan(0);
    });
});

const FILES: Readonly<Record<string, string>> = {
    'file:///cells.orbit': 'import "sizes.orbit"\ntype Cell = 1 .. N\nvar here: Cell = 2\nvar never: bool = false\n',
    'file:///sizes.orbit': 'param N: 0 .. 9 = 3\nparam most: 0 .. 9 = 1\n',
};
const IMPORTING = `import "cells.orbit"
process P[i: Cell] { move: when here != i { here := i } }
invariant low = here <= most
`;

test('an instance of a text with imports tells of errors in their files', async () => {
    const { points, errors, differences } = await compareInstances(IMPORTING, 4, {
        given: [['most', 'N + 1']],
        readImport: uri => Promise.resolve({ content: FILES[uri] ?? '' }),
    });
    expect(differences).toEqual([]);
    // `var here: Cell = 2` is an error for N = 0 and N = 1.
    expect([points, errors]).toEqual([5, 2]);
});

test('what a text ignores is ignored in its instances', async () => {
    const text = `param N: 1 .. 4 = 1
var x: 0 .. N = 0
process P[i: 1 .. N] { loop { x := (x + i) mod (N + 1) } } // orbit-ignore variable/never-read
`;
    expect((await compareInstances(text, 3)).differences).toEqual([]);
});
