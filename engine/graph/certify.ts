/**
 * Is this permutation an automorphism? Checks and never searches: it reads the graph and the permutation, and shares no
 * code and no array with the search whose answers it judges.
 *
 * A permutation that fixes all points but its support is an automorphism if and only if it is a bijection of the
 * support, keeps colors, and maps the row of every moved vertex onto the row of its image: an edge with both ends fixed
 * stays, and an edge with a moved end is seen from that end.
 */
import type { SparsePermutation } from '../group/sparse-permutation.js';
import type { ColoredGraph } from './colored-graph.js';

/** After this many stamps all marks are wiped. */
const LAST_STAMP = 2 ** 31 - 1;

/** Checks many permutations of one graph; each check is linear in the degrees of the moved vertices. */
export interface Certifier {
    /** Whether `permutation` maps the graph onto itself. False also for what is no permutation of the vertices. */
    isAutomorphism(permutation: SparsePermutation): boolean;
    /** The same for a permutation that maps `points[i]` to `images[i]`, for i from `start` to `end - 1`, in any order. */
    holds(points: Int32Array, images: Int32Array, start: number, end: number): boolean;
}

/** Whether `permutation` maps the graph onto itself. O(vertexCount) besides the check: to check many, use a Certifier. */
export function isAutomorphism(graph: ColoredGraph, permutation: SparsePermutation): boolean {
    return createCertifier(graph).isAutomorphism(permutation);
}

/** A certifier for `graph`, with its own scratch space of O(vertexCount). */
export function createCertifier(graph: ColoredGraph): Certifier {
    const { vertexCount, colors, firstNeighbor, neighbors } = graph;
    /** `imageOf[v]` is the image of v under the permutation being checked; v itself between two checks. */
    const imageOf = new Int32Array(vertexCount);
    for (let vertex = 0; vertex < vertexCount; vertex++) {
        imageOf[vertex] = vertex;
    }
    /** `seenAt[v]` is the last stamp v was marked with. A new stamp forgets all marks at once. */
    const seenAt = new Int32Array(vertexCount);
    let stamp = 0;

    function nextStamp(): number {
        if (stamp === LAST_STAMP) {
            seenAt.fill(0);
            stamp = 0;
        }
        return ++stamp;
    }

    /** Whether the points are mapped one to one onto themselves, none of them to itself, and colors are kept. */
    function isColoredBijection(points: Int32Array, images: Int32Array, start: number, end: number): boolean {
        const pointMark = nextStamp();
        for (let i = start; i < end; i++) {
            const point = points[i];
            if (!(0 <= point && point < vertexCount) || seenAt[point] === pointMark) {
                return false;
            }
            seenAt[point] = pointMark;
        }
        // A point that has become an image has a mark of its own, -pointMark, so that no other is mapped to it.
        for (let i = start; i < end; i++) {
            const image = images[i];
            if (!(0 <= image && image < vertexCount) || image === points[i] || seenAt[image] !== pointMark) {
                return false;
            }
            if (colors[image] !== colors[points[i]]) {
                return false;
            }
            seenAt[image] = -pointMark;
        }
        return true;
    }

    /** Whether the images of the neighbors of `vertex` are the neighbors of its image. */
    function mapsRow(vertex: number, image: number): boolean {
        const start = firstNeighbor[vertex];
        const end = firstNeighbor[vertex + 1];
        const imageStart = firstNeighbor[image];
        const imageEnd = firstNeighbor[image + 1];
        if (end - start !== imageEnd - imageStart) {
            return false;
        }
        const mark = nextStamp();
        for (let i = start; i < end; i++) {
            seenAt[imageOf[neighbors[i]]] = mark;
        }
        for (let i = imageStart; i < imageEnd; i++) {
            if (seenAt[neighbors[i]] !== mark) {
                return false;
            }
        }
        return true;
    }

    function holds(points: Int32Array, images: Int32Array, start: number, end: number): boolean {
        if (!isColoredBijection(points, images, start, end)) {
            return false;
        }
        for (let i = start; i < end; i++) {
            imageOf[points[i]] = images[i];
        }
        let mapsAllRows = true;
        for (let i = start; i < end && mapsAllRows; i++) {
            mapsAllRows = mapsRow(points[i], images[i]);
        }
        for (let i = start; i < end; i++) {
            imageOf[points[i]] = points[i];
        }
        return mapsAllRows;
    }

    return {
        holds,
        isAutomorphism: ({ points, images }) =>
            points.length === images.length && isAscending(points) && holds(points, images, 0, points.length),
    };
}

function isAscending(points: Int32Array): boolean {
    for (let i = 1; i < points.length; i++) {
        if (points[i - 1] >= points[i]) {
            return false;
        }
    }
    return true;
}
