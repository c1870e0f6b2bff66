/**
 * Arithmetic as WebAssembly: in 32 bits where these are enough on the way too, else in the numbers of JavaScript, as the
 * interpreter computes. Operands that are NONE are faults, and so are results beyond 2^53.
 */
import { invariant, unreachable } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import { NONE } from '../model/domain.js';
import { FAULT_KINDS, type SequentialBinaryOperator } from '../sequential/expression/evaluate.js';
import type { SequentialExpression } from '../sequential/sequential-model.js';
import type { Bounds } from '../sequential/expression/simplify.js';
import type { FunctionWriter, Local } from '../webassembly/function-writer.js';
import type { ExpressionCompiler } from './compile-expression.js';
import { WIDE_OPERATORS } from './wide-operators.js';
import { compareWithNone, fits, pushConstant, type Representation } from './value-representation.js';

type Comparison = keyof typeof COMPARISON;
type Arithmetic = Exclude<SequentialBinaryOperator, Comparison>;

const COMPARISON = {
    '==': { i32: 'i32_eq', f64: 'f64_eq' },
    '!=': { i32: 'i32_ne', f64: 'f64_ne' },
    '<': { i32: 'i32_lt_s', f64: 'f64_lt' },
    '<=': { i32: 'i32_le_s', f64: 'f64_le' },
    '>': { i32: 'i32_gt_s', f64: 'f64_gt' },
    '>=': { i32: 'i32_ge_s', f64: 'f64_ge' },
} as const;

const NARROW = {
    '+': 'i32_add',
    '-': 'i32_sub',
    '*': 'i32_mul',
    bitand: 'i32_and',
    bitor: 'i32_or',
    xor: 'i32_xor',
} as const;

const WIDE = { '+': 'f64_add', '-': 'f64_sub', '*': 'f64_mul' } as const;

function isComparison(operator: SequentialBinaryOperator): operator is Comparison {
    return Object.hasOwn(COMPARISON, operator);
}

function isNarrowInline(operator: Arithmetic): operator is keyof typeof NARROW {
    return Object.hasOwn(NARROW, operator);
}

type Binary = Extract<SequentialExpression, { kind: 'binary' }>;

/** Like all functions here it pushes the value, as what `representationOf` says of the expression. */
export function compileBinary(expression: Binary, representation: Representation, compiler: ExpressionCompiler): void {
    const { operator, left, right } = expression;
    if (isComparison(operator)) {
        compileComparison(operator, left, right, compiler);
    } else {
        compileArithmetic(operator, expression, representation, compiler);
    }
}

function compileComparison(
    operator: Comparison,
    left: SequentialExpression,
    right: SequentialExpression,
    compiler: ExpressionCompiler,
): void {
    const wide = compiler.representationOf(left) === 'f64' || compiler.representationOf(right) === 'f64';
    compiler.valueAs(left, wide ? 'f64' : 'i32');
    compiler.valueAs(right, wide ? 'f64' : 'i32');
    compiler.f.op(COMPARISON[operator][wide ? 'f64' : 'i32']);
}

function compileArithmetic(
    operator: Arithmetic,
    expression: Binary,
    representation: Representation,
    compiler: ExpressionCompiler,
): void {
    const { f } = compiler;
    const { left, right, range } = expression;
    const isNarrow =
        representation === 'i32' &&
        compiler.representationOf(left) === 'i32' &&
        compiler.representationOf(right) === 'i32' &&
        isNarrowOperation(operator, compiler.bounds(left), compiler.bounds(right));
    if (!isNarrow) {
        compileWideArithmetic(operator, expression, representation, compiler);
        return;
    }
    if (isNarrowInline(operator) && !compiler.bounds(left).mayBeNone && !compiler.bounds(right).mayBeNone) {
        compiler.valueAs(left, 'i32');
        compiler.valueAs(right, 'i32');
        f.op(NARROW[operator]);
        return;
    }
    const first = f.acquire('i32');
    const second = f.acquire('i32');
    compiler.valueAs(left, 'i32');
    f.set(first);
    compiler.valueAs(right, 'i32');
    f.set(second);
    raiseIfNone(
        [
            [first, left],
            [second, right],
        ],
        'i32',
        range,
        compiler,
    );
    const divisor = compiler.bounds(right);
    if ((operator === 'div' || operator === 'mod') && divisor.low <= 0 && 0 <= divisor.high) {
        f.get(second).op('i32_eqz');
        compiler.raiseIf('division', range);
    }
    if (isNarrowInline(operator)) {
        f.get(first).get(second).op(NARROW[operator]);
    } else {
        invariant(operator === 'div' || operator === 'mod', 'the others are computed in wide numbers');
        divide(operator, first, second, compiler.bounds(left).low >= 0, f);
    }
    f.release(first);
    f.release(second);
}

/** Whether 32 bits are enough on the way too. */
function isNarrowOperation(operator: Arithmetic, first: Bounds, second: Bounds): boolean {
    switch (operator) {
        case '+':
            return fits(first.low + second.low, first.high + second.high);
        case '-':
            return fits(first.low - second.high, first.high - second.low);
        case '*': {
            const ends = [first.low, first.high].flatMap(one => [one * second.low, one * second.high]);
            return ends.every(end => fits(end, end));
        }
        case 'div':
        case 'mod':
            return true;
        case 'bitand':
        case 'bitor':
        case 'xor':
            return first.low >= 0 && second.low >= 0 && !first.mayBeNone && !second.mayBeNone;
        case 'pow':
        case 'shl':
        case 'shr':
            return false;
        default:
            return unreachable(operator);
    }
}

/** Euclidean: the remainder is never negative. The divisor is not 0. */
function divide(operator: 'div' | 'mod', first: Local, second: Local, isPositive: boolean, f: FunctionWriter): void {
    if (isPositive) {
        f.get(first)
            .get(second)
            .op(operator === 'div' ? 'i32_div_s' : 'i32_rem_s');
        return;
    }
    const remainder = f.acquire('i32');
    f.get(first).get(second).op('i32_rem_s').set(remainder);
    const sign = (): void => {
        // 1 where the divisor is positive, else -1.
        f.i32(1).i32(-1).get(second).i32(0).op('i32_gt_s', 'select');
    };
    if (operator === 'mod') {
        f.get(remainder).get(second);
        sign();
        f.op('i32_mul').i32(0).get(remainder).i32(0).op('i32_lt_s', 'select', 'i32_add');
    } else {
        f.get(first).get(second).op('i32_div_s');
        sign();
        f.i32(0).get(remainder).i32(0).op('i32_lt_s', 'select', 'i32_sub');
    }
    f.release(remainder);
}

/** As the interpreter does it, in the numbers of JavaScript. */
function compileWideArithmetic(
    operator: Arithmetic,
    expression: Binary,
    representation: Representation,
    compiler: ExpressionCompiler,
): void {
    const { f } = compiler;
    const { left, right, range } = expression;
    const result = f.acquire('f64');
    const first = f.acquire('f64');
    const second = f.acquire('f64');
    compiler.valueAs(left, 'f64');
    f.set(first);
    compiler.valueAs(right, 'f64');
    f.set(second);
    if (operator === '+' || operator === '-' || operator === '*') {
        f.get(first).get(second).op(WIDE[operator]).tee(result).op('f64_abs').f64(Number.MAX_SAFE_INTEGER);
        f.op('f64_le', 'i32_eqz').if();
        raiseIfNone(
            [
                [first, left],
                [second, right],
            ],
            'f64',
            range,
            compiler,
        );
        compiler.raise('overflow', range);
        f.end();
    } else {
        f.i32(WIDE_OPERATORS.indexOf(operator)).get(first).get(second).call(compiler.context.wideOperation);
        f.tee(result).get(result).op('f64_ne').if();
        for (const kind of ['division', 'overflow', 'undefined'] as const) {
            f.call(compiler.context.wideFault).i32(FAULT_KINDS.indexOf(kind)).op('i32_eq');
            compiler.raiseIf(kind, range);
        }
        f.op('unreachable').end();
    }
    f.get(result);
    if (representation === 'i32') {
        f.op('i32_trunc_f64_s');
    }
    f.release(result);
    f.release(first);
    f.release(second);
}

export function compileNegation(
    { operand, range }: Extract<SequentialExpression, { kind: 'negate' }>,
    representation: Representation,
    compiler: ExpressionCompiler,
): void {
    const { f } = compiler;
    const given = compiler.value(operand);
    const value = f.acquire(given);
    f.set(value);
    raiseIfNone([[value, operand]], given, range, compiler);
    if (given === 'f64') {
        // The bounds are those of the operand, mirrored.
        f.get(value).op('f64_neg');
    } else {
        f.i32(0).get(value).op('i32_sub');
    }
    f.release(value);
    invariant(given === representation, 'a number and its opposite are of one size');
}

type OverOperands = Pick<Extract<SequentialExpression, { operands: unknown; range: unknown }>, 'operands' | 'range'>;

export function compileSum(
    { operands, range }: OverOperands,
    representation: Representation,
    compiler: ExpressionCompiler,
): void {
    const { f } = compiler;
    let low = 0;
    let high = 0;
    let isNarrow = representation === 'i32';
    for (const operand of operands) {
        const bounds = compiler.bounds(operand);
        low += bounds.low;
        high += bounds.high;
        isNarrow &&= fits(low, high) && fits(bounds.low, bounds.high);
    }
    const type = isNarrow ? 'i32' : 'f64';
    const total = f.acquire(type);
    pushConstant(0, type, f);
    f.set(total);
    for (const operand of operands) {
        const value = f.acquire(type);
        compiler.valueAs(operand, type);
        f.set(value);
        raiseIfNone([[value, operand]], type, range, compiler);
        f.get(total)
            .get(value)
            .op(isNarrow ? 'i32_add' : 'f64_add')
            .set(total);
        if (!isNarrow) {
            f.get(total).op('f64_abs').f64(Number.MAX_SAFE_INTEGER).op('f64_le', 'i32_eqz');
            compiler.raiseIf('overflow', range);
        }
        f.release(value);
    }
    f.get(total);
    if (!isNarrow && representation === 'i32') {
        f.op('i32_trunc_f64_s');
    }
    f.release(total);
}

export function compileExtremum(
    kind: 'min' | 'max',
    { operands, range }: OverOperands,
    representation: Representation,
    compiler: ExpressionCompiler,
): void {
    const { f } = compiler;
    // Of a large and a small number the least may be small.
    const wide = operands.some(operand => compiler.representationOf(operand) === 'f64');
    const type = wide ? 'f64' : 'i32';
    const best = f.acquire(type);
    const value = f.acquire(type);
    pushConstant(NONE, type, f);
    f.set(best);
    const isBetter = COMPARISON[kind === 'min' ? '<' : '>'][type];
    for (const operand of operands) {
        compiler.valueAs(operand, type);
        f.set(value).get(value).get(best).get(value).get(best).op(isBetter);
        if (kind === 'min') {
            f.get(best);
            compareWithNone(type, f);
            f.op('i32_or');
            if (compiler.bounds(operand).mayBeNone) {
                f.get(value);
                compareWithNone(type, f);
                f.op('i32_eqz', 'i32_and');
            }
        }
        f.op('select').set(best);
    }
    if (operands.every(operand => compiler.bounds(operand).mayBeNone)) {
        f.get(best);
        compareWithNone(type, f);
        compiler.raiseIf('undefined', range);
    }
    f.get(best);
    if (wide && representation === 'i32') {
        f.op('i32_trunc_f64_s');
    }
    f.release(best);
    f.release(value);
}

function raiseIfNone(
    operands: readonly (readonly [Local, SequentialExpression])[],
    representation: Representation,
    range: SourceRange,
    compiler: ExpressionCompiler,
): void {
    for (const [local, expression] of operands) {
        if (compiler.bounds(expression).mayBeNone) {
            compiler.f.get(local);
            compareWithNone(representation, compiler.f);
            compiler.raiseIf('undefined', range);
        }
    }
}
