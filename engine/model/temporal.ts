/** Temporal properties, assumptions and fairness of a model, typed: what is said about runs and not about states. */
import { unreachable } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import type { Binder, Expression } from './expression.js';

/** `fair` and `strong fair`: a step that is always possible, or again and again, is taken again and again. */
export type Fairness = 'weak' | 'strong';

/** A formula over the positions of a run. A part without temporal words and `takes` is one `state`. */
export type TemporalExpression =
    | { readonly kind: 'state'; readonly condition: Expression; readonly range: SourceRange }
    /** `P[i] takes enter`: the firing that leaves the state is such a step of this instance. */
    | {
          readonly kind: 'takes';
          /** Index into `Model.processes`. */
          readonly process: number;
          readonly indices: readonly Expression[];
          readonly action: TakenAction;
          readonly range: SourceRange;
      }
    | { readonly kind: 'not'; readonly operand: TemporalExpression; readonly range: SourceRange }
    | {
          readonly kind: 'and' | 'or' | 'implies' | 'until' | 'weak-until' | 'leads-to';
          readonly left: TemporalExpression;
          readonly right: TemporalExpression;
          readonly range: SourceRange;
      }
    | {
          /** The operand of `possible` has neither temporal words, other than `possible`, nor `takes`. */
          readonly kind: 'always' | 'eventually' | 'infinitely-often' | 'possible';
          readonly operand: TemporalExpression;
          readonly range: SourceRange;
      }
    | {
          readonly kind: 'forall' | 'exists';
          readonly binders: readonly Binder[];
          readonly where?: Expression;
          readonly body: TemporalExpression;
          readonly range: SourceRange;
      };

/** All steps of a process with this label, or all events of this name (an index into `Model.events`). */
export type TakenAction =
    { readonly kind: 'label'; readonly label: string } | { readonly kind: 'event'; readonly event: number };

/** `property NAME = …`: holds if every fair run from every initial state satisfies it. */
export interface Property {
    readonly name: string;
    readonly expression: TemporalExpression;
    readonly documentation: string;
    readonly range: SourceRange;
    readonly nameRange: SourceRange;
}

/** `assume NAME = …`: only runs that satisfy it count. */
export interface Assumption {
    readonly name: string;
    /**
     * Under `forall` and `and`: `infinitely often a`, `eventually always a`, or `implies` between two of the first kind;
     * a and b have no temporal words.
     */
    readonly expression: TemporalExpression;
    readonly range: SourceRange;
    readonly nameRange: SourceRange;
}

/** All expressions over states in a formula, those of binders and indices too. */
export function conditionsIn(formula: TemporalExpression): readonly Expression[] {
    switch (formula.kind) {
        case 'state':
            return [formula.condition];
        case 'takes':
            return formula.indices;
        case 'not':
        case 'always':
        case 'eventually':
        case 'infinitely-often':
        case 'possible':
            return conditionsIn(formula.operand);
        case 'and':
        case 'or':
        case 'implies':
        case 'until':
        case 'weak-until':
        case 'leads-to':
            return [...conditionsIn(formula.left), ...conditionsIn(formula.right)];
        case 'forall':
        case 'exists':
            return [...(formula.where === undefined ? [] : [formula.where]), ...conditionsIn(formula.body)];
        default:
            return unreachable(formula);
    }
}
