/**
 * The orders of groups whose direct product has a known order: each bound from below that is cheap to have is exact if all
 * of them multiply to that order. So no stabilizer chain is needed for symmetric groups and towers of them.
 */
import { familyTower } from './recognize-action.js';
import { chainOf, type PermutationGroup } from './permutation-group.js';
import { orderOfSparse } from './sparse-permutation.js';
import { findSymmetricAction } from './symmetric-action.js';

/** The exact orders of the parts, whose direct product has the order `order`; `undefined` where the bounds do not show them. */
export function ordersOfParts(parts: readonly PermutationGroup[], order: bigint): readonly bigint[] | undefined {
    if (parts.length === 1) {
        return [order];
    }
    // A part with one generator has the order of that; where one other part is left, the rest is its order.
    const cyclic = parts.map(({ generators }) => (generators.length === 1 ? orderOfSparse(generators[0]) : undefined));
    if (cyclic.filter(own => own === undefined).length <= 1) {
        const product = cyclic.reduce<bigint>((total, own) => total * (own ?? 1n), 1n);
        return cyclic.map(own => own ?? order / product);
    }
    const bounds = parts.map(part => {
        const action = findSymmetricAction(part.generators, part.degree);
        return action === undefined ? chainOf(part)?.order : (familyTower(part, action)?.order ?? action.order);
    });
    const known = bounds.reduce<bigint>((total, bound) => total * (bound ?? 0n), 1n);
    return known === order ? (bounds as bigint[]) : undefined;
}
