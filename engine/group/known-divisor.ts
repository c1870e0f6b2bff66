/** What is known of the order of a group by its generators alone, where nobody has the time to find it. */
import { nontrivialOrbits } from './orbits.js';
import { leastCommonMultiple } from '../common/divisors.js';
import { cyclesOfSparse, type SparsePermutation } from './sparse-permutation.js';

/**
 * A divisor of the order, and so not more than it: the sizes of orbits divide it, and so do the orders of elements. It is 1
 * only for the trivial group. O(points moved by all generators), times the logarithm of their number.
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
