/**
 * Symmetries of a model as permutations of its literals. A *literal* is `cell = value`; its *point* is a number, cell
 * by cell. Values that no reachable state has have no points. A symmetry maps the literals of a cell onto those of one
 * cell; "no value" goes with its cell.
 */
import type { LiteralGroup } from '../group/literal-action.js';
import { describeGroup } from '../group/structure.js';
import { imageOf, sparsePermutation, type SparsePermutation } from '../group/sparse-permutation.js';
import type { ConstraintProblem } from '../constraints/constraint-problem.js';
import type { LiteralImage } from '../sequential/literal-image.js';
import { isConstant, type GraphEncoding } from './graph-encoding.js';

/** A group of symmetries by generators. */
export interface ModelGroup {
    readonly cellCount: number;
    /** Ascending; `codes[cell][i]` has point `firstPoint[cell] + i`. Empty (none or too many): the cell never moves. */
    readonly codes: readonly (readonly number[])[];
    /** `codes[cell].length` for each cell. */
    readonly domainSizes: Int32Array;
    /** Length cellCount + 1. */
    readonly firstPoint: Int32Array;
    readonly cellOfPoint: Int32Array;
    readonly generators: readonly SparsePermutation[];
    /** If the group is not complete, a lower bound for the order of its generators' group, greater than 1 if there are any. */
    readonly order: bigint;
    /** False if a budget ended the search: then this is a subgroup of the symmetries. */
    readonly complete: boolean;
}

/** The numbering of literals that all groups of a problem share. */
export type LiteralPoints = Pick<ModelGroup, 'cellCount' | 'codes' | 'domainSizes' | 'firstPoint' | 'cellOfPoint'>;

/** A marker is a cell with one code, 0, behind the last cell of the model. */
export function literalPoints({
    domains,
    markers = [],
}: Pick<ConstraintProblem, 'domains' | 'markers'>): LiteralPoints {
    const codes = [...domains.map(domain => domain.filter(code => code >= 0)), ...markers.map(() => [0])];
    const domainSizes = Int32Array.from(codes, values => values.length);
    const firstPoint = new Int32Array(codes.length + 1);
    domainSizes.forEach((size, cell) => (firstPoint[cell + 1] = firstPoint[cell] + size));
    const cellOfPoint = new Int32Array(firstPoint[codes.length]);
    domainSizes.forEach((_, cell) => cellOfPoint.fill(cell, firstPoint[cell], firstPoint[cell + 1]));
    return { cellCount: codes.length, codes, domainSizes, firstPoint, cellOfPoint };
}

/** The group without its meaning. A stopped search knows only a lower bound of the order. */
export function literalGroup({ order, complete, ...group }: ModelGroup): LiteralGroup {
    return { ...group, ...(complete ? { order } : {}) };
}

/** The action of each generator on states. A cell without points keeps its value. */
export function literalImages(group: LiteralPoints & Pick<ModelGroup, 'generators'>): LiteralImage[] {
    const { cellCount, cellOfPoint: cellOf, codes, firstPoint } = group;
    return group.generators.map((generator): LiteralImage => {
        const { points, images } = generator;
        const cells = Int32Array.from({ length: cellCount }, (_, cell) => cell);
        points.forEach((point, index) => (cells[cellOf[point]] = cellOf[images[index]]));
        return {
            cells,
            codeOf(cell, code) {
                if (codes[cell].length === 0) {
                    return code;
                }
                const position = codes[cell].indexOf(code);
                if (position < 0) {
                    return undefined;
                }
                const image = imageOf(generator, firstPoint[cell] + position);
                return codes[cells[cell]][image - firstPoint[cells[cell]]];
            },
        };
    });
}

/** The action of a group on `cells`, which it maps onto themselves. */
export function actionOnCells(group: ModelGroup, cells: readonly number[]): ModelGroup {
    const isKept = new Set(cells);
    const { cellOfPoint: cellOf } = group;
    const generators = new Map<string, SparsePermutation>();
    for (const { points, images } of group.generators) {
        const pairs = Array.from(points, (point, index): [number, number] => [point, images[index]]);
        const kept = pairs.filter(([point]) => isKept.has(cellOf[point]));
        if (kept.length > 0) {
            generators.set(kept.join(), sparsePermutation(kept));
        }
    }
    const acting = [...generators.values()];
    return { ...group, generators: acting, order: describeGroup(acting, cellOf.length).order };
}

/** Maps graph automorphisms to their action on literals; to the identity if only auxiliary vertices move. */
export function literalProjection(
    encoding: GraphEncoding,
    points: LiteralPoints,
): (automorphism: SparsePermutation) => SparsePermutation {
    /** The point of each vertex that is a literal with a value, -1 for the others. */
    const pointOf = new Int32Array(encoding.graph.vertexCount).fill(-1);
    forEachLiteral(encoding, points, (vertex, point) => (pointOf[vertex] = point));
    return automorphism => {
        const pairs: [number, number][] = [];
        automorphism.points.forEach((vertex, index) => {
            const point = pointOf[vertex];
            const image = pointOf[automorphism.images[index]];
            if (point >= 0 && image >= 0) {
                pairs.push([point, image]);
            }
        });
        return sparsePermutation(pairs);
    };
}

/** Visits every literal that has a vertex, with its point, -1 for "no value", and every marker. */
export function forEachLiteral(
    encoding: GraphEncoding,
    points: LiteralPoints,
    visit: (vertex: number, point: number, cell: number) => void,
): void {
    encoding.problem.domains.forEach((codes, cell) => {
        if (isConstant(codes)) {
            return;
        }
        let point = points.firstPoint[cell];
        codes.forEach((code, position) => {
            visit(encoding.firstLiteral[cell] + position, code < 0 ? -1 : point++, cell);
        });
    });
    for (let cell = encoding.problem.domains.length; cell < points.cellCount; cell++) {
        visit(encoding.firstLiteral[cell], points.firstPoint[cell], cell);
    }
}
