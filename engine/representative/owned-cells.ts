/**
 * The action of a product of symmetric groups, said cell by cell: who owns a cell, and what of what it holds names an
 * element. `next[2] = 1` is in a cell that 2 owns and names 1; `turn = 1` is in a cell that nobody owns.
 *
 * The image of a state under a permutation of the elements then is: each cell holds what the cell of the owners' preimages
 * has held, with the named elements replaced by their images. That this is the action is not derived but checked, for
 * generators on all points.
 *
 * A value that cannot occur is no content of a cell, so the contents of two cells of a column may be numbered in different
 * ways: where nobody waits for itself, the first content of `next[1]` that names an element names 2.
 */
import { invariant } from '../common/assert.js';
import type { LiteralAction } from '../group/literal-action.js';
import type { OwnedCell } from './representative-plan.js';
import { imageOf } from '../group/sparse-permutation.js';
import { MAXIMAL_ARITY, type SymmetricAction } from '../group/symmetric-action.js';

/** Owners that a cell may have. */
const MOST_OWNERS = 2;

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
    const columnOfKind = new Map<number, number>();
    let columns = 0;
    const result: OwnedCell[] = [];
    for (let cell = 0; cell < cells.length; cell++) {
        const owners = labelsOf(firstPoint[cell]);
        const kind = kindOfPoint[firstPoint[cell]];
        if (owners.length > MOST_OWNERS || (kind >= 0 && kinds[kind].labeling === 'ambiguous')) {
            return undefined;
        }
        const column = columnOfKind.get(kind) ?? columns++;
        if (kind >= 0) {
            columnOfKind.set(kind, column);
        }
        const plain: number[] = [];
        const naming: number[] = [];
        const named: number[] = [];
        for (let content = 0; content < firstPoint[cell + 1] - firstPoint[cell]; content++) {
            const others = labelsOf(firstPoint[cell] + content).filter(label => !owners.includes(label));
            if (others.length > 1) {
                return undefined;
            }
            if (others.length === 0) {
                plain.push(content);
            } else {
                naming.push(content);
                named.push(others[0]);
            }
        }
        // What becomes of each other has the same kind; what stays where it is, in a cell that nobody owns, has none.
        const kindOf = (content: number): number => kindOfPoint[firstPoint[cell] + content];
        plain.sort((a, b) => kindOf(a) - kindOf(b) || a - b);
        result.push({
            cell,
            owners,
            column,
            plain: Int32Array.from(plain),
            naming: Int32Array.from(naming),
            named: Int32Array.from(named),
        });
    }
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

/** Whether every swap does to every point what is said of it. `cells` has all of the action, in their order. */
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
            const target = cells[cellOf(column, images)];
            const goesTo = (content: number, image: number): boolean =>
                imageOf(swap, firstPoint[cell] + content) === firstPoint[target.cell] + image;
            return (
                plain.every((content, i) => goesTo(content, target.plain[i])) &&
                naming.every((content, i) => {
                    const position = target.named.indexOf(swapped(named[i]));
                    return position >= 0 && goesTo(content, target.naming[position]);
                })
            );
        });
    });
}
