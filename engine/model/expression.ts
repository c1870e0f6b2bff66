/**
 * Typed expressions of a model: names are resolved, parameters and constants are values, operands have their types.
 * Families are not instantiated yet, so an expression may read binders. Errors that depend on the run (an index outside
 * its type, division by zero) are faults of the step.
 */
import type { SourceRange } from '../common/source-range.js';
import { memberBoundsOf, type Domain, type RecordDomain, type Value } from './domain.js';

/** A name bound to the values of a domain: the index of a family, a quantifier or a `for`. `id` is unique in the model. */
export interface Binder {
    readonly id: number;
    readonly name: string;
    readonly domain: Domain;
    /** The range in the text; absent if the text has none. */
    readonly range?: SourceRange;
}

/** From `pow` on they are functions in the text: `pow(b, e)`, `xor(a, b)`. The bit operators take integers from 0. */
export type BinaryOperator =
    | '+'
    | '-'
    | '*'
    | 'div'
    | 'mod'
    | '=='
    | '!='
    | '<'
    | '<='
    | '>'
    | '>='
    | 'and'
    | 'or'
    | 'implies'
    | 'pow'
    | 'xor'
    | 'bitand'
    | 'bitor'
    | 'shl'
    | 'shr';

/** `!a` and `-a`. */
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
      }
    /** Of a channel with a buffer the length, or a scalar at a place: the indices of the channel, the place, its own. */
    | {
          readonly kind: 'channel';
          /** Index into `Model.channels`. */
          readonly channel: number;
          /** 0 for the length, then the parts of a message (`ChannelDeclaration.leaves`). */
          readonly leaf: number;
          readonly indices: readonly Expression[];
          readonly range: SourceRange;
      }
    /** A name of a body or a function: a parameter, a `let`, a `var` between statements. */
    | {
          readonly kind: 'temporary';
          readonly temporary: Temporary;
          readonly indices: readonly Expression[];
          readonly range: SourceRange;
      };

/** A name that lives inside one step or one call. `id` is unique in the model. */
export interface Temporary {
    readonly id: number;
    readonly name: string;
    /** The domain of its values; a `let` takes the values of its expression. */
    readonly element?: Domain;
    readonly indices: readonly Domain[];
    /** It is never assigned: a value given to a procedure. */
    readonly isGiven?: true;
}

/** A channel that a step uses. */
export type ChannelPlace =
    | {
          readonly kind: 'declared';
          /** Index into `Model.channels`. */
          readonly channel: number;
          readonly indices: readonly Expression[];
          readonly range: SourceRange;
      }
    /** A channel that is the value of an expression: a code of `Model.channelTypes[type]`. */
    | {
          readonly kind: 'value';
          readonly type: number;
          readonly expression: Expression;
          readonly range: SourceRange;
      };

/** A typed expression of the text. Its operands are evaluated from left to right, with the faults of the language. */
export type Expression =
    | { readonly kind: 'constant'; readonly value: Value; readonly domain?: Domain; readonly range: SourceRange }
    | { readonly kind: 'binder'; readonly binder: Binder; readonly range: SourceRange }
    | {
          readonly kind: 'read';
          readonly place: Place;
          /** An operand, an index or a stored value, evaluated only where a test has shown that it is not `none`. */
          readonly isPresent?: true;
          readonly range: SourceRange;
      }
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
          /** `min`, `max` and `the` of no value at all are a fault, and `the` of two different ones. */
          readonly quantifier: 'forall' | 'exists' | 'count' | 'sum' | 'min' | 'max' | 'the';
          readonly binders: readonly Binder[];
          readonly where?: Expression;
          readonly body: Expression;
          readonly range: SourceRange;
      }
    | {
          /** `P[i] at label`; of a template `w at label`, false once the instance has ended. */
          readonly kind: 'at';
          /** Index into `Model.processes`. */
          readonly process: number;
          readonly indices: readonly Expression[];
          readonly label: string;
          readonly range: SourceRange;
      }
    /**
     * `P[i].k`: a local declared at the head of its process, in a property; or a parameter of the instance of a template,
     * `w.x`, anywhere. It is live everywhere. Of an instance that has ended: the fault `index`.
     */
    | {
          readonly kind: 'instance-local';
          /** Index into `Model.processes`. */
          readonly process: number;
          /** Of the process. */
          readonly instance: readonly Expression[];
          /** Index into `Process.locals`. */
          readonly local: number;
          readonly indices: readonly Expression[];
          readonly range: SourceRange;
      }
    /**
     * Whether the instance of a template lives; `none` is the fault `index`. Of a value without end, which a choice has given
     * to a local: whether the choice may take it, since it has a name, is held, or is a first one that nobody holds.
     */
    | {
          readonly kind: 'alive';
          /** Index into `Model.processes`. */
          readonly process: number;
          readonly reference: Expression;
          readonly range: SourceRange;
      }
    /** The value of one option, chosen by the code of `index` in `domain`: a constant table, an array literal. */
    | {
          readonly kind: 'select';
          readonly index: Expression;
          readonly domain: Domain;
          /** One for each code. */
          readonly options: readonly Expression[];
          readonly range: SourceRange;
      }
    /** A field of a record that is one value. */
    | {
          readonly kind: 'field';
          readonly record: Expression;
          readonly domain: RecordDomain;
          /** Index into `domain.fields`. */
          readonly field: number;
          readonly range: SourceRange;
      }
    /** A record that is one value; fields that no tuple has are the fault `range`. */
    | {
          readonly kind: 'record';
          readonly domain: RecordDomain;
          readonly fields: readonly Expression[];
          readonly range: SourceRange;
      }
    /** One scalar of what a function returns. */
    | {
          readonly kind: 'call';
          /** Index into `Model.functions`. */
          readonly function: number;
          /** For each parameter its values, row by row. */
          readonly arguments: readonly (readonly Expression[])[];
          /** Index into `FunctionDeclaration.results`, and the element of it. */
          readonly result: number;
          readonly indices: readonly Expression[];
          readonly range: SourceRange;
      }
    /** A scalar of the received message: index into its scalars. Only inside a `Receive`. */
    | { readonly kind: 'message'; readonly position: number; readonly range: SourceRange }
    /**
     * Always this fault: a field that the case at hand does not have; a value that is stored nowhere and fits nowhere; a
     * place beyond the length of a sequence, or the first one of an empty one.
     */
    | {
          readonly kind: 'fault';
          readonly fault: 'case' | 'range' | 'index' | 'undefined';
          readonly range: SourceRange;
      };

/** Whether an expression is a constant that names a member of a family, as lowering writes it for the rows of an array. */
export function isMember(expression: Expression): boolean {
    return (
        expression.kind === 'constant' &&
        expression.domain !== undefined &&
        memberBoundsOf(expression.domain) !== undefined
    );
}
