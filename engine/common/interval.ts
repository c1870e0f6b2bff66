/**
 * Interval arithmetic for integers. `div` and `mod` are Euclidean: the remainder is never negative. Integers are exact
 * up to 2^53 - 1; a larger result is a fault at run time.
 */
import { unreachable } from './assert.js';

/** `low` ≤ `high`. */
export interface Interval {
    readonly low: number;
    readonly high: number;
}

/** The largest magnitude of an exact integer. */
export const LARGEST_INTEGER = Number.MAX_SAFE_INTEGER;

/** Operators of two integers that the text writes like functions. */
const FUNCTION_OPERATORS = ['pow', 'xor', 'bitand', 'bitor', 'shl', 'shr'] as const;

export type FunctionOperator = (typeof FUNCTION_OPERATORS)[number];

/** Built-in functions of integers, with two arguments; `min` and `max` also take more. */
export type IntegerFunction = 'min' | 'max' | FunctionOperator;

export type IntegerOperator = '+' | '-' | '*' | 'div' | 'mod' | IntegerFunction;

export function isFunctionOperator(name: string): name is FunctionOperator {
    return FUNCTION_OPERATORS.some(operator => operator === name);
}

export function isIntegerFunction(name: string): name is IntegerFunction {
    return name === 'min' || name === 'max' || isFunctionOperator(name);
}

/** The interval of the exact results. Undefined if every result is a fault. */
export function apply(operator: IntegerOperator, left: Interval, right: Interval): Interval | undefined {
    const result = resultOf(operator, left, right);
    return result === undefined || result.low > LARGEST_INTEGER || result.high < -LARGEST_INTEGER
        ? undefined
        : { low: Math.max(result.low, -LARGEST_INTEGER), high: Math.min(result.high, LARGEST_INTEGER) };
}

/**
 * The interval of the result; its ends may exceed the exact integers, or be NaN for infinite operands. Undefined if no
 * pair of operands is allowed: a divisor 0, a negative exponent, bits of a negative number.
 */
export function resultOf(operator: IntegerOperator, left: Interval, right: Interval): Interval | undefined {
    switch (operator) {
        case '+':
            return { low: left.low + right.low, high: left.high + right.high };
        case '-':
            return { low: left.low - right.high, high: left.high - right.low };
        case '*': {
            const { low, high } = right;
            return between([left.low * low, left.low * high, left.high * low, left.high * high]);
        }
        case 'div':
            return divide(left, right);
        case 'mod':
            return remainder(left, right);
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
            return left.high < 0 || right.high < 0 ? undefined : combineBits(operator, fromZero(left), fromZero(right));
        default:
            return unreachable(operator);
    }
}

/** The nonnegative part. */
function fromZero({ low, high }: Interval): Interval {
    return { low: Math.max(0, low), high };
}

function between(ends: readonly number[]): Interval {
    return { low: Math.min(...ends), high: Math.max(...ends) };
}

function power(base: Interval, exponent: Interval): Interval | undefined {
    if (exponent.high < 0) {
        return undefined;
    }
    const { low, high } = fromZero(exponent);
    if (base.low >= 1) {
        return { low: base.low ** low, high: base.high ** high };
    }
    const size = Math.max(Math.abs(base.low), Math.abs(base.high)) ** high;
    return { low: base.low < 0 ? -size : 0, high: Math.max(1, size) };
}

function combineBits(
    operator: 'xor' | 'bitand' | 'bitor' | 'shl' | 'shr',
    left: Interval,
    right: Interval,
): Interval | undefined {
    switch (operator) {
        case 'xor':
            return { low: 0, high: allBits(Math.max(left.high, right.high)) };
        case 'bitor':
            return { low: Math.max(left.low, right.low), high: allBits(Math.max(left.high, right.high)) };
        case 'bitand':
            return { low: 0, high: Math.min(left.high, right.high) };
        case 'shl':
            return { low: shifted(left.low, right.low), high: shifted(left.high, right.high) };
        case 'shr':
            return { low: Math.floor(left.low / 2 ** right.high), high: Math.floor(left.high / 2 ** right.low) };
        default:
            return unreachable(operator);
    }
}

/** `0 * Infinity` would be NaN. */
function shifted(value: number, by: number): number {
    return value === 0 ? 0 : value * 2 ** by;
}

/** The largest integer with as many bits. */
function allBits(value: number): number {
    let bits = 1;
    while (bits <= value && bits < Infinity) {
        bits *= 2;
    }
    return bits - 1;
}

/** The quotient q of a = b·q + r with 0 ≤ r < |b|. */
export function euclideanQuotient(dividend: number, divisor: number): number {
    // The remainder has the sign of the dividend, so the difference is no larger and exact.
    const rest = dividend % divisor;
    const truncated = (dividend - rest) / divisor;
    const quotient = rest < 0 ? truncated - Math.sign(divisor) : truncated;
    return quotient === 0 ? 0 : quotient;
}

/** The remainder 0 ≤ r < |b| of a = b·q + r. */
export function euclideanRemainder(dividend: number, divisor: number): number {
    const size = Math.abs(divisor);
    const rest = dividend % size;
    return rest < 0 ? rest + size : Math.abs(rest);
}

function divide(left: Interval, right: Interval): Interval | undefined {
    if (right.low === 0 && right.high === 0) {
        return undefined;
    }
    if (right.low === right.high) {
        // The quotient is monotone in the dividend.
        return between([euclideanQuotient(left.low, right.low), euclideanQuotient(left.high, right.low)]);
    }
    const size = Math.max(Math.abs(left.low), Math.abs(left.high));
    return { low: left.low >= 0 && right.low >= 0 ? 0 : -size, high: size };
}

function remainder(left: Interval, right: Interval): Interval | undefined {
    if (right.low === 0 && right.high === 0) {
        return undefined;
    }
    if (left.low === left.high && right.low === right.high) {
        const value = euclideanRemainder(left.low, right.low);
        return { low: value, high: value };
    }
    if (right.low > 0 && 0 <= left.low && left.high < right.low) {
        return left;
    }
    const largest = Math.max(Math.abs(right.low), Math.abs(right.high)) - 1;
    return { low: 0, high: left.low >= 0 ? Math.min(left.high, largest) : largest };
}
