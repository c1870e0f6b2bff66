/** Names, with their indices and fields: what a variable holds, what a constant is, what a binder stands for. */
import { invariant, unreachable } from '../../engine/common/assert.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import type { Expression } from '../../engine/model/expression.js';
import * as ast from '../generated/ast.js';
import { rangeOf } from '../source-range.js';
import { positionOf } from '../typing/constant-evaluation.js';
import type { Shape } from '../typing/shape.js';
import { lowerChannelName } from './channel-place.js';
import type { LoweringContext } from './context.js';
import type { TemporarySlot, VariableSlot } from './declaration-table.js';
import { lowerConstantValue } from './lower-constant.js';
import { lowerScalar, lowerValue } from './lower-expression.js';
import {
    cellShapeOf,
    elementOf,
    fieldOf,
    scalarValue,
    shapeOfValue,
    valueAs,
    valueOfShape,
    type LoweredValue,
} from './lowered-value.js';

/** `range` is that of the whole access, which begins with `expression`: the place in `a[i].f` has the text of all. */
export function lowerAccess(expression: ast.Expression, context: LoweringContext, range: SourceRange): LoweredValue {
    if (ast.isReference(expression)) {
        return expression.label === undefined
            ? lowerReference(expression, context, range)
            : scalarValue(lowerAt(expression, context));
    }
    if (ast.isFieldAccess(expression)) {
        const field = expression.field.ref;
        invariant(field !== undefined, 'the fields of a checked document are linked');
        const indices = lowerIndices(expression.indices, context);
        if (ast.isVariable(field)) {
            return elementOf(lowerInstanceLocal(expression.record, field, context, range), indices);
        }
        const record = lowerAccess(expression.record, context, range);
        return elementOf(fieldOf(record, field.$container.fields.indexOf(field), range), indices);
    }
    return lowerValue(expression, context);
}

/** `P[i].k`, all of it. */
function lowerInstanceLocal(
    owner: ast.Expression,
    local: ast.Variable,
    context: LoweringContext,
    range: SourceRange,
): LoweredValue {
    const process = ast.isReference(owner) ? owner.target.ref : undefined;
    invariant(ast.isReference(owner) && ast.isProcess(process), 'a local of an instance stands behind its process');
    const { first, shape } = context.table.slotOf(local);
    const instance = lowerIndices(owner.indices, context);
    return valueOfShape(shape, range, (leaf, indices) => ({
        kind: 'instance-local',
        process: context.table.positionOf(process),
        instance,
        local: first + leaf,
        indices,
        range,
    }));
}

export function lowerIndices(indices: readonly ast.Expression[], context: LoweringContext): Expression[] {
    return indices.map(index => lowerScalar(index, context));
}

function lowerReference(reference: ast.Reference, context: LoweringContext, range: SourceRange): LoweredValue {
    const target = reference.target.ref;
    invariant(target !== undefined, 'the names of a checked document are linked');
    return elementOf(lowerName(target, context, range), lowerIndices(reference.indices, context));
}

/** What a name stands for; an array as a whole. */
function lowerName(target: ast.Named, context: LoweringContext, range: SourceRange): LoweredValue {
    const { table, constants } = context;
    switch (target.$type) {
        case 'Variable': {
            const slot = table.findSlot(target);
            return slot === undefined ? readTemporaries(table.temporariesOf(target), range) : readVariable(slot, range);
        }
        case 'FunctionParameter':
            return readTemporaries(table.temporariesOf(target), range);
        case 'Let':
            return ast.isBody(target.$container)
                ? readTemporaries(table.temporariesOf(target), range)
                : lowerNamed(target, context);
        case 'ProcessIndex':
            return lowerBinder(target, context, range);
        case 'BinderVariable': {
            const slot = table.findSlot(target);
            return slot === undefined ? lowerBinder(target, context, range) : readVariable(slot, range);
        }
        case 'EnumerationValue': {
            const domain = constants.domainOfEnumeration(target.$container);
            const value = positionOf(target);
            return scalarValue({ kind: 'constant', value, domain, range }, { kind: 'scalar', domain });
        }
        case 'Parameter': {
            const value = constants.valueOf(target);
            const shape = constants.shapeOfParameter(target);
            invariant(value !== undefined && shape !== undefined, 'a checked parameter has a value');
            return lowerConstantValue(value, shape, range);
        }
        case 'Constant':
            return ast.isModel(target.$container) ? lowerConstant(target, context, range) : lowerNamed(target, context);
        case 'ChannelDeclaration':
            return lowerChannelName(target, context, range);
        case 'TypeDeclaration':
        case 'RecordDeclaration':
        case 'RecordField':
        case 'Enumeration':
        case 'EventDeclaration':
        case 'FunctionDeclaration':
        case 'BuiltinFunction':
        case 'Process':
        case 'Invariant':
            return invariant(false, 'a checked expression names values only') as never;
        default:
            return unreachable(target);
    }
}

export function readVariable({ kind, first, shape }: VariableSlot, range: SourceRange): LoweredValue {
    return valueOfShape(shape, range, (leaf, indices) => ({
        kind: 'read',
        place:
            kind === 'shared'
                ? { kind, variable: first + leaf, indices, range }
                : { kind, local: first + leaf, indices, range },
        range,
    }));
}

function readTemporaries({ temporaries, shape }: TemporarySlot, range: SourceRange): LoweredValue {
    return valueOfShape(shape, range, (leaf, indices) => {
        const temporary = temporaries[leaf];
        invariant(temporary !== undefined, 'a name has a temporary for each leaf of its shape');
        return { kind: 'read', place: { kind: 'temporary', temporary, indices, range }, range };
    });
}

function lowerBinder(
    target: ast.ProcessIndex | ast.BinderVariable,
    context: LoweringContext,
    range: SourceRange,
): LoweredValue {
    const shape = context.constants.shapeOfBinder(target);
    invariant(shape !== undefined && shape.kind !== 'array', 'a checked variable runs through single values');
    const element = ast.isBinderVariable(target) ? context.elements.get(target) : undefined;
    return scalarValue(
        element === undefined
            ? { kind: 'binder', binder: context.table.binderOf(target), range }
            : { ...element, range },
        cellShapeOf(shape),
    );
}

/** A constant of the model is its value; the expression that it names says of which type, where nothing else does. */
function lowerConstant(constant: ast.Constant, context: LoweringContext, range: SourceRange): LoweredValue {
    const value = context.constants.valueOf(constant);
    invariant(value !== undefined, 'a checked constant has a value');
    return lowerConstantValue(value, shapeOfConstant(constant, context), range);
}

function shapeOfConstant(constant: ast.Constant, context: LoweringContext): Shape {
    let shape = context.constantShapes.get(constant);
    if (shape === undefined) {
        shape =
            constant.type === undefined
                ? shapeOfValue(lowerValue(constant.value, context))
                : context.constants.shapeOf(constant.type);
        invariant(shape !== undefined, 'a checked constant has a type');
        context.constantShapes.set(constant, shape);
    }
    return shape;
}

/** A constant of a process, or a name in one of its blocks: the expression that it names. */
function lowerNamed(target: ast.Constant | ast.Let, context: LoweringContext): LoweredValue {
    let value = context.named.get(target);
    if (value === undefined) {
        value = lowerValue(target.value, context);
        const shape =
            ast.isConstant(target) && target.type !== undefined ? context.constants.shapeOf(target.type) : undefined;
        value = shape === undefined ? value : valueAs(shape, value);
        context.named.set(target, value);
    }
    return value;
}

function lowerAt(reference: ast.Reference, context: LoweringContext): Expression {
    const process = reference.target.ref;
    invariant(ast.isProcess(process) && reference.label !== undefined, 'a process stands before `at`');
    return {
        kind: 'at',
        process: context.table.positionOf(process),
        indices: lowerIndices(reference.indices, context),
        label: reference.label.$refText,
        range: rangeOf(reference),
    };
}
