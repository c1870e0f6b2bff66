/** Formatting does not change the model of a text, except for the ranges of its parts. */
import { readFileSync, readdirSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatText } from '../../language-server/formatting/format-text.js';
import { loadModel } from '../../language-server/load-model.js';
import { models as randomModels } from '../arbitrary/models.js';
import { printModel } from '../reference/print.js';
import { layouts, piecesOf } from './layouts.js';

const texts = readdirSync('models')
    .filter(file => file.endsWith('.orbit'))
    .map(file => readFileSync(`models/${file}`, 'utf8'));

/** The model of a text without ranges; the problems if there is no model. */
async function meaningOf(text: string): Promise<string> {
    const { model, problems } = await loadModel(text, 'file:///model.orbit');
    return JSON.stringify(model ?? problems.map(({ code, message }) => ({ code, message })), (name, value: unknown) =>
        /range$/i.test(name) ? undefined : value,
    );
}

function formatted(text: string): string {
    const { text: result } = formatText(text, 'file:///model.orbit');
    if (result === undefined) {
        throw new Error('the text has syntax errors');
    }
    return result;
}

test('the models of this project mean the same, however they are laid out', async () => {
    await fc.assert(
        fc.asyncProperty(
            // A random layout may separate a comment from its declaration; formatting may not.
            fc.constantFrom(...texts).chain(layouts),
            async layout => {
                expect(await meaningOf(formatted(layout))).toBe(await meaningOf(layout));
            },
        ),
        { numRuns: 20 },
    );
}, 120_000);

test('random models mean the same, and are laid out at once', async () => {
    await fc.assert(
        fc.asyncProperty(randomModels(), async model => {
            const text = printModel(model);
            const once = formatted(text);
            expect(piecesOf(once)).toEqual(piecesOf(text));
            expect(formatted(once)).toBe(once);
            expect(await meaningOf(once)).toBe(await meaningOf(text));
        }),
        { numRuns: 30 },
    );
}, 120_000);
