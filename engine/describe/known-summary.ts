/**
 * What was said of a group, said again after an edit that has left the group as it was.
 *
 * A description depends on the group, on what it does to the instances, on the declarations and on the names of cells and
 * instances; not on the bodies of processes. All of these are compared, so that an edit of a guard which keeps every
 * symmetry does not have them described again.
 */
import { atMovedPlaces, movedPlaces } from '../common/moved-places.js';
import { sameData, sameNumbers } from '../common/same-data.js';
import { sameDomains } from '../constraints/same-behavior.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import type { Model } from '../model/model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import type { Candidate } from '../symmetry/declared-action.js';
import { instanceActionOf } from '../symmetry/instance-action.js';
import type { LiteralPoints, ModelGroup } from '../symmetry/model-symmetry.js';
import type { Findings, Summary } from './summarize.js';

/** The summary of `findings` from that of findings before; undefined where they may differ in more than places. */
export function knownSummary(before: Findings, summary: Summary, findings: Findings): Summary | undefined {
    const { graph } = findings.detection.encoding;
    const { model, problem } = findings;
    const isSame =
        summary.complete &&
        summary.undescribed !== true &&
        before.verified &&
        findings.verified &&
        findings.problem.complete &&
        sameDomains(before.problem.domains, findings.problem.domains) &&
        before.problem.pinned.length + findings.problem.pinned.length === 0 &&
        sameGroups(groupsOf(before), groupsOf(findings)) &&
        sameAction(before, findings);
    if (!isSame) {
        return undefined;
    }
    const known = isDeclaredAlike(before, model, problem.sequential)
        ? summary
        : summaryAtMovedPlaces(before, summary, findings);
    return known && { ...known, graph: { vertices: graph.vertexCount, edges: graph.edgeCount } };
}

function summaryAtMovedPlaces(before: Findings, summary: Summary, { model, problem }: Findings): Summary | undefined {
    const places = movedPlaces(
        describedPart(before.model, before.problem.sequential),
        describedPart(model, problem.sequential),
    );
    return places && atMovedPlaces(summary, places);
}

/** The candidates for a model, if they are those of findings before: they are suggested by what is described. */
export function knownCandidates(
    before: Findings,
    model: Model,
    sequential: SequentialModel,
    { codes }: LiteralPoints,
): readonly Candidate[] | undefined {
    return sameDomains(before.detection.group.codes, codes) && isDeclaredAlike(before, model, sequential)
        ? before.candidates
        : undefined;
}

/** Whether all that a description reads of a model is the same, and at the same places of the text. */
function isDeclaredAlike({ model: before, problem }: Findings, model: Model, sequential: SequentialModel): boolean {
    return sameData(describedPart(before, problem.sequential), describedPart(model, sequential));
}

function groupsOf({ detection, propertyGroups, explorationGroup }: Findings): readonly ModelGroup[] {
    return [detection.group, explorationGroup, ...propertyGroups];
}

/** Equal groups are one object (groups.ts), where a search has found the whole of them. */
function sameGroups(first: readonly ModelGroup[], second: readonly ModelGroup[]): boolean {
    return first.length === second.length && first.every((group, index) => group.complete && group === second[index]);
}

/** Whether the groups do the same to the instances: then it does not matter by which vertices of the graph. */
function sameAction(before: Findings, findings: Findings): boolean {
    const [first, second] = [before, findings].map(({ detection }) => {
        const action = instanceActionOf(detection.encoding);
        return {
            tellsAllApart: action.tellsAllApart,
            moved: detection.automorphisms.map(automorphism => action.of(automorphism)),
            exchanges: action.exchanges(),
        };
    });
    return (
        first !== undefined &&
        second?.tellsAllApart === true &&
        first.tellsAllApart &&
        samePermutations(first.moved, second.moved) &&
        samePermutations(first.exchanges, second.exchanges)
    );
}

/** What a description reads of a model. */
function describedPart(model: Model, sequential: SequentialModel): unknown {
    return [declarationsOf(model), namesOf(sequential)];
}

function declarationsOf({ processes, invariants, functions: _, initialConditions: __, ...model }: Model): unknown {
    return {
        ...model,
        variables: model.variables.map(({ initializer: ___, ...variable }) => variable),
        processes: processes.map(({ body: ___, ...process }) => process),
        invariants: invariants.map(({ name, range, nameRange }) => [name, range, nameRange]),
    };
}

function namesOf({ cells, instances, invariants }: SequentialModel): unknown {
    return [
        cells,
        instances.map(({ name, process, indices, locations, counter }) => [name, process, indices, locations, counter]),
        invariants.map(({ name, range }) => [name, range]),
    ];
}

function samePermutations(
    first: readonly (SparsePermutation | undefined)[],
    second: readonly (SparsePermutation | undefined)[],
): boolean {
    return (
        first.length === second.length &&
        first.every((permutation, index) => {
            const other = second[index];
            return permutation === undefined || other === undefined
                ? permutation === other
                : sameNumbers(permutation.points, other.points) && sameNumbers(permutation.images, other.images);
        })
    );
}
