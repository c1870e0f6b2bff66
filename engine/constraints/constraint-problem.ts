/**
 * The constraint problem: the model as a relation between literals `cell = code` of a state and of the next one. A
 * summand fires if all its guard formulas (formula.ts) hold. An effect gives a cell its next code if its conditions
 * hold; without such an effect a cell keeps its code. Effects that change nothing are left out, such as `x := x`. In
 * the ring, rule 2 of agent 1 becomes a guard over `leader[2]`, `label[1]` and `label[2]`, and effects on `token` and
 * `label`.
 */
import type { FaultKind, SequentialModel, TemporalAtom } from '../sequential/sequential-model.js';
import type { Domains, FormulaId, FormulaTable } from './formula.js';

export interface ConstraintProblem {
    readonly sequential: SequentialModel;
    readonly formulas: FormulaTable;
    /** By cell an upper bound of its reachable codes, ascending; -1 is no value. Empty: too many, never moved. */
    readonly domains: Domains;
    /** Summands with equal constraints are one. */
    readonly summands: readonly ConstraintSummand[];
    /** The conjuncts of the initial condition, over `domains`. */
    readonly initial: readonly FormulaId[];
    /** Facts about reachable states that the constraints rely on besides `domains`. */
    readonly occurring: Occurring;
    /** In which states a run may be, which all symmetries keep; absent if the model has no constraint. */
    readonly constraint?: ConstraintTruth;
    /** Absent where symmetries keep the initial states; with it they keep `occurring` in their place. */
    readonly startMoved?: StartMoved;
    /** Deadlock first, if it is checked, then the invariants. */
    readonly properties: readonly ConstraintProperty[];
    /** Cells that no symmetry may move: a constraint over them, other than a property, was too large. Ascending. */
    readonly pinned: readonly number[];
    /** Cells that symmetries may map only to each other; absent if no caller asks for it. */
    readonly together?: readonly number[];
    /** Markers that symmetries carry along; absent if no caller asks for them. */
    readonly markers?: readonly ConstraintMarker[];
    /** The constraints that were too large, and the cells that each of them pins. */
    readonly tooLarge: readonly TooLarge[];
    /** False if a budget ended the encoding: then there are no summands and no cell has listed values. */
    readonly complete: boolean;
}

/** Facts about each reachable state that the constraints rely on (occurring.ts). */
export interface Occurring {
    /** A conjunction, ascending. */
    readonly formulas: readonly FormulaId[];
    /** Cells of which it is relied on what these formulas cannot say: they have to stay. Ascending. */
    readonly pinned: readonly number[];
}

/** The demands on symmetries that need not keep the initial states. */
export interface StartMoved {
    /** By property: the number of its class. An invariant is mapped only to one of its class. */
    readonly classes: readonly number[];
}

/** A constraint that was too large, and the cells that it reads or writes. */
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
    /** Ordered by cell, code and condition. In each state at most one effect on a cell changes its code. */
    readonly effects: readonly ConstraintEffect[];
    /** If one of these holds, firing is a fault, whatever the guard says. Ordered by kind. */
    readonly faults: readonly ConstraintFault[];
    /** The summands of the sequential model with these constraints. */
    readonly sources: readonly number[];
}

export interface ConstraintEffect {
    /** A conjunction, ascending; empty if the guard alone decides. */
    readonly conditions: readonly FormulaId[];
    readonly cell: number;
    /** The next code; -1 for no value. */
    readonly code: number;
}

export interface ConstraintFault {
    readonly condition: FormulaId;
    readonly kind: FaultKind;
}

/** When a condition holds, and when it is a fault. */
export interface ConstraintTruth {
    readonly holds: FormulaId;
    readonly faults: readonly ConstraintFault[];
    /** The cells of a condition that was too large: a symmetry that moves none of them keeps it. Ascending. */
    readonly pinned: readonly number[];
}

/** For deadlock: every instance may stop. Free in states where some step can be taken for sure. */
export interface ConstraintProperty extends ConstraintTruth {
    /** `deadlock`, or the invariant's name. */
    readonly name: string;
    /** Only properties of one kind are images of each other. */
    readonly kind: 'deadlock' | 'invariant' | 'run';
    /** It is the image of a run that is to exist, and not in the text. */
    readonly isImage?: true;
    /** Index into `SequentialModel.invariants`; -1 for deadlock. */
    readonly invariant: number;
    /** Its truth in all states, if that above is only the same in reachable ones: for symmetries that move the start. */
    readonly everywhere?: ConstraintTruth;
}

/** A marker of the sequential model. A symmetry maps it onto one of the same form, atom by atom. */
export interface ConstraintMarker {
    /** What it says but for states and summands: its skeleton, and the kinds of its atoms. */
    readonly form: string;
    readonly atoms: readonly ConstraintAtom[];
}

export type ConstraintAtom =
    | ({ readonly kind: 'state' } & ConstraintTruth)
    /** Said by the form and by the atoms before it. */
    | { readonly kind: 'possible' }
    /** These literals and markers, each a cell and a code, belong to it; a marker is a cell behind those of the model. */
    | { readonly kind: 'literals'; readonly literals: readonly (readonly [cell: number, code: number])[] }
    | Extract<TemporalAtom, { kind: 'taken' | 'enabled' }>;
