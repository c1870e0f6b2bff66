/**
 * Expressions built folded: constants are evaluated, a choice with a known condition is its branch, and `and`, `or` are
 * flat and end where the result is known. Folding follows the order of evaluation: an operand is dropped only where it
 * would not have been evaluated, so what an expression reads and the faults it may come to stay the same. `false && x`
 * is false; `x && false` stays, for which locals are live depends on what is read.
 */
import { unreachable } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import { domainSize, valueOfCode } from '../model/domain.js';
import type { Domain, Value } from '../model/domain.js';
import { applyBinary, applyNegate } from './evaluate.js';
import type { SequentialBinaryOperator } from './evaluate.js';
import type { Cell, FaultKind, SequentialExpression } from './sequential-model.js';

export const TRUE: SequentialExpression & { kind: 'constant' } = { kind: 'constant', value: 1 };
export const FALSE: SequentialExpression & { kind: 'constant' } = { kind: 'constant', value: 0 };

export function constant(value: Value): SequentialExpression {
    return { kind: 'constant', value };
}

export function isTrue(expression: SequentialExpression): boolean {
    return expression.kind === 'constant' && expression.value === 1;
}

export function isFalse(expression: SequentialExpression): boolean {
    return expression.kind === 'constant' && expression.value === 0;
}

export function conjunction(operands: readonly SequentialExpression[], range: SourceRange): SequentialExpression {
    return junction('and', TRUE, operands, range);
}

export function disjunction(operands: readonly SequentialExpression[], range: SourceRange): SequentialExpression {
    return junction('or', FALSE, operands, range);
}

/** A constant that decides ends the sequence; what comes before it stays, for it is evaluated. */
function junction(
    kind: 'and' | 'or',
    neutral: SequentialExpression & { kind: 'constant' },
    operands: readonly SequentialExpression[],
    range: SourceRange,
): SequentialExpression {
    const kept: SequentialExpression[] = [];
    for (const operand of operands) {
        if (operand.kind === 'constant' && operand.value === neutral.value) {
            continue;
        }
        if (operand.kind === kind) {
            for (const inner of operand.operands) {
                kept.push(inner);
            }
        } else {
            kept.push(operand);
        }
        const last = kept[kept.length - 1];
        if (last.kind === 'constant' || last.kind === 'fault') {
            break;
        }
    }
    if (kept.length === 0) {
        return neutral;
    }
    return kept.length === 1 ? kept[0] : { kind, operands: kept, range };
}

export function negation(operand: SequentialExpression, range: SourceRange): SequentialExpression {
    if (operand.kind === 'constant') {
        return operand.value === 0 ? TRUE : FALSE;
    }
    if (operand.kind === 'not') {
        return operand.operand;
    }
    return operand.kind === 'fault' ? operand : { kind: 'not', operand, range };
}

export function negative(operand: SequentialExpression, range: SourceRange): SequentialExpression {
    if (operand.kind === 'constant') {
        return folded(applyNegate(operand.value), range);
    }
    return operand.kind === 'fault' ? operand : { kind: 'negate', operand, range };
}

export function binary(
    operator: SequentialBinaryOperator,
    left: SequentialExpression,
    right: SequentialExpression,
    range: SourceRange,
): SequentialExpression {
    if (left.kind === 'fault') {
        return left;
    }
    if (left.kind === 'constant') {
        if (right.kind === 'constant') {
            return folded(applyBinary(operator, left.value, right.value), range);
        }
        if (right.kind === 'fault') {
            return right;
        }
    }
    return { kind: 'binary', operator, left, right, range };
}

function folded(result: Value | FaultKind, range: SourceRange): SequentialExpression {
    return typeof result === 'number' ? constant(result) : { kind: 'fault', fault: result, range };
}

export function conditional(
    condition: SequentialExpression,
    then: SequentialExpression,
    otherwise: SequentialExpression,
    range: SourceRange,
): SequentialExpression {
    if (condition.kind === 'constant') {
        return condition.value === 1 ? then : otherwise;
    }
    return condition.kind === 'fault' ? condition : { kind: 'conditional', condition, then, otherwise, range };
}

/** The number of true operands. */
export function count(operands: readonly SequentialExpression[], range: SourceRange): SequentialExpression {
    const kept = operands.filter(operand => !isFalse(operand));
    return kept.every(isTrue) ? constant(kept.length) : { kind: 'count', operands: kept, range };
}

export function sum(operands: readonly SequentialExpression[], range: SourceRange): SequentialExpression {
    const kept = operands.filter(operand => !isFalse(operand));
    if (kept.length <= 1) {
        return kept[0] ?? constant(0);
    }
    let total: SequentialExpression = constant(0);
    for (const operand of kept) {
        if (operand.kind !== 'constant') {
            return { kind: 'sum', operands: kept, range };
        }
        total = binary('+', total, operand, range);
    }
    return total;
}

/** The number of nodes, an expression that occurs twice counted twice. */
export function sizeOf(expression: SequentialExpression): number {
    const add = (total: number, operand: SequentialExpression): number => total + sizeOf(operand);
    switch (expression.kind) {
        case 'constant':
        case 'cell':
        case 'fault':
            return 1;
        case 'element':
            return expression.indices.reduce(add, 1 + expression.cells.length);
        case 'not':
        case 'negate':
            return 1 + sizeOf(expression.operand);
        case 'binary':
            return 1 + sizeOf(expression.left) + sizeOf(expression.right);
        case 'and':
        case 'or':
        case 'count':
        case 'sum':
            return expression.operands.reduce(add, 1);
        case 'conditional':
            return 1 + sizeOf(expression.condition) + sizeOf(expression.then) + sizeOf(expression.otherwise);
        default:
            return unreachable(expression);
    }
}

/** What an expression may evaluate to: integers `low` … `high` (also the positions of names and 0, 1), or `none`. */
export interface Bounds {
    readonly low: number;
    readonly high: number;
    readonly mayBeNone: boolean;
    /** Whether evaluating it may be a fault. */
    readonly mayFault: boolean;
}

export function mayFault(expression: SequentialExpression, cells: readonly Cell[]): boolean {
    return boundsOf(expression, cells).mayFault;
}

/** Whether some value of the expression may lie outside `domain`. */
export function mayLeave(domain: Domain, expression: SequentialExpression, cells: readonly Cell[]): boolean {
    return leaves(domain, boundsOf(expression, cells));
}

function leaves(domain: Domain, bounds: Bounds): boolean {
    const allowed = boundsOfDomain(domain);
    return (bounds.mayBeNone && !allowed.mayBeNone) || bounds.low < allowed.low || bounds.high > allowed.high;
}

const BOOLEAN_BOUNDS: Bounds = { low: 0, high: 1, mayBeNone: false, mayFault: false };

/**
 * What is known of expressions over these cells. Expressions share their parts, so much so that the tree that one stands
 * for may be exponentially larger than the expression.
 */
const knownBounds = new WeakMap<readonly Cell[], WeakMap<SequentialExpression, Bounds>>();

/** Sound, not exact: the bounds of each operand taken alone. O(size of the expression, shared parts counted once). */
export function boundsOf(expression: SequentialExpression, cells: readonly Cell[]): Bounds {
    let known = knownBounds.get(cells);
    if (known === undefined) {
        known = new WeakMap();
        knownBounds.set(cells, known);
    }
    let bounds = known.get(expression);
    if (bounds === undefined) {
        bounds = boundsFromParts(expression, cells);
        known.set(expression, bounds);
    }
    return bounds;
}

function boundsFromParts(expression: SequentialExpression, cells: readonly Cell[]): Bounds {
    switch (expression.kind) {
        case 'constant':
            return Number.isFinite(expression.value)
                ? { low: expression.value, high: expression.value, mayBeNone: false, mayFault: false }
                : { low: Infinity, high: -Infinity, mayBeNone: true, mayFault: false };
        case 'cell':
            // A local that may hold no value is read only where it is live, hence holds one.
            return boundsOfDomain(cells[expression.cell].domain);
        case 'element': {
            const element =
                expression.cells.length === 0 ? BOOLEAN_BOUNDS : boundsOfDomain(cells[expression.cells[0]].domain);
            let faults = expression.cells.length === 0;
            for (let dimension = 0; dimension < expression.indices.length && !faults; dimension++) {
                const index = boundsOf(expression.indices[dimension], cells);
                faults = index.mayFault || leaves(expression.domains[dimension], index);
            }
            return { ...element, mayFault: faults };
        }
        case 'not':
            return { ...BOOLEAN_BOUNDS, mayFault: mayFault(expression.operand, cells) };
        case 'negate': {
            const operand = boundsOf(expression.operand, cells);
            return {
                low: -operand.high,
                high: -operand.low,
                mayBeNone: false,
                mayFault: operand.mayFault || operand.mayBeNone,
            };
        }
        case 'binary':
            return boundsOfBinary(
                expression.operator,
                boundsOf(expression.left, cells),
                boundsOf(expression.right, cells),
            );
        case 'and':
        case 'or':
            return { ...BOOLEAN_BOUNDS, mayFault: expression.operands.some(operand => mayFault(operand, cells)) };
        case 'conditional': {
            const then = boundsOf(expression.then, cells);
            const otherwise = boundsOf(expression.otherwise, cells);
            return {
                low: Math.min(then.low, otherwise.low),
                high: Math.max(then.high, otherwise.high),
                mayBeNone: then.mayBeNone || otherwise.mayBeNone,
                mayFault: then.mayFault || otherwise.mayFault || mayFault(expression.condition, cells),
            };
        }
        case 'count':
            return {
                low: 0,
                high: expression.operands.length,
                mayBeNone: false,
                mayFault: expression.operands.some(operand => mayFault(operand, cells)),
            };
        case 'sum': {
            let total: Bounds = { low: 0, high: 0, mayBeNone: false, mayFault: false };
            for (const operand of expression.operands) {
                total = boundsOfBinary('+', total, boundsOf(operand, cells));
            }
            return total;
        }
        case 'fault':
            return { low: Infinity, high: -Infinity, mayBeNone: false, mayFault: true };
        default:
            return unreachable(expression);
    }
}

function boundsOfDomain(domain: Domain): Bounds {
    if (domain.kind === 'optional') {
        return { ...boundsOfDomain(domain.base), mayBeNone: true };
    }
    const size = domainSize(domain);
    return size === 0
        ? { low: Infinity, high: -Infinity, mayBeNone: false, mayFault: false }
        : { low: valueOfCode(domain, 0), high: valueOfCode(domain, size - 1), mayBeNone: false, mayFault: false };
}

function boundsOfBinary(operator: SequentialBinaryOperator, left: Bounds, right: Bounds): Bounds {
    const operandsFault = left.mayFault || right.mayFault;
    switch (operator) {
        case '==':
        case '!=':
        case '<':
        case '<=':
        case '>':
        case '>=':
            return { ...BOOLEAN_BOUNDS, mayFault: operandsFault };
        case '+':
            return arithmeticBounds([left.low + right.low, left.high + right.high], left, right, false);
        case '-':
            return arithmeticBounds([left.low - right.high, left.high - right.low], left, right, false);
        case '*':
            return arithmeticBounds(
                [left.low * right.low, left.low * right.high, left.high * right.low, left.high * right.high],
                left,
                right,
                false,
            );
        case 'div': {
            const magnitude = Math.max(Math.abs(left.low), Math.abs(left.high)) + 1;
            return arithmeticBounds([-magnitude, magnitude], left, right, right.low <= 0 && 0 <= right.high);
        }
        case 'mod': {
            const magnitude = Math.max(Math.abs(right.low), Math.abs(right.high));
            return arithmeticBounds([0, magnitude - 1], left, right, right.low <= 0 && 0 <= right.high);
        }
        default:
            return unreachable(operator);
    }
}

function arithmeticBounds(ends: readonly number[], left: Bounds, right: Bounds, mayDivideByZero: boolean): Bounds {
    const low = Math.min(...ends);
    const high = Math.max(...ends);
    // An operand without any integer value has infinite or undefined ends: it always faults here.
    const exact = Number.isSafeInteger(low) && Number.isSafeInteger(high);
    return {
        low: exact ? low : -Infinity,
        high: exact ? high : Infinity,
        mayBeNone: false,
        mayFault: !exact || mayDivideByZero || left.mayFault || right.mayFault || left.mayBeNone || right.mayBeNone,
    };
}
