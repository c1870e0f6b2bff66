/** Lists of all elements of small groups. */
import type { LiteralAction } from './literal-action.js';
import { compose, identity, isIdentity, type Permutation } from './permutation.js';
import { toDense } from './sparse-permutation.js';
import { tryStabilizerChain, type StabilizerChain } from './stabilizer-chain.js';

/** The largest order of a group whose elements are listed to find the least image of a state. */
export const LEAST_IMAGE_ELEMENT_LIMIT = 50_000;
/** The most entries of all elements together. */
const ENTRY_LIMIT = 20_000_000;

/** All elements of the group, the identity first; `undefined` if there are more than `limit` or they are too large. */
export function listElements(action: LiteralAction, limit: number): readonly Permutation[] | undefined {
    const most = listedLimit(action, limit);
    return action.generators.length === 1 ? powersOf(action, most) : chainOfSmallGroup(action, most)?.elements(limit);
}

/** The powers of the only generator. */
function powersOf({ generators: [only], pointCount }: LiteralAction, most: number): readonly Permutation[] | undefined {
    const generator = toDense(only, pointCount);
    const powers = [identity(pointCount)];
    for (let next = generator; !isIdentity(next); next = compose(next, generator)) {
        if (powers.length >= most) {
            return undefined;
        }
        powers.push(next);
    }
    return powers;
}

/** The chain of a group whose elements can be listed; else `undefined`. */
export function chainOfListedGroup(action: LiteralAction, limit: number): StabilizerChain | undefined {
    return chainOfSmallGroup(action, listedLimit(action, limit));
}

function listedLimit({ pointCount }: LiteralAction, limit: number): number {
    return Math.min(limit, Math.floor(ENTRY_LIMIT / pointCount));
}

/** Visits all elements as StabilizerChain does. False if there are more than `limit`. */
export function forEachElement(action: LiteralAction, limit: number, visit: (element: Permutation) => void): boolean {
    const chain = chainOfSmallGroup(action, limit);
    chain?.forEachElement(visit);
    return chain !== undefined;
}

/** A chain for a group of no more than `bound` elements; `undefined` for larger groups. */
function chainOfSmallGroup(action: LiteralAction, bound: number): StabilizerChain | undefined {
    const degree = action.pointCount;
    if (action.order !== undefined && action.order > BigInt(bound)) {
        return undefined;
    }
    // No orbit is longer than the order, so a chain with more entries than this belongs to a larger group.
    const chain = tryStabilizerChain(
        action.generators.map(generator => toDense(generator, degree)),
        degree,
        { entryLimit: (bound + 32) * degree, ...(action.order === undefined ? {} : { order: action.order }) },
    );
    return chain !== undefined && chain.order <= BigInt(bound) ? chain : undefined;
}
