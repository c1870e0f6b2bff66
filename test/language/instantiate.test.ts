/** An instance of a family is the model, or the errors, of the text with these values. */
import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compareInstances } from './instances.js';

const PARAMETER = /^\s*param /m;
const MODELS = readdirSync('models')
    .filter(file => file.endsWith('.orbit'))
    .map(file => [file, readFileSync(`models/${file}`, 'utf8')] as const)
    .filter(([, text]) => PARAMETER.test(text));

test.each(MODELS)('%s', async (_, text) => {
    const { differences } = await compareInstances(text, 5);
    expect(differences).toEqual([]);
});
