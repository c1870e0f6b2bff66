/**
 * The symmetries that runs have: those that map the fairness constraints onto each other, and of each temporal property
 * those that permute its members, and those that keep its first member. All are symmetries of the model; a group that a
 * limit has ended is left out.
 */
import type { WorkLimit } from '../common/work-limit.js';
import type { ConstraintProblem } from '../constraints/constraint-problem.js';
import { describeGroup } from '../group/structure.js';
import { sparsePermutation } from '../group/sparse-permutation.js';
import type { Marker, TemporalProperty } from '../sequential/sequential-model.js';
import { markerOrbits, symmetriesWithMarkers, type MarkedGroup } from './marked-symmetry.js';
import type { ModelGroup } from './model-symmetry.js';

export interface RunGroups {
    readonly fairness?: KeptMarkers;
    /** In the order of `SequentialModel.properties`. */
    readonly properties: readonly KeptProperty[];
}

/** The symmetries that map some markers onto each other. */
export interface KeptMarkers {
    /** By marker the first one of its orbit. */
    readonly orbits: readonly number[];
    /** On the literals of the model: of elements that move markers only, nothing is left. */
    readonly group: ModelGroup;
}

export interface KeptProperty {
    /** Those that keep the set of the members, and the constraints; `orbits` has the members. */
    readonly members?: KeptMarkers;
    /** Those that keep the first member, and the constraints. Absent without members, too. */
    readonly stabilizer?: ModelGroup;
}

/** `whole` has all symmetries of the model without its properties and its fairness. */
export function runGroupsOf(problem: ConstraintProblem, whole: ModelGroup, limit: WorkLimit): RunGroups {
    const { fairness, properties } = problem.sequential;
    const keeping = (members: readonly Marker[]): KeptMarkers | undefined =>
        groupKeepingMarkers(problem, whole, [...fairness, ...members], fairness.length, limit);
    const fair = groupKeepingMarkers(problem, whole, fairness, 0, limit);
    const propertyOf = ({ members }: TemporalProperty): KeptProperty => {
        if (members.length === 0) {
            return fair === undefined ? {} : { members: { ...fair, orbits: [] } };
        }
        const all = keeping(members);
        const first = members.length === 1 ? all : keeping(members.slice(0, 1));
        return { ...(all && { members: all }), ...(first && { stabilizer: first.group }) };
    };
    return { ...(fair && { fairness: fair }), properties: properties.map(propertyOf) };
}

/** With the orbits of the markers from number `first` on; `whole` itself if that is it. Undefined at the limit. */
export function groupKeepingMarkers(
    problem: ConstraintProblem,
    whole: ModelGroup,
    markers: readonly Marker[],
    first: number,
    limit: WorkLimit,
): KeptMarkers | undefined {
    if (!whole.complete || limit.isExhausted()) {
        return undefined;
    }
    if (markers.length === 0) {
        return { orbits: [], group: whole };
    }
    const marked = symmetriesWithMarkers(problem, markers, whole.generators, limit);
    const group = marked.complete ? withoutMarkers(marked, whole, limit) : undefined;
    return group && { orbits: markerOrbits(marked, first), group };
}

/** The action on the literals of the model; undefined if its order is not known. */
function withoutMarkers({ generators }: MarkedGroup, whole: ModelGroup, limit: WorkLimit): ModelGroup | undefined {
    const literalCount = whole.cellOfPoint.length;
    const acting = generators
        .map(({ points, images }) =>
            sparsePermutation(
                Array.from(points, (point, index): [number, number] => [point, images[index]]).filter(
                    ([point]) => point < literalCount,
                ),
            ),
        )
        .filter(({ points }) => points.length > 0);
    const { order } = describeGroup(acting, literalCount, undefined, limit);
    if (order === whole.order) {
        return whole;
    }
    return order > 0n ? { ...whole, generators: acting, order } : undefined;
}
