import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { findAutomorphisms } from '../../engine/graph/automorphisms.js';
import { Certifier } from '../../engine/graph/certify.js';
import { CompiledCertifier } from '../../engine/graph/compiled-certifier.js';
import { graphs } from '../arbitrary/graphs.js';
import { hypercube, processRing, projectivePlane, shuffled, torus } from './graph-families.js';

test('compiled certificates are those of the plain certifier, for automorphisms and for what is nearly one', () => {
    for (const graph of [torus(6, 6), hypercube(5), processRing(6), projectivePlane(3)].map(g => shuffled(g, 3))) {
        const plain = new Certifier(graph);
        const compiled = new CompiledCertifier(graph, plain);
        const { generators } = findAutomorphisms(graph, { workLimit: UNLIMITED });
        for (const { points, images } of generators) {
            expect(compiled.holds(points, images, 0, points.length)).toBe(true);
            for (let i = 1; i < points.length; i++) {
                const swapped = images.slice();
                [swapped[i - 1], swapped[i]] = [swapped[i] ?? 0, swapped[i - 1] ?? 0];
                expect(compiled.holds(points, swapped, 0, points.length)).toBe(
                    plain.holds(points, swapped, 0, points.length),
                );
                // What is left of a permutation is none.
                expect(compiled.holds(points, images, i, points.length)).toBe(false);
                expect(compiled.holds(points, images, 0, i)).toBe(false);
            }
        }
        compiled.release();
    }
});

test('whatever is asked, the answers are the same', () => {
    fc.assert(
        fc.property(
            graphs(7),
            fc.array(
                fc.array(fc.tuple(fc.integer({ min: -1, max: 8 }), fc.integer({ min: -1, max: 8 })), { maxLength: 9 }),
            ),
            (graph, attempts) => {
                const plain = new Certifier(graph);
                const compiled = new CompiledCertifier(graph, plain);
                for (const pairs of attempts) {
                    const points = Int32Array.from(pairs, ([point]) => point);
                    const images = Int32Array.from(pairs, ([, image]) => image);
                    expect(compiled.holds(points, images, 0, points.length)).toBe(
                        plain.holds(points, images, 0, points.length),
                    );
                }
                compiled.release();
            },
        ),
        { numRuns: 500 },
    );
});

test('all permutations of small graphs', () => {
    fc.assert(
        fc.property(graphs(5), graph => {
            const plain = new Certifier(graph);
            const compiled = new CompiledCertifier(graph, plain);
            for (const images of permutationsOf(graph.vertexCount)) {
                const moved = images.flatMap((image, point) => (image === point ? [] : [point]));
                const points = Int32Array.from(moved);
                const to = Int32Array.from(moved, point => images[point] ?? 0);
                expect(compiled.holds(points, to, 0, points.length)).toBe(plain.holds(points, to, 0, points.length));
            }
            compiled.release();
        }),
        { numRuns: 60 },
    );
});

function permutationsOf(count: number): number[][] {
    return count === 0
        ? [[]]
        : permutationsOf(count - 1).flatMap(shorter =>
              Array.from({ length: count }, (_, at) => [...shorter.slice(0, at), count - 1, ...shorter.slice(at)]),
          );
}
