/**
 * Local search: apply generators while one makes the state smaller. What comes out lies in the orbit, so a search that
 * uses it stays sound, but states of one orbit may end in different places.
 */
import { imageOfContentsInto, type LiteralAction } from '../group/literal-action.js';
import type { FactorCanonicalizer, WorkMeter } from './strategy.js';
import { composeSparse, inverseSparse, SPARSE_IDENTITY, type SparsePermutation } from '../group/sparse-permutation.js';

/** Works for every group. O(rounds · generators · points moved) for each state. */
export function createLocalSearch(action: LiteralAction, meter: WorkMeter): FactorCanonicalizer {
    const moves = [...action.generators, ...action.generators.map(inverseSparse)];
    const current = new Int32Array(action.cells.length);
    const image = new Int32Array(action.cells.length);
    return {
        strategy: 'local',
        unique: false,
        canonicalizeInto(target, contents): boolean {
            descend(contents, () => undefined);
            target.set(current);
            return true;
        },
        transformation(contents): SparsePermutation {
            let product = SPARSE_IDENTITY;
            descend(contents, move => {
                product = composeSparse(product, move);
            });
            return product;
        },
        plan: () => undefined,
    };

    function descend(contents: Readonly<Int32Array>, onMove: (move: SparsePermutation) => void): void {
        current.set(contents);
        for (let sinceLastMove = 0, next = 0; sinceLastMove < moves.length; next = (next + 1) % moves.length) {
            meter.steps += current.length + moves[next].points.length;
            imageOfContentsInto(image, action, current, moves[next]);
            if (compareContents(image, current) < 0) {
                current.set(image);
                onMove(moves[next]);
                sinceLastMove = 0;
            } else {
                sinceLastMove++;
            }
        }
    }
}

/** Negative, zero or positive as `a` is smaller than, equal to or larger than `b`, cell by cell from the first on. */
export function compareContents(a: Readonly<Int32Array>, b: Readonly<Int32Array>): number {
    for (let cell = 0; cell < a.length; cell++) {
        if (a[cell] !== b[cell]) {
            return a[cell] - b[cell];
        }
    }
    return 0;
}
