/**
 * What a choice among the steps of a state must know of them: which ones may change places, which ones may make a test true,
 * which ones may change a cell. Rows have a bit for each summand. All err on one side: a bit too much is never wrong.
 */
import type { InnerConditions } from './expression/condition-parts.js';
import type { PathElement, SequentialExpression } from './sequential-model.js';

/** A set of summands: bit `n & 31` of word `n >> 5`. */
export type SummandSet = Int32Array;

/** A test on the path of a participant, or the rest of a path from the first initialization on, which runs on a copy. */
export interface StepGuard {
    readonly elements: readonly PathElement[];
    /** The cells that decide it, ascending. */
    readonly cells: readonly number[];
    /** The summands that may take it from false or a fault to true or a fault. */
    readonly enterers: SummandSet;
}

/** A guard in its place on a path. */
export interface GuardOnPath {
    /** Index into `StepRelations.guards`. */
    readonly guard: number;
    /** The cells of the guards before it on the path that may be a fault, ascending. */
    readonly faultsBefore: readonly number[];
}

/** A condition that has no other conditions inside which are looked at one by one. */
export interface StepAtom {
    /** The summands that may take it to true or a fault from another value; the same for false. */
    readonly toTrue: SummandSet;
    readonly toFalse: SummandSet;
    readonly inside: InnerConditions;
}

/** The summands that may change a cell, by the code that it holds; all in one if its codes are not told apart. */
export type CellLeavers =
    | { readonly kind: 'by code'; readonly byCode: ReadonlyMap<number, SummandSet> }
    | { readonly kind: 'any code'; readonly all: SummandSet };

export interface StepRelations {
    readonly summandCount: number;
    /** By summand: those that may not change places with it. Symmetric. */
    readonly notAccording: readonly SummandSet[];
    readonly guards: readonly StepGuard[];
    /** By summand and participant, in the order of the path. */
    readonly paths: readonly (readonly (readonly GuardOnPath[])[])[];
    /** By cell: the summands that may change it. */
    readonly leavers: readonly CellLeavers[];
    /** By summand: at how many places of the text it may be a fault; 0 if none of its faults is looked for. */
    readonly faultPlaces: Int32Array;
    /** By summand: the cells that it reads before it writes them, those of the constraint if it may leave it. Ascending. */
    readonly reads: readonly (readonly number[])[];
    /** By expression: the conditions inside the checked invariants. */
    readonly atoms: ReadonlyMap<SequentialExpression, StepAtom>;
    /** Absent if no step is taken before all others. */
    readonly bound?: BoundSteps | undefined;
}

/** The other summands may come before all of these. */
export interface BoundSteps {
    /** Those that may change an atom, and some others, which are sticky: all that are neither come to an end together. */
    readonly summands: SummandSet;
    readonly stickyCount: number;
}

/** The invariants that a search checks, and whether it looks for deadlocks. */
export interface CheckedConditions {
    readonly names: readonly string[];
    readonly invariants: readonly SequentialExpression[];
    readonly deadlock: boolean;
}

export function emptySet(summandCount: number): SummandSet {
    return new Int32Array((summandCount + 31) >>> 5);
}

export function addTo(set: SummandSet, summand: number): void {
    set[summand >>> 5] |= 1 << (summand & 31);
}

export function isIn(set: SummandSet, summand: number): boolean {
    return ((set[summand >>> 5] >>> (summand & 31)) & 1) === 1;
}

export function addAllTo(set: SummandSet, others: SummandSet): void {
    for (let word = 0; word < set.length; word++) {
        set[word] |= others[word];
    }
}

export function sizeOf(set: SummandSet): number {
    return set.reduce((sum, word) => sum + bitCountOf(word), 0);
}

/** How many of 32 summands are in a word. */
export function bitCountOf(word: number): number {
    const pairs = word - ((word >>> 1) & 0x55555555);
    const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
    return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
