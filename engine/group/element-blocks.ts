/** Blocks of cells that a symmetric action permutes freely. */
import type { LiteralAction } from './literal-action.js';
import { imageOf, type SparsePermutation } from './sparse-permutation.js';
import { MAXIMAL_ARITY, type SymmetricAction } from './symmetric-action.js';

export interface ElementBlocks {
    /** `cells[block][i]` is the cell that corresponds to `cells[0][i]`. All blocks have the same number of cells. */
    readonly cells: readonly (readonly number[])[];
    /** `fromFirst[block]` maps the points of the first block's cells onto the points of the corresponding cells. */
    readonly fromFirst: readonly SparsePermutation[];
}

/** The blocks of each family, one block for each element; `undefined` if a cell depends on several elements. */
export function blocksOfElements(
    action: LiteralAction,
    symmetric: SymmetricAction,
): readonly ElementBlocks[] | undefined {
    const cellsOfElement: number[][] = Array.from({ length: symmetric.elementCount }, () => []);
    for (let cell = 0; cell < action.cells.length; cell++) {
        const first = action.firstPoint[cell];
        const owner = symmetric.kindOfPoint[first] < 0 ? -1 : symmetric.labels[first * MAXIMAL_ARITY];
        for (let point = first; point < action.firstPoint[cell + 1]; point++) {
            const kind = symmetric.kindOfPoint[point];
            if (owner < 0 ? kind >= 0 : symmetric.kinds[kind].arity !== 1) {
                return undefined;
            }
            if (owner >= 0 && symmetric.labels[point * MAXIMAL_ARITY] !== owner) {
                return undefined;
            }
        }
        if (owner >= 0) {
            cellsOfElement[owner].push(cell);
        }
    }
    const families: ElementBlocks[] = [];
    for (let f = 0; f + 1 < symmetric.firstElement.length; f++) {
        const fromFirst = symmetric.swap.slice(symmetric.firstElement[f], symmetric.firstElement[f + 1]);
        families.push(blocksFromFirst(action, cellsOfElement[symmetric.firstElement[f]], fromFirst));
    }
    return families;
}

/** The blocks that are the images of `firstCells`. */
export function blocksFromFirst(
    action: LiteralAction,
    firstCells: readonly number[],
    fromFirst: readonly SparsePermutation[],
): ElementBlocks {
    const cells = fromFirst.map(element =>
        firstCells.map(cell => action.cellOfPoint[imageOf(element, action.firstPoint[cell])]),
    );
    return { cells, fromFirst };
}
