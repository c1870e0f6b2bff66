/**
 * Vertex-colored undirected simple graphs, as compressed sparse rows. GraphBuilder creates them, and nothing changes
 * them.
 *
 * Every edge is in the rows of both its ends, no row has its own vertex or a vertex twice, and every color from 0 to
 * colorCount - 1 is used.
 */

/** Vertices are less than this, so one number holds two of them exactly. */
export const VERTEX_LIMIT = 2 ** 26;

/** The memory is 4 (2 · vertexCount + 2 · edgeCount) bytes. */
export interface ColoredGraph {
    readonly vertexCount: number;
    readonly edgeCount: number;
    /** `colors[v]` is the color of v, 0 … colorCount - 1. Length vertexCount. */
    readonly colors: Int32Array;
    readonly colorCount: number;
    /** `firstNeighbor[v]` … `firstNeighbor[v + 1] - 1` are the positions of v's neighbors. Length vertexCount + 1. */
    readonly firstNeighbor: Int32Array;
    /** The rows one after the other, each ascending. Length 2 · edgeCount. */
    readonly neighbors: Int32Array;
}
