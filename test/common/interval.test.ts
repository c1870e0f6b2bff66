/** Intervals are sound: the result for any values of the operands lies in the interval. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
    apply,
    euclideanQuotient,
    euclideanRemainder,
    LARGEST_INTEGER,
    type Interval,
} from '../../engine/common/interval.js';
import { applyBinary, extremumOf } from '../../engine/sequential/expression/arithmetic.js';

const small = fc
    .tuple(fc.integer({ min: -6, max: 6 }), fc.nat(4))
    .map(([low, length]): Interval => ({ low, high: low + length }));
const operators = ['+', '-', '*', 'div', 'mod'] as const;

function valuesOf({ low, high }: Interval): number[] {
    return Array.from({ length: high - low + 1 }, (_, index) => low + index);
}

/** The definition: undefined for a fault. */
function result(operator: (typeof operators)[number], left: number, right: number): number | undefined {
    switch (operator) {
        case '+':
            return left + right;
        case '-':
            return left - right;
        case '*':
            return left * right;
        case 'div':
            return right === 0 ? undefined : euclideanQuotient(left, right);
        case 'mod':
            return right === 0 ? undefined : euclideanRemainder(left, right);
    }
}

describe('Euclidean division', () => {
    test('has a remainder that is never negative and smaller than the divisor', () => {
        const integer = fc.oneof(fc.integer({ min: -1000, max: 1000 }), fc.maxSafeInteger());
        const divisor = integer.filter(value => value !== 0);
        fc.assert(
            fc.property(integer, divisor, (dividend, by) => {
                const [quotient, remainder] = [euclideanQuotient(dividend, by), euclideanRemainder(dividend, by)];
                expect(BigInt(by) * BigInt(quotient) + BigInt(remainder)).toBe(BigInt(dividend));
                expect(remainder).toBeGreaterThanOrEqual(0);
                expect(remainder).toBeLessThan(Math.abs(by));
            }),
            { examples: [[-Number.MAX_SAFE_INTEGER, 7]] },
        );
    });

    test('never yields a negative zero', () => {
        expect([euclideanQuotient(0, -3), euclideanRemainder(-3, 3), euclideanQuotient(1, -3)]).toEqual([0, 0, 0]);
    });
});

describe('the interval of a result', () => {
    test.each(operators)('contains every result of `%s`', operator => {
        fc.assert(
            fc.property(small, small, (left, right) => {
                const interval = apply(operator, left, right);
                const results = valuesOf(left)
                    .flatMap(a => valuesOf(right).map(b => result(operator, a, b)))
                    .filter(value => value !== undefined);
                if (interval === undefined) {
                    expect(results).toEqual([]);
                } else {
                    expect(Math.min(...results)).toBeGreaterThanOrEqual(interval.low);
                    expect(Math.max(...results)).toBeLessThanOrEqual(interval.high);
                }
            }),
        );
    });

    test.each(operators)('of two known values is the value of `%s`', operator => {
        fc.assert(
            fc.property(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 }), (left, right) => {
                const value = result(operator, left, right);
                const expected = value === undefined ? undefined : { low: value, high: value };
                const found = apply(operator, { low: left, high: left }, { low: right, high: right });
                // Zero has no sign in the language.
                expect(found === undefined ? undefined : { low: found.low + 0, high: found.high + 0 }).toEqual(
                    expected === undefined ? undefined : { low: expected.low + 0, high: expected.high + 0 },
                );
            }),
        );
    });

    test('is missing where every result is beyond the exact integers', () => {
        const largest = { low: LARGEST_INTEGER, high: LARGEST_INTEGER };
        expect(apply('+', largest, { low: 1, high: 1 })).toBeUndefined();
        expect(apply('+', largest, { low: 0, high: 1 })).toEqual(largest);
        expect(apply('*', { low: 2, high: 9 }, largest)).toBeUndefined();
    });
});

describe('the interval of a function', () => {
    const functions = ['min', 'max', 'pow', 'xor', 'bitand', 'bitor', 'shl', 'shr'] as const;
    const around = fc
        .tuple(fc.integer({ min: -4, max: 9 }), fc.nat(4))
        .map(([low, length]): Interval => ({ low, high: low + length }));

    function valueOf(name: (typeof functions)[number], left: number, right: number): number | undefined {
        const outcome =
            name === 'min' || name === 'max' ? extremumOf(name, [left, right]) : applyBinary(name, left, right);
        return typeof outcome === 'number' ? outcome : undefined;
    }

    test.each(functions)('contains every result of `%s`, and there is one where there is a result', name => {
        fc.assert(
            fc.property(around, around, (left, right) => {
                const interval = apply(name, left, right);
                const results = valuesOf(left)
                    .flatMap(a => valuesOf(right).map(b => valueOf(name, a, b)))
                    .filter(value => value !== undefined);
                if (interval === undefined) {
                    expect(results).toEqual([]);
                    return;
                }
                for (const value of results) {
                    expect(value).toBeGreaterThanOrEqual(interval.low);
                    expect(value).toBeLessThanOrEqual(interval.high);
                }
            }),
        );
    });

    test('is exact where both operands are known and not negative', () => {
        fc.assert(
            fc.property(
                fc.constantFrom('min', 'max', 'pow', 'shl', 'shr' as const),
                fc.nat(9),
                fc.nat(9),
                (name, a, b) => {
                    const value = valueOf(name, a, b);
                    fc.pre(a > 0 && value !== undefined);
                    expect(apply(name, { low: a, high: a }, { low: b, high: b })).toEqual({
                        low: value,
                        high: value,
                    });
                },
            ),
        );
    });

    test('is missing where the result is too large', () => {
        expect(apply('pow', { low: 10, high: 10 }, { low: 16, high: 20 })).toBeUndefined();
        expect(apply('shl', { low: 1, high: 2 }, { low: 54, high: 60 })).toBeUndefined();
        expect(apply('shl', { low: 0, high: 0 }, { low: 3000, high: 3000 })).toEqual({ low: 0, high: 0 });
    });
});
