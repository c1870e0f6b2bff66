import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ColoredGraph } from '../../../engine/graph/colored-graph.js';
import { foldCycleComponents } from '../../../engine/graph/folding/cycle-components.js';
import { graphs } from '../../arbitrary/graphs.js';
import { expectExactOn, foldWith, kernelOrder } from './folding.js';
import { completeGraph, disjointCopies, graphOf, path, range, ring, torus } from '../graph-families.js';

const words = (greatest: number): fc.Arbitrary<string> =>
    fc.array(fc.constantFrom('a', 'b'), { minLength: 3, maxLength: greatest }).map(letters => letters.join(''));

/** One ring for each word, colored by its letters. */
function rings(...texts: string[]): ColoredGraph {
    const starts = texts.map((_, i) => texts.slice(0, i).join('').length);
    return graphOf(
        texts.join('').length,
        texts.flatMap((text, t) =>
            range(text.length).map(i => [starts[t]! + i, starts[t]! + ((i + 1) % text.length)] as const),
        ),
        [...texts.join('')],
    );
}

/** All ways to read a word around a ring. */
function readings(text: string): string[] {
    const turned = range(text.length).map(i => text.slice(i) + text.slice(0, i));
    return [...turned, ...turned.map(word => [...word].reverse().join(''))];
}

test('what is folded up and what is left have exactly the symmetries of the graph', () => {
    expectExactOn(
        foldCycleComponents,
        words(7).map(word => rings(word)),
        60,
    );
    expectExactOn(
        foldCycleComponents,
        fc.tuple(words(4), words(4)).map(pair => rings(...pair)),
        30,
    );
    expectExactOn(foldCycleComponents, graphs(7), 40);
});

test('a ring has one symmetry for each way to read its word', () => {
    fc.assert(
        fc.property(words(24), word => {
            const { kernel } = foldWith(foldCycleComponents, rings(word));
            expect(kernelOrder(kernel)).toBe(BigInt(readings(word).filter(reading => reading === word).length));
        }),
    );
});

test('two rings become one color exactly if one word is a reading of the other', () => {
    fc.assert(
        fc.property(words(6), words(6), (first, second) => {
            const { rest } = foldWith(foldCycleComponents, rings(first, second));
            const colorCount = readings(first).includes(second) ? 1 : 2;
            expect(rest).toMatchObject({ graph: { vertexCount: 2, edgeCount: 0, colorCount } });
        }),
        { numRuns: 300 },
    );
});

test('other graphs come back as they are', () => {
    for (const graph of [
        path(5),
        completeGraph(4),
        torus(3, 3),
        graphOf(4, [
            [0, 1],
            [1, 2],
            [2, 0],
            [2, 3],
        ]),
    ]) {
        expect(foldWith(foldCycleComponents, graph).rest).toMatchObject({ graph });
    }
});

test('many rings stay as many vertices of one color', () => {
    const { rest, kernel } = foldWith(foldCycleComponents, disjointCopies(ring(10), 50));
    expect(rest).toMatchObject({ graph: { vertexCount: 50, edgeCount: 0, colorCount: 1 } });
    expect(kernelOrder(kernel)).toBe(20n ** 50n);
});
