import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createWorkLimit, OperationCancelled, UNLIMITED } from '../../engine/common/work-limit.js';
import type { WorkLimit } from '../../engine/common/work-limit.js';
import type { AutomorphismResult } from '../../engine/graph/automorphisms.js';
import { findAutomorphisms } from '../../engine/graph/automorphisms.js';
import { isAutomorphism } from '../../engine/graph/certify.js';
import type { ColoredGraph } from '../../engine/graph/colored-graph.js';
import { graphs, rearrangements } from '../arbitrary/graphs.js';
import { allAutomorphisms, orbitsOfGroup } from '../reference/brute-force-automorphisms.js';
import { closure } from '../reference/brute-force-group.js';
import {
    bipartiteDouble,
    caiFuererImmerman,
    circulant,
    complementOf,
    completeBipartite,
    completeGraph,
    completeMultipartite,
    cubeConnectedCycles,
    deBruijn,
    disjointCopies,
    disjointUnion,
    emptyGraph,
    frucht,
    graphOf,
    grid,
    hadamard,
    hamming,
    heap,
    hypercube,
    johnson,
    kneser,
    latinSquare,
    paley,
    path,
    processClique,
    processNetwork,
    processRing,
    projectivePlane,
    randomGraph,
    randomRegular,
    randomTree,
    range,
    recolored,
    relabeled,
    ring,
    rook,
    shrikhande,
    shuffled,
    star,
    subdivided,
    switchedLatinSquare,
    torus,
    treeOfRings,
    wreath,
} from './graph-families.js';
import { dense, sparse } from './permutations.js';

const factorial = (n: number): bigint => (n <= 1 ? 1n : BigInt(n) * factorial(n - 1));

function search(graph: ColoredGraph): AutomorphismResult {
    return findAutomorphisms(graph, { workLimit: UNLIMITED });
}

/** A limit that is exhausted after so many questions. */
function limitOf(questions: number): WorkLimit {
    return { isExhausted: () => questions-- <= 0 };
}

describe('against trying all permutations', () => {
    test('the generators generate all automorphisms, and order and base say so', () => {
        fc.assert(
            fc.property(graphs(7), graph => {
                const { generators, order, base, orbitLengths, complete } = search(graph);
                const images = generators.map(generator => dense(generator, graph.vertexCount));
                const group = closure(images, graph.vertexCount);
                const expected = allAutomorphisms(graph);
                expect(complete).toBe(true);
                expect(new Set(group.map(String))).toEqual(new Set(expected.map(String)));
                expect(order).toBe(BigInt(expected.length));
                // The orbit of each base point under the automorphisms that fix those before it, by definition.
                base.forEach((point, i) => {
                    const stabilizer = expected.filter(images => base.slice(0, i).every(b => images[b] === b));
                    expect(orbitLengths[i]).toBe(new Set(stabilizer.map(images => images[point])).size);
                });
                expect(expected.filter(images => base.every(b => images[b] === b))).toHaveLength(1);
            }),
            { numRuns: 300 },
        );
    });

    test('orbits agree on graphs with eight vertices', () => {
        fc.assert(
            fc.property(graphs(8), graph => {
                const images = search(graph).generators.map(generator => dense(generator, graph.vertexCount));
                const group = closure(images, graph.vertexCount);
                const expected = allAutomorphisms(graph);
                expect(group).toHaveLength(expected.length);
                expect(orbitsOfGroup(group, graph.vertexCount)).toEqual(orbitsOfGroup(expected, graph.vertexCount));
            }),
            { numRuns: 40 },
        );
    });

    test('disjoint copies of a graph are permuted among each other', () => {
        const cases = graphs(5).filter(graph => graph.vertexCount > 0);
        fc.assert(
            fc.property(cases, fc.integer({ min: 2, max: 4 }), (graph, copies) => {
                // The group of n copies of a connected graph is its group wr S_n; a cone makes any graph connected.
                const coned = cone(graph);
                const inner = BigInt(allAutomorphisms(coned).length);
                expect(search(disjointCopies(coned, copies)).order).toBe(inner ** BigInt(copies) * factorial(copies));
            }),
        );
    });
});

describe('families with known groups', () => {
    // Orders without a source are by definition: symmetric groups, dihedral groups, a swap for two equal subtrees.
    const families: [string, ColoredGraph, bigint][] = [
        ['the graph without vertices', emptyGraph(0), 1n],
        ['one vertex', emptyGraph(1), 1n],
        ['two vertices', emptyGraph(2), 2n],
        ['50 vertices without edges', emptyGraph(50), factorial(50)],
        ['a path', path(50), 2n],
        ['a ring of 3', ring(3), 6n],
        ['a ring of 101', ring(101), 202n],
        ['a ring of 1000', ring(1000), 2000n],
        ['the complete graph on 60', completeGraph(60), factorial(60)],
        ['the complete bipartite graph on 5 and 7', completeBipartite(5, 7), factorial(5) * factorial(7)],
        ['the complete bipartite graph on 6 and 6', completeBipartite(6, 6), 2n * factorial(6) ** 2n],
        // 2^d d!: translations and permutations of the coordinates.
        ['the hypercube of dimension 3', hypercube(3), 48n],
        ['the hypercube of dimension 8', hypercube(8), 2n ** 8n * factorial(8)],
        // S5 on the pairs of five points [GodsilRoyle2001, ch. 4].
        ["Petersen's graph", kneser(5, 2), 120n],
        // S_n, as long as n > 2k [GodsilRoyle2001, cor. 7.8.2].
        ['the Kneser graph of triples in 8 points', kneser(8, 3), factorial(8)],
        // The same, as long as n differs from 2k: the points are permuted.
        ['the Johnson graph of triples in 7 points', johnson(7, 3), factorial(7)],
        ['the triangular graph of 9', johnson(9, 2), factorial(9)],
        // S_q wr S_d: the letters at each place, and the places.
        ['the words of 3 letters out of 3', hamming(3, 3), factorial(3) ** 3n * factorial(3)],
        ['parts of 2, 2, 2 and 3', completeMultipartite([2, 2, 2, 3]), 2n ** 3n * factorial(3) * factorial(3)],
        // The letters are permuted: the words of one letter are the only ones with an arc to themselves.
        ["de Bruijn's graph of 5 bits", deBruijn(2, 5), 2n],
        ["de Bruijn's graph of 3 letters out of 4", deBruijn(4, 3), factorial(4)],
        ['the double of a ring of 5, a ring of 10', bipartiteDouble(ring(5)), 20n],
        ['a subdivided cube', subdivided(hypercube(3)), 48n],
        [
            'a ring with chords to the vertices opposite, where 5 are joined with 5',
            circulant(10, [1, 3, 5]),
            2n * factorial(5) ** 2n,
        ],
        ['a grid of 9 by 12', grid(9, 12), 4n],
        ['a square grid', grid(10, 10), 8n],
        // Translations by an even number in all, and the symmetries of a square.
        ['a chessboard on a torus', recolored(torus(8, 8), v => String(((v & 7) + (v >> 3)) % 2)), 8n * 32n],
        // 2^d translations, and turning and mirroring the rings.
        ['the cube-connected cycles of 5', cubeConnectedCycles(5), 2n ** 5n * 10n],
        // S_4 wr S_2 and 192: two strongly regular graphs with one set of parameters; bliss 0.73 agrees.
        ["the rook's graph of size 4", rook(4), 2n * factorial(4) ** 2n],
        ["Shrikhande's graph", shrikhande(), 192n],
        ['both side by side', disjointUnion(rook(4), shrikhande()), 1152n * 192n],
        // p (p - 1) / 2: the maps x -> ax + b with a a square.
        ['the Paley graph of 13', paley(13), 78n],
        ['the Paley graph of 101', paley(101), 5050n],
        // No symmetry: Frucht 1949.
        ["Frucht's graph", frucht(), 1n],
        ["40 copies of Frucht's graph", disjointCopies(frucht(), 40), factorial(40)],
        // 8 · 20 · 20 for a square torus of side above 4.
        // 2 |PGL(3, 7)|: the collineations, and exchanging points with lines.
        ['the projective plane of order 7', projectivePlane(7), 2n * 5630688n],
        // The translations and automorphisms of Z7, and exchanging rows, columns and entries: 7^2 · 6 · 3!.
        ['the table of addition modulo 7', latinSquare(7), 7n ** 2n * 6n * 6n],
        // 4 |PSL(2, 19)|: on rows and columns, with all signs turned, and with rows and columns exchanged; Traces 2.8.6 agrees.
        ["Paley's Hadamard matrix of order 20", hadamard(19), 4n * 3420n],
        // 2^(m - n + 1) times the group of the base graph, which has n vertices and m edges [CaiFuererImmerman1992, §6].
        ['CFI over K4', caiFuererImmerman(completeGraph(4), false), 24n * 2n ** 3n],
        ["CFI over Petersen's graph", caiFuererImmerman(kneser(5, 2), false), 120n * 2n ** 6n],
        ["twisted CFI over Petersen's graph", caiFuererImmerman(kneser(5, 2), true), 120n * 2n ** 6n],
        [
            'CFI over the cube, twisted and not, side by side',
            disjointUnion(caiFuererImmerman(hypercube(3), false), caiFuererImmerman(hypercube(3), true)),
            (48n * 2n ** 5n) ** 2n,
        ],
        [
            'CFI over K4, twisted and not, five of each',
            disjointUnion(
                disjointCopies(caiFuererImmerman(completeGraph(4), false), 5),
                disjointCopies(caiFuererImmerman(completeGraph(4), true), 5),
            ),
            (192n ** 5n * factorial(5)) ** 2n,
        ],
        ['a torus of 20 by 20', torus(20, 20), 3200n],
        // 4 · w · h for sides that differ.
        ['a torus of 7 by 9', torus(7, 9), 252n],
        ['the heap of 15', heap(15), 2n ** 7n],
        ['the heap of 1023', heap(1023), 2n ** 511n],
        ['a star of 2000', star(2000), factorial(2000)],
        ['S3 wr S3', wreath(3, 3), factorial(3) ** 3n * factorial(3)],
        ['S50 wr S50', wreath(50, 50), factorial(50) ** 50n * factorial(50)],
        ['2 rings of 7', disjointCopies(ring(7), 2), 14n ** 2n * 2n],
        ['200 rings of 10', disjointCopies(ring(10), 200), 20n ** 200n * factorial(200)],
        ["100 copies of Petersen's graph", disjointCopies(kneser(5, 2), 100), 120n ** 100n * factorial(100)],
        ['processes in a ring', processRing(40), 40n],
        // Those of what the processes form: C5 x C6 has 10 · 12, and each of the 1 + 2 + 4 rings of three has a mirror.
        ['processes with channels in a ring', processNetwork(ring(25)), 50n],
        ['processes on a torus', processNetwork(torus(5, 6)), 120n],
        ['4 processes and 3 resources', processNetwork(completeBipartite(4, 3)), 24n * 6n],
        ['a tree of rings of processes', processNetwork(treeOfRings(3, 3)), 2n ** 7n],
        ['processes that all see each other', processClique(25), factorial(25)],
    ];
    test.each(families)('%s', (_name, graph, order) => {
        for (const version of [graph, shuffled(graph, 1), shuffled(graph, 2)]) {
            const result = search(version);
            expect(result.order).toBe(order);
            expect(result.complete).toBe(true);
            for (const generator of result.generators) {
                expect(isAutomorphism(version, generator)).toBe(true);
            }
        }
    });
});

describe('relations between groups', () => {
    test('a ring has one symmetry for each way to read its colors', () => {
        const words = fc.array(fc.constantFrom('a', 'b'), { minLength: 3, maxLength: 24 });
        fc.assert(
            fc.property(words, word => {
                const turned = word.map((_, i) => [...word.slice(i), ...word.slice(0, i)]);
                const readings = [...turned, ...turned.map(reading => [...reading].reverse())].map(String);
                const graph = recolored(ring(word.length), vertex => word[vertex]!);
                expect(search(graph).order).toBe(BigInt(readings.filter(reading => reading === String(word)).length));
            }),
        );
    });

    test.each<[string, ColoredGraph]>([
        ['a ring', ring(50)],
        ['a tree', randomTree(60, 3)],
        ["Petersen's graphs", disjointCopies(kneser(5, 2), 6)],
        ['a torus', torus(6, 7)],
    ])('the complement of %s has the same order', (_name, graph) => {
        expect(search(complementOf(graph)).order).toBe(search(graph).order);
    });
});

describe('answers of other programs', () => {
    // Recorded from bliss 0.73; nauty 2.8.6 (dreadnaut, sparse) agrees on all, as far as it prints digits.
    const recorded: [string, ColoredGraph, bigint][] = [
        ['randomGraph(40, 36, 2, 0)', randomGraph(40, 36, 2, 0), 2880n],
        ['randomGraph(40, 36, 2, 1)', randomGraph(40, 36, 2, 1), 5760n],
        ['randomGraph(40, 36, 2, 2)', randomGraph(40, 36, 2, 2), 2880n],
        ['randomGraph(40, 36, 2, 3)', randomGraph(40, 36, 2, 3), 5760n],
        ['randomGraph(40, 36, 2, 4)', randomGraph(40, 36, 2, 4), 57600n],
        ['randomGraph(40, 36, 2, 5)', randomGraph(40, 36, 2, 5), 2880n],
        ['randomGraph(40, 36, 2, 6)', randomGraph(40, 36, 2, 6), 960n],
        ['randomGraph(40, 36, 2, 7)', randomGraph(40, 36, 2, 7), 5760n],
        ['randomGraph(40, 36, 2, 8)', randomGraph(40, 36, 2, 8), 2880n],
        ['randomGraph(40, 36, 2, 9)', randomGraph(40, 36, 2, 9), 96n],
        ['randomGraph(40, 36, 2, 10)', randomGraph(40, 36, 2, 10), 48n],
        ['randomGraph(40, 36, 2, 11)', randomGraph(40, 36, 2, 11), 960n],
        [
            'randomGraph(300, 260, 3, 0)',
            randomGraph(300, 260, 3, 0),
            4432248883510480027253802102555521581056000000000n,
        ],
        ['randomGraph(300, 260, 3, 1)', randomGraph(300, 260, 3, 1), 36672776799569582643082525476865336934400000000n],
        ['randomGraph(300, 260, 3, 2)', randomGraph(300, 260, 3, 2), 741461162891114865058334008934400000000n],
        [
            'randomGraph(300, 260, 3, 3)',
            randomGraph(300, 260, 3, 3),
            33954572246797085392785927147257339728153804800000000000n,
        ],
        ['randomRegular(14, 3, 0)', randomRegular(14, 3, 0), 1n],
        ['randomRegular(14, 3, 1)', randomRegular(14, 3, 1), 1n],
        ['randomRegular(14, 3, 2)', randomRegular(14, 3, 2), 4n],
        ['randomRegular(14, 3, 3)', randomRegular(14, 3, 3), 1n],
        ['disjointUnion(kneser(6, 2), rook(5))', disjointUnion(kneser(6, 2), rook(5)), 20736000n],
        ['switchedLatinSquare(8, 1)', switchedLatinSquare(8, 1), 96n],
        ['switchedLatinSquare(14, 1)', switchedLatinSquare(14, 1), 4n],
        ['switchedLatinSquare(20, 1)', switchedLatinSquare(20, 1), 8n],
        ['processClique(9)', processClique(9), 362880n],
        ['processRing(17)', processRing(17), 17n],
        [
            'heap(1000)',
            heap(1000),
            6393341031047152089869511126616404594173128996177860916959553453312761321102879990006386899074031556935325554936640763689877454191182408307282280448n,
        ],
    ];
    test.each(recorded)('%s', (_name, graph, order) => {
        expect(search(graph).order).toBe(order);
    });
});

test('the number of generators never exceeds the logarithm of the order', () => {
    // Each generator joins two orbits at a level whose stabilizer is known, so it at least doubles the group.
    for (const graph of [ring(60), hypercube(6), wreath(5, 6), torus(8, 8), paley(29), kneser(7, 2)]) {
        const { generators, order } = search(graph);
        expect(generators.length).toBeLessThanOrEqual(order.toString(2).length - 1);
    }
});

test('the same graph gives the same generators in the same order', () => {
    const graph = shuffled(disjointUnion(wreath(4, 5), torus(5, 5)), 3);
    const first = search(graph);
    const second = search(graph);
    expect(second.generators).toEqual(first.generators);
    expect(second.base).toEqual(first.base);
    expect(second.orbitLengths).toEqual(first.orbitLengths);
});

test('renaming the vertices does not change the order', () => {
    const cases = graphs(12).chain(graph => fc.tuple(fc.constant(graph), rearrangements(graph.vertexCount)));
    fc.assert(
        fc.property(cases, ([graph, names]) => {
            expect(search(relabeled(graph, names)).order).toBe(search(graph).order);
        }),
        { numRuns: 300 },
    );
});

describe('the work', () => {
    test('thousands of interchangeable vertices take two points a generator and no search', () => {
        const { generators, statistics } = search(star(3000));
        expect(generators).toHaveLength(2999);
        expect(generators.every(generator => generator.points.length === 2)).toBe(true);
        expect(statistics.treeNodes).toBe(1);
    });

    test('what the search alone has to find takes a few nodes a level', () => {
        const { base, statistics } = search(processClique(40));
        expect(statistics.treeNodes).toBeLessThanOrEqual(4 * base.length);
    });

    test('blocks of interchangeable vertices are exchanged without touching other blocks', () => {
        const { generators } = search(wreath(30, 40));
        expect(Math.max(...generators.map(generator => generator.points.length))).toBe(2 * 31);
    });

    test('a swap in a tree moves the two subtrees and nothing else', () => {
        const { generators } = search(heap(2047));
        // Level by level, 2^i nodes whose two subtrees together have 2 (2^(10 - i) - 1) nodes.
        const support = range(10).reduce((sum, i) => sum + 2 ** i * 2 * (2 ** (10 - i) - 1), 0);
        expect(generators.reduce((sum, generator) => sum + generator.points.length, 0)).toBe(support);
    });

    test('where all vertices look alike, few in general position are fixed', () => {
        // Of a plane over a prime field, a frame: four points, no three of them on a line.
        expect(search(projectivePlane(7)).base).toHaveLength(4);
        // Of rooks on a board, one for each row and column but the last.
        expect(search(rook(9)).base.length).toBeLessThanOrEqual(9);
    });

    test('a torus takes a handful of nodes', () => {
        expect(search(torus(60, 60)).statistics.treeNodes).toBeLessThan(20);
    });

    test('where refinement sees little, two levels take as many nodes as their cells have vertices, not the product', () => {
        // Two cells of 400 and 342 vertices: the product is 136,800.
        const graph = switchedLatinSquare(20, 1);
        expect(search(graph).statistics.refinements).toBeLessThan(8 * graph.vertexCount);
    });

    test('where vertices look alike for a while, more is seen of them', () => {
        const graph = shuffled(hadamard(251), 7);
        const { order, statistics } = search(graph);
        // 4 |PSL(2, 251)|.
        expect(order).toBe(2n * 251n * (251n ** 2n - 1n));
        expect(statistics.refinements).toBeLessThan(graph.vertexCount / 2);
    });

    test('a random cubic graph without symmetry is settled by few nodes beside its vertices', () => {
        const graph = randomRegular(200, 3, 5);
        expect(search(graph).statistics.treeNodes).toBeLessThanOrEqual(graph.vertexCount + 1);
    });
});

describe('candidates', () => {
    const size = 40;
    const exchanges = range(size - 1).map(i => sparse(range(size).map(j => (j === i ? i + 1 : j === i + 1 ? i : j))));

    test('candidates that hold replace the search, and are among the generators', () => {
        const graph = kneser(6, 2);
        const { generators, statistics } = search(graph);
        const helped = findAutomorphisms(graph, { workLimit: UNLIMITED, candidates: generators });
        expect(helped.order).toBe(factorial(6));
        expect(helped.statistics.treeNodes).toBeLessThan(statistics.treeNodes);
        expect(helped.generators.every(generator => generators.includes(generator))).toBe(true);
    });

    test('the generators of one run make the next one the first path alone', () => {
        for (const graph of [torus(6, 6), kneser(7, 2), processClique(6)]) {
            const first = search(graph);
            const second = findAutomorphisms(graph, { workLimit: UNLIMITED, candidates: first.generators });
            expect(second.order).toBe(first.order);
            expect(second.generators).toHaveLength(first.generators.length);
            expect(second.statistics.treeNodes).toBe(first.base.length + 1);
        }
    });

    test('the generators of one run that are found without a search are found again', () => {
        for (const graph of [wreath(6, 7), heap(127), completeGraph(9), disjointCopies(ring(5), 4)]) {
            const first = search(graph);
            const second = findAutomorphisms(graph, { workLimit: UNLIMITED, candidates: first.generators });
            expect(second.order).toBe(first.order);
            expect(second.generators).toEqual(first.generators);
        }
    });

    test('candidates that do not hold, or are no permutations, change nothing', () => {
        const graph = ring(size);
        const broken = { points: Int32Array.of(0, 1), images: Int32Array.of(1, 1) };
        const identity = sparse(range(size));
        const result = findAutomorphisms(graph, { workLimit: UNLIMITED, candidates: [...exchanges, broken, identity] });
        expect(result.generators).toEqual(search(graph).generators);
        expect(result.order).toBe(80n);
    });
});

describe('the base', () => {
    test('where fixing the preferred vertices fixes all, they are the base', () => {
        const check = (graph: ColoredGraph): void => {
            const tagged = withTags(graph);
            const tags = range(graph.vertexCount).map(vertex => graph.vertexCount + vertex);
            const { base, order } = findAutomorphisms(tagged, { workLimit: UNLIMITED, preferredVertices: tags });
            expect(base.every(vertex => tags.includes(vertex))).toBe(true);
            expect(order).toBe(search(graph).order);
        };
        [wreath(3, 4), disjointCopies(ring(5), 3), torus(4, 5), completeGraph(6), kneser(5, 2)].forEach(check);
        fc.assert(fc.property(graphs(9), check));
    });

    test('others are part of it only where they move while the preferred stay', () => {
        const colors = ['center', ...range(5).map(() => 'leaf'), ...range(3).map(() => 'loose')];
        const graph = graphOf(
            9,
            range(5).map(leaf => [0, leaf + 1] as const),
            colors,
        );
        const { base, orbitLengths } = findAutomorphisms(graph, { workLimit: UNLIMITED, preferredVertices: [1] });
        expect(base.filter(vertex => colors[vertex] === 'leaf')).toHaveLength(4);
        expect(base.filter(vertex => colors[vertex] === 'loose')).toHaveLength(2);
        expect([...orbitLengths].sort((a, b) => a - b)).toEqual([2, 2, 3, 3, 4, 5]);
    });
});

describe('limits', () => {
    const graph = shuffled(disjointUnion(wreath(4, 6), torus(5, 5)), 9);
    const truth = search(graph).order;

    test('whatever the limit, the answer is a subgroup of at least the order it states', () => {
        const small = disjointUnion(wreath(2, 2), ring(4));
        const full = search(small).order;
        let lastOrder = 0n;
        for (let questions = 0; ; questions++) {
            const { generators, order, orbitLengths, complete } = findAutomorphisms(small, {
                workLimit: limitOf(questions),
            });
            const images = generators.map(generator => dense(generator, small.vertexCount));
            expect(generators.every(generator => isAutomorphism(small, generator))).toBe(true);
            expect(order).toBe(orbitLengths.reduce((product, length) => product * BigInt(length), 1n));
            expect(order).toBeLessThanOrEqual(BigInt(closure(images, small.vertexCount).length));
            expect(order).toBeGreaterThanOrEqual(lastOrder);
            lastOrder = order;
            if (complete) {
                expect(order).toBe(full);
                break;
            }
            expect(questions).toBeLessThan(10_000);
        }
    });

    test('a search among vertices that all look alike can be stopped at any time', () => {
        for (let questions = 0, complete = false; !complete; questions += 7) {
            const result = findAutomorphisms(latinSquare(7), { workLimit: limitOf(questions) });
            ({ complete } = result);
            expect(result.generators.every(generator => isAutomorphism(latinSquare(7), generator))).toBe(true);
            expect(1764n % result.order).toBe(0n);
            expect(result.order === 1764n).toBe(complete);
            expect(questions).toBeLessThan(10_000);
        }
    });

    test('candidates are part of the answer even when there is no time for anything else', () => {
        const { generators } = search(graph);
        const stopped = findAutomorphisms(graph, { workLimit: limitOf(0), candidates: generators });
        expect(stopped.complete).toBe(false);
        expect(stopped.generators).toEqual(generators);
        expect(stopped.order).toBeLessThanOrEqual(truth);
    });

    test('a clock that runs out ends the search', () => {
        let time = 0;
        const workLimit = createWorkLimit({ now: () => time++, budgetMilliseconds: 3 });
        const { complete, order } = findAutomorphisms(hypercube(8), { workLimit });
        expect(complete).toBe(false);
        expect(order).toBeLessThan(2n ** 8n * factorial(8));
    });

    test('cancellation ends the listing of what was folded up', () => {
        let isCancelled = false;
        const workLimit = createWorkLimit({
            now: () => 0,
            budgetMilliseconds: Infinity,
            isCancelled: () => isCancelled,
        });
        const result = findAutomorphisms(star(1000), { workLimit });
        isCancelled = true;
        expect(() => result.generators).toThrow(OperationCancelled);
    });

    test('cancellation passes through', () => {
        const workLimit = createWorkLimit({ now: () => 0, budgetMilliseconds: Infinity, isCancelled: () => true });
        expect(() => findAutomorphisms(graph, { workLimit })).toThrow(OperationCancelled);
    });
});

function withTags(graph: ColoredGraph): ColoredGraph {
    const colors = [...Array.from(graph.colors, color => `base:${color}`), ...Array.from(graph.colors, () => 'tag')];
    const tags = range(graph.vertexCount).map(v => [v, graph.vertexCount + v] as const);
    return graphOf(2 * graph.vertexCount, [...edges(graph), ...tags], colors);
}

function cone(graph: ColoredGraph): ColoredGraph {
    const apex = graph.vertexCount;
    const colors = [...Array.from(graph.colors, color => `base:${color}`), 'apex'];
    return graphOf(apex + 1, [...edges(graph), ...range(apex).map(v => [v, apex] as const)], colors);
}

function edges(graph: ColoredGraph): (readonly [number, number])[] {
    return range(graph.vertexCount).flatMap(v =>
        [...graph.neighbors.subarray(graph.firstNeighbor[v], graph.firstNeighbor[v + 1])].map(w => [v, w] as const),
    );
}
