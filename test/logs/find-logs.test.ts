/** The files that `logs` of a mapping names. */
import { expect, test } from 'vitest';
import { findLogs, type FolderEntry } from '../../logs/find-logs.js';

/** A folder is an object, a file is `1`, and a text is a link to a folder, from the outermost one on. */
interface Folder {
    readonly [name: string]: 1 | string | Folder;
}

const TREE: Folder = {
    models: {
        'raft.jsonl': 1,
        'a+b.jsonl': 1,
        logs: {
            'b.jsonl': 1,
            'a.jsonl': 1,
            'a.txt': 1,
            old: { 'c.jsonl': 1, '.hidden': { 'd.jsonl': 1 } },
            back: 'models',
        },
        node_modules: { 'e.jsonl': 1 },
    },
    traces: { 'f.jsonl': 1 },
};

async function found(...patterns: readonly string[]): Promise<readonly string[]> {
    const paths = await findLogs(patterns, path => {
        const names = ['models'];
        path.forEach(name => (name === '..' ? names.pop() : names.push(name)));
        const folder = names.reduce<Folder[string] | undefined>((outer, name) => {
            const entry = typeof outer === 'object' ? outer[name] : undefined;
            return typeof entry === 'string' ? TREE[entry] : entry;
        }, TREE);
        const entries = typeof folder === 'object' ? Object.entries(folder) : [];
        return Promise.resolve(
            entries.map(([name, entry]) => ({ name, isFile: entry === 1, isLink: typeof entry === 'string' })),
        );
    });
    return paths.map(path => path.join('/'));
}

test.each([
    [['raft.jsonl'], ['raft.jsonl']],
    [['./logs/*.jsonl'], ['logs/a.jsonl', 'logs/b.jsonl']],
    [
        ['logs/?.jsonl', 'logs/a.*'],
        ['logs/a.jsonl', 'logs/a.txt', 'logs/b.jsonl'],
    ],
    [['**/*.jsonl'], ['a+b.jsonl', 'logs/a.jsonl', 'logs/b.jsonl', 'logs/old/c.jsonl', 'raft.jsonl']],
    [['logs/back/*.jsonl'], ['logs/back/a+b.jsonl', 'logs/back/raft.jsonl']],
    [['../traces/*.jsonl'], ['../traces/f.jsonl']],
    [['a+b.jsonl', 'aab.jsonl', 'logs', 'nowhere/*', ''], ['a+b.jsonl']],
])('%j', async (patterns, expected) => {
    expect(await found(...patterns)).toEqual(expected);
});

test('a pattern is as its regular expression, and no pattern takes long', async () => {
    const filesIn = async (names: readonly string[], pattern: string): Promise<readonly string[]> => {
        const entries = names.map(name => ({ name, isFile: true, isLink: false }));
        return (await findLogs([pattern], () => Promise.resolve(entries))).map(path => path.join('/'));
    };
    const wordsOf = (letters: string, length: number): readonly string[] =>
        length === 0 ? [''] : wordsOf(letters, length - 1).flatMap(word => [...letters].map(letter => word + letter));
    const names = [1, 2, 3, 4].flatMap(length => wordsOf('ab', length));
    for (const pattern of [1, 3, 4].flatMap(length => wordsOf('ab*?', length)).filter(word => word !== '**')) {
        const expression = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`);
        expect(await filesIn(names, pattern), pattern).toEqual(names.filter(name => expression.test(name)).sort());
    }
    expect(await filesIn(['a'.repeat(200)], `${'*a'.repeat(20)}*b`)).toEqual([]);
});

test('folders without end are an error, each is listed once, and never two at a time', async () => {
    const folder = (name: string): FolderEntry => ({ name, isFile: false, isLink: false });
    await expect(findLogs(['**/*.jsonl'], () => Promise.resolve([folder('again')]))).rejects.toThrow(
        "'logs' leads through more than 1,000 folders: name one before '**'",
    );
    const listed: string[] = [];
    let isListing = false;
    const tree = async (path: readonly string[]): Promise<readonly FolderEntry[]> => {
        expect(isListing).toBe(false);
        isListing = true;
        await Promise.resolve();
        isListing = false;
        listed.push(path.join('/'));
        return path.length < 2 ? [folder('one'), folder('two')] : [{ name: 'log', isFile: true, isLink: false }];
    };
    expect((await findLogs(['**/log', '*/one/log'], tree)).map(path => path.join('/'))).toEqual([
        'one/one/log',
        'one/two/log',
        'two/one/log',
        'two/two/log',
    ]);
    expect([...listed].sort()).toEqual(['', 'one', 'one/one', 'one/two', 'two', 'two/one', 'two/two']);
});
