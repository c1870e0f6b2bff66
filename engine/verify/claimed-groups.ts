/** From the claims of a certificate back to groups that a search can use. */
import type { WorkLimit } from '../common/work-limit.js';
import type { ConstraintProblem } from '../constraints/constraint-problem.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import { describeGroup } from '../group/structure.js';
import type { PropertySelection } from '../symmetry/graph-encoding.js';
import { literalPoints, type ModelGroup } from '../symmetry/model-symmetry.js';
import { areOnGraph } from './check-claims.js';
import type { Claims, GroupClaim } from './claims.js';

/** The group of a search, and the part of it that keeps the start; without that all of it does. */
export interface ClaimedGroups {
    readonly group: ModelGroup;
    readonly startGroup?: ModelGroup;
}

/**
 * The largest claimed groups that keep the selected properties, or exchange those of sets within the selection. Undefined
 * if there are none that are right: generators are automorphisms of the graph, and generate groups of the claimed orders,
 * those of the part that keeps the start within the other one.
 */
export function claimedGroups(
    problem: ConstraintProblem,
    { generators, groups }: Claims,
    selected: PropertySelection,
    workLimit: WorkLimit,
): ClaimedGroups | undefined {
    const isSelected = new Set(selected);
    const keepsAll = ({ properties, alike }: GroupClaim): boolean => {
        const kept = new Set([...properties, ...alike.filter(set => set.every(each => isSelected.has(each))).flat()]);
        return selected.every(property => kept.has(property));
    };
    const largest = (start: GroupClaim['start']): GroupClaim | undefined =>
        groups
            .filter(claim => claim.start === start && keepsAll(claim))
            .reduce<GroupClaim | undefined>(
                (most, claim) => (most && most.order >= claim.order ? most : claim),
                undefined,
            );
    const [kept, moved] = [largest(undefined), largest('moved')];
    const startGroup = kept && groupOf(kept, []);
    if (startGroup === undefined || moved === undefined || moved.order <= startGroup.order) {
        return startGroup && { group: startGroup };
    }
    const group = groupOf(moved, startGroup.generators);
    return group && { group, startGroup };

    /** The group of a claim if the claim is right and these are among its elements. */
    function groupOf(claim: GroupClaim, within: readonly SparsePermutation[]): ModelGroup | undefined {
        const points = literalPoints(problem);
        const own = claim.generators.map(generator => generators[generator]);
        const isRight =
            areOnGraph(problem, { generators: own, groups: [{ ...claim, generators: [...own.keys()] }] }, workLimit) &&
            describeGroup([...own, ...within], points.cellOfPoint.length).order === claim.order;
        return isRight ? { ...points, generators: own, order: claim.order, complete: true } : undefined;
    }
}
