/**
 * The constraint problem: the model as a relation between the literals of a state and those of the next one.
 *
 * Every constraint is a formula over literals `cell = code` of the current state (see formula.ts). A summand fires where
 * all its guard formulas hold; an effect gives a cell its next code where the effect's conditions hold; a cell without
 * an effect that applies keeps its code. What has no effect anywhere is not there: `x := x` and not mentioning x are the
 * same, and so are summands written differently with one meaning (as far as the decomposition sees it).
 */
import type { FaultKind, SequentialModel } from '../sequential/sequential-model.js';
import type { Domains, FormulaId, FormulaTable } from './formula.js';

export interface ConstraintProblem {
    readonly sequential: SequentialModel;
    readonly formulas: FormulaTable;
    /**
     * The codes that each cell can have in a reachable state (a sound over-approximation), ascending; -1 is no value.
     * Empty for a cell with too many values to list: no symmetry moves it or its values.
     */
    readonly domains: Domains;
    /** Different ones only: summands with equal constraints are one. */
    readonly summands: readonly ConstraintSummand[];
    /** The conjuncts of the initial condition, over `domains`. */
    readonly initial: readonly FormulaId[];
    /** Deadlock first, where it is checked, then the invariants. */
    readonly properties: readonly ConstraintProperty[];
    /**
     * That every instance may stop: what tells a deadlock from an end. A property like any other where deadlock is
     * checked; here also where it is only counted.
     */
    readonly termination: ConstraintProperty;
    /**
     * Cells that no symmetry may move: a constraint over them, other than a property, was too large to be written down.
     * Ascending.
     */
    readonly pinned: readonly number[];
    /** Cells that symmetries may map to each other only; absent where nothing asks for that. */
    readonly together?: readonly number[];
    /** What these constraints are, and which cells each pins. */
    readonly tooLarge: readonly TooLarge[];
    /** False when a budget ended the encoding: then there are no summands and no cell has listed values. */
    readonly complete: boolean;
}

/** A constraint that was too large to be written down, and the cells that it is about. */
export interface TooLarge {
    /** What `index` counts: summands, or entries of `initial` or `initialConditions` of the sequential model. */
    readonly kind: 'summand' | 'initial-value' | 'initial-condition';
    readonly index: number;
    /** Not empty. */
    readonly cells: readonly number[];
}

export interface ConstraintSummand {
    /** A conjunction, ascending; without the constant true. */
    readonly guard: readonly FormulaId[];
    /**
     * Ordered by cell, code and condition. An effect with the code that the cell has already changes nothing, whether
     * its conditions hold or not; of a cell's other effects at most one applies.
     */
    readonly effects: readonly ConstraintEffect[];
    /** When firing is a fault instead, whatever the guard says; ordered by kind. */
    readonly faults: readonly ConstraintFault[];
    /** The summands of the sequential model with these constraints. */
    readonly sources: readonly number[];
}

export interface ConstraintEffect {
    /** A conjunction, ascending; empty where the guard alone decides. */
    readonly conditions: readonly FormulaId[];
    readonly cell: number;
    /** The next code; -1 for no value. */
    readonly code: number;
}

export interface ConstraintFault {
    readonly condition: FormulaId;
    readonly kind: FaultKind;
}

export interface ConstraintProperty {
    /** `deadlock`, or the invariant's name. */
    readonly name: string;
    readonly kind: 'deadlock' | 'invariant';
    /** Index into `SequentialModel.invariants`; -1 for deadlock. */
    readonly invariant: number;
    /** For deadlock: every instance may stop. */
    readonly holds: FormulaId;
    readonly faults: readonly ConstraintFault[];
    /**
     * Cells that nothing may move that is known to keep the property: it was too large to be written down, and reads
     * these. Ascending.
     */
    readonly pinned: readonly number[];
}
