import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InvariantViolation } from '../../engine/common/assert.js';
import { toDimacs } from '../../engine/graph/dimacs.js';
import { parseDimacs } from './parse-dimacs.js';
import { graphs } from '../arbitrary/graphs.js';
import { graphOf } from './graph-families.js';

test('a graph is written with vertices that count from 1', () => {
    const graph = graphOf(
        3,
        [
            [2, 1],
            [0, 1],
        ],
        ['a', 'b', 'a'],
    );
    expect(toDimacs(graph)).toBe('p edge 3 2\nn 1 0\nn 2 1\nn 3 0\ne 1 2\ne 2 3\n');
});

test('parsing undoes printing', () => {
    fc.assert(
        fc.property(graphs(12), graph => {
            expect(parseDimacs(toDimacs(graph))).toEqual(graph);
        }),
    );
});

test('comments are skipped, and a vertex without a color has color 0', () => {
    const graph = parseDimacs('c a comment\np edge 2 1\nn 2 7\ne 2 1\n');
    expect(graph).toEqual(graphOf(2, [[0, 1]], ['a', 'b']));
});

test('what is no DIMACS text is refused', () => {
    for (const text of ['', 'e 1 2', 'p edge x 1', 'p edge 2 1\ne 1 3', 'p edge 2 1\nn 3 1', 'p edge 1 0\nq']) {
        expect(() => parseDimacs(text)).toThrow(InvariantViolation);
    }
});
