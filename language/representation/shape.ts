/**
 * What a type of values says of itself: the cells of a place, its values before a run, and its values as expressions
 * for scalars, which is all that the engine's model has. typing/constants.ts makes the shapes of a text.
 *
 * A shape answers by itself and is no case in a list elsewhere: a record asks its fields, which are of any type. Each
 * type is a file of this folder, with its shape, its values before a run, and its values of expressions.
 *
 * Invariant: the element of an array is no array; `T[I][J]` is `T[I, J]`.
 */
import type { SourceRange } from '../../engine/common/source-range.js';
import { NONE, type Domain, type Value } from '../../engine/model/domain.js';
import type { Expression } from '../../engine/model/expression.js';
import type { ParameterValue, PartPlace, Variable } from '../../engine/model/model.js';
import type { ValueFormat } from '../../engine/model/value-format.js';

export abstract class Shape {
    /** The index types of an array, at least one; none for all other shapes. */
    readonly indices: readonly Domain[] = [];

    /** Of an array the shape of its elements, else the shape itself. */
    get element(): Shape {
        return this;
    }

    /** The type of a place of this shape. */
    abstract get type(): Type;

    get isOptional(): boolean {
        return false;
    }

    /** The scalars that a place is split into, in the order of the text. */
    abstract leaves(): readonly Leaf[];

    /** The number of scalars of a place. Each cell of an array counts. */
    abstract scalarCount(): number;

    /** Whether no value has this shape: its type is empty for the present values of the parameters. */
    abstract hasNoValue(): boolean;

    /** Whether a place may hold a reference to an instance. */
    abstract holdsReference(): boolean;

    /** Whether two shapes have the same values. Records and enumerations must be of one declaration. */
    abstract isSame(other: Shape): boolean;

    /** The shape with `none`; undefined if its values do not fit into one cell. */
    abstract withNone(): Shape | undefined;

    /** The places that one index more than those of an array names: the counts of a bag. */
    inner(): InnerPlace | undefined {
        return undefined;
    }

    /** How messages name it: `0 .. 3[Proc]`, `Node`, `channel of Message`. */
    abstract format(): string;

    /** The same in backticks, of a scalar with its values: `` `Agent` (0 .. 4) ``. */
    describe(): string {
        return `\`${this.format()}\``;
    }

    /** Its values in a phrase: `2 values: 0, 1`; of an array `5 cells, each 2 values: 0, 1`. */
    abstract describeValues(): string;

    /** The parts that a place is split into, and where to state a symmetry of them; undefined if it is one cell. */
    describeParts(): string | undefined {
        return undefined;
    }

    /**
     * The domain of values that must fit into one cell: an index, a variable of a quantifier, the argument of an event,
     * the base of an optional type.
     */
    abstract oneCell(): Domain | NotAtomic;

    /** The shape of a place that holds a value in one cell. */
    abstract asCell(): CellShape;

    /** The value that one cell stores as a number. The inverse of `cellValueOf`. */
    abstract constantOfCell(value: Value): ConstantValue;

    /** The value with the index types of this shape; undefined if it is of another kind. */
    abstract constantAs(value: ConstantValue): ConstantValue | undefined;

    /** The first part of a value outside of its type: a scalar, or a record that its `where` excludes. */
    abstract misfit(value: ConstantValue): Misfit | undefined;

    /** The value of a variable without an initializer: the lowest value, `false`, the first name or `none` in each cell. */
    abstract firstValue(): ConstantValue | undefined;

    /** The type of one value. */
    typeOf(value: ConstantValue): Type {
        return value === NONE ? { kind: 'none' } : this.type;
    }

    /** A value as the text would write it: `[3, 3, 2]`, `Client(0, 2)`, `red`. */
    abstract formatValue(value: ConstantValue): string;

    /** A value for JSON. */
    abstract plainValue(value: ConstantValue): ParameterValue;

    /** How a value is written with those of its scalars; `at` is given a leaf, and its row in the value. */
    abstract valueFormat<Place>(at: (leaf: number, row: number) => Place): ValueFormat<Place>;

    /** The value of a place or another expression; `scalarAt` gives the elements of its leaves. */
    abstract read(scalarAt: ScalarAt, range: SourceRange): LoweredValue;

    /** A value that is known before a run. */
    abstract constant(value: ConstantValue, range: SourceRange): LoweredValue;

    /** The value with the index types of this shape, split or in one cell. A single value fills an array. */
    abstract valueAs(value: LoweredValue): LoweredValue;

    /** The scalars of each leaf for a value, row by row. */
    abstract scalarsOf(value: LoweredValue): readonly (readonly Expression[])[];
}

/** A shape whose values are stored in one cell. */
export interface CellShape extends Shape {
    readonly domain: Domain;
    withDomain(domain: Domain): CellShape;
    /** A field of a record in the cell, by its position in the declaration; undefined if it holds no record. */
    field(record: Expression, position: number, range: SourceRange): LoweredValue | undefined;
    /** A value in the cell as one of several cases; undefined if its type has none. */
    cases(value: Expression): ValueCases | undefined;
    /** The sequence in the cell, or the messages of a channel; undefined if it holds something else. */
    contents(value: Expression): LoweredValue | undefined;
}

/** A shape whose values have no interval and no known truth: a type is told by it alone. */
export interface NamedShape extends Shape {
    /** How a message names a value: `` a record `Node` ``. */
    describeOne(): string;
    /** How a message names several values: `` records `Node` ``. */
    describeSome(): string;
}

/** One scalar, or array of scalars, of a place. */
export interface Leaf {
    /** The names of the fields from the outside in: `['head', 'next']`. */
    readonly path: readonly string[];
    /** As in the model's variables. The first text, the name of the place, is empty. */
    readonly segments: Variable['segments'];
    readonly element: Domain;
    /** The indices of the array and of the arrays in its fields, from the outside in. */
    readonly indices: readonly Domain[];
    /** A field of a case, which has this value, or a place of a sequence: so many leaves before it is the case or the length. */
    readonly within?: { readonly before: number; readonly value?: Value };
    /** Of a case or a length, but not within another one. */
    readonly format?: ValueFormat<PartPlace>;
}

/** Places inside of a value that brackets name. */
export interface InnerPlace {
    readonly index: Domain;
    readonly shape: Shape;
}

/** Why values of a shape do not fit into one cell. */
export type NotAtomic =
    | { readonly problem: 'array' }
    | { readonly problem: 'bag' }
    /** Of sets the number of elements that they may have. */
    | { readonly problem: 'too-large'; readonly count: number; readonly elements?: number };

/** A part of a value that is no value of its shape. */
export interface Misfit {
    readonly shape: Shape;
    readonly value: ConstantValue;
}

/** The element at `indices` of a leaf, by its position in `Shape.leaves`. */
export type ScalarAt = (leaf: number, indices: readonly Expression[]) => Expression;

/** The most assignments that one quantifier, family or array runs through, and the most cells of a state. */
export const EXPANSION_LIMIT = 1_000_000;

/** The most values of a record that is stored in one cell. */
export const TUPLE_LIMIT = 65_536;

/** The most scalars of a record. Each cell of an array counts. */
export const RECORD_LIMIT = 10_000;

export function isDomain(domain: Domain | NotAtomic): domain is Domain {
    return 'kind' in domain;
}

/** The type of an expression, with a bound of its values in all runs: an interval, the value of a decided condition. */
export type Type = SingleType | ArrayType | Unknown;

/** The type of an element of an array. */
export type SingleType =
    PlainType | { readonly kind: 'optional'; readonly base: PlainType } | { readonly kind: 'none' };

/** The type of values that are not `none`. */
export type PlainType =
    | { readonly kind: 'integer'; readonly low: number; readonly high: number }
    /** A number without end. */
    | { readonly kind: 'number' }
    | { readonly kind: 'boolean'; readonly known?: boolean }
    | { readonly kind: 'enumeration'; readonly domain: Domain & { readonly kind: 'enumeration' } }
    /** The elements of `[]` have an unknown type; `most` is the greatest length, `shape` that of a declared place. */
    | { readonly kind: 'sequence'; readonly member: Type; readonly most: number; readonly shape?: Shape }
    /** `shape` is that of the place, if it is declared; `{}` has elements of unknown type. A bag has so many copies of each. */
    | {
          readonly kind: 'set';
          readonly member: SingleType | Unknown;
          readonly copies?: number;
          readonly shape?: Shape;
      }
    /** The shape is not optional. */
    | { readonly kind: 'named'; readonly shape: NamedShape };

export interface ArrayType {
    readonly kind: 'array';
    readonly indices: readonly Domain[];
    /** The number of leading indices that come from a literal. Such an index fits every index type of its size. */
    readonly fromLiteral: number;
    readonly element: SingleType | Unknown;
}

/** The type of an expression with a reported error. It fits everywhere, so that one error gives one message. */
export interface Unknown {
    readonly kind: 'unknown';
}

/** A value that is known before a run: a number as in the engine, or one of parts, also if a cell stores it as a number. */
export type ConstantValue = Value | ConstantParts;

export interface ConstantParts {
    readonly kind: string;
    readonly parts: readonly ConstantValue[];
    /** The number that one cell stores; undefined if the type does not have the value, or it does not fit. */
    cellValue(): Value | undefined;
}

/** The number of a value that one cell stores; undefined if the type does not have the value. */
export function cellValueOf(value: ConstantValue): Value | undefined {
    return typeof value === 'number' ? value : value.cellValue();
}

/** Whether two values are the same. The index types of arrays do not matter. */
export function areEqualValues(first: ConstantValue, second: ConstantValue): boolean {
    if (typeof first === 'number' || typeof second === 'number') {
        return first === second;
    }
    const { kind, parts } = second;
    return (
        first.kind === kind &&
        first.parts.length === parts.length &&
        first.parts.every((part, position) => {
            const other = parts[position];
            return other !== undefined && areEqualValues(part, other);
        })
    );
}

/** Below 0 if the first value is less: numbers, then values of parts, which are compared part by part; of sequences the shorter. */
export function compareValues(first: ConstantValue, second: ConstantValue): number {
    if (typeof first === 'number' && typeof second === 'number') {
        // `none` is the least number, and not finite.
        return first === second ? 0 : first < second ? -1 : 1;
    }
    if (typeof first === 'number' || typeof second === 'number') {
        return typeof first === 'number' ? -1 : 1;
    }
    if (first.kind === 'sequence' && first.parts.length !== second.parts.length) {
        return first.parts.length - second.parts.length;
    }
    const difference = first.parts
        .map((part, position) => {
            const other = second.parts[position];
            return other === undefined ? 1 : compareValues(part, other);
        })
        .find(each => each !== 0);
    return difference ?? first.parts.length - second.parts.length;
}

/** A value of one of several cases. */
export interface ValueCases {
    /** The case, or `none`. */
    readonly tag: Expression;
    /** By case its fields; none for a case that the value never is. They are read only where the value is of the case. */
    readonly fields: readonly (readonly LoweredValue[] | undefined)[];
}

/** A value of any type as expressions for its scalars. */
/** A value, and what comes before it: `sure` is true or a fault. */
export interface Stored {
    readonly sure?: Expression | undefined;
    readonly value: LoweredValue;
}

export abstract class LoweredValue {
    /** The index types of an array; none for all other values. */
    readonly indices: readonly Domain[] = [];

    abstract get range(): SourceRange;

    /** The shape for a name that is declared without a type. */
    abstract shape(): Shape;

    /** The shape in one cell; undefined if it is not known, or the value does not fit. */
    abstract cellShape(): CellShape | undefined;

    /** The value in one expression, which checks that it lies in its type. */
    abstract toScalar(): Expression;

    /** What a statement stores, behind a test for what is evaluated in any case. */
    get stored(): Stored {
        return { value: this };
    }

    /** What is evaluated together with the value. */
    get parts(): readonly Expression[] {
        return this.shape().scalarsOf(this).flat();
    }

    /** A field of a record, by its position in the declaration. */
    abstract field(position: number, range: SourceRange): LoweredValue;

    /** An element of an array; the value itself if there are no indices. */
    at(_indices: readonly Expression[]): LoweredValue {
        return this;
    }

    /** The elements of an array row by row, or the value alone. */
    elements(): readonly LoweredValue[] {
        return [this];
    }

    /** One of several values, part by part (`combine`); undefined if they have no parts in common. */
    combine(_values: readonly LoweredValue[], _make: Choice): LoweredValue | undefined {
        return undefined;
    }

    /** The elements of a sequence, or the messages of a channel; undefined if it is something else. */
    contents(): LoweredValue | undefined {
        return undefined;
    }

    /** Whether it is a sequence, which a list may stand for. */
    get isSequence(): boolean {
        return false;
    }

    /** Whether it is split into a case and the fields of all cases. */
    get hasCases(): boolean {
        return false;
    }

    /** Whether it is a bag, of which a set is one with a copy of each element. */
    get hasCopies(): boolean {
        return false;
    }

    /** The value as one of several cases; undefined if its type has none. */
    cases(): ValueCases | undefined {
        return undefined;
    }

    /** The comparisons of two values of which not all parts are there; undefined if they are no such values. */
    compareCases(
        _operator: '==' | '!=',
        _first: LoweredValue,
        _second: LoweredValue,
        _range: SourceRange,
    ): readonly Expression[] | undefined {
        return undefined;
    }

    /** The parts of two values that must be equal, in the order of the text; undefined if they have none in common. */
    pairs(_first: LoweredValue, _second: LoweredValue): readonly Pair[] | undefined {
        return undefined;
    }
}

export type Pair = readonly [LoweredValue, LoweredValue];

/** Chooses one of several expressions. */
export type Choice = (options: readonly Expression[]) => Expression;
