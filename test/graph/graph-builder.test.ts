import { expect, test } from 'vitest';
import { InvariantViolation } from '../../engine/common/assert.js';
import { GraphBuilder } from '../../engine/graph/graph-builder.js';
import { hasEdge } from './graph-families.js';

test('colors are numbered by their sorted texts, whichever came first', () => {
    const builder = new GraphBuilder();
    for (const color of ['sum', 'lit', 'and:1', 'lit']) {
        builder.addVertex(color);
    }
    const graph = builder.build();
    expect(graph.colorCount).toBe(3);
    expect([...graph.colors]).toEqual([2, 1, 0, 1]);
});

test('an edge added twice, either way round, is one edge', () => {
    const builder = new GraphBuilder();
    const [a, b, c] = [builder.addVertex('v'), builder.addVertex('v'), builder.addVertex('v')];
    builder.addEdge(c, b);
    builder.addEdge(a, b);
    builder.addEdge(b, a);
    builder.addEdge(b, c);
    const graph = builder.build();
    expect(graph.edgeCount).toBe(2);
    expect([...graph.firstNeighbor]).toEqual([0, 1, 3, 4]);
    expect([...graph.neighbors]).toEqual([b, a, c, b]);
    expect([hasEdge(graph, a, b), hasEdge(graph, b, c), hasEdge(graph, a, c)]).toEqual([true, true, false]);
});

test('loops and unknown vertices are rejected', () => {
    const builder = new GraphBuilder();
    const vertex = builder.addVertex('v');
    expect(() => builder.addEdge(vertex, vertex)).toThrow(InvariantViolation);
    expect(() => builder.addEdge(vertex, 1)).toThrow(InvariantViolation);
    expect(() => builder.addEdge(-1, vertex)).toThrow(InvariantViolation);
});

test('the graph without vertices can be built', () => {
    const graph = new GraphBuilder().build();
    expect([graph.vertexCount, graph.edgeCount, graph.colorCount]).toEqual([0, 0, 0]);
    expect([...graph.firstNeighbor]).toEqual([0]);
});

test('a builder can be used on after building', () => {
    const builder = new GraphBuilder();
    for (let i = 0; i < 1000; i++) {
        builder.addVertex('v');
    }
    builder.addEdge(0, 999);
    const before = builder.build();
    builder.addEdge(0, 1);
    expect(before.edgeCount).toBe(1);
    expect(builder.build().edgeCount).toBe(2);
});
