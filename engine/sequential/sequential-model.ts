/**
 * The sequential model: a list of guarded summands over a flat vector of cells, without communication, families,
 * quantifiers and control flow. Symmetry detection and exploration both read it.
 *
 * - Expressions are specialized to their instance: no binders, quantifiers expanded.
 * - Cells are numbered: shared variables, channels, by instance its locals and its program counter, temporaries.
 * - Summands are ordered by instance (first participant), location and place in the text.
 * - A dead local holds NO_VALUE after each summand and initially. A shared cell of instances of which one does not live
 *   holds what it begins with.
 */
import type { SourceRange } from '../common/source-range.js';
import type { Domain, Value } from '../model/domain.js';
import type { BinaryOperator } from '../model/expression.js';
import type { AskedValue, AssertionText, PlacedWithin } from '../model/model.js';
import type { ValueFormat } from '../model/value-format.js';

/** A model as guarded summands over cells. */
export interface SequentialModel {
    readonly name: string;
    readonly cells: readonly Cell[];
    readonly instances: readonly Instance[];
    readonly summands: readonly Summand[];
    /** In the order of evaluation: an initial value may read the cells before it. One entry for each cell. */
    readonly initial: readonly InitialCell[];
    /** The conditions of initial states. If none is false, a fault in one of them is a fault of the initial states. */
    readonly initialConditions: readonly SequentialExpression[];
    /** A firing into a state in which it is false is not taken: the fault `outside`. Initial states satisfy it. */
    readonly constraint?: SequentialConstraint;
    /** The initial values that statements compute; one of the conditions says the same. Absent if there are none. */
    readonly startList?: StartList;
    readonly invariants: readonly SequentialInvariant[];
    /** Absent if nothing is asked. */
    readonly asked?: readonly AskedValue<SequentialExpression>[];
    /** The runs that are to exist whose states alone show it; a search has those it looks for among the invariants. */
    readonly runs: readonly SequentialInvariant[];
    readonly properties: readonly TemporalProperty[];
    /** Constraints that a run must meet to count. */
    readonly fairness: readonly FairnessConstraint[];
    readonly allowsDeadlock: boolean;
    readonly assertionTexts: readonly AssertionText[];
    /** The processes whose instances are created; absent if there are none. */
    readonly templates?: readonly TemplateSlots[];
    /** What the text asks of its numbers without end; absent if there are none. */
    readonly numbers?: NumberFacts;
}

/** Numbers that meet by assignments, comparisons, messages. */
export interface NumberSort {
    /** Ascending; no temporary is among them. */
    readonly cells: readonly number[];
    /** Whether 0 is always one of the numbers, since constants are compared with them or assigned. */
    readonly told: boolean;
    /** The largest constant among the distances to 0. */
    readonly most: number;
    /** The largest distance of two numbers that a comparison looks at. */
    readonly look: number;
    /** How far a firing may look beyond a number that it adds to. */
    readonly reach: number;
    /** The least common multiple of the moduli. */
    readonly modulus: number;
}

export interface NumberFacts {
    readonly sorts: readonly NumberSort[];
    /** By summand: how many different sums a firing may keep; the sorts to which they belong. */
    readonly sums: readonly { readonly count: number; readonly sorts: readonly number[] }[];
    /** The most numbers that one firing, invariant or condition mentions. */
    readonly mentioned: number;
    /** The largest constant that a step adds to a number, or assigns to it. */
    readonly assigned: number;
    /** The largest number that an initial value may be. */
    readonly first: number;
}

/**
 * The slots of a template: its instances, of which some live. A slot is free if its instance does not live, no cell names
 * it, and the text does not.
 */
export interface TemplateSlots {
    /** Index into `Model.processes`. */
    readonly process: number;
    readonly name: string;
    /** By slot: the instance, its counter, and the location of those that do not live. */
    readonly slots: readonly { readonly instance: number; readonly counter: number; readonly ended: number }[];
    /** The cells that may hold a reference: its value is the slot. Ascending. */
    readonly holders: readonly number[];
    /** Of a type whose values have no end: the first so many slots have names in the text. Absent for processes. */
    readonly named?: number;
    /** The most slots in use in one of the states that a search has expanded. */
    readonly usage: TemplateUsage;
}

interface TemplateUsage {
    /** Instances that live. */
    mostLive: number;
    /** Those that live or are named by a cell. */
    mostNamed: number;
}

/** Codes of a cell from the least to the greatest, NO_VALUE included. Empty if `least` is above `most`. */
export interface CodeRange {
    readonly least: number;
    readonly most: number;
}

/** A scalar of the state vector. */
export interface Cell {
    /** As the model writes it: `token[0]`, `node[2].next`, `P[1].k`; `P[1].at`, `len(queue[1])`, `queue[1][0].kind`. */
    readonly name: string;
    /** Of an element of a set: the name of the set, and the element. */
    readonly member?: { readonly set: string; readonly element: string };
    readonly domain: Domain;
    /** A channel has a cell for its length and one for each scalar of each slot. A temporary holds no value between steps. */
    readonly kind: 'shared' | 'channel' | 'local' | 'counter' | 'temporary';
    /** Index in `Model.variables`, `Model.channels` or `Process.locals`; -1 for a program counter or a temporary. */
    readonly variable: number;
    /** Index into `SequentialModel.instances`; -1 for shared cells. */
    readonly instance: number;
    /** The values of the array indices, empty for a scalar. In a channel, the slot and the scalar follow; the length has none. */
    readonly indices: readonly Value[];
    /** Some state gives it no value (code NO_VALUE). */
    readonly mayBeAbsent: boolean;
    /** It is a field of one case or a place of a sequence, and holds no value where there is none. */
    readonly within?: PlacedWithin;
    /** Of a case: how its value is written with those of the fields, by cells. */
    readonly format?: ValueFormat<number>;
    /** It is a local of the instance of a template, and holds no value while that does not live. */
    readonly isCreated?: true;
    /** Of the counter of an instance that is created: the location of one that does not live. */
    readonly ended?: number;
    /** The codes that the cell ever holds, if a pass has narrowed them. Absent if all are possible. */
    readonly codes?: CodeRange;
    /** The name in the declaration. */
    readonly declaration: SourceRange;
}

/** A process with values for its indices. */
export interface Instance {
    /** `P[1]` or `Database`. */
    readonly name: string;
    /** Index into `Model.processes`. */
    readonly process: number;
    /** The values of the family's indices. */
    readonly indices: readonly Value[];
    readonly locations: readonly Location[];
    /** The cell of the program counter, or -1 if there is only one location. */
    readonly counter: number;
    /** Whether it may stop, at an exit or an `end` label; a state without a step in which one may not is a deadlock. */
    readonly mayStop: SequentialExpression;
}

/** A point of control between steps. */
export interface Location {
    /** The label of the first step that follows, else its event, else `line 12`; `end` if no step follows. */
    readonly name: string;
    readonly range: SourceRange;
}

/**
 * The kinds of faults. Three are no faults of the model: `slots`, too few slots are free, `numbers`, a number without end is
 * beyond the codes that the search has, and `outside`, a firing that the constraint cuts off.
 */
export type FaultKind =
    | 'index'
    | 'range'
    | 'division'
    | 'overflow'
    | 'assert'
    | 'race'
    | 'undefined'
    | 'endless'
    | 'case'
    | 'slots'
    | 'numbers'
    | 'outside';

/**
 * Evaluated from left to right. `and`, `or`, `conditional` stop when the result is known; the rest is no fault. Operands of
 * `all`, `some`, `count`, `sum`, `min`, `max`, `the` have no order: all are evaluated, and of several faults the first of
 * FaultKind counts.
 */
export type SequentialExpression =
    | { readonly kind: 'constant'; readonly value: Value }
    | {
          readonly kind: 'cell';
          readonly cell: number;
          /** It is evaluated only in states in which it is not `none`; a read in another one is like one of no value. */
          readonly isPresent?: true;
          readonly range: SourceRange;
      }
    | ElementPlace
    | { readonly kind: 'not'; readonly operand: SequentialExpression; readonly range: SourceRange }
    | { readonly kind: 'negate'; readonly operand: SequentialExpression; readonly range: SourceRange }
    | {
          readonly kind: 'binary';
          readonly operator: Exclude<BinaryOperator, 'and' | 'or' | 'implies'>;
          readonly left: SequentialExpression;
          readonly right: SequentialExpression;
          readonly range: SourceRange;
      }
    | {
          readonly kind: 'and' | 'or';
          /** Two or more, none of them of the same kind. */
          readonly operands: readonly SequentialExpression[];
          readonly range: SourceRange;
      }
    /** Whether all operands are true, or some. */
    | {
          readonly kind: 'all' | 'some';
          readonly operands: readonly SequentialExpression[];
          readonly range: SourceRange;
      }
    | {
          readonly kind: 'conditional';
          readonly condition: SequentialExpression;
          readonly then: SequentialExpression;
          readonly otherwise: SequentialExpression;
          readonly range: SourceRange;
      }
    /** The option at the code of the index; an index outside `domain` is the fault `index`. Only that option is evaluated. */
    | {
          readonly kind: 'select';
          readonly index: SequentialExpression;
          readonly domain: Domain;
          /** One for each code. */
          readonly options: readonly SequentialExpression[];
          readonly range: SourceRange;
      }
    /**
     * The number of true operands; the sum, least or greatest, or the value that all have. NONE is skipped; if all are, or
     * two values of `the` differ, it is `undefined`.
     */
    | {
          readonly kind: 'count' | 'sum' | 'min' | 'max' | 'the';
          readonly operands: readonly SequentialExpression[];
          readonly range: SourceRange;
      }
    /** Whether the cell holds this value; false if it holds none. */
    | { readonly kind: 'holds'; readonly cell: number; readonly value: Value; readonly range: SourceRange }
    /**
     * The free slot with so many free ones before it; if there is none, the fault `slots`. Those that choices on the path
     * have `taken` are not free. Only on a path.
     */
    | {
          readonly kind: 'fresh';
          readonly template: TemplateSlots;
          readonly before: number;
          readonly taken: readonly number[];
          readonly range: SourceRange;
      }
    /**
     * Whether a choice may take this slot: it is not free, or an earlier choice has `taken` it, or it is the first free one
     * that none has. If there is none of these, the fault `slots`. The cells in `own` hold what the choice gives them.
     */
    | {
          readonly kind: 'choosable';
          readonly template: TemplateSlots;
          readonly slot: number;
          readonly taken: readonly number[];
          readonly own: readonly number[];
          readonly range: SourceRange;
      }
    /** Always this fault (an index known to be outside its type, in a branch that may not be reached). */
    | { readonly kind: 'fault'; readonly fault: FaultKind; readonly range: SourceRange };

/** An element of an array whose index is not known before the run; an index outside its domain is the fault `index`. */
export interface ElementPlace {
    readonly kind: 'element';
    /** The cells of the array, row by row. */
    readonly cells: readonly number[];
    readonly indices: readonly SequentialExpression[];
    /** The domain of each index; their sizes multiply to `cells.length`. */
    readonly domains: readonly Domain[];
    /** As of a cell, for a read. */
    readonly isPresent?: true;
    readonly range: SourceRange;
}

/** A fixed cell, or an element of an array. */
export type SequentialPlace = { readonly kind: 'cell'; readonly cell: number } | ElementPlace;

/** A statement of the body of a step. */
export type SequentialStatement =
    /** A value outside the cell's domain is the fault `range`. */
    | {
          readonly kind: 'assign';
          readonly target: SequentialPlace;
          readonly value: SequentialExpression;
          readonly range: SourceRange;
      }
    /** The cell holds no value from here on. */
    | { readonly kind: 'clear'; readonly cell: number }
    | {
          readonly kind: 'if';
          readonly condition: SequentialExpression;
          readonly then: readonly SequentialStatement[];
          readonly otherwise: readonly SequentialStatement[];
          readonly range: SourceRange;
      }
    /** A loop that repeats a state is the fault `endless`. */
    | {
          readonly kind: 'while';
          readonly condition: SequentialExpression;
          readonly body: readonly SequentialStatement[];
          readonly range: SourceRange;
      }
    | { readonly kind: 'assert'; readonly condition: SequentialExpression; readonly range: SourceRange };

/** A test or an initialization of a local on the path from a location to a step. */
export type PathElement =
    | { readonly kind: 'test'; readonly condition: SequentialExpression }
    | {
          readonly kind: 'assign';
          readonly cell: number;
          readonly value: SequentialExpression;
          readonly range: SourceRange;
      };

/** The part of one instance in a summand. */
export interface Participant {
    /** Index into `SequentialModel.instances`. */
    readonly instance: number;
    /** Index into the instance's locations. */
    readonly source: number;
    readonly target: number;
    /**
     * In order before the step: tests and initializations, the guard, for an event the comparison of variable
     * arguments. The first test is `counter = source`, if there is a counter; it never faults.
     */
    readonly path: readonly PathElement[];
    /** The body, then the move of the program counter, then `clear` for each local that is dead at the target. */
    readonly body: readonly SequentialStatement[];
    readonly label?: string;
    /** The values that it chooses on its path, `k = 2`; absent without a choice. */
    readonly choice?: string;
    /** The tests of the text on the path, with their outcomes; absent if there are none. */
    readonly branches?: readonly Branch[];
    /** The step in the text. */
    readonly range: SourceRange;
}

/** A test of an `if`, a `while` or a `where` that is not decided before the run. */
interface Branch {
    /** Its condition. */
    readonly range: SourceRange;
    readonly outcome: boolean;
}

/**
 * A guarded command: if every participant's path holds, all bodies run, each on its own copy of the state, and their
 * writes are united. Bodies write disjoint cells and read no cell that another one writes. A path runs on this copy
 * too, so the path of a receiver reads the cells of the sender as they are before the step. The order of the
 * participants does not matter. Each path is true, false or a fault on its own. If one is false, the summand does not
 * fire; otherwise it is a fault, without a successor, if a path or a body is one; of several kinds the first of
 * FaultKind counts.
 */
export interface Summand {
    /** Its name in a trace: the label, else the event `get[0, 1]`, else `line 12`. */
    readonly label: string;
    /** The event, an index into `Model.events`, and the codes of its arguments; absent for other steps. */
    readonly event?: { readonly event: number; readonly codes: readonly number[] };
    /** In the order of the instances: one, or the partners of an event. */
    readonly participants: readonly Participant[];
    /** What it sends or receives; absent for other steps, and in models that passes have made. */
    readonly message?: SummandMessage;
}

/** A message, by the state before the step in which the path of one participant has given values to its locals. */
export interface SummandMessage {
    /** Index in `participants`. */
    readonly by: number;
    /** Index in `Model.channels`, or the domain of the messages of a channel without order, each a scalar. */
    readonly channel: number | Domain;
    /** One for each scalar. That of a field that is not there is not evaluated. */
    readonly scalars: readonly SequentialExpression[];
}

/** A cell with what it holds at first. */
export interface InitialCell {
    readonly cell: number;
    readonly value: InitialValue;
    /** The cell holds no value where this is false, and `value` is not evaluated. */
    readonly isPresent?: SequentialExpression;
}

/** The values that a cell may hold at first. */
export type InitialValue =
    | { readonly kind: 'any' }
    /** Any of these values, each at most once; a value outside the cell's domain is a fault. */
    | { readonly kind: 'oneOf'; readonly expressions: readonly SequentialExpression[]; readonly range: SourceRange }
    | { readonly kind: 'none' /* no value: a dead local, an empty slot, a temporary */ }
    | { readonly kind: 'value'; readonly expression: SequentialExpression; readonly range: SourceRange };

/** All constraints of the model together. */
interface SequentialConstraint {
    readonly expression: SequentialExpression;
    /** The first one. */
    readonly range: SourceRange;
}

/** Cells that begin as in one row of a list. */
export interface StartList {
    /** In the order of their initial values. */
    readonly cells: readonly number[];
    /** By row the code of each cell; no row twice. */
    readonly rows: readonly (readonly number[])[];
    /** That the cells are as in some row. */
    readonly condition: SequentialExpression;
}

/** A condition that is to hold in every reachable state. */
export interface SequentialInvariant {
    readonly name: string;
    /** `run`: the negation of the condition of a run that is to exist. */
    readonly kind: 'invariant' | 'run';
    /** Of an image of a run under symmetries: the run. */
    readonly imageOf?: string;
    readonly expression: SequentialExpression;
    /** The name in the declaration. */
    readonly range: SourceRange;
}

/**
 * What is said of runs, over *atoms* that are true or false at a position of a run: its state, and the firing that leaves
 * it. Quantifiers are expanded. In negation normal form `always p` is `false release p`, `eventually p` is
 * `true until p`, and `p weak until q` is `q release (p or q)`.
 */
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
