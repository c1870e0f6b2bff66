/** The summary of an earlier analysis, if an edit changed no group, action on instances, declaration or name. */
import { sameData, sameNumbers } from '../common/same-data.js';
import type { SourceRange } from '../common/source-range.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import type { Model } from '../model/model.js';
import { instanceActionOf } from '../symmetry/instance-action.js';
import { groupsOf } from '../symmetry/groups.js';
import type { ModelGroup } from '../symmetry/model-symmetry.js';
import type { Findings, Summary } from './summarize.js';

/** The summary of `findings`, if it is that of the findings before but for places; else undefined. */
export function knownSummary(before: Findings, summary: Summary, findings: Findings): Summary | undefined {
    const isSame =
        summary.complete &&
        before.verified &&
        findings.verified &&
        sameGroups(groupsOf(before), groupsOf(findings)) &&
        sameAction(before, findings) &&
        sameData(describedPart(before), describedPart(findings), PLACES);
    return isSame ? atPlacesNow(summary, before.model, findings) : undefined;
}

/** The keys that are not compared: places move, and documentation is for people only. */
const PLACES: ReadonlySet<string> = new Set(['range', 'nameRange', 'declaration', 'documentation']);

/** Equal groups are one object (symmetry/groups.ts). */
function sameGroups(first: readonly ModelGroup[], second: readonly ModelGroup[]): boolean {
    return first.length === second.length && first.every((group, index) => group.complete && group === second[index]);
}

/** Whether the groups do the same to the instances: then it does not matter by which vertices of the graph. */
function sameAction({ detection: before }: Findings, { detection }: Findings): boolean {
    if (before.automorphisms === detection.automorphisms) {
        return true;
    }
    const [first, second] = [before, detection].map(({ encoding, automorphisms }) => {
        const action = instanceActionOf(encoding);
        const moved = automorphisms.map(automorphism => action.of(automorphism));
        return { tellsAllApart: action.tellsAllApart, permutations: [...moved, ...action.exchanges()] };
    });
    return (
        first.tellsAllApart &&
        second.tellsAllApart &&
        first.permutations.length === second.permutations.length &&
        first.permutations.every((permutation, index) => samePermutation(permutation, second.permutations[index]))
    );
}

function samePermutation(first: SparsePermutation | undefined, second: SparsePermutation | undefined): boolean {
    return first === undefined || second === undefined
        ? first === second
        : sameNumbers(first.points, second.points) && sameNumbers(first.images, second.images);
}

/** The data that a description reads, besides the groups. */
function describedPart({ model, problem, alikeSets }: Findings): unknown {
    const { functions: _, initialConditions: __, initialBodies: _____, variables, processes, ...others } = model;
    const { invariants, properties, assumptions: ____, runs: ______, expectations: _______, ...rest } = others;
    const { domains, pinned, complete, sequential } = problem;
    return [
        rest,
        variables.map(({ initializer: ___, ...variable }) => variable),
        processes.map(({ body: ___, ...process }) => process),
        [invariants, properties, sequential.invariants].map(stated => stated.map(({ name }) => name)),
        sequential.cells,
        alikeSets.map(({ members }) => members),
        sequential.instances.map(({ mayStop: ___, ...instance }) => instance),
        [domains, pinned, complete],
    ];
}

/** The summary with the places of the declarations as they are now. */
function atPlacesNow(summary: Summary, before: Model, { model, detection }: Findings): Summary {
    const { graph } = detection.encoding;
    const now = namePlaces(model);
    const places = new Map(namePlaces(before).map((range, index) => [range, now[index]]));
    const placed = <Part extends { readonly range?: SourceRange }>(part: Part): Part =>
        part.range === undefined ? part : { ...part, range: places.get(part.range) ?? part.range };
    return {
        ...summary,
        graph: { vertices: graph.vertexCount, edges: graph.edgeCount },
        properties: summary.properties.map(placed),
        families: summary.families.map(placed),
        variables: summary.variables.map(placed),
        types: summary.types.map(placed),
    };
}

/** The places of the names that a summary points at. */
function namePlaces(model: Model): readonly SourceRange[] {
    const { types, variables, channels, processes, invariants, properties } = model;
    const locals = processes.flatMap(process => process.locals);
    return [...types, ...variables, ...channels, ...processes, ...locals, ...invariants, ...properties].map(
        ({ nameRange }) => nameRange,
    );
}
