import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NOWHERE } from '../../../engine/common/source-range.js';
import { BOOLEAN, NO_VALUE, NONE } from '../../../engine/model/domain.js';
import type { Domain } from '../../../engine/model/domain.js';
import { Compiler, Fault } from '../../../engine/sequential/expression/evaluate.js';
import type {
    Cell,
    SequentialExpression,
    SequentialPlace,
    SequentialStatement,
} from '../../../engine/sequential/sequential-model.js';
import { integers, optional } from '../../arbitrary/domains.js';
import { applyBinary } from '../../../engine/sequential/expression/arithmetic.js';

function cell(domain: Domain, mayBeAbsent = false): Cell {
    return {
        name: 'x',
        domain,
        kind: 'shared',
        variable: 0,
        instance: -1,
        indices: [],
        mayBeAbsent,
        declaration: NOWHERE,
    };
}

const CELLS = [
    cell(integers(3, 7)),
    cell(BOOLEAN),
    cell(optional(integers(1, 2))),
    cell(integers(0, 9), true),
    cell(integers(3, 7)),
];
const INDEX = integers(1, 2);

function constant(value: number): SequentialExpression {
    return { kind: 'constant', value };
}

function read(index: number): SequentialExpression {
    return { kind: 'cell', cell: index, range: NOWHERE };
}

function element(index: SequentialExpression): Extract<SequentialPlace, { kind: 'element' }> {
    return { kind: 'element', cells: [0, 4], indices: [index], domains: [INDEX], range: NOWHERE };
}

function binary(
    operator: Extract<SequentialExpression, { kind: 'binary' }>['operator'],
    left: SequentialExpression,
    right: SequentialExpression,
): SequentialExpression {
    return { kind: 'binary', operator, left, right, range: NOWHERE };
}

const FAULT: SequentialExpression = { kind: 'fault', fault: 'division', range: NOWHERE };

/** The operators on integers of any size. */
function wholeNumber(operator: string, left: number, right: number): number | string {
    const [a, b] = [BigInt(left), BigInt(right)];
    if (b < 0n || (a < 0n && operator !== 'pow')) {
        return 'undefined';
    }
    // No number but 0, 1 and -1 has a power or a shift that far.
    const capped = b > 2_000n ? 2_000n + (b % 2n) : b;
    const result =
        operator === 'pow'
            ? a ** capped
            : operator === 'xor'
              ? a ^ b
              : operator === 'bitand'
                ? a & b
                : operator === 'bitor'
                  ? a | b
                  : operator === 'shl'
                    ? a << capped
                    : a >> capped;
    const isExact = -BigInt(Number.MAX_SAFE_INTEGER) <= result && result <= BigInt(Number.MAX_SAFE_INTEGER);
    return isExact ? Number(result) : 'overflow';
}

function valueOf(expression: SequentialExpression, codes: number[] = [0, 0, 0, 0, 0]): number | string {
    try {
        return new Compiler(CELLS).expression(expression)(Int32Array.from(codes));
    } catch (error) {
        if (error instanceof Fault) {
            return error.kind;
        }
        throw error;
    }
}

function run(statements: SequentialStatement[], codes: number[]): number[] | string {
    const state = Int32Array.from(codes);
    try {
        new Compiler(CELLS).statements(statements)(state);
        return [...state];
    } catch (error) {
        if (error instanceof Fault) {
            return error.kind;
        }
        throw error;
    }
}

function assign(target: SequentialPlace, value: SequentialExpression): SequentialStatement {
    return { kind: 'assign', target, value, range: NOWHERE };
}

describe('arithmetic', () => {
    test('division is Euclidean: the remainder is never negative and quotient and remainder give the dividend', () => {
        const integer = fc.oneof(fc.integer({ min: -1000, max: 1000 }), fc.maxSafeInteger());
        fc.assert(
            fc.property(integer, integer, (dividend, divisor) => {
                fc.pre(divisor !== 0);
                const quotient = Number(applyBinary('div', dividend, divisor));
                const remainder = Number(applyBinary('mod', dividend, divisor));
                expect(BigInt(quotient) * BigInt(divisor) + BigInt(remainder)).toBe(BigInt(dividend));
                expect(remainder).toBeGreaterThanOrEqual(0);
                expect(remainder).toBeLessThan(Math.abs(divisor));
            }),
            { examples: [[-Number.MAX_SAFE_INTEGER, 7]] },
        );
    });

    test('the predecessor of the first seat is the last one', () => {
        expect(applyBinary('mod', -1, 5)).toBe(4);
        expect(applyBinary('div', -1, 5)).toBe(-1);
        expect(applyBinary('mod', -7, -2)).toBe(1);
        expect(applyBinary('div', -7, -2)).toBe(4);
    });

    test('there is no negative zero', () => {
        expect(Object.is(applyBinary('*', -3, 0), 0)).toBe(true);
        expect(Object.is(applyBinary('mod', -4, 2), 0)).toBe(true);
        expect(Object.is(valueOf({ kind: 'negate', operand: constant(0), range: NOWHERE }), 0)).toBe(true);
    });

    test('division by zero and results beyond 2^53 - 1 are faults', () => {
        expect(applyBinary('div', 1, 0)).toBe('division');
        expect(applyBinary('mod', 1, 0)).toBe('division');
        expect(applyBinary('+', Number.MAX_SAFE_INTEGER, 0)).toBe(Number.MAX_SAFE_INTEGER);
        expect(applyBinary('+', Number.MAX_SAFE_INTEGER, 1)).toBe('overflow');
        expect(applyBinary('*', 2 ** 30, -(2 ** 30))).toBe('overflow');
    });

    test('an intermediate result beyond 2^53 - 1 is a fault even if the result is small', () => {
        const operands = [constant(Number.MAX_SAFE_INTEGER), constant(5), constant(-10)];
        expect(valueOf({ kind: 'sum', operands, range: NOWHERE })).toBe('overflow');
    });

    test('powers, bits and shifts are those of whole numbers, up to 2^53 - 1', () => {
        const number = fc.oneof(
            fc.integer({ min: -3, max: 60 }),
            fc.maxSafeInteger(),
            fc.integer({ min: 0, max: 53 }).map(exponent => 2 ** exponent - 1),
        );
        const operators = ['pow', 'xor', 'bitand', 'bitor', 'shl', 'shr'] as const;
        fc.assert(
            fc.property(fc.constantFrom(...operators), number, number, (operator, left, right) => {
                expect(applyBinary(operator, left, right)).toBe(wholeNumber(operator, left, right));
            }),
            { numRuns: 3_000 },
        );
    });

    test.each<[Parameters<typeof applyBinary>, number | string]>([
        // 2^40 + 1 and 2^40 + 2 differ in two bits, both below the 32nd; 3 · 2^50 is one bit more than 2^51.
        [['xor', 2 ** 40 + 1, 2 ** 40 + 2], 3],
        [['bitor', 2 ** 51, 2 ** 50], 3 * 2 ** 50],
        [['bitand', 2 ** 52 + 2 ** 31 + 5, 2 ** 52 + 2 ** 31 + 6], 2 ** 52 + 2 ** 31 + 4],
        [['shl', 1, 52], 2 ** 52],
        [['shl', 1, 53], 'overflow'],
        [['shl', 0, Number.MAX_SAFE_INTEGER], 0],
        [['shr', 2 ** 52, 50], 4],
        [['shr', Number.MAX_SAFE_INTEGER, 1_000], 0],
        [['shr', 1, -1], 'undefined'],
        [['bitand', -1, 1], 'undefined'],
        [['pow', 3, 33], 5_559_060_566_555_523],
        [['pow', -2, 3], -8],
        [['pow', 0, 0], 1],
        [['pow', 2, 53], 'overflow'],
        [['pow', -1, Number.MAX_SAFE_INTEGER], -1],
        [['pow', 2, -1], 'undefined'],
        [['mod', 5, NONE], 'undefined'],
        [['div', 5, NONE], 'undefined'],
        [['div', NONE, 0], 'undefined'],
        [['pow', NONE, 2], 'undefined'],
        [['pow', 1, NONE], 'undefined'],
        [['xor', NONE, 0], 'undefined'],
    ])('%j is %s', ([operator, left, right], result) => {
        expect(applyBinary(operator, left, right)).toBe(result);
    });

    test('none equals itself only, and there is no arithmetic on it', () => {
        expect(applyBinary('==', NONE, NONE)).toBe(1);
        expect(applyBinary('==', NONE, 0)).toBe(0);
        expect(applyBinary('+', NONE, 1)).toBe('undefined');
    });
});

describe('reading', () => {
    test('a code stands for the value at its position in the domain', () => {
        expect(valueOf(read(0), [2, 0, 0, 0, 0])).toBe(5);
        expect(valueOf(read(2), [0, 0, 0, 0, 0])).toBe(NONE);
        expect(valueOf(read(2), [0, 0, 2, 0, 0])).toBe(2);
    });

    test('a comparison with a constant agrees with the value', () => {
        expect(valueOf(binary('==', read(0), constant(5)), [2, 0, 0, 0, 0])).toBe(1);
        expect(valueOf(binary('!=', read(0), constant(99)), [2, 0, 0, 0, 0])).toBe(1);
        expect(valueOf(binary('==', read(2), constant(NONE)), [0, 0, 0, 0, 0])).toBe(1);
    });

    test('no value is never an operand', () => {
        expect(valueOf(read(3), [0, 0, 0, NO_VALUE, 0])).toBe('undefined');
        expect(valueOf(binary('==', read(3), constant(1)), [0, 0, 0, NO_VALUE, 0])).toBe('undefined');
    });

    test('an index outside its type is a fault, none too', () => {
        expect(valueOf(element(constant(2)), [0, 0, 0, 0, 4])).toBe(7);
        expect(valueOf(element(constant(3)))).toBe('index');
        expect(valueOf(element(read(2)), [0, 0, 0, 0, 0])).toBe('index');
    });
});

describe('choices and extremes', () => {
    const select = (index: SequentialExpression, ...options: SequentialExpression[]): SequentialExpression => ({
        kind: 'select',
        index,
        domain: INDEX,
        options,
        range: NOWHERE,
    });
    const extreme = (kind: 'min' | 'max', ...operands: SequentialExpression[]): SequentialExpression => ({
        kind,
        operands,
        range: NOWHERE,
    });

    test('a choice by an index evaluates one option only', () => {
        // The index type is 1 .. 2.
        expect(valueOf(select(constant(2), FAULT, read(0)), [4, 0, 0, 0, 0])).toBe(7);
        expect(valueOf(select(constant(3), FAULT, FAULT))).toBe('index');
        expect(valueOf(select(read(2), FAULT, FAULT), [0, 0, 0, 0, 0])).toBe('index');
        const truth = binary('==', select(constant(1), read(1), FAULT), constant(1));
        expect(valueOf(truth, [0, 1, 0, 0, 0])).toBe(1);
    });

    test('the least and the greatest pass over none, and of none only there is neither', () => {
        const none = read(2);
        expect(valueOf(extreme('min', read(0), none, read(4)), [1, 0, 0, 0, 4])).toBe(4);
        expect(valueOf(extreme('max', none, read(0), read(4)), [1, 0, 0, 0, 4])).toBe(7);
        expect(valueOf(extreme('max', none, constant(-5)))).toBe(-5);
        expect(valueOf(extreme('min', none, none))).toBe('undefined');
        expect(valueOf(extreme('max'))).toBe('undefined');
        expect(valueOf(extreme('max', constant(1), FAULT))).toBe('division');
    });
});

describe('order of evaluation', () => {
    test('what is not needed is not evaluated', () => {
        const junction = (kind: 'and' | 'or', first: number): SequentialExpression => ({
            kind,
            operands: [constant(first), FAULT],
            range: NOWHERE,
        });
        expect(valueOf(junction('and', 0))).toBe(0);
        expect(valueOf(junction('or', 1))).toBe(1);
        expect(valueOf(junction('and', 1))).toBe('division');
        const choice = (condition: number): SequentialExpression => ({
            kind: 'conditional',
            condition: constant(condition),
            then: constant(8),
            otherwise: FAULT,
            range: NOWHERE,
        });
        expect(valueOf(choice(1))).toBe(8);
        expect(valueOf(choice(0))).toBe('division');
    });

    test('an assignment evaluates its value before the index of its target', () => {
        expect(run([assign(element(constant(3)), FAULT)], [0, 0, 0, 0, 0])).toBe('division');
        expect(run([assign(element(constant(3)), constant(99))], [0, 0, 0, 0, 0])).toBe('index');
    });
});

describe('bodies', () => {
    test('later statements see earlier writes', () => {
        const increment = assign({ kind: 'cell', cell: 0 }, binary('+', read(0), constant(1)));
        expect(run([increment, increment, increment], [0, 0, 0, 0, 0])).toEqual([3, 0, 0, 0, 0]);
    });

    test('a value outside the type of its target is a fault', () => {
        expect(run([assign({ kind: 'cell', cell: 0 }, constant(8))], [0, 0, 0, 0, 0])).toBe('range');
        expect(run([assign({ kind: 'cell', cell: 0 }, read(3))], [0, 0, 0, 1, 0])).toBe('range');
        expect(run([assign(element(constant(1)), constant(2))], [0, 0, 0, 0, 0])).toBe('range');
    });

    test('clear leaves no value, assert faults where it fails, if runs one branch', () => {
        expect(run([{ kind: 'clear', cell: 3 }], [0, 0, 0, 5, 0])).toEqual([0, 0, 0, NO_VALUE, 0]);
        expect(run([{ kind: 'assert', condition: read(1), range: NOWHERE }], [0, 0, 0, 0, 0])).toBe('assert');
        const branch: SequentialStatement = {
            kind: 'if',
            condition: read(1),
            then: [assign(element(constant(1)), constant(4))],
            otherwise: [assign(element(constant(2)), constant(4))],
            range: NOWHERE,
        };
        expect(run([branch], [0, 1, 0, 0, 0])).toEqual([1, 1, 0, 0, 0]);
        expect(run([branch], [0, 0, 0, 0, 0])).toEqual([0, 0, 0, 0, 1]);
    });

    test('a loop runs until its condition fails, and is endless where it comes back to a state', () => {
        const x = { kind: 'cell', cell: 0 } as const;
        const loop = (condition: SequentialExpression, ...body: SequentialStatement[]): SequentialStatement => ({
            kind: 'while',
            condition,
            body,
            range: NOWHERE,
        });
        const increment = assign(x, binary('+', read(0), constant(1)));
        expect(run([loop(binary('<', read(0), constant(6)), increment)], [0, 0, 0, 0, 0])).toEqual([3, 0, 0, 0, 0]);
        // Out of its type after the last value.
        expect(run([loop(constant(1), increment)], [0, 0, 0, 0, 0])).toBe('range');
        expect(run([loop(constant(1))], [0, 0, 0, 0, 0])).toBe('endless');
        expect(run([loop(constant(0))], [0, 0, 0, 0, 0])).toEqual([0, 0, 0, 0, 0]);
        // 3, 4, 5, 6, 7, 5, 6, 7, …: a tail before the cycle.
        const tail = assign(x, {
            kind: 'conditional',
            condition: binary('==', read(0), constant(7)),
            then: constant(5),
            otherwise: binary('+', read(0), constant(1)),
            range: NOWHERE,
        });
        expect(run([loop(binary('!=', read(0), constant(2)), tail)], [0, 0, 0, 0, 0])).toBe('endless');
        expect(run([loop(binary('!=', read(0), constant(7)), tail)], [0, 0, 0, 0, 0])).toEqual([4, 0, 0, 0, 0]);
    });

    test('a loop is endless exactly where counting its states says so', () => {
        // One cell of 0 .. 9, sent along an arbitrary map until it is 0.
        const map = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 10, maxLength: 10 });
        fc.assert(
            fc.property(map, fc.integer({ min: 0, max: 9 }), (images, start) => {
                const visited = new Set<number>();
                let current = start;
                while (current !== 0 && !visited.has(current)) {
                    visited.add(current);
                    current = images[current]!;
                }
                const statement: SequentialStatement = {
                    kind: 'while',
                    condition: binary('!=', read(3), constant(0)),
                    body: [
                        assign(
                            { kind: 'cell', cell: 3 },
                            {
                                kind: 'select',
                                index: read(3),
                                domain: integers(0, 9),
                                options: images.map(constant),
                                range: NOWHERE,
                            },
                        ),
                    ],
                    range: NOWHERE,
                };
                expect(run([statement], [0, 0, 0, start, 0])).toEqual(current === 0 ? [0, 0, 0, 0, 0] : 'endless');
            }),
        );
    });
});
