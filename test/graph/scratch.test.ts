import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import type { AutomorphismResult } from '../../engine/graph/automorphisms.js';
import { findAutomorphisms } from '../../engine/graph/automorphisms.js';
import type { ColoredGraph } from '../../engine/graph/colored-graph.js';
import { Scratch, withScratch } from '../../engine/graph/scratch.js';
import { graphs } from '../arbitrary/graphs.js';
import { disjointCopies, disjointUnion, heap, kneser, ring, shuffled, torus, wreath } from './graph-families.js';

function read({ generators, order, base, orbitLengths, complete, statistics }: AutomorphismResult): unknown {
    return { generators, order, base, orbitLengths, complete, statistics };
}

const search = (graph: ColoredGraph): AutomorphismResult => findAutomorphisms(graph, { workLimit: UNLIMITED });

/** Trees, twins and rings to fold up, and something left to search. */
const manifold = shuffled(
    disjointUnion(
        disjointUnion(wreath(3, 4), heap(40)),
        disjointUnion(disjointCopies(ring(6), 5), disjointUnion(torus(4, 5), kneser(5, 2))),
    ),
    1,
);

test('what is taken is zero, whatever was there before', () => {
    const scratch = new Scratch(new Int32Array(20));
    for (const length of [3, 7, 10, 11]) {
        scratch.releaseTo(0);
        expect([...scratch.integers(length)]).toEqual(Array(length).fill(0));
        expect([...scratch.bytes(length)]).toEqual(Array(length).fill(0));
        scratch.releaseTo(0);
        scratch.integers(length).fill(-1);
    }
});

test('arrays that are in use do not overlap, whether they fit or not', () => {
    const scratch = new Scratch(new Int32Array(20));
    const arrays = [scratch.integers(6), scratch.bytes(5), scratch.integers(9), scratch.bytes(40), scratch.integers(3)];
    arrays.forEach((array, index) => array.fill(index + 1));
    expect(arrays.map(array => [...new Set(array)])).toEqual([[1], [2], [3], [4], [5]]);
});

test('what is in use is not given to a search that begins meanwhile', () => {
    withScratch(outer => {
        const array = outer.integers(1000).fill(7);
        withScratch(inner => inner.integers(1000).fill(9));
        expect([...new Set(array)]).toEqual([7]);
    });
});

test('a result can be read after other searches', () => {
    fc.assert(
        fc.property(graphs(8), graph => {
            const [late, lateManifold] = [search(graph), search(manifold)];
            search(shuffled(torus(9, 9), 2));
            expect(read(late)).toEqual(read(search(graph)));
            expect(read(lateManifold)).toEqual(read(search(manifold)));
        }),
        { numRuns: 60 },
    );
});

test('a search during another one, and one that was broken off, leave the others alone', () => {
    const expected = read(search(manifold));
    const QUESTIONS = 12;
    let questions = 0;
    const workLimit = {
        isExhausted() {
            expect(read(search(manifold))).toEqual(expected);
            if (++questions === QUESTIONS) {
                throw new Error('given up');
            }
            return false;
        },
    };
    expect(() => findAutomorphisms(manifold, { workLimit })).toThrow('given up');
    expect(read(search(manifold))).toEqual(expected);
});
