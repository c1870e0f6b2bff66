/** What names of a Murphi model stand for, and the types of its expressions. */
import type { Alias, Expression, Procedure } from './generated/ast.js';

/** Of the values that one cell holds. `text` is the type in Orbit. */
export type SimpleType =
    | { readonly kind: 'boolean'; readonly text: string }
    | NumberType
    | Member
    /** Of numbers; those of the holes are none of its values. */
    | {
          readonly kind: 'union';
          readonly text: string;
          readonly range: string;
          readonly members: readonly Member[];
          readonly holes: readonly Member[];
      };

/** Types that can be members of unions; `place` is the range that they are then. */
export type Member = { readonly text: string; place?: { readonly low: string; readonly high: string } } & (
    | { readonly kind: 'scalarset'; readonly size: string }
    | { readonly kind: 'enumeration'; readonly members: readonly string[] }
);

/** Numbers between bounds. With a parameter in a bound, these hold for all its values. */
export interface NumberType {
    readonly kind: 'number';
    readonly low: number;
    readonly high: number;
    readonly text: string;
    /** The bounds as texts without names of types: equal for types that are equal for all values of parameters. */
    readonly bounds: string;
    /** Whether a bound depends on a parameter. */
    readonly isOpen: boolean;
}

export interface RecordType {
    readonly kind: 'record';
    readonly text: string;
    readonly fields: readonly Variable[];
}

interface ArrayType {
    readonly kind: 'array';
    readonly index: SimpleType;
    readonly element: DataType;
}

/** A multiset with a bound for all its elements together. */
export interface BagType {
    readonly kind: 'bag';
    readonly text: string;
    readonly most: string;
    readonly element: DataType;
    /** The type of the places of its elements, if it is an array of these and no bag. */
    readonly places: string | undefined;
}

export type DataType = SimpleType | RecordType | ArrayType | BagType;

/** `undefined` is the type of that word, `unknown` that of what has an error. */
export type Type = DataType | { readonly kind: 'undefined' } | { readonly kind: 'unknown' };

/** A cell or several: a variable, a field of a record, a parameter of a procedure, or the variable of a quantifier. */
export interface Variable {
    readonly kind: 'variable';
    readonly name: string;
    /** Its name in Orbit; where it has none yet, what it should be. */
    readonly written: string;
    readonly type: DataType;
    readonly role: 'global' | 'local' | 'value' | 'reference' | 'bound' | 'field';
    /** Whether one of its cells may be undefined; found by definedness.ts. Of a record its fields say so. */
    isOptional: boolean;
    /** Of a global: ` = ` and the value that it has in the beginning, if start states are values; else empty. */
    initial: string;
}

export interface Routine {
    readonly kind: 'routine';
    readonly name: string;
    readonly node: Procedure;
    readonly parameters: readonly Variable[];
    readonly locals: readonly Variable[];
    readonly result: DataType | undefined;
    /** What the result is a value of; its cells may be undefined if it is an array. */
    readonly returned: Variable | undefined;
    /** What a call may write: variables outside of it and its own parameters. */
    readonly writes: ReadonlySet<Variable>;
    /** The variables outside of it that a call may read. */
    readonly reads: ReadonlySet<Variable>;
    /** A function that writes, or calls what does, or has a loop, becomes a procedure with a place for its result. */
    form: 'function' | 'procedure';
    /** Why it cannot be called. */
    fault: string | undefined;
}

/** A name for a place or for a value, at the moment in which it is declared. */
interface AliasSymbol {
    readonly kind: 'alias';
    readonly name: string;
    readonly node: Alias;
    readonly value: Expression;
}

export type Symbol =
    | Variable
    | Routine
    | AliasSymbol
    | { readonly kind: 'constant'; readonly name: string; readonly type: Type; readonly isOpen: boolean }
    | { readonly kind: 'member'; readonly name: string; readonly type: SimpleType }
    | { readonly kind: 'type'; readonly type: DataType | undefined }
    /** Its declaration is not carried over. */
    | { readonly kind: 'refused' };

/** Names that are known at a place: those of a block hide others of the blocks around it. */
export class Scope {
    private readonly outer: Scope | undefined;
    private readonly symbols = new Map<string, Symbol>();

    constructor(outer?: Scope) {
        this.outer = outer;
    }

    /** Whether the name is new in this block. */
    declare(name: string, symbol: Symbol): boolean {
        const isNew = !this.symbols.has(name);
        this.symbols.set(name, symbol);
        return isNew;
    }

    find(name: string): Symbol | undefined {
        return this.symbols.get(name) ?? this.outer?.find(name);
    }
}

export function isSimple(type: Type): type is SimpleType {
    return ['boolean', 'number', 'scalarset', 'enumeration', 'union'].includes(type.kind);
}

export function isData(type: Type): type is DataType {
    return type.kind !== 'undefined' && type.kind !== 'unknown';
}

/** The type as Orbit writes it; `isOptional` is about simple cells. */
export function typeText(type: DataType, isOptional: boolean): string {
    const indices = [];
    let cell = type;
    let isPlace = false;
    while (cell.kind === 'array' || (cell.kind === 'bag' && cell.places !== undefined)) {
        indices.push(cell.kind === 'array' ? cell.index.text : cell.places);
        isPlace ||= cell.kind === 'bag';
        cell = cell.element;
    }
    const element = `${cell.text}${isPlace || (isOptional && isSimple(cell)) ? '?' : ''}`;
    return indices.length === 0 ? element : `${element}[${indices.join(', ')}]`;
}

/** Whether two types have the same values for all values of parameters. */
export function isSameType(one: DataType, other: DataType): boolean {
    if (one.kind === 'array' || other.kind === 'array') {
        return (
            one.kind === 'array' &&
            other.kind === 'array' &&
            isSameType(one.index, other.index) &&
            isSameType(one.element, other.element)
        );
    }
    return one.kind === 'number' && other.kind === 'number' ? one.bounds === other.bounds : one.text === other.text;
}

/** More values of an index are not looked at one by one. */
const MOST_VALUES = 64;

/** The values of an index as texts, `*T` for those of a scalarset T; none if there are many, or a parameter decides. */
export function valuesOf(type: SimpleType): readonly string[] {
    switch (type.kind) {
        case 'boolean':
            return ['false', 'true'];
        case 'enumeration':
            return type.members;
        case 'number':
            return type.isOpen || type.high - type.low >= MOST_VALUES
                ? []
                : Array.from({ length: type.high - type.low + 1 }, (_, index) => String(type.low + index));
        case 'scalarset':
            return [`*${type.text}`];
        case 'union':
            return type.members.flatMap(valuesOf);
    }
}
