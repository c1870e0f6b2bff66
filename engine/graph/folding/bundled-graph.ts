/**
 * A folded graph (hanging-trees.ts, twins.ts): each vertex stands for a bundle of vertices of an original graph.
 *
 * An automorphism of this graph that maps v to w is lifted to the original graph by mapping the i-th vertex of the
 * bundle of v to the i-th of the bundle of w. Every automorphism of the original graph is a lifted one times one that
 * maps each bundle onto itself. The foldings have listed generators of the latter.
 */
import type { WorkLimit } from '../../common/work-limit.js';
import type { ColoredGraph } from '../colored-graph.js';
import type { Scratch } from '../scratch.js';

export interface BundledGraph {
    readonly graph: ColoredGraph;
    /** The bundle of v is `bundle[bundleStart[v]]` … `bundle[bundleStart[v + 1] - 1]`. Length vertexCount + 1. */
    readonly bundleStart: Int32Array;
    /** Each vertex of the original graph once. */
    readonly bundle: Int32Array;
}

/** A folding: the remaining vertices and their bundles. */
export interface Folding {
    /** The remaining vertices, ascending. */
    readonly kept: Int32Array;
    /** `colors[i]` is the new color of `kept[i]`, 0 … colorCount - 1; each is used. */
    readonly colors: Int32Array;
    readonly colorCount: number;
    /** The bundles as in BundledGraph, in the order of `kept`. */
    readonly bundleStart: Int32Array;
    readonly bundle: Int32Array;
}

/** The bundle of each vertex is the vertex itself. */
export function unbundled(graph: ColoredGraph, scratch: Scratch): BundledGraph {
    const bundleStart = scratch.integers(graph.vertexCount + 1);
    for (let vertex = 0; vertex <= graph.vertexCount; vertex++) {
        bundleStart[vertex] = vertex;
    }
    return { graph, bundleStart, bundle: bundleStart.subarray(0, graph.vertexCount) };
}

/** The cost of searching a vertex, compared to copying a vertex or an edge. */
const SEARCH_COST = 512;
/** Folding one vertex in this many is always worth it. */
const SMALL_PART = 64;

/** Whether folding so many vertices, which copies the rest of the graph, takes less time than searching them. */
export function isWorthFolding({ vertexCount, edgeCount }: ColoredGraph, foldedCount: number): boolean {
    return (
        foldedCount > 0 &&
        (foldedCount * SMALL_PART >= vertexCount || foldedCount * SEARCH_COST >= vertexCount + edgeCount)
    );
}

/** The graph on the remaining vertices. O(vertexCount + edgeCount). */
export function folded(
    graph: ColoredGraph,
    { kept, colors, colorCount, bundleStart, bundle }: Folding,
    scratch: Scratch,
): BundledGraph {
    const { vertexCount, firstNeighbor, neighbors } = graph;
    const keptCount = kept.length;
    /** `indexOf[v]` is the index of v in `kept`, or -1. */
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

/** The work limit is checked once in so many vertices. */
const POLL_MASK = 2 ** 12 - 1;

/**
 * The graph with its vertices numbered breadth-first: neighbors are then close in memory, so the refinement of a graph
 * that exceeds the cache is faster. The rows of the new graph are not sorted. O(vertexCount + edgeCount).
 */
export function numberedBreadthFirst(
    stage: BundledGraph,
    workLimit: WorkLimit,
    scratch: Scratch,
): BundledGraph | 'stopped' {
    const { graph, bundleStart, bundle } = stage;
    const { vertexCount, colors, firstNeighbor, neighbors } = graph;
    /** `order[i]` is the vertex with number i; `numberOf` is the inverse, -1 for vertices without a number. */
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
