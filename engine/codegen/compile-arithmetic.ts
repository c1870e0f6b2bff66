/** Arithmetic as WebAssembly: in 32 bits if these are enough, else in doubles as in the interpreter. */
import { invariant, unreachable } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import { NONE } from '../model/domain.js';
import { FAULT_KINDS } from '../sequential/expression/evaluate.js';
import type { SequentialExpression } from '../sequential/sequential-model.js';
import {
    call,
    callTo,
    type FunctionBody,
    i32,
    type Int,
    select,
    type StackValue,
    type WasmVariable,
} from '../webassembly/function-body.js';
import type { ExpressionCompiler } from './compile-expression.js';
import { constant, fits, isNone, type Representation, truncated } from './value-representation.js';
import type { SequentialBinaryOperator } from '../sequential/expression/arithmetic.js';
import type { Bounds } from '../sequential/expression/bounds.js';

type Comparison = keyof typeof COMPARISON;
type Arithmetic = Exclude<SequentialBinaryOperator, Comparison>;
type Binary = Extract<SequentialExpression, { kind: 'binary' }>;
type Negation = Extract<SequentialExpression, { kind: 'negate' }>;
type OverOperands = Pick<Extract<SequentialExpression, { operands: unknown; range: unknown }>, 'operands' | 'range'>;

const COMPARISON = {
    '==': 'is',
    '!=': 'isNot',
    '<': 'isLess',
    '<=': 'isAtMost',
    '>': 'isGreater',
    '>=': 'isAtLeast',
} as const;

/** Operations of one instruction; the signs are also for doubles. */
const ONE_INSTRUCTION = {
    '+': 'plus',
    '-': 'minus',
    '*': 'times',
    bitand: 'and',
    bitor: 'or',
    xor: 'xor',
} as const;

/** The operators that the host applies to integers beyond 32 bits, by their numbers. */
export const WIDE_OPERATORS: readonly SequentialBinaryOperator[] = [
    '+',
    '-',
    '*',
    'div',
    'mod',
    'pow',
    'xor',
    'bitand',
    'bitor',
    'shl',
    'shr',
];

function isComparison(operator: SequentialBinaryOperator): operator is Comparison {
    return Object.hasOwn(COMPARISON, operator);
}

function isOneInstruction(operator: Arithmetic): operator is keyof typeof ONE_INSTRUCTION {
    return Object.hasOwn(ONE_INSTRUCTION, operator);
}

/** Like all functions here, returns the value in this representation and may write statements that raise faults. */
export function compileBinary(
    expression: Binary,
    representation: Representation,
    compiler: ExpressionCompiler,
): StackValue<Representation> {
    const { operator, left, right } = expression;
    if (isComparison(operator)) {
        const isWide = compiler.representationOf(left) === 'f64' || compiler.representationOf(right) === 'f64';
        const type = isWide ? 'f64' : 'i32';
        return compiler.valueAs(left, type)[COMPARISON[operator]](compiler.valueAs(right, type));
    }
    const isNarrow =
        representation === 'i32' &&
        compiler.representationOf(left) === 'i32' &&
        compiler.representationOf(right) === 'i32' &&
        isNarrowOperation(operator, compiler.bounds(left), compiler.bounds(right));
    return isNarrow
        ? compileNarrow(operator, expression, compiler)
        : compileWide(operator, expression, representation, compiler);
}

function compileNarrow(operator: Arithmetic, { left, right, range }: Binary, compiler: ExpressionCompiler): Int {
    const { f } = compiler;
    const dividend = compiler.bounds(left);
    const divisor = compiler.bounds(right);
    if (isOneInstruction(operator) && !dividend.mayBeNone && !divisor.mayBeNone) {
        return compiler.valueAs(left, 'i32')[ONE_INSTRUCTION[operator]](compiler.valueAs(right, 'i32'));
    }
    const first = f.variable(compiler.valueAs(left, 'i32'));
    const second = f.variable(compiler.valueAs(right, 'i32'));
    raiseIfNone(first, left, range, compiler);
    raiseIfNone(second, right, range, compiler);
    if (isOneInstruction(operator)) {
        return first[ONE_INSTRUCTION[operator]](second);
    }
    invariant(operator === 'div' || operator === 'mod', 'the others are computed in wide numbers');
    if (divisor.low <= 0 && 0 <= divisor.high) {
        compiler.raiseIf(second.isZero(), 'division', range);
    }
    return divided(operator, first, second, dividend.low >= 0, f);
}

/** Whether 32 bits are enough for the result and all intermediate results. */
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

/** Euclidean division: the remainder is never negative. The divisor is not 0. */
function divided(operator: 'div' | 'mod', first: Int, second: Int, isPositive: boolean, f: FunctionBody): Int {
    if (isPositive) {
        return operator === 'div' ? first.dividedBy(second) : first.remainder(second);
    }
    const remainder = f.variable(first.remainder(second));
    const signOfDivisor = select(second.isGreater(0), i32(1), -1);
    return operator === 'mod'
        ? remainder.plus(select(remainder.isLess(0), second.times(signOfDivisor), 0))
        : first.dividedBy(second).minus(select(remainder.isLess(0), signOfDivisor, 0));
}

function compileWide(
    operator: Arithmetic,
    { left, right, range }: Binary,
    representation: Representation,
    compiler: ExpressionCompiler,
): StackValue<Representation> {
    const { f, context } = compiler;
    const first = f.variable(compiler.valueAs(left, 'f64'));
    const second = f.variable(compiler.valueAs(right, 'f64'));
    const result = f.local('f64');
    if (operator === '+' || operator === '-' || operator === '*') {
        result.set(first[ONE_INSTRUCTION[operator]](second));
        f.if(isTooLarge(result), () => {
            raiseIfNone(first, left, range, compiler);
            raiseIfNone(second, right, range, compiler);
            compiler.raise('overflow', range);
        });
    } else {
        result.set(callTo('f64', context.wideOperation, WIDE_OPERATORS.indexOf(operator), first, second));
        f.if(result.isNot(result), () => {
            for (const kind of ['division', 'overflow', 'undefined'] as const) {
                compiler.raiseIf(call(context.wideFault).is(FAULT_KINDS.indexOf(kind)), kind, range);
            }
            f.unreachable();
        });
    }
    return representation === 'i32' ? truncated(result) : result;
}

/** True for NaN, too. */
function isTooLarge(value: StackValue<Representation>): Int {
    return value.converted('f64', 'f64_abs').isAtMost(Number.MAX_SAFE_INTEGER).isZero();
}

export function compileNegation(
    { operand, range }: Negation,
    representation: Representation,
    compiler: ExpressionCompiler,
): StackValue<Representation> {
    const value = compiler.f.variable(compiler.value(operand));
    invariant(value.type === representation, 'a number and its opposite are of one size');
    raiseIfNone(value, operand, range, compiler);
    return value.type === 'f64' ? value.converted('f64', 'f64_neg') : i32(0).minus(value as Int);
}

export function compileSum(
    { operands, range }: OverOperands,
    representation: Representation,
    compiler: ExpressionCompiler,
): StackValue<Representation> {
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
    const type: Representation = isNarrow ? 'i32' : 'f64';
    const total = f.variable(constant(0, type));
    compiler.together<Representation>(operands, type).forEach((valueOf, index) => {
        f.scope(() => {
            const value = f.variable(valueOf());
            raiseIfNone(value, operands[index], range, compiler);
            total.add(value);
            if (!isNarrow) {
                compiler.raiseIf(isTooLarge(total), 'overflow', range);
            }
        });
    });
    return !isNarrow && representation === 'i32' ? truncated(total) : total;
}

export function compileExtremum(
    kind: 'min' | 'max',
    { operands, range }: OverOperands,
    representation: Representation,
    compiler: ExpressionCompiler,
): StackValue<Representation> {
    const { f } = compiler;
    // The least of a large and a small number may be small.
    const isWide = operands.some(operand => compiler.representationOf(operand) === 'f64');
    const type: Representation = isWide ? 'f64' : 'i32';
    const best = f.variable(constant(NONE, type));
    const value = f.local(type);
    compiler.together<Representation>(operands, type).forEach((valueOf, index) => {
        const operand = operands[index];
        value.set(valueOf());
        let isBetter = kind === 'min' ? value.isLess(best).or(isNone(best)) : value.isGreater(best);
        if (kind === 'min' && compiler.bounds(operand).mayBeNone) {
            isBetter = isBetter.and(isNone(value).isZero());
        }
        best.set(select(isBetter, value, best));
    });
    if (operands.every(operand => compiler.bounds(operand).mayBeNone)) {
        compiler.raiseIf(isNone(best), 'undefined', range);
    }
    return isWide && representation === 'i32' ? truncated(best) : best;
}

/** The value that all operands have. */
export function compileOnly(
    { operands, range }: OverOperands,
    representation: Representation,
    compiler: ExpressionCompiler,
): StackValue<Representation> {
    const { f } = compiler;
    const isWide = operands.some(operand => compiler.representationOf(operand) === 'f64');
    const type: Representation = isWide ? 'f64' : 'i32';
    const only = f.variable(constant(NONE, type));
    const value = f.local(type);
    const differ = f.variable(i32(0));
    compiler.together<Representation>(operands, type).forEach(valueOf => {
        value.set(valueOf());
        const isSame = isNone(value).or(isNone(only)).or(value.is(only));
        differ.set(differ.or(isSame.isZero()));
        only.set(select(isNone(value), only, value));
    });
    compiler.raiseIf(differ.or(isNone(only)), 'undefined', range);
    return isWide && representation === 'i32' ? truncated(only) : only;
}

function raiseIfNone(
    value: WasmVariable<Representation>,
    expression: SequentialExpression,
    range: SourceRange,
    compiler: ExpressionCompiler,
): void {
    if (compiler.bounds(expression).mayBeNone) {
        compiler.raiseIf(isNone(value), 'undefined', range);
    }
}
