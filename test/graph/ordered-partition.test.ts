import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InvariantViolation } from '../../engine/common/assert.js';
import { OrderedPartition } from '../../engine/graph/ordered-partition.js';
import { rearrangements } from '../arbitrary/graphs.js';
import { emptyGraph, graphOf, range } from './graph-families.js';

const SIZE = 12;

/** The cells as sorted lists, in the order of their positions. */
function cellsOf(partition: OrderedPartition): number[][] {
    const cells: number[][] = [];
    for (let start = 0; start < partition.vertexCount; start += partition.cellLength[start] ?? 1) {
        const end = start + (partition.cellLength[start] ?? 1);
        cells.push([...partition.elements.subarray(start, end)].sort((a, b) => a - b));
    }
    return cells;
}

/** Cuts the cell at the given position in two, after arranging it in the order of `order`. */
function cut(partition: OrderedPartition, start: number, order: readonly number[]): void {
    const cell = partition.cellOf[partition.elements[start] ?? 0] ?? 0;
    if (cell < start) {
        order.filter(vertex => partition.cellOf[vertex] === cell).forEach(vertex => partition.moveToEnd(vertex));
        partition.split(cell, start);
    }
}

test('colors become cells in their order', () => {
    const partition = new OrderedPartition(graphOf(4, [], ['b', 'a', 'b', 'a']));
    expect(cellsOf(partition)).toEqual([
        [1, 3],
        [0, 2],
    ]);
    expect(partition.cellCount).toBe(2);
});

test('a color without a vertex is refused', () => {
    expect(() => new OrderedPartition({ ...emptyGraph(2), colorCount: 2 })).toThrow(InvariantViolation);
});

test('undoing splits restores the cells, and positions stay the inverse of elements', () => {
    const cuts = fc.array(fc.tuple(fc.nat({ max: SIZE - 1 }), rearrangements(SIZE)), { maxLength: 15 });
    fc.assert(
        fc.property(cuts, fc.nat({ max: SIZE }), (cuts, kept) => {
            const partition = new OrderedPartition(emptyGraph(SIZE));
            const history = [cellsOf(partition)];
            for (const [start, order] of cuts) {
                const before = partition.splitCount;
                cut(partition, start, order);
                if (partition.splitCount > before) {
                    history.push(cellsOf(partition));
                }
            }
            const target = Math.min(kept, partition.splitCount);
            partition.undoTo(target);
            expect(cellsOf(partition)).toEqual(history[target]);
            expect(partition.cellCount).toBe(target + 1);
            expect(range(SIZE).every(v => partition.elements[partition.position[v] ?? -1] === v)).toBe(true);
        }),
    );
});

test('watching a path counts the cells that differ from those of the path, whatever is split and undone, up to a number of splits', () => {
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: SIZE - 1 }), { minLength: 1, maxLength: SIZE - 1 });
    const orders = fc.array(rearrangements(SIZE), { minLength: 2 * SIZE, maxLength: 2 * SIZE });
    fc.assert(
        fc.property(cuts, orders, fc.nat({ max: SIZE }), (cuts, orders, watchedSplits) => {
            // The watched path: cuts in one arrangement, then down to a leaf.
            const watched = new OrderedPartition(emptyGraph(SIZE));
            const history = [cellsOf(watched)];
            cuts.forEach((start, i) => {
                cut(watched, start, orders[i] ?? []);
                history.push(cellsOf(watched));
            });
            const leaf = { elements: watched.elements.slice(), position: watched.position.slice() };

            // The same cuts in other arrangements.
            const partition = new OrderedPartition(emptyGraph(SIZE));
            partition.watch(leaf, watchedSplits);
            const check = (): void => {
                if (partition.splitCount > watchedSplits) {
                    return;
                }
                const there = history[partition.splitCount] ?? [];
                const different = cellsOf(partition).filter(
                    (cell, i) => cell.length > 1 && cell.join() !== there[i]?.join(),
                );
                const strangers = cellsOf(partition).map((cell, i) =>
                    cell.length > 1 ? cell.filter(vertex => !there[i]?.includes(vertex)).length : 0,
                );
                expect(partition.differentCells).toBe(different.length);
                expect(partition.differentVertices).toBe(strangers.reduce((sum, count) => sum + count, 0));
            };
            cuts.forEach((start, i) => {
                cut(partition, start, orders[SIZE + i] ?? []);
                check();
            });
            while (partition.splitCount > 0) {
                partition.undoTo(partition.splitCount - 1);
                check();
            }
            partition.unwatch();
        }),
        { numRuns: 300 },
    );
});
