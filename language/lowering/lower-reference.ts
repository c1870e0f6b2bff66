/** Names with their indices and fields: variables, constants, binders. */
import { invariant } from '../../engine/common/assert.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import { templateOf } from '../../engine/model/domain.js';
import type { Expression } from '../../engine/model/expression.js';
import * as ast from '../generated/nodes.js';
import { hasCases, numberOfField } from '../references/constructors.js';
import { collectionOf } from '../references/binders.js';
import { rangeOf } from '../tree/source-text.js';
import { LoweredCases } from '../representation/cases.js';
import { LoweredScalar, ScalarShape, scalarValue } from '../representation/cell.js';
import { isPlaceInUse } from '../typing/covered-place.js';
import { hasValue, mustHaveValue } from '../typing/narrowing.js';
import { casesBefore } from '../typing/possible-cases.js';
import { sequenceOf, type LoweredSequence } from '../representation/sequence.js';
import type { LoweredValue, Shape } from '../representation/shape.js';
import { lowerChannelName } from './channel-place.js';
import { elementOfArray, lowerIndices, lowerValue, shapeOf, type LoweringContext } from './context.js';
import type { TemporarySlot, VariableSlot } from './declaration-table.js';

/** Lowers the beginning of an access. `range` is the range of the whole access: that of `a[i].f` for `a`. */
export function lowerAccess(expression: ast.Expression, context: LoweringContext, range: SourceRange): LoweredValue {
    if (ast.isReference(expression)) {
        return expression.label === undefined
            ? asTested(lowerReference(expression, context, range), expression)
            : scalarValue(lowerAt(expression, expression.label.$refText, context));
    }
    if (ast.isInstanceAt(expression)) {
        const { instance, label } = expression;
        return scalarValue(atInstance(lowerValue(instance, context), label.$refText, range));
    }
    if (ast.isFieldAccess(expression)) {
        const field = expression.field.ref;
        invariant(field !== undefined, 'the fields of a checked document are linked');
        const { indices } = expression;
        if (ast.isVariable(field) || ast.isProcessParameter(field)) {
            return elementOfArray(lowerInstanceLocal(expression.record, field, context, range), indices, context);
        }
        const record = lowerAccess(expression.record, context, range);
        return asTested(elementOfArray(fieldOf(record, expression, field, context), indices, context), expression);
    }
    return lowerValue(expression, context);
}

/** A read that cannot be `none` where a test has shown that. */
function asTested(value: LoweredValue, place: ast.Expression): LoweredValue {
    const isTested = (): boolean => mustHaveValue(place) && hasValue(place);
    if (value instanceof LoweredCases) {
        return value.shape().isOptional && isTested() ? value.present() : value;
    }
    return value instanceof LoweredScalar && value.cell?.isOptional === true && isTested()
        ? value.withPresence()
        : value;
}

/** The field of a value without its indices; only cases that the value may still have are asked for it. */
export function fieldOf(
    value: LoweredValue,
    access: ast.FieldAccess,
    field: ast.RecordField,
    { constants, assumedCases }: LoweringContext,
): LoweredValue {
    const { $container: owner } = field;
    const range = rangeOf(access);
    const shape = ast.isEnumerationValue(owner) ? constants.shapeOfCases(owner.$container) : undefined;
    if (shape === undefined) {
        return value.field(numberOfField(field), range);
    }
    const assumed = assumedCases.get(access);
    const cases = assumed === undefined ? [...casesBefore(access)] : [assumed];
    // Where tests leave no case, nothing is evaluated: the case that declares the field is as good as any.
    const left = cases.length === 0 ? [owner] : cases;
    const possible = new Set(left.map(each => shape.declaration.values.findIndex(value => value === each)));
    return shape.amongCases(value, possible).field(numberOfField(field), range);
}

/** `P[i].k` or `w.k` without the indices behind it. */
function lowerInstanceLocal(
    owner: ast.Expression,
    local: ast.Variable | ast.ProcessParameter,
    context: LoweringContext,
    range: SourceRange,
): LoweredValue {
    const { first, shape } = context.table.slotOf(local);
    const family = ast.isReference(owner) ? owner.target.ref : undefined;
    const { process, instance } =
        ast.isReference(owner) && ast.isProcess(family)
            ? { process: context.table.positionOf(family), instance: indicesOfInstance(owner, family, context) }
            : instanceOf(lowerAccess(owner, context, rangeOf(owner)));
    return shape.read(
        (leaf, indices) => ({
            kind: 'instance-local',
            process,
            instance,
            local: first + leaf,
            indices,
            range,
        }),
        range,
    );
}

function lowerReference(reference: ast.Reference, context: LoweringContext, range: SourceRange): LoweredValue {
    const target = reference.target.ref;
    invariant(target !== undefined, 'the names of a checked document are linked');
    const whole = lowerName(target, context, range);
    const place = reference.indices.at(-1);
    if (place !== undefined && isPlaceInUse(reference)) {
        const sequence = sequenceOf(elementOfArray(whole, reference.indices.slice(0, -1), context));
        return sequence.elementAt(lowerValue(place, context).toScalar());
    }
    return elementOfArray(whole, reference.indices, context);
}

/** The value of a name without indices: an array as a whole. */
export function lowerName(target: ast.Named, context: LoweringContext, range: SourceRange): LoweredValue {
    const { table, constants } = context;
    switch (target.$type) {
        case 'Variable': {
            const slot = table.findSlot(target);
            return slot === undefined ? readTemporaries(table.temporariesOf(target), range) : readVariable(slot, range);
        }
        case 'ProcedureParameter':
            return target.isPlace ? table.placeOf(target) : readTemporaries(table.temporariesOf(target), range);
        case 'FunctionParameter':
            return readTemporaries(table.temporariesOf(target), range);
        case 'Let':
            return ast.isBody(target.$container)
                ? readTemporaries(table.temporariesOf(target), range)
                : lowerNamed(target, context);
        case 'ProcessIndex':
            return lowerBinder(target, context, range);
        case 'Self':
            return lowerSelf(target.$container as ast.Process, context, range);
        case 'ProcessParameter':
            return readVariable(table.slotOf(target), range);
        case 'BinderVariable': {
            const slot = table.findSlot(target);
            return slot === undefined ? lowerBinder(target, context, range) : readVariable(slot, range);
        }
        case 'EnumerationValue': {
            const { $container: declaration } = target;
            const position = declaration.values.indexOf(target);
            const cases = hasCases(declaration) ? constants.shapeOfCases(declaration) : undefined;
            return cases === undefined
                ? new ScalarShape(constants.domainOfEnumeration(declaration)).constant(position, range)
                : cases.valueOfCase(position, [], range);
        }
        case 'Parameter': {
            const value = constants.valueOf(target);
            const shape = constants.shapeOfParameter(target);
            invariant(value !== undefined && shape !== undefined, 'a checked parameter has a value');
            return shape.constant(value, range);
        }
        case 'Constant':
            return ast.isModel(target.$container) ? lowerConstant(target, context, range) : lowerNamed(target, context);
        case 'ChannelDeclaration':
            return lowerChannelName(target, context, range);
        default:
            return invariant(false, 'a checked expression names values only') as never;
    }
}

export function readVariable({ kind, first, shape }: VariableSlot, range: SourceRange): LoweredValue {
    return shape.read(
        (leaf, indices) => ({
            kind: 'read',
            place:
                kind === 'shared'
                    ? { kind, variable: first + leaf, indices, range }
                    : { kind, local: first + leaf, indices, range },
            range,
        }),
        range,
    );
}

export function readTemporaries({ temporaries, shape }: TemporarySlot, range: SourceRange): LoweredValue {
    return shape.read((leaf, indices) => {
        const temporary = temporaries[leaf];
        invariant(temporary !== undefined, 'a name has a temporary for each leaf of its shape');
        return { kind: 'read', place: { kind: 'temporary', temporary, indices, range }, range };
    }, range);
}

function lowerBinder(
    target: ast.ProcessIndex | ast.BinderVariable,
    context: LoweringContext,
    range: SourceRange,
): LoweredValue {
    const shape = context.constants.shapeOfBinder(target);
    invariant(shape !== undefined, 'a checked variable runs through single values');
    const element = ast.isBinderVariable(target) ? context.elements.get(target) : undefined;
    const sequence = element === undefined ? sequenceRunThrough(target, context) : undefined;
    if (sequence !== undefined) {
        return sequence.elementAt({ kind: 'binder', binder: context.table.binderOf(target), range });
    }
    return scalarValue(
        element === undefined
            ? { kind: 'binder', binder: context.table.binderOf(target), range }
            : { ...element, range },
        shape.asCell(),
    );
}

/** The sequence whose places a variable runs through; undefined if it runs through something else. */
function sequenceRunThrough(
    target: ast.ProcessIndex | ast.BinderVariable,
    context: LoweringContext,
): LoweredSequence | undefined {
    const group = ast.isBinderVariable(target) ? target.$container : undefined;
    const collection = group && collectionOf(group);
    if (group === undefined || collection === undefined || context.constants.sequenceOfGroup(group) === undefined) {
        return undefined;
    }
    const kept = context.table.findTemporaries(group);
    return sequenceOf(
        kept === undefined ? lowerValue(collection, context) : readTemporaries(kept, rangeOf(collection)),
    );
}

function lowerSelf(template: ast.Process, { table }: LoweringContext, range: SourceRange): LoweredValue {
    const binder = table.selfOf(template);
    return scalarValue({ kind: 'binder', binder, range }, new ScalarShape(binder.domain));
}

/** A constant of the model is its value. If it is declared without a type, its expression gives the shape. */
function lowerConstant(constant: ast.Constant, context: LoweringContext, range: SourceRange): LoweredValue {
    const value = context.constants.valueOf(constant);
    invariant(value !== undefined, 'a checked constant has a value');
    return shapeOfConstant(constant, context).constant(value, range);
}

function shapeOfConstant(constant: ast.Constant, context: LoweringContext): Shape {
    let shape = context.constantShapes.get(constant);
    if (shape === undefined) {
        shape =
            constant.type === undefined ? lowerValue(constant.value, context).shape() : shapeOf(constant.type, context);
        context.constantShapes.set(constant, shape);
    }
    return shape;
}

/** A constant of a process, or a name in one of its blocks, stands for its expression. */
function lowerNamed(target: ast.Constant | ast.Let, context: LoweringContext): LoweredValue {
    let value = context.named.get(target);
    if (value === undefined) {
        value = lowerValue(target.value, context);
        if (ast.isConstant(target) && target.type !== undefined) {
            value = shapeOf(target.type, context).valueAs(value);
        }
        context.named.set(target, value);
    }
    return value;
}

/** The indices of an instance of a family. */
export function indicesOfInstance(
    { indices }: ast.Reference,
    process: ast.Process,
    context: LoweringContext,
): Expression[] {
    const domains = process.indices.map(index => context.constants.domainOfBinder(index));
    return lowerIndices(indices, domains, context);
}

/** `P[i] at label`, or `w at label` of the reference in a name. */
function lowerAt(reference: ast.Reference, label: string, context: LoweringContext): Expression {
    const process = reference.target.ref;
    const range = rangeOf(reference);
    return ast.isProcess(process)
        ? {
              kind: 'at',
              process: context.table.positionOf(process),
              indices: indicesOfInstance(reference, process, context),
              label,
              range,
          }
        : atInstance(lowerReference(reference, context, range), label, range);
}

function atInstance(reference: LoweredValue, label: string, range: SourceRange): Expression {
    const { process, instance } = instanceOf(reference);
    return { kind: 'at', process, indices: instance, label, range };
}

/** The template of a reference, and the reference as the index of its instance. */
export function instanceOf(reference: LoweredValue): { readonly process: number; readonly instance: Expression[] } {
    const domain = reference.cellShape()?.domain;
    const process = domain && templateOf(domain);
    invariant(process !== undefined, 'a checked reference has a template');
    return { process, instance: [reference.toScalar()] };
}
