/** Blocks as points, for what can only be recognized there. */
import { actionOnBlocks, allBlockSystems } from './blocks.js';
import { orbits } from './orbits.js';
import { permutation } from './permutation.js';
import { imageOf, sparsePermutation, type SparsePermutation } from './sparse-permutation.js';

/** Points of an orbit in which blocks are looked for, and block systems of one orbit. */
const BLOCK_ORBIT_LIMIT = 400;
const BLOCK_SYSTEM_LIMIT = 24;

/**
 * The same group with more points: one for each block of each block system on its orbits, behind the others. The rows
 * and the columns of a matrix are blocks of cells, and only as points of their own can they be elements of families.
 */
export function withBlockPoints(
    generators: readonly SparsePermutation[],
    degree: number,
): { readonly generators: readonly SparsePermutation[]; readonly pointCount: number } {
    const pairs = generators.map(({ points, images }) =>
        Array.from(points, (point, i): [number, number] => [point, images[i]]),
    );
    const seen = new Set<string>();
    let pointCount = degree;
    for (const orbit of orbits(generators, degree)) {
        if (orbit.length < 4 || orbit.length > BLOCK_ORBIT_LIMIT) {
            continue;
        }
        const position = new Map(orbit.map((point, i) => [point, i]));
        const onOrbit = generators.map(p => permutation(orbit.map(point => position.get(imageOf(p, point))!)));
        if (!isNew(onOrbit)) {
            continue;
        }
        for (const system of allBlockSystems(onOrbit, orbit.length, BLOCK_SYSTEM_LIMIT) ?? []) {
            const onBlocks = onOrbit.map(p => actionOnBlocks(p, system));
            if (isNew(onBlocks)) {
                onBlocks.forEach((images, g) =>
                    images.forEach((image, block) => pairs[g].push([pointCount + block, pointCount + image])),
                );
                pointCount += system.blockCount;
            }
        }
    }
    return { generators: pointCount === degree ? generators : pairs.map(sparsePermutation), pointCount };

    function isNew(images: readonly Readonly<Int32Array>[]): boolean {
        const key = images.map(image => image.join()).join(';');
        const isUnknown = !seen.has(key);
        seen.add(key);
        return isUnknown;
    }
}
