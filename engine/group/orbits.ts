/** Orbits of points under a permutation group. */
import { leastCommonMultiple } from '../common/divisors.js';
import { UnionFind } from '../common/union-find.js';
import { cyclesOfSparse, type SparsePermutation } from './sparse-permutation.js';

/** All orbits on 0 … degree - 1, each ascending, in the order of their least points. */
export function orbits(generators: readonly SparsePermutation[], degree: number): readonly (readonly number[])[] {
    return orbitSets(generators, degree).sets();
}

/** The orbits of two or more points, in the same order. O(points moved · log points moved). */
export function nontrivialOrbits(generators: readonly SparsePermutation[]): readonly (readonly number[])[] {
    const moved = [...new Set(generators.flatMap(({ points }) => [...points]))].sort((a, b) => a - b);
    const number = new Map(moved.map((point, i) => [point, i]));
    const sets = new UnionFind(moved.length);
    for (const { points, images } of generators) {
        for (let i = 0; i < points.length; i++) {
            sets.union(number.get(points[i])!, number.get(images[i])!);
        }
    }
    return sets.sets().map(set => set.map(i => moved[i]));
}

/** By point: the index of its orbit in `orbits`. Length degree. */
export function orbitNumbers(generators: readonly SparsePermutation[], degree: number): Int32Array {
    return setNumbers(orbitSets(generators, degree), degree);
}

/** By element: the number of its set. Sets are numbered in the order of their least elements. */
export function setNumbers(sets: UnionFind, size: number): Int32Array {
    const numberOfRoot = new Int32Array(size).fill(-1);
    let count = 0;
    return Int32Array.from({ length: size }, (_, element) => {
        const root = sets.find(element);
        if (numberOfRoot[root] < 0) {
            numberOfRoot[root] = count++;
        }
        return numberOfRoot[root];
    });
}

function orbitSets(generators: readonly SparsePermutation[], degree: number): UnionFind {
    const sets = new UnionFind(degree);
    for (const { points, images } of generators) {
        for (let i = 0; i < points.length; i++) {
            sets.union(points[i], images[i]);
        }
    }
    return sets;
}

/**
 * A divisor of the order: the least common multiple of the sizes of orbits and the orders of generators. It is 1 only
 * for the trivial group. O(points moved · log points moved).
 */
export function knownDivisorOf(generators: readonly SparsePermutation[]): bigint {
    const sizes = new Set([
        ...nontrivialOrbits(generators).map(orbit => orbit.length),
        ...generators.flatMap(generator => cyclesOfSparse(generator).map(cycle => cycle.length)),
    ]);
    let divisor = 1n;
    for (const size of sizes) {
        divisor = leastCommonMultiple(divisor, BigInt(size));
    }
    return divisor;
}
