/** `orbit export --to dot|aut|json`: the state graph and its quotient, against what an exploration counts. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ExploreDocument } from '../../language-server/document-schema.js';
import { orbit } from './in-process.js';

interface StateGraphDocument {
    readonly initial: readonly number[];
    readonly states: readonly { readonly state: Record<string, unknown>; readonly orbitSize: number }[];
    readonly transitions: readonly { from: number; process: string; label: string; to?: number; fault?: string }[];
}

const run = (text: string, ...words: string[]) =>
    orbit([words[0] ?? '', 'm', ...words.slice(1)], { files: { m: text } });

async function graphOf(text: string, ...words: string[]): Promise<StateGraphDocument> {
    const outcome = await run(text, 'export', '--to', 'json', ...words);
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    return JSON.parse(outcome.stdout) as StateGraphDocument;
}

async function exploredBy(text: string, reduction: string, parameter: string): Promise<ExploreDocument> {
    const words = ['--continue', '--reduction', reduction, '--param', parameter, '--json'];
    return JSON.parse((await run(text, 'explore', ...words)).stdout) as ExploreDocument;
}

describe.each([
    ['token-ring', 'N=3'],
    ['dining-philosophers', 'N=4'],
    ['semaphore-mutex', 'N=4'],
    ['peterson', 'N=3'],
])('%s with %s', (name, parameter) => {
    const text = readFileSync(`models/${name}.orbit`, 'utf8');

    test('has the states and transitions that an exploration counts', async () => {
        const { states, transitions } = await graphOf(text, '--param', parameter);
        const explored = await exploredBy(text, 'none', parameter);
        expect([states.length, transitions.length]).toEqual([explored.states, explored.transitions]);
        expect(states.every(({ orbitSize }) => orbitSize === 1)).toBe(true);
    });

    test('has a quotient with a state for each orbit, whose sizes add up', async () => {
        const { states, transitions } = await graphOf(text, '--param', parameter, '--reduction', 'unique');
        const reduced = await exploredBy(text, 'unique', parameter);
        const explored = await exploredBy(text, 'none', parameter);
        expect([states.length, transitions.length]).toEqual([reduced.states, reduced.transitions]);
        expect(states.reduce((sum, { orbitSize }) => sum + orbitSize, 0)).toBe(explored.states);
    });
});

const coin = (guard: string): string =>
    ['model M', 'var x: 0 .. 1 = any', `process P { loop { up: ${guard}{ x := x + 1 } } }`, 'allow deadlock'].join(
        '\n',
    );

test('a fault leads nowhere', async () => {
    expect(await graphOf(coin(''))).toMatchObject({
        initial: [0, 1],
        states: [{ state: { x: 0 } }, { state: { x: 1 } }],
        transitions: [
            { from: 0, process: 'P', label: 'up', to: 1 },
            { from: 1, process: 'P', label: 'up', fault: 'range' },
        ],
    });
});

test('in the format of Aldebaran there is one initial state, and a state for each kind of fault', async () => {
    expect((await run(coin(''), 'export', '--to', 'aut')).stdout).toBe(
        'des (0,4,4)\n(0,"initial",1)\n(0,"initial",2)\n(1,"P up",2)\n(2,"P up (fault: range)",3)\n',
    );
    expect((await run(coin('when x < 1 ').replace('any', '0'), 'export', '--to', 'aut')).stdout).toBe(
        'des (0,1,2)\n(0,"P up",1)\n',
    );
});

test('for Graphviz a state is a box with its values', async () => {
    expect((await run(coin(''), 'export', '--to', 'dot')).stdout).toBe(
        [
            'digraph "M" {',
            '    node [shape=box];',
            '    0 [label="x = 0", penwidth=3];',
            '    1 [label="x = 1", penwidth=3];',
            '    "fault range" [color=red];',
            '    0 -> 1 [label="P up"];',
            '    1 -> "fault range" [label="P up (fault: range)"];',
            '}',
            '',
        ].join('\n'),
    );
    const text = readFileSync('models/semaphore-mutex.orbit', 'utf8');
    const { stdout } = await run(text, 'export', '--to', 'dot', '--reduction', 'unique', '--param', 'N=3');
    expect(stdout).toContain('\\n3 states"');
});

test('what is too large, has no state, or is no state graph is refused', async () => {
    const large = await run(
        'model M\nvar x: 0 .. 30000 = any\nprocess P { loop { s: skip } }',
        'export',
        '--to',
        'dot',
    );
    expect(large).toMatchObject({ exitCode: 2, stdout: '' });
    expect(large.stderr).toContain('more than 20,000 states');
    const none = await run(coin('').replace('any', '1\nvar y: 0 .. 1 = x + 1'), 'export', '--to', 'dot');
    expect(none).toMatchObject({ exitCode: 2, stdout: '' });
    expect(none.stderr).toMatch(/^m:3:\d+: error: the initial value `2` of/);
    const gap = await run(coin(''), 'export', '--to', 'gap', '--reduction', 'unique');
    expect(gap).toMatchObject({ exitCode: 2, stdout: '' });
    expect(gap.stderr).toContain("option '--reduction' is for state graphs");
});
