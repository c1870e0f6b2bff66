/**
 * The graph in which exactly those vertices are joined that are not joined in another: it has the same automorphisms. Of a
 * graph with most of the possible edges it is the smaller one by far, and may have parts that can be folded up.
 */
import type { WorkLimit } from '../../common/work-limit.js';
import type { BundledGraph } from './bundled-graph.js';
import type { ColoredGraph } from '../colored-graph.js';
import type { Scratch } from '../scratch.js';

/**
 * `stage` with the complement of its graph where that has at most half as many edges: with more, making it would not pay. Else
 * `stage` itself. O(vertexCount + edgeCount).
 */
export function withFewerEdges(stage: BundledGraph, workLimit: WorkLimit, scratch: Scratch): BundledGraph | 'stopped' {
    const { vertexCount, edgeCount } = stage.graph;
    const pairCount = (vertexCount * (vertexCount - 1)) / 2;
    if (edgeCount === 0 || 2 * (pairCount - edgeCount) > edgeCount) {
        return stage;
    }
    const graph = complement(stage.graph, workLimit, scratch);
    return graph === 'stopped' ? graph : { ...stage, graph };
}

/** O(vertexCount²). */
function complement(graph: ColoredGraph, workLimit: WorkLimit, scratch: Scratch): ColoredGraph | 'stopped' {
    const { vertexCount, edgeCount, firstNeighbor, neighbors } = graph;
    const newFirstNeighbor = scratch.integers(vertexCount + 1);
    const newNeighbors = scratch.integers(vertexCount * (vertexCount - 1) - 2 * edgeCount);
    /** `rowOf[w]` is 1 + the last vertex in whose row w was. */
    const rowOf = scratch.integers(vertexCount);
    let end = 0;
    for (let vertex = 0; vertex < vertexCount; vertex++) {
        if (workLimit.isExhausted()) {
            return 'stopped';
        }
        const rowEnd = firstNeighbor[vertex + 1];
        for (let i = firstNeighbor[vertex]; i < rowEnd; i++) {
            rowOf[neighbors[i]] = vertex + 1;
        }
        rowOf[vertex] = vertex + 1;
        for (let other = 0; other < vertexCount; other++) {
            if (rowOf[other] !== vertex + 1) {
                newNeighbors[end++] = other;
            }
        }
        newFirstNeighbor[vertex + 1] = end;
    }
    return { ...graph, edgeCount: end / 2, firstNeighbor: newFirstNeighbor, neighbors: newNeighbors };
}
