/** Calls of functions, of records and cases with the values of their fields, and of built-in functions. */
import { isFunctionOperator } from '../../engine/common/interval.js';
import { invariant } from '../../engine/common/assert.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import { domainSize, type Domain } from '../../engine/model/domain.js';
import type { Expression } from '../../engine/model/expression.js';
import * as ast from '../generated/nodes.js';
import { isConstructor, type Constructor } from '../references/constructors.js';
import { rangeOf } from '../tree/source-text.js';
import { binary, numberOf } from '../representation/build-expression.js';
import { firstValueOf } from './first-value.js';
import { isSequenceFunction } from '../references/builtin-functions.js';
import { isSequence, sequenceOf } from '../representation/sequence.js';
import { lowerSequenceFunction } from './lower-sequence.js';
import { instanceOf } from './lower-reference.js';
import { isEmptySet, sizeOfSet } from './lower-set.js';
import { elementOfArray, lowerScalar, lowerValue, shapeOf, type LoweringContext } from './context.js';
import { LoweredScalar, scalarValue } from '../representation/cell.js';
import { ChannelShape, NamedChannel } from '../representation/channel.js';
import { EnumerationShape } from '../representation/enumeration.js';
import { LoweredRecord } from '../representation/record.js';
import { setOf } from '../representation/set.js';
import type { LoweredValue } from '../representation/shape.js';

export function lowerCall(call: ast.Call, context: LoweringContext): LoweredValue {
    const target = call.function.ref;
    if (ast.isFunctionDeclaration(target)) {
        return elementOfArray(lowerFunctionCall(call, target, context), call.indices, context);
    }
    if (isConstructor(target)) {
        return lowerConstructor(call, target, context);
    }
    invariant(target?.$type === 'BuiltinFunction', 'a checked call is one of a function, a record or a case');
    if (target.name === 'first') {
        return elementOfArray(lowerFirst(call, context), call.indices, context);
    }
    if (isSequenceFunction(target.name)) {
        return elementOfArray(lowerSequenceFunction(call, target.name, context), call.indices, context);
    }
    return scalarValue(lowerBuiltin(call, target.name, context));
}

function lowerFirst(call: ast.Call, { constants }: LoweringContext): LoweredValue {
    const [type] = call.arguments;
    const shape = type && constants.shapeOfTypeName(type);
    invariant(shape !== undefined, 'a checked argument is the name of a type');
    return firstValueOf(shape, rangeOf(call));
}

function lowerFunctionCall(
    call: ast.Call,
    declaration: ast.FunctionDeclaration,
    context: LoweringContext,
): LoweredValue {
    const range = rangeOf(call);
    const values = declaration.parameters.flatMap((parameter, position) => {
        const argument = call.arguments[position];
        invariant(argument !== undefined, 'a checked call has an argument for each parameter');
        return shapeOf(parameter.type, context).scalarsOf(lowerValue(argument, context));
    });
    const position = context.table.positionOf(declaration);
    return shapeOf(declaration.result, context).read(
        (leaf, indices) => ({
            kind: 'call',
            function: position,
            arguments: values,
            result: leaf,
            indices,
            range,
        }),
        range,
    );
}

function lowerConstructor(call: ast.Call, declaration: Constructor, context: LoweringContext): LoweredValue {
    const shapes = context.constants.shapesOfConstructor(declaration);
    invariant(shapes !== undefined, 'a checked record or case has a type');
    const { fields: shape, whole } = shapes;
    const fields = shape.fields.map((field, position) => {
        const argument = call.arguments[position];
        invariant(argument !== undefined, 'a checked record or case has a value for each field');
        return field.shape.valueAs(lowerValue(argument, context));
    });
    if (whole instanceof EnumerationShape) {
        return whole.valueOfCase(whole.cases.indexOf(shape), fields, rangeOf(call));
    }
    const record = new LoweredRecord(shape, fields, rangeOf(call));
    return shape.atomic === undefined ? record : scalarValue(record.toScalar(), shape.asCell());
}

function lowerBuiltin(call: ast.Call, name: string, context: LoweringContext): Expression {
    const range = rangeOf(call);
    const [first, second] = call.arguments;
    invariant(first !== undefined, 'a checked call has its arguments');
    if (isFunctionOperator(name) && second !== undefined) {
        const left = lowerScalar(first, context);
        return binary(name, left, lowerScalar(second, context), range);
    }
    switch (name) {
        case 'min':
        case 'max':
            return lowerExtremum(call, name, context);
        case 'alive': {
            const { process, instance } = instanceOf(lowerValue(first, context));
            const [reference] = instance;
            invariant(reference !== undefined, 'an instance of a template has one index');
            return { kind: 'alive', process, reference, range };
        }
        case 'len':
            return lowerLength(first, range, context);
        case 'full':
        case 'empty': {
            const value = lowerValue(first, context);
            return isSequence(value) ? fullnessOf(value, name, range) : { ...isEmptySet(setOf(value), context), range };
        }
        default:
            return invariant(false, `the function ${name} is known`) as never;
    }
}

/** The least or the greatest of several values: a quantifier over their positions. */
function lowerExtremum(call: ast.Call, quantifier: 'min' | 'max', context: LoweringContext): Expression {
    const range = rangeOf(call);
    const options = call.arguments.map(argument => lowerScalar(argument, context));
    const domain: Domain = { kind: 'range', low: 0, high: options.length - 1 };
    const binder = context.table.newBinder('argument', domain);
    const index: Expression = { kind: 'binder', binder, range };
    return {
        kind: 'quantifier',
        quantifier,
        binders: [binder],
        body: { kind: 'select', index, domain, options, range },
        range,
    };
}

/** The number of elements in an array, a set or a sequence, or of messages in a channel. */
function lowerLength(argument: ast.Expression, range: SourceRange, context: LoweringContext): Expression {
    const value = lowerValue(argument, context);
    const [domain] = value.indices;
    return isSequence(value)
        ? { ...sequenceOf(value).checkedLength(), range }
        : domain === undefined
          ? { ...sizeOfSet(setOf(value), context), range }
          : numberOf(domainSize(domain), range);
}

/** Whether a sequence or a channel has as many elements as it can, or none. */
function fullnessOf(value: LoweredValue, name: 'full' | 'empty', range: SourceRange): Expression {
    const sequence = sequenceOf(value);
    const isAnyChannel = value instanceof LoweredScalar && !(value instanceof NamedChannel);
    const bound =
        name === 'empty'
            ? numberOf(0, range)
            : isAnyChannel && value.cell instanceof ChannelShape
              ? value.cell.capacityOf(value.expression, range)
              : numberOf(sequence.most, range);
    return binary('==', { ...sequence.checkedLength(), range }, bound, range);
}
