/** Where the orbits of a state graph are drawn. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { layOutGraph, ROW, type GraphShape } from '../../vscode-extension/webview/graph-layout.js';

test('a row has one height, rows go down, and no two circles touch', () => {
    fc.assert(
        fc.property(layeredGraphs(), shape => {
            const { positions, width, height } = layOutGraph(shape);
            positions.forEach(({ x, y }, orbit) => {
                expect(y).toBe(((shape.depths[orbit] ?? 0) + 0.5) * ROW);
                expect(x).toBeGreaterThanOrEqual(0);
                expect(x).toBeLessThanOrEqual(width);
                expect(y).toBeLessThan(height);
                for (const other of positions.slice(orbit + 1)) {
                    expect(other.y === y ? Math.abs(other.x - x) : Infinity).toBeGreaterThan(39.999);
                }
            });
        }),
    );
});

test('edges that need not cross do not cross', () => {
    // Two chains, found alternately and in different orders.
    const depths = [0, 0, 1, 1, 2, 2];
    const edges = [
        { from: 0, to: 3 },
        { from: 1, to: 2 },
        { from: 2, to: 4 },
        { from: 3, to: 5 },
    ];
    const { positions } = layOutGraph({ depths, edges });
    const order = (first: number, second: number): number => Math.sign(positions[first]!.x - positions[second]!.x);
    expect(order(3, 2)).toBe(order(0, 1));
    expect(order(5, 4)).toBe(order(0, 1));
});

test('a chain is straight', () => {
    const { positions, width } = layOutGraph({
        depths: [0, 1, 2],
        edges: [
            { from: 0, to: 1 },
            { from: 1, to: 2 },
            { from: 2, to: 0 },
        ],
    });
    expect(new Set(positions.map(({ x }) => x)).size).toBe(1);
    expect(width).toBeGreaterThan(0);
});

test('a graph with one orbit has a place for it', () => {
    expect(layOutGraph({ depths: [0], edges: [] }).positions).toHaveLength(1);
});

function layeredGraphs(): fc.Arbitrary<GraphShape> {
    return fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 6 }).chain(sizes => {
        const depths = sizes.flatMap((size, depth) => Array.from({ length: size }, () => depth));
        const orbit = fc.nat(depths.length - 1);
        return fc.record({
            depths: fc.constant(depths),
            edges: fc.array(fc.record({ from: orbit, to: orbit }), { maxLength: 30 }),
        });
    });
}
