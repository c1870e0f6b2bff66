/** Permutation groups of moderate size by generators, and the ways they act: on orbits, on blocks, inside a block. */
import { remembered } from '../common/list-map.js';
import type { WorkLimit } from '../common/work-limit.js';
import { actionOnBlocks, type BlockSystem } from './blocks.js';
import { compose, equals, identity, inverse, permutation, type Permutation } from './permutation.js';
import { equalsSparse, imageOf, type SparsePermutation, toDense, toSparse } from './sparse-permutation.js';
import { tryStabilizerChain, type StabilizerChain } from './stabilizer-chain.js';

/** Entries of the permutations that a stabilizer chain may keep. */
export const CHAIN_ENTRY_LIMIT = 20_000_000;

/** Generators on the points 0 … degree - 1, each of which some generator moves. */
export interface PermutationGroup {
    readonly generators: readonly SparsePermutation[];
    readonly degree: number;
    /** When it is exhausted, the analysis stops, and a part whose structure is not known yet has no name. */
    readonly limit?: WorkLimit;
}

/** The group on the moved points only, renumbered; `points[i]` is the old number of i. */
export function compress(
    generators: readonly SparsePermutation[],
    limit?: WorkLimit,
): PermutationGroup & { readonly points: Int32Array } {
    const moved = [...new Set(generators.flatMap(({ points }) => [...points]))].sort((a, b) => a - b);
    const number = new Map(moved.map((point, i) => [point, i]));
    const rename = (points: Int32Array): Int32Array => points.map(point => number.get(point)!);
    return {
        generators: generators.map(({ points, images }) => ({ points: rename(points), images: rename(images) })),
        degree: moved.length,
        points: Int32Array.from(moved),
        ...(limit !== undefined && { limit }),
    };
}

export function actionOnOrbit(group: PermutationGroup, orbit: readonly number[]): PermutationGroup {
    const number = new Map(orbit.map((point, i) => [point, i]));
    const generators = group.generators.map(generator =>
        toSparse(permutation(orbit.map(point => number.get(imageOf(generator, point))!))),
    );
    return { ...group, generators, degree: orbit.length };
}

export function actionOnSystem(generators: readonly Permutation[], system: BlockSystem): PermutationGroup {
    return {
        generators: generators.map(generator => toSparse(permutation(actionOnBlocks(generator, system)))),
        degree: system.blockCount,
    };
}

/** The action of the stabilizer of the first block on its points, by Schreier generators. */
export function actionInBlock(
    generators: readonly Permutation[],
    degree: number,
    system: BlockSystem,
): PermutationGroup {
    const toBlock: (Permutation | undefined)[] = new Array<Permutation | undefined>(system.blockCount).fill(undefined);
    toBlock[0] = identity(degree);
    const queue = [0];
    const blockImages = generators.map(generator => actionOnBlocks(generator, system));
    for (const block of queue) {
        generators.forEach((generator, g) => {
            const image = blockImages[g][block];
            if (toBlock[image] === undefined) {
                toBlock[image] = compose(toBlock[block]!, generator);
                queue.push(image);
            }
        });
    }
    const points: number[] = [];
    system.blockOfPoint.forEach((block, point) => {
        if (block === 0) {
            points.push(point);
        }
    });
    const number = new Map(points.map((point, i) => [point, i]));
    const seen = new Map<string, SparsePermutation>();
    for (let block = 0; block < system.blockCount; block++) {
        generators.forEach((generator, g) => {
            const back = inverse(toBlock[blockImages[g][block]]!);
            const images = points.map(point => number.get(back[generator[toBlock[block]![point]]])!);
            seen.set(images.join(), toSparse(permutation(images)));
        });
    }
    return { generators: [...seen.values()].filter(p => p.points.length > 0), degree: points.length };
}

/** The action on the disjoint union of the points of two actions of one group. */
export function sideBySide(a: PermutationGroup, b: PermutationGroup): PermutationGroup {
    return {
        generators: a.generators.map((p, i) => {
            const q = b.generators[i];
            return {
                points: Int32Array.from([...p.points, ...q.points.map(point => point + a.degree)]),
                images: Int32Array.from([...p.images, ...q.images.map(point => point + a.degree)]),
            };
        }),
        degree: a.degree + b.degree,
        ...(a.limit !== undefined && { limit: a.limit }),
    };
}

export function sameGenerators(a: PermutationGroup, b: PermutationGroup): boolean {
    return a.degree === b.degree && a.generators.every((p, i) => equalsSparse(p, b.generators[i]));
}

/** The chain of a group of moderate size, computed once. The order of the group is at most `bound`. */
export function chainOf(group: PermutationGroup, bound?: bigint): StabilizerChain | undefined {
    const options = {
        entryLimit: CHAIN_ENTRY_LIMIT,
        ...(bound !== undefined && { bound }),
        ...(group.limit !== undefined && { limit: group.limit }),
    };
    const chain = remembered(
        knownChains,
        group,
        () => tryStabilizerChain(denseGenerators(group), group.degree, options) ?? 'too-large',
    );
    return chain === 'too-large' ? undefined : chain;
}

const knownChains = new WeakMap<PermutationGroup, StabilizerChain | 'too-large'>();

export function denseGenerators(group: PermutationGroup): readonly Permutation[] {
    return group.generators.map(generator => toDense(generator, group.degree));
}

/** The action on sets of points; `undefined` if two sets are equal or the image of a set is not in the list. */
export function actionOnSets(
    generators: readonly Permutation[],
    sets: readonly (readonly number[])[],
): PermutationGroup | undefined {
    const indexOfSet = new Map(sets.map((set, index) => [set.join(), index]));
    if (indexOfSet.size < sets.length) {
        return undefined;
    }
    const images: SparsePermutation[] = [];
    for (const generator of generators) {
        const image = sets.map(set =>
            indexOfSet.get(
                set
                    .map(point => generator[point])
                    .sort((a, b) => a - b)
                    .join(),
            ),
        );
        if (image.includes(undefined)) {
            return undefined;
        }
        images.push(toSparse(permutation(image as number[])));
    }
    return { generators: images, degree: sets.length };
}

/** All conjugates of `element`, or `undefined` if there are more than `limit`. */
export function conjugates(
    element: Permutation,
    generators: readonly Permutation[],
    limit: number,
): readonly Permutation[] | undefined {
    const found = [element];
    for (const member of found) {
        for (const generator of generators) {
            const conjugate = compose(compose(inverse(generator), member), generator);
            if (!found.some(known => equals(known, conjugate))) {
                if (found.length === limit) {
                    return undefined;
                }
                found.push(conjugate);
            }
        }
    }
    return found;
}
