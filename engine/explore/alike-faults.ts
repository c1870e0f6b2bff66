/**
 * Faults of steps at other places of the text that symmetries make of one in a state. The state's images are visited as
 * long as they show a fault of another summand, or at another place, so a ring is gone around.
 */
import { keyOfRange, type SourceRange } from '../common/source-range.js';
import { composeSparse, SPARSE_IDENTITY, type SparsePermutation } from '../group/sparse-permutation.js';
import type { StateCanonicalizer } from './state-canonicalizer.js';
import type { Successors } from './successors.js';
import type { FinalFault } from './verdict.js';

/** The place of a fault, and a symmetry that takes the state to one with it. */
export interface AlikeFault {
    readonly range: SourceRange;
    readonly movement: SparsePermutation;
}

/** Images that are tried; more are the same places for other members of large families. */
const MOST_IMAGES = 2000;

/** `generators`: of a group that maps runs to runs. The place of `fault` comes first. */
export function alikeFaults(
    state: Readonly<Int32Array>,
    fault: FinalFault,
    generators: readonly SparsePermutation[],
    successors: Successors,
    canonicalizer: Pick<StateCanonicalizer, 'imageInto'>,
): readonly AlikeFault[] {
    const image = new Int32Array(state.length);
    const found = new Map([[keyOfRange(fault.range), { range: fault.range, movement: SPARSE_IDENTITY }]]);
    const shown = new Set<string>();
    const movements: SparsePermutation[] = [];
    const visit = (movement: SparsePermutation): void => {
        canonicalizer.imageInto(image, state, movement);
        const before = shown.size;
        successors.forEachFiring(image, {
            fired: () => true,
            faulted: (summand, { kind, range }) => {
                const place = keyOfRange(range);
                if (kind === fault.kind) {
                    shown.add(`${summand} ${place}`);
                    if (!found.has(place)) {
                        found.set(place, { range, movement });
                    }
                }
                return true;
            },
        });
        if (shown.size > before) {
            movements.push(movement);
        }
    };
    visit(SPARSE_IDENTITY);
    let images = 0;
    // The loop also visits the movements that it adds.
    for (const movement of movements) {
        for (let i = 0; i < generators.length && images < MOST_IMAGES; i++, images++) {
            visit(composeSparse(movement, generators[i]));
        }
    }
    return [...found.values()];
}
