/** Each citation has its reference and each link its file; the calls in the README give what it shows. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { orbit } from './cli/in-process.js';

const CODE_FOLDERS = [
    'engine',
    'language',
    'family',
    'library',
    'logs',
    'cli',
    'language-server',
    'vscode-extension',
    'test',
    'models',
    'docs',
    'bench',
];

function filesBelow(folder: string, pattern: RegExp): string[] {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter(entry => entry.isFile() && pattern.test(entry.name))
        .map(entry => join(entry.parentPath, entry.name))
        .filter(file => !/(^|\/)(node_modules|generated|\.cache)\//.test(file.replaceAll('\\', '/')));
}

/** `[McKayPiperno2014, §3; Darga2008]`: capitalized names that end in a year, separated by semicolons or commas. */
function citedKeys(text: string): string[] {
    return [...text.matchAll(/\[([A-Z][A-Za-z]*\d{4}[^\]\n]*)\]/g)].flatMap(([, inside]) =>
        [...(inside ?? '').matchAll(/\b[A-Z][A-Za-z]*\d{4}\b/g)].map(([key]) => key),
    );
}

describe('citations', () => {
    const references = readFileSync('docs/references.md', 'utf8');
    const known = new Set([...references.matchAll(/^- \*\*\[(\w+)\]\*\*/gm)].map(([, key]) => key ?? ''));
    const citing = CODE_FOLDERS.flatMap(folder => filesBelow(folder, /\.(ts|md|orbit)$/)).filter(
        file => !file.endsWith('documentation.test.ts'),
    );

    test('name a reference that there is', () => {
        const unknown = citing.flatMap(file =>
            citedKeys(readFileSync(file, 'utf8'))
                .filter(key => !known.has(key))
                .map(key => `${file}: ${key}`),
        );
        expect(unknown).toEqual([]);
        expect(known.size).toBeGreaterThan(10);
    });
});

describe('links', () => {
    const documents = [
        ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md'].filter(file => existsSync(file)),
        ...['docs', 'models', 'bench'].flatMap(folder => filesBelow(folder, /\.md$/)),
    ];

    test.each(documents)('in %s lead to files', document => {
        const text = readFileSync(document, 'utf8').replaceAll(/```[\s\S]*?```/g, '');
        const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? '');
        const broken = targets
            .filter(target => !/^(https?:|mailto:|#)/.test(target))
            .filter(target => !existsSync(join(dirname(document), target.replace(/#.*$/, ''))));
        expect(broken).toEqual([]);
    });
});

describe('what the README shows', () => {
    const readme = readFileSync('README.md', 'utf8');
    const lock = /```orbit\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    const calls = [...readme.matchAll(/```\n\$ npx orbit ([^\n]*)\n([\s\S]*?)```/g)];

    /** Times and rates differ from run to run, and a short one has no share that representatives take. */
    const withoutTimes = (text: string): string =>
        text
            .replaceAll(/[\d.]+ (ms|s)\b/g, '… s')
            .replaceAll(/[\d,]+ states\/s/g, '… states/s')
            .replaceAll(/; representatives take \d+ % of the time/g, '');

    test.each(calls.map(([, call, output]) => [call ?? '', output ?? '']))('orbit %s', async (call, output) => {
        const words = call.split(' ');
        const files = Object.fromEntries(
            words.filter(word => existsSync(word) && word.endsWith('.orbit')).map(file => [file, readFileSync(file)]),
        );
        const { stdout } = await orbit(words, { files: { ...files, 'lock.orbit': lock } });
        expect(withoutTimes(stdout)).toBe(withoutTimes(output));
    });

    test('is more than nothing', () => {
        expect(calls.length).toBeGreaterThanOrEqual(3);
    });

    test('a place that breaks the symmetry of the token ring is named', async () => {
        const original = readFileSync('models/token-ring.orbit', 'utf8');
        const text = original.replace('rule1: when !leader', 'rule1: when u != 0 && !leader');
        const { stdout } = await orbit(['symmetry', 'ring.orbit'], { files: { 'ring.orbit': text } });
        const [, shown] = /```\n(Broken [\s\S]*?)```/.exec(readme) ?? [];
        expect(shown).toBeDefined();
        expect(stdout).toContain(shown);
    });
});
