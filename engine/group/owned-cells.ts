/**
 * The action of a product of symmetric groups, said cell by cell: who owns a cell, and what of what it holds names an
 * element. `next[2] = 1` is in a cell that 2 owns and names 1; `turn = 1` is in a cell that nobody owns.
 *
 * The image of a state under a permutation of the elements then is: each cell holds what the cell of the owners' preimages
 * has held, with the named elements replaced by their images. That this is the action is not derived but checked, for
 * generators on all points.
 */
import { invariant } from '../common/assert.js';
import type { LiteralAction } from './literal-action.js';
import type { OwnedCell } from './representative-plan.js';
import { imageOf } from './sparse-permutation.js';
import { MAXIMAL_ARITY, type SymmetricAction } from './symmetric-action.js';

/** Owners that a cell may have. */
const MOST_OWNERS = 2;

/** A column of cells while it is looked at: all have an image of each other. */
interface Column {
    readonly cells: number[];
    /** `named[content]`: the element that a content names, in whichever cell of the column; -1 for none. */
    readonly named: Int32Array;
}

/** `undefined` where the action cannot be said this way. */
export function ownedCells(action: LiteralAction, symmetric: SymmetricAction): readonly OwnedCell[] | undefined {
    const { firstPoint, cells } = action;
    const { kinds, kindOfPoint, labels } = symmetric;
    const labelsOf = (point: number): number[] =>
        kindOfPoint[point] < 0
            ? []
            : Array.from(
                  labels.subarray(point * MAXIMAL_ARITY, point * MAXIMAL_ARITY + kinds[kindOfPoint[point]].arity),
              );
    const owners = Array.from(cells, (_, cell) => labelsOf(firstPoint[cell]));
    const columnOfKind = new Map<number, Column>();
    const columnOfCell: Column[] = [];
    for (let cell = 0; cell < cells.length; cell++) {
        const kind = kindOfPoint[firstPoint[cell]];
        if (owners[cell].length > MOST_OWNERS || (kind >= 0 && kinds[kind].labeling === 'ambiguous')) {
            return undefined;
        }
        const size = firstPoint[cell + 1] - firstPoint[cell];
        const column = (kind < 0 ? undefined : columnOfKind.get(kind)) ?? {
            cells: [],
            named: new Int32Array(size).fill(-1),
        };
        column.cells.push(cell);
        columnOfCell.push(column);
        if (kind >= 0) {
            columnOfKind.set(kind, column);
        }
    }
    for (const { cells: inColumn, named } of new Set(columnOfCell)) {
        for (const cell of inColumn) {
            for (let content = 1; content < named.length; content++) {
                const others = labelsOf(firstPoint[cell] + content).filter(label => !owners[cell].includes(label));
                if (others.length > 1 || (others.length === 1 && ![-1, others[0]].includes(named[content]))) {
                    return undefined;
                }
                if (others.length === 1) {
                    named[content] = others[0];
                }
            }
        }
    }
    const columns = [...new Set(columnOfCell)];
    const result = Array.from(cells, (_, cell): OwnedCell => {
        const column = columnOfCell[cell];
        const contents = Int32Array.from(column.named.keys());
        const naming = contents.filter(content => column.named[content] >= 0);
        return {
            cell,
            owners: owners[cell],
            column: columns.indexOf(column),
            plain: contents.filter(content => column.named[content] < 0),
            naming,
            named: naming.map(content => column.named[content]),
        };
    });
    return isAction(action, symmetric, result) ? result : undefined;
}

/** The cell of a column with these owners, in either order. */
export function cellOfOwners(cells: readonly OwnedCell[]): (column: number, owners: readonly number[]) => number {
    const key = (column: number, owners: readonly number[]): string => `${String(column)}:${owners.join()}`;
    const found = new Map<string, number>();
    for (const { cell, column, owners } of cells) {
        found.set(key(column, owners), cell);
    }
    return (column, owners) => {
        const cell = found.get(key(column, owners)) ?? found.get(key(column, [...owners].reverse()));
        invariant(cell !== undefined, 'a column has a cell for all owners that its cells are moved to');
        return cell;
    };
}

/** Whether every swap does to every point what is said of it. */
function isAction(action: LiteralAction, symmetric: SymmetricAction, cells: readonly OwnedCell[]): boolean {
    const { firstPoint } = action;
    const has = new Set(cells.map(({ column, owners }) => `${String(column)}:${owners.join()}`));
    const isThere = (column: number, owners: readonly number[]): boolean =>
        has.has(`${String(column)}:${owners.join()}`) || has.has(`${String(column)}:${[...owners].reverse().join()}`);
    const cellOf = cellOfOwners(cells);
    return symmetric.swap.every((swap, element) => {
        const center = symmetric.firstElement[symmetric.familyOfElement[element]];
        const swapped = (label: number): number => (label === element ? center : label === center ? element : label);
        return cells.every(({ cell, owners, column, plain, naming, named }) => {
            const images = owners.map(swapped);
            if (!isThere(column, images)) {
                return false;
            }
            const target = cellOf(column, images);
            const goesTo = (content: number, image: number): boolean =>
                imageOf(swap, firstPoint[cell] + content) === firstPoint[target] + image;
            return (
                plain.every(content => goesTo(content, content)) &&
                naming.every((content, i) => {
                    const position = named.indexOf(swapped(named[i]));
                    return position >= 0 && goesTo(content, naming[position]);
                })
            );
        });
    });
}
