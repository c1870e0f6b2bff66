/** The structure of a permutation group as data and as a name that people read. */
import { toDense } from './permutation.js';
import type { SparsePermutation } from './sparse-permutation.js';
import { createStabilizerChain } from './stabilizer-chain.js';

export interface GroupStructure {
    readonly order: bigint;
    readonly name: string;
}

/** The structure of the group that `generators` generate on 0 … degree - 1; `order` is its exact order, if known. */
export function describeGroup(
    generators: readonly SparsePermutation[],
    degree: number,
    order?: bigint,
): GroupStructure {
    const exact = order ?? createStabilizerChain(generators.map(generator => toDense(generator, degree)), degree).order;
    return { order: exact, name: exact === 1n ? 'trivial' : `order ${exact}` };
}
