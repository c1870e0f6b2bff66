/**
 * The type of an expression, with what is known of its value before a run: integers carry the interval they lie in,
 * truth values whether they are decided. Both are upper bounds, so whatever they exclude is proven.
 */
import { unreachable } from '../../engine/common/assert.js';
import { formatDomain, NONE, type Domain, type Value } from '../../engine/model/domain.js';
import { LARGEST_INTEGER } from './interval.js';

export type Type =
    PlainType | { readonly kind: 'optional'; readonly base: PlainType } | { readonly kind: 'none' } | Unknown;

/** The type of values that are there. */
export type PlainType =
    | { readonly kind: 'integer'; readonly low: number; readonly high: number }
    | { readonly kind: 'boolean'; readonly known?: boolean }
    | { readonly kind: 'enumeration'; readonly name: string };

/** The type of an expression that has an error already; it fits everywhere, so that one error stays one. */
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

/** The type of a place that holds values of `domain`. */
export function typeOfDomain(domain: Domain): Type {
    switch (domain.kind) {
        case 'optional': {
            const base = typeOfDomain(domain.base);
            return base.kind === 'integer' || base.kind === 'boolean' || base.kind === 'enumeration'
                ? { kind: 'optional', base }
                : base;
        }
        case 'boolean':
            return BOOLEAN_TYPE;
        case 'range':
            return integer(domain.low, domain.high);
        case 'enumeration':
            return { kind: 'enumeration', name: domain.name };
        default:
            return unreachable(domain);
    }
}

/** The type of one value of `domain`. */
export function typeOfValue(domain: Domain, value: Value): Type {
    if (value === NONE) {
        return { kind: 'none' };
    }
    switch (domain.kind) {
        case 'optional':
            return typeOfValue(domain.base, value);
        case 'boolean':
            return truth(value !== 0);
        case 'range':
            return integer(value, value);
        case 'enumeration':
            return { kind: 'enumeration', name: domain.name };
        default:
            return unreachable(domain);
    }
}

/** What is said of a result beyond the exact integers. */
export const OVERFLOW = `the result is too large; integers are exact up to ${LARGEST_INTEGER}`;

/** How a message names the type of an expression: `an integer`, `a value of Color`. */
export function describeType(type: Type): string {
    switch (type.kind) {
        case 'integer':
            return type.low === type.high ? `the integer ${type.low}` : 'an integer';
        case 'boolean':
            return 'a truth value';
        case 'enumeration':
            return `a value of \`${type.name}\``;
        case 'optional':
            return `${describeType(type.base)} or \`none\``;
        case 'none':
            return '`none`';
        case 'unknown':
            return 'unknown';
        default:
            return unreachable(type);
    }
}

/** How a message names a domain: `` `Agent` (0 .. 4) ``, `` `bool` ``. */
export function describeDomain(domain: Domain): string {
    const text = formatDomain(domain);
    return domain.name === undefined || domain.name === text ? `\`${text}\`` : `\`${domain.name}\` (${text})`;
}

/** Whether two values of these types can be compared with `==`, be it that they are never equal. */
export function areComparable(first: Type, second: Type): boolean {
    if (first.kind === 'unknown' || second.kind === 'unknown') {
        return true;
    }
    if (first.kind === 'none' || second.kind === 'none') {
        return isOptional(first) && isOptional(second);
    }
    const [a, b] = [plain(first), plain(second)];
    return a.kind === b.kind && (a.kind !== 'enumeration' || b.kind !== 'enumeration' || a.name === b.name);
}

/** The type of an expression that is one of two, or undefined where they do not go together. */
export function join(first: Type, second: Type): Type | undefined {
    if (first.kind === 'unknown' || second.kind === 'unknown') {
        return UNKNOWN;
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
    return first.kind === 'enumeration' && second.kind === 'enumeration' && first.name === second.name
        ? first
        : undefined;
}

/** How a value of type `source` fits into a place of `target`; `outside` is proven to be a fault. */
export type Fit = 'fits' | 'outside' | 'mismatch';

/** A value that may or may not be in the domain fits: whether it is shows at run time. */
export function fitOf(source: Type, target: Domain): Fit {
    if (source.kind === 'unknown') {
        return 'fits';
    }
    if (source.kind === 'none') {
        return target.kind === 'optional' ? 'fits' : 'mismatch';
    }
    const value = plain(source);
    const base = target.kind === 'optional' ? target.base : target;
    switch (base.kind) {
        case 'boolean':
            return value.kind === 'boolean' ? 'fits' : 'mismatch';
        case 'enumeration':
            return value.kind === 'enumeration' && value.name === base.name ? 'fits' : 'mismatch';
        case 'range':
            if (value.kind !== 'integer') {
                return 'mismatch';
            }
            return source.kind !== 'optional' && (value.high < base.low || base.high < value.low) ? 'outside' : 'fits';
        case 'optional':
            return 'mismatch';
        default:
            return unreachable(base);
    }
}

function isOptional(type: Type): boolean {
    return type.kind === 'optional' || type.kind === 'none';
}

function plain(type: Exclude<Type, { kind: 'none' } | Unknown>): PlainType {
    return type.kind === 'optional' ? type.base : type;
}
