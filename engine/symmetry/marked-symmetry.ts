/**
 * Symmetries on literals and markers. A marker, a fairness constraint or a member of a temporal property, is a cell with
 * one code behind the last cell of the model, so whatever carries a state along carries the markers, too. A symmetry
 * keeps the steps and the initial states, and what is true of a marker at a position of a run is true of its image at
 * the image of the position. It may move markers only.
 */
import { UnionFind } from '../common/union-find.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { ConstraintProblem } from '../constraints/constraint-problem.js';
import { encodeMarkers } from '../constraints/encode-markers.js';
import { imageOf, type SparsePermutation } from '../group/sparse-permutation.js';
import type { Marker } from '../sequential/sequential-model.js';
import { detectSymmetries } from './detect.js';
import { literalPoints, type ModelGroup } from './model-symmetry.js';

/** The last `markerCount` cells are the markers: in a state they hold 0. */
export interface MarkedGroup extends ModelGroup {
    readonly markerCount: number;
}

/**
 * The symmetries that map `markers` onto each other; those of one skeleton only. Markers that say the same keep their
 * order. `candidates`, on literals and markers, are tried first and never change the group.
 */
export function symmetriesWithMarkers(
    problem: ConstraintProblem,
    markers: readonly Marker[],
    candidates: readonly SparsePermutation[],
    workLimit: WorkLimit,
): MarkedGroup {
    const markerCount = markers.length;
    const marked = encodeMarkers(problem, markers, workLimit);
    if (marked === undefined) {
        const points = literalPoints({ ...problem, markers: markers.map(() => ({ form: '', atoms: [] })) });
        return { ...points, generators: [], order: 1n, complete: false, markerCount };
    }
    const { group } = detectSymmetries(marked, [], candidates, workLimit);
    return { ...group, markerCount };
}

/** Of the markers from number `first` on, counted from there: the first member of the orbit of each. */
export function markerOrbits({ cellCount, firstPoint, generators, markerCount }: MarkedGroup, first: number): number[] {
    const orbits = new UnionFind(markerCount);
    const firstMarker = firstPoint[cellCount - markerCount];
    for (const { points, images } of generators) {
        points.forEach((point, index) => {
            if (point >= firstMarker) {
                orbits.union(point - firstMarker, images[index] - firstMarker);
            }
        });
    }
    const firstOfOrbit = new Map<number, number>();
    return Array.from({ length: markerCount - first }, (_, member) => {
        const orbit = orbits.find(first + member);
        const least = firstOfOrbit.get(orbit) ?? member;
        firstOfOrbit.set(orbit, least);
        return least;
    });
}

/**
 * By marker, then by constraint (the first markers): equal for constraints that symmetries exchange; behind a marker that
 * is no constraint only symmetries count that fix it, or take it along to the marker that is compared with.
 */
export function constraintOrbits(group: MarkedGroup, constraintCount: number): readonly (readonly number[])[] {
    const { cellCount, firstPoint, generators, markerCount } = group;
    const firstMarker = firstPoint[cellCount - markerCount];
    const alone = markerOrbits(group, 0).slice(0, constraintCount);
    const pairs = new UnionFind(markerCount * constraintCount);
    for (const generator of generators) {
        const images = Array.from(
            { length: markerCount },
            (_, marker) => imageOf(generator, firstMarker + marker) - firstMarker,
        );
        for (let marker = constraintCount; marker < markerCount; marker++) {
            for (let constraint = 0; constraint < constraintCount; constraint++) {
                pairs.union(
                    marker * constraintCount + constraint,
                    images[marker] * constraintCount + images[constraint],
                );
            }
        }
    }
    return Array.from({ length: markerCount }, (_, marker) =>
        marker < constraintCount
            ? alone
            : alone.map((_orbit, constraint) => pairs.find(marker * constraintCount + constraint)),
    );
}
