/** The symmetries of a model, those that keep each property, and those that keep all that an exploration checks. */
import type { WorkLimit } from '../common/work-limit.js';
import type { ConstraintProblem } from '../constraints/constraint-problem.js';
import { sameDomains } from '../constraints/same-behavior.js';
import { equalsSparse, type SparsePermutation } from '../group/sparse-permutation.js';
import { detectSymmetries, keepsProperties, type Detection, type SuggestedPermutation } from './detect.js';
import { AlikeProperties } from './alike-properties.js';
import type { PropertySelection } from './graph-encoding.js';
import type { ModelGroup } from './model-symmetry.js';

export interface Groups {
    /** Of the model without its properties. */
    readonly detection: Detection;
    /** Of each property alone, in the order of `ConstraintProblem.properties`. */
    readonly propertyGroups: readonly ModelGroup[];
    /** Keeps everything that is checked: deadlock, and the set of the invariants. */
    readonly explorationGroup: ModelGroup;
    /** The invariants that `explorationGroup` exchanges. */
    readonly alikeSets: readonly AlikeSet[];
    readonly effort: SearchEffort;
}

/** Two or more invariants that symmetries exchange. */
export interface AlikeSet {
    /** Indices into `ConstraintProblem.properties`, ascending. */
    readonly members: readonly number[];
    /** Keeps the set, whatever else is checked. */
    readonly group: ModelGroup;
}

/** The work of all searches together; it does not depend on the machine. */
export interface SearchEffort {
    readonly searches: number;
    readonly treeNodes: number;
    readonly refinements: number;
}

const NO_EFFORT: SearchEffort = { searches: 0, treeNodes: 0, refinements: 0 };

/** `suggested` are tried first and never change the groups. */
export function detectGroups(
    constraints: ConstraintProblem,
    suggested: readonly SuggestedPermutation[],
    workLimit: WorkLimit,
): Groups {
    const detection = detectSymmetries(constraints, [], suggested, workLimit);
    const { group } = detection;
    const likely = [...group.generators, ...suggested];
    const detections = [detection];
    const keeping = (properties: PropertySelection): ModelGroup => {
        const kept = detectionKeeping(constraints, group, properties, likely, workLimit);
        if (kept === undefined) {
            return group;
        }
        detections.push(kept);
        return kept.group;
    };
    const propertyGroups = constraints.properties.map((_, index) => keeping([index]));
    const all = [...constraints.properties.keys()];
    const explorationGroup = keeping(all);
    const alikeSets = new AlikeProperties(constraints, explorationGroup, all).sets.map(members => ({
        members,
        group: members.length === all.length ? explorationGroup : keeping(members),
    }));
    return { detection, propertyGroups, explorationGroup, alikeSets, effort: effortOf(detections) };
}

/** The part of `group`, all symmetries of the model, that keeps the selected properties. */
export function groupKeeping(
    constraints: ConstraintProblem,
    group: ModelGroup,
    properties: PropertySelection,
    candidates: readonly SparsePermutation[],
    workLimit: WorkLimit,
): ModelGroup {
    return detectionKeeping(constraints, group, properties, candidates, workLimit)?.group ?? group;
}

/** Undefined if all of `group` keeps them: then nothing is searched. */
function detectionKeeping(
    constraints: ConstraintProblem,
    group: ModelGroup,
    properties: PropertySelection,
    candidates: readonly SparsePermutation[],
    workLimit: WorkLimit,
): Detection | undefined {
    return keepsProperties(constraints, group, properties, group.generators)
        ? undefined
        : detectSymmetries(constraints, properties, candidates, workLimit);
}

function effortOf(detections: readonly Detection[]): SearchEffort {
    return detections.reduce(
        (sum, { statistics: { treeNodes, refinements } }) => ({
            searches: sum.searches + 1,
            treeNodes: sum.treeNodes + treeNodes,
            refinements: sum.refinements + refinements,
        }),
        NO_EFFORT,
    );
}

/** The groups for an equal problem with other names; nothing is searched. */
export function withProblem(groups: Groups, problem: ConstraintProblem): Groups {
    const { detection } = groups;
    return detection.encoding.problem === problem
        ? groups
        : {
              ...groups,
              detection: { ...detection, encoding: { ...detection.encoding, problem } },
              effort: NO_EFFORT,
          };
}

/** The groups, with the objects of `before` for equal ones: results about a group are kept by its object. */
export function withKnownObjects(groups: Groups, before: Groups): Groups {
    const known = groupsOf(before);
    const objectOf = (group: ModelGroup): ModelGroup => known.find(other => areEqual(group, other)) ?? group;
    return {
        ...groups,
        detection: { ...groups.detection, group: objectOf(groups.detection.group) },
        propertyGroups: groups.propertyGroups.map(objectOf),
        explorationGroup: objectOf(groups.explorationGroup),
        alikeSets: groups.alikeSets.map(set => ({ ...set, group: objectOf(set.group) })),
    };
}

/** All groups of a detection. */
export function groupsOf({
    detection,
    explorationGroup,
    propertyGroups,
    alikeSets,
}: Omit<Groups, 'effort'>): readonly ModelGroup[] {
    return [detection.group, explorationGroup, ...propertyGroups, ...alikeSets.map(({ group }) => group)];
}

function areEqual(first: ModelGroup, second: ModelGroup): boolean {
    return (
        first.complete &&
        second.complete &&
        first.order === second.order &&
        first.generators.length === second.generators.length &&
        first.generators.every((generator, index) => equalsSparse(generator, second.generators[index])) &&
        sameDomains(first.codes, second.codes)
    );
}

export function withoutSymmetry({ detection, propertyGroups, effort }: Groups): Groups {
    const trivial: ModelGroup = { ...detection.group, generators: [], order: 1n, complete: false };
    return {
        detection: { ...detection, group: trivial, automorphisms: [] },
        propertyGroups: propertyGroups.map(() => trivial),
        explorationGroup: trivial,
        alikeSets: [],
        effort,
    };
}
