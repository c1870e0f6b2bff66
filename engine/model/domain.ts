/**
 * Finite value domains. A *value* is a number: an integer itself, 0 or 1 for a Boolean, the position of its name for an
 * enumeration, the position of its tuple for a record, NONE for the absent optional value. A *code* is the position of
 * a value in its domain's order, 0 … size - 1; state vectors and graphs work with codes, expressions with values. The
 * order is ascending, `false` first, names as declared, records by their fields from left to right, `none` before all
 * others.
 */
import { unreachable } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import { writeValue, type ValueFormat } from './value-format.js';

/** A value of a model, see above. Integers are exact up to 2^53 - 1 in magnitude. */
export type Value = number;

/** The value `none` of an optional type: a real value of the language. Equal to nothing but itself, not an integer. */
export const NONE: Value = Number.NEGATIVE_INFINITY;

/** The code of a cell without a value, such as a dead local. No expression names it, and symmetries keep it. */
export const NO_VALUE = -1;

/** `name` is the name of the declared type, if it has one; it does not matter for equality. */
export type Domain =
    | { readonly kind: 'boolean'; readonly name?: string }
    | {
          readonly kind: 'range';
          readonly low: number;
          readonly high: number;
          readonly name?: string;
          /** If the bounds depend on a parameter that stands for all its values; see family. */
          readonly bounds?: LinearBounds;
      }
    | {
          readonly kind: 'enumeration';
          readonly name: string;
          readonly values: readonly string[];
          /** Index into `Model.processes`: the values are references to its instances, one for each slot. */
          readonly template?: number;
          /** The values have no end and are only compared: the first so many have names in the text, others are slots. */
          readonly named?: number;
      }
    | RecordDomain
    /** The numbers from 0 on, without end; the states of a search hold codes up to `high` (with-numbers.ts). */
    | { readonly kind: 'number'; readonly high: number; readonly name?: string }
    | { readonly kind: 'optional'; readonly base: Domain; readonly name?: string };

/** The domain without `none`. */
export function baseOf(domain: Domain): Domain {
    return domain.kind === 'optional' ? domain.base : domain;
}

/** The bounds of a domain whose values name members of families; undefined for any other one. */
export function memberBoundsOf(domain: Domain): LinearBounds | undefined {
    const base = baseOf(domain);
    return base.kind === 'range' ? base.bounds : undefined;
}

/** The bounds of a range as the text writes them. */
export interface LinearBounds {
    readonly low: LinearSum;
    readonly high: LinearSum;
    readonly range: SourceRange;
}

/** A constant and multiples of parameters: `R + W - 1` is `{ constant: -1, factors: { R: 1, W: 1 } }`. */
export interface LinearSum {
    readonly constant: number;
    /** None of them is 0. */
    readonly factors: Readonly<Record<string, number>>;
}

/**
 * Records that are values of one cell, such as those with a `where`. Others are split into their fields. A set in one cell
 * is a record, too: the fields say of each element whether it is in the set. So is a value of one of several cases: the
 * first field is the case, the fields of other cases are `none`.
 */
export interface RecordDomain {
    readonly kind: 'record';
    readonly name: string;
    /** Of a set: the domain of its elements, in the order of the fields. */
    readonly elements?: Domain;
    /** How a value is written, by the positions of its fields; otherwise as the name and all fields. */
    readonly format?: ValueFormat<number>;
    readonly fields: readonly { readonly name: string; readonly domain: Domain }[];
    /** The values of the fields of each record, ascending by the codes of the fields from left to right. */
    readonly tuples: readonly (readonly Value[])[];
}

/** The domain of the truth values. */
export const BOOLEAN: Domain = { kind: 'boolean' };

/** Whether the values name instances of a template, and `none` is not among them. */
export function isReference(domain: Domain): boolean {
    return domain.kind === 'enumeration' && domain.template !== undefined;
}

/** Whether the values have no end and are only compared, or are `none`. */
export function isNames(domain: Domain): boolean {
    const base = baseOf(domain);
    return base.kind === 'enumeration' && base.named !== undefined;
}

/** The process whose instances the values name, an index into `Model.processes`; undefined if they name none. */
export function templateOf(domain: Domain): number | undefined {
    const base = domain.kind === 'optional' ? domain.base : domain;
    return base.kind === 'enumeration' ? base.template : undefined;
}

/** The number of values. A range whose low end exceeds its high end is empty. */
export function domainSize(domain: Domain): number {
    switch (domain.kind) {
        case 'boolean':
            return 2;
        case 'range':
            return Math.max(0, domain.high - domain.low + 1);
        case 'number':
            return domain.high + 1;
        case 'enumeration':
            return domain.values.length;
        case 'record':
            return domain.tuples.length;
        case 'optional':
            return domainSize(domain.base) + 1;
        default:
            return unreachable(domain);
    }
}

/** The code of `value`, or -1 if it is not in the domain. */
export function codeOfValue(domain: Domain, value: Value): number {
    switch (domain.kind) {
        case 'boolean':
            return value === 0 || value === 1 ? value : -1;
        case 'range':
            return Number.isInteger(value) && domain.low <= value && value <= domain.high ? value - domain.low : -1;
        case 'enumeration':
        case 'record':
        case 'number':
            return Number.isInteger(value) && 0 <= value && value < domainSize(domain) ? value : -1;
        case 'optional': {
            if (value === NONE) {
                return 0;
            }
            const code = codeOfValue(domain.base, value);
            return code < 0 ? -1 : code + 1;
        }
        default:
            return unreachable(domain);
    }
}

/** The value with `code`, 0 ≤ code < size. */
export function valueOfCode(domain: Domain, code: number): Value {
    switch (domain.kind) {
        case 'boolean':
        case 'enumeration':
        case 'record':
        case 'number':
            return code;
        case 'range':
            return domain.low + code;
        case 'optional':
            return code === 0 ? NONE : valueOfCode(domain.base, code - 1);
        default:
            return unreachable(domain);
    }
}

/** A value as the model writes it: `true`, `3`, `red`, `Client(0, 2)`, `none`. */
export function formatValue(domain: Domain, value: Value): string {
    switch (domain.kind) {
        case 'boolean':
            return value === 0 ? 'false' : 'true';
        case 'range':
        case 'number':
            return String(value);
        case 'enumeration':
            return domain.values[value] ?? String(value);
        case 'record': {
            const tuple = domain.tuples[value] ?? [];
            const texts = domain.fields.map((field, index) => formatValue(field.domain, tuple[index]));
            return domain.format === undefined
                ? `${domain.name}(${texts.join(', ')})`
                : writeValue(
                      domain.format,
                      field => texts[field],
                      field => codeOfValue(domain.fields[field].domain, tuple[field]),
                  );
        }
        case 'optional':
            return value === NONE ? 'none' : formatValue(domain.base, value);
        default:
            return unreachable(domain);
    }
}

/** A value for a reader: truth values and integers as such, others as the model writes them. */
export function plainValue(domain: Domain, value: Value): boolean | number | string {
    switch (domain.kind) {
        case 'boolean':
            return value === 1;
        case 'range':
        case 'number':
            return value;
        case 'enumeration':
        case 'record':
            return formatValue(domain, value);
        case 'optional':
            return value === NONE ? formatValue(domain, value) : plainValue(domain.base, value);
        default:
            return unreachable(domain);
    }
}

/** The domain as a type is written, without its name: `0 .. 3?`. */
export function formatDomain(domain: Domain): string {
    switch (domain.kind) {
        case 'boolean':
            return 'bool';
        case 'range':
            return `${domain.low} .. ${domain.high}`;
        case 'number':
            return 'nat';
        case 'enumeration':
        case 'record':
            return domain.name;
        case 'optional':
            return `${domain.base.name ?? formatDomain(domain.base)}?`;
        default:
            return unreachable(domain);
    }
}

/** Whether the values are numbers without end, or `none`. */
export function isNumber(domain: Domain): boolean {
    return baseOf(domain).kind === 'number';
}

/** All values of a domain in the order of their codes. */
export function valuesOfDomain(domain: Domain): Value[] {
    return Array.from({ length: domainSize(domain) }, (_, code) => valueOfCode(domain, code));
}

/** Equal for domains with equal values, whatever their names are. */
export function domainKey(domain: Domain): string {
    let key = domainKeys.get(domain);
    if (key === undefined) {
        key = describeDomain(domain);
        domainKeys.set(domain, key);
    }
    return key;
}

/** Domains are immutable and shared by many cells. */
const domainKeys = new WeakMap<Domain, string>();

function describeDomain(domain: Domain): string {
    switch (domain.kind) {
        case 'boolean':
            return 'b';
        case 'range':
            return `${domain.low}..${domain.high}`;
        case 'number':
            return `n${domain.high}`;
        case 'enumeration':
            return `e${domain.values.length}`;
        case 'record':
            return `r${domain.tuples.length}`;
        case 'optional':
            return `${domainKey(domain.base)}?`;
        default:
            return unreachable(domain);
    }
}
