/**
 * What the strict operators do to values, and the faults that they and others raise. Calculating with `none` is the
 * fault `undefined`.
 */
import type { Value } from './syntax.js';
import type { StrictOperator } from './specialize.js';

/** Of several faults in one firing, the first in this order counts. */
export const FAULTS = ['index', 'range', 'division', 'overflow', 'assert', 'race', 'undefined'] as const;
export type Fault = (typeof FAULTS)[number];

/** Thrown by an evaluation, caught where a firing or a property is evaluated. */
export class FaultError extends Error {
    readonly fault: Fault;

    constructor(fault: Fault) {
        super(fault);
        this.fault = fault;
    }
}

export function apply(operator: StrictOperator, left: Value, right: Value): Value {
    const a = Number(left);
    const b = Number(right);
    switch (operator) {
        case '==':
            return left === right;
        case '!=':
            return left !== right;
        case '<':
            return a < b;
        case '<=':
            return a <= b;
        case '>':
            return a > b;
        case '>=':
            return a >= b;
        default:
            if (left === null || right === null) {
                throw new FaultError('undefined');
            }
            return calculate(operator, a, b);
    }
}

function calculate(operator: '+' | '-' | '*' | 'div' | 'mod', a: number, b: number): number {
    switch (operator) {
        case '+':
            return exact(a + b);
        case '-':
            return exact(a - b);
        case '*':
            return exact(a * b);
        case 'div':
            return euclidean(a, b).quotient;
        case 'mod':
            return euclidean(a, b).remainder;
    }
}

/** a = quotient · b + remainder with 0 ≤ remainder < |b|. */
function euclidean(a: number, b: number): { quotient: number; remainder: number } {
    if (b === 0) {
        throw new FaultError('division');
    }
    const size = Math.abs(b);
    const remainder = ((a % size) + size) % size;
    return { quotient: (a - remainder) / b, remainder };
}

function exact(value: number): number {
    if (!Number.isSafeInteger(value)) {
        throw new FaultError('overflow');
    }
    return value;
}
