/**
 * The claims of a detection, for an independent check: permutations of literals, and groups that some of them generate,
 * each with its order and the properties whose truth it keeps.
 */
import { remembered } from '../common/list-map.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import type { ModelGroup } from '../symmetry/model-symmetry.js';

export interface Claims {
    /** On the points of the model's literals. */
    readonly generators: readonly SparsePermutation[];
    readonly groups: readonly GroupClaim[];
}

export interface GroupClaim {
    /** Indices into the properties of the constraint problem, ascending. */
    readonly properties: readonly number[];
    readonly order: bigint;
    /** Indices into `generators`. */
    readonly generators: readonly number[];
}

/** The groups that a detection has found, as claims; a group that keeps several properties is one claim. */
export function claimsOf(
    group: ModelGroup,
    propertyGroups: readonly ModelGroup[],
    explorationGroup: ModelGroup,
): Claims {
    const generators: SparsePermutation[] = [];
    const numberOfKey = new Map<string, number>();
    const numberOf = (generator: SparsePermutation): number => {
        const key = `${generator.points.join()}|${generator.images.join()}`;
        return remembered(numberOfKey, key, () => generators.push(generator) - 1);
    };
    const all = propertyGroups.map((_, property) => property);
    const groups = [...new Set([group, ...propertyGroups, explorationGroup])].map(each => ({
        properties: each === explorationGroup ? all : all.filter(property => propertyGroups[property] === each),
        order: each.order,
        generators: each.generators.map(numberOf),
    }));
    return { generators, groups };
}
