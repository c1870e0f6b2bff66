/** The stabilizer of a set of points, by Schreier's lemma on the orbit of the set. [Seress2003, §4.1] */
import {
    composeSparse,
    imageOf,
    inverseSparse,
    SPARSE_IDENTITY,
    type SparsePermutation,
} from './sparse-permutation.js';

/** The unit is a point that is visited; a set of half of many interchangeable points has too many images. */
const MOST_WORK = 2_000_000;
/** The work of a product. */
const WORK_OF_PRODUCT = 100;

export interface SetStabilizer {
    /** Generators, those of the group that keep the set first. */
    readonly generators: readonly SparsePermutation[];
    /** The images of the set under the group, each with its points ascending and a symmetry that leads there. */
    readonly images: readonly { readonly points: readonly number[]; readonly leadingTo: SparsePermutation }[];
}

/** The stabilizer of `set`; undefined if it has too many images. The cost is a product for each image and generator. */
export function setStabilizer(
    generators: readonly SparsePermutation[],
    set: readonly number[],
): SetStabilizer | undefined {
    const first = [...set].sort((a, b) => a - b);
    const images = [{ points: first, leadingTo: SPARSE_IDENTITY }];
    const known = new Map([[first.join(), 0]]);
    const keeping: SparsePermutation[] = [];
    let work = 0;
    for (const { points, leadingTo } of images) {
        for (const generator of generators) {
            work += points.length + WORK_OF_PRODUCT;
            if (work > MOST_WORK) {
                return undefined;
            }
            const image = points.map(point => imageOf(generator, point)).sort((a, b) => a - b);
            const key = image.join();
            const index = known.get(key);
            if (index === undefined) {
                known.set(key, images.length);
                images.push({ points: image, leadingTo: composeSparse(leadingTo, generator) });
                continue;
            }
            const loop = composeSparse(composeSparse(leadingTo, generator), inverseSparse(images[index].leadingTo));
            if (loop.points.length > 0) {
                keeping.push(loop);
            }
        }
    }
    return { generators: keeping, images };
}
