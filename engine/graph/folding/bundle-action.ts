/**
 * Lifts permutations of a folded graph to the original, and projects them back. A permutation of the folded graph maps
 * the i-th vertex of a bundle to the i-th vertex of another.
 */
import type { SparsePermutation } from '../../group/sparse-permutation.js';
import type { BundledGraph } from './bundled-graph.js';
import type { PermutationList } from '../permutation-list.js';

/** Writes the lifted permutation to the end of `list`, without keeping it. */
export function writeLifted(permutation: SparsePermutation, folded: BundledGraph, list: PermutationList): void {
    const { bundleStart, bundle } = folded;
    const { points, images } = permutation;
    let length = 0;
    for (let i = 0; i < points.length; i++) {
        length += bundleStart[points[i] + 1] - bundleStart[points[i]];
    }
    list.reserve(length);
    const listPoints = list.points;
    const listImages = list.images;
    let listEnd = list.end;
    for (let i = 0; i < points.length; i++) {
        const end = bundleStart[points[i] + 1];
        let place = bundleStart[points[i]];
        let image = bundleStart[images[i]];
        // Bundles are not empty, and most hold one vertex.
        do {
            listPoints[listEnd] = bundle[place];
            listImages[listEnd++] = bundle[image++];
        } while (++place < end);
    }
    list.end = listEnd;
}

/** The permutations of bundles by automorphisms of the original graph; some may be the identity. */
export function projected(permutations: readonly SparsePermutation[], folded: BundledGraph): SparsePermutation[] {
    if (permutations.length === 0) {
        return [];
    }
    const { graph, bundleStart, bundle } = folded;
    /** `holderOf[v]` is the vertex in whose bundle v is. */
    const holderOf = new Int32Array(bundle.length);
    for (let vertex = 0; vertex < graph.vertexCount; vertex++) {
        for (let i = bundleStart[vertex]; i < bundleStart[vertex + 1]; i++) {
            holderOf[bundle[i]] = vertex;
        }
    }
    /** Between permutations every vertex is its own image. */
    const imageOf = Int32Array.from({ length: graph.vertexCount }, (_, vertex) => vertex);
    return permutations.map(({ points, images }) => {
        const holders: number[] = [];
        for (let i = 0; i < points.length; i++) {
            const holder = holderOf[points[i]];
            const image = holderOf[images[i]];
            if (holder !== image && imageOf[holder] === holder) {
                imageOf[holder] = image;
                holders.push(holder);
            }
        }
        const moved = Int32Array.from(holders).sort();
        const projection = { points: moved, images: moved.map(holder => imageOf[holder]) };
        for (const holder of holders) {
            imageOf[holder] = holder;
        }
        return projection;
    });
}
