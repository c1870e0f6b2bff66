/**
 * How generated code represents values: as an i32, in which the least number stands for NONE, or as an f64 as the
 * interpreter has it, NONE being -Infinity; and how a value becomes the code of a domain, and a code a value.
 */
import { invariant } from '../common/assert.js';
import { domainSize, NONE, type Domain } from '../model/domain.js';
import type { Bounds } from '../sequential/expression/simplify.js';
import type { FunctionWriter } from '../webassembly/function-writer.js';

export type Representation = 'i32' | 'f64';

/** NONE among the integers of 32 bits. */
const NONE_32 = -(2 ** 31);
const MOST_32 = 2 ** 31 - 1;

/** Whether the integers from `low` to `high`, if there are any, are i32 and none of them stands for NONE. */
export function fits(low: number, high: number): boolean {
    return low > high || (low > NONE_32 && high <= MOST_32);
}

export function pushConstant(value: number, representation: Representation, f: FunctionWriter): void {
    if (representation === 'f64') {
        f.f64(value);
    } else {
        f.i32(value === NONE ? NONE_32 : value);
    }
}

/** From a value on the stack to whether it is NONE. */
export function compareWithNone(representation: Representation, f: FunctionWriter): void {
    pushConstant(NONE, representation, f);
    f.op(representation === 'f64' ? 'f64_eq' : 'i32_eq');
}

/** From an i32 on the stack to an f64. */
export function widen(mayBeNone: boolean, f: FunctionWriter): void {
    if (!mayBeNone) {
        f.op('f64_convert_i32_s');
        return;
    }
    const value = f.acquire('i32');
    f.set(value).f64(NONE).get(value).op('f64_convert_i32_s').get(value).i32(NONE_32).op('i32_eq', 'select');
    f.release(value);
}

/** From a code on the stack to the value. */
export function decode(domain: Domain, representation: Representation, f: FunctionWriter): void {
    if (domain.kind === 'optional') {
        const code = f.acquire('i32');
        f.set(code);
        pushConstant(NONE, representation, f);
        f.get(code).i32(1).op('i32_sub');
        decode(domain.base, representation, f);
        f.get(code).op('i32_eqz', 'select');
        f.release(code);
        return;
    }
    const low = lowOf(domain);
    if (representation === 'f64') {
        f.op('f64_convert_i32_u').f64(low).op('f64_add');
    } else if (low !== 0) {
        f.i32(low).op('i32_add');
    }
}

/** From a value on the stack to its code; `fail` leaves where the domain does not have it. */
export function encode(
    given: Representation,
    bounds: Bounds,
    domain: Domain,
    f: FunctionWriter,
    fail: () => void,
): void {
    const base = domain.kind === 'optional' ? domain.base : domain;
    const size = domainSize(base);
    const low = lowOf(base);
    const { mayBeNone } = bounds;
    const isInside = size > 0 && low <= bounds.low && bounds.high <= low + size - 1;
    const fallsOutside = !isInside || (mayBeNone && domain.kind !== 'optional');
    const failIf = (): void => {
        f.if();
        fail();
        f.end();
    };
    if (size === 0 && domain.kind !== 'optional') {
        f.op('drop');
        fail();
        return;
    }
    let representation = given;
    if (given === 'i32' && !fits(low, low + size - 1)) {
        widen(mayBeNone, f);
        representation = 'f64';
    }
    const value = f.acquire(representation);
    f.set(value);
    const pushIsNone = (): void => {
        f.get(value);
        compareWithNone(representation, f);
    };
    if (fallsOutside) {
        if (size === 0) {
            f.i32(1);
        } else if (representation === 'f64') {
            f.get(value)
                .f64(low)
                .op('f64_lt')
                .get(value)
                .f64(low + size - 1)
                .op('f64_gt', 'i32_or');
        } else {
            f.get(value);
            if (low !== 0) {
                f.i32(low).op('i32_sub');
            }
            f.i32(size).op('i32_ge_u');
        }
        if (domain.kind === 'optional' && mayBeNone) {
            pushIsNone();
            f.op('i32_eqz', 'i32_and');
        }
        failIf();
    }
    const offset = domain.kind === 'optional' ? low - 1 : low;
    const pushCode = (): void => {
        f.get(value);
        if (representation === 'f64') {
            f.f64(offset).op('f64_sub', 'i32_trunc_f64_s');
        } else if (offset !== 0) {
            f.i32(offset).op('i32_sub');
        }
    };
    if (domain.kind === 'optional' && mayBeNone) {
        pushIsNone();
        f.if('i32');
        f.i32(0).else();
        pushCode();
        f.end();
    } else {
        pushCode();
    }
    f.release(value);
}

/** The least value of a domain that is not optional. */
export function lowOf(domain: Domain): number {
    invariant(domain.kind !== 'optional', 'an optional type has no integer of its own');
    return domain.kind === 'range' ? domain.low : 0;
}
