/**
 * Expressions built folded: constants are evaluated, a choice with a known condition is its branch, and `and`, `or` are
 * flat and end where the result is known. Folding follows the order of evaluation: an operand is dropped only where it
 * would not have been evaluated, so what an expression reads and the faults it may come to stay the same. `false && x`
 * is false; `x && false` stays, for which locals are live depends on what is read.
 */
import { unreachable } from '../../common/assert.js';
import type { SourceRange } from '../../common/source-range.js';
import { codeOfValue, domainSize, NONE, valueOfCode } from '../../model/domain.js';
import type { Domain, Value } from '../../model/domain.js';
import { applyBinary, applyNegate, extremumOf } from './evaluate.js';
import type { SequentialBinaryOperator } from './evaluate.js';
import { withOperands } from './operands.js';
import type { Cell, FaultKind, SequentialExpression } from '../sequential-model.js';

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

/** A constant that decides ends the sequence; what comes before it stays, for it is evaluated. */
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

/** Adds an operand unless it makes no difference; whether what follows may still be evaluated. */
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

/** The least or the greatest of the operands; constants among them are one. */
export function extremum(
    kind: 'min' | 'max',
    operands: readonly SequentialExpression[],
    range: SourceRange,
): SequentialExpression {
    const values = operands.flatMap(operand => (operand.kind === 'constant' ? [operand.value] : []));
    const open = operands.filter(operand => operand.kind !== 'constant');
    const best = extremumOf(kind, values);
    if (open.length === 0) {
        return folded(best === NONE ? 'undefined' : best, range);
    }
    // A constant is evaluated without a trace, so its place among the operands does not matter.
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
    switch (expression.kind) {
        case 'constant':
        case 'cell':
        case 'fault':
        case 'element':
            return withOperands(expression, map);
        case 'not':
            return negation(map(expression.operand), expression.range);
        case 'negate':
            return negative(map(expression.operand), expression.range);
        case 'binary':
            return binary(expression.operator, map(expression.left), map(expression.right), expression.range);
        case 'and':
            return conjunction(expression.operands.map(map), expression.range);
        case 'or':
            return disjunction(expression.operands.map(map), expression.range);
        case 'count':
            return count(expression.operands.map(map), expression.range);
        case 'sum':
            return sum(expression.operands.map(map), expression.range);
        case 'min':
        case 'max':
            return extremum(expression.kind, expression.operands.map(map), expression.range);
        case 'conditional':
            return conditional(
                map(expression.condition),
                map(expression.then),
                map(expression.otherwise),
                expression.range,
            );
        case 'select':
            return select(map(expression.index), expression.domain, expression.options.map(map), expression.range);
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

/** Whether evaluating the expression may be a fault, by the domains of the cells it reads. */
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

/** No value at all. */
const NOTHING_BOUNDS: Bounds = { low: Infinity, high: -Infinity, mayBeNone: false, mayFault: false };
const BOOLEAN_BOUNDS: Bounds = { low: 0, high: 1, mayBeNone: false, mayFault: false };

/**
 * What is known of expressions over these cells. Expressions share their parts, so much so that the tree that one stands
 * for may be exponentially larger than the expression.
 */
const knownBounds = new WeakMap<readonly Cell[], WeakMap<SequentialExpression, Bounds>>();

/** Sound, not exact: the bounds of each operand taken alone. O(size of the expression, shared parts counted once). */
export function boundsOf(expression: SequentialExpression, cells: readonly Cell[]): Bounds {
    if (expression.kind === 'constant' || expression.kind === 'cell') {
        return boundsFromParts(expression, cells);
    }
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
                : { ...NOTHING_BOUNDS, mayBeNone: expression.value === NONE };
        case 'cell':
            return boundsOfCell(cells[expression.cell]);
        case 'element': {
            let element = NOTHING_BOUNDS;
            for (const cell of expression.cells) {
                element = either(element, boundsOfCell(cells[cell]));
            }
            let faults = expression.cells.length === 0;
            for (let dimension = 0; dimension < expression.indices.length && !faults; dimension++) {
                const index = boundsOf(expression.indices[dimension], cells);
                faults = index.mayFault || leaves(expression.domains[dimension], index);
            }
            return { ...element, mayFault: faults };
        }
        case 'not':
            return negatedTruth(boundsOf(expression.operand, cells));
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
        case 'or': {
            const operands = expression.operands.map(operand => boundsOf(operand, cells));
            const decide = expression.kind === 'and' ? least : greatest;
            return truthBounds(
                decide(operands.map(({ low }) => Math.min(low, 1))),
                decide(operands.map(({ high }) => Math.max(high, 0))),
                operands.some(operand => operand.mayFault),
            );
        }
        case 'conditional': {
            const branches = either(boundsOf(expression.then, cells), boundsOf(expression.otherwise, cells));
            return { ...branches, mayFault: branches.mayFault || mayFault(expression.condition, cells) };
        }
        case 'count':
            return boundsOfCount(expression.operands.map(operand => boundsOf(operand, cells)));
        case 'select':
            return boundsOfSelect(expression, cells);
        case 'min':
        case 'max':
            return boundsOfExtremum(
                expression.kind,
                expression.operands.map(operand => boundsOf(operand, cells)),
            );
        case 'sum': {
            let total: Bounds = { low: 0, high: 0, mayBeNone: false, mayFault: false };
            for (const operand of expression.operands) {
                total = boundsOfBinary('+', total, boundsOf(operand, cells));
            }
            return total;
        }
        case 'fault':
            return { ...NOTHING_BOUNDS, mayFault: true };
        default:
            return unreachable(expression);
    }
}

/** Of a truth value; an operand that is always a fault has none, and then nothing is known. */
function truthBounds(low: number, high: number, mayFault: boolean): Bounds {
    return low <= high ? { low, high, mayBeNone: false, mayFault } : { ...BOOLEAN_BOUNDS, mayFault };
}

function negatedTruth({ low, high, mayFault }: Bounds): Bounds {
    return truthBounds(1 - high, 1 - low, mayFault);
}

function boundsOfCount(operands: readonly Bounds[]): Bounds {
    const mayFault = operands.some(operand => operand.mayFault);
    const low = operands.filter(operand => operand.low >= 1).length;
    return mayFault
        ? { low: 0, high: operands.length, mayBeNone: false, mayFault }
        : { low, high: operands.filter(operand => operand.high >= 1).length, mayBeNone: false, mayFault };
}

function boundsOfSelect(
    { index, domain, options }: Extract<SequentialExpression, { kind: 'select' }>,
    cells: readonly Cell[],
): Bounds {
    const ofIndex = boundsOf(index, cells);
    let bounds: Bounds = { ...NOTHING_BOUNDS, mayFault: ofIndex.mayFault || leaves(domain, ofIndex) };
    for (const option of options) {
        bounds = either(bounds, boundsOf(option, cells));
    }
    return bounds;
}

/** What one of two branches gives. */
function either(first: Bounds, second: Bounds): Bounds {
    return {
        low: Math.min(first.low, second.low),
        high: Math.max(first.high, second.high),
        mayBeNone: first.mayBeNone || second.mayBeNone,
        mayFault: first.mayFault || second.mayFault,
    };
}

/** An operand that may be NONE may be passed over; one that is never NONE bounds the result from one side. */
function boundsOfExtremum(kind: 'min' | 'max', operands: readonly Bounds[]): Bounds {
    const sure = operands.filter(operand => !operand.mayBeNone);
    const lows = operands.map(operand => operand.low);
    const highs = operands.map(operand => operand.high);
    return {
        low: Math.max(least(lows), kind === 'max' ? greatest(sure.map(operand => operand.low)) : -Infinity),
        high: Math.min(greatest(highs), kind === 'min' ? least(sure.map(operand => operand.high)) : Infinity),
        mayBeNone: false,
        mayFault: sure.length === 0 || operands.some(operand => operand.mayFault),
    };
}

/** Infinity of no values. There may be more of them than a call can have arguments. */
function least(values: readonly number[]): number {
    return values.reduce((first, second) => Math.min(first, second), Infinity);
}

/** -Infinity of no values. */
function greatest(values: readonly number[]): number {
    return values.reduce((first, second) => Math.max(first, second), -Infinity);
}

/** A local that may hold no value is read only where it is live, hence holds one. */
function boundsOfCell(cell: Cell): Bounds {
    const { domain, codes } = cell;
    if (codes === undefined) {
        return boundsOfDomain(domain);
    }
    const mayBeNone = domain.kind === 'optional' && codes.least <= 0 && codes.most >= 0;
    const least = Math.max(codes.least, domain.kind === 'optional' ? 1 : 0);
    return least > codes.most
        ? { ...NOTHING_BOUNDS, mayBeNone }
        : { low: valueOfCode(domain, least), high: valueOfCode(domain, codes.most), mayBeNone, mayFault: false };
}

/** Domains are immutable and shared by many cells. */
const knownBoundsOfDomain = new WeakMap<Domain, Bounds>();

function boundsOfDomain(domain: Domain): Bounds {
    let bounds = knownBoundsOfDomain.get(domain);
    if (bounds === undefined) {
        bounds = boundsOfValues(domain);
        knownBoundsOfDomain.set(domain, bounds);
    }
    return bounds;
}

function boundsOfValues(domain: Domain): Bounds {
    if (domain.kind === 'optional') {
        return { ...boundsOfValues(domain.base), mayBeNone: true };
    }
    const size = domainSize(domain);
    return size === 0
        ? NOTHING_BOUNDS
        : { low: valueOfCode(domain, 0), high: valueOfCode(domain, size - 1), mayBeNone: false, mayFault: false };
}

function boundsOfBinary(operator: SequentialBinaryOperator, left: Bounds, right: Bounds): Bounds {
    const operandsFault = left.mayFault || right.mayFault;
    switch (operator) {
        case '==':
            return { ...boundsOfEquality(left, right), mayFault: operandsFault };
        case '!=':
            return { ...negatedTruth(boundsOfEquality(left, right)), mayFault: operandsFault };
        case '<':
            return { ...boundsOfOrder(left, right, true), mayFault: operandsFault };
        case '<=':
            return { ...boundsOfOrder(left, right, false), mayFault: operandsFault };
        case '>':
            return { ...boundsOfOrder(right, left, true), mayFault: operandsFault };
        case '>=':
            return { ...boundsOfOrder(right, left, false), mayFault: operandsFault };
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
        case 'pow':
            return boundsOfPower(left, right);
        case 'xor':
        case 'bitand':
        case 'bitor':
        case 'shl':
        case 'shr':
            return boundsOfBits(operator, left, right);
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

function boundsOfEquality(left: Bounds, right: Bounds): Bounds {
    const isOne = ({ low, high, mayBeNone }: Bounds): boolean => (mayBeNone ? low > high : low === high);
    if (
        isOne(left) &&
        isOne(right) &&
        left.mayBeNone === right.mayBeNone &&
        (left.mayBeNone || left.low === right.low)
    ) {
        return truthBounds(1, 1, false);
    }
    const areApart = left.high < right.low || right.high < left.low;
    return areApart && !(left.mayBeNone && right.mayBeNone) ? truthBounds(0, 0, false) : BOOLEAN_BOUNDS;
}

/** `left < right`, or `left <= right`. NONE is below every other value. */
function boundsOfOrder(left: Bounds, right: Bounds, isStrict: boolean): Bounds {
    const lowest = ({ low, mayBeNone }: Bounds): number => (mayBeNone ? NONE : low);
    const highest = ({ high }: Bounds): number => high;
    const holds = (first: number, second: number): boolean => (isStrict ? first < second : first <= second);
    // An operand without any value compares with nothing.
    if (lowest(left) > highest(left) || lowest(right) > highest(right)) {
        return BOOLEAN_BOUNDS;
    }
    return truthBounds(holds(highest(left), lowest(right)) ? 1 : 0, holds(lowest(left), highest(right)) ? 1 : 0, false);
}

/** `mayFault`: for another reason than an operand or a result that is too large. */
function arithmeticBounds(ends: readonly number[], left: Bounds, right: Bounds, mayFault: boolean): Bounds {
    const low = least(ends);
    const high = greatest(ends);
    // An operand without any integer value has infinite or undefined ends: it always faults here.
    const exact = Number.isSafeInteger(low) && Number.isSafeInteger(high);
    return {
        low: exact ? low : -Infinity,
        high: exact ? high : Infinity,
        mayBeNone: false,
        mayFault: !exact || mayFault || left.mayFault || right.mayFault || left.mayBeNone || right.mayBeNone,
    };
}

function boundsOfPower(base: Bounds, exponent: Bounds): Bounds {
    const least = Math.max(0, exponent.low);
    const most = exponent.high;
    if (least > most) {
        return arithmeticBounds([NaN], base, exponent, true);
    }
    const magnitude = Math.max(Math.abs(base.low), Math.abs(base.high));
    // Powers of 0 and 1 stay small; 0 to the power 0 is 1.
    const highest = Math.max(1, magnitude ** most);
    const lowest = base.low >= 1 ? base.low ** least : base.low === 0 ? 0 : -highest;
    return arithmeticBounds([lowest, highest], base, exponent, exponent.low < 0);
}

/** Of the operands that are no fault: those from 0 on. */
function boundsOfBits(operator: 'xor' | 'bitand' | 'bitor' | 'shl' | 'shr', left: Bounds, right: Bounds): Bounds {
    const lefts = [Math.max(0, left.low), left.high] as const;
    const rights = [Math.max(0, right.low), right.high] as const;
    const faults = left.low < 0 || right.low < 0;
    if (lefts[0] > lefts[1] || rights[0] > rights[1]) {
        return arithmeticBounds([NaN], left, right, true);
    }
    switch (operator) {
        case 'xor':
        case 'bitor':
            return arithmeticBounds([0, allOnes(Math.max(lefts[1], rights[1]))], left, right, faults);
        case 'bitand':
            return arithmeticBounds([0, Math.min(lefts[1], rights[1])], left, right, faults);
        case 'shl':
            // Zero shifted without end would be no number.
            return arithmeticBounds(
                lefts[1] === 0 ? [0] : [lefts[0] * 2 ** rights[0], lefts[1] * 2 ** rights[1]],
                left,
                right,
                faults,
            );
        case 'shr':
            return arithmeticBounds(
                [Math.floor(lefts[0] / 2 ** rights[1]), Math.floor(lefts[1] / 2 ** rights[0])],
                left,
                right,
                faults,
            );
        default:
            return unreachable(operator);
    }
}

/** The greatest number with as many binary digits. */
function allOnes(value: number): number {
    let power = 1;
    while (power <= value && power < Infinity) {
        power *= 2;
    }
    return power - 1;
}
