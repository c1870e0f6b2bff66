/**
 * The claims of a detection, for an independent check: permutations of literals, and groups that some of them generate,
 * each with its order and the properties that it keeps.
 */
import { remembered } from '../common/list-map.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import type { Groups } from '../symmetry/groups.js';
import type { ModelGroup } from '../symmetry/model-symmetry.js';

export interface Claims {
    /** On the points of the model's literals. */
    readonly generators: readonly SparsePermutation[];
    readonly groups: readonly GroupClaim[];
}

export interface GroupClaim {
    /** The properties whose truth it keeps: indices into those of the constraint problem, ascending. */
    readonly properties: readonly number[];
    /** Sets of properties that it keeps as a set: what violates one is mapped to what violates one of the same set. */
    readonly alike: readonly (readonly number[])[];
    readonly order: bigint;
    /** Indices into `generators`. */
    readonly generators: readonly number[];
    /** Absent if it maps initial states to initial states. */
    readonly start?: 'moved';
}

/** The groups that a detection has found, as claims; a group that keeps several properties is one claim. */
export function claimsOf({
    group,
    propertyGroups,
    explorationGroup,
    startGroup,
    stepsGroup,
    alikeSets,
}: Omit<Groups, 'detection' | 'effort'> & { readonly group: ModelGroup }): Claims {
    const generators: SparsePermutation[] = [];
    const numberOfKey = new Map<string, number>();
    const numberOf = (generator: SparsePermutation): number => {
        const key = `${generator.points.join()}|${generator.images.join()}`;
        return remembered(numberOfKey, key, () => generators.push(generator) - 1);
    };
    const exchanged = new Set(alikeSets.flatMap(({ members }) => members));
    const all = [...propertyGroups.keys()];
    const keepingStart = new Set([group, ...propertyGroups, startGroup, ...alikeSets.map(set => set.group)]);
    const ofSteps = stepsGroup === undefined ? [] : [stepsGroup, explorationGroup];
    const movingStart = new Set(ofSteps.filter(each => !keepingStart.has(each)));
    const groups = [...keepingStart, ...movingStart].map((each): GroupClaim => {
        const isExploration = each === explorationGroup || each === startGroup;
        return {
            properties: all.filter(
                property => propertyGroups[property] === each || (isExploration && !exchanged.has(property)),
            ),
            alike: alikeSets.filter(set => isExploration || set.group === each).map(({ members }) => members),
            order: each.order,
            generators: each.generators.map(numberOf),
            ...(movingStart.has(each) && { start: 'moved' }),
        };
    });
    return { generators, groups };
}
