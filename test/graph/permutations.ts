/** Between image arrays, which tests write down, and the sparse permutations of the engine. */
import type { SparsePermutation } from '../../engine/group/sparse-permutation.js';

export function sparse(images: readonly number[]): SparsePermutation {
    const points = images.map((_, point) => point).filter(point => images[point] !== point);
    return { points: Int32Array.from(points), images: Int32Array.from(points, point => images[point] ?? -1) };
}

export function dense(permutation: SparsePermutation, degree: number): number[] {
    const images = Array.from({ length: degree }, (_, point) => point);
    permutation.points.forEach((point, i) => (images[point] = permutation.images[i] ?? -1));
    return images;
}
