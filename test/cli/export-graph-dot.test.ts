/** `orbit export --to graph-dot`: the same graph as `graph-dimacs`, with names. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseDimacs } from '../graph/parse-dimacs.js';
import { orbit } from './in-process.js';

const text = readFileSync('models/token-ring.orbit', 'utf8');
const exported = async (form: string): Promise<string> =>
    (await orbit(['export', 'm', '--to', form, '--param', 'N=3'], { files: { m: text } })).stdout;

test('has the vertices and edges of the other form', async () => {
    const graph = parseDimacs(await exported('graph-dimacs'));
    const dot = await exported('graph-dot');
    expect(dot.match(/^ {4}\d+ \[/gm)).toHaveLength(graph.vertexCount);
    const edges = [...dot.matchAll(/^ {4}(\d+) -- (\d+);$/gm)].map(([, first, second]) => `${first} ${second}`);
    const expected: string[] = [];
    for (let vertex = 0; vertex < graph.vertexCount; vertex++) {
        for (const neighbor of graph.neighbors.slice(graph.firstNeighbor[vertex], graph.firstNeighbor[vertex + 1])) {
            if (vertex < neighbor) {
                expected.push(`${vertex} ${neighbor}`);
            }
        }
    }
    expect(edges).toEqual(expected);
});

test('names cells, literals, next literals and summands', async () => {
    const dot = await exported('graph-dot');
    for (const name of ['token[0]', 'token[0] = 1', "token[0]' = 1", 'rule1', 'rule2']) {
        expect(dot).toContain(`[label="${name}",`);
    }
});
