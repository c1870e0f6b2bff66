/**
 * Integer intervals: bounds of a result from bounds of the operands. `div` and `mod` are Euclidean: the remainder is
 * never negative. Bounds lie within the exact integers, since a larger result is a fault at run time.
 */
import { applyBinary } from '../../engine/sequential/expression/evaluate.js';
import type { IntegerOperator } from '../references/builtin-functions.js';

/** `low` ≤ `high`. */
export interface Interval {
    readonly low: number;
    readonly high: number;
}

/** The largest magnitude of an exact integer. */
export const LARGEST_INTEGER = Number.MAX_SAFE_INTEGER;

/** Undefined if every result is a fault: beyond the exact integers, or a division by zero. */
export function apply(
    operator: '+' | '-' | '*' | 'div' | 'mod',
    left: Interval,
    right: Interval,
): Interval | undefined {
    switch (operator) {
        case '+':
            return within(left.low + right.low, left.high + right.high);
        case '-':
            return within(left.low - right.high, left.high - right.low);
        case '*': {
            const products = [
                left.low * right.low,
                left.low * right.high,
                left.high * right.low,
                left.high * right.high,
            ];
            return within(Math.min(...products), Math.max(...products));
        }
        case 'div':
            return divide(left, right);
        case 'mod':
            return remainder(left, right);
    }
}

/** The built-in functions of two integers. */
export type IntegerFunction = 'min' | 'max' | IntegerOperator;

/** The same for a function. Negative exponents and bit operations on negative integers are faults. */
export function applyFunction(name: IntegerFunction, left: Interval, right: Interval): Interval | undefined {
    switch (name) {
        case 'min':
            return { low: Math.min(left.low, right.low), high: Math.min(left.high, right.high) };
        case 'max':
            return { low: Math.max(left.low, right.low), high: Math.max(left.high, right.high) };
        case 'pow':
            return power(left, right);
        case 'xor':
        case 'bitand':
        case 'bitor':
        case 'shl':
        case 'shr':
            return left.high < 0 || right.high < 0 ? undefined : combineBits(name, fromZero(left), fromZero(right));
    }
}

/** The part that is not negative. */
function fromZero({ low, high }: Interval): Interval {
    return { low: Math.max(0, low), high };
}

function power(base: Interval, exponent: Interval): Interval | undefined {
    if (exponent.high < 0) {
        return undefined;
    }
    const { low, high } = fromZero(exponent);
    if (base.low >= 1) {
        return within(base.low ** low, base.high ** high);
    }
    const size = Math.max(Math.abs(base.low), Math.abs(base.high)) ** high;
    return within(base.low < 0 ? -size : 0, Math.max(1, size));
}

function combineBits(name: Exclude<IntegerOperator, 'pow'>, left: Interval, right: Interval): Interval | undefined {
    switch (name) {
        case 'xor':
            return within(0, allBits(Math.max(left.high, right.high)));
        case 'bitor':
            return within(Math.max(left.low, right.low), allBits(Math.max(left.high, right.high)));
        case 'bitand':
            return { low: 0, high: Math.min(left.high, right.high) };
        case 'shl':
            return within(shifted(left.low, right.low), shifted(left.high, right.high));
        case 'shr':
            return { low: Math.floor(left.low / 2 ** right.high), high: Math.floor(left.high / 2 ** right.low) };
    }
}

/** Zero stays zero however far it is shifted. */
function shifted(value: number, by: number): number {
    return value === 0 ? 0 : value * 2 ** by;
}

/** The largest number with as many bits. */
function allBits(value: number): number {
    let bits = 1;
    while (bits <= value) {
        bits *= 2;
    }
    return bits - 1;
}

/** The value of an operator for known integers, of which the right one is not 0. */
function valueOf(operator: 'div' | 'mod', left: number, right: number): number {
    const value = applyBinary(operator, left, right);
    return typeof value === 'number' ? value : 0;
}

function divide(left: Interval, right: Interval): Interval | undefined {
    if (right.low === 0 && right.high === 0) {
        return undefined;
    }
    if (right.low === right.high) {
        // Monotone in the dividend: rising for a positive divisor, falling for a negative one.
        const ends = [valueOf('div', left.low, right.low), valueOf('div', left.high, right.low)];
        return within(Math.min(...ends), Math.max(...ends));
    }
    const size = Math.max(Math.abs(left.low), Math.abs(left.high));
    return { low: left.low >= 0 && right.low >= 0 ? 0 : -size, high: size };
}

function remainder(left: Interval, right: Interval): Interval | undefined {
    if (right.low === 0 && right.high === 0) {
        return undefined;
    }
    if (left.low === left.high && right.low === right.high) {
        const value = valueOf('mod', left.low, right.low);
        return { low: value, high: value };
    }
    if (right.low > 0 && 0 <= left.low && left.high < right.low) {
        return left;
    }
    const largest = Math.max(Math.abs(right.low), Math.abs(right.high)) - 1;
    return { low: 0, high: left.low >= 0 ? Math.min(left.high, largest) : largest };
}

function within(low: number, high: number): Interval | undefined {
    if (low > LARGEST_INTEGER || high < -LARGEST_INTEGER) {
        return undefined;
    }
    return { low: Math.max(low, -LARGEST_INTEGER), high: Math.min(high, LARGEST_INTEGER) };
}
