/**
 * Representatives of states under a group of model symmetries: the group's own numbering of values, and back.
 *
 * Groups number the values that can occur, states hold the codes of whole domains. The two differ only where some
 * values of a domain cannot occur.
 */
import { invariant } from '../common/assert.js';
import { createCanonicalizer, type Canonicalizer, type CanonicalizerOptions } from '../group/representative.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import { literalGroup, type ModelGroup } from './model-symmetry.js';

/** The way to representatives of the model's states under `group`. */
export function representativesOf(group: ModelGroup, options: CanonicalizerOptions = {}): Canonicalizer {
    const inner = createCanonicalizer(literalGroup(group), options);
    const isUnlisted = group.codes.map(codes => codes.length === 0);
    if (group.codes.every(codes => codes.every((code, position) => code === position))) {
        return inner;
    }
    const positions = group.codes.map(codes => {
        const positionOf = new Int32Array(Math.max(0, ...codes) + 1).fill(-1);
        codes.forEach((code, position) => (positionOf[code] = position));
        return positionOf;
    });
    const compact = new Int32Array(group.cellCount);
    const shrink = (state: Readonly<Int32Array>): void => {
        for (let cell = 0; cell < compact.length; cell++) {
            compact[cell] = state[cell] < 0 || isUnlisted[cell] ? state[cell] : positions[cell][state[cell]];
            invariant(state[cell] < 0 || compact[cell] >= 0, 'reachable states hold values that can occur');
        }
    };
    const growInto = (target: Int32Array): void => {
        for (let cell = 0; cell < compact.length; cell++) {
            target[cell] = compact[cell] < 0 || isUnlisted[cell] ? compact[cell] : group.codes[cell][compact[cell]];
        }
    };
    return {
        strategy: inner.strategy,
        // The numbering of values that can occur keeps their order; where it is not the same in two cells, a value that
        // goes from one to the other becomes another code.
        cellPermutations: inner.cellPermutations?.every(sources =>
            sources.every((source, cell) => haveSameCodes(group, source, cell)),
        )
            ? inner.cellPermutations
            : undefined,
        canonicalizeInto(target, state): boolean {
            shrink(state);
            const found = inner.canonicalizeInto(compact, compact);
            growInto(target);
            return found;
        },
        transformation(state): SparsePermutation | undefined {
            shrink(state);
            return inner.transformation(compact);
        },
        imageInto(target, state, permutation): void {
            shrink(state);
            inner.imageInto(compact, compact.slice(), permutation);
            growInto(target);
        },
    };
}

function haveSameCodes({ codes }: ModelGroup, first: number, second: number): boolean {
    return first === second || codes[first].join() === codes[second].join();
}
