/**
 * Shapes: types with all names resolved (typing/constants.ts makes them). A place of a shape is stored as the scalars
 * of `leavesOf`; a value that must fit into one cell has the domain of `atomicDomainOf`.
 *
 * Invariant: the element of an array is no array; `T[I][J]` is `T[I, J]`.
 */
import { unreachable } from '../../engine/common/assert.js';
import { remembered } from '../../engine/common/list-map.js';
import {
    domainSize,
    formatDomain,
    formatValue,
    isReference,
    valuesOfDomain,
    type Domain,
    type RecordDomain,
    templateOf,
} from '../../engine/model/domain.js';
import type { RecordDeclaration } from '../generated/nodes.js';

export type Shape = ArrayShape | ElementShape;

/** The shape of an element of an array. */
export type ElementShape = ScalarShape | RecordShape | ChannelShape;

export interface ScalarShape {
    readonly kind: 'scalar';
    /** An optional record is a scalar: its domain is optional with a record domain as the base. */
    readonly domain: Domain;
    /** The shape of the values of an optional record that are not `none`. */
    readonly record?: RecordShape;
}

interface ArrayShape {
    readonly kind: 'array';
    /** At least one. */
    readonly indices: readonly Domain[];
    readonly element: ElementShape;
}

export interface RecordShape {
    readonly kind: 'record';
    readonly declaration: RecordDeclaration;
    readonly name: string;
    readonly fields: readonly FieldShape[];
    /** The values of a record with a `where`, which is stored in one cell. Other records are split into fields. */
    readonly atomic?: RecordDomain;
}

export interface FieldShape {
    readonly name: string;
    readonly shape: Shape;
}

export interface ChannelShape {
    readonly kind: 'channel';
    readonly message: Shape;
    readonly isOptional: boolean;
    /** An enumeration of the channels with such messages, possibly optional. Computed on demand. */
    readonly domain: Domain;
}

/** One scalar, or array of scalars, of a place. */
export interface Leaf {
    /** The names of the fields from the outside in: `['head', 'next']`. */
    readonly path: readonly string[];
    /** As in the model's variables. The first text, the name of the place, is empty. */
    readonly segments: readonly { readonly text: string; readonly indices: number }[];
    readonly element: Domain;
    /** The indices of the array and of the arrays in its fields, from the outside in. */
    readonly indices: readonly Domain[];
}

/** The most assignments that one quantifier, family or array runs through, and the most cells of a state. */
export const EXPANSION_LIMIT = 1_000_000;

/** The most values of a record that is stored in one cell. */
export const TUPLE_LIMIT = 65_536;

/** The most scalars of a record. Each cell of an array counts. */
export const RECORD_LIMIT = 10_000;

/** The scalars that a place of this shape is split into, in the order of the fields. */
export function leavesOf(shape: Shape): Leaf[] {
    switch (shape.kind) {
        case 'scalar':
        case 'channel':
            return [leafOf(shape.domain)];
        case 'record':
            return shape.atomic !== undefined
                ? [leafOf(shape.atomic)]
                : shape.fields.flatMap(field => leavesOf(field.shape).map(leaf => insideField(field.name, leaf)));
        case 'array':
            return leavesOf(shape.element).map(leaf => insideArray(shape.indices, leaf));
        default:
            return unreachable(shape);
    }
}

function leafOf(element: Domain): Leaf {
    return { path: [], segments: [{ text: '', indices: 0 }], element, indices: [] };
}

function insideField(name: string, { path, segments, element, indices }: Leaf): Leaf {
    const [own, ...rest] = segments;
    const field = { text: `.${name}`, indices: own?.indices ?? 0 };
    return { path: [name, ...path], segments: [{ text: '', indices: 0 }, field, ...rest], element, indices };
}

function insideArray(outer: readonly Domain[], { path, segments, element, indices }: Leaf): Leaf {
    const [own, ...rest] = segments;
    const array = { text: '', indices: outer.length + (own?.indices ?? 0) };
    return { path, segments: [array, ...rest], element, indices: [...outer, ...indices] };
}

/** The number of cells of an array with these indices. */
export function cellCount(indices: readonly Domain[]): number {
    return indices.reduce((product, index) => product * domainSize(index), 1);
}

/** The number of combinations of values; a domain with an error counts as one value. */
export function countOf(domains: readonly (Domain | undefined)[]): number {
    return cellCount(domains.filter(domain => domain !== undefined));
}

/** Whether no value has this shape: its type is empty for the present values of the parameters. */
export function hasNoValue(shape: Shape): boolean {
    switch (shape.kind) {
        case 'scalar':
        case 'channel':
            return domainSize(shape.domain) === 0;
        case 'record':
            return shape.fields.some(field => hasNoValue(field.shape));
        case 'array':
            return cellCount(shape.indices) > 0 && hasNoValue(shape.element);
        default:
            return unreachable(shape);
    }
}

/** Whether an array with these indices has a cell for each instance of a template. */
export function isOverTemplate(indices: readonly (Domain | undefined)[]): boolean {
    return indices.some(index => index !== undefined && isReference(index));
}

/** Whether a place of this shape may hold a reference to an instance. */
export function holdsReference(shape: Shape): boolean {
    switch (shape.kind) {
        case 'scalar':
            return templateOf(shape.domain) !== undefined;
        case 'channel':
            return false;
        case 'record':
            return shape.fields.some(field => holdsReference(field.shape));
        case 'array':
            return holdsReference(shape.element);
        default:
            return unreachable(shape);
    }
}

const scalarCounts = new WeakMap<Shape, number>();

/** The number of scalars of a place of this shape. Each cell of an array counts. */
export function scalarCount(shape: Shape): number {
    switch (shape.kind) {
        case 'scalar':
        case 'channel':
            return 1;
        case 'array':
            return cellCount(shape.indices) * scalarCount(shape.element);
        case 'record': {
            const count = (): number => shape.fields.reduce((sum, field) => sum + scalarCount(field.shape), 0);
            // Nested records may have exponentially many scalars.
            return shape.atomic === undefined ? remembered(scalarCounts, shape, count) : 1;
        }
        default:
            return unreachable(shape);
    }
}

/** Why values of a shape do not fit into one cell. */
export type NotAtomic = { readonly problem: 'array' } | { readonly problem: 'too-large'; readonly count: number };

const atomicRecords = new WeakMap<RecordShape, RecordDomain | NotAtomic>();

/**
 * The domain of a shape whose values must fit into one cell: an index, a variable of a quantifier, the argument of an
 * event, the base of an optional type. An array in a record becomes one field for each element, `data[1]`.
 */
export function atomicDomainOf(shape: Shape): Domain | NotAtomic {
    switch (shape.kind) {
        case 'scalar':
        case 'channel':
            return shape.domain;
        case 'array':
            return { problem: 'array' };
        case 'record':
            return shape.atomic ?? remembered(atomicRecords, shape, () => computeAtomicRecord(shape));
        default:
            return unreachable(shape);
    }
}

export function isDomain(domain: Domain | NotAtomic): domain is Domain {
    return 'kind' in domain;
}

function computeAtomicRecord(shape: RecordShape): RecordDomain | NotAtomic {
    const fields = atomicFieldsOf(shape.fields);
    if (!Array.isArray(fields)) {
        return fields;
    }
    const count = cellCount(fields.map(field => field.domain));
    return count > TUPLE_LIMIT
        ? { problem: 'too-large', count }
        : { kind: 'record', name: shape.name, fields, tuples: allTuples(fields.map(field => field.domain)) };
}

/** The fields of a record in one cell. A field that is an array becomes one field for each element. */
export function atomicFieldsOf(fields: readonly FieldShape[]): RecordDomain['fields'][number][] | NotAtomic {
    const result: RecordDomain['fields'][number][] = [];
    for (const { name, shape } of fields) {
        const domain = atomicDomainOf(shape.kind === 'array' ? shape.element : shape);
        if (!isDomain(domain)) {
            return domain;
        }
        const elements = shape.kind === 'array' ? elementNames(name, shape.indices) : [name];
        if (!Array.isArray(elements)) {
            return elements;
        }
        result.push(...elements.map(element => ({ name: element, domain })));
    }
    return result;
}

function elementNames(name: string, indices: readonly Domain[]): string[] | NotAtomic {
    const count = cellCount(indices);
    return count > TUPLE_LIMIT
        ? { problem: 'too-large', count: Number.POSITIVE_INFINITY }
        : allTuples(indices).map(
              tuple => `${name}[${tuple.map((value, position) => formatIndex(indices[position], value)).join(', ')}]`,
          );
}

function formatIndex(domain: Domain | undefined, value: number): string {
    return domain === undefined ? String(value) : formatValue(domain, value);
}

/** All combinations of values, the last domain fastest. */
export function allTuples(domains: readonly Domain[]): number[][] {
    let tuples: number[][] = [[]];
    for (const domain of domains) {
        const values = valuesOfDomain(domain);
        tuples = tuples.flatMap(tuple => values.map(value => [...tuple, value]));
    }
    return tuples;
}

/** How messages name a shape: `0 .. 3[Proc]`, `Node`, `channel of Message`. */
export function formatShape(shape: Shape): string {
    switch (shape.kind) {
        case 'scalar':
            return shape.domain.name ?? formatDomain(shape.domain);
        case 'record':
            return shape.name;
        case 'channel':
            return `channel of ${formatShape(shape.message)}${shape.isOptional ? '?' : ''}`;
        case 'array':
            return `${formatShape(shape.element)}[${shape.indices.map(index => index.name ?? formatDomain(index)).join(', ')}]`;
        default:
            return unreachable(shape);
    }
}

/** Whether two shapes have the same values. Records and enumerations must be of one declaration. */
export function isSameShape(first: Shape, second: Shape): boolean {
    if (first.kind === 'scalar' && second.kind === 'scalar') {
        return isSameDomain(first.domain, second.domain);
    }
    if (first.kind === 'array' && second.kind === 'array') {
        return haveSameIndices(first.indices, second.indices) && isSameShape(first.element, second.element);
    }
    if (first.kind === 'record' && second.kind === 'record') {
        return first.declaration === second.declaration;
    }
    return (
        first.kind === 'channel' &&
        second.kind === 'channel' &&
        first.isOptional === second.isOptional &&
        isSameShape(first.message, second.message)
    );
}

export function haveSameIndices(first: readonly Domain[], second: readonly Domain[]): boolean {
    return (
        first.length === second.length &&
        first.every((domain, position) => {
            const other = second[position];
            return other !== undefined && isSameDomain(domain, other);
        })
    );
}

/** Whether two domains have the same values; names of ranges do not matter. */
export function isSameDomain(first: Domain, second: Domain): boolean {
    if (first.kind === 'range' && second.kind === 'range') {
        return first.low === second.low && first.high === second.high;
    }
    if (first.kind === 'optional' && second.kind === 'optional') {
        return isSameDomain(first.base, second.base);
    }
    if (first.kind === 'enumeration' || first.kind === 'record') {
        return second.kind === first.kind && first.name === second.name;
    }
    return first.kind === second.kind;
}
