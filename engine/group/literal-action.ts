/**
 * The action of a group of literal permutations on states.
 *
 * A model symmetry permutes literals: literal = firstLiteral[cell] + number of the value. A cell may also hold no value
 * (code -1), which has no literal. Here it has a point, too: point = firstPoint[cell] + content, with content 0 for no
 * value and content k for the value k - 1. A state is a set of points, one of each cell.
 */
import { positionInAscending } from '../common/ascending.js';
import { invariant } from '../common/assert.js';
import { appendTo } from '../common/list-map.js';
import { UnionFind } from '../common/union-find.js';
import {
    composeSparse,
    imageOf,
    inverseSparse,
    sparsePermutation,
    type SparsePermutation,
} from './sparse-permutation.js';

/** A group of model symmetries. */
export interface LiteralGroup {
    readonly cellCount: number;
    /** By cell: the number of its values. Length cellCount. */
    readonly domainSizes: ArrayLike<number>;
    /** By cell: the codes of its values, ascending. Absent, or empty for a cell, if they are 0, 1, and so on. */
    readonly codes?: readonly (readonly number[])[];
    /** Permutations of literals that map the literals of a cell onto those of one cell. */
    readonly generators: readonly SparsePermutation[];
    /** The exact order, if it is known. */
    readonly order?: bigint | undefined;
}

/** The group on the points of some cells. The cells and their points are renumbered from 0. */
export interface LiteralAction {
    /** `cells[i]` is the number of cell i in the model, ascending. */
    readonly cells: Int32Array;
    /** `firstPoint[i]` is the point for no value in cell i; `firstPoint[cells.length]` is pointCount. */
    readonly firstPoint: Int32Array;
    /** By point: its cell. Length pointCount. */
    readonly cellOfPoint: Int32Array;
    readonly pointCount: number;
    readonly generators: readonly SparsePermutation[];
    readonly order: bigint | undefined;
}

/** The action on all cells. Checks that every generator maps cells onto cells. */
export function createLiteralAction(group: LiteralGroup): LiteralAction {
    const { cellCount, domainSizes } = group;
    const firstPoint = new Int32Array(cellCount + 1);
    for (let cell = 0; cell < cellCount; cell++) {
        firstPoint[cell + 1] = firstPoint[cell] + domainSizes[cell] + 1;
    }
    const pointCount = firstPoint[cellCount];
    const cellOfPoint = cellsOfPoints(firstPoint);
    const cellOfLiteral: number[] = [];
    for (let cell = 0; cell < cellCount; cell++) {
        for (let code = 0; code < domainSizes[cell]; code++) {
            cellOfLiteral.push(cell);
        }
    }
    // Each cell has one more point than literals.
    const pointOfLiteral = (literal: number): number => literal + cellOfLiteral[literal] + 1;
    const generators = group.generators.map(generator => {
        const pairs: [number, number][] = [];
        const moved = new Set<number>();
        for (let i = 0; i < generator.points.length; i++) {
            invariant(generator.points[i] < cellOfLiteral.length, 'a symmetry moves literals of the cells');
            const point = pointOfLiteral(generator.points[i]);
            const image = pointOfLiteral(generator.images[i]);
            const [from, to] = [cellOfPoint[point], cellOfPoint[image]];
            invariant(domainSizes[from] === domainSizes[to], 'a symmetry maps a cell onto a cell of the same size');
            pairs.push([point, image]);
            if (from !== to && !moved.has(from)) {
                moved.add(from);
                pairs.push([firstPoint[from], firstPoint[to]]);
            }
        }
        const extended = sparsePermutation(pairs);
        for (let i = 0; i < extended.points.length; i++) {
            const from = cellOfPoint[extended.points[i]];
            const to = cellOfPoint[extended.images[i]];
            const noValueImage = imageOf(extended, firstPoint[from]);
            invariant(noValueImage === firstPoint[to], 'a symmetry maps all literals of a cell onto those of one cell');
        }
        return extended;
    });
    const cells = Int32Array.from({ length: cellCount }, (_, cell) => cell);
    return { cells, firstPoint, cellOfPoint, pointCount, generators, order: group.order };
}

/**
 * The finest split into parts with disjoint sets of cells such that each generator moves points of one part. The group
 * is the direct product of the parts. Cells with fixed points only are in no part.
 */
export function disjointFactors(action: LiteralAction): readonly LiteralAction[] {
    const generators = reduceSupports(action.generators);
    const cellOf = (point: number): number => action.cellOfPoint[point];
    const parts = disjointParts(generators, action.cells.length, cellOf).map(own => {
        const cells = new Set(own.flatMap(({ points }) => Array.from(points, cellOf)));
        return { own, cells: [...cells].sort((a, b) => a - b) };
    });
    if (parts.length === 1 && parts[0].cells.length === action.cells.length && generators === action.generators) {
        return [action];
    }
    return parts
        .sort((a, b) => a.cells[0] - b.cells[0])
        .map(({ own, cells }) => restrictAction(action, cells, own, parts.length === 1 ? action.order : undefined));
}

/** Nontrivial generators by parts that move different points; by parts with different cells if `cellOf` is given. */
export function disjointParts(
    generators: readonly SparsePermutation[],
    cellCount: number,
    cellOf = (point: number): number => point,
): readonly (readonly SparsePermutation[])[] {
    const sets = new UnionFind(cellCount);
    for (const { points } of generators) {
        for (const point of points) {
            sets.union(cellOf(points[0]), cellOf(point));
        }
    }
    const generatorsOfPart = new Map<number, SparsePermutation[]>();
    for (const generator of generators) {
        appendTo(generatorsOfPart, sets.find(cellOf(generator.points[0])), generator);
    }
    return [...generatorsOfPart.values()];
}

/** The action of generators that move only points of the listed cells, with these cells renumbered from 0. */
export function restrictAction(
    action: LiteralAction,
    cells: readonly number[],
    generators: readonly SparsePermutation[],
    order: bigint | undefined,
): LiteralAction {
    const firstPoint = new Int32Array(cells.length + 1);
    // A map, because a model may have hundreds of parts: the cost of each is linear in its own size.
    const shift = new Map<number, number>();
    for (let i = 0; i < cells.length; i++) {
        const size = action.firstPoint[cells[i] + 1] - action.firstPoint[cells[i]];
        firstPoint[i + 1] = firstPoint[i] + size;
        shift.set(cells[i], firstPoint[i] - action.firstPoint[cells[i]]);
    }
    const rename = (point: number): number => point + shift.get(action.cellOfPoint[point])!;
    return {
        cells: Int32Array.from(cells, cell => action.cells[cell]),
        firstPoint,
        cellOfPoint: cellsOfPoints(firstPoint),
        pointCount: firstPoint[cells.length],
        generators: generators.map(({ points, images }) =>
            sparsePermutation(Array.from(points, (point, i) => [rename(point), rename(images[i])])),
        ),
        order,
    };
}

/** By cell of a restricted action: its index in the action from which it was restricted. */
export function positionsIn(action: LiteralAction, restricted: LiteralAction): Int32Array {
    return restricted.cells.map(cell => positionInAscending(action.cells, cell));
}

/** Writes the image of `contents` under `p` into `target`. Both hold one content for each cell. */
export function imageOfContentsInto(
    target: Int32Array,
    action: LiteralAction,
    contents: Readonly<Int32Array>,
    p: SparsePermutation,
): void {
    const { firstPoint, cellOfPoint } = action;
    target.set(contents);
    for (let i = 0; i < p.points.length; i++) {
        const cell = cellOfPoint[p.points[i]];
        if (contents[cell] === p.points[i] - firstPoint[cell]) {
            const image = p.images[i];
            target[cellOfPoint[image]] = image - firstPoint[cellOfPoint[image]];
        }
    }
}

/** A permutation of the points of a restricted action as one of the original action. */
export function extendPermutation(
    action: LiteralAction,
    restricted: LiteralAction,
    positions: Int32Array,
    p: SparsePermutation,
): SparsePermutation {
    const outside = (point: number): number => {
        const cell = restricted.cellOfPoint[point];
        return action.firstPoint[positions[cell]] + point - restricted.firstPoint[cell];
    };
    return sparsePermutation(Array.from(p.points, (point, i) => [outside(point), outside(p.images[i])] as const));
}

/** `p` as a permutation of literals, without the points for no value. `action` is the action on all cells. */
export function toLiteralPermutation(action: LiteralAction, p: SparsePermutation): SparsePermutation {
    const literalOfPoint = (point: number): number => point - action.cellOfPoint[point] - 1;
    const pairs: [number, number][] = [];
    for (let i = 0; i < p.points.length; i++) {
        if (p.points[i] !== action.firstPoint[action.cellOfPoint[p.points[i]]]) {
            pairs.push([literalOfPoint(p.points[i]), literalOfPoint(p.images[i])]);
        }
    }
    return sparsePermutation(pairs);
}

/**
 * Generators of the same group, with smaller supports if possible: a generator that agrees with a smaller one on its
 * support is divided by it. A search may return a symmetry and its product with an independent one. The result is
 * `generators` if nothing changes.
 */
export function reduceSupports(generators: readonly SparsePermutation[]): readonly SparsePermutation[] {
    const reduced = generators.filter(generator => generator.points.length > 0);
    if (reduced.length > MOST_REDUCED) {
        return reduced;
    }
    for (let changed = true; changed;) {
        changed = false;
        for (let i = 0; i < reduced.length; i++) {
            for (let j = 0; j < reduced.length; j++) {
                const [large, small] = [reduced[i], reduced[j]];
                if (small.points.length < large.points.length && agreesOnSupport(large, small)) {
                    reduced[i] = composeSparse(large, inverseSparse(small));
                    changed = true;
                }
            }
        }
    }
    const isSame = reduced.length === generators.length && reduced.every((generator, i) => generator === generators[i]);
    return isSame ? generators : reduced;
}

/** Each pair of generators is compared. */
const MOST_REDUCED = 200;

function agreesOnSupport(large: SparsePermutation, small: SparsePermutation): boolean {
    return small.points.every((point, i) => imageOf(large, point) === small.images[i]);
}

function cellsOfPoints(firstPoint: Int32Array): Int32Array {
    const cellOfPoint = new Int32Array(firstPoint[firstPoint.length - 1]);
    for (let cell = 0; cell + 1 < firstPoint.length; cell++) {
        cellOfPoint.fill(cell, firstPoint[cell], firstPoint[cell + 1]);
    }
    return cellOfPoint;
}
