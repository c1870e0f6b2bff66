/**
 * Temporal properties and fairness of a sequential model. Both are about *atoms*, which are true or false at a position
 * of a run: its state, and the firing that leaves it. Quantifiers are expanded, and what is said is in negation normal
 * form: `always p` is `false release p`, `eventually p` is `true until p`, `p weak until q` is `q release (p or q)`.
 */
import type { SourceRange } from '../common/source-range.js';
import type { SequentialExpression } from './sequential-model.js';

export type TemporalFormula =
    | { readonly kind: 'true' | 'false' }
    | { readonly kind: 'atom'; readonly atom: number; readonly isNegated: boolean }
    | { readonly kind: 'and' | 'or'; readonly operands: readonly TemporalFormula[] }
    /** The right side must come about for `until`; `release` holds also if the right side holds for ever. */
    | { readonly kind: 'until' | 'release'; readonly left: TemporalFormula; readonly right: TemporalFormula };

export type TemporalAtom =
    | { readonly kind: 'state'; readonly expression: SequentialExpression }
    /** The firing is of one of these summands, ascending; in a rest none is. */
    | { readonly kind: 'taken'; readonly summands: readonly number[] }
    /** One of these summands has a firing without a fault. */
    | { readonly kind: 'enabled'; readonly summands: readonly number[] }
    /** From the state a state with this condition can be reached; over atoms before this one, without until and release. */
    | { readonly kind: 'possible'; readonly condition: TemporalFormula };

/** What symmetries carry along: a constraint, or a property for one valuation of its outer `forall`. */
export interface Marker {
    /** What it says, but for its atoms: a symmetry maps it onto one with the same skeleton, atom by atom. */
    readonly skeleton: string;
    readonly atoms: readonly TemporalAtom[];
}

/** A property that is to hold on every fair run. */
export interface TemporalProperty {
    readonly name: string;
    /** The name in the declaration. */
    readonly range: SourceRange;
    /** One for each valuation of its outer `forall`; all must hold. */
    readonly members: readonly PropertyMember[];
}

export interface PropertyMember extends Marker {
    /** The values of the outer binders, by name, as the model writes them. Empty without them. */
    readonly values: Readonly<Record<string, boolean | number | string>>;
    readonly formula: TemporalFormula;
}

/** If `asked` is true infinitely often on a run, so is `met`: otherwise the run does not count. Without until and release. */
export interface FairnessConstraint extends Marker {
    /** `obligation`: a part of a property that is checked as fairness [temporal/obligations.ts]; it says nothing of runs. */
    readonly kind: 'weak' | 'strong' | 'assumption' | 'obligation';
    /** `P[1]`, `enter of P[1]`, the event `get[0, 1]`, or the name of the assumption. */
    readonly name: string;
    /** The word `fair`, or the name of the assumption. */
    readonly range: SourceRange;
    readonly asked: TemporalFormula;
    readonly met: TemporalFormula;
}
