/** fast-check generators of colored graphs. */
import fc from 'fast-check';
import type { ColoredGraph } from '../../engine/graph/colored-graph.js';
import { graphOf, range } from '../graph/graph-families.js';

/** Graphs with up to `greatestSize` vertices and up to three colors; sparse and dense ones, often with symmetries. */
export function graphs(greatestSize: number): fc.Arbitrary<ColoredGraph> {
    return fc.integer({ min: 0, max: greatestSize }).chain(size => {
        const vertex = fc.nat({ max: Math.max(0, size - 1) });
        const edges = fc.array(fc.tuple(vertex, vertex), { maxLength: 2 * size });
        // Mostly one color: more colors leave few symmetries.
        const color = fc.oneof({ weight: 5, arbitrary: fc.constant('a') }, fc.constantFrom('b', 'c'));
        const colors = fc.array(color, { minLength: size, maxLength: size });
        const isComplement = fc.boolean();
        return fc.record({ edges, colors, isComplement }).map(drawn => {
            const isDrawn = new Set(drawn.edges.flatMap(([a, b]) => [`${a},${b}`, `${b},${a}`]));
            const chosen = range(size).flatMap(a =>
                range(a)
                    .filter(b => isDrawn.has(`${a},${b}`) !== drawn.isComplement)
                    .map(b => [a, b] as const),
            );
            return graphOf(size, chosen, drawn.colors);
        });
    });
}

export function rearrangements(size: number): fc.Arbitrary<number[]> {
    return fc.shuffledSubarray(range(size), { minLength: size, maxLength: size });
}
