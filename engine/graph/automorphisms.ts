/**
 * Generators of the automorphism group of a colored graph: the one entry to the search that other layers call.
 *
 * What goes out never depends on trust in the search: every generator has been checked by certify.ts.
 */
import type { WorkLimit } from '../common/work-limit.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import { createCertifier } from './certify.js';
import type { ColoredGraph } from './colored-graph.js';
import { searchAutomorphisms } from './search-tree.js';

export interface AutomorphismOptions {
    readonly workLimit: WorkLimit;
    /**
     * Permutations that may be automorphisms: what the model suggests, or the generators of the previous run. Each is
     * checked in time linear in the degrees of the vertices it moves; those that hold prune the search.
     */
    readonly candidates?: readonly SparsePermutation[];
    /** Base points are taken among the vertices that share a color with one of these as long as possible. */
    readonly preferredVertices?: ArrayLike<number>;
    /** Vertices to take as the first base points, in this order, leaving out those that are fixed already. */
    readonly initialBase?: readonly number[];
}

/** Counts of the work done. They do not depend on the machine. */
export interface AutomorphismStatistics {
    /** Nodes of the search tree that were entered, the root included. */
    readonly treeNodes: number;
    /** Refinements that were started. */
    readonly refinements: number;
    /** Nodes at which an automorphism could be read off, whether it then held or not. */
    readonly leaves: number;
    /** Permutations handed to the certificate, the candidates included. */
    readonly certifications: number;
    /** Leaves whose permutation did not hold. */
    readonly badLeaves: number;
}

export interface AutomorphismResult {
    /** Automorphisms, each checked. They generate the whole group if `complete`, else a subgroup. */
    readonly generators: readonly SparsePermutation[];
    /**
     * The order of the group if `complete`. Else a lower bound for the order of the group that the generators generate: the
     * product of the orbit lengths known so far.
     */
    readonly order: bigint;
    /** False when the work limit ended the search. */
    readonly complete: boolean;
    /** Fixing these vertices one after the other fixes every vertex (if `complete`). */
    readonly base: readonly number[];
    /**
     * `orbitLengths[i]` is the length of the orbit of `base[i]` under the generators that fix `base[0]` … `base[i - 1]`; 1
     * where the search was ended before it got to know. The product is `order`.
     */
    readonly orbitLengths: readonly number[];
    readonly statistics: AutomorphismStatistics;
}

/**
 * The automorphism group of `graph` as generators, exact order and base. The same graph and options give the same answer.
 *
 * When the work limit ends the search, the answer is a subgroup. Passes OperationCancelled through.
 */
export function findAutomorphisms(graph: ColoredGraph, options: AutomorphismOptions): AutomorphismResult {
    const certifier = createCertifier(graph);
    const candidates = options.candidates ?? [];
    const known = candidates.filter(candidate => candidate.points.length > 0 && certifier.isAutomorphism(candidate));
    const { generators, base, orbitLengths, complete, counts } = searchAutomorphisms(graph, certifier, {
        workLimit: options.workLimit,
        known,
        preferredVertices: options.preferredVertices ?? [],
        initialBase: options.initialBase ?? [],
    });
    return {
        generators,
        order: product(orbitLengths, 0, orbitLengths.length),
        complete,
        base,
        orbitLengths,
        statistics: { ...counts, certifications: counts.certifications + candidates.length },
    };
}

/** The product of `factors[start]` … `factors[end - 1]`, by halves: large numbers are multiplied a few times only. */
function product(factors: readonly number[], start: number, end: number): bigint {
    if (end - start <= 2) {
        // Orbits are shorter than 2^26, so that this is exact.
        return BigInt((factors[start] ?? 1) * (end - start === 2 ? factors[start + 1] : 1));
    }
    const middle = (start + end) >>> 1;
    return product(factors, start, middle) * product(factors, middle, end);
}
