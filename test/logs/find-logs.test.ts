/** The files that `logs` of a mapping names. */
import { expect, test } from 'vitest';
import { findLogs } from '../../logs/find-logs.js';

/** A folder is an object, a file is `1`. */
interface Folder {
    readonly [name: string]: 1 | Folder;
}

const TREE: Folder = {
    models: {
        'raft.jsonl': 1,
        'a+b.jsonl': 1,
        logs: { 'b.jsonl': 1, 'a.jsonl': 1, 'a.txt': 1, old: { 'c.jsonl': 1, '.hidden': { 'd.jsonl': 1 } } },
        node_modules: { 'e.jsonl': 1 },
    },
    traces: { 'f.jsonl': 1 },
};

async function found(...patterns: readonly string[]): Promise<readonly string[]> {
    const paths = await findLogs(patterns, path => {
        const names = ['models'];
        path.forEach(name => (name === '..' ? names.pop() : names.push(name)));
        const folder = names.reduce<1 | Folder | undefined>(
            (outer, name) => (typeof outer === 'object' ? outer[name] : undefined),
            TREE,
        );
        const entries = typeof folder === 'object' ? Object.entries(folder) : [];
        return Promise.resolve(entries.map(([name, entry]) => ({ name, isFile: entry === 1 })));
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
    [['../traces/*.jsonl'], ['../traces/f.jsonl']],
    [['a+b.jsonl', 'aab.jsonl', 'logs', 'nowhere/*', ''], ['a+b.jsonl']],
])('%j', async (patterns, expected) => {
    expect(await found(...patterns)).toEqual(expected);
});
