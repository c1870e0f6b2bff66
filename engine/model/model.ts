/** The typed model: names resolved, types checked, parameters with values. Made by the language server. */
import type { SourceRange } from '../common/source-range.js';
import { isNames, type Domain, type Value } from './domain.js';
import type { Binder, ChannelPlace, Expression, Place, Temporary } from './expression.js';
import type { Expectation, StatedRun } from './meant.js';
import type { Assumption, Fairness, Property } from './temporal.js';
import type { ValueFormat } from './value-format.js';

/** A typed model without errors. */
export interface Model {
    readonly name: string;
    readonly documentation: string;
    /** In the order of declaration, with the values of this run. */
    readonly parameters: readonly Parameter[];
    readonly types: readonly NamedType[];
    readonly variables: readonly Variable[];
    readonly channels: readonly ChannelDeclaration[];
    /** The types whose values are channels. */
    readonly channelTypes: readonly ChannelType[];
    readonly events: readonly EventDeclaration[];
    readonly functions: readonly FunctionDeclaration[];
    /** The statements that compute initial states from the initializers; of several one runs. */
    readonly initialBodies: readonly InitialBody[];
    /** The conditions of initial states, besides the initializers. */
    readonly initialConditions: readonly Expression[];
    /** What no step makes false: a step that would is not taken. Initial states satisfy them, too. */
    readonly constraints: readonly Expression[];
    readonly processes: readonly Process[];
    readonly invariants: readonly Invariant[];
    readonly properties: readonly Property[];
    readonly assumptions: readonly Assumption[];
    /** Absent if nothing is asked. */
    readonly asked?: readonly AskedValue[];
    readonly runs: readonly StatedRun[];
    /** What is meant, also where it is not meant for these values. */
    readonly expectations: readonly Expectation[];
    /** The run that the last variable follows (sequential/runs/observed-run.ts). */
    readonly observed?: StatedRun;
    /** The statements of the model about its own symmetries. */
    readonly symmetryAssertions: readonly SymmetryAssertion[];
    /** `allow deadlock` was stated: a state without a successor is no violation. */
    readonly allowsDeadlock: boolean;
    /** What the author says about assertions that fail. */
    readonly assertionTexts: readonly AssertionText[];
    /** The name after `model`, or the whole text where it has none. */
    readonly nameRange: SourceRange;
}

/** `assert c, "text"`: the range of a fault is that of the assertion. */
export interface AssertionText {
    readonly text: string;
    readonly range: SourceRange;
}

/** A parameter with its value in this run. */
export interface Parameter {
    readonly name: string;
    readonly value: ParameterValue;
    /** The value as the text would write it: `5`, `[3, 3, 2]`. */
    readonly text: string;
    readonly nameRange: SourceRange;
}

/** A value for a reader: integers and truth values as they are, names as texts, `none` as null, arrays and records. */
export type ParameterValue =
    number | boolean | string | null | readonly ParameterValue[] | { readonly [field: string]: ParameterValue };

/** A declared type; `domain.name` is its name. */
export interface NamedType {
    readonly name: string;
    readonly domain: Domain;
    readonly nameRange: SourceRange;
    /** The condition on the fields, for a record that does not allow all values. */
    readonly whereRange?: SourceRange;
}

/** How a variable starts; without an initializer a cell holds the first value of its type. */
export type Initializer =
    | { readonly kind: 'default' }
    | { readonly kind: 'any'; readonly range: SourceRange }
    /** Each cell starts with one of its list, or of the one list for all; a field may read the fields before it. */
    | { readonly kind: 'oneOf'; readonly choices: readonly (readonly Expression[])[]; readonly range: SourceRange }
    /** One value that fills all cells, or one for each cell, row by row. */
    | { readonly kind: 'value'; readonly expressions: readonly Expression[]; readonly range: SourceRange };

/** An initial state for each valuation of the indices that satisfies `where`. */
export interface InitialBody {
    readonly name: string;
    readonly indices: readonly Binder[];
    readonly where?: Expression;
    readonly body: readonly Statement[];
    readonly range: SourceRange;
    readonly nameRange: SourceRange;
}

/** A variable, shared or local to a process: a scalar or an array. A record type gives one for each scalar field. */
export interface Variable {
    /** As the declaration writes it, with the fields: `node.next`. */
    readonly name: string;
    /** Of `node[2].next`: `[{ text: 'node', indices: 1 }, { text: '.next', indices: 0 }]`. */
    readonly segments: readonly Segment[];
    readonly documentation: string;
    readonly element: Domain;
    readonly indices: readonly Domain[];
    /** Its cells hold a value only in one case. */
    readonly within?: Within;
    /** Of a case: how its value is written with those of the fields. */
    readonly format?: ValueFormat<PartPlace>;
    readonly initializer: Initializer;
    readonly range: SourceRange;
    readonly nameRange: SourceRange;
}

/** A part of a name with its indices. */
export interface Segment {
    readonly text: string;
    readonly indices: number;
    /** The index is a value in a set or a bag, which a reader sees as one: `2 in heard`, `net[2]`. Only the last one. */
    readonly member?: 'set' | 'bag';
    /** It is the length of what is named before: `len(sent)`. */
    readonly isLength?: boolean;
}

/**
 * A part that has a value only where a variable or a scalar before it says so: a field of one case, or a place of a sequence
 * below its length. The indices of a variable begin with those of the case or the length.
 */
export interface Within {
    /** Index among the variables or the locals. */
    readonly of: number;
    /** The case; undefined for places, whose number is the next index. */
    readonly value?: Value;
}

/** The same of a single scalar: it has a value only where the cell or the scalar `of` has this one, or one above it. */
export interface PlacedWithin {
    readonly of: number;
    readonly operator: '==' | '>';
    readonly value: Value;
}

/** A part of a value: so many variables behind that of the case, and its row among those of one value. */
export interface PartPlace {
    readonly behind: number;
    readonly row: number;
}

/** A channel or an array of channels. */
export interface ChannelDeclaration {
    readonly name: string;
    readonly documentation: string;
    readonly indices: readonly Domain[];
    /** The number of messages it can hold; 0 for a rendezvous. */
    readonly capacity: number;
    /** The scalars of a message: one for a scalar, one for each field of a record, each element of an array. */
    readonly message: readonly MessageScalar[];
    /** The parts of a message: arrays of scalars, by the first one, with their name behind that of the message. */
    readonly leaves: readonly {
        readonly first: number;
        readonly element: Domain;
        readonly indices: readonly Domain[];
        readonly segments: readonly Segment[];
    }[];
    /** For the length and each part of a message, as for variables; empty where all channels begin without messages. */
    readonly initializers: readonly Initializer[];
    readonly range: SourceRange;
    readonly nameRange: SourceRange;
}

/** One of the values that make up a message. */
export interface MessageScalar {
    /** What follows the name of a slot: empty for a scalar message, else `.kind`, `.data[1]`. */
    readonly suffix: string;
    /** Of a set or a bag: the value whose presence or count it is. */
    readonly member?: { readonly of: 'set' | 'bag'; readonly element: string };
    /** The parts of its name behind that of the message, their indices, and the values of these. */
    readonly segments: readonly Segment[];
    readonly indices: readonly Domain[];
    readonly values: readonly Value[];
    readonly domain: Domain;
    readonly within?: PlacedWithin;
    /** Of a case, over the scalars of the message. */
    readonly format?: ValueFormat<number>;
}

/** A type whose values are the channels with certain messages. */
export interface ChannelType {
    /** An enumeration; its names are the channels as the text writes them. */
    readonly domain: Domain;
    /** By code: the channel and the element of it, row by row. */
    readonly members: readonly { readonly channel: number; readonly position: number }[];
}

/** A function without effects. */
export interface FunctionDeclaration {
    readonly name: string;
    readonly documentation: string;
    /** An argument of a record type comes as several. */
    readonly parameters: readonly Temporary[];
    /** The scalars or arrays of scalars that it returns: one for a scalar, one for each field of a record. */
    readonly results: readonly { readonly element: Domain; readonly indices: readonly Domain[] }[];
    readonly body: readonly Statement[];
    readonly range: SourceRange;
    readonly nameRange: SourceRange;
}

/** An event with the domains of its arguments. */
export interface EventDeclaration {
    readonly name: string;
    readonly arguments: readonly Domain[];
    /** For each value of the arguments. */
    readonly fairness?: Fairness;
    readonly nameRange: SourceRange;
}

/**
 * A family with one instance for each valuation of `indices` that satisfies `where`; one instance without indices. Of a
 * template the one index is `self`, and its instances are the slots of those that live; none does at first. A type whose
 * values have no end is a template without a text: its instances end as they come to be, and their names remain.
 */
export interface Process {
    readonly name: string;
    readonly documentation: string;
    readonly indices: readonly Binder[];
    readonly where?: Expression;
    /** For each instance: it takes part in steps. */
    readonly fairness?: Fairness;
    readonly locals: readonly Variable[];
    /** Of a template: the first so many locals are the parameters, which `spawn` gives their values. */
    readonly template?: { readonly parameters: number };
    readonly body: readonly Control[];
    readonly range: SourceRange;
    readonly nameRange: SourceRange;
}

/** Control flow: connects steps without transitions of its own. */
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
    /** The rest of the alternative exists only if the condition holds: the `where` of a choice. */
    | { readonly kind: 'assume'; readonly condition: Expression; readonly range: SourceRange }
    /** Runs once for each value of the binder, in the order of the codes. */
    | {
          readonly kind: 'for';
          readonly binder: Binder;
          readonly body: readonly Control[];
          readonly range: SourceRange;
      }
    | {
          readonly kind: 'labeled';
          /** `end`: the instance may stop here. */
          readonly isEnd: boolean;
          readonly label: string;
          /** For each instance: it takes this step. Only before a step. */
          readonly fairness?: Fairness;
          readonly control: Control;
          readonly range: SourceRange;
          readonly labelRange: SourceRange;
      }
    /** A declaration at the head of the body is initialized in the initial state, others by the step that follows. */
    | { readonly kind: 'declare'; readonly local: number; readonly range: SourceRange }
    | { readonly kind: 'break'; readonly range: SourceRange }
    | { readonly kind: 'terminate'; readonly range: SourceRange };

/** One atomic transition: the guard, the communication and the body, which runs to completion. */
export interface Step {
    readonly kind: 'step';
    readonly guard?: Expression;
    readonly communication?: Communication;
    /** What it sends or receives at a channel without order; guard and body do the rest. */
    readonly message?: MessageOfBag;
    readonly body: readonly Statement[];
    readonly range: SourceRange;
}

/** A message of a channel without order, as the step that sends or receives it knows it. */
export interface MessageOfBag {
    /** Of the messages. */
    readonly domain: Domain;
    readonly value: Expression;
}

/** The communication of a step: an event, or a send or a receive on a channel. */
export type Communication =
    | {
          readonly kind: 'event';
          /** Index into `Model.events`. */
          readonly event: number;
          readonly arguments: readonly Expression[];
          readonly range: SourceRange;
      }
    | {
          readonly kind: 'send';
          readonly channel: ChannelPlace;
          /** One for each scalar of the message. */
          readonly values: readonly Expression[];
          readonly range: SourceRange;
      }
    | {
          readonly kind: 'receive';
          readonly channel: ChannelPlace;
          /** Over `message` expressions: whether the pattern matches. */
          readonly tests: readonly Expression[];
          /** Over `message` expressions; assigned in order, before the body. */
          readonly bindings: readonly { readonly target: Place; readonly value: Expression }[];
          readonly range: SourceRange;
      };

/** Inside a step or a function. */
export type Statement =
    /** All values are evaluated, then all cells are written: one for a scalar, more for a record or an array. */
    | {
          readonly kind: 'assign';
          readonly assignments: readonly { readonly target: Place; readonly value: Expression }[];
          readonly range: SourceRange;
      }
    /** Gives names of the body their first values, row by row. All values are evaluated before. */
    | {
          readonly kind: 'declare';
          readonly declarations: readonly { readonly temporary: Temporary; readonly values: readonly Expression[] }[];
          readonly range: SourceRange;
      }
    /** A loop that repeats a state is a fault. */
    | {
          readonly kind: 'while';
          readonly condition: Expression;
          readonly body: readonly Statement[];
          readonly range: SourceRange;
      }
    | {
          readonly kind: 'for';
          readonly binder: Binder;
          readonly body: readonly Statement[];
          readonly range: SourceRange;
      }
    /** In a function only: for each result its values, row by row. */
    | {
          readonly kind: 'return';
          readonly values: readonly (readonly Expression[])[];
          readonly range: SourceRange;
      }
    | {
          readonly kind: 'if';
          readonly condition: Expression;
          readonly then: readonly Statement[];
          readonly otherwise: readonly Statement[];
          readonly range: SourceRange;
      }
    /** Creates an instance of a template, or a value without end that nobody holds. At the top of a body or under `if`. */
    | {
          readonly kind: 'spawn';
          /** Index into `Model.processes`. */
          readonly process: number;
          /** One for each parameter. */
          readonly arguments: readonly Expression[];
          /** The variable that holds the reference afterwards. */
          readonly target?: Place;
          readonly range: SourceRange;
      }
    /**
     * The assignments for each valuation of the binders, over instances that live; all values are evaluated before, then
     * all cells are written: `used := [w in W: false]`.
     */
    | {
          readonly kind: 'fill';
          readonly binders: readonly Binder[];
          readonly assignments: readonly { readonly target: Place; readonly value: Expression }[];
          readonly range: SourceRange;
      }
    | { readonly kind: 'assert'; readonly condition: Expression; readonly range: SourceRange }
    | { readonly kind: 'skip'; readonly range: SourceRange };

/** A value that a reader asks of states, by its scalars; `format` names them by their positions. */
export interface AskedValue<Scalar = Expression> {
    readonly format: ValueFormat<number>;
    /** It is asked of all states from the start, so locals that it names hold their values as long as a property needs them. */
    readonly fromStart?: true;
    readonly scalars: readonly { readonly expression: Scalar; readonly domain: Domain }[];
}

/** A property that is to hold in every reachable state. */
export interface Invariant {
    readonly name: string;
    readonly expression: Expression;
    readonly documentation: string;
    readonly range: SourceRange;
    readonly nameRange: SourceRange;
}

/** Whether a process is a type whose values have no end. */
export function isTypeOfNames({ template, indices: [self] }: Process): boolean {
    return template !== undefined && self !== undefined && isNames(self.domain);
}

/** `assert symmetric`. */
export interface SymmetryAssertion {
    readonly subject: AssertedSubject;
    readonly range: SourceRange;
}

/** The subject of an `assert symmetric`. */
export type AssertedSubject =
    /** All instances of a family, an index into `Model.processes`, are interchangeable. */
    | { readonly kind: 'instances'; readonly process: number }
    /** All values of a declared type are, wherever they stand. */
    | { readonly kind: 'type-values'; readonly domain: Domain }
    /** All values of one shared variable are, in all its cells; an index into `Model.variables`. */
    | { readonly kind: 'variable-values'; readonly variable: number };

/** `deadlock` if it is checked, the invariants, the properties of runs, and the runs that are to exist. */
export function propertyNames({ allowsDeadlock, invariants, properties, runs }: Model): readonly string[] {
    const stated = [...invariants, ...properties, ...runs];
    return [...(allowsDeadlock ? [] : ['deadlock']), ...stated.map(({ name }) => name)];
}
