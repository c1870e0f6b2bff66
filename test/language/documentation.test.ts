/** Every example of the language's documentation is a model without a problem. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadModel } from '../../language-server/load-model.js';

const documents = [
    'README.md',
    ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map(name => `docs/${name}`),
].filter(name => name.endsWith('.md'));

const examples = documents.flatMap(document =>
    [...readFileSync(document, 'utf8').matchAll(/^```orbit\n([\s\S]*?)^```$/gm)].map((match, index) => ({
        name: `example ${index + 1} of ${document}`,
        text: match[1] ?? '',
    })),
);

describe('documentation', () => {
    test.each(examples)('$name is a model', async ({ text }) => {
        const { problems } = await loadModel(text, 'file:///example.orbit');
        expect(problems.filter(({ severity }) => severity !== 'information')).toEqual([]);
    });

    test('has an example for each part of the language', () => {
        const language = readFileSync('docs/language.md', 'utf8');
        expect(examples.filter(({ name }) => name.endsWith('docs/language.md')).length).toBeGreaterThan(6);
        const grammar = ['orbit', 'expressions'].map(name => readFileSync(`grammar/${name}.langium`, 'utf8')).join('');
        const rules = grammar.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '');
        const keywords = [...rules.matchAll(/'([a-z]{2,})'/g)].map(match => match[1] ?? '');
        const shown = [...language.matchAll(/^```orbit\n([\s\S]*?)^```$/gm)].map(match => match[1]).join('');
        const missing = keywords.filter(word => !new RegExp(`\\b${word}\\b`).test(shown));
        expect(missing).toEqual([]);
    });
});
