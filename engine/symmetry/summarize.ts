/** The report of a detection: everything that terminal and editor say about symmetry, in one piece of data. */
import type { WorkLimit } from '../common/work-limit.js';
import { countOrbits } from '../group/burnside.js';
import { orbits } from '../group/orbits.js';
import { describeGroup } from '../group/structure.js';
import type { Model } from '../model/model.js';
import type { ConstraintProblem } from '../csp/constraint-problem.js';
import {
    cellPermutation,
    describeFamilies,
    describeGenerators,
    describeTypes,
    describeVariables,
    type DescribedGroup,
} from './describe.js';
import type { Detection } from './detect.js';
import { instanceAction } from './instance-action.js';
import type { ModelGroup } from './model-symmetry.js';
import type { PropertyReport, SymmetryReport } from './report.js';

export interface Findings {
    readonly model: Model;
    readonly problem: ConstraintProblem;
    readonly detection: Detection;
    /** The group that keeps each property, in the order of `problem.properties`. */
    readonly propertyGroups: readonly ModelGroup[];
    readonly explorationGroup: ModelGroup;
    readonly verified: boolean;
}

/** Everything but what breaks symmetry and the timings, which the caller knows. */
export type Summary = Omit<SymmetryReport, 'broken' | 'timings'>;

export function summarize(findings: Findings, limit: WorkLimit): Summary {
    const { model, problem, detection, propertyGroups, explorationGroup } = findings;
    const { sequential } = problem;
    const { group, encoding, statistics } = detection;
    const contents = contentsOf(problem, group);
    const potentialOrbits = countOrbits(group, { codes: contents });
    const described: DescribedGroup = {
        model,
        sequential,
        group,
        instances: instanceAction(encoding, detection.automorphisms),
    };
    const cellOrbits = orbits(
        group.generators.map(generator => cellPermutation(group, generator)),
        group.cellCount,
    );
    return {
        order: group.order,
        structure: structureOf(group),
        generators: describeGenerators(described),
        variableOrbits: cellOrbits.map(orbit => orbit.map(cell => sequential.cells[cell].name)),
        literalOrbits: orbits(group.generators, group.firstPoint[group.cellCount]).length,
        properties: problem.properties.map((property, index): PropertyReport => {
            const kept = propertyGroups[index];
            const declared = sequential.invariants[property.invariant];
            return {
                name: property.name,
                kind: property.kind,
                order: kept.order,
                structure: structureOf(kept),
                ...(declared === undefined ? {} : { range: declared.range }),
            };
        }),
        explored: { order: explorationGroup.order, structure: structureOf(explorationGroup) },
        graph: { vertices: encoding.graph.vertexCount, edges: encoding.graph.edgeCount },
        complete: group.complete && explorationGroup.complete,
        verified: findings.verified,
        potentialStates: contents.reduce((product, codes) => product * BigInt(codes.length), 1n),
        ...(potentialOrbits === undefined ? {} : { potentialOrbits }),
        families: describeFamilies(described),
        variables: describeVariables(described, limit),
        types: describeTypes(described),
        work: {
            literals: group.firstPoint[group.cellCount],
            summands: problem.summands.length,
            treeNodes: statistics.treeNodes,
            refinements: statistics.refinements,
            candidatesTried: detection.candidatesTried,
            candidatesAccepted: detection.candidatesAccepted,
        },
    };
}

/** The name of a group of model symmetries. */
export function structureOf(group: ModelGroup): string {
    return describeGroup(group.generators, group.firstPoint[group.cellCount], group.complete ? group.order : undefined)
        .name;
}

/** The contents that each cell can have, in the group's numbering: -1 where it can have no value. */
function contentsOf(problem: ConstraintProblem, group: ModelGroup): number[][] {
    return group.codes.map((codes, cell) => [
        ...(problem.domains[cell][0] === -1 ? [-1] : []),
        ...codes.map((_, position) => position),
    ]);
}
