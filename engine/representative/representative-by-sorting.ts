/**
 * Representatives if whole blocks of cells may be permuted freely: sort the blocks.
 *
 * A fixed correspondence of cells and contents, its *frame*, leads from each block of a family to the first one. The blocks
 * are read in the frame, these rows are sorted and written back. If the group also acts inside each block on its own (a
 * wreath product), each row is first replaced by its own representative.
 */
import {
    composeSparse,
    imageOf,
    inverseSparse,
    SPARSE_IDENTITY,
    sparsePermutation,
    type SparsePermutation,
} from '../group/sparse-permutation.js';
import type { LiteralAction } from '../group/literal-action.js';
import type { FactorCanonicalizer, WorkMeter } from './strategy.js';
import { joinPlans, renamePlan, type PlanPart, type RepresentativePlan } from './representative-plan.js';
import type { ElementBlocks } from '../group/element-blocks.js';

/** Blocks that may be permuted freely, with what the group does inside each of them. */
export interface BlockFamily extends ElementBlocks {
    /** What the group does inside the first block, on contents in the order of `cells[0]`; every block has its copy. */
    readonly inner?: InnerGroup;
}

interface InnerGroup {
    readonly action: LiteralAction;
    readonly canonicalizer: FactorCanonicalizer;
}

/** One family, prepared: everything by numbers. */
export interface PreparedFamily {
    readonly family: BlockFamily;
    readonly blockCount: number;
    readonly width: number;
    /** `cellAt[block * width + i]`. */
    readonly cellAt: Int32Array;
    /** `toFrame[frameOffset[block * width + i] + content]` is the content as it reads in the frame. */
    readonly toFrame: Int32Array;
    readonly fromFrame: Int32Array;
    readonly frameOffset: Int32Array;
    /** `rows[block * width + i]`: the block's contents in the frame. */
    readonly rows: Int32Array;
    /** `order[i]` is the block that comes to stand at the place of block i. */
    readonly order: Int32Array;
    readonly row: Int32Array;
    readonly innerRow: Int32Array;
}

/** The families have disjoint sets of cells, and the group permutes nothing else. */
export function createSortingCanonicalizer(
    action: LiteralAction,
    families: readonly BlockFamily[],
    meter: WorkMeter,
): FactorCanonicalizer {
    const prepared = families.map(family => prepareFamily(action, family));
    return {
        strategy: 'sort',
        unique: families.every(family => family.inner?.canonicalizer.unique ?? true),
        canonicalizeInto(target, contents): boolean {
            target.set(contents);
            meter.steps += 3 * contents.length;
            for (let f = 0; f < prepared.length; f++) {
                if (!sortFamily(target, contents, prepared[f])) {
                    target.set(contents);
                    return false;
                }
            }
            return true;
        },
        transformation(contents): SparsePermutation | undefined {
            const pairs: (readonly [number, number])[] = [];
            const target = contents.slice();
            for (const family of prepared) {
                if (!sortFamily(target, contents, family)) {
                    return undefined;
                }
                pairs.push(...familyTransformation(action, contents, family));
            }
            return sparsePermutation(pairs);
        },
        plan: () => joinPlans(prepared.map(family => planOf(action, family))),
    };
}

/** First the inner group in each block, then sorting; `undefined` if the inner plan does not carry over to all blocks. */
function planOf(action: LiteralAction, family: PreparedFamily): RepresentativePlan | undefined {
    const { blockCount, width, cellAt, fromFrame, frameOffset } = family;
    const size = (cell: number): number => action.firstPoint[cell + 1] - action.firstPoint[cell];
    const columns = Array.from({ length: width }, (_, i) =>
        Array.from({ length: blockCount }, (__, block) => {
            const at = block * width + i;
            const first = Int32Array.from({ length: size(cellAt[at]) }, (___, content) => content);
            return { cell: cellAt[at], first, own: first.map(content => fromFrame[frameOffset[at] + content]) };
        }),
    );
    const sort: PlanPart = { kind: 'sort', blockCount, columns };
    const { inner } = family.family;
    if (inner === undefined) {
        return [sort];
    }
    const plan = inner.canonicalizer.plan();
    // An inner plan may compare cells in their order, and their contents.
    const isAsFirst = columns.every(column => column.every(({ own }) => own.every((content, i) => content === i)));
    const isInOrder = cellAt.every((cell, at) => at % width === 0 || cellAt[at - 1] < cell);
    if (plan === undefined || !isAsFirst || !isInOrder) {
        return undefined;
    }
    const inBlocks = Array.from({ length: blockCount }, (_, block) =>
        renamePlan(plan, { cell: cell => cellAt[block * width + cell], held: (__, content) => content }),
    );
    return [...inBlocks.flat(), sort];
}

export function prepareFamily(action: LiteralAction, family: BlockFamily): PreparedFamily {
    const blockCount = family.cells.length;
    const width = family.cells[0].length;
    const frameOffset = new Int32Array(blockCount * width);
    const toFrame: number[] = [];
    const fromFrame: number[] = [];
    family.cells.forEach((cells, block) => {
        const element = family.fromFirst[block];
        cells.forEach((cell, i) => {
            const offset = toFrame.length;
            frameOffset[block * width + i] = offset;
            const firstCell = family.cells[0][i];
            for (let point = action.firstPoint[firstCell]; point < action.firstPoint[firstCell + 1]; point++) {
                const inFrame = point - action.firstPoint[firstCell];
                const inBlock = imageOf(element, point) - action.firstPoint[cell];
                fromFrame[offset + inFrame] = inBlock;
                toFrame[offset + inBlock] = inFrame;
            }
        });
    });
    return {
        family,
        blockCount,
        width,
        cellAt: Int32Array.from(family.cells.flat()),
        toFrame: Int32Array.from(toFrame),
        fromFrame: Int32Array.from(fromFrame),
        frameOffset,
        rows: new Int32Array(blockCount * width),
        order: new Int32Array(blockCount),
        row: new Int32Array(width),
        innerRow: new Int32Array(width),
    };
}

/** Writes the sorted blocks of `contents` into `target`. Allocates nothing for up to some dozen blocks. */
export function sortFamily(target: Int32Array, contents: Readonly<Int32Array>, family: PreparedFamily): boolean {
    const { blockCount, width, cellAt, toFrame, fromFrame, frameOffset, rows, order } = family;
    for (let i = 0; i < rows.length; i++) {
        rows[i] = toFrame[frameOffset[i] + contents[cellAt[i]]];
    }
    if (family.family.inner !== undefined && !canonicalizeRows(family, family.family.inner.canonicalizer)) {
        return false;
    }
    for (let block = 0; block < blockCount; block++) {
        order[block] = block;
    }
    sortRows(order, rows, width);
    for (let block = 0; block < blockCount; block++) {
        const from = order[block] * width;
        const to = block * width;
        for (let i = 0; i < width; i++) {
            target[cellAt[to + i]] = fromFrame[frameOffset[to + i] + rows[from + i]];
        }
    }
    return true;
}

function canonicalizeRows(family: PreparedFamily, canonicalizer: FactorCanonicalizer): boolean {
    const { blockCount, width, rows, row, innerRow } = family;
    for (let block = 0; block < blockCount; block++) {
        for (let i = 0; i < width; i++) {
            row[i] = rows[block * width + i];
        }
        if (!canonicalizer.canonicalizeInto(innerRow, row)) {
            return false;
        }
        rows.set(innerRow, block * width);
    }
    return true;
}

function sortRows(order: Int32Array, rows: Int32Array, width: number): void {
    if (order.length > 32) {
        order.sort((a, b) => compareRows(rows, width, a, b) || a - b);
        return;
    }
    for (let i = 1; i < order.length; i++) {
        const block = order[i];
        let j = i - 1;
        while (j >= 0 && compareRows(rows, width, order[j], block) > 0) {
            order[j + 1] = order[j];
            j--;
        }
        order[j + 1] = block;
    }
}

export function compareRows(rows: Int32Array, width: number, a: number, b: number): number {
    for (let i = 0, x = a * width, y = b * width; i < width; i++, x++, y++) {
        if (rows[x] !== rows[y]) {
            return rows[x] - rows[y];
        }
    }
    return 0;
}

/** The images of the points of the blocks: into the frame, through the inner group, to the block's new place. */
function familyTransformation(
    action: LiteralAction,
    contents: Readonly<Int32Array>,
    family: PreparedFamily,
): [number, number][] {
    const { order, width, cellAt, frameOffset, toFrame, row, family: blocks } = family;
    const pairs: [number, number][] = [];
    for (let place = 0; place < order.length; place++) {
        const block = order[place];
        const toFirst = inverseSparse(blocks.fromFirst[block]);
        const element = composeSparse(composeSparse(toFirst, innerTransformation(block)), blocks.fromFirst[place]);
        for (let i = 0; i < width; i++) {
            const cell = blocks.cells[block][i];
            for (let point = action.firstPoint[cell]; point < action.firstPoint[cell + 1]; point++) {
                pairs.push([point, imageOf(element, point)]);
            }
        }
    }
    return pairs;

    /** The inner group's element for the block, as a permutation of the first block's points. */
    function innerTransformation(block: number): SparsePermutation {
        const { inner, cells } = blocks;
        if (inner === undefined) {
            return SPARSE_IDENTITY;
        }
        for (let i = 0; i < width; i++) {
            const at = block * width + i;
            row[i] = toFrame[frameOffset[at] + contents[cellAt[at]]];
        }
        const own = inner.canonicalizer.transformation(row)!;
        const outside = (point: number): number => {
            const cell = inner.action.cellOfPoint[point];
            return action.firstPoint[cells[0][cell]] + point - inner.action.firstPoint[cell];
        };
        return sparsePermutation(Array.from(own.points, (point, i) => [outside(point), outside(own.images[i])]));
    }
}
