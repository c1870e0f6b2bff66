/**
 * From a permutation of literals to the automorphism of the graph that it extends to, if there is one.
 *
 * A vertex goes to the vertex of its color over the images of its children. There is at most one, so the extension is
 * found level by level, and only above what moves: O(degree of what moves) for each permutation, after one pass over
 * the graph.
 */
import { sparsePermutation, type SparsePermutation } from '../group/sparse-permutation.js';
import type { GraphEncoding } from './graph-encoding.js';
import { cellsOfPoints, forEachLiteral, type LiteralPoints } from './model-symmetry.js';

export class GraphExtension {
    private readonly encoding: GraphEncoding;
    /** The height of each vertex over the literals. */
    private readonly heights: Int32Array;
    /** The vertices with children, by the hash of their color and children. */
    private readonly verticesOfHash = new Map<number, number[]>();
    /** The vertex of each point, -1 for a cell that never changes. */
    private readonly vertexOfPoint: Int32Array;
    /** The vertex of "no value" of each point's cell, or -1. */
    private readonly noValueVertex: Int32Array;

    constructor(encoding: GraphEncoding, points: LiteralPoints) {
        this.encoding = encoding;
        const { children, graph } = encoding;
        this.heights = new Int32Array(graph.vertexCount);
        children.forEach((below, vertex) => {
            if (below.length === 0) {
                return;
            }
            let height = 0;
            let hash = graph.colors[vertex];
            for (const child of below) {
                height = Math.max(height, this.heights[child] + 1);
                hash = (hash + mixed(child)) | 0;
            }
            this.heights[vertex] = height;
            const others = this.verticesOfHash.get(hash);
            if (others === undefined) {
                this.verticesOfHash.set(hash, [vertex]);
            } else {
                others.push(vertex);
            }
        });
        const cellOfPoint = cellsOfPoints(points);
        this.vertexOfPoint = new Int32Array(cellOfPoint.length).fill(-1);
        const noValueVertexOfCell = new Int32Array(points.cellCount).fill(-1);
        forEachLiteral(encoding, points, (vertex, point, cell) => {
            if (point >= 0) {
                this.vertexOfPoint[point] = vertex;
            } else {
                noValueVertexOfCell[cell] = vertex;
            }
        });
        this.noValueVertex = cellOfPoint.map(cell => noValueVertexOfCell[cell]);
    }

    /** The automorphism that moves the literals so; undefined where the permutation is no symmetry. */
    extend(permutation: SparsePermutation): SparsePermutation | undefined {
        const images = new Map<number, number>();
        if (!this.mapLiterals(permutation, images)) {
            return undefined;
        }
        const levels: number[][] = [];
        const queued = new Set<number>();
        for (const vertex of images.keys()) {
            this.queueAbove(vertex, levels, queued);
        }
        for (let height = 1; height < levels.length; height++) {
            for (const vertex of levels[height] ?? []) {
                const target = this.imageOf(vertex, images);
                if (target === undefined) {
                    return undefined;
                }
                if (target !== vertex) {
                    images.set(vertex, target);
                    this.queueAbove(vertex, levels, queued);
                }
            }
        }
        return sparsePermutation([...images]);
    }

    /** False where a cell that never changes would be exchanged with one that does. Exchanging constants is nothing. */
    private mapLiterals(permutation: SparsePermutation, images: Map<number, number>): boolean {
        return permutation.points.every((point, index) => {
            const image = permutation.images[index];
            const from = this.vertexOfPoint[point];
            const to = this.vertexOfPoint[image];
            const emptyFrom = this.noValueVertex[point];
            const emptyTo = this.noValueVertex[image];
            if (from < 0 !== to < 0 || emptyFrom < 0 !== emptyTo < 0) {
                return false;
            }
            if (from !== to) {
                images.set(from, to);
            }
            if (emptyFrom !== emptyTo) {
                images.set(emptyFrom, emptyTo);
            }
            return true;
        });
    }

    /** Puts what stands above a vertex on its level; children have smaller numbers. */
    private queueAbove(vertex: number, levels: number[][], queued: Set<number>): void {
        const { firstNeighbor, neighbors } = this.encoding.graph;
        for (let index = firstNeighbor[vertex + 1] - 1; index >= firstNeighbor[vertex]; index--) {
            const parent = neighbors[index];
            if (parent < vertex) {
                return;
            }
            if (!queued.has(parent)) {
                queued.add(parent);
                (levels[this.heights[parent]] ??= []).push(parent);
            }
        }
    }

    private imageOf(vertex: number, images: ReadonlyMap<number, number>): number | undefined {
        const { children, graph } = this.encoding;
        const color = graph.colors[vertex];
        const wanted = new Set<number>();
        let hash = color;
        for (const child of children[vertex]) {
            const image = images.get(child) ?? child;
            wanted.add(image);
            hash = (hash + mixed(image)) | 0;
        }
        return this.verticesOfHash
            .get(hash)
            ?.find(
                other =>
                    graph.colors[other] === color &&
                    children[other].length === wanted.size &&
                    children[other].every(child => wanted.has(child)),
            );
    }
}

/** A number for each vertex, such that different sets of vertices rarely have the same sum. */
function mixed(vertex: number): number {
    const hash = Math.imul(vertex + 1, 0x9e3779b1);
    return Math.imul(hash ^ (hash >>> 15), 0x85ebca77);
}
