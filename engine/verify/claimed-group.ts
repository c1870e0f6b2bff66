/** From the claims of a certificate back to a group that a search can use. */
import type { WorkLimit } from '../common/work-limit.js';
import type { ConstraintProblem } from '../constraints/constraint-problem.js';
import { describeGroup } from '../group/structure.js';
import type { PropertySelection } from '../symmetry/graph-encoding.js';
import { literalPoints, type ModelGroup } from '../symmetry/model-symmetry.js';
import { areOnGraph } from './check-claims.js';
import type { Claims, GroupClaim } from './claims.js';

/**
 * The largest claimed group that keeps the selected properties, or exchanges those of sets within the selection. Undefined
 * if there is none that is right: its generators are automorphisms of the graph, and generate a group of its order.
 */
export function claimedGroup(
    problem: ConstraintProblem,
    { generators, groups }: Claims,
    selected: PropertySelection,
    workLimit: WorkLimit,
): ModelGroup | undefined {
    const isSelected = new Set(selected);
    const keepsAll = ({ properties, alike }: GroupClaim): boolean => {
        const kept = new Set([...properties, ...alike.filter(set => set.every(each => isSelected.has(each))).flat()]);
        return selected.every(property => kept.has(property));
    };
    const [largest] = groups
        .filter(keepsAll)
        .sort((first, second) => Number(second.order > first.order) - Number(first.order > second.order));
    if (largest === undefined) {
        return undefined;
    }
    const points = literalPoints(problem);
    const own = largest.generators.map(generator => generators[generator]);
    const claim = { ...largest, generators: [...own.keys()] };
    const isRight =
        areOnGraph(problem, { generators: own, groups: [claim] }, workLimit) &&
        describeGroup(own, points.cellOfPoint.length).order === largest.order;
    return isRight ? { ...points, generators: own, order: largest.order, complete: true } : undefined;
}
