/** Values in generated code: i32, with the least number for NONE, or f64 as in the interpreter; codes of values. */
import { invariant } from '../common/assert.js';
import { domainSize, NONE, type Domain } from '../model/domain.js';
import {
    type Double,
    f64,
    type FunctionBody,
    i32,
    type Int,
    notReached,
    select,
    type StackValue,
} from '../webassembly/function-body.js';
import type { Bounds } from '../sequential/expression/bounds.js';

export type Representation = 'i32' | 'f64';

/** NONE among the integers of 32 bits. */
const NONE_32 = -(2 ** 31);
const MOST_32 = 2 ** 31 - 1;

/** Whether all integers from `low` to `high` are i32 and none of them stands for NONE. */
export function fits(low: number, high: number): boolean {
    return low > high || (low > NONE_32 && high <= MOST_32);
}

export function constant<Type extends Representation>(value: number, representation: Type): StackValue<Type>;
export function constant(value: number, representation: Representation): StackValue<Representation> {
    return representation === 'f64' ? f64(value) : i32(value === NONE ? NONE_32 : value);
}

export function isNone(value: StackValue<Representation>): Int {
    return value.is(constant(NONE, value.type));
}

export function widened(value: Int, mayBeNone: boolean, f: FunctionBody): Double {
    if (!mayBeNone) {
        return value.converted('f64', 'f64_convert_i32_s');
    }
    return f.compute('f64', () => {
        const narrow = f.variable(value);
        return select(narrow.is(NONE_32), f64(NONE), narrow.converted('f64', 'f64_convert_i32_s'));
    });
}

/** An f64 that fits as an i32. */
export function truncated(value: StackValue<Representation>): Int {
    return value.converted('i32', 'i32_trunc_f64_s');
}

export function decoded(
    code: Int,
    domain: Domain,
    representation: Representation,
    f: FunctionBody,
): StackValue<Representation> {
    if (domain.kind === 'optional') {
        return f.compute(representation, () => {
            const known = f.variable(code);
            const value = decoded(known.minus(1), domain.base, representation, f);
            return select(known.isZero(), constant(NONE, representation), value);
        });
    }
    const low = lowOf(domain);
    return representation === 'f64' ? code.converted('f64', 'f64_convert_i32_u').plus(f64(low)) : code.plus(low);
}

/** The code of a value; `fail` leaves if the domain does not contain the value. */
export function encoded(
    given: StackValue<Representation>,
    bounds: Bounds,
    domain: Domain,
    f: FunctionBody,
    fail: () => void,
): Int {
    const base = domain.kind === 'optional' ? domain.base : domain;
    const size = domainSize(base);
    const low = lowOf(base);
    return f.compute('i32', () => {
        if (size === 0 && domain.kind !== 'optional') {
            f.drop(given);
            fail();
            return notReached('i32');
        }
        const isWidened = given.type === 'i32' && !fits(low, low + size - 1);
        const value = f.variable(isWidened ? widened(given as Int, bounds.mayBeNone, f) : given);
        const isOptional = domain.kind === 'optional' && bounds.mayBeNone;
        const isInside = size > 0 && low <= bounds.low && bounds.high <= low + size - 1;
        if (!isInside || (bounds.mayBeNone && domain.kind !== 'optional')) {
            const outside = isOutside(value, low, size);
            f.if(isOptional ? outside.and(isNone(value).isZero()) : outside, fail);
        }
        const code = value.minus(value.type === 'f64' ? f64(codeOffset(domain, low)) : codeOffset(domain, low));
        const narrow = value.type === 'f64' ? truncated(code) : (code as Int);
        return isOptional ? f.choose(isNone(value), i32(0), narrow) : narrow;
    });
}

function codeOffset(domain: Domain, low: number): number {
    return domain.kind === 'optional' ? low - 1 : low;
}

function isOutside(value: StackValue<Representation>, low: number, size: number): Int {
    if (size === 0) {
        return i32(1);
    }
    return value.type === 'f64'
        ? value.isLess(low).or(value.isGreater(low + size - 1))
        : value.minus(low).isAtLeastUnsigned(size);
}

/** The least value of a domain that is not optional. */
export function lowOf(domain: Domain): number {
    invariant(domain.kind !== 'optional', 'an optional type has no integer of its own');
    return domain.kind === 'range' ? domain.low : 0;
}
