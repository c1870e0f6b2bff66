import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWorkLimit, UNLIMITED } from '../../engine/common/work-limit.js';
import { hasAtMost } from '../../engine/graph/automorphism-bound.js';
import { graphs } from '../arbitrary/graphs.js';
import { allAutomorphisms } from '../reference/brute-force-automorphisms.js';
import { disjointUnion, hypercube, ring } from './graph-families.js';

test('no group has fewer images of the first vertices than it is said to have at most', () => {
    fc.assert(
        fc.property(graphs(6), fc.nat(6), (graph, length) => {
            const count = Math.min(length, graph.vertexCount);
            const images = new Set(allAutomorphisms(graph).map(each => Array.from(each).slice(0, count).join()));
            expect(hasAtMost(graph, count, BigInt(images.size) - 1n, UNLIMITED)).toBe(false);
        }),
    );
});

test('the cube of six dimensions has at most 2^6 · 6! automorphisms', () => {
    expect(hasAtMost(hypercube(6), 64, 46_080n, UNLIMITED)).toBe(true);
    expect(hasAtMost(hypercube(6), 64, 46_079n, UNLIMITED)).toBe(false);
});

test('colors do not tell a triangle from a square beside it, so nothing is said of their 6 · 8 automorphisms', () => {
    expect(hasAtMost(disjointUnion(ring(3), ring(4)), 7, 48n, UNLIMITED)).toBe(false);
});

test('nothing is said at the limit', () => {
    const limit = createWorkLimit({ budgetMilliseconds: 0, now: () => 0 });
    expect(hasAtMost(hypercube(6), 64, 46_080n, limit)).toBe(false);
});
