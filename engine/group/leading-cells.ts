/**
 * The cells that listing compares first: a few of which the images under all elements are had from a small table.
 *
 * Cells that stay in place while their values move, such as the index of a process, tell at once which elements make them
 * least. Where there are none, we take a cell and others that move along with it, the state of one process of a ring: what
 * they hold in an image is what such cells elsewhere have held, and these are as few as the images of the first cell.
 */
import type { LiteralAction } from './literal-action.js';
import type { Permutation } from './permutation.js';

/** Contents that the leading cells have together, at most, unless one alone has more. */
const MOST_CONTENTS = 256;

export interface LeadingCells {
    /** In the order in which they are compared. */
    readonly cells: readonly number[];
    /** Whether every element leaves each of them in its place. */
    readonly areFixed: boolean;
}

/** `elements` are all elements of the group. */
export function leadingCells(action: LiteralAction, elements: readonly Permutation[]): LeadingCells {
    const size = (cell: number): number => action.firstPoint[cell + 1] - action.firstPoint[cell];
    const imagesUnder = (group: readonly Permutation[], cell: number): number[] => {
        const isImage = new Uint8Array(action.cells.length);
        for (const element of group) {
            isImage[action.cellOfPoint[element[action.firstPoint[cell]]]] = 1;
        }
        return all.filter(each => isImage[each] === 1);
    };
    const all = [...action.cells.keys()];
    const fixed = all.filter(cell => isFixed(action, cell)).sort((a, b) => size(b) - size(a) || a - b);
    if (fixed.length > 0) {
        return { cells: withinLimit(fixed.map(cell => [cell])), areFixed: true };
    }
    const counts = all.map(cell => imagesUnder(elements, cell).length);
    const first = all.reduce((best, cell) => (counts[cell] < counts[best] ? cell : best));
    const stabilizer = elements.filter(element => action.cellOfPoint[element[action.firstPoint[first]]] === first);
    // What the stabilizer moves among itself comes as a whole, so that it moves as a whole under all elements.
    const orbits: number[][] = [];
    const isInOrbit = new Uint8Array(all.length);
    for (const cell of all) {
        if (isInOrbit[cell] === 0) {
            const orbit = imagesUnder(stabilizer, cell);
            orbit.forEach(each => (isInOrbit[each] = 1));
            orbits.push(orbit);
        }
    }
    const others = orbits.filter(([cell]) => cell !== first).sort((a, b) => a.length - b.length || a[0] - b[0]);
    return { cells: withinLimit([[first], ...others]), areFixed: false };

    function withinLimit(parts: readonly (readonly number[])[]): number[] {
        const cells = [...parts[0]];
        let contents = size(cells[0]);
        for (const part of parts.slice(1)) {
            const together = part.reduce((product, cell) => product * size(cell), contents);
            if (together <= MOST_CONTENTS) {
                contents = together;
                cells.push(...part);
            }
        }
        return cells;
    }
}

/** Whether no generator moves the cell, whatever it does to its values. */
function isFixed({ firstPoint, cellOfPoint, generators }: LiteralAction, cell: number): boolean {
    return generators.every(({ points }) =>
        points.every(point => cellOfPoint[point] !== cell || point !== firstPoint[cell]),
    );
}
