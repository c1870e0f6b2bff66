/**
 * The typed model: what a text says once names are resolved, types are checked and parameters have values.
 * Plain readonly data; the language server produces it, linearization consumes it.
 */
import type { SourceRange } from '../common/source-range.js';
import type { Domain, Value } from './domain.js';
import type { Binder, Expression, Place } from './expression.js';

export interface Model {
    readonly name: string;
    readonly documentation: string;
    /** In the order of declaration, with the values of this run. */
    readonly parameters: readonly Parameter[];
    readonly types: readonly NamedType[];
    readonly variables: readonly Variable[];
    readonly events: readonly EventDeclaration[];
    readonly processes: readonly Process[];
    readonly invariants: readonly Invariant[];
    /** `allow deadlock` was stated: a state without a successor is no violation. */
    readonly allowsDeadlock: boolean;
    /** The name after `model`, or the whole text where it has none. */
    readonly nameRange: SourceRange;
}

export interface Parameter {
    readonly name: string;
    readonly value: Value;
    readonly domain: Domain;
    readonly nameRange: SourceRange;
}

/** A declared type; `domain.name` is its name. */
export interface NamedType {
    readonly name: string;
    readonly domain: Domain;
    readonly nameRange: SourceRange;
}

/** How a variable starts. A scalar fills an array; without an initializer a cell holds the first value of its type. */
export type Initializer =
    | { readonly kind: 'default' }
    | { readonly kind: 'any'; readonly range: SourceRange }
    | { readonly kind: 'value'; readonly expression: Expression };

/** A shared variable or, inside a process, a local one. `indices` is empty for a scalar. */
export interface Variable {
    readonly name: string;
    readonly documentation: string;
    readonly element: Domain;
    readonly indices: readonly Domain[];
    readonly initializer: Initializer;
    readonly range: SourceRange;
    readonly nameRange: SourceRange;
}

export interface EventDeclaration {
    readonly name: string;
    readonly arguments: readonly Domain[];
    readonly nameRange: SourceRange;
}

/** A family with one instance for each valuation of `indices` that satisfies `where`; one instance without indices. */
export interface Process {
    readonly name: string;
    readonly documentation: string;
    readonly indices: readonly Binder[];
    readonly where?: Expression;
    readonly locals: readonly Variable[];
    readonly body: readonly Control[];
    readonly range: SourceRange;
    readonly nameRange: SourceRange;
}

/** Control flow: what connects steps and costs no transition of its own. */
export type Control =
    | Step
    | { readonly kind: 'loop'; readonly body: readonly Control[]; readonly range: SourceRange }
    | {
          readonly kind: 'while';
          readonly condition: Expression;
          readonly body: readonly Control[];
          readonly range: SourceRange;
      }
    | {
          readonly kind: 'if';
          readonly condition: Expression;
          readonly then: readonly Control[];
          readonly otherwise: readonly Control[];
          readonly range: SourceRange;
      }
    | {
          readonly kind: 'choose';
          readonly alternatives: readonly (readonly Control[])[];
          readonly range: SourceRange;
      }
    | {
          readonly kind: 'labeled';
          readonly label: string;
          readonly control: Control;
          readonly range: SourceRange;
          readonly labelRange: SourceRange;
      }
    /** A declaration at the head of the body is initialized in the initial state, others by the step that follows. */
    | { readonly kind: 'declare'; readonly local: number; readonly range: SourceRange }
    | { readonly kind: 'break'; readonly range: SourceRange };

/** One atomic transition: guard, event, body run to completion. */
export interface Step {
    readonly kind: 'step';
    readonly guard?: Expression;
    readonly event?: {
        /** Index into `Model.events`. */
        readonly event: number;
        readonly arguments: readonly Expression[];
        readonly range: SourceRange;
    };
    readonly body: readonly Statement[];
    readonly range: SourceRange;
}

/** Inside a step. */
export type Statement =
    | {
          readonly kind: 'assign';
          readonly target: Place;
          readonly value: Expression;
          readonly range: SourceRange;
      }
    | {
          readonly kind: 'if';
          readonly condition: Expression;
          readonly then: readonly Statement[];
          readonly otherwise: readonly Statement[];
          readonly range: SourceRange;
      }
    | { readonly kind: 'assert'; readonly condition: Expression; readonly range: SourceRange }
    | { readonly kind: 'skip'; readonly range: SourceRange };

export interface Invariant {
    readonly name: string;
    readonly expression: Expression;
    readonly documentation: string;
    readonly range: SourceRange;
    readonly nameRange: SourceRange;
}
