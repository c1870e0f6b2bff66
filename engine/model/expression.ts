/**
 * Typed expressions of a model. Names are resolved, parameters and constants are values; families are not yet
 * instantiated, so an expression may read the binders of its process and of the quantifiers around it.
 *
 * Type-checked before they come here: operands of `and` are Boolean, indices have the index type's domain, and so on.
 * What cannot be known before a run (an index outside its type, division by zero) is a fault of the step.
 */
import type { SourceRange } from '../common/source-range.js';
import type { Domain, Value } from './domain.js';

/** A name bound to the values of a domain: a family's index or a quantifier's variable. `id` is unique in the model. */
export interface Binder {
    readonly id: number;
    readonly name: string;
    readonly domain: Domain;
}

export type BinaryOperator =
    '+' | '-' | '*' | 'div' | 'mod' | '==' | '!=' | '<' | '<=' | '>' | '>=' | 'and' | 'or' | 'implies';

export type UnaryOperator = 'not' | 'negate';

/** The cell or the array element that an expression reads or an assignment writes. */
export type Place =
    | {
          readonly kind: 'shared';
          /** Index into `Model.variables`. */
          readonly variable: number;
          readonly indices: readonly Expression[];
          readonly range: SourceRange;
      }
    | {
          readonly kind: 'local';
          /** Index into `Process.locals` of the process around. */
          readonly local: number;
          readonly indices: readonly Expression[];
          readonly range: SourceRange;
      };

export type Expression =
    | { readonly kind: 'constant'; readonly value: Value; readonly domain?: Domain; readonly range: SourceRange }
    | { readonly kind: 'binder'; readonly binder: Binder; readonly range: SourceRange }
    | { readonly kind: 'read'; readonly place: Place; readonly range: SourceRange }
    | {
          readonly kind: 'unary';
          readonly operator: UnaryOperator;
          readonly operand: Expression;
          readonly range: SourceRange;
      }
    | {
          readonly kind: 'binary';
          readonly operator: BinaryOperator;
          readonly left: Expression;
          readonly right: Expression;
          readonly range: SourceRange;
      }
    | {
          readonly kind: 'conditional';
          readonly condition: Expression;
          readonly then: Expression;
          readonly otherwise: Expression;
          readonly range: SourceRange;
      }
    | {
          readonly kind: 'quantifier';
          readonly quantifier: 'forall' | 'exists' | 'count' | 'sum';
          readonly binders: readonly Binder[];
          readonly where?: Expression;
          readonly body: Expression;
          readonly range: SourceRange;
      }
    | {
          /** `P[i] at label`. */
          readonly kind: 'at';
          /** Index into `Model.processes`. */
          readonly process: number;
          readonly indices: readonly Expression[];
          readonly label: string;
          readonly range: SourceRange;
      };
