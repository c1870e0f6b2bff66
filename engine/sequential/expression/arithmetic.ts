/** The operators of the language on values, with their faults. */
import { unreachable } from '../../common/assert.js';
import { euclideanQuotient, euclideanRemainder } from '../../common/interval.js';
import { NONE, type Value } from '../../model/domain.js';
import type { FaultKind, SequentialExpression } from '../sequential-model.js';

export type SequentialBinaryOperator = Extract<SequentialExpression, { kind: 'binary' }>['operator'];
export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=';
export type Arithmetic = Exclude<SequentialBinaryOperator, Comparison>;

/**
 * The value of `left operator right`, or the kind of its fault. `div` and `mod` are Euclidean: no negative remainder.
 * The fault `undefined` is arithmetic on `none`, bits of negatives, a negative exponent. `none` is below all others.
 */
export function applyBinary(operator: SequentialBinaryOperator, left: Value, right: Value): Value | FaultKind {
    switch (operator) {
        case '+':
            return checked(left + right, left, right);
        case '-':
            return checked(left - right, left, right);
        case '*':
            return checked(left * right, left, right);
        case 'div':
        case 'mod':
            return divide(operator, left, right);
        case 'pow':
            return right < 0 || left === NONE ? 'undefined' : power(left, right);
        case 'xor':
        case 'bitand':
        case 'bitor':
            return left < 0 || right < 0 ? 'undefined' : combineBits(operator, left, right);
        case 'shl':
            // Powers of two are exact, and only 0 stays small however far it is shifted.
            return left < 0 || right < 0 ? 'undefined' : left === 0 ? 0 : checked(left * 2 ** right, left, right);
        case 'shr':
            return left < 0 || right < 0 ? 'undefined' : Math.floor(left / 2 ** right);
        case '==':
            return left === right ? 1 : 0;
        case '!=':
            return left !== right ? 1 : 0;
        case '<':
            return left < right ? 1 : 0;
        case '<=':
            return left <= right ? 1 : 0;
        case '>':
            return left > right ? 1 : 0;
        case '>=':
            return left >= right ? 1 : 0;
        default:
            return unreachable(operator);
    }
}

/** The value of `-operand`, or the kind of its fault. */
export function applyNegate(operand: Value): Value | FaultKind {
    return operand === NONE ? 'undefined' : 0 - operand;
}

/** `base` to a power from 0; 0 to the power 0 is 1. */
function power(base: number, exponent: number): Value | FaultKind {
    if (base === 0 || base === 1 || base === -1) {
        return exponent === 0 || base === 1 ? 1 : base === 0 ? 0 : exponent % 2 === 0 ? 1 : -1;
    }
    let result = 1;
    for (let count = 0; count < exponent; count++) {
        // Exact while it is a safe integer; at most 53 rounds.
        result *= base;
        if (!Number.isSafeInteger(result)) {
            return 'overflow';
        }
    }
    return result;
}

const WORD = 2 ** 32;

/** In two halves: the operators of JavaScript work on 32 bits. */
function combineBits(operator: 'xor' | 'bitand' | 'bitor', left: number, right: number): number {
    const high = combineWords(operator, Math.floor(left / WORD), Math.floor(right / WORD));
    const low = combineWords(operator, left % WORD, right % WORD);
    return high * WORD + low;
}

function combineWords(operator: 'xor' | 'bitand' | 'bitor', left: number, right: number): number {
    switch (operator) {
        case 'xor':
            return (left ^ right) >>> 0;
        case 'bitand':
            return (left & right) >>> 0;
        case 'bitor':
            return (left | right) >>> 0;
        default:
            return unreachable(operator);
    }
}

/** The least or the greatest operand that is not NONE; NONE if all are. Callers make that the fault `undefined`. */
export function extremumOf(kind: 'min' | 'max', operands: readonly Value[]): Value {
    let best: Value = NONE;
    for (const operand of operands) {
        if (operand !== NONE && (best === NONE || (kind === 'min' ? operand < best : operand > best))) {
            best = operand;
        }
    }
    return best;
}

function divide(operator: 'div' | 'mod', left: Value, right: Value): Value | FaultKind {
    if (left === NONE || right === NONE) {
        return 'undefined';
    }
    if (right === 0) {
        return 'division';
    }
    const result = operator === 'div' ? euclideanQuotient(left, right) : euclideanRemainder(left, right);
    return checked(result, left, right);
}

/** `result`, with -0 made 0, if it is an exact integer. */
function checked(result: number, left: Value, right: Value): Value | FaultKind {
    if (Number.isSafeInteger(result)) {
        return result + 0;
    }
    return left === NONE || right === NONE ? 'undefined' : 'overflow';
}

const COMPARISONS: ReadonlySet<SequentialBinaryOperator> = new Set<Comparison>(['==', '!=', '<', '<=', '>', '>=']);

export function isArithmetic(operator: SequentialBinaryOperator): operator is Arithmetic {
    return !COMPARISONS.has(operator);
}
