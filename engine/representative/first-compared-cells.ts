/**
 * The cells that listing compares first: a few of which the images under all elements are had from a small table.
 *
 * Cells that stay in place while their values move, such as the index of a process, tell at once which elements make them
 * least. Where there are none, we take a cell and others that move along with it, the state of one process of a ring: what
 * they hold in an image is what such cells elsewhere have held, and these are as few as the images of the first cell. They
 * are never all there is of their kind: then all elements would bring the same cells, and each has to be compared.
 */
import type { LiteralAction } from '../group/literal-action.js';
import type { Permutation } from '../group/permutation.js';
import { imageOf } from '../group/sparse-permutation.js';

/** Bits that the leading cells have together, at most, unless the first ones alone have more: a table of 4 KiB. */
const MOST_BITS = 10;

/** The cells that are compared first. */
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
    return { cells: withinLimit([[first], ...others], staysInPlace), areFixed: false };

    /** Whether no generator moves one of the cells elsewhere. */
    function staysInPlace(cells: readonly number[]): boolean {
        return action.generators.every(generator =>
            cells.every(cell => cells.includes(action.cellOfPoint[imageOf(generator, action.firstPoint[cell])])),
        );
    }

    function withinLimit(
        parts: readonly (readonly number[])[],
        isRefused: (cells: readonly number[]) => boolean = () => false,
    ): number[] {
        const cells = [...parts[0]];
        let bits = bitsOf(cells[0]);
        for (const part of parts.slice(1)) {
            const together = part.reduce((sum, cell) => sum + bitsOf(cell), bits);
            if (together <= MOST_BITS && !isRefused([...cells, ...part])) {
                bits = together;
                cells.push(...part);
            }
        }
        return cells;
    }

    /** The bits of its values if it always has one. */
    function bitsOf(cell: number): number {
        return Math.ceil(Math.log2(Math.max(1, size(cell) - 1)));
    }
}

/** Whether no generator moves the cell, whatever it does to its values. */
function isFixed({ firstPoint, cellOfPoint, generators }: LiteralAction, cell: number): boolean {
    return generators.every(({ points }) =>
        points.every(point => cellOfPoint[point] !== cell || point !== firstPoint[cell]),
    );
}
