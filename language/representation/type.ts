/** The type of an expression, with a bound of its values in all runs: an interval, the value of a decided condition. */
import { unreachable } from '../../engine/common/assert.js';
import { BOOLEAN, domainSize, formatDomain, isReference, NONE, type Domain } from '../../engine/model/domain.js';
import { isArrayValue, isRecordValue, type ConstantValue } from './constant-value.js';
import { LARGEST_INTEGER } from '../../engine/common/interval.js';
import {
    atomicDomainOf,
    cellCount,
    formatShape,
    isDomain,
    isSameDomain,
    isSameShape,
    type ChannelShape,
    type ElementShape,
    type RecordShape,
    type Shape,
} from './shape.js';

export type Type = SingleType | ArrayType | Unknown;

/** The type of an element of an array. */
type SingleType = PlainType | { readonly kind: 'optional'; readonly base: PlainType } | { readonly kind: 'none' };

/** The type of values that are not `none`. */
export type PlainType =
    | { readonly kind: 'integer'; readonly low: number; readonly high: number }
    | { readonly kind: 'boolean'; readonly known?: boolean }
    | { readonly kind: 'enumeration'; readonly domain: Domain & { readonly kind: 'enumeration' } }
    | { readonly kind: 'record'; readonly shape: RecordShape }
    /** The shape's domain is not optional. */
    | { readonly kind: 'channel'; readonly shape: ChannelShape };

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

export const UNKNOWN: Unknown = { kind: 'unknown' };
export const BOOLEAN_TYPE: PlainType = { kind: 'boolean' };

export function integer(low: number, high: number): PlainType {
    return { kind: 'integer', low, high };
}

export function truth(known: boolean | undefined): PlainType {
    return known === undefined ? BOOLEAN_TYPE : { kind: 'boolean', known };
}

/** The type of a place of this shape. */
export function typeOfShape(shape: Shape): Type {
    switch (shape.kind) {
        case 'scalar': {
            const { domain, record } = shape;
            if (domain.kind === 'optional') {
                const base: PlainType = record === undefined ? plainOf(domain.base) : { kind: 'record', shape: record };
                return { kind: 'optional', base };
            }
            return plainOf(domain);
        }
        case 'record':
            return { kind: 'record', shape };
        case 'channel': {
            const { domain } = shape;
            return domain.kind === 'optional'
                ? {
                      kind: 'optional',
                      base: { kind: 'channel', shape: { ...shape, isOptional: false, domain: domain.base } },
                  }
                : { kind: 'channel', shape };
        }
        case 'array':
            return arrayOf(shape.indices, typeOfShape(shape.element));
        default:
            return unreachable(shape);
    }
}

function arrayOf(indices: readonly Domain[], element: Type): ArrayType {
    return { kind: 'array', indices, fromLiteral: 0, element: element.kind === 'array' ? UNKNOWN : element };
}

/** The type of a domain of simple values: records and channels have shapes of their own. */
function plainOf(domain: Domain): PlainType {
    switch (domain.kind) {
        case 'range':
            return integer(domain.low, domain.high);
        case 'enumeration':
            return { kind: 'enumeration', domain };
        case 'boolean':
        case 'record':
        case 'optional':
            return BOOLEAN_TYPE;
        default:
            return unreachable(domain);
    }
}

/** The shape of a place that can hold every value of the type. */
export function shapeOfType(type: Type): Shape | undefined {
    switch (type.kind) {
        case 'integer':
            return { kind: 'scalar', domain: { kind: 'range', low: type.low, high: type.high } };
        case 'boolean':
            return { kind: 'scalar', domain: BOOLEAN };
        case 'enumeration':
            return { kind: 'scalar', domain: type.domain };
        case 'record':
        case 'channel':
            return type.shape;
        case 'optional':
            return optionalShapeOf(type.base);
        case 'array': {
            const element = shapeOfType(type.element);
            return element === undefined || element.kind === 'array'
                ? undefined
                : { kind: 'array', indices: type.indices, element };
        }
        case 'none':
        case 'unknown':
            return undefined;
        default:
            return unreachable(type);
    }
}

function optionalShapeOf(base: PlainType): Shape | undefined {
    const shape = shapeOfType(base);
    if (shape?.kind === 'channel') {
        return { ...shape, isOptional: true, domain: { kind: 'optional', base: shape.domain } };
    }
    if (shape?.kind === 'record') {
        const domain = atomicDomainOf(shape);
        return isDomain(domain)
            ? { kind: 'scalar', domain: { kind: 'optional', base: domain }, record: shape }
            : undefined;
    }
    return shape?.kind === 'scalar' ? { kind: 'scalar', domain: { kind: 'optional', base: shape.domain } } : undefined;
}

/** The type of one value of a shape. */
export function typeOfConstant(shape: Shape, value: ConstantValue): Type {
    if (isArrayValue(value)) {
        if (shape.kind !== 'array') {
            return UNKNOWN;
        }
        const { element } = shape;
        const [first, ...others] = value.elements;
        let joined: Type = first === undefined ? typeOfShape(element) : typeOfConstant(element, first);
        for (const other of others) {
            joined = join(joined, typeOfConstant(element, other)) ?? UNKNOWN;
        }
        return arrayOf(shape.indices, joined);
    }
    if (isRecordValue(value)) {
        return { kind: 'record', shape: value.shape };
    }
    if (value === NONE) {
        return { kind: 'none' };
    }
    const type = typeOfShape(shape);
    const base = type.kind === 'optional' ? type.base : type;
    switch (base.kind) {
        case 'integer':
            return integer(value, value);
        case 'boolean':
            return truth(value !== 0);
        default:
            return base;
    }
}

/** The message for a result beyond the exact integers. */
export const OVERFLOW = `the result is too large; integers are exact up to ${LARGEST_INTEGER}`;

/** Why a built-in function has no value for its arguments. */
export function whyUndefined(name: string): string {
    return name === 'pow'
        ? 'the exponent of `pow` must not be negative'
        : `\`${name}\` works on the bits of integers from 0 on, but here one is negative`;
}

/** How a message names the type of an expression: `an integer`, `a value of Color`. */
export function describeType(type: Type): string {
    switch (type.kind) {
        case 'integer':
            return type.low === type.high ? `the integer ${type.low}` : 'an integer';
        case 'boolean':
            return 'a truth value';
        case 'enumeration':
            return `${isReference(type.domain) ? 'an instance' : 'a value'} of \`${type.domain.name}\``;
        case 'record':
            return `a record \`${type.shape.name}\``;
        case 'channel':
            return `a \`${formatShape(type.shape)}\``;
        case 'optional':
            return `${describeType(type.base)} or \`none\``;
        case 'none':
            return '`none`';
        case 'array':
            return describeArray(type);
        case 'unknown':
            return 'unknown';
        default:
            return unreachable(type);
    }
}

function describeArray({ indices, fromLiteral, element }: ArrayType): string {
    const sizes = indices.map((index, position) =>
        position < fromLiteral ? String(domainSize(index)) : (index.name ?? formatDomain(index)),
    );
    return `an array \`[${sizes.join(', ')}]\` of ${describeMany(element)}`;
}

function describeMany(type: SingleType | Unknown): string {
    switch (type.kind) {
        case 'integer':
            return 'integers';
        case 'boolean':
            return 'truth values';
        case 'enumeration':
            return `${isReference(type.domain) ? 'instances' : 'values'} of \`${type.domain.name}\``;
        case 'record':
            return `records \`${type.shape.name}\``;
        case 'channel':
            return 'channels';
        case 'optional':
            return `${describeMany(type.base)} or \`none\``;
        case 'none':
            return '`none`';
        case 'unknown':
            return 'something';
        default:
            return unreachable(type);
    }
}

/** How a message names the values of a type: `between 2 and 4`. */
export function describeInterval(type: Type): string {
    if (type.kind === 'array') {
        return `an array with elements that are ${describeInterval(type.element)}`;
    }
    if (type.kind !== 'integer') {
        return describeType(type);
    }
    return type.low === type.high ? `${type.low}` : `between ${type.low} and ${type.high}`;
}

/** How a message names a domain: `` `Agent` (0 .. 4) ``, `` `bool` ``. */
export function describeDomain(domain: Domain): string {
    const text = formatDomain(domain);
    return domain.name === undefined || domain.name === text ? `\`${text}\`` : `\`${domain.name}\` (${text})`;
}

/** How a message names a shape: `` `Node` ``, `` `bool[Proc]` ``. */
export function describeShape(shape: Shape): string {
    return shape.kind === 'scalar' ? describeDomain(shape.domain) : `\`${formatShape(shape)}\``;
}

/** Whether values of a type refer to instances of a template, or are `none`. */
export function isReferenceType(type: Type): boolean {
    const base = type.kind === 'optional' ? type.base : type;
    return base.kind === 'enumeration' && isReference(base.domain);
}

/** Whether `==` can compare values of these types, even if they are never equal. */
export function areComparable(first: Type, second: Type): boolean {
    if (first.kind === 'unknown' || second.kind === 'unknown') {
        return true;
    }
    if (first.kind === 'array' || second.kind === 'array') {
        return (
            first.kind === 'array' &&
            second.kind === 'array' &&
            commonIndices(first, second) !== undefined &&
            areComparable(first.element, second.element)
        );
    }
    if (first.kind === 'none' || second.kind === 'none') {
        return isOptional(first) && isOptional(second);
    }
    return isSamePlain(plain(first), plain(second));
}

/** Whether two types are the same except for the bounds of their values. */
function isSamePlain(first: PlainType, second: PlainType): boolean {
    switch (first.kind) {
        case 'integer':
        case 'boolean':
            return first.kind === second.kind;
        case 'enumeration':
            return second.kind === 'enumeration' && isSameDomain(first.domain, second.domain);
        case 'record':
            return second.kind === 'record' && first.shape.declaration === second.shape.declaration;
        case 'channel':
            return second.kind === 'channel' && isSameShape(first.shape.message, second.shape.message);
        default:
            return unreachable(first);
    }
}

/** The indices of an array that is one of two; undefined if the two have different indices. */
function commonIndices(first: ArrayType, second: ArrayType): { indices: Domain[]; fromLiteral: number } | undefined {
    if (first.indices.length !== second.indices.length) {
        return undefined;
    }
    const indices: Domain[] = [];
    for (const [position, own] of first.indices.entries()) {
        const other = second.indices[position];
        const isLiteral = position < first.fromLiteral;
        const fits =
            other !== undefined &&
            (isLiteral || position < second.fromLiteral
                ? domainSize(own) === domainSize(other) && !isReference(own) && !isReference(other)
                : isSameDomain(own, other));
        if (!fits) {
            return undefined;
        }
        indices.push(isLiteral ? other : own);
    }
    return { indices, fromLiteral: Math.min(first.fromLiteral, second.fromLiteral) };
}

/** The type of a value that has one of two types; undefined if there is no such type. */
export function join(first: Type, second: Type): Type | undefined {
    if (first.kind === 'unknown' || second.kind === 'unknown') {
        return UNKNOWN;
    }
    if (first.kind === 'array' || second.kind === 'array') {
        if (first.kind !== 'array' || second.kind !== 'array') {
            return undefined;
        }
        const common = commonIndices(first, second);
        const element = join(first.element, second.element);
        return common === undefined || element === undefined || element.kind === 'array'
            ? undefined
            : { kind: 'array', ...common, element };
    }
    if (first.kind === 'none') {
        return second.kind === 'none' || second.kind === 'optional' ? second : { kind: 'optional', base: second };
    }
    if (second.kind === 'none') {
        return join(second, first);
    }
    const base = joinPlain(plain(first), plain(second));
    if (base === undefined) {
        return undefined;
    }
    return first.kind === 'optional' || second.kind === 'optional' ? { kind: 'optional', base } : base;
}

function joinPlain(first: PlainType, second: PlainType): PlainType | undefined {
    if (first.kind === 'integer' && second.kind === 'integer') {
        return integer(Math.min(first.low, second.low), Math.max(first.high, second.high));
    }
    if (first.kind === 'boolean' && second.kind === 'boolean') {
        return truth(first.known === second.known ? first.known : undefined);
    }
    return isSamePlain(first, second) ? first : undefined;
}

/** Whether a place can hold a value; `outside` is a fault in every run. */
export type Fit = 'fits' | 'outside' | 'mismatch';

/** A value that may or may not lie in the shape fits; the run checks it. */
export function fitOf(source: Type, target: Shape): Fit {
    if (source.kind === 'unknown') {
        return 'fits';
    }
    if (target.kind === 'array') {
        return source.kind === 'array' ? fitOfArray(source, target.indices, target.element) : 'mismatch';
    }
    if (source.kind === 'array') {
        return 'mismatch';
    }
    const isOptionalTarget =
        target.kind === 'channel' ? target.isOptional : target.kind === 'scalar' && target.domain.kind === 'optional';
    if (source.kind === 'none') {
        return isOptionalTarget ? 'fits' : 'mismatch';
    }
    const value = plain(source);
    const declared = typeOfShape(target);
    const base = declared.kind === 'optional' ? declared.base : declared;
    if (base.kind === 'array' || base.kind === 'unknown' || base.kind === 'none') {
        return 'mismatch';
    }
    if (!isSamePlain(value, base)) {
        return 'mismatch';
    }
    const isOutside =
        value.kind === 'integer' &&
        base.kind === 'integer' &&
        source.kind !== 'optional' &&
        value.low <= value.high &&
        (value.high < base.low || base.high < value.low);
    return isOutside ? 'outside' : 'fits';
}

/** Whether a place holds fewer values than an expression may have: an optional one, or numbers outside. */
export function isNarrower(target: Shape, source: Type): boolean {
    const declared = typeOfShape(target);
    if (source.kind === 'optional') {
        return declared.kind !== 'optional';
    }
    return (
        declared.kind === 'integer' &&
        source.kind === 'integer' &&
        (source.low < declared.low || declared.high < source.high)
    );
}

function fitOfArray(source: ArrayType, indices: readonly Domain[], element: ElementShape): Fit {
    if (commonIndices(source, { kind: 'array', indices, fromLiteral: 0, element: UNKNOWN }) === undefined) {
        return 'mismatch';
    }
    const fit = fitOf(source.element, element);
    return fit === 'outside' && cellCount(indices) === 0 ? 'fits' : fit;
}

/** How a value fits as an index of this domain. */
export function fitOfIndex(source: Type, domain: Domain): Fit {
    const value = source.kind === 'optional' ? source.base : source;
    const base = domain.kind === 'optional' ? domain.base : domain;
    if (value.kind === 'record') {
        return base.kind === 'record' && base.name === value.shape.name ? 'fits' : 'mismatch';
    }
    if (value.kind === 'channel') {
        return isSameDomain(base, value.shape.domain) ? 'fits' : 'mismatch';
    }
    return base.kind === 'record' && value.kind !== 'none' && value.kind !== 'unknown'
        ? 'mismatch'
        : fitOf(source, { kind: 'scalar', domain });
}

function isOptional(type: SingleType): boolean {
    return type.kind === 'optional' || type.kind === 'none';
}

function plain(type: Exclude<SingleType, { kind: 'none' }>): PlainType {
    return type.kind === 'optional' ? type.base : type;
}
