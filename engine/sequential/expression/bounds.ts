/** The bounds of the values of expressions, from the domains of the cells they read: sound, not exact. */
import { unreachable } from '../../common/assert.js';
import { resultOf } from '../../common/interval.js';
import { remembered } from '../../common/list-map.js';
import { domainSize, isNumber, NONE, valueOfCode, type Domain } from '../../model/domain.js';
import type { Cell, SequentialExpression } from '../sequential-model.js';
import type { Arithmetic, SequentialBinaryOperator } from './arithmetic.js';

/** The possible values of an expression: integers `low` … `high` (also positions of names, and 0, 1), or `none`. */
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
    // A number without end is never too large; whether there is a code for it, the stages ask that have codes.
    const isTooHigh = bounds.high > allowed.high && !isNumber(domain);
    return (bounds.mayBeNone && !allowed.mayBeNone) || bounds.low < allowed.low || isTooHigh;
}

/** A number without end stays far below the largest integer, so that adding to it is no overflow. */
export const MOST_NUMBER = 2 ** 51;

/** No value at all. */
const NOTHING_BOUNDS: Bounds = { low: Infinity, high: -Infinity, mayBeNone: false, mayFault: false };
const BOOLEAN_BOUNDS: Bounds = { low: 0, high: 1, mayBeNone: false, mayFault: false };

/** Bounds by expression: a tree may be exponentially larger than its expression, which shares parts. */
const knownBounds = new WeakMap<readonly Cell[], WeakMap<SequentialExpression, Bounds>>();

/** Sound, not exact: the bounds of each operand taken alone. O(size of the expression, shared parts counted once). */
export function boundsOf(expression: SequentialExpression, cells: readonly Cell[]): Bounds {
    if (expression.kind === 'constant' || expression.kind === 'cell') {
        return boundsFromParts(expression, cells);
    }
    const known = remembered(knownBounds, cells, () => new WeakMap());
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
        case 'or':
        case 'all':
        case 'some': {
            const operands = expression.operands.map(operand => boundsOf(operand, cells));
            const decide = expression.kind === 'and' || expression.kind === 'all' ? least : greatest;
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
        case 'the':
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
        case 'holds':
            return BOOLEAN_BOUNDS;
        case 'fresh':
            return { low: 0, high: expression.template.slots.length - 1, mayBeNone: false, mayFault: true };
        case 'choosable':
            return { ...BOOLEAN_BOUNDS, mayFault: true };
        case 'fault':
            return { ...NOTHING_BOUNDS, mayFault: true };
        default:
            return unreachable(expression);
    }
}

/** The bounds of a truth value; an operand that is always a fault leaves them open. */
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

/** The bounds of a value that one of two branches gives. */
function either(first: Bounds, second: Bounds): Bounds {
    return {
        low: Math.min(first.low, second.low),
        high: Math.max(first.high, second.high),
        mayBeNone: first.mayBeNone || second.mayBeNone,
        mayFault: first.mayFault || second.mayFault,
    };
}

/** An operand that may be NONE may be skipped; one that is never NONE bounds the result from one side. */
function boundsOfExtremum(kind: 'min' | 'max' | 'the', operands: readonly Bounds[]): Bounds {
    const sure = operands.filter(operand => !operand.mayBeNone);
    const lows = operands.map(operand => operand.low);
    const highs = operands.map(operand => operand.high);
    return {
        low: Math.max(least(lows), kind === 'max' ? greatest(sure.map(operand => operand.low)) : -Infinity),
        high: Math.min(greatest(highs), kind === 'min' ? least(sure.map(operand => operand.high)) : Infinity),
        mayBeNone: false,
        mayFault: kind === 'the' || sure.length === 0 || operands.some(operand => operand.mayFault),
    };
}

/** Infinity for no values. There may be more values than a call can have arguments. */
function least(values: readonly number[]): number {
    return values.reduce((first, second) => Math.min(first, second), Infinity);
}

/** -Infinity of no values. */
function greatest(values: readonly number[]): number {
    return values.reduce((first, second) => Math.max(first, second), -Infinity);
}

/** A local is read only where it is live, so where it holds a value. */
function boundsOfCell(cell: Cell): Bounds {
    const { domain, codes } = cell;
    if (codes === undefined || isNumber(domain)) {
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
    return remembered(knownBoundsOfDomain, domain, () => boundsOfValues(domain));
}

function boundsOfValues(domain: Domain): Bounds {
    if (domain.kind === 'optional') {
        return { ...boundsOfValues(domain.base), mayBeNone: true };
    }
    if (domain.kind === 'number') {
        // Not `high`: nothing may be decided by the codes that a search happens to have.
        return { low: 0, high: MOST_NUMBER, mayBeNone: false, mayFault: false };
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
        default:
            return boundsOfArithmetic(operator, left, right);
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

function boundsOfArithmetic(operator: Arithmetic, left: Bounds, right: Bounds): Bounds {
    // An operand without any integer value is always a fault here.
    const isEmpty = left.low > left.high || right.low > right.high;
    const result = isEmpty ? undefined : resultOf(operator, left, right);
    if (result === undefined) {
        return { ...NOTHING_BOUNDS, mayFault: true };
    }
    const isExact = Number.isSafeInteger(result.low) && Number.isSafeInteger(result.high);
    return {
        low: isExact ? result.low : -Infinity,
        high: isExact ? result.high : Infinity,
        mayBeNone: false,
        mayFault:
            !isExact ||
            isForbidden(operator, left, right) ||
            left.mayFault ||
            right.mayFault ||
            left.mayBeNone ||
            right.mayBeNone,
    };
}

/** Whether some operands within the bounds are a fault by themselves. */
function isForbidden(operator: Arithmetic, left: Bounds, right: Bounds): boolean {
    switch (operator) {
        case '+':
        case '-':
        case '*':
            return false;
        case 'div':
        case 'mod':
            return right.low <= 0 && 0 <= right.high;
        case 'pow':
            return right.low < 0;
        case 'xor':
        case 'bitand':
        case 'bitor':
        case 'shl':
        case 'shr':
            return left.low < 0 || right.low < 0;
        default:
            return unreachable(operator);
    }
}
