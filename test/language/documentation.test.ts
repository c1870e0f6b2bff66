/**
 * Examples in the documentation are models without a problem in which nothing goes wrong; those marked `rejected CODE`
 * have just that problem. An example that begins with `// name.orbit` is the file that others of its page import.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { startExploration } from '../../engine/pipeline.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { formatText } from '../../language-server/formatting/format-text.js';
import { loadModel } from '../../language-server/load-model.js';

interface Example {
    readonly name: string;
    readonly page: string;
    readonly text: string;
    /** The only code of a problem that it must have. */
    readonly rejected: string | undefined;
}

const languagePages = [
    'docs/language.md',
    ...readdirSync('docs/language')
        .filter(name => name.endsWith('.md'))
        .map(name => `docs/language/${name}`),
];

const documents = [
    'README.md',
    ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
        .filter(name => name.endsWith('.md'))
        .map(name => `docs/${name.replaceAll('\\', '/')}`),
];

function examplesOf(document: string): Example[] {
    return [...readFileSync(document, 'utf8').matchAll(/^```orbit(?: rejected (\S+))?\n([\s\S]*?)^```$/gm)].map(
        ([, rejected, text = ''], index) => ({
            name: `example ${index + 1} of ${document}`,
            page: document,
            text,
            rejected,
        }),
    );
}

function fileNameOf(text: string): string | undefined {
    return /^\/\/ (\w+\.orbit)\n/.exec(text)?.[1];
}

function grammarWords(): string[] {
    const grammar = ['orbit', 'expressions'].map(name => readFileSync(`grammar/${name}.langium`, 'utf8')).join('');
    const rules = grammar.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '');
    return [...new Set([...rules.matchAll(/'([a-z]{2,})'/g)].map(match => match[1] ?? ''))];
}

describe('documentation', () => {
    const examples = documents.flatMap(examplesOf);

    test.each(examples)('$name is what it says', async ({ page, text, rejected }) => {
        const files = new Map(
            examples.filter(other => other.page === page).map(other => [fileNameOf(other.text), other]),
        );
        const loaded = await loadModel(text, 'file:///example.orbit', [], uri => {
            const imported = files.get(uri.replace('file:///', ''));
            return Promise.resolve(imported === undefined ? { reason: 'no such example' } : { content: imported.text });
        });
        const linearized = loaded.model === undefined ? undefined : linearize(loaded.model);
        const problems = [...loaded.problems, ...(linearized?.problems ?? [])];
        const codes = problems.filter(({ severity }) => severity !== 'information').map(({ code }) => code);
        // A file that others import may do without a process.
        const isImported = fileNameOf(text) !== undefined;
        expect(isImported ? codes.filter(code => code !== 'model/no-process') : codes).toEqual(
            rejected === undefined ? [] : [rejected],
        );
        if (linearized?.sequential !== undefined && page.startsWith('docs/language')) {
            const { sequential } = linearized;
            const { exploration } = startExploration(
                { model: loaded.model!, sequential },
                { reduction: 'none' },
                UNLIMITED,
            );
            exploration.advance(UNLIMITED);
            expect(exploration.result().report).toMatchObject({ verdict: 'holds' });
        }
    });

    test.each(languagePages.flatMap(examplesOf))('$name is laid out', ({ text }) => {
        expect(formatText(text, 'file:///example.orbit')).toEqual({ text });
    });

    test('has an example for each word of the language', () => {
        const shown = languagePages
            .flatMap(examplesOf)
            .map(({ text }) => text.replaceAll(/\/\/.*/g, ''))
            .join('');
        expect(grammarWords().filter(word => !new RegExp(`\\b${word}\\b`).test(shown))).toEqual([]);
    });

    test('has examples on each page of the language', () => {
        const without = languagePages.filter(page => examplesOf(page).length === 0);
        expect(without).toEqual(['docs/language/grammar.md']);
    });

    test('lists the words that cannot be names, and those that can', () => {
        const page = readFileSync('docs/language/grammar.md', 'utf8');
        const [, words] = page.split('## Words');
        const listed = [...(words ?? '').matchAll(/\b[a-z]{2,}\b/g)].map(([word]) => word);
        expect(grammarWords().filter(word => !listed.includes(word))).toEqual([]);
    });
});
