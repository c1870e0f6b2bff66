/**
 * Local search: apply generators while one makes the state smaller. What comes out lies in the orbit, so a search that
 * uses it stays sound, but states of one orbit may end in different places, as where the budget for one state ends it.
 */
import { imageOfContentsInto, type LiteralAction } from '../group/literal-action.js';
import type { FactorCanonicalizer, SearchEffort } from './strategy.js';
import { composeSparse, inverseSparse, SPARSE_IDENTITY, type SparsePermutation } from '../group/sparse-permutation.js';

/** Works for every group. */
export function createLocalSearch(action: LiteralAction, { meter, workPerState }: SearchEffort): FactorCanonicalizer {
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
        let work = 0;
        for (let since = 0, next = 0; since < moves.length && work < workPerState; next = (next + 1) % moves.length) {
            work += current.length + moves[next].points.length;
            imageOfContentsInto(image, action, current, moves[next]);
            if (compareContents(image, current) < 0) {
                current.set(image);
                onMove(moves[next]);
                since = 0;
            } else {
                since++;
            }
        }
        meter.steps += work;
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
