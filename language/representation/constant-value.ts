/**
 * Values that are known before a run. A scalar is a number, as in the engine; an array has its index types and its
 * elements row by row; a record has the values of its fields, also if a cell of the state stores it as one number
 * (`cellValueOf`).
 *
 * Invariant: the elements of an array are no arrays; a record has one value for each field of its shape.
 */
import { unreachable } from '../../engine/common/assert.js';
import {
    codeOfValue,
    domainSize,
    formatValue,
    NONE,
    valueOfCode,
    type Domain,
    type RecordDomain,
    type Value,
} from '../../engine/model/domain.js';
import type { ParameterValue } from '../../engine/model/model.js';
import { atomicDomainOf, cellCount, isDomain, type FieldShape, type RecordShape, type Shape } from './shape.js';

export type ConstantValue = Value | ConstantArray | ConstantRecord;

export interface ConstantArray {
    readonly kind: 'array';
    readonly indices: readonly Domain[];
    readonly elements: readonly ConstantValue[];
}

export interface ConstantRecord {
    readonly kind: 'record';
    readonly shape: RecordShape;
    readonly fields: readonly ConstantValue[];
}

export function isArrayValue(value: ConstantValue): value is ConstantArray {
    return typeof value !== 'number' && value.kind === 'array';
}

export function isRecordValue(value: ConstantValue): value is ConstantRecord {
    return typeof value !== 'number' && value.kind === 'record';
}

/** Whether two values are the same. The index types of arrays do not matter. */
export function areEqualValues(first: ConstantValue, second: ConstantValue): boolean {
    if (typeof first === 'number' || typeof second === 'number') {
        return first === second;
    }
    const [mine, others] = [partsOf(first), partsOf(second)];
    return (
        first.kind === second.kind &&
        mine.length === others.length &&
        mine.every((part, position) => areEqualValues(part, others[position] ?? NONE))
    );
}

function partsOf(value: ConstantArray | ConstantRecord): readonly ConstantValue[] {
    return value.kind === 'array' ? value.elements : value.fields;
}

const tuplePositions = new WeakMap<RecordDomain, ReadonlyMap<string, number>>();

/** The number of a value that one cell stores; undefined if the type does not have the value. */
export function cellValueOf(value: ConstantValue): Value | undefined {
    if (typeof value === 'number') {
        return value;
    }
    if (value.kind === 'array') {
        return undefined;
    }
    const domain = atomicDomainOf(value.shape);
    if (!isDomain(domain) || domain.kind !== 'record') {
        return undefined;
    }
    let positions = tuplePositions.get(domain);
    if (positions === undefined) {
        positions = new Map(domain.tuples.map((tuple, position) => [tuple.join(), position]));
        tuplePositions.set(domain, positions);
    }
    const tuple = value.fields.flatMap(field => (isArrayValue(field) ? field.elements : [field])).map(cellValueOf);
    return positions.get(tuple.join());
}

/** The value that a cell stores as a number. The inverse of `cellValueOf`. */
export function valueOfCell(shape: Shape, value: Value): ConstantValue {
    const record = shape.kind === 'record' ? shape : shape.kind === 'scalar' ? shape.record : undefined;
    if (record === undefined || value === NONE) {
        return value;
    }
    const domain = atomicDomainOf(record);
    const tuple = isDomain(domain) && domain.kind === 'record' ? domain.tuples[value] : undefined;
    return tuple === undefined ? value : { kind: 'record', shape: record, fields: fieldValuesOf(record.fields, tuple) };
}

/** The values of the fields of a record from its tuple. */
export function fieldValuesOf(fields: readonly FieldShape[], tuple: readonly Value[]): ConstantValue[] {
    let position = 0;
    return fields.map(({ shape }) => {
        if (shape.kind !== 'array') {
            return valueOfCell(shape, tuple[position++] ?? NONE);
        }
        const elements = Array.from({ length: cellCount(shape.indices) }, () =>
            valueOfCell(shape.element, tuple[position++] ?? NONE),
        );
        return { kind: 'array', indices: shape.indices, elements };
    });
}

/** The value with the index types of `shape`; undefined if it is of another kind. */
export function valueAs(shape: Shape, value: ConstantValue): ConstantValue | undefined {
    switch (shape.kind) {
        case 'scalar':
            return typeof value === 'number' || (shape.record !== undefined && isOfRecord(value, shape.record))
                ? value
                : undefined;
        case 'channel':
            return typeof value === 'number' ? value : undefined;
        case 'record':
            return isOfRecord(value, shape) ? value : undefined;
        case 'array': {
            if (!isArrayValue(value) || !haveSameSizes(value.indices, shape.indices)) {
                return undefined;
            }
            const elements = value.elements.map(element => valueAs(shape.element, element));
            return elements.every(element => element !== undefined)
                ? { kind: 'array', indices: shape.indices, elements }
                : undefined;
        }
        default:
            return unreachable(shape);
    }
}

function isOfRecord(value: ConstantValue, shape: RecordShape): boolean {
    return isRecordValue(value) && value.shape.declaration === shape.declaration;
}

function haveSameSizes(first: readonly Domain[], second: readonly Domain[]): boolean {
    return (
        first.length === second.length &&
        first.every((domain, position) => domainSize(domain) === domainSize(second[position] ?? domain))
    );
}

/** The position of the element with these indices, or the index that lies outside. */
export function positionIn(
    domains: readonly Domain[],
    indices: readonly ConstantValue[],
): { readonly position: number } | { readonly outside: number } {
    let position = 0;
    for (const [place, domain] of domains.entries()) {
        const index = cellValueOf(indices[place] ?? NONE);
        const code = index === undefined ? -1 : codeOfValue(domain, index);
        if (code < 0) {
            return { outside: place };
        }
        position = position * domainSize(domain) + code;
    }
    return { position };
}

/** The first part of a value outside of its type: a scalar, or a record that its `where` excludes. */
export function misfitOf(
    shape: Shape,
    value: ConstantValue,
): { readonly shape: Shape; readonly value: ConstantValue } | undefined {
    switch (shape.kind) {
        case 'scalar': {
            const cell = cellValueOf(value);
            return cell !== undefined && codeOfValue(shape.domain, cell) >= 0 ? undefined : { shape, value };
        }
        case 'channel':
            return typeof value === 'number' && codeOfValue(shape.domain, value) >= 0 ? undefined : { shape, value };
        case 'record': {
            const inside = isRecordValue(value)
                ? firstOf(shape.fields, (field, position) => misfitOf(field.shape, value.fields[position] ?? NONE))
                : { shape, value };
            return (
                inside ??
                (shape.atomic !== undefined && cellValueOf(value) === undefined ? { shape, value } : undefined)
            );
        }
        case 'array':
            return isArrayValue(value)
                ? firstOf(value.elements, element => misfitOf(shape.element, element))
                : undefined;
        default:
            return unreachable(shape);
    }
}

function firstOf<Item, Result>(
    items: readonly Item[],
    find: (item: Item, position: number) => Result | undefined,
): Result | undefined {
    for (const [position, item] of items.entries()) {
        const result = find(item, position);
        if (result !== undefined) {
            return result;
        }
    }
    return undefined;
}

/** A value as the text would write it: `[3, 3, 2]`, `Client(0, 2)`, `red`. */
export function formatConstant(shape: Shape, value: ConstantValue): string {
    if (typeof value === 'number') {
        return shape.kind === 'scalar' || shape.kind === 'channel' ? formatValue(shape.domain, value) : String(value);
    }
    if (value.kind === 'record') {
        const fields = value.shape.fields.map((field, position) =>
            formatConstant(field.shape, value.fields[position] ?? NONE),
        );
        return `${value.shape.name}(${fields.join(', ')})`;
    }
    const texts = value.elements.map(element =>
        formatConstant(shape.kind === 'array' ? shape.element : shape, element),
    );
    return nested(texts, value.indices, (parts: readonly string[]) => `[${parts.join(', ')}]`)[0] ?? '[]';
}

/** A value for JSON. */
export function parameterValueOf(shape: Shape, value: ConstantValue): ParameterValue {
    if (typeof value === 'number') {
        if (value === NONE) {
            return null;
        }
        const domain = shape.kind === 'scalar' || shape.kind === 'channel' ? shape.domain : undefined;
        const base = domain?.kind === 'optional' ? domain.base : domain;
        return base === undefined || base.kind === 'range'
            ? value
            : base.kind === 'boolean'
              ? value !== 0
              : formatValue(base, value);
    }
    if (value.kind === 'record') {
        return Object.fromEntries(
            value.shape.fields.map(({ name, shape: field }, position) => [
                name,
                parameterValueOf(field, value.fields[position] ?? NONE),
            ]),
        );
    }
    const elements = value.elements.map(element =>
        parameterValueOf(shape.kind === 'array' ? shape.element : shape, element),
    );
    return nested<ParameterValue>(elements, value.indices, parts => parts)[0] ?? [];
}

/** Joins elements, row by row, to nested lists, the last index innermost. */
function nested<Item>(
    elements: readonly Item[],
    indices: readonly Domain[],
    join: (parts: readonly Item[]) => Item,
): readonly Item[] {
    let items = elements;
    for (const index of [...indices].reverse()) {
        const size = domainSize(index);
        const count = size === 0 ? 0 : items.length / size;
        const previous = items;
        items = Array.from({ length: count }, (_, row) => join(previous.slice(row * size, (row + 1) * size)));
    }
    return items;
}

/** An array. The indices of elements that are arrays themselves are appended. */
export function arrayOf(indices: readonly Domain[], elements: readonly ConstantValue[]): ConstantArray | undefined {
    const [first] = elements;
    if (first === undefined || !isArrayValue(first)) {
        return elements.some(isArrayValue) ? undefined : { kind: 'array', indices, elements };
    }
    const joined: ConstantValue[] = [];
    for (const element of elements) {
        if (!isArrayValue(element) || element.elements.length !== first.elements.length) {
            return undefined;
        }
        joined.push(...element.elements);
    }
    return { kind: 'array', indices: [...indices, ...first.indices], elements: joined };
}

/** An array with one value in all cells. */
export function filledWith(shape: Extract<Shape, { kind: 'array' }>, value: ConstantValue): ConstantArray {
    const elements = new Array<ConstantValue>(cellCount(shape.indices)).fill(value);
    return { kind: 'array', indices: shape.indices, elements };
}

/** The value of a variable without an initializer: the lowest value, `false`, the first name or `none` in each cell. */
export function firstValueOf(shape: Shape): ConstantValue | undefined {
    switch (shape.kind) {
        case 'scalar':
        case 'channel':
            return domainSize(shape.domain) === 0 ? undefined : valueOfCell(shape, valueOfCode(shape.domain, 0));
        case 'record': {
            if (shape.atomic !== undefined) {
                return shape.atomic.tuples.length === 0 ? undefined : valueOfCell(shape, 0);
            }
            const fields = shape.fields.map(field => firstValueOf(field.shape));
            return fields.every(field => field !== undefined) ? { kind: 'record', shape, fields } : undefined;
        }
        case 'array': {
            const element = firstValueOf(shape.element);
            return element === undefined ? undefined : filledWith(shape, element);
        }
        default:
            return unreachable(shape);
    }
}
