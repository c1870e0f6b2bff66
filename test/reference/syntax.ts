/**
 * The reference implementation's own syntax tree of the language core: what a text says, names unresolved.
 *
 * Everything under `test/reference` is a second implementation of the language, written from its definition in the
 * simplest way and sharing no code with the product: parser (parse.ts), printer (print.ts), meaning (interpreter.ts).
 * The two can only be wrong in the same way where the definition itself is.
 */

/** A Boolean, an integer, the name of an enumeration value, or null for `none`. */
export type Value = boolean | number | string | null;

export type Type =
    | { readonly kind: 'bool' }
    | { readonly kind: 'range'; readonly low: Expression; readonly high: Expression }
    | { readonly kind: 'named'; readonly name: string }
    | { readonly kind: 'optional'; readonly base: Type };

export interface Binder {
    readonly name: string;
    readonly type: Type;
}

export type BinaryOperator =
    'implies' | '||' | '&&' | '==' | '!=' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | 'div' | 'mod';

export type Quantifier = 'forall' | 'exists' | 'count' | 'sum';

export type Expression =
    | { readonly kind: 'literal'; readonly value: number | boolean | null }
    /** A parameter, constant, enumeration value, binder or variable; `indices` is empty except for array elements. */
    | { readonly kind: 'name'; readonly name: string; readonly indices: readonly Expression[] }
    | { readonly kind: 'unary'; readonly operator: '!' | '-'; readonly operand: Expression }
    | {
          readonly kind: 'binary';
          readonly operator: BinaryOperator;
          readonly left: Expression;
          readonly right: Expression;
      }
    | {
          readonly kind: 'if';
          readonly condition: Expression;
          readonly then: Expression;
          readonly otherwise: Expression;
      }
    | {
          readonly kind: 'quantifier';
          readonly quantifier: Quantifier;
          readonly binders: readonly Binder[];
          readonly where?: Expression;
          readonly body: Expression;
      }
    | {
          readonly kind: 'at';
          readonly process: string;
          readonly indices: readonly Expression[];
          readonly label: string;
      };

export type Statement =
    | {
          readonly kind: 'assign';
          readonly name: string;
          readonly indices: readonly Expression[];
          readonly value: Expression;
      }
    | {
          readonly kind: 'if';
          readonly condition: Expression;
          readonly then: readonly Statement[];
          readonly otherwise: readonly Statement[];
      }
    | { readonly kind: 'assert'; readonly condition: Expression }
    | { readonly kind: 'skip' };

/** Where a step begins, counted from 0. */
export interface Position {
    readonly line: number;
    readonly character: number;
}

export interface Step {
    readonly kind: 'step';
    readonly guard?: Expression;
    readonly event?: { readonly name: string; readonly arguments: readonly Expression[] };
    readonly body: readonly Statement[];
    /** Absent in trees that were not read from a text. */
    readonly position?: Position;
}

export interface Variable {
    readonly name: string;
    readonly type: Type;
    /** The index types of an array; empty for a scalar. */
    readonly indices: readonly Type[];
    readonly initial:
        | { readonly kind: 'default' }
        | { readonly kind: 'any' }
        | { readonly kind: 'value'; readonly value: Expression };
}

export type Control =
    | Step
    | { readonly kind: 'loop'; readonly body: readonly Control[] }
    | { readonly kind: 'while'; readonly condition: Expression; readonly body: readonly Control[] }
    | {
          readonly kind: 'if';
          readonly condition: Expression;
          readonly then: readonly Control[];
          readonly otherwise: readonly Control[];
      }
    | { readonly kind: 'choose'; readonly alternatives: readonly (readonly Control[])[] }
    | { readonly kind: 'labeled'; readonly label: string; readonly control: Control }
    | { readonly kind: 'declare'; readonly variable: Variable }
    | { readonly kind: 'const'; readonly name: string; readonly value: Expression }
    | { readonly kind: 'break' };

export type Declaration =
    | {
          readonly kind: 'param';
          readonly name: string;
          readonly type: Type;
          readonly value: Expression;
      }
    | { readonly kind: 'const'; readonly name: string; readonly value: Expression }
    | { readonly kind: 'type'; readonly name: string; readonly type: Type }
    | { readonly kind: 'enum'; readonly name: string; readonly values: readonly string[] }
    | { readonly kind: 'var'; readonly variable: Variable }
    | { readonly kind: 'event'; readonly name: string; readonly arguments: readonly Type[] }
    | {
          readonly kind: 'process';
          readonly name: string;
          readonly indices: readonly Binder[];
          readonly where?: Expression;
          readonly body: readonly Control[];
      }
    | { readonly kind: 'invariant'; readonly name: string; readonly expression: Expression }
    | { readonly kind: 'allow deadlock' };

export type ProcessDeclaration = Extract<Declaration, { kind: 'process' }>;

/** A model: its declarations in the order of the text. */
export interface Model {
    readonly name: string;
    readonly declarations: readonly Declaration[];
}
