import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UNLIMITED } from '../../../engine/common/work-limit.js';
import { findAutomorphisms } from '../../../engine/graph/automorphisms.js';
import { unbundled } from '../../../engine/graph/folding/bundled-graph.js';
import type { ColoredGraph } from '../../../engine/graph/colored-graph.js';
import { withFewerEdges } from '../../../engine/graph/folding/complement.js';
import { Scratch } from '../../../engine/graph/scratch.js';
import { graphs } from '../../arbitrary/graphs.js';
import { expectExactOn } from './folding.js';
import { complementOf, disjointCopies, kneser, randomTree, ring, torus } from '../graph-families.js';

test('a graph that is replaced keeps its symmetries', () => {
    expectExactOn((stage, kernel, scratch) => withFewerEdges(stage, kernel.workLimit, scratch), graphs(7), 100);
});

test('the complement is taken where it has at most half as many edges, and else the graph stays', () => {
    fc.assert(
        fc.property(graphs(8), graph => {
            const rest = withFewerEdges(unbundled(graph, new Scratch()), UNLIMITED, new Scratch());
            if (rest === 'stopped') {
                expect.unreachable('nothing is stopped without a limit');
            }
            const complement = complementOf(graph);
            const isSmall = graph.edgeCount > 0 && 2 * complement.edgeCount <= graph.edgeCount;
            expect(rest.graph).toEqual(isSmall ? complement : graph);
        }),
    );
});

describe('complements of graphs have their groups', () => {
    const cases: [string, ColoredGraph][] = [
        ['a ring', ring(50)],
        ['a tree', randomTree(60, 3)],
        ["Petersen's graphs", disjointCopies(kneser(5, 2), 6)],
        ['a torus', torus(6, 7)],
    ];
    test.each(cases)('%s', (_name, graph) => {
        const first = findAutomorphisms(graph, { workLimit: UNLIMITED });
        const second = findAutomorphisms(complementOf(graph), { workLimit: UNLIMITED });
        expect(second.order).toBe(first.order);
        expect(second.statistics.treeNodes).toBe(first.statistics.treeNodes);
    });
});

test('the work limit is asked', () => {
    const dense = complementOf(ring(20));
    let questions = 10;
    const workLimit = { isExhausted: () => questions-- <= 0 };
    expect(withFewerEdges(unbundled(dense, new Scratch()), workLimit, new Scratch())).toBe('stopped');
});
