/**
 * Permutations as the points they move. Automorphisms of large graphs move few vertices each, and there may be
 * thousands of them: a dense image array for each would cost the product of both.
 */

/**
 * The permutation that maps `points[i]` to `images[i]` and fixes every other point.
 *
 * Invariant: `points` is strictly ascending, `images` is a rearrangement of it, and no point is its own image.
 * The identity has no points.
 */
export interface SparsePermutation {
    readonly points: Int32Array;
    readonly images: Int32Array;
}
