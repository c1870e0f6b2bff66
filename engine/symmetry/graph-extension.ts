/**
 * The automorphism of the graph that extends a permutation of literals, if there is one. The image of a vertex is the
 * only vertex of its color over the images of its children, so it is found level by level. O(degrees of moved vertices
 * + children of the vertices above them) for each permutation, after one pass over the graph.
 */
import { HashChains } from '../common/hash-chains.js';
import { remembered } from '../common/list-map.js';
import { sparseFromImages, type SparsePermutation } from '../group/sparse-permutation.js';
import type { ColoredGraph } from '../graph/colored-graph.js';
import type { GraphEncoding } from './graph-encoding.js';
import { forEachLiteral, literalPoints, type LiteralPoints } from './model-symmetry.js';

/** The extensions of one graph, prepared once: descriptions and explanations extend many permutations. */
export function graphExtensionOf(encoding: GraphEncoding): GraphExtension {
    return remembered(knownExtensions, encoding, () => new GraphExtension(encoding, literalPoints(encoding.problem)));
}

const knownExtensions = new WeakMap<GraphEncoding, GraphExtension>();

export class GraphExtension {
    private readonly encoding: GraphEncoding;
    /** The height of each vertex over the literals. */
    private readonly heights: Int32Array;
    /** The vertices with children, by the hash of their color and children. */
    private readonly verticesOfHash = new HashChains();
    /** The vertex of each point, -1 for a cell that never changes. */
    private readonly vertexOfPoint: Int32Array;
    /** The vertex of "no value" of each point's cell, or -1. */
    private readonly noValueVertex: Int32Array;
    /** A hash of the colors at most two edges away: equal for vertices that an automorphism exchanges. */
    private readonly surroundings: Int32Array;
    /** The sum of the color and of `mixed` of the children, modulo 2^32. */
    private readonly hashes: Int32Array;
    /** Between extensions every vertex is its own image. */
    private readonly images: Int32Array;
    /** The moved children of each queued vertex: a list in `below` from `lastBelow[vertex]` through `before` to -1. */
    private readonly lastBelow: Int32Array;
    private readonly below: number[] = [];
    private readonly before: number[] = [];
    /** The vertices of the current set of children have the last stamp. */
    private readonly stamps: Float64Array;
    private lastStamp = 0;

    constructor(encoding: GraphEncoding, points: LiteralPoints) {
        this.encoding = encoding;
        const { children, graph } = encoding;
        this.heights = new Int32Array(graph.vertexCount);
        this.surroundings = surroundingsOf(graph, surroundingsOf(graph, graph.colors));
        this.images = Int32Array.from({ length: graph.vertexCount }, (_, vertex) => vertex);
        this.hashes = new Int32Array(graph.vertexCount);
        this.lastBelow = new Int32Array(graph.vertexCount).fill(-1);
        this.stamps = new Float64Array(graph.vertexCount);
        for (let vertex = 0; vertex < children.length; vertex++) {
            const below = children[vertex];
            if (below.length > 0) {
                let height = 0;
                let hash = graph.colors[vertex];
                for (let index = 0; index < below.length; index++) {
                    height = Math.max(height, this.heights[below[index]] + 1);
                    hash = (hash + mixed(below[index])) | 0;
                }
                this.heights[vertex] = height;
                this.hashes[vertex] = hash;
                this.verticesOfHash.add(vertex, hash);
            }
        }
        const { cellOfPoint } = points;
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

    /** The automorphism that moves the literals so; undefined if the permutation is no symmetry. */
    extend(permutation: SparsePermutation): SparsePermutation | undefined {
        const moved: number[] = [];
        const levels: number[][] = [];
        const isSymmetry = this.mapLiterals(permutation, moved) && this.mapAbove(moved, levels);
        const extended = isSymmetry ? sparseFromImages(moved, this.images) : undefined;
        for (const vertex of moved) {
            this.images[vertex] = vertex;
        }
        for (const vertex of levels.flat()) {
            this.lastBelow[vertex] = -1;
        }
        this.below.length = 0;
        this.before.length = 0;
        return extended;
    }

    /** False if a cell that never changes would be exchanged with one that does. Constants have no vertices. */
    private mapLiterals(permutation: SparsePermutation, moved: number[]): boolean {
        return permutation.points.every((point, index) => {
            const image = permutation.images[index];
            const from = this.vertexOfPoint[point];
            const to = this.vertexOfPoint[image];
            const emptyFrom = this.noValueVertex[point];
            const emptyTo = this.noValueVertex[image];
            if (from < 0 !== to < 0 || emptyFrom < 0 !== emptyTo < 0 || this.isUnlike(from, to)) {
                return false;
            }
            if (from !== to) {
                this.move(from, to, moved);
            }
            if (emptyFrom !== emptyTo) {
                this.move(emptyFrom, emptyTo, moved);
            }
            return true;
        });
    }

    /** Whether the surroundings of two literals show that no automorphism exchanges them. */
    private isUnlike(first: number, second: number): boolean {
        const { colors } = this.encoding.graph;
        return (
            first >= 0 && (colors[first] !== colors[second] || this.surroundings[first] !== this.surroundings[second])
        );
    }

    private move(vertex: number, image: number, moved: number[]): void {
        if (this.images[vertex] === vertex) {
            moved.push(vertex);
        }
        this.images[vertex] = image;
    }

    /** Level by level; false if a vertex has no image. */
    private mapAbove(moved: number[], levels: number[][]): boolean {
        for (const vertex of moved) {
            this.queueAbove(vertex, levels);
        }
        for (let height = 1; height < levels.length; height++) {
            for (const vertex of levels[height] ?? []) {
                const target = this.imageOf(vertex);
                if (target < 0) {
                    return false;
                }
                if (target !== vertex) {
                    this.move(vertex, target, moved);
                    this.queueAbove(vertex, levels);
                }
            }
        }
        return true;
    }

    /** Puts the vertices above a vertex on their levels; children have smaller numbers. */
    private queueAbove(vertex: number, levels: number[][]): void {
        const { firstNeighbor, neighbors } = this.encoding.graph;
        for (let index = firstNeighbor[vertex + 1] - 1; index >= firstNeighbor[vertex]; index--) {
            const parent = neighbors[index];
            if (parent < vertex) {
                return;
            }
            if (this.lastBelow[parent] < 0) {
                (levels[this.heights[parent]] ??= []).push(parent);
            }
            this.before.push(this.lastBelow[parent]);
            this.lastBelow[parent] = this.below.length;
            this.below.push(vertex);
        }
    }

    /** The vertex of the same color over the images of the children; -1 if there is none. */
    private imageOf(vertex: number): number {
        const { images } = this;
        let hash = this.hashes[vertex];
        for (let entry = this.lastBelow[vertex]; entry >= 0; entry = this.before[entry]) {
            const child = this.below[entry];
            hash = (hash + mixed(images[child]) - mixed(child)) | 0;
        }
        if (hash === this.hashes[vertex] && this.keepsChildren(vertex)) {
            return vertex;
        }
        return this.vertexOver(vertex, hash);
    }

    /** The vertex of the color of `vertex` over the images of its children, whose hash is given; -1 if there is none. */
    private vertexOver(vertex: number, hash: number): number {
        const { children, graph } = this.encoding;
        const { images } = this;
        const below = children[vertex];
        const stamp = ++this.lastStamp;
        for (let index = 0; index < below.length; index++) {
            this.stamps[images[below[index]]] = stamp;
        }
        for (let other = this.verticesOfHash.first(hash); other >= 0; other = this.verticesOfHash.next(other)) {
            if (graph.colors[other] === graph.colors[vertex] && this.hasStampedChildren(other, below.length, stamp)) {
                return other;
            }
        }
        return -1;
    }

    /** Whether the moved children of a vertex are permuted. */
    private keepsChildren(vertex: number): boolean {
        const stamp = ++this.lastStamp;
        for (let entry = this.lastBelow[vertex]; entry >= 0; entry = this.before[entry]) {
            this.stamps[this.below[entry]] = stamp;
        }
        for (let entry = this.lastBelow[vertex]; entry >= 0; entry = this.before[entry]) {
            if (this.stamps[this.images[this.below[entry]]] !== stamp) {
                return false;
            }
        }
        return true;
    }

    private hasStampedChildren(vertex: number, count: number, stamp: number): boolean {
        const below = this.encoding.children[vertex];
        if (below.length !== count) {
            return false;
        }
        for (let index = 0; index < below.length; index++) {
            if (this.stamps[below[index]] !== stamp) {
                return false;
            }
        }
        return true;
    }
}

/** A number for each vertex that depends on its own number and on those of its neighbors, in whatever order. */
function surroundingsOf({ vertexCount, firstNeighbor, neighbors }: ColoredGraph, numbers: Int32Array): Int32Array {
    const result = new Int32Array(vertexCount);
    for (let vertex = 0; vertex < vertexCount; vertex++) {
        let sum = mixed(numbers[vertex]);
        for (let index = firstNeighbor[vertex]; index < firstNeighbor[vertex + 1]; index++) {
            sum = (sum + mixed(numbers[neighbors[index]] ^ 0x2545f491)) | 0;
        }
        result[vertex] = sum;
    }
    return result;
}

/** A number for each vertex, such that different sets of vertices rarely have the same sum. */
function mixed(vertex: number): number {
    const hash = Math.imul(vertex + 1, 0x9e3779b1);
    return Math.imul(hash ^ (hash >>> 15), 0x85ebca77);
}
