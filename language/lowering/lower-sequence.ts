/** The functions of sequences. What they make stays a length and what stands at any place until it is stored or compared. */
import { invariant } from '../../engine/common/assert.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import type { Expression } from '../../engine/model/expression.js';
import type * as ast from '../generated/nodes.js';
import type { SequenceFunction } from '../references/builtin-functions.js';
import { all, binary, binderExpression, evaluated, numberOf } from '../representation/build-expression.js';
import { ScalarShape } from '../representation/cell.js';
import { comparison } from '../representation/combine.js';
import {
    concatenated,
    less,
    listed,
    minus,
    plus,
    sequenceOf,
    sliced,
    without,
    type LoweredSequence,
} from '../representation/sequence.js';
import { LoweredSet, SetShape } from '../representation/set.js';
import type { LoweredValue, Shape } from '../representation/shape.js';
import { rangeOf } from '../tree/source-text.js';
import { lowerScalar, lowerValue, type LoweringContext } from './context.js';

function lowerSequence(expression: ast.Expression, context: LoweringContext): LoweredSequence {
    return sequenceOf(lowerValue(expression, context));
}

export function lowerSequenceFunction(call: ast.Call, name: SequenceFunction, context: LoweringContext): LoweredValue {
    const range = rangeOf(call);
    const [argument, second, third] = call.arguments;
    invariant(argument !== undefined, 'a checked call has its arguments');
    const sequence = lowerSequence(argument, context);
    const { length } = sequence;
    const [zero, one] = [numberOf(0, range), numberOf(1, range)];
    const isFilled = { condition: sequence.has(zero), fault: 'undefined' } as const;
    switch (name) {
        case 'head':
            return sequence.checkedAt(zero, 'undefined', range);
        case 'last':
            return sliced(sequence, minus(length, one, range), one, isFilled, range).checkedAt(
                zero,
                'undefined',
                range,
            );
        case 'tail':
            return sliced(sequence, one, minus(length, one, range), isFilled, range);
        case 'places':
            return placesOf(sequence, range);
        case 'elements':
            return elementsOf(sequence, range, context, context.constants.types?.shapeOf(call));
        default:
            break;
    }
    invariant(second !== undefined, 'a checked call has its arguments');
    switch (name) {
        case 'append': {
            const added = lowerValue(second, context);
            return concatenated(sequence, listed([added], added.shape(), range), range);
        }
        case 'concat':
            return concatenated(sequence, lowerSequence(second, context), range);
        case 'without':
            return without(sequence, lowerScalar(second, context), range);
        case 'slice': {
            invariant(third !== undefined, 'a checked call has its arguments');
            const [from, to] = [lowerScalar(second, context), lowerScalar(third, context)];
            const ends = evaluated([from, to]);
            const isOrdered = binary('and', less(numberOf(-1, range), from, range), noMore(from, to, range), range);
            const isInside = binary('and', isOrdered, noMore(to, length, range), range);
            const condition = all([ends, isInside]) ?? isInside;
            return sliced(sequence, from, minus(to, from, range), { condition, fault: 'index' }, range);
        }
    }
}

function noMore(first: Expression, second: Expression, range: SourceRange): Expression {
    return less(first, plus(second, numberOf(1, range), range), range);
}

function placesOf(sequence: LoweredSequence, range: SourceRange): LoweredSet {
    const { most } = sequence;
    const shape = new SetShape(new ScalarShape({ kind: 'range', low: 0, high: Math.max(0, most - 1) }));
    const isThere = (place: LoweredValue): Expression => {
        const number = place.toScalar();
        return number.kind === 'constant' && number.value < 0
            ? less(number, numberOf(number.value, range), range)
            : binary('and', less(numberOf(-1, range), number, range), sequence.has(number), range);
    };
    return new LoweredSet(shape, isThere, range, undefined, sequence.sure);
}

/** A value is an element if it stands at one of the places: asked of all places alike. `known`: the type of the set. */
export function elementsOf(
    sequence: LoweredSequence,
    range: SourceRange,
    context: LoweringContext,
    known?: Shape,
): LoweredSet {
    const { member } = sequence.shape();
    const shape = sequence.most === 0 ? undefined : known instanceof SetShape ? known : new SetShape(member.asCell());
    const has = (value: LoweredValue): Expression =>
        somewhere(sequence, range, context, element => comparison('==', element, value, range));
    return new LoweredSet(shape, has, range, undefined, sequence.sure);
}

/** Whether an element of the sequence meets a condition. */
function somewhere(
    sequence: LoweredSequence,
    range: SourceRange,
    { table }: LoweringContext,
    test: (element: LoweredValue) => Expression,
): Expression {
    const binder = table.newBinder('place', sequence.shape().places);
    const place = binderExpression(binder, range);
    return {
        kind: 'quantifier',
        quantifier: 'exists',
        binders: [binder],
        where: sequence.has(place),
        body: test(sequence.elementAt(place)),
        range,
    };
}
