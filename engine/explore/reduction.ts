/**
 * What exploration needs to know of symmetry: one state of each orbit. engine/representative/representative.ts makes it from a
 * group; with `undefined` in its place every state stands for itself.
 */
import type { RepresentativePlan, StateImage } from '../representative/representative-plan.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';

export interface Canonicalizer {
    readonly strategy: { readonly name: string; readonly unique: boolean };
    /** The same as data, for generated code; absent or `undefined` where there is none. */
    plan?(): RepresentativePlan | undefined;
    /** Elementary steps taken so far, and states that needed a search where the plan would have given up. */
    readonly meter?: { readonly steps: number; readonly searches: number };
    /**
     * Some elements of the group, as many as help to find the least states of orbits, and no more than `most`; of what they
     * do what comes to the cells `targets`.
     */
    elements?(most: number, targets: readonly number[]): readonly StateImage[];
    /** How many different states some elements of the group, at most so many, make of each state, itself included. */
    imageCounts?(states: readonly Readonly<Int32Array>[], most: number): readonly number[];
    /**
     * Writes a state of the orbit of `state` into `target`, for all states of the orbit the same one where the strategy
     * is unique. False where the search for it was given up.
     */
    canonicalizeInto(target: Int32Array, state: Readonly<Int32Array>): boolean;
    /** A permutation of literals, in the group, from `state` to what `canonicalizeInto` writes. */
    transformation(state: Readonly<Int32Array>): SparsePermutation | undefined;
    /** Writes the image of `state` under such a permutation, or a product of several, into `target`, another array. */
    imageInto(target: Int32Array, state: Readonly<Int32Array>, permutation: SparsePermutation): void;
}
