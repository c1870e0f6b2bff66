/** The problems of a model: at least one fixture for each code, and fixtures without problems. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROBLEM_CODES } from '../../language/problems/codes.js';
import { testFixtures } from '../fixture.js';

const folder = import.meta.dirname;

describe('validation', () => {
    testFixtures(folder);
});

/** The codes of the problems that are reported behind the check of the text. */
function engineCodes(): Set<string> {
    const sources = ['sequential', 'explore', 'constraints', 'verdict']
        .map(room => join('engine', room))
        .concat('family')
        .flatMap(room => {
            const path = join(folder, '../..', room);
            const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ts'));
            return names.map(name => readFileSync(join(path, name), 'utf8'));
        });
    return new Set(sources.flatMap(text => [...text.matchAll(/'([a-z]+\/[a-z-]+)'/g)].map(match => match[1] ?? '')));
}

/** Codes that need a long text, bytes that are not UTF-8, or an editor, with the tests that show them. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
    ['file/not-utf-8', '../load-model.test.ts'],
    ['syntax/too-long', '../load-model.test.ts'],
    ['parameter/chosen', '../lsp/parameters.test.ts'],
]);

describe('every code', () => {
    test.each(PROBLEM_CODES)('%s has a fixture of its name', code => {
        const elsewhere = ELSEWHERE.get(code);
        const file = elsewhere ?? `${code.replace('/', '-')}.orbit`;
        expect(readFileSync(join(folder, file), 'utf8')).toContain(elsewhere === undefined ? ` ${code}: ` : code);
    });

    test.each(PROBLEM_CODES)('%s has a paragraph in the manual', code => {
        const manual = readFileSync(join(folder, '../../docs/diagnostics.md'), 'utf8');
        const paragraph = manual.split('\n### ').find(part => part.startsWith(`\`${code}\`\n`));
        expect(paragraph?.trim().split('\n').slice(1).join(' ').trim().length).toBeGreaterThan(20);
    });

    test('the manual describes no code that does not exist', () => {
        const manual = readFileSync(join(folder, '../../docs/diagnostics.md'), 'utf8');
        // Findings of an analysis, an exploration, a test or in a log are no problems of the model.
        const described = [...manual.matchAll(/^### `(?!symmetry\/|explore\/|log\/|tests\/)(.*)`$/gm)].map(
            match => match[1],
        );
        expect(described.sort()).toEqual([...new Set([...PROBLEM_CODES, ...engineCodes()])].sort());
    });
});

test('what is accepted has no error', () => {
    for (const file of readdirSync(folder).filter(name => name.endsWith('-accepted.orbit'))) {
        expect(readFileSync(join(folder, file), 'utf8'), file).not.toMatch(/\^+ error |\| error /);
    }
});
