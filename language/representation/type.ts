/** Types of expressions: how messages name them, which go together, and which fit into a place. */
import { unreachable } from '../../engine/common/assert.js';
import { LARGEST_INTEGER } from '../../engine/common/interval.js';
import { domainSize, formatDomain, isNames, isReference, type Domain } from '../../engine/model/domain.js';
import { sizeOfArray } from '../../engine/sequential/cell-layout.js';
import { isSameDomain } from './domains.js';
import {
    isDomain,
    type ArrayType,
    type PlainType,
    type Shape,
    type SingleType,
    type Type,
    type Unknown,
} from './shape.js';

export const UNKNOWN: Unknown = { kind: 'unknown' };
export const BOOLEAN_TYPE: PlainType = { kind: 'boolean' };

export const NUMBER_TYPE: PlainType = { kind: 'number' };

export function integer(low: number, high: number): PlainType {
    return { kind: 'integer', low, high };
}

export function truth(known: boolean | undefined): PlainType {
    return known === undefined ? BOOLEAN_TYPE : { kind: 'boolean', known };
}

/** The type of a domain of simple values: records and channels have shapes of their own. */
export function typeOfDomain(domain: Domain): SingleType {
    return domain.kind === 'optional' ? { kind: 'optional', base: plainOf(domain.base) } : plainOf(domain);
}

function plainOf(domain: Domain): PlainType {
    switch (domain.kind) {
        case 'range':
            return integer(domain.low, domain.high);
        case 'number':
            return NUMBER_TYPE;
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

/** An array type. The indices of elements that are arrays themselves are appended. */
export function arrayType(indices: readonly Domain[], fromLiteral: number, element: Type): ArrayType {
    return element.kind === 'array'
        ? {
              kind: 'array',
              indices: [...indices, ...element.indices],
              fromLiteral: fromLiteral === 0 ? 0 : fromLiteral + element.fromLiteral,
              element: element.element,
          }
        : { kind: 'array', indices, fromLiteral, element };
}

/** The type of a row, an array over the indices behind the first `count`; of an element if none is left. */
function rowType(array: ArrayType, count: number): Type {
    const indices = array.indices.slice(count);
    return indices.length === 0
        ? array.element
        : { ...array, indices, fromLiteral: Math.max(0, array.fromLiteral - count) };
}

/** The type of the part that so many indices name, with their types; fewer are listed if there is no such part. */
export function partOfType(type: Type, count: number): readonly [Type, readonly Domain[]] {
    const bag = type.kind === 'set' ? type.shape?.inner() : undefined;
    if (count > 0 && bag !== undefined) {
        return [bag.shape.type, [bag.index]];
    }
    if (count === 0 || (type.kind !== 'array' && type.kind !== 'sequence')) {
        return [type, []];
    }
    const places: Domain[] = type.kind === 'sequence' ? [{ kind: 'range', low: 0, high: type.most - 1 }] : [];
    const own = type.kind === 'array' ? type.indices.slice(0, count) : places;
    const inner = type.kind === 'array' ? rowType(type, own.length) : type.member;
    const [part, others] = partOfType(inner, count - own.length);
    return [part, [...own, ...others]];
}

/** The type of the sets with elements of a type, or of the bags with so many copies. */
export function setType(member: Type, shape?: Shape, copies?: number): Type {
    return {
        kind: 'set',
        member: member.kind === 'array' ? UNKNOWN : member,
        ...(copies !== undefined && { copies }),
        ...(shape && { shape }),
    };
}

/** The type of the sequences with elements of a type. */
export function sequenceType(member: Type, most: number, shape?: Shape): SequenceType {
    return { kind: 'sequence', member, most, ...(shape && { shape }) };
}

/** A type as that of a sequence, which a list may be; undefined for all others. */
export function asSequence(type: Type): SequenceType | undefined {
    if (type.kind !== 'array') {
        return type.kind === 'sequence' ? type : undefined;
    }
    const [index] = type.indices;
    return type.fromLiteral === 0 || index === undefined
        ? undefined
        : { kind: 'sequence', member: rowType(type, 1), most: domainSize(index) };
}

/** Whether values of a type are numbers without end, or are `none`. */
export function isNumberType(type: Type): boolean {
    return (type.kind === 'optional' ? type.base : type).kind === 'number';
}

/** The message for an operation that numbers without end do not have. */
export function noOperation(text: string): string {
    return (
        `\`${text}\`: a number without end is compared, copied, or has a constant added; ` +
        'with a bound, `0 .. 9`, it can be computed with'
    );
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
        case 'number':
            return 'a number without end';
        case 'boolean':
            return 'a truth value';
        case 'enumeration':
            return `${isReferenceType(type) ? 'an instance' : 'a value'} of \`${type.domain.name}\``;
        case 'sequence':
            return `a sequence${type.member.kind === 'unknown' ? '' : ` of ${describeElements(type.member)}`}`;
        case 'set':
            return `a ${nameOfSet(type)}${type.member.kind === 'unknown' ? '' : ` of ${describeSome(type.member)}`}`;
        case 'named':
            return type.shape.describeOne();
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

function nameOfSet({ copies }: SetType): string {
    return copies === undefined ? 'set' : 'bag';
}

function describeArray({ indices, fromLiteral, element }: ArrayType): string {
    const sizes = indices.map((index, position) =>
        position < fromLiteral ? String(domainSize(index)) : (index.name ?? formatDomain(index)),
    );
    return `an array \`[${sizes.join(', ')}]\` of ${describeSome(element)}`;
}

function describeElements(type: Type): string {
    return type.kind === 'array' ? `arrays of ${describeSome(type.element)}` : describeSome(type);
}

function describeSome(type: SingleType | Unknown): string {
    switch (type.kind) {
        case 'integer':
            return 'integers';
        case 'number':
            return 'numbers without end';
        case 'boolean':
            return 'truth values';
        case 'enumeration':
            return `${isReferenceType(type) ? 'instances' : 'values'} of \`${type.domain.name}\``;
        case 'sequence':
            return type.member.kind === 'unknown' ? 'sequences' : `sequences of ${describeElements(type.member)}`;
        case 'set':
            return `${nameOfSet(type)}s of ${describeSome(type.member)}`;
        case 'named':
            return type.shape.describeSome();
        case 'optional':
            return `${describeSome(type.base)} or \`none\``;
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

/** Whether values of a type refer to instances of a template, or are `none`. */
export function isReferenceType(type: Type): boolean {
    const base = type.kind === 'optional' ? type.base : type;
    return base.kind === 'enumeration' && isReference(base.domain) && !isNames(base.domain);
}

/** Whether values of a type have no end and are only compared, or are `none`. */
export function isNameType(type: Type): boolean {
    const base = type.kind === 'optional' ? type.base : type;
    return base.kind === 'enumeration' && isNames(base.domain);
}

/** Whether `==` can compare values of these types, even if they are never equal. */
export function areComparable(first: Type, second: Type): boolean {
    if (first.kind === 'unknown' || second.kind === 'unknown') {
        return true;
    }
    const [left, right] = sequences(first, second) ?? [];
    if (left !== undefined && right !== undefined) {
        return areComparable(left.member, right.member);
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

/** Two types as those of sequences, if one of them is one; undefined otherwise. */
function sequences(first: Type, second: Type): readonly [SequenceType, SequenceType] | undefined {
    const [left, right] = [asSequence(first), asSequence(second)];
    return (first.kind === 'sequence' || second.kind === 'sequence') && left && right ? [left, right] : undefined;
}

/** Whether two types are the same except for the bounds of their values. */
function isSamePlain(first: PlainType, second: PlainType): boolean {
    switch (first.kind) {
        case 'integer':
        case 'number':
            // An integer beside a number without end has to be a constant, which is asked once values are known.
            return second.kind === 'integer' || second.kind === 'number';
        case 'boolean':
            return first.kind === second.kind;
        case 'enumeration':
            return second.kind === 'enumeration' && isSameDomain(first.domain, second.domain);
        case 'sequence':
            return second.kind === 'sequence' && areComparable(first.member, second.member);
        case 'set':
            return second.kind === 'set' && areComparable(first.member, second.member);
        case 'named':
            return second.kind === 'named' && first.shape.isSame(second.shape);
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
    const [left, right] = sequences(first, second) ?? listsOfTwoLengths(first, second) ?? [];
    if (left !== undefined && right !== undefined) {
        const member =
            left.member.kind === 'unknown'
                ? right.member
                : right.member.kind === 'unknown'
                  ? left.member
                  : join(left.member, right.member);
        return member && sequenceType(member, Math.max(left.most, right.most));
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
    if (first.kind === 'number' || second.kind === 'number') {
        return isSamePlain(first, second) ? NUMBER_TYPE : undefined;
    }
    if (first.kind === 'boolean' && second.kind === 'boolean') {
        return truth(first.known === second.known ? first.known : undefined);
    }
    if (first.kind === 'set' && second.kind === 'set') {
        return joinSets(first, second);
    }
    return isSamePlain(first, second) ? first : undefined;
}

/** Lists of different lengths have one type as sequences. */
function listsOfTwoLengths(first: Type, second: Type): readonly [SequenceType, SequenceType] | undefined {
    const [left, right] = [asSequence(first), asSequence(second)];
    return left && right && left.most !== right.most ? [left, right] : undefined;
}

export type SequenceType = PlainType & { readonly kind: 'sequence' };
type SetType = PlainType & { readonly kind: 'set' };

/** The type of a set with the elements of two; undefined if they are of different kinds. */
function joinSets(first: SetType, second: SetType): PlainType | undefined {
    const isSameShape = second.shape !== undefined && first.shape?.isSame(second.shape) === true;
    if (isSameShape || second.member.kind === 'unknown') {
        return first;
    }
    const member = first.member.kind === 'unknown' ? second.member : join(first.member, second.member);
    const copies = [first, second].flatMap(type => (type.copies === undefined ? [] : [type.copies]));
    return member === undefined || member.kind === 'array'
        ? undefined
        : first.member.kind === 'unknown'
          ? second
          : { kind: 'set', member, ...(copies.length > 0 && { copies: Math.max(...copies) }) };
}

/** Whether a place can hold a value; `outside` is a fault in every run. */
export type Fit = 'fits' | 'outside' | 'mismatch';

/** A value that may or may not lie in the shape fits; the run checks it. */
export function fitOf(source: Type, target: Shape): Fit {
    return source.kind === 'unknown' ? 'fits' : fitOfType(source, target.type);
}

function fitOfType(source: Type, declared: Type): Fit {
    if (source.kind === 'unknown') {
        return 'fits';
    }
    if (declared.kind === 'sequence') {
        const value = asSequence(source);
        const isTooLong = source.kind === 'array' && value !== undefined && value.most > declared.most;
        // A sequence may have none of the elements that lie outside.
        const fit = value === undefined ? 'mismatch' : fitOfType(value.member, declared.member);
        return fit === 'mismatch' || isTooLong ? 'mismatch' : source.kind === 'array' ? fit : 'fits';
    }
    if (source.kind === 'array' && declared.kind === 'array') {
        const listed = withLists(source, declared);
        if (listed !== undefined) {
            return fitOfType(listed, declared);
        }
        const fit =
            commonIndices(source, declared) === undefined ? 'mismatch' : fitOfType(source.element, declared.element);
        return fit === 'outside' && sizeOfArray(declared.indices) === 0 ? 'fits' : fit;
    }
    if (
        source.kind === 'array' ||
        declared.kind === 'array' ||
        declared.kind === 'unknown' ||
        declared.kind === 'none'
    ) {
        return 'mismatch';
    }
    if (source.kind === 'none') {
        return declared.kind === 'optional' ? 'fits' : 'mismatch';
    }
    const [value, base] = [plain(source), plain(declared)];
    if (value.kind === 'set' && base.kind === 'set') {
        // A set may have none of the elements that lie outside, and is a bag; a bag is no set.
        const isBag = value.copies !== undefined && base.copies === undefined;
        return isBag || fitOfType(value.member, base.member) === 'mismatch' ? 'mismatch' : 'fits';
    }
    if (!isSamePlain(value, base) || (value.kind === 'number' && base.kind !== 'number')) {
        return 'mismatch';
    }
    if (value.kind === 'integer' && base.kind === 'number') {
        return value.low <= value.high && value.high < 0 ? 'outside' : 'fits';
    }
    const isOutside =
        value.kind === 'integer' &&
        base.kind === 'integer' &&
        source.kind !== 'optional' &&
        value.low <= value.high &&
        (value.high < base.low || base.high < value.low);
    return isOutside ? 'outside' : 'fits';
}

/** An array of lists where an array of sequences is declared: its rows as sequences; undefined for all others. */
function withLists(source: ArrayType, declared: ArrayType): ArrayType | undefined {
    const { indices, element, fromLiteral } = source;
    const list = indices.at(-1);
    const isList = list?.kind === 'range' && list.low === 0 && list.name === undefined;
    return declared.element.kind === 'sequence' && indices.length === declared.indices.length + 1 && isList
        ? {
              kind: 'array',
              indices: indices.slice(0, -1),
              fromLiteral: Math.min(fromLiteral, indices.length - 1),
              element: sequenceType(element, domainSize(list)),
          }
        : undefined;
}

/** Whether a place holds fewer values than an expression may have: an optional one, or numbers outside. */
export function isNarrower(target: Shape, source: Type): boolean {
    const declared = target.type;
    if (source.kind === 'optional') {
        return declared.kind !== 'optional';
    }
    return (
        declared.kind === 'integer' &&
        source.kind === 'integer' &&
        (source.low < declared.low || declared.high < source.high)
    );
}

/** How a value fits as an index of this domain. */
export function fitOfIndex(source: Type, domain: Domain): Fit {
    const value = source.kind === 'optional' ? source.base : source;
    const base = domain.kind === 'optional' ? domain.base : domain;
    if (value.kind === 'set') {
        const isSetOf = base.kind === 'record' && base.elements !== undefined;
        return isSetOf && value.copies === undefined && fitOfIndex(value.member, base.elements) !== 'mismatch'
            ? 'fits'
            : 'mismatch';
    }
    if (value.kind === 'named') {
        const own = value.shape.oneCell();
        return isDomain(own) && isSameDomain(base, own) ? 'fits' : 'mismatch';
    }
    return base.kind === 'record' && value.kind !== 'none' && value.kind !== 'unknown'
        ? 'mismatch'
        : fitOfType(source, typeOfDomain(domain));
}

function isOptional(type: SingleType): boolean {
    return type.kind === 'optional' || type.kind === 'none';
}

function plain(type: Exclude<SingleType, { kind: 'none' }>): PlainType {
    return type.kind === 'optional' ? type.base : type;
}
