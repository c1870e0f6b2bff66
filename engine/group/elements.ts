/** Groups that are small enough to write down all elements. */
import type { LiteralAction } from './literal-action.js';
import { compose, identity, isIdentity, toDense, type Permutation } from './permutation.js';
import { tryStabilizerChain, type StabilizerChain } from './stabilizer-chain.js';

/** Elements that listing may have to go through for one state. */
export const LEAST_IMAGE_ELEMENT_LIMIT = 50_000;
/** Entries that all elements together may have. */
const ENTRY_LIMIT = 20_000_000;

/** All elements of the group, the identity first, or `undefined` if they are more than `limit` or too large. */
export function listElements(action: LiteralAction, limit: number): readonly Permutation[] | undefined {
    const most = listedLimit(action, limit);
    return action.generators.length === 1 ? powersOf(action, most) : chainOfSmallGroup(action, most)?.elements(limit);
}

/** The powers of the only generator, as many as the group has elements: no chain is needed for them. */
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

/** A chain for a group whose elements can be listed; else `undefined`. */
export function chainOfListedGroup(action: LiteralAction, limit: number): StabilizerChain | undefined {
    return chainOfSmallGroup(action, listedLimit(action, limit));
}

function listedLimit({ pointCount }: LiteralAction, limit: number): number {
    return Math.min(limit, Math.floor(ENTRY_LIMIT / pointCount));
}

/** Visits all elements, the identity first, in an array that is valid during the call only. False if more than `limit`. */
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
    // A link's orbit is no longer than the order, so a chain with more entries than this belongs to a larger group.
    const chain = tryStabilizerChain(
        action.generators.map(generator => toDense(generator, degree)),
        degree,
        { entryLimit: (bound + 32) * degree, ...(action.order === undefined ? {} : { order: action.order }) },
    );
    return chain !== undefined && chain.order <= BigInt(bound) ? chain : undefined;
}
