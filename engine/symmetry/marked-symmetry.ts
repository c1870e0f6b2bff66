/**
 * Symmetries on literals and markers. A marker, a fairness constraint or a member of a temporal property, is a cell with
 * one code behind the last cell of the model, so whatever carries a state along carries the markers, too. A symmetry
 * keeps the steps and the initial states, and what is true of a marker at a position of a run is true of its image at
 * the image of the position. It may move markers only.
 */
import { UnionFind } from '../common/union-find.js';
import type { WorkLimit } from '../common/work-limit.js';
import { appendTo } from '../common/list-map.js';
import type { ConstraintMarker, ConstraintProblem } from '../constraints/constraint-problem.js';
import { encodeMarkers } from '../constraints/encode-markers.js';
import {
    imageOf,
    restrictPermutation,
    sparsePermutation,
    type SparsePermutation,
} from '../group/sparse-permutation.js';
import type { Marker } from '../sequential/temporal.js';
import { detectSymmetries } from './detect.js';
import { encodeGraph } from './graph-encoding.js';
import { GraphExtension } from './graph-extension.js';
import { literalPoints, type ModelGroup } from './model-symmetry.js';

/** The last `markerCount` cells are the markers: in a state they hold 0. */
export interface MarkedGroup extends ModelGroup {
    readonly markerCount: number;
}

/**
 * The symmetries that map `markers` onto each other; those of one skeleton only. `candidates` are tried first, with any
 * images for markers, and never change the group.
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
    const { group } = detectSymmetries(marked, [], withMarkers(marked, candidates), workLimit);
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

/** Permutations of literals that may be symmetries, with images for the markers; of equal markers in their order. */
function withMarkers(marked: ConstraintProblem, candidates: readonly SparsePermutation[]): SparsePermutation[] {
    const { markers = [], ...problem } = marked;
    if (markers.length === 0 || candidates.length === 0) {
        return [...candidates];
    }
    const contents = new MarkerContents(problem, markers);
    const firstMarker = literalPoints(problem).cellOfPoint.length;
    const markersOf = new Map<string, number[]>();
    contents.keys().forEach((key, marker) => {
        appendTo(markersOf, key, firstMarker + marker);
    });
    return candidates.flatMap(given => {
        const candidate = restrictPermutation(given, firstMarker);
        const used = new Map<string, number>();
        const images = contents.keysOfImages(candidate)?.map(key => {
            const position = used.get(key) ?? 0;
            used.set(key, position + 1);
            return markersOf.get(key)?.[position] ?? -1;
        });
        if (images === undefined || images.includes(-1)) {
            return [];
        }
        const literals = Array.from(candidate.points, (point, index) => [point, candidate.images[index]] as const);
        const onMarkers = images.map((image, marker) => [firstMarker + marker, image] as const);
        return [sparsePermutation([...literals, ...onMarkers])];
    });
}

/** What markers say, in a graph without them: symmetries of the graph take it from marker to marker. */
class MarkerContents {
    readonly #extension: GraphExtension;
    readonly #forms: readonly string[];
    /** By marker and atom: the vertices of the condition, or of the summands. */
    readonly #vertices: readonly (readonly (readonly number[])[])[];

    constructor(problem: ConstraintProblem, markers: readonly ConstraintMarker[]) {
        const conditions = markers.flatMap(({ atoms }) => atoms.filter(atom => atom.kind === 'state'));
        const properties = conditions.map(
            (condition, index) => ({ ...condition, name: '', kind: 'invariant', invariant: index }) as const,
        );
        const encoding = encodeGraph({ ...problem, properties }, [...properties.keys()]);
        const vertexOfCondition = new Map(
            conditions.map((condition, index) => [condition, encoding.propertyVertex[index]]),
        );
        const vertexOfSource = new Map(
            problem.summands.flatMap(({ sources }, index) =>
                sources.map(source => [source, encoding.summandVertex[index]]),
            ),
        );
        this.#extension = new GraphExtension(encoding, literalPoints(problem));
        this.#forms = markers.map(({ form }) => form);
        this.#vertices = markers.map(({ atoms }) =>
            atoms.map(atom => {
                switch (atom.kind) {
                    case 'state':
                        return [vertexOfCondition.get(atom) ?? -1];
                    case 'possible':
                        return [];
                    default:
                        return atom.summands.flatMap(source => vertexOfSource.get(source) ?? []);
                }
            }),
        );
    }

    keys(): readonly string[] {
        return this.#keys(vertex => vertex);
    }

    /** Undefined if the permutation of literals is no symmetry that maps the conditions of markers onto each other. */
    keysOfImages(permutation: SparsePermutation): readonly string[] | undefined {
        const automorphism = this.#extension.extend(permutation);
        return automorphism && this.#keys(vertex => imageOf(automorphism, vertex));
    }

    #keys(image: (vertex: number) => number): readonly string[] {
        return this.#vertices.map((ofAtoms, marker) =>
            [this.#forms[marker], ...ofAtoms.map(vertices => vertices.map(image).sort((a, b) => a - b))].join(';'),
        );
    }
}
