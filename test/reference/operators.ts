/** The strict operators on values, and the faults. Calculating with `none` is the fault `undefined`. */
import { equal, type Value } from './values.js';
import type { BinaryOperator } from './syntax.js';

/** Of several faults in one firing, the first in this order counts. */
export const FAULTS = [
    'index',
    'range',
    'division',
    'overflow',
    'assert',
    'race',
    'undefined',
    'endless',
    'case',
] as const;
export type Fault = (typeof FAULTS)[number];

/** Thrown by an evaluation, caught where a firing or a property is evaluated. */
export class FaultError extends Error {
    readonly fault: Fault;

    constructor(fault: Fault) {
        super(fault);
        this.fault = fault;
    }
}

type SetOperator = 'union' | 'minus' | 'intersect' | 'subset';

export type StrictOperator = Exclude<BinaryOperator, 'implies' | '||' | '&&' | 'in' | 'is' | SetOperator>;

export function apply(operator: StrictOperator, left: Value, right: Value): Value {
    switch (operator) {
        case '==':
            return equal(left, right);
        case '!=':
            return !equal(left, right);
        case '<':
            return Number(left) < Number(right);
        case '<=':
            return Number(left) <= Number(right);
        case '>':
            return Number(left) > Number(right);
        case '>=':
            return Number(left) >= Number(right);
        default:
            return calculate(operator, integer(left), integer(right));
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

export const INTEGER_FUNCTIONS: Readonly<Record<string, (...values: number[]) => number>> = {
    min: (...values) => Math.min(...values),
    max: (...values) => Math.max(...values),
    pow: (base = 0, exponent = 0) => (exponent < 0 ? undefinedValue() : fromBits(BigInt(base) ** BigInt(exponent))),
    xor: (a = 0, b = 0) => fromBits(bits(a) ^ bits(b)),
    bitand: (a = 0, b = 0) => fromBits(bits(a) & bits(b)),
    bitor: (a = 0, b = 0) => fromBits(bits(a) | bits(b)),
    shl: (a = 0, b = 0) => fromBits(bits(a) << bits(b)),
    shr: (a = 0, b = 0) => fromBits(bits(a) >> bits(b)),
};

/** An integer; `none` is none. */
export function integer(value: Value): number {
    return value === null ? undefinedValue() : Number(value);
}

function bits(value: number): bigint {
    return value < 0 ? undefinedValue() : BigInt(value);
}

function fromBits(value: bigint): number {
    return exact(Number(value));
}

function undefinedValue(): never {
    throw new FaultError('undefined');
}

/** a = quotient · b + remainder with 0 ≤ remainder < |b|. */
function euclidean(a: number, b: number): { quotient: number; remainder: number } {
    if (b === 0) {
        throw new FaultError('division');
    }
    const size = BigInt(Math.abs(b));
    const remainder = ((BigInt(a) % size) + size) % size;
    return { quotient: Number((BigInt(a) - remainder) / BigInt(b)), remainder: Number(remainder) };
}

function exact(value: number): number {
    if (!Number.isSafeInteger(value)) {
        throw new FaultError('overflow');
    }
    return value;
}
