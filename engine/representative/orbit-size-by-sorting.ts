/**
 * Orbits where whole blocks of cells are permuted freely: what is in the blocks, in any order.
 *
 * Each block is read as the first one of its family, row by row. A state has as many images as there are arrangements of
 * its rows, which is the multinomial coefficient of how often each row occurs, and the arrangement with the rows in their
 * order stands for all of them.
 */
import type { LiteralAction } from '../group/literal-action.js';
import type { OrbitOfState } from './orbit-size.js';
import { factorial } from '../group/permutation.js';
import type { BlockFamily } from './representative-by-sorting.js';
import { imageOf } from '../group/sparse-permutation.js';

/** A row and how often it occurs. */
interface Row {
    readonly contents: readonly number[];
    count: number;
}

/** The families have disjoint sets of cells, and the group permutes nothing else. O(cells · log cells) for a state. */
export function orbitsBySorting(
    action: LiteralAction,
    families: readonly BlockFamily[],
): (contents: Readonly<Int32Array>) => OrbitOfState {
    const framed = families.map(family => framesOf(action, family));
    return contents => {
        const canonical = contents.slice();
        let size = 1n;
        for (const blocks of framed) {
            const rows = blocks.map(cells => cells.map(({ cell, toFrame }) => toFrame[contents[cell]]));
            const rowOfKey = new Map<string, Row>();
            for (const row of rows) {
                const key = row.join();
                const known = rowOfKey.get(key) ?? { contents: row, count: 0 };
                known.count++;
                rowOfKey.set(key, known);
            }
            const distinct = [...rowOfKey.values()].sort((a, b) => compareRows(a.contents, b.contents));
            size *= factorial(rows.length);
            let block = 0;
            for (const { contents: row, count } of distinct) {
                size /= factorial(count);
                for (let copy = 0; copy < count; copy++, block++) {
                    blocks[block].forEach(({ cell, fromFrame }, i) => (canonical[cell] = fromFrame[row[i]]));
                }
            }
        }
        return { size, canonical };
    };
}

/** A cell of a block: what its contents are as those of the corresponding cell of the first block, and back. */
interface FramedCell {
    readonly cell: number;
    readonly toFrame: Int32Array;
    readonly fromFrame: Int32Array;
}

function framesOf({ firstPoint }: LiteralAction, { cells, fromFirst }: BlockFamily): FramedCell[][] {
    return cells.map((own, block) =>
        own.map((cell, i): FramedCell => {
            const first = firstPoint[cells[0][i]];
            const size = firstPoint[cell + 1] - firstPoint[cell];
            const toFrame = new Int32Array(size);
            const fromFrame = new Int32Array(size);
            for (let content = 0; content < size; content++) {
                const image = imageOf(fromFirst[block], first + content) - firstPoint[cell];
                fromFrame[content] = image;
                toFrame[image] = content;
            }
            return { cell, toFrame, fromFrame };
        }),
    );
}

function compareRows(first: readonly number[], second: readonly number[]): number {
    const index = first.findIndex((content, i) => content !== second[i]);
    return index < 0 ? 0 : first[index] - second[index];
}
