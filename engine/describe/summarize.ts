/** The report of a detection: all that terminal and editor show about symmetry, as data. */
import { remembered } from '../common/list-map.js';
import type { WorkLimit } from '../common/work-limit.js';
import { SPARSE_IDENTITY, type SparsePermutation } from '../group/sparse-permutation.js';
import { orbits } from '../group/orbits.js';
import type { Model } from '../model/model.js';
import type { ConstraintProblem } from '../constraints/constraint-problem.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import {
    cellMoves,
    cellOrbits,
    describeFamilies,
    describeGenerators,
    describeTypes,
    type DescribedGroup,
} from './describe.js';
import { describeVariables } from './describe-variables.js';
import type { Detection } from '../symmetry/detect.js';
import { suggestSymmetries } from '../symmetry/declared-action.js';
import { describeFactors } from './describe-factors.js';
import { factorsOf, structureOf } from './factors.js';
import { product } from '../group/structure-name.js';
import { graphExtensionOf } from '../symmetry/graph-extension.js';
import { describeTooLarge } from './too-large.js';
import { instanceActionOf, type InstanceAction, type InstanceMoves } from '../symmetry/instance-action.js';
import type { AlikeSet, ExplorationGroups } from '../symmetry/groups.js';
import type { ModelGroup } from '../symmetry/model-symmetry.js';
import { countPotentialStates } from './potential-states.js';
import type { NamedGroup, PropertyReport, SymmetryReport } from './report.js';

/** The results of the search, before they are described. */
export interface Findings extends ExplorationGroups {
    readonly model: Model;
    readonly problem: ConstraintProblem;
    readonly detection: Detection;
    /** The group that keeps each property, in the order of `problem.properties`. */
    readonly propertyGroups: readonly ModelGroup[];
    readonly alikeSets: readonly AlikeSet[];
    /** Of the steps; absent if all of them keep the start. */
    readonly stepsGroup?: ModelGroup;
    readonly verified: boolean;
}

/** A report without the parts that the caller adds. */
export type Summary = Omit<
    SymmetryReport,
    'refuted' | 'broken' | 'assertions' | 'why' | 'work' | 'timings' | 'templates' | 'staticOrder'
>;

/** The description of the groups, as far as the limit allows. */
export function summarize(findings: Findings, limit: WorkLimit): Summary {
    const { model, problem, detection, explorationGroup, startGroup, stepsGroup } = findings;
    const { sequential } = problem;
    const { group, encoding } = detection;
    const action = instanceActionOf(encoding);
    const movesKnown = detection.automorphisms.map(automorphism => action.moves(automorphism));
    const moved = movesKnown.map(allMoves);
    const known = new Map(group.generators.map((generator, index) => [generator, movesKnown[index]]));
    const instancesOf = (symmetry: SparsePermutation): InstanceMoves | undefined => {
        if (known.has(symmetry)) {
            return known.get(symmetry);
        }
        const automorphism = graphExtensionOf(encoding).extend(symmetry);
        return automorphism && action.moves(automorphism);
    };
    const described: DescribedGroup = {
        model,
        sequential,
        group,
        structure:
            action.tellsAllApart && group.complete && !moved.includes(undefined)
                ? product(factorsOf(group, limit).map(({ structure }) => structure))
                : undefined,
        moves: group.generators.map(generator => cellMoves(group, generator)),
        instances: moved.map(permutation => permutation ?? SPARSE_IDENTITY),
        instanceGenerators: [
            ...moved.filter(permutation => permutation !== undefined),
            ...(moved.every(permutation => permutation !== undefined && keepsFamilies(permutation, sequential))
                ? []
                : declaredInstanceMoves(findings, action, limit)),
            // Constraints that were left out could distinguish instances that look alike.
            ...(problem.complete && problem.pinned.length === 0 ? action.exchanges() : []),
        ],
    };
    const generators = describeGenerators(described);
    const heldFixed = describeTooLarge(model, problem);
    const summary: Summary = {
        order: group.order.toString(),
        structure: structureOf(group, limit),
        factors: describeFactors(described, instancesOf, limit),
        generators,
        variableOrbits: cellOrbits(described)
            .filter(([cell]) => sequential.cells[cell].kind !== 'temporary')
            .map(orbit => orbit.map(cell => sequential.cells[cell].name)),
        literalOrbits: orbits(group.generators, group.firstPoint[group.cellCount]).length,
        properties: describeProperties(findings, limit),
        explored: named(startGroup, limit),
        ...(stepsGroup !== undefined && {
            steps: { ...named(stepsGroup, limit), explored: named(explorationGroup, limit) },
        }),
        graph: { vertices: encoding.graph.vertexCount, edges: encoding.graph.edgeCount },
        complete: isComplete(findings),
        ...(heldFixed.length > 0 && { heldFixed }),
        verified: findings.verified,
        ...countPotentialStates(problem, group, limit),
        families: describeFamilies(described, limit),
        variables: describeVariables(described, generators, limit),
        types: describeTypes(described, limit),
    };
    return limit.isExhausted() ? { ...summary, undescribed: true } : summary;
}

function named(group: ModelGroup, limit: WorkLimit): NamedGroup {
    return { order: group.order.toString(), structure: structureOf(group, limit) };
}

function describeProperties(findings: Findings, limit: WorkLimit): PropertyReport[] {
    const { problem, propertyGroups, alikeSets } = findings;
    const structures = new Map<number, string>();
    return problem.properties.map((property, index): PropertyReport => {
        const kept = propertyGroups[index];
        const declared = problem.sequential.invariants[property.invariant];
        // What keeps one of several that are exchanged is conjugate to what keeps another one.
        const first = alikeSets.find(({ members }) => members.includes(index))?.members[0] ?? index;
        return {
            name: property.name,
            kind: property.kind === 'deadlock' ? 'deadlock' : 'invariant',
            order: kept.order.toString(),
            structure: remembered(structures, first, () => structureOf(kept, limit)),
            ...(declared === undefined ? {} : { range: declared.range }),
            ...alikeOf(index, findings, limit),
        };
    });
}

/** The report of a property that symmetries exchange with others. */
function alikeOf(
    property: number,
    { problem, alikeSets }: Findings,
    limit: WorkLimit,
): Pick<PropertyReport, 'alike' | 'alikeTo'> {
    const set = alikeSets.find(({ members }) => members.includes(property));
    if (set === undefined) {
        return {};
    }
    const names = set.members.map(member => problem.properties[member].name);
    const { group } = set;
    return property === set.members[0]
        ? { alike: { names, order: group.order.toString(), structure: structureOf(group, limit) } }
        : { alikeTo: names[0] };
}

/** Whether no budget ended the search, for constraints or for symmetries. */
export function isSearched({ problem, detection, explorationGroup }: Findings): boolean {
    return problem.complete && detection.group.complete && explorationGroup.complete;
}

/** Whether there is nothing more to find: the search ended, and nothing was too large for it. */
export function isComplete(findings: Findings): boolean {
    const { tooLarge, domains } = findings.problem;
    return isSearched(findings) && tooLarge.length === 0 && domains.every(codes => codes.length > 0);
}

/** The action on instances if it is known for all of them. */
function allMoves(moves: InstanceMoves | undefined): SparsePermutation | undefined {
    return moves === undefined || moves.unknown.size > 0 ? undefined : moves.permutation;
}

function keepsFamilies({ points, images }: SparsePermutation, { instances }: SequentialModel): boolean {
    return points.every((point, index) => instances[point].process === instances[images[index]].process);
}

/** The action of declared symmetries on instances: generators need not map instances or families onto such. */
function declaredInstanceMoves(
    { model, problem, detection }: Findings,
    action: InstanceAction,
    limit: WorkLimit,
): SparsePermutation[] {
    const { encoding, group } = detection;
    if (!group.complete) {
        return [];
    }
    const extension = graphExtensionOf(encoding);
    const suggestions = suggestSymmetries(model, problem.sequential, group, limit);
    return suggestions.flatMap(({ instances: instancesOf, permutation }) => {
        const instances = limit.isExhausted() ? new Map() : instancesOf();
        const extended = instances.size === 0 ? undefined : extension.extend(permutation);
        const moves = extended === undefined ? undefined : action.of(extended, instances);
        return moves === undefined ? [] : [moves];
    });
}
