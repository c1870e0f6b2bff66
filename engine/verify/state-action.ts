/**
 * What a permutation of literals does to states. Written from the definition and for states that no run reaches too:
 * a wrong permutation leads there.
 */
import type { SparsePermutation } from '../group/sparse-permutation.js';
import type { LiteralPoints } from '../symmetry/model-symmetry.js';

export type StateAction =
    | { readonly kind: 'action'; readonly imageOf: (state: Int32Array) => Int32Array }
    /** It takes the literals of this cell to literals of several cells. */
    | { readonly kind: 'split'; readonly cell: number };

/** The action of `permutation`. "No value" and values that have no literal move with their cell. */
export function createStateAction(points: LiteralPoints, permutation: SparsePermutation): StateAction {
    const imageOfPoint = new Map(Array.from(permutation.points, (point, i) => [point, permutation.images[i]]));
    /** By literal: the cell it belongs to, and its code there. */
    const cellOf: number[] = [];
    const codeOf: number[] = [];
    points.codes.forEach((codes, cell) => {
        codes.forEach(code => {
            cellOf.push(cell);
            codeOf.push(code);
        });
    });
    const targetCell = points.codes.map((_, cell) => cell);
    /** For each cell, the code in the target of each of its codes. */
    const targetCodes: ReadonlyMap<number, number>[] = [];
    for (let cell = 0; cell < points.codes.length; cell++) {
        const images = points.codes[cell].map((_, i) => {
            const point = points.firstPoint[cell] + i;
            return imageOfPoint.get(point) ?? point;
        });
        const targets = new Set(images.map(image => cellOf[image]));
        if (targets.size > 1) {
            return { kind: 'split', cell };
        }
        for (const target of targets) {
            targetCell[cell] = target;
        }
        targetCodes.push(new Map(points.codes[cell].map((code, i) => [code, codeOf[images[i]]])));
    }
    // No two cells have one target: the largest cells fill the largest, these are then taken, and so on downwards.
    return {
        kind: 'action',
        imageOf: state => {
            const image = new Int32Array(state.length);
            for (let cell = 0; cell < state.length; cell++) {
                image[targetCell[cell]] = targetCodes[cell].get(state[cell]) ?? state[cell];
            }
            return image;
        },
    };
}
