/**
 * Are these permutations of literals symmetries of the summands? A check that shares nothing with the encoding or the
 * search: it runs the model.
 *
 * On a small state space every state is tried, on a large one states along random walks: the outcomes of the image of a
 * state must be the images of its outcomes, faults by their kind, and images of initial states must be initial. Of many
 * generators random products are tried instead of each one: if a generator is no symmetry, half of the products of a
 * random selection are none either, so 32 of them miss it with a probability of 2^-32.
 */
import { invariant } from '../common/assert.js';
import type { Random } from '../common/random.js';
import type { WorkLimit } from '../common/work-limit.js';
import { composeSparse, imageOf, SPARSE_IDENTITY, type SparsePermutation } from '../group/sparse-permutation.js';
import { cellsOfPoints, type LiteralPoints } from './model-symmetry.js';

/** The model to run. */
export interface RunnableModel {
    /** The successors of a state in the order of the summands, and the kinds of the faults of its firings. */
    outcomes(state: Int32Array): { readonly successors: readonly Int32Array[]; readonly faults: readonly string[] };
    /** Up to `count` initial states, and whether these are all. */
    initialStates(count: number): { readonly states: readonly Int32Array[]; readonly complete: boolean };
}

/** More generators than this are checked by as many random products of them. */
export const MOST_CHECKED = 32;

export interface CertificateOptions {
    readonly workLimit: WorkLimit;
    /** How many states each permutation is tried on. */
    readonly states: number;
    readonly random: Random;
}

export type CertificateResult =
    /** Every permutation that was tried agrees with the model on every state that was tried. */
    | { readonly kind: 'agrees' }
    /** This permutation is in the group and no symmetry; the state shows it. */
    | { readonly kind: 'refuted'; readonly permutation: SparsePermutation; readonly state: Int32Array }
    /** The limit was reached before every permutation was tried on some state. */
    | { readonly kind: 'stopped' };

/** Tries the generators, or products of them, on states of the model. */
export function checkGenerators(
    model: RunnableModel,
    points: LiteralPoints,
    generators: readonly SparsePermutation[],
    options: CertificateOptions,
): CertificateResult {
    const states = sampleStates(model, options);
    const { states: initial, complete } = model.initialStates(options.states);
    const initialKeys = new Set(initial.map(keyOf));
    const tried = states.map(state => ({ state, outcomes: model.outcomes(state) }));
    for (const permutation of selectPermutations(generators, options.random)) {
        const image = stateAction(points, permutation);
        for (const state of initial) {
            if (complete && !initialKeys.has(keyOf(image(state)))) {
                return { kind: 'refuted', permutation, state };
            }
        }
        for (const { state, outcomes: here } of tried) {
            if (options.workLimit.isExhausted()) {
                return { kind: 'stopped' };
            }
            const there = model.outcomes(image(state));
            const expected = [...here.successors.map(successor => keyOf(image(successor))), ...here.faults];
            const found = [...there.successors.map(keyOf), ...there.faults];
            if (!sameSet(expected, found)) {
                return { kind: 'refuted', permutation, state };
            }
        }
    }
    return { kind: 'agrees' };
}

function selectPermutations(generators: readonly SparsePermutation[], random: Random): readonly SparsePermutation[] {
    if (generators.length <= MOST_CHECKED) {
        return generators;
    }
    return Array.from({ length: MOST_CHECKED }, () =>
        generators.reduce(
            (product, generator) => (random.below(2) === 0 ? product : composeSparse(product, generator)),
            SPARSE_IDENTITY,
        ),
    );
}

/** Different states along walks from initial states; all of them where there are few. */
function sampleStates(model: RunnableModel, { states: count, random, workLimit }: CertificateOptions): Int32Array[] {
    const found = new Map<number, Int32Array>();
    const { states: initial } = model.initialStates(count);
    const waiting = [...initial];
    for (const state of initial) {
        found.set(keyOf(state), state);
    }
    while (waiting.length > 0 && found.size < count && !workLimit.isExhausted()) {
        const [state] = waiting.splice(random.below(waiting.length), 1);
        for (const successor of model.outcomes(state).successors) {
            const key = keyOf(successor);
            if (!found.has(key)) {
                found.set(key, successor);
                waiting.push(successor);
            }
        }
    }
    return [...found.values()].slice(0, count);
}

/** The action of a permutation of literals on states. */
export function stateAction(points: LiteralPoints, generator: SparsePermutation): (state: Int32Array) => Int32Array {
    const cellOf = cellsOfPoints(points);
    const targetOfCell = Int32Array.from({ length: points.cellCount }, (_, cell) => cell);
    generator.points.forEach((point, index) => {
        targetOfCell[cellOf[point]] = cellOf[generator.images[index]];
    });
    return state => {
        const image = new Int32Array(state.length);
        for (let cell = 0; cell < state.length; cell++) {
            const code = state[cell];
            if (code < 0 || points.codes[cell].length === 0) {
                image[targetOfCell[cell]] = code;
                continue;
            }
            const position = points.codes[cell].indexOf(code);
            invariant(position >= 0, 'reachable states hold values that can occur');
            const target = imageOf(generator, points.firstPoint[cell] + position);
            const targetCell = cellOf[target];
            image[targetCell] = points.codes[targetCell][target - points.firstPoint[targetCell]];
        }
        return image;
    };
}

/** 53 bits that tell states apart; two different ones have the same with a probability of 2^-53. */
function keyOf(state: Int32Array): number {
    let high = 0x9e3779b9;
    let low = 0x85ebca6b;
    for (const code of state) {
        high = Math.imul(high ^ code, 0x01000193);
        high ^= high >>> 15;
        low = Math.imul(low + code, 0xc2b2ae35) ^ (low >>> 13);
    }
    return (high & 0x1fffff) * 2 ** 32 + (low >>> 0);
}

function sameSet<T>(left: readonly T[], right: readonly T[]): boolean {
    const first = new Set(left);
    const second = new Set(right);
    return first.size === second.size && [...first].every(key => second.has(key));
}
