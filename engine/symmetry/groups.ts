/**
 * The symmetries of a model, those that keep each property, and those that keep all that an exploration checks. The last
 * need not keep the initial states [EmersonSistla1996]: a state that is stored stands for its orbit, and can be reached
 * up to a symmetry (proof in docs/symmetry-soundness.md).
 */
import type { WorkLimit } from '../common/work-limit.js';
import type { ConstraintProblem } from '../constraints/constraint-problem.js';
import { sameDomains } from '../constraints/same-behavior.js';
import { hasAtMost } from '../graph/automorphism-bound.js';
import { equalsSparse, type SparsePermutation } from '../group/sparse-permutation.js';
import { detectIn, detectSymmetries, keepsProperties, type Detection, type SuggestedPermutation } from './detect.js';
import { AlikeProperties } from './alike-properties.js';
import {
    encodeGraph,
    encodeSteps,
    literalCountOf,
    type GraphEncoding,
    type PropertySelection,
} from './graph-encoding.js';
import { GraphExtension } from './graph-extension.js';
import { literalPoints, type ModelGroup } from './model-symmetry.js';

export interface Groups extends ExplorationGroups {
    /** Of the model without its properties. */
    readonly detection: Detection;
    /** Of each property alone, in the order of `ConstraintProblem.properties`. */
    readonly propertyGroups: readonly ModelGroup[];
    /** The invariants that `startGroup` exchanges. */
    readonly alikeSets: readonly AlikeSet[];
    readonly effort: SearchEffort;
    /** The symmetries of the steps, without those of the start; absent if all of them keep the start. */
    readonly stepsGroup?: ModelGroup;
}

/** The symmetries that an exploration may use. */
export interface ExplorationGroups {
    /** Keeps the steps and everything that is checked: deadlock, and the set of the invariants. */
    readonly explorationGroup: ModelGroup;
    /** Those of them that keep the start: the same object if all do. They exchange the same invariants. */
    readonly startGroup: ModelGroup;
}

/** Two or more invariants that symmetries exchange. */
export interface AlikeSet {
    /** Indices into `ConstraintProblem.properties`, ascending. */
    readonly members: readonly number[];
    /** Keeps the set, whatever else is checked. */
    readonly group: ModelGroup;
}

/** The work of all searches together; it does not depend on the machine. */
interface SearchEffort {
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
    const startGroup = keeping(all);
    const alikeSets = new AlikeProperties(constraints, startGroup, all).sets.map(members => ({
        members,
        group: members.length === all.length ? startGroup : keeping(members),
    }));
    const steps = detectSteps(detection, likely, workLimit);
    if (steps !== undefined) {
        detections.push(steps);
    }
    const stepsGroup = steps === undefined || keepsStart(constraints, steps.group) ? undefined : steps.group;
    const explorationGroup = groupWithoutStart(constraints, stepsGroup, startGroup, all, workLimit);
    return {
        detection,
        propertyGroups,
        explorationGroup,
        startGroup,
        alikeSets,
        effort: effortOf(detections),
        ...(stepsGroup !== undefined && { stepsGroup }),
    };
}

/** The symmetries of the steps; undefined if they keep the start for sure, at the limit, or if not all of the model are. */
function detectSteps(
    { encoding, group }: Detection,
    likely: readonly SuggestedPermutation[],
    workLimit: WorkLimit,
): Detection | undefined {
    const { problem } = encoding;
    if (!group.complete || workLimit.isExhausted() || problem.initial.length === 0) {
        return undefined;
    }
    const ofSteps = encodeSteps(problem);
    // If they are no more than those of the model, they are the same, or some of the model are not among them.
    if (
        hasAtMost(ofSteps.graph, literalCountOf(ofSteps), group.order, workLimit) ||
        !areSymmetries(ofSteps, group.generators)
    ) {
        return undefined;
    }
    const steps = detectIn(ofSteps, likely, workLimit);
    return steps.group.complete ? steps : undefined;
}

/** Whether these symmetries of the steps map initial states to initial states. Only the initial condition is encoded. */
export function keepsStart(constraints: ConstraintProblem, { generators }: ModelGroup): boolean {
    return areSymmetries(encodeGraph({ ...constraints, summands: [] }, []), generators);
}

function areSymmetries(encoding: GraphEncoding, permutations: readonly SparsePermutation[]): boolean {
    const extension = new GraphExtension(encoding, literalPoints(encoding.problem));
    return permutations.every(permutation => extension.extend(permutation) !== undefined);
}

/**
 * The part of `steps` that keeps the selected properties. It maps an invariant only to one that `start`, the symmetries
 * that keep the start and the properties too, exchange with it: so an invariant is violated in a state that can be
 * reached exactly if it is in one that is stored. `start` itself if that is all.
 */
export function groupWithoutStart(
    constraints: ConstraintProblem,
    steps: ModelGroup | undefined,
    start: ModelGroup,
    properties: PropertySelection,
    workLimit: WorkLimit,
): ModelGroup {
    if (steps === undefined) {
        return start;
    }
    const classes = new AlikeProperties(constraints, start, properties).classNumbers();
    const moved = { ...constraints, startMoved: { classes } };
    const candidates = [...start.generators, ...steps.generators];
    const group = groupKeeping(moved, steps, properties, candidates, workLimit);
    const isLarger = group.complete && group.order > start.order;
    // What is the same in reachable states only may be kept by `start` alone.
    return isLarger && areSymmetries(encodeGraph(moved, properties), start.generators) ? group : start;
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
        startGroup: objectOf(groups.startGroup),
        ...(groups.stepsGroup !== undefined && { stepsGroup: objectOf(groups.stepsGroup) }),
        alikeSets: groups.alikeSets.map(set => ({ ...set, group: objectOf(set.group) })),
    };
}

/** All groups of a detection. */
export function groupsOf({
    detection,
    explorationGroup,
    startGroup,
    stepsGroup,
    propertyGroups,
    alikeSets,
}: Omit<Groups, 'effort'>): readonly ModelGroup[] {
    const ofSteps = stepsGroup === undefined ? [] : [stepsGroup, explorationGroup];
    return [detection.group, startGroup, ...propertyGroups, ...alikeSets.map(({ group }) => group), ...ofSteps];
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
        startGroup: trivial,
        alikeSets: [],
        effort,
    };
}
