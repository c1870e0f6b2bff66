/**
 * A graph each of whose vertices stands for a bundle of vertices of an original graph: what is left after parts whose
 * symmetries are plain have been folded up (hanging-trees.ts, twins.ts).
 *
 * Invariant: an automorphism of this graph that maps v to w becomes one of the original graph when, for each v, the i-th
 * vertex of the bundle of v goes to the i-th of the bundle of w. Every automorphism of the original graph permutes the
 * bundles as some automorphism of this graph does, and differs from what that becomes only by automorphisms that map each
 * bundle onto itself. The steps that made this graph have written down generators of these.
 */
import type { WorkLimit } from '../../common/work-limit.js';
import type { ColoredGraph } from '../colored-graph.js';
import type { Scratch } from '../scratch.js';

/** A graph whose vertices stand for bundles of vertices of the original graph. */
export interface BundledGraph {
    readonly graph: ColoredGraph;
    /** The bundle of v is `bundle[bundleStart[v]]` … `bundle[bundleStart[v + 1] - 1]`. Length vertexCount + 1. */
    readonly bundleStart: Int32Array;
    /** Each vertex of the original graph once. */
    readonly bundle: Int32Array;
}

/** How to fold up a graph: which vertices are left, and what each stands for. */
export interface Folding {
    /** The vertices that are left, ascending. */
    readonly kept: Int32Array;
    /** `colors[i]` is the new color of `kept[i]`, 0 … colorCount - 1, each of them used. */
    readonly colors: Int32Array;
    readonly colorCount: number;
    /** The bundles of the vertices that are left, as in BundledGraph, in the order of `kept`. */
    readonly bundleStart: Int32Array;
    readonly bundle: Int32Array;
}

/** The graph itself: each vertex stands for itself. */
export function unbundled(graph: ColoredGraph, scratch: Scratch): BundledGraph {
    const bundleStart = scratch.integers(graph.vertexCount + 1);
    for (let vertex = 0; vertex <= graph.vertexCount; vertex++) {
        bundleStart[vertex] = vertex;
    }
    return { graph, bundleStart, bundle: bundleStart.subarray(0, graph.vertexCount) };
}

/** What a vertex that is not folded up costs the search, compared to writing down a vertex or an edge of what is left. */
const SEARCH_COST = 512;
/** One vertex in so many is no small part, and where rows are long each of them costs the search more than that. */
const SMALL_PART = 64;

/**
 * Whether folding up so many vertices takes less than searching them. The rest is written down anew; and few vertices, in a
 * graph whose refinement may leave nothing to search, are no reason for that.
 */
export function isWorthFolding({ vertexCount, edgeCount }: ColoredGraph, foldedCount: number): boolean {
    return (
        foldedCount > 0 &&
        (foldedCount * SMALL_PART >= vertexCount || foldedCount * SEARCH_COST >= vertexCount + edgeCount)
    );
}

/** The graph on the vertices that are left. O(vertexCount + edgeCount). */
export function folded(
    graph: ColoredGraph,
    { kept, colors, colorCount, bundleStart, bundle }: Folding,
    scratch: Scratch,
): BundledGraph {
    const { vertexCount, firstNeighbor, neighbors } = graph;
    const keptCount = kept.length;
    /** `indexOf[v]` is the number of v among the vertices that are left, or -1. */
    const indexOf = scratch.integers(vertexCount).fill(-1);
    let entryCount = 0;
    for (let i = 0; i < keptCount; i++) {
        indexOf[kept[i]] = i;
        entryCount += firstNeighbor[kept[i] + 1] - firstNeighbor[kept[i]];
    }
    const newFirstNeighbor = scratch.integers(keptCount + 1);
    const newNeighbors = scratch.integers(entryCount);
    let end = 0;
    for (let i = 0; i < keptCount; i++) {
        const rowEnd = firstNeighbor[kept[i] + 1];
        for (let j = firstNeighbor[kept[i]]; j < rowEnd; j++) {
            const index = indexOf[neighbors[j]];
            if (index >= 0) {
                newNeighbors[end++] = index;
            }
        }
        newFirstNeighbor[i + 1] = end;
    }
    return {
        graph: {
            vertexCount: keptCount,
            edgeCount: end / 2,
            colors,
            colorCount,
            firstNeighbor: newFirstNeighbor,
            neighbors: newNeighbors.subarray(0, end),
        },
        bundleStart,
        bundle,
    };
}

/** The work limit is asked once in so many vertices. */
const POLL_MASK = 2 ** 12 - 1;

/**
 * The same graph with its vertices numbered breadth-first: what is near in the graph is near in memory then, and refinement of
 * a graph that does not fit into a cache is faster. The rows of the new graph are not sorted. O(vertexCount + edgeCount).
 */
export function numberedBreadthFirst(
    stage: BundledGraph,
    workLimit: WorkLimit,
    scratch: Scratch,
): BundledGraph | 'stopped' {
    const { graph, bundleStart, bundle } = stage;
    const { vertexCount, colors, firstNeighbor, neighbors } = graph;
    /** `order[i]` is the vertex that is numbered i, `numberOf` the inverse, -1 where there is none yet. */
    const order = scratch.integers(vertexCount);
    const numberOf = scratch.integers(vertexCount).fill(-1);
    let count = 0;
    let next = 0;
    for (let start = 0; count < vertexCount; start++) {
        if (numberOf[start] >= 0) {
            continue;
        }
        numberOf[start] = count;
        order[count++] = start;
        for (; next < count; next++) {
            if ((next & POLL_MASK) === 0 && workLimit.isExhausted()) {
                return 'stopped';
            }
            const rowEnd = firstNeighbor[order[next] + 1];
            for (let i = firstNeighbor[order[next]]; i < rowEnd; i++) {
                const neighbor = neighbors[i];
                if (numberOf[neighbor] < 0) {
                    numberOf[neighbor] = count;
                    order[count++] = neighbor;
                }
            }
        }
    }
    const newColors = scratch.integers(vertexCount);
    const newFirstNeighbor = scratch.integers(vertexCount + 1);
    const newNeighbors = scratch.integers(neighbors.length);
    const newBundleStart = scratch.integers(vertexCount + 1);
    const newBundle = scratch.integers(bundle.length);
    let neighborsEnd = 0;
    let bundleEnd = 0;
    for (let i = 0; i < vertexCount; i++) {
        if ((i & POLL_MASK) === 0 && workLimit.isExhausted()) {
            return 'stopped';
        }
        const vertex = order[i];
        newColors[i] = colors[vertex];
        const rowEnd = firstNeighbor[vertex + 1];
        for (let j = firstNeighbor[vertex]; j < rowEnd; j++) {
            newNeighbors[neighborsEnd++] = numberOf[neighbors[j]];
        }
        newFirstNeighbor[i + 1] = neighborsEnd;
        for (let j = bundleStart[vertex]; j < bundleStart[vertex + 1]; j++) {
            newBundle[bundleEnd++] = bundle[j];
        }
        newBundleStart[i + 1] = bundleEnd;
    }
    return {
        graph: { ...graph, colors: newColors, firstNeighbor: newFirstNeighbor, neighbors: newNeighbors },
        bundleStart: newBundleStart,
        bundle: newBundle,
    };
}
