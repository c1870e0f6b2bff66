/**
 * Builds expressions folded: constants are evaluated, a known condition selects its branch, and `and`, `or` are flat
 * and end where the result is known. Folding follows the order of evaluation: an operand is dropped only if it would
 * not be evaluated, so reads and possible faults stay the same. `false && x` is false; `x && false` stays, since the
 * reads decide which locals are live.
 */
import { unreachable } from '../../common/assert.js';
import type { SourceRange } from '../../common/source-range.js';
import { codeOfValue, NONE } from '../../model/domain.js';
import type { Domain, Value } from '../../model/domain.js';
import { withOperands } from './operands.js';
import type { FaultKind, SequentialExpression } from '../sequential-model.js';
import { applyBinary, applyNegate, extremumOf, type SequentialBinaryOperator } from './arithmetic.js';

/** The truth value 1. */
export const TRUE: SequentialExpression & { kind: 'constant' } = { kind: 'constant', value: 1 };
/** The truth value 0. */
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

/** Of no operands it is true. */
export function conjunction(operands: readonly SequentialExpression[], range: SourceRange): SequentialExpression {
    return junction('and', TRUE, operands, range);
}

/** Of no operands it is false. */
export function disjunction(operands: readonly SequentialExpression[], range: SourceRange): SequentialExpression {
    return junction('or', FALSE, operands, range);
}

/** A deciding constant ends the sequence; earlier operands stay, since they are evaluated. */
function junction(
    kind: 'and' | 'or',
    neutral: SequentialExpression & { kind: 'constant' },
    operands: readonly SequentialExpression[],
    range: SourceRange,
): SequentialExpression {
    const kept: SequentialExpression[] = [];
    for (const operand of operands) {
        const isOpen =
            operand.kind === kind
                ? operand.operands.every(inner => keepOpen(inner, neutral, kept))
                : keepOpen(operand, neutral, kept);
        if (!isOpen) {
            break;
        }
    }
    if (kept.length === 0) {
        return neutral;
    }
    return kept.length === 1 ? kept[0] : { kind, operands: kept, range };
}

/** Adds an operand unless it makes no difference; returns whether later operands may still be evaluated. */
function keepOpen(
    operand: SequentialExpression,
    neutral: SequentialExpression & { kind: 'constant' },
    kept: SequentialExpression[],
): boolean {
    if (operand.kind === 'constant' && operand.value === neutral.value) {
        return true;
    }
    kept.push(operand);
    return operand.kind !== 'constant' && operand.kind !== 'fault';
}

/** `all` or `some`; constants without an effect are left out. */
export function unordered(
    kind: 'all' | 'some',
    operands: readonly SequentialExpression[],
    range: SourceRange,
): SequentialExpression {
    const neutral = kind === 'all' ? TRUE : FALSE;
    const kept = operands.filter(operand => operand.kind !== 'constant' || operand.value !== neutral.value);
    if (kept.every(operand => operand.kind === 'constant')) {
        return kept[0] ?? neutral;
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

/** The option at the code of the index. */
export function select(
    index: SequentialExpression,
    domain: Domain,
    options: readonly SequentialExpression[],
    range: SourceRange,
): SequentialExpression {
    if (index.kind === 'constant') {
        const code = codeOfValue(domain, index.value);
        return code < 0 ? { kind: 'fault', fault: 'index', range } : options[code];
    }
    return index.kind === 'fault' ? index : { kind: 'select', index, domain, options, range };
}

/** The least or the greatest operand, or the value that all have; its constants are joined. */
export function extremum(
    kind: 'min' | 'max' | 'the',
    operands: readonly SequentialExpression[],
    range: SourceRange,
): SequentialExpression {
    const values = operands.flatMap(operand => (operand.kind === 'constant' ? [operand.value] : []));
    const open = operands.filter(operand => operand.kind !== 'constant');
    if (kind === 'the') {
        const different = [...new Set(values.filter(value => value !== NONE))];
        const [only] = different;
        return open.length > 0
            ? { kind, operands: [...open, ...different.map(constant)], range }
            : folded(only === undefined || different.length > 1 ? 'undefined' : only, range);
    }
    const best = extremumOf(kind, values);
    if (open.length === 0) {
        return folded(best === NONE ? 'undefined' : best, range);
    }
    // A constant has no reads or faults, so its place does not matter.
    return { kind, operands: best === NONE ? open : [...open, constant(best)], range };
}

/** The number of true operands. */
export function count(operands: readonly SequentialExpression[], range: SourceRange): SequentialExpression {
    const kept = operands.filter(operand => !isFalse(operand));
    return kept.every(isTrue) ? constant(kept.length) : { kind: 'count', operands: kept, range };
}

/** Of no operands it is 0. */
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

/** As `withOperands`, folded again. */
export function mapOperands(
    expression: SequentialExpression,
    map: (operand: SequentialExpression) => SequentialExpression,
): SequentialExpression {
    const mapped = withOperands(expression, map);
    switch (mapped.kind) {
        case 'constant':
        case 'cell':
        case 'holds':
        case 'fresh':
        case 'choosable':
        case 'fault':
        case 'element':
            return mapped;
        case 'not':
            return negation(mapped.operand, mapped.range);
        case 'negate':
            return negative(mapped.operand, mapped.range);
        case 'binary':
            return binary(mapped.operator, mapped.left, mapped.right, mapped.range);
        case 'and':
            return conjunction(mapped.operands, mapped.range);
        case 'or':
            return disjunction(mapped.operands, mapped.range);
        case 'all':
        case 'some':
            return unordered(mapped.kind, mapped.operands, mapped.range);
        case 'count':
            return count(mapped.operands, mapped.range);
        case 'sum':
            return sum(mapped.operands, mapped.range);
        case 'min':
        case 'max':
        case 'the':
            return extremum(mapped.kind, mapped.operands, mapped.range);
        case 'conditional':
            return conditional(mapped.condition, mapped.then, mapped.otherwise, mapped.range);
        case 'select':
            return select(mapped.index, mapped.domain, mapped.options, mapped.range);
        default:
            return unreachable(mapped);
    }
}
