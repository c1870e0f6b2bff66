/**
 * Checks whether a permutation is an automorphism. The check shares no code and no array with the search.
 *
 * A permutation is an automorphism if and only if it is a bijection of its support, keeps colors, and maps the row of
 * every moved vertex onto the row of its image.
 */
import type { SparsePermutation } from '../group/sparse-permutation.js';
import type { ColoredGraph } from './colored-graph.js';

/** After this many stamps all marks are cleared. */
const LAST_STAMP = 2 ** 31 - 1;

/** Whether `permutation` maps the graph onto itself. Allocates O(vertexCount): to check many, use a Certifier. */
export function isAutomorphism(graph: ColoredGraph, permutation: SparsePermutation): boolean {
    return new Certifier(graph).isAutomorphism(permutation);
}

/** Checks many permutations of one graph; each check is linear in the degrees of the moved vertices. */
export class Certifier {
    readonly #graph: ColoredGraph;
    /** `#imageOf[v]` is the image of v; between two checks it is v. Length vertexCount; allocated on demand. */
    #imageOf: Int32Array | undefined;
    /** `#seenAt[v]` is the last stamp of v. A new stamp clears all marks at once. Length vertexCount. */
    #seenAt = new Int32Array(0);
    #stamp = 0;

    constructor(graph: ColoredGraph) {
        this.#graph = graph;
    }

    /** Whether `permutation` maps the graph onto itself. False if it is no permutation of the vertices. */
    isAutomorphism({ points, images }: SparsePermutation): boolean {
        return points.length === images.length && isAscending(points) && this.holds(points, images, 0, points.length);
    }

    /** The same for a permutation that maps `points[i]` to `images[i]`, for i from `start` to `end - 1`. Any order. */
    holds(points: Int32Array, images: Int32Array, start: number, end: number): boolean {
        const { vertexCount, colors } = this.#graph;
        const imageOf = (this.#imageOf ??= this.#takeSpace());
        let next = start;
        for (; next < end; next++) {
            const point = points[next];
            const image = images[next];
            // They must be two vertices of one color, and the first has no image yet.
            if (
                !(0 <= point && point < vertexCount && 0 <= image && image < vertexCount) ||
                point === image ||
                colors[point] !== colors[image] ||
                imageOf[point] !== point
            ) {
                break;
            }
            imageOf[point] = image;
        }
        const result =
            next === end &&
            this.#isOneToOne(imageOf, images, start, end) &&
            this.#mapsRows(imageOf, points, start, end);
        for (let i = start; i < next; i++) {
            imageOf[points[i]] = points[i];
        }
        return result;
    }

    /** Whether the images are different and each of them has an image. */
    #isOneToOne(imageOf: Int32Array, images: Int32Array, start: number, end: number): boolean {
        const seenAt = this.#seenAt;
        const mark = this.#stampsFor(1);
        for (let i = start; i < end; i++) {
            const image = images[i];
            if (seenAt[image] === mark || imageOf[image] === image) {
                return false;
            }
            seenAt[image] = mark;
        }
        return true;
    }

    /** Whether each row is mapped onto the row of the image. An involution needs only one row of each pair. */
    #mapsRows(imageOf: Int32Array, points: Int32Array, start: number, end: number): boolean {
        const { firstNeighbor, neighbors } = this.#graph;
        const seenAt = this.#seenAt;
        let isOwnInverse = true;
        for (let i = start; i < end && isOwnInverse; i++) {
            isOwnInverse = imageOf[imageOf[points[i]]] === points[i];
        }
        let mark = this.#stampsFor(end - start);
        for (let i = start; i < end; i++) {
            const vertex = points[i];
            const image = imageOf[vertex];
            if (isOwnInverse && image < vertex) {
                continue;
            }
            const rowStart = firstNeighbor[vertex];
            const rowEnd = firstNeighbor[vertex + 1];
            const imageStart = firstNeighbor[image];
            const imageEnd = firstNeighbor[image + 1];
            if (rowEnd - rowStart !== imageEnd - imageStart) {
                return false;
            }
            for (let j = rowStart; j < rowEnd; j++) {
                seenAt[imageOf[neighbors[j]]] = mark;
            }
            for (let j = imageStart; j < imageEnd; j++) {
                if (seenAt[neighbors[j]] !== mark) {
                    return false;
                }
            }
            mark++;
        }
        return true;
    }

    #takeSpace(): Int32Array {
        const { vertexCount } = this.#graph;
        const imageOf = new Int32Array(vertexCount);
        for (let vertex = 0; vertex < vertexCount; vertex++) {
            imageOf[vertex] = vertex;
        }
        this.#seenAt = new Int32Array(vertexCount);
        return imageOf;
    }

    /** The first of `count` unused stamps. */
    #stampsFor(count: number): number {
        if (this.#stamp > LAST_STAMP - count) {
            this.#seenAt.fill(0);
            this.#stamp = 0;
        }
        const first = this.#stamp + 1;
        this.#stamp += count;
        return first;
    }
}

function isAscending(points: Int32Array): boolean {
    for (let i = 1; i < points.length; i++) {
        if (points[i - 1] >= points[i]) {
            return false;
        }
    }
    return true;
}
