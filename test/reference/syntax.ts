/**
 * The syntax tree of the reference implementation, names unresolved. `test/reference` implements the language again,
 * from its definition and without code of the product, so that both are wrong alike only if the definition is.
 */

export type Type =
    | { readonly kind: 'bool' }
    | { readonly kind: 'range'; readonly low: Expression; readonly high: Expression }
    | { readonly kind: 'named'; readonly name: string }
    | { readonly kind: 'optional'; readonly base: Type }
    | { readonly kind: 'channel'; readonly message: Type }
    | { readonly kind: 'set'; readonly member: Type }
    | { readonly kind: 'sequence' | 'bag'; readonly most: Expression; readonly member: Type }
    /** The type of the elements of a set; a condition beside it, or `For.over`, says which of its values. */
    | { readonly kind: 'members'; readonly of: Expression }
    | { readonly kind: 'array'; readonly element: Type; readonly indices: readonly IndexType[] };

/** The length of a parameter may be left to its value: `[*]`. */
export type IndexType = Type | { readonly kind: 'open' };

export interface Binder {
    readonly name: string;
    readonly type: Type;
}

export type BinaryOperator =
    | 'implies'
    | '||'
    | '&&'
    | '=='
    | '!='
    | '<'
    | '<='
    | '>'
    | '>='
    | 'in'
    | 'subset'
    /** On the right the name of a case. */
    | 'is'
    | '+'
    | '-'
    | 'union'
    | 'minus'
    | '*'
    | 'div'
    | 'mod'
    | 'intersect';

export type Quantifier = 'forall' | 'exists' | 'count' | 'sum' | 'min' | 'max' | 'the';

/** What a name can stand for with indices, and the fields behind it: what can be assigned. */
export type PlaceExpression =
    | { readonly kind: 'name'; readonly name: string; readonly indices: readonly Expression[] }
    | {
          readonly kind: 'field';
          readonly record: Expression;
          readonly field: string;
          readonly indices: readonly Expression[];
      };

export type Expression =
    /** `none` is null. */
    | { readonly kind: 'literal'; readonly value: number | boolean | null }
    /** A part of an initial value. */
    | { readonly kind: 'any' }
    /** `name` is a parameter, constant, enumeration value, binder, variable, channel, or on the right of `in` a type. */
    | PlaceExpression
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
      }
    /** `e at l`, of the instance that `e` refers to; where `e` is a name with indices the text may also be `at`. */
    | { readonly kind: 'standing'; readonly reference: Expression; readonly label: string }
    /** A function, a built-in one, or a record with the values of its fields. */
    | {
          readonly kind: 'call';
          readonly name: string;
          readonly arguments: readonly Expression[];
          readonly indices: readonly Expression[];
      }
    | { readonly kind: 'array'; readonly elements: readonly Expression[] }
    | { readonly kind: 'comprehension'; readonly binders: readonly Binder[]; readonly body: Expression }
    | { readonly kind: 'set'; readonly elements: readonly SetElement[] }
    | {
          readonly kind: 'each';
          readonly binders: readonly Binder[];
          readonly where?: Expression;
          readonly body: Expression;
      };

/** One value, or all integers from it to `high`; in a bag with so many copies of each. */
export interface SetElement {
    readonly low: Expression;
    readonly high?: Expression;
    readonly copies?: Expression;
}

export type Pattern =
    | { readonly kind: 'any' }
    /** `name` where it is written as a constructor. */
    | { readonly kind: 'record'; readonly name?: string; readonly parts: readonly Pattern[] }
    /** A place is written unless `equal`; any other expression must be equal. */
    | { readonly kind: 'expression'; readonly equal: boolean; readonly value: Expression };

export type Statement =
    | { readonly kind: 'assign'; readonly target: PlaceExpression; readonly value: Expression }
    /** `s := s union { e }`, `s := s minus { e }`: of `s` it writes what is about `e`. */
    | {
          readonly kind: 'change';
          readonly target: PlaceExpression;
          readonly operator: 'union' | 'minus';
          readonly element: Expression;
      }
    | {
          readonly kind: 'if';
          readonly condition: Expression;
          readonly then: readonly Statement[];
          readonly otherwise: readonly Statement[];
      }
    | { readonly kind: 'while'; readonly condition: Expression; readonly body: readonly Statement[] }
    | {
          readonly kind: 'for';
          readonly binder: Binder;
          /** The set of whose elements it takes one after the other, as it is before the first round. */
          readonly over?: Expression;
          readonly where?: Expression;
          readonly body: readonly Statement[];
      }
    | { readonly kind: 'let'; readonly name: string; readonly value: Expression }
    | { readonly kind: 'var'; readonly variable: Variable }
    | { readonly kind: 'return'; readonly value: Expression }
    | {
          readonly kind: 'spawn';
          readonly template: string;
          readonly arguments: readonly Expression[];
          readonly target?: PlaceExpression;
      }
    | { readonly kind: 'assert'; readonly condition: Expression; readonly text?: string }
    | { readonly kind: 'run'; readonly procedure: string; readonly arguments: readonly Expression[] }
    | { readonly kind: 'skip' };

/** Where a step begins, counted from 0. */
export interface Position {
    readonly line: number;
    readonly character: number;
}

export type Communication =
    | { readonly kind: 'event'; readonly name: string; readonly arguments: readonly Expression[] }
    | { readonly kind: 'send'; readonly channel: PlaceExpression; readonly message: Expression }
    | { readonly kind: 'receive'; readonly channel: PlaceExpression; readonly pattern: Pattern };

export interface Step {
    readonly kind: 'step';
    readonly guard?: Expression;
    readonly communication?: Communication;
    readonly body: readonly Statement[];
    /** Absent in trees that were not read from a text. */
    readonly position?: Position;
}

export interface Variable {
    readonly name: string;
    readonly type: Type;
    readonly indices: readonly IndexType[];
    readonly initial:
        | { readonly kind: 'default' }
        | { readonly kind: 'any' }
        | { readonly kind: 'value'; readonly value: Expression }
        | { readonly kind: 'in'; readonly choices: Expression };
}

/** One way of a choice; with binders, one for each of their values. */
export interface Alternative {
    readonly binders: readonly Binder[];
    readonly where?: Expression;
    readonly body: readonly Control[];
}

export type Control =
    | Step
    | { readonly kind: 'loop'; readonly body: readonly Control[] }
    | { readonly kind: 'while'; readonly condition: Expression; readonly body: readonly Control[] }
    | { readonly kind: 'for'; readonly binder: Binder; readonly body: readonly Control[] }
    | {
          readonly kind: 'if';
          readonly condition: Expression;
          readonly then: readonly Control[];
          readonly otherwise: readonly Control[];
      }
    | { readonly kind: 'choose'; readonly alternatives: readonly Alternative[] }
    | { readonly kind: 'labeled'; readonly label: string; readonly isEnd: boolean; readonly control: Control }
    | { readonly kind: 'declare'; readonly variable: Variable }
    | { readonly kind: 'const' | 'let'; readonly name: string; readonly value: Expression }
    | { readonly kind: 'break' }
    | { readonly kind: 'terminate' };

export type Declaration =
    | {
          readonly kind: 'param';
          readonly name: string;
          readonly type: Type;
          readonly value: Expression;
      }
    | { readonly kind: 'const'; readonly name: string; readonly type?: Type; readonly value: Expression }
    | { readonly kind: 'type'; readonly name: string; readonly type: Type }
    | { readonly kind: 'enum'; readonly name: string; readonly values: readonly string[] }
    /** An enumeration of which some case has fields. */
    | { readonly kind: 'cases'; readonly name: string; readonly cases: readonly Omit<RecordDeclaration, 'where'>[] }
    | RecordDeclaration
    | { readonly kind: 'var'; readonly variable: Variable }
    | { readonly kind: 'init'; readonly condition: Expression }
    | InitialBody
    | { readonly kind: 'constraint'; readonly condition: Expression }
    | ChannelDeclaration
    | { readonly kind: 'event'; readonly name: string; readonly arguments: readonly Type[] }
    | FunctionDeclaration
    | ProcedureDeclaration
    | {
          readonly kind: 'process';
          readonly name: string;
          readonly indices: readonly Binder[];
          /** Of a template; absent in a family. */
          readonly parameters?: readonly Binder[];
          readonly where?: Expression;
          readonly body: readonly Control[];
      }
    | { readonly kind: 'invariant'; readonly name: string; readonly expression: Expression }
    | { readonly kind: 'allow deadlock' }
    | { readonly kind: 'deadlock free' }
    | { readonly kind: 'assert symmetric'; readonly ofValues: boolean; readonly name: string };

/** An initial state for each value of the binders. */
interface InitialBody {
    readonly kind: 'start';
    readonly name: string;
    readonly binders: readonly Binder[];
    readonly where?: Expression;
    readonly body: readonly Statement[];
}

export interface RecordDeclaration {
    readonly kind: 'record';
    readonly name: string;
    readonly fields: readonly Binder[];
    readonly where?: Expression;
}

export interface ChannelDeclaration {
    readonly kind: 'channel';
    readonly name: string;
    readonly indices: readonly Type[];
    readonly capacity: Expression;
    readonly message: Type;
    /** It delivers in any order: a bag with so many copies of each message. */
    readonly isBag?: true;
    readonly initial?: Expression;
}

export interface FunctionDeclaration {
    readonly kind: 'function';
    readonly name: string;
    readonly parameters: readonly Binder[];
    readonly result: Type;
    /** `= e` is the body `{ return e }`. */
    readonly body: readonly Statement[];
}

export interface ProcedureDeclaration {
    readonly kind: 'procedure';
    readonly name: string;
    /** With `isPlace` it is the place that is given. */
    readonly parameters: readonly (Binder & { readonly isPlace: boolean })[];
    readonly body: readonly Statement[];
}

export type ProcessDeclaration = Extract<Declaration, { kind: 'process' }>;

/** A model: its declarations in the order of the text. */
export interface Model {
    readonly name: string;
    readonly declarations: readonly Declaration[];
}
