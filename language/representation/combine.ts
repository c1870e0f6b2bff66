/** Values of the same type side by side, part by part: one of them, and whether they are equal. */
import type { SourceRange } from '../../engine/common/source-range.js';
import type { Expression } from '../../engine/model/expression.js';
import { binary, joined } from './build-expression.js';
import { isNone, isNowhere, LoweredScalar, scalarValue, uncheckedScalar } from './cell.js';
import { joinedDomain } from './inside-domain.js';
import { asSetsOfOneType } from './set.js';
import type { CellShape, Choice, LoweredValue } from './shape.js';

/** One of several values, scalar by scalar: `make` gets one expression of each value. */
export function combine(options: readonly LoweredValue[], make: Choice): LoweredValue {
    const values = asSetsOfOneType(inOrder(options));
    return mostSplit(values)?.combine(values, make) ?? combineCells(values, make);
}

/** Whether two values are equal, or different. */
export function comparison(
    operator: '==' | '!=',
    first: LoweredValue,
    second: LoweredValue,
    range: SourceRange,
): Expression {
    return joined(comparedParts(operator, first, second, range), operator === '==' ? 'and' : 'or', range);
}

/** The comparisons of the parts, in the order of the text. */
function comparedParts(
    operator: '==' | '!=',
    one: LoweredValue,
    other: LoweredValue,
    range: SourceRange,
): readonly Expression[] {
    const [first = one, second = other] = inOrder([one, other]);
    const split = mostSplit([first, second]);
    const [left, right] = split === undefined ? asSetsOfOneType([first, second]) : [first, second];
    return (
        split?.compareCases(operator, first, second, range) ??
        split?.pairs(first, second)?.flatMap(pair => comparedParts(operator, ...pair, range)) ?? [
            binary(operator, (left ?? first).toScalar(), (right ?? second).toScalar(), range),
        ]
    );
}

/**
 * The value that knows the parts of all: a sequence goes before a list, an array before any other one, which may fill it, and
 * cases before records, bags before sets.
 */
function mostSplit(values: readonly LoweredValue[]): LoweredValue | undefined {
    return (
        values.find(({ isSequence }) => isSequence) ??
        values.find(({ indices }) => indices.length > 0) ??
        values.find(({ hasCases }) => hasCases) ??
        values.find(({ hasCopies }) => hasCopies) ??
        values.find(value => !(value instanceof LoweredScalar))
    );
}

/** Sequences in one cell as sequences, where others are lists or have other numbers; other values as they are. */
function inOrder(values: readonly LoweredValue[]): readonly LoweredValue[] {
    const cells = values.map(value => (value instanceof LoweredScalar ? value.cell : undefined));
    const first = cells.find(cell => cell?.type.kind === 'sequence');
    return first === undefined || cells.every(cell => cell?.isSame(first) === true)
        ? values
        : values.map(value => value.contents() ?? value);
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
