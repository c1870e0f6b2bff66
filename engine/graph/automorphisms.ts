/**
 * Generators of the automorphism group of a colored graph: the entry point for other layers.
 *
 * Parts with obvious symmetries are folded first (folding/fold.ts), the rest is searched (search-tree.ts), and its
 * automorphisms are lifted to the whole graph. There certify.ts checks every generator.
 */
import type { WorkLimit } from '../common/work-limit.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import { BasePoints } from './folding/base-points.js';
import { projected, writeLifted } from './folding/bundle-action.js';
import type { BundledGraph } from './folding/bundled-graph.js';
import { Certifier } from './certify.js';
import type { ColoredGraph } from './colored-graph.js';
import { foldGraph } from './folding/fold.js';
import type { Level } from './folding/kernel.js';
import { Kernel } from './folding/kernel.js';
import { PermutationList } from './permutation-list.js';
import type { Scratch } from './scratch.js';
import { withScratch } from './scratch.js';
import type { TreeSearchOptions } from './search-tree.js';
import { searchAutomorphisms } from './search-tree.js';

export interface AutomorphismOptions {
    readonly workLimit: WorkLimit;
    /** Permutations that may be automorphisms. Those that are shorten the search, and are generators if needed. */
    readonly candidates?: readonly SparsePermutation[];
    /**
     * If there is a choice, a base point is a vertex that shares a color with one of these. All base points are, if
     * only the identity fixes all such vertices.
     */
    readonly preferredVertices?: ArrayLike<number>;
}

/** Counts of the work done, the same on every machine. */
export interface AutomorphismStatistics {
    /** Nodes of the search tree that were entered, with the root. */
    readonly treeNodes: number;
    readonly refinements: number;
    /** Nodes at which a permutation was guessed. */
    readonly leaves: number;
    /** Vertices that were not folded. */
    readonly searchedVertices: number;
    /** Permutations that were checked during the search, with the candidates. */
    readonly certifications: number;
    /** Leaves whose permutation was no automorphism. */
    readonly badLeaves: number;
}

export interface AutomorphismResult {
    /**
     * Checked automorphisms that generate the whole group if `complete`, else a subgroup. Listed at the first access,
     * because listing many generators takes longer than finding them.
     */
    readonly generators: readonly SparsePermutation[];
    /** The order of the group if `complete`, else a lower bound for the order of the subgroup. */
    readonly order: bigint;
    /** False if the work limit ended the search. */
    readonly complete: boolean;
    /** Only the identity fixes all of these vertices, if `complete`. */
    readonly base: readonly number[];
    /**
     * `orbitLengths[i]` is the length of the orbit of `base[i]` under the generators that fix `base[0]` … `base[i -
     * 1]`, or 1 if the search ended before that level. The product is `order`.
     */
    readonly orbitLengths: readonly number[];
    readonly statistics: AutomorphismStatistics;
}

/**
 * The automorphism group of `graph` as generators, exact order and base; a subgroup if the work limit ends the search.
 * The result is deterministic. Passes OperationCancelled through.
 */
export function findAutomorphisms(graph: ColoredGraph, options: AutomorphismOptions): AutomorphismResult {
    return withScratch(scratch => findGroup(graph, options, scratch));
}

function findGroup(graph: ColoredGraph, options: AutomorphismOptions, scratch: Scratch): AutomorphismResult {
    const { workLimit, candidates = [], preferredVertices = [] } = options;
    const certifier = new Certifier(graph);
    const known = candidates.filter(candidate => candidate.points.length > 0 && certifier.isAutomorphism(candidate));
    const found = new PermutationList();
    const kernel = new Kernel(certifier, workLimit, new BasePoints(withColorOfOneOf(graph, preferredVertices)));
    const rest = foldGraph(graph, kernel, scratch);
    const certifications = candidates.length;
    const group = new FoundGroup(graph, kernel, found);
    if (rest === 'stopped') {
        // The known automorphisms may move vertices that have not been folded.
        group.known = known;
        group.statistics = { ...NOTHING_SEARCHED, certifications };
        return group;
    }
    const searchOptions: TreeSearchOptions = {
        workLimit,
        known: projected(known, rest),
        preferredVertices: verticesWithPreferred(rest, kernel),
        accept(permutation) {
            if (rest.graph === graph) {
                found.write(permutation);
            } else {
                writeLifted(permutation, rest, found);
            }
            const holds = certifier.holds(found.points, found.images, found.start, found.end);
            if (holds) {
                found.keep();
            } else {
                found.drop();
            }
            return holds;
        },
    };
    const outcome = searchAutomorphisms(rest.graph, searchOptions, scratch);
    group.known = outcome.usedKnown.map(index => known[index]);
    group.searchedLevels = outcome.base.map((vertex, level) => ({
        point: basePointOf(vertex, rest, kernel),
        orbitLength: outcome.orbitLengths[level],
    }));
    group.complete = outcome.complete;
    group.statistics = {
        ...outcome.counts,
        certifications: certifications + outcome.counts.certifications,
        searchedVertices: rest.graph.vertexCount,
    };
    return group;
}

const NOTHING_SEARCHED: AutomorphismStatistics = {
    treeNodes: 0,
    refinements: 0,
    leaves: 0,
    certifications: 0,
    badLeaves: 0,
    searchedVertices: 0,
};

/** 1 for each vertex that shares a color with one of `vertices`; undefined if there are none. */
function withColorOfOneOf(graph: ColoredGraph, vertices: ArrayLike<number>): Uint8Array | undefined {
    if (vertices.length === 0) {
        return undefined;
    }
    const hasColor = new Uint8Array(graph.colorCount);
    for (let i = 0; i < vertices.length; i++) {
        hasColor[graph.colors[vertices[i]]] = 1;
    }
    return Uint8Array.from(graph.colors, color => hasColor[color]);
}

function basePointOf(vertex: number, { bundle, bundleStart }: BundledGraph, kernel: Kernel): number {
    return kernel.basePoints.among(bundle, bundleStart[vertex], bundleStart[vertex + 1]);
}

function verticesWithPreferred(rest: BundledGraph, kernel: Kernel): number[] {
    const vertices: number[] = [];
    const { basePoints } = kernel;
    for (let vertex = 0; basePoints.hasPreferences && vertex < rest.graph.vertexCount; vertex++) {
        if (basePoints.isPreferred(basePointOf(vertex, rest, kernel))) {
            vertices.push(vertex);
        }
    }
    return vertices;
}

/** A result that lists generators, order and base at the first access. */
class FoundGroup implements AutomorphismResult {
    complete = false;
    statistics = NOTHING_SEARCHED;
    known: readonly SparsePermutation[] = [];
    searchedLevels: readonly Level[] = [];
    readonly #graph: ColoredGraph;
    readonly #kernel: Kernel;
    readonly #found: PermutationList;
    #generators: readonly SparsePermutation[] | undefined;
    #order: bigint | undefined;
    #levels: Pick<AutomorphismResult, 'base' | 'orbitLengths'> | undefined;

    /** `found` holds the automorphisms that the search finds. */
    constructor(graph: ColoredGraph, kernel: Kernel, found: PermutationList) {
        this.#graph = graph;
        this.#kernel = kernel;
        this.#found = found;
    }

    get generators(): readonly SparsePermutation[] {
        return (this.#generators ??= [...this.#kernel.generators(), ...this.#found, ...this.known]);
    }

    get order(): bigint {
        return (this.#order ??= product(this.orbitLengths, 0, this.orbitLengths.length));
    }

    get base(): readonly number[] {
        return (this.#levels ??= this.#allLevels()).base;
    }

    get orbitLengths(): readonly number[] {
        return (this.#levels ??= this.#allLevels()).orbitLengths;
    }

    /** The levels of the search, then those of the foldings. A base point may occur in several of them. */
    #allLevels(): Pick<AutomorphismResult, 'base' | 'orbitLengths'> {
        const base: number[] = [];
        const orbitLengths: number[] = [];
        /** `levelAfter[v]` is 1 + the level of v, or 0. */
        const levelAfter = new Int32Array(this.#graph.vertexCount);
        const add = (point: number, orbitLength: number): void => {
            const after = levelAfter[point];
            if (after === 0) {
                base.push(point);
                orbitLengths.push(orbitLength);
                levelAfter[point] = base.length;
            } else {
                orbitLengths[after - 1] *= orbitLength;
            }
        };
        for (const { point, orbitLength } of this.searchedLevels) {
            add(point, orbitLength);
        }
        this.#kernel.forEachLevel(add);
        return { base, orbitLengths };
    }
}

/** The product of `factors[start]` … `factors[end - 1]`, by halves, with few products of large numbers. */
function product(factors: readonly number[], start: number, end: number): bigint {
    if (end - start <= 2) {
        // Orbits are at most VERTEX_LIMIT long, so the product is exact.
        return BigInt((factors[start] ?? 1) * (end - start === 2 ? factors[start + 1] : 1));
    }
    const middle = (start + end) >>> 1;
    return product(factors, start, middle) * product(factors, middle, end);
}
