/** Groups that are small enough to write down all elements. */
import type { LiteralAction } from './literal-action.js';
import { toDense, type Permutation } from './permutation.js';
import { tryStabilizerChain } from './stabilizer-chain.js';

/** Elements that listing may have to go through for one state. */
export const LEAST_IMAGE_ELEMENT_LIMIT = 50_000;
/** Entries that all elements together may have. */
const ENTRY_LIMIT = 20_000_000;

/** All elements of the group, the identity first, or `undefined` if they are more than `limit` or too large. */
export function listElements(action: LiteralAction, limit: number): readonly Permutation[] | undefined {
    const degree = action.pointCount;
    const bound = Math.min(limit, Math.floor(ENTRY_LIMIT / degree));
    if (action.order !== undefined && action.order > BigInt(bound)) {
        return undefined;
    }
    // A link's orbit is no longer than the order, so a chain with more entries than this belongs to a larger group.
    const chain = tryStabilizerChain(
        action.generators.map(generator => toDense(generator, degree)),
        degree,
        { entryLimit: (bound + 32) * degree, ...(action.order === undefined ? {} : { order: action.order }) },
    );
    return chain?.elements(bound);
}
