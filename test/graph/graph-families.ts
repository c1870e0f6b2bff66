/** Deterministic graphs whose automorphism groups are known, for tests and the benchmark; the tests have the orders. */
import type { ColoredGraph } from '../../engine/graph/colored-graph.js';
import { GraphBuilder } from '../../engine/graph/graph-builder.js';

/** A graph from its edges; all vertices have one color unless `colors` says otherwise. */
export function graphOf(
    vertexCount: number,
    edges: Iterable<readonly [number, number]>,
    colors?: readonly string[],
): ColoredGraph {
    const builder = new GraphBuilder();
    for (let vertex = 0; vertex < vertexCount; vertex++) {
        builder.addVertex(colors?.[vertex] ?? 'vertex');
    }
    for (const [first, second] of edges) {
        builder.addEdge(first, second);
    }
    return builder.build();
}

export function ring(length: number): ColoredGraph {
    return graphOf(
        length,
        range(length).map(i => [i, (i + 1) % length] as const),
    );
}

export function path(length: number): ColoredGraph {
    return graphOf(
        length,
        range(length - 1).map(i => [i, i + 1] as const),
    );
}

export function completeGraph(size: number): ColoredGraph {
    return graphOf(size, pairs(size));
}

export function emptyGraph(size: number): ColoredGraph {
    return graphOf(size, []);
}

export function star(leaves: number): ColoredGraph {
    return graphOf(
        leaves + 1,
        range(leaves).map(i => [0, i + 1] as const),
    );
}

export function completeBipartite(left: number, right: number): ColoredGraph {
    return graphOf(
        left + right,
        range(left).flatMap(i => range(right).map(j => [i, left + j] as const)),
    );
}

export function hypercube(dimension: number): ColoredGraph {
    const size = 2 ** dimension;
    return graphOf(
        size,
        range(size).flatMap(i =>
            range(dimension)
                .map(d => [i, i ^ (1 << d)] as const)
                .filter(([a, b]) => a < b),
        ),
    );
}

/** Vertices are the subsets of size `k` of `n` points; those that meet in no point are joined. Kneser(5, 2) is Petersen's. */
export function kneser(n: number, k: number): ColoredGraph {
    const subsets = range(2 ** n).filter(set => range(n).filter(i => (set >> i) & 1).length === k);
    return graphOf(
        subsets.length,
        pairs(subsets.length).filter(([i, j]) => ((subsets[i] ?? 0) & (subsets[j] ?? 0)) === 0),
    );
}

/** The subsets of size `k` of `n` points; those with all points but one in common are joined. Johnson(n, 2) is triangular. */
export function johnson(n: number, k: number): ColoredGraph {
    const subsets = range(2 ** n).filter(set => onesIn(set) === k);
    return graphOf(
        subsets.length,
        pairs(subsets.length).filter(([i, j]) => onesIn((subsets[i] ?? 0) & (subsets[j] ?? 0)) === k - 1),
    );
}

function onesIn(set: number): number {
    return range(32).filter(i => (set >>> i) & 1).length;
}

/** Words of `length` letters out of `letters`; those that differ in one place are joined. */
export function hamming(length: number, letters: number): ColoredGraph {
    const size = letters ** length;
    const edges = range(length).flatMap(place =>
        range(size).flatMap(word => {
            const letter = Math.floor(word / letters ** place) % letters;
            return range(letter).map(other => [word, word + (other - letter) * letters ** place] as const);
        }),
    );
    return graphOf(size, edges);
}

/** Parts of these sizes; two vertices are joined if they are of different parts. */
export function completeMultipartite(sizes: readonly number[]): ColoredGraph {
    const partOf = sizes.flatMap((size, part) => Array<number>(size).fill(part));
    return graphOf(
        partOf.length,
        pairs(partOf.length).filter(([a, b]) => partOf[a] !== partOf[b]),
    );
}

/** Parts that are all joined or not at all, cut into such parts in turn at random, down to single vertices. */
export function randomCograph(size: number, seed: number): ColoredGraph {
    const random = seededRandom(seed);
    const edges: [number, number][] = [];
    const cut = (start: number, end: number, isJoined: boolean): void => {
        if (end - start <= 1) {
            return;
        }
        const inside = range(1 + Math.floor(random() * 4)).map(
            () => start + 1 + Math.floor(random() * (end - start - 1)),
        );
        const cuts = [...new Set([start, ...inside, end])].sort((a, b) => a - b);
        cuts.slice(1).forEach((partEnd, part) => {
            const partStart = cuts[part] ?? 0;
            for (let a = partStart; isJoined && a < partEnd; a++) {
                for (let b = partEnd; b < end; b++) {
                    edges.push([a, b]);
                }
            }
            cut(partStart, partEnd, !isJoined);
        });
    };
    cut(0, size, true);
    return graphOf(size, edges);
}

/** De Bruijn's graph: from each word of letters to those that begin with all but its first. An arc is two vertices in a row. */
export function deBruijn(letters: number, length: number): ColoredGraph {
    const builder = new GraphBuilder();
    const size = letters ** length;
    const words = range(size).map(() => builder.addVertex('word'));
    for (let word = 0; word < size; word++) {
        for (let letter = 0; letter < letters; letter++) {
            const start = builder.addVertex('start');
            const end = builder.addVertex('end');
            builder.addEdge(words[word] ?? 0, start);
            builder.addEdge(start, end);
            builder.addEdge(end, words[(word * letters + letter) % size] ?? 0);
        }
    }
    return builder.build();
}

/** Two copies of the vertices; where two are joined in `graph`, each is joined with the other's copy. */
export function bipartiteDouble(graph: ColoredGraph): ColoredGraph {
    const { vertexCount } = graph;
    return graphOf(
        2 * vertexCount,
        edgesOf(graph).flatMap(([a, b]) => [[a, vertexCount + b] as const, [b, vertexCount + a] as const]),
    );
}

export function subdivided(graph: ColoredGraph): ColoredGraph {
    const edges = edgesOf(graph);
    return graphOf(
        graph.vertexCount + edges.length,
        edges.flatMap((edge, i) => edge.map(end => [end, graph.vertexCount + i] as const)),
    );
}

/** A ring with chords: each vertex is joined with those that are so far from it. */
export function circulant(size: number, distances: readonly number[]): ColoredGraph {
    return graphOf(
        size,
        range(size).flatMap(i => distances.map(distance => [i, (i + distance) % size] as const)),
    );
}

export function grid(width: number, height: number): ColoredGraph {
    return graphOf(
        width * height,
        range(width * height).flatMap(v => [
            ...(v % width < width - 1 ? [[v, v + 1] as const] : []),
            ...(v < width * (height - 1) ? [[v, v + width] as const] : []),
        ]),
    );
}

export function recolored(graph: ColoredGraph, colorOf: (vertex: number) => string): ColoredGraph {
    return graphOf(graph.vertexCount, edgesOf(graph), range(graph.vertexCount).map(colorOf));
}

/** A ring at each corner of a hypercube, with a vertex for each of the edges there. */
export function cubeConnectedCycles(dimension: number): ColoredGraph {
    return graphOf(
        dimension * 2 ** dimension,
        range(dimension * 2 ** dimension).flatMap(v => {
            const direction = v % dimension;
            const corner = Math.floor(v / dimension);
            return [
                [v, corner * dimension + ((direction + 1) % dimension)] as const,
                [v, (corner ^ (1 << direction)) * dimension + direction] as const,
            ];
        }),
    );
}

/** A long path, each vertex of which has at most `most` leaves, at random. */
export function randomCaterpillar(length: number, most: number, seed: number): ColoredGraph {
    const random = seededRandom(seed);
    const hosts = range(length).flatMap(i => Array<number>(Math.floor(random() * (most + 1))).fill(i));
    return graphOf(length + hosts.length, [
        ...range(length - 1).map(i => [i, i + 1] as const),
        ...hosts.map((host, i) => [host, length + i] as const),
    ]);
}

/** The binary tree in which vertex i has the children 2i + 1 and 2i + 2, as in a heap. */
export function heap(size: number): ColoredGraph {
    return graphOf(
        size,
        range(size - 1).map(i => [i + 1, i >> 1] as const),
    );
}

/** A tree in which each vertex hangs on a random earlier one. */
export function randomTree(size: number, seed: number): ColoredGraph {
    const random = seededRandom(seed);
    return graphOf(
        size,
        range(size - 1).map(i => [i + 1, Math.floor(random() * (i + 1))] as const),
    );
}

/** A long path, each vertex of which has `leaves` leaves: as deep as a tree can be. */
export function caterpillar(length: number, leaves: number): ColoredGraph {
    return graphOf(length * (leaves + 1), [
        ...range(length - 1).map(i => [i, i + 1] as const),
        ...range(length * leaves).map(i => [i % length, length + i] as const),
    ]);
}

/** `blocks` blocks of `size` points, each block with a hub, the hubs joined to a center. The group is S_size wr S_blocks. */
export function wreath(size: number, blocks: number): ColoredGraph {
    const edges: [number, number][] = [];
    for (let block = 0; block < blocks; block++) {
        const hub = 1 + block * (size + 1);
        edges.push([0, hub]);
        for (let point = 1; point <= size; point++) {
            edges.push([hub, hub + point]);
        }
    }
    return graphOf(1 + blocks * (size + 1), edges);
}

export function disjointCopies(graph: ColoredGraph, copies: number): ColoredGraph {
    const { vertexCount } = graph;
    const colors = range(copies).flatMap(() => Array.from(graph.colors, color => String(color).padStart(9, '0')));
    const edges = range(copies).flatMap(copy =>
        edgesOf(graph).map(([a, b]) => [copy * vertexCount + a, copy * vertexCount + b] as const),
    );
    return graphOf(copies * vertexCount, edges, colors);
}

/** Two graphs side by side. Equal color numbers are equal colors. */
export function disjointUnion(first: ColoredGraph, second: ColoredGraph): ColoredGraph {
    const shift = first.vertexCount;
    return graphOf(
        shift + second.vertexCount,
        [...edgesOf(first), ...edgesOf(second).map(([a, b]) => [a + shift, b + shift] as const)],
        [...first.colors, ...second.colors].map(color => String(color).padStart(9, '0')),
    );
}

/** The cells of a square; two in one row or column are joined. */
export function rook(size: number): ColoredGraph {
    return graphOf(
        size * size,
        pairs(size * size).filter(([a, b]) => Math.floor(a / size) === Math.floor(b / size) || a % size === b % size),
    );
}

/** Shrikhande's graph: strongly regular like the rook's graph of size 4, and refinement cannot tell them apart. */
export function shrikhande(): ColoredGraph {
    const steps = [
        [0, 1],
        [1, 0],
        [1, 1],
    ] as const;
    return graphOf(
        16,
        range(16).flatMap(v => steps.map(([dx, dy]) => [v, (((v >> 2) + dx) % 4) * 4 + (((v & 3) + dy) % 4)] as const)),
    );
}

/** The cells of the table of addition modulo `size`; those with one row, one column or one entry are joined. */
export function latinSquare(size: number): ColoredGraph {
    return graphOfTable(size, (row, column) => (row + column) % size);
}

/**
 * The same for an even `size`, with random parts of the table switched: two rows, and two columns, that are half the size apart
 * meet in four cells with two entries, which can change places. Refinement sees no difference between any two cells.
 */
export function switchedLatinSquare(size: number, seed: number): ColoredGraph {
    const random = seededRandom(seed);
    const half = size / 2;
    const isSwitched = range(half).map(() => range(half).map(() => random() < 0.5));
    return graphOfTable(
        size,
        (row, column) => (row + column + (isSwitched[row % half]?.[column % half] === true ? half : 0)) % size,
    );
}

function graphOfTable(size: number, entryAt: (row: number, column: number) => number): ColoredGraph {
    const cells = range(size).flatMap(row => range(size).map(column => [row, column, entryAt(row, column)]));
    return graphOf(
        size * size,
        pairs(size * size).filter(([a, b]) => cells[a]?.some((coordinate, i) => coordinate === cells[b]?.[i])),
    );
}

/**
 * Paley's Hadamard matrix of order `prime` + 1, for a prime that leaves 3 when divided by 4. Each row and each column are two
 * joined vertices, plus and minus; a row and a column are joined where the product of their signs is the entry.
 */
export function hadamard(prime: number): ColoredGraph {
    const size = prime + 1;
    const squares = new Set(range(prime).map(i => (i * i) % prime));
    const isPositive = (row: number, column: number): boolean =>
        row === 0 || (column > 0 && (row === column || squares.has((row - column + prime) % prime)));
    const plus = (line: number): readonly [number, number] => [2 * line, 2 * line + 1];
    return graphOf(4 * size, [
        ...range(2 * size).map(plus),
        ...range(size).flatMap(row =>
            range(size).flatMap(column => {
                const [first, second] = plus(size + column);
                const [same, opposite] = isPositive(row, column) ? [first, second] : [second, first];
                return [[2 * row, same] as const, [2 * row + 1, opposite] as const];
            }),
        ),
    ]);
}

/** The quadratic residues modulo a prime that is 1 modulo 4: vertices differing by a residue are joined. */
export function paley(prime: number): ColoredGraph {
    const squares = new Set(
        range(prime)
            .slice(1)
            .map(i => (i * i) % prime),
    );
    return graphOf(
        prime,
        pairs(prime).filter(([a, b]) => squares.has(b - a)),
    );
}

/** Frucht's graph: cubic, 12 vertices, no symmetry. */
export function frucht(): ColoredGraph {
    // LCF notation [-5,-2,-4,2,5,-2,2,5,-2,-5,4,2].
    const jumps = [-5, -2, -4, 2, 5, -2, 2, 5, -2, -5, 4, 2];
    return graphOf(12, [
        ...range(12).map(i => [i, (i + 1) % 12] as const),
        ...jumps.map((jump, i) => [i, (i + jump + 12) % 12] as const),
    ]);
}

/** Points and lines of the projective plane over the integers modulo a prime; a point is joined to the lines it is on. */
export function projectivePlane(prime: number): ColoredGraph {
    const triples = [
        ...range(prime).flatMap(a => range(prime).map(b => [1, a, b])),
        ...range(prime).map(b => [0, 1, b]),
        [0, 0, 1],
    ];
    const product = (p: number[], q: number[]): number => p.reduce((sum, x, i) => sum + x * (q[i] ?? 0), 0);
    const edges = triples.flatMap((point, i) =>
        triples.flatMap((line, j) => (product(point, line) % prime === 0 ? [[i, triples.length + j] as const] : [])),
    );
    return graphOf(2 * triples.length, edges);
}

/**
 * The graph of Cai, Fürer and Immerman over a base graph: each vertex becomes a gadget of the even sets of its edges, each
 * edge two vertices at either end. Twisting one edge gives another graph, which refinement cannot tell from the first.
 */
export function caiFuererImmerman(base: ColoredGraph, isTwisted: boolean): ColoredGraph {
    const builder = new GraphBuilder();
    const baseEdges = edgesOf(base);
    const ends = baseEdges.map(edge =>
        edge.map(() => {
            const pair = [builder.addVertex('end'), builder.addVertex('end')] as const;
            builder.addEdge(...pair);
            return pair;
        }),
    );
    ends.forEach(([near, far], i) => {
        const twist = isTwisted && i === 0 ? 1 : 0;
        for (const side of [0, 1]) {
            builder.addEdge(near?.[side] ?? 0, far?.[side ^ twist] ?? 0);
        }
    });
    for (let vertex = 0; vertex < base.vertexCount; vertex++) {
        const pairs = baseEdges.flatMap((edge, i) => (edge.includes(vertex) ? [ends[i]?.[edge.indexOf(vertex)]] : []));
        for (let set = 0; set < 2 ** pairs.length; set++) {
            const bits = pairs.map((_, i) => (set >> i) & 1);
            if (bits.filter(bit => bit === 1).length % 2 === 0) {
                const middle = builder.addVertex('middle');
                pairs.forEach((pair, i) => builder.addEdge(middle, pair?.[bits[i] ?? 0] ?? 0));
            }
        }
    }
    return builder.build();
}

export function torus(width: number, height: number): ColoredGraph {
    return graphOf(
        width * height,
        range(width * height).flatMap(v => {
            const x = v % width;
            const y = Math.floor(v / width);
            return [
                [v, y * width + ((x + 1) % width)],
                [v, ((y + 1) % height) * width + x],
            ] as const;
        }),
    );
}

export function complementOf(graph: ColoredGraph): ColoredGraph {
    return graphOf(
        graph.vertexCount,
        pairs(graph.vertexCount).filter(([a, b]) => !hasEdge(graph, a, b)),
        Array.from(graph.colors, color => String(color).padStart(9, '0')),
    );
}

export function withEdge(graph: ColoredGraph, first: number, second: number): ColoredGraph {
    const colors = Array.from(graph.colors, color => String(color).padStart(9, '0'));
    return graphOf(graph.vertexCount, [...edgesOf(graph), [first, second]], colors);
}

/** A ring of `processes` gadgets of 25 vertices, as communicating processes encode to. Its symmetries are rotations. */
export function processRing(processes: number): ColoredGraph {
    const builder = new GraphBuilder();
    const literal: number[][] = [];
    for (let i = 0; i < processes; i++) {
        const now: number[] = [];
        for (const kind of ['a', 'b', 'c']) {
            const variable = builder.addVertex(`var:2`);
            for (let value = 0; value < 2; value++) {
                const current = builder.addVertex('lit');
                const next = builder.addVertex('nlit');
                builder.addEdge(variable, current);
                builder.addEdge(current, next);
                now.push(current, next);
            }
            if (kind === 'c') {
                builder.addEdge(now[0] ?? 0, now[4] ?? 0);
            }
        }
        literal.push(now);
    }
    for (let i = 0; i < processes; i++) {
        const here = literal[i] ?? [];
        const there = literal[(i + 1) % processes] ?? [];
        for (let step = 0; step < 5; step++) {
            const summand = builder.addVertex('sum');
            const conjunct = builder.addVertex('and:1');
            builder.addEdge(summand, conjunct);
            builder.addEdge(conjunct, here[2 * (step % 3)] ?? 0);
            builder.addEdge(conjunct, there[2 * ((step + 2) % 6)] ?? 0);
            builder.addEdge(summand, here[(2 * step + 1) % 12] ?? 0);
            builder.addEdge(summand, there[(2 * step + 5) % 12] ?? 0);
        }
    }
    return builder.build();
}

/** A variable of two values, which steps read and write. */
function literalsOfVariable(builder: GraphBuilder): readonly { readonly now: number; readonly next: number }[] {
    const variable = builder.addVertex('var:2');
    return [0, 1].map(() => {
        const now = builder.addVertex('lit');
        const next = builder.addVertex('nlit');
        builder.addEdge(variable, now);
        builder.addEdge(now, next);
        return { now, next };
    });
}

/** Alike processes, as in an election: a step for each ordered pair reads one process and writes the other. */
export function processClique(processes: number): ColoredGraph {
    const builder = new GraphBuilder();
    const literals = range(processes).map(() => literalsOfVariable(builder));
    for (let i = 0; i < processes; i++) {
        for (let j = 0; j < processes; j++) {
            if (i === j) {
                continue;
            }
            const summand = builder.addVertex('sum');
            builder.addEdge(summand, literals[i]?.[0]?.now ?? 0);
            builder.addEdge(summand, literals[j]?.[1]?.now ?? 0);
            builder.addEdge(summand, literals[j]?.[0]?.next ?? 0);
        }
    }
    return builder.build();
}

/** A process for each vertex of `base`; an edge is a channel either way: a slot, and steps to fill and empty it. */
export function processNetwork(base: ColoredGraph): ColoredGraph {
    const builder = new GraphBuilder();
    const literals = range(base.vertexCount).map(() => literalsOfVariable(builder));
    for (const edge of edgesOf(base)) {
        for (const [from, to] of [edge, [...edge].reverse()]) {
            const slot = builder.addVertex('slot');
            const send = builder.addVertex('send');
            const receive = builder.addVertex('receive');
            builder.addEdge(send, slot);
            builder.addEdge(slot, receive);
            builder.addEdge(send, literals[from ?? 0]?.[0]?.now ?? 0);
            builder.addEdge(send, literals[from ?? 0]?.[1]?.next ?? 0);
            builder.addEdge(receive, literals[to ?? 0]?.[0]?.next ?? 0);
        }
    }
    return builder.build();
}

/** A ring of `length` vertices, another one at each of them, and so on, `depth` deep. */
export function treeOfRings(length: number, depth: number): ColoredGraph {
    const edges: [number, number][] = [];
    let vertexCount = 1;
    let roots = [0];
    for (let level = 0; level < depth; level++) {
        roots = roots.flatMap(root => {
            const members = [root, ...range(length - 1).map(i => vertexCount + i)];
            vertexCount += length - 1;
            members.forEach((member, i) => edges.push([member, members[(i + 1) % length] ?? 0]));
            return members.slice(1);
        });
    }
    return graphOf(vertexCount, edges);
}

export function randomGraph(vertexCount: number, edgeCount: number, colorCount: number, seed: number): ColoredGraph {
    const random = seededRandom(seed);
    const colors = range(vertexCount).map(() => String(Math.floor(random() * colorCount)));
    const edges: [number, number][] = [];
    for (let i = 0; i < edgeCount; i++) {
        const a = Math.floor(random() * vertexCount);
        const b = Math.floor(random() * vertexCount);
        if (a !== b) {
            edges.push([a, b]);
        }
    }
    return graphOf(vertexCount, edges, colors);
}

/** A random regular graph (as far as the pairing gives no loop and no double edge). */
export function randomRegular(vertexCount: number, valency: number, seed: number): ColoredGraph {
    const random = seededRandom(seed);
    const ends = range(vertexCount * valency).map(i => i % vertexCount);
    shuffle(ends, random);
    const edges: [number, number][] = [];
    for (let i = 0; i + 1 < ends.length; i += 2) {
        const a = ends[i] ?? 0;
        const b = ends[i + 1] ?? 0;
        if (a !== b) {
            edges.push([a, b]);
        }
    }
    return graphOf(vertexCount, edges);
}

/** `graph` with its vertices renamed: vertex v becomes `names[v]`. */
export function relabeled(graph: ColoredGraph, names: ArrayLike<number>): ColoredGraph {
    const colors: string[] = [];
    for (let vertex = 0; vertex < graph.vertexCount; vertex++) {
        colors[names[vertex] ?? 0] = String(graph.colors[vertex]).padStart(9, '0');
    }
    return graphOf(
        graph.vertexCount,
        edgesOf(graph).map(([a, b]) => [names[a] ?? 0, names[b] ?? 0] as const),
        colors,
    );
}

export function shuffled(graph: ColoredGraph, seed: number): ColoredGraph {
    const names = range(graph.vertexCount);
    shuffle(names, seededRandom(seed));
    return relabeled(graph, names);
}

export function edgesOf(graph: ColoredGraph): [number, number][] {
    const edges: [number, number][] = [];
    for (let vertex = 0; vertex < graph.vertexCount; vertex++) {
        const end = graph.firstNeighbor[vertex + 1] ?? 0;
        for (let i = graph.firstNeighbor[vertex] ?? 0; i < end; i++) {
            const neighbor = graph.neighbors[i] ?? 0;
            if (vertex < neighbor) {
                edges.push([vertex, neighbor]);
            }
        }
    }
    return edges;
}

export function range(length: number): number[] {
    return Array.from({ length }, (_, i) => i);
}

function pairs(size: number): [number, number][] {
    return range(size).flatMap(i => range(i).map((j): [number, number] => [j, i]));
}

/** Numbers in [0, 1): the generator mulberry32 (Tommy Ettinger, public domain). */
function seededRandom(seed: number): () => number {
    let state = seed | 0;
    return () => {
        state = (state + 0x6d2b79f5) | 0;
        let t = Math.imul(state ^ (state >>> 15), 1 | state);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
}

function shuffle(items: number[], random: () => number): void {
    for (let i = items.length - 1; i > 0; i--) {
        const j = Math.floor(random() * (i + 1));
        [items[i], items[j]] = [items[j] ?? 0, items[i] ?? 0];
    }
}

export function hasEdge({ firstNeighbor, neighbors }: ColoredGraph, first: number, second: number): boolean {
    return neighbors.subarray(firstNeighbor[first], firstNeighbor[first + 1]).includes(second);
}
