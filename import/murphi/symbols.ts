/** What names of a Murphi model stand for, and the types of its expressions. */
import type { Alias, Expression, Procedure } from './generated/ast.js';

/** Of the values that one cell holds. `text` is the type in Orbit. */
export type SimpleType =
    | { readonly kind: 'boolean'; readonly text: string }
    | NumberType
    | { readonly kind: 'scalarset'; readonly text: string; readonly size: string }
    | { readonly kind: 'enumeration'; readonly text: string; readonly members: readonly string[] };

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

export type DataType = SimpleType | RecordType | ArrayType;

export type Type =
    | DataType
    /** The word `undefined`. */
    | { readonly kind: 'undefined' }
    /** Of a call without a result. */
    | { readonly kind: 'nothing' }
    /** Of what has been refused: it fits everywhere, so that it is told once. */
    | { readonly kind: 'refused' };

export const REFUSED: Type = { kind: 'refused' };

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
}

export type Symbol =
    | Variable
    | Routine
    | { readonly kind: 'constant'; readonly name: string; readonly type: SimpleType; readonly isOpen: boolean }
    | { readonly kind: 'member'; readonly name: string; readonly type: SimpleType }
    | { readonly kind: 'type'; readonly type: DataType | undefined }
    | AliasSymbol
    /** Its declaration is not carried over. */
    | { readonly kind: 'refused' };

/** A name for a place or for a value, at the moment in which it is declared. */
export interface AliasSymbol {
    readonly kind: 'alias';
    readonly name: string;
    readonly node: Alias;
    readonly value: Expression;
    readonly type: Type;
}

export function isSimple(type: Type): type is SimpleType {
    return (
        type.kind === 'boolean' || type.kind === 'number' || type.kind === 'scalarset' || type.kind === 'enumeration'
    );
}

/** The type of the cells of an array, and the indices before. */
function flattened(type: DataType): {
    readonly indices: readonly SimpleType[];
    readonly cell: SimpleType | RecordType;
} {
    const indices = [];
    let cell = type;
    while (cell.kind === 'array') {
        indices.push(cell.index);
        cell = cell.element;
    }
    return { indices, cell };
}

/** The type as Orbit writes it; `isOptional` is about simple cells. */
export function typeText(type: DataType, isOptional: boolean): string {
    const { indices, cell } = flattened(type);
    const element = `${cell.text}${isOptional && cell.kind !== 'record' ? '?' : ''}`;
    return indices.length === 0 ? element : `${element}[${indices.map(({ text }) => text).join(', ')}]`;
}

/** Whether two index types have the same values for all values of parameters. */
export function isSameType(one: SimpleType, other: SimpleType): boolean {
    return one.kind === 'number' && other.kind === 'number' ? one.bounds === other.bounds : one.text === other.text;
}

/** More values of an index are not looked at one by one. */
const MOST_VALUES = 64;

/** The values of an index as texts; none if there are many, or a parameter decides. */
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
            return [];
    }
}

export function isData(type: Type): type is DataType {
    return isSimple(type) || type.kind === 'record' || type.kind === 'array';
}

/** Whether places of the types can stand for each other. */
export function hasSameCells(one: DataType, other: DataType): boolean {
    if (one.kind === 'array' && other.kind === 'array') {
        return isSameType(one.index, other.index) && hasSameCells(one.element, other.element);
    }
    return isSimple(one) && isSimple(other) ? isSameType(one, other) : one === other;
}
