/**
 * Values of any type as expressions for their scalars: the engine's model has scalars only.
 *
 * The elements of an array are made on demand: `a[i].f[j]` of a variable is one place. A table (`select`) arises only
 * if the array is no place and the index is unknown.
 *
 * Invariant: the element of an array is no array. A record that fits into one cell by its type is a scalar.
 */
import { invariant, unreachable } from '../../engine/common/assert.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import {
    memberBoundsOf,
    codeOfValue,
    domainSize,
    NONE,
    type Domain,
    type RecordDomain,
} from '../../engine/model/domain.js';
import { isMember, type Expression } from '../../engine/model/expression.js';
import { cellValueOf } from './constant-value.js';
import {
    atomicDomainOf,
    cellCount,
    haveSameIndices,
    isDomain,
    isSameDomain,
    leavesOf,
    type ChannelShape,
    type ElementShape,
    type RecordShape,
    type ScalarShape,
    type Shape,
} from './shape.js';
import { insideDomain, isInside, joinedDomain } from './inside-domain.js';
import { constantOf, firstConstant, indicesOfRow, knownValueOf } from './build-expression.js';

export type LoweredValue = LoweredScalar | LoweredArray | LoweredRecord;

/** The shape of a value that fits into one cell. */
export type CellShape = ScalarShape | ChannelShape;

export interface LoweredScalar {
    readonly kind: 'scalar';
    readonly expression: Expression;
    /** Undefined for the results of operators and for `none`. */
    readonly shape?: CellShape;
    /** A field given to a record. The place that stores it checks its type; other uses check it with `toScalar`. */
    readonly isUnchecked?: true;
}

export interface LoweredArray {
    readonly kind: 'array';
    readonly indices: readonly Domain[];
    /** One index for each of `indices`. */
    element(indices: readonly Expression[]): LoweredValue;
}

/** A record that is split into its fields. */
export interface LoweredRecord {
    readonly kind: 'record';
    readonly shape: RecordShape;
    readonly fields: readonly LoweredValue[];
    readonly range: SourceRange;
}

export function scalarValue(expression: Expression, shape?: CellShape): LoweredScalar {
    return shape === undefined ? { kind: 'scalar', expression } : { kind: 'scalar', expression, shape };
}

/** The value of a place or another expression; `scalarAt` gives the elements of its leaves (`leavesOf`). */
export function valueOfShape(
    shape: Shape,
    range: SourceRange,
    scalarAt: (leaf: number, indices: readonly Expression[]) => Expression,
): LoweredValue {
    return build(shape, 0, []);

    function build(part: Shape, leaf: number, indices: readonly Expression[]): LoweredValue {
        switch (part.kind) {
            case 'scalar':
            case 'channel':
                return scalarValue(scalarAt(leaf, indices), part);
            case 'record': {
                if (part.atomic !== undefined) {
                    return scalarValue(scalarAt(leaf, indices), cellShapeOf(part));
                }
                let next = leaf;
                const fields = part.fields.map(field => {
                    const first = next;
                    next += leavesOf(field.shape).length;
                    return build(field.shape, first, indices);
                });
                return { kind: 'record', shape: part, fields, range };
            }
            case 'array':
                return {
                    kind: 'array',
                    indices: part.indices,
                    element: inner => build(part.element, leaf, [...indices, ...inner]),
                };
            default:
                return unreachable(part);
        }
    }
}

/** The shape of an element that is stored in one cell. */
export function cellShapeOf(shape: ElementShape): CellShape {
    return shape.kind === 'record' ? { kind: 'scalar', domain: recordDomainOf(shape), record: shape } : shape;
}

/** The shape of the result of an operator. */
const UNKNOWN_CELL: CellShape = {
    kind: 'scalar',
    domain: { kind: 'range', low: Number.MIN_SAFE_INTEGER, high: Number.MAX_SAFE_INTEGER },
};

/** Whether a domain is that of the result of an operator, which has no type. */
export function isUnknown(domain: Domain): boolean {
    return domain === UNKNOWN_CELL.domain;
}

/** The shape of a value, for a name that is declared without a type. */
export function shapeOfValue(value: LoweredValue): Shape {
    switch (value.kind) {
        case 'scalar':
            return value.shape ?? UNKNOWN_CELL;
        case 'record':
            return value.shape;
        case 'array': {
            const element = shapeOfValue(value.element(value.indices.map(index => firstConstant(index))));
            invariant(element.kind !== 'array', 'the element of an array is no array');
            return { kind: 'array', indices: value.indices, element };
        }
        default:
            return unreachable(value);
    }
}

/** An element of an array; the value itself if there are no indices. */
export function elementOf(value: LoweredValue, indices: readonly Expression[]): LoweredValue {
    if (indices.length === 0 || value.kind === 'scalar') {
        // A scalar with indices is the element of an empty array; no run evaluates it.
        return value;
    }
    invariant(value.kind === 'array' && value.indices.length === indices.length, 'checked indices fit their array');
    return value.element(indices);
}

/** An array whose elements are given by their rows. */
export function arrayByRow(
    indices: readonly Domain[],
    at: (row: number) => LoweredValue,
    range: SourceRange,
): LoweredArray {
    return { kind: 'array', indices, element: given => selectElement(indices, given, at, range) };
}

/** All elements of an array, row by row. */
export function elementsOf(array: LoweredArray): LoweredValue[] {
    return Array.from({ length: cellCount(array.indices) }, (_, row) => elementInRow(array, row));
}

function elementInRow(array: LoweredArray, row: number): LoweredValue {
    return array.element(indicesOfRow(array.indices, row));
}

/** The element at `indices`, one for each domain: `at` its row if they are known, else a choice among all elements. */
export function selectElement(
    domains: readonly Domain[],
    indices: readonly Expression[],
    at: (row: number) => LoweredValue,
    range: SourceRange,
): LoweredValue {
    return go(0, 0);

    function go(position: number, row: number): LoweredValue {
        const [domain, index] = [domains[position], indices[position]];
        if (domain === undefined || index === undefined) {
            return at(row);
        }
        const size = domainSize(domain);
        const isForeign = isMember(index) && memberBoundsOf(domain) === undefined;
        const value = isForeign ? undefined : knownValueOf(index);
        const code = value === undefined ? -1 : codeOfValue(domain, value);
        if (code >= 0) {
            return go(position + 1, row * size + code);
        }
        const select = (options: readonly Expression[]): Expression => ({
            kind: 'select',
            index,
            domain,
            options,
            range,
        });
        return size === 0
            ? scalarValue(select([]))
            : combine(
                  Array.from({ length: size }, (_, option) => go(position + 1, row * size + option)),
                  select,
              );
    }
}

/** A field of a record, by its position in the declaration. */
export function fieldOf(value: LoweredValue, field: number, range: SourceRange): LoweredValue {
    if (value.kind === 'record') {
        const own = value.fields[field];
        invariant(own !== undefined, 'a record has the fields of its shape');
        return own;
    }
    invariant(value.kind === 'scalar', 'an array has no fields');
    const record = value.shape?.kind === 'scalar' ? value.shape.record : undefined;
    const shape = record?.fields[field]?.shape;
    if (record === undefined || shape === undefined) {
        // The element of an empty array.
        return value;
    }
    const domain = recordDomainOf(record);
    const first = record.fields
        .slice(0, field)
        .reduce((sum, before) => sum + (before.shape.kind === 'array' ? cellCount(before.shape.indices) : 1), 0);
    const { expression } = value;
    const tuple = expression.kind === 'constant' ? domain.tuples[expression.value] : undefined;
    const part = (row: number, element: ElementShape): LoweredValue => {
        const cell = cellShapeOf(element);
        const known = tuple?.[first + row];
        return scalarValue(
            known === undefined
                ? { kind: 'field', record: expression, domain, field: first + row, range }
                : constantOf(known, cell.domain, range),
            cell,
        );
    };
    return shape.kind === 'array' ? arrayByRow(shape.indices, row => part(row, shape.element), range) : part(0, shape);
}

/** One of several values of the same type, scalar by scalar: `make` gets one expression of each value. */
export function combine(
    values: readonly LoweredValue[],
    make: (parts: readonly Expression[]) => Expression,
): LoweredValue {
    const array = values.find(value => value.kind === 'array');
    if (array !== undefined) {
        const arrays = values.map(value => withIndices(value, array.indices));
        return {
            kind: 'array',
            indices: array.indices,
            element: indices =>
                combine(
                    arrays.map(value => value.element(indices)),
                    make,
                ),
        };
    }
    const record = values.find(value => value.kind === 'record');
    if (record !== undefined && values.every(value => value.kind === 'record' || isNowhere(value))) {
        const fields = record.fields.map((_, field) =>
            combine(
                values.map(value => fieldOf(value, field, record.range)),
                make,
            ),
        );
        return { ...record, fields };
    }
    const shape = joinedShape(values);
    const unchecked = values.filter(value => value.kind === 'scalar' && value.isUnchecked === true);
    return shape !== undefined && unchecked.length > 0
        ? { ...scalarValue(make(values.map(value => uncheckedScalar(value, shape))), shape), isUnchecked: true }
        : scalarValue(make(values.map(toScalar)), shape);
}

/** A shape with all the values; undefined if one of them may be any integer. */
function joinedShape(values: readonly LoweredValue[]): CellShape | undefined {
    const shapes = values.filter(value => !isNone(value) && !isNowhere(value)).map(cellShapeOfValue);
    const first = shapes.find(shape => shape !== undefined);
    const domains = shapes.map(shape => shape?.domain);
    const domain = joinedDomain(domains, values.some(isNone));
    return first === undefined || domain === undefined ? undefined : { ...first, domain };
}

function isNone(value: LoweredValue): boolean {
    return value.kind === 'scalar' && value.expression.kind === 'constant' && value.expression.value === NONE;
}

/** Whether a value is the element of an empty array: no run evaluates it or its fields. */
function isNowhere(value: LoweredValue): boolean {
    return value.kind === 'scalar' && value.expression.kind === 'select' && value.expression.options.length === 0;
}

function cellShapeOfValue(value: LoweredValue): CellShape | undefined {
    return value.kind === 'scalar' ? value.shape : value.kind === 'record' ? cellShapeOf(value.shape) : undefined;
}

/** The same array with other index types of the same sizes; a value that is no array fills one. */
function withIndices(value: LoweredValue, indices: readonly Domain[]): LoweredArray {
    if (value.kind !== 'array') {
        return { kind: 'array', indices, element: () => value };
    }
    if (haveSameIndices(value.indices, indices)) {
        return value;
    }
    return {
        kind: 'array',
        indices,
        element: given =>
            selectElement(indices, given, row => elementInRow(value, row), given[0]?.range ?? rangeOfValue(value)),
    };
}

/** The elements of two arrays at the same positions; one of the two may be a value for all elements of the other. */
export function elementPairsOf(first: LoweredValue, second: LoweredValue): [LoweredValue, LoweredValue][] {
    const indices = first.kind === 'array' ? first.indices : second.kind === 'array' ? second.indices : [];
    const others = elementsOf(withIndices(second, indices));
    return elementsOf(withIndices(first, indices)).map((element, row) => [element, others[row] ?? element]);
}

/** The value in one expression, for a place of this shape, which checks the values that it stores. */
function uncheckedScalar(value: LoweredValue, shape: CellShape): Expression {
    return value.kind === 'scalar' && value.shape !== undefined && isSameDomain(value.shape.domain, shape.domain)
        ? value.expression
        : toScalar(value);
}

/** The value in one expression; a split record becomes a record in one cell. */
export function toScalar(value: LoweredValue): Expression {
    switch (value.kind) {
        case 'scalar':
            return value.isUnchecked === true && value.shape !== undefined
                ? insideDomain(value.expression, value.shape.domain)
                : value.expression;
        case 'record': {
            const domain = recordDomainOf(value.shape);
            const fields = value.fields
                .flatMap(field => (field.kind === 'array' ? elementsOf(field) : [field]))
                .map(field => (field.kind === 'scalar' ? field.expression : toScalar(field)));
            const tuple = fields.flatMap(field => (field.kind === 'constant' ? [field.value] : []));
            const position =
                tuple.length < fields.length
                    ? undefined
                    : cellValueOf({ kind: 'record', shape: value.shape, fields: tuple });
            return position === undefined
                ? { kind: 'record', domain, fields, range: value.range }
                : { kind: 'constant', value: position, domain, range: value.range };
        }
        case 'array':
            return invariant(false, 'an array does not fit into one cell') as never;
        default:
            return unreachable(value);
    }
}

/** The value as one of `shape`: with its index types, split or in one cell. A single value fills an array. */
export function valueAs(shape: Shape, value: LoweredValue): LoweredValue {
    switch (shape.kind) {
        case 'scalar':
        case 'channel':
            return scalarAs(shape, value);
        case 'record': {
            if (shape.atomic !== undefined) {
                return scalarAs(cellShapeOf(shape), value);
            }
            const range = rangeOfValue(value);
            const fields = shape.fields.map((field, position) => valueAs(field.shape, fieldOf(value, position, range)));
            return { kind: 'record', shape, fields, range };
        }
        case 'array': {
            const array = withIndices(value, shape.indices);
            return {
                kind: 'array',
                indices: shape.indices,
                element: indices => valueAs(shape.element, array.element(indices)),
            };
        }
        default:
            return unreachable(shape);
    }
}

function scalarAs(shape: CellShape, value: LoweredValue): LoweredScalar {
    const scalar = scalarValue(uncheckedScalar(value, shape), shape);
    const isChecked = value.kind === 'record' || (value.kind === 'scalar' && value.isUnchecked !== true);
    return isChecked && isInside(scalar.expression, cellShapeOfValue(value)?.domain, shape.domain)
        ? scalar
        : { ...scalar, isUnchecked: true };
}

/** The scalars of each leaf of the shape, row by row. */
export function scalarsOf(shape: Shape, value: LoweredValue): Expression[][] {
    return flatten(shape, valueAs(shape, value));
}

function flatten(shape: Shape, value: LoweredValue): Expression[][] {
    switch (value.kind) {
        case 'scalar':
            return [[value.expression]];
        case 'record':
            return value.fields.flatMap((field, position) => {
                const inner = value.shape.fields[position]?.shape;
                return inner === undefined ? [] : flatten(inner, field);
            });
        case 'array': {
            const leaves: Expression[][] = leavesOf(shape).map(() => []);
            const element = shape.kind === 'array' ? shape.element : shape;
            for (const each of elementsOf(value)) {
                flatten(element, each).forEach((scalars, leaf) =>
                    scalars.forEach(scalar => leaves[leaf]?.push(scalar)),
                );
            }
            return leaves;
        }
        default:
            return unreachable(value);
    }
}

function recordDomainOf(shape: RecordShape): RecordDomain {
    const domain = atomicDomainOf(shape);
    invariant(isDomain(domain) && domain.kind === 'record', 'a checked record in one cell has few values');
    return domain;
}

function rangeOfValue(value: LoweredValue): SourceRange {
    switch (value.kind) {
        case 'scalar':
            return value.expression.range;
        case 'record':
            return value.range;
        case 'array':
            return rangeOfValue(value.element(value.indices.map(index => firstConstant(index))));
        default:
            return unreachable(value);
    }
}
