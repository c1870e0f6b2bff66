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

/** Checks many permutations of one graph; each check is linear in the degrees of the moved vertices. */
export interface Certifier {
    /** Whether `permutation` maps the graph onto itself. False also for what is no permutation of the vertices. */
    isAutomorphism(permutation: SparsePermutation): boolean;
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
    const seenAt = new Float64Array(vertexCount);
    let stamp = 0;

    /** Whether the permutation is a well-formed bijection of its points that keeps colors. */
    function isColoredBijection(points: Int32Array, images: Int32Array): boolean {
        if (points.length !== images.length) {
            return false;
        }
        stamp++;
        let previous = -1;
        for (let i = 0; i < points.length; i++) {
            const point = points[i];
            if (point <= previous || point >= vertexCount) {
                return false;
            }
            seenAt[point] = stamp;
            previous = point;
        }
        stamp++;
        for (let i = 0; i < points.length; i++) {
            const image = images[i];
            if (!(0 <= image && image < vertexCount) || image === points[i]) {
                return false;
            }
            // Each point must be an image exactly once: its mark goes from the old stamp to the new one.
            if (seenAt[image] !== stamp - 1 || colors[image] !== colors[points[i]]) {
                return false;
            }
            seenAt[image] = stamp;
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
        stamp++;
        for (let i = start; i < end; i++) {
            seenAt[imageOf[neighbors[i]]] = stamp;
        }
        for (let i = imageStart; i < imageEnd; i++) {
            if (seenAt[neighbors[i]] !== stamp) {
                return false;
            }
        }
        return true;
    }

    return {
        isAutomorphism(permutation: SparsePermutation): boolean {
            const { points, images } = permutation;
            if (!isColoredBijection(points, images)) {
                return false;
            }
            for (let i = 0; i < points.length; i++) {
                imageOf[points[i]] = images[i];
            }
            let mapsAllRows = true;
            for (let i = 0; i < points.length && mapsAllRows; i++) {
                mapsAllRows = mapsRow(points[i], images[i]);
            }
            for (let i = 0; i < points.length; i++) {
                imageOf[points[i]] = points[i];
            }
            return mapsAllRows;
        },
    };
}
