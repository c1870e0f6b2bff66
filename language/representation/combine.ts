/** Values of the same type side by side, part by part: one of them, and whether they are equal. */
import { NONE } from '../../engine/model/domain.js';
import type { Expression } from '../../engine/model/expression.js';
import { LoweredScalar, scalarValue, uncheckedScalar } from './cell.js';
import { joinedDomain } from './inside-domain.js';
import type { CellShape, Choice, LoweredValue } from './shape.js';

/** One of several values, scalar by scalar: `make` gets one expression of each value. */
export function combine(values: readonly LoweredValue[], make: Choice): LoweredValue {
    return mostSplit(values)?.combine(values, make) ?? combineCells(values, make);
}

/** The scalars that must be equal, in the order of the text. */
export function scalarPairs(first: LoweredValue, second: LoweredValue): (readonly [Expression, Expression])[] {
    const pairs = mostSplit([first, second])?.pairs(first, second);
    return pairs?.flatMap(pair => scalarPairs(...pair)) ?? [[first.toScalar(), second.toScalar()]];
}

/** The value that knows the parts of all: an array goes before any other one, which may fill it. */
function mostSplit(values: readonly LoweredValue[]): LoweredValue | undefined {
    return values.find(({ indices }) => indices.length > 0) ?? values.find(value => !(value instanceof LoweredScalar));
}

function combineCells(values: readonly LoweredValue[], make: Choice): LoweredValue {
    const shape = joinedShape(values);
    const isUnchecked = values.some(value => value instanceof LoweredScalar && value.isUnchecked);
    return shape !== undefined && isUnchecked
        ? new LoweredScalar(make(values.map(value => uncheckedScalar(value, shape))), shape, true)
        : scalarValue(make(values.map(value => value.toScalar())), shape);
}

/** A shape with all the values; undefined if one of them may be any integer. */
function joinedShape(values: readonly LoweredValue[]): CellShape | undefined {
    const shapes = values.filter(value => !isNone(value) && !isNowhere(value)).map(value => value.cellShape());
    const domain = joinedDomain(
        shapes.map(shape => shape?.domain),
        values.some(isNone),
    );
    return domain && shapes.find(shape => shape !== undefined)?.withDomain(domain);
}

function isNone(value: LoweredValue): boolean {
    return value instanceof LoweredScalar && value.expression.kind === 'constant' && value.expression.value === NONE;
}

/** Whether a value is the element of an empty array: no run evaluates it or its fields. */
export function isNowhere(value: LoweredValue): boolean {
    return (
        value instanceof LoweredScalar && value.expression.kind === 'select' && value.expression.options.length === 0
    );
}
