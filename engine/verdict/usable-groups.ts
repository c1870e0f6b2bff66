/** The symmetries that a search may use: those that keep what it checks, on the cells that it needs for that. */
import type { SymmetryAnalysis } from '../analysis.js';
import { invariant } from '../common/assert.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { ConstraintProblem } from '../constraints/constraint-problem.js';
import { countDistinctIn } from '../describe/potential-states.js';
import type { PropertySelection } from '../symmetry/graph-encoding.js';
import { groupKeeping, groupWithoutStart, type ExplorationGroups } from '../symmetry/groups.js';
import { actionOnCells, literalImages, type ModelGroup } from '../symmetry/model-symmetry.js';
import type { ReductionFacts } from './reduction.js';

/** The symmetries that an analysis has found, without its report. */
export type SearchedSymmetries = Pick<
    SymmetryAnalysis<unknown>,
    'constraints' | 'explorationGroup' | 'group' | 'startGroup'
> & { readonly stepsGroup?: ModelGroup | undefined };

/** The symmetries that reduce a search that may leave cells out. */
interface UsableGroups {
    /** Symmetries of the steps. */
    readonly kept: ModelGroup;
    /** Their action on the cells that are searched. */
    readonly acting: ModelGroup;
    /** The part of `acting` that keeps the start; the same object if all of it does. */
    readonly start: ModelGroup;
}

/** The name for faults of steps, which are always checked. */
const FAULTS = 'faults';

/** As if the symmetries that move the start had not been found. */
export function keepingStart<Symmetries extends SearchedSymmetries>(symmetry: Symmetries): Symmetries {
    return { ...symmetry, explorationGroup: symmetry.startGroup, stepsGroup: undefined };
}

/**
 * The symmetries that keep the checked properties, or those of them that map the cone onto itself. With all of them the
 * cone has to be larger; the choice is the one with fewer expected states.
 */
export function usableGroups(
    symmetry: SearchedSymmetries,
    coneUnder: ReductionFacts['coneUnder'],
    names: readonly string[] | undefined,
    workLimit: WorkLimit,
): UsableGroups {
    const { constraints } = symmetry;
    const selected = selectedProperties(constraints, names);
    const all = groupsKeeping(symmetry, selected, workLimit);
    const whole = all.explorationGroup;
    const [cone, closed] = coneUnder === undefined ? [[], []] : [coneUnder([]), coneUnder(literalImages(whole))];
    const usingAll = { kept: whole, acting: whole, start: all.startGroup };
    if (cone.length === closed.length) {
        return usingAll;
    }
    const together = { ...constraints, together: cone };
    const start = groupKeeping(together, all.startGroup, selected, all.startGroup.generators, workLimit);
    const steps = whole === all.startGroup ? undefined : whole;
    const kept = groupWithoutStart(together, steps, start, selected, workLimit);
    const acting = actionOnCells(kept, cone);
    const ofStart = kept === start ? acting : actionOnCells(start, cone);
    const startActing = ofStart.order === acting.order ? acting : ofStart;
    const [fewer, more] = [
        countDistinctIn(cone, constraints, acting, workLimit),
        countDistinctIn(closed, constraints, whole, workLimit),
    ];
    return fewer !== undefined && more !== undefined && more < fewer ? usingAll : { kept, acting, start: startActing };
}

/** The indices of the named properties; all properties if no names are given. */
export function selectedProperties(
    { properties }: ConstraintProblem,
    names: readonly string[] | undefined,
): PropertySelection {
    const known = new Set([FAULTS, ...properties.map(({ name }) => name)]);
    invariant(names?.every(name => known.has(name)) ?? true, 'what is checked is a property of the model');
    return [...properties.keys()].filter(index => names === undefined || names.includes(properties[index].name));
}

export function groupsKeeping(
    { constraints, group, stepsGroup, explorationGroup, startGroup }: SearchedSymmetries,
    selected: PropertySelection,
    workLimit: WorkLimit,
): ExplorationGroups {
    if (selected.length === constraints.properties.length) {
        return { explorationGroup, startGroup };
    }
    const start = groupKeeping(constraints, group, selected, startGroup.generators, workLimit);
    return {
        startGroup: start,
        explorationGroup: groupWithoutStart(constraints, stepsGroup, start, selected, workLimit),
    };
}
