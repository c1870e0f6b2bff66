/** Statements in the body of a step or of a function. */
import { enclosing } from '../tree/node.js';
import { unreachable } from '../../engine/common/assert.js';
import { domainSize, formatDomain } from '../../engine/model/domain.js';
import * as ast from '../generated/nodes.js';
import { baseOf, isAssignable, rootOf } from '../references/places.js';
import { rangeOf, rangeOfProperty, textOf } from '../tree/source-text.js';
import { describeNamed } from '../problems/describe.js';
import type { ProblemCollector } from '../problems/problem-collector.js';
import { ArrayShape } from '../representation/array.js';
import { SequenceShape } from '../representation/sequence.js';
import type { Shape } from '../representation/shape.js';
import { fitOf } from '../representation/type.js';
import { checkArgumentCount } from '../typing/infer-calls.js';
import { hasField, whyNoField } from '../typing/infer-cases.js';
import { whyMayBeNone } from '../typing/may-be-none.js';
import { casesBefore } from '../typing/possible-cases.js';
import type { TypeInference } from '../typing/type-inference.js';
import type { CheckContext } from './check-context.js';
import { checkReadsEarlier } from './reading-order.js';
import { checkTemporary } from './variables.js';

/** Checks the body of a step, or of the function `owner`. */
export function checkBody(body: ast.Body, context: CheckContext, owner?: ast.FunctionDeclaration): void {
    body.statements.forEach(statement => checkStatement(statement, context, owner));
}

function checkStatement(
    statement: ast.Statement,
    context: CheckContext,
    owner: ast.FunctionDeclaration | undefined,
): void {
    const { constants, inference, problems } = context;
    switch (statement.$type) {
        case 'Assignment':
            checkAssignment(statement.target, statement.value, context, owner);
            return;
        case 'Spawn':
            inference.typeOf(statement);
            return;
        case 'ProcedureCall':
            checkProcedureCall(statement, context, owner);
            return;
        case 'Variable':
            checkTemporary(statement, context);
            checkReadsEarlier(statement, [statement], problems);
            return;
        case 'Let':
            inference.typeOf(statement.value);
            return;
        case 'Assertion':
            inference.checkCondition(statement.condition, 'the condition after `assert`');
            return;
        case 'IfStatement': {
            const known = inference.checkCondition(statement.condition, 'the condition after `if`');
            problems.whileUnreachable(known === false, () => checkBody(statement.then, context, owner));
            problems.whileUnreachable(known === true, () => {
                if (statement.otherwise !== undefined) {
                    checkBody(statement.otherwise, context, owner);
                }
                if (statement.elseIf !== undefined) {
                    checkStatement(statement.elseIf, context, owner);
                }
            });
            return;
        }
        case 'WhileStatement': {
            const known = inference.checkCondition(statement.condition, 'the condition after `while`');
            problems.whileUnreachable(known === false, () => checkBody(statement.body, context, owner));
            return;
        }
        case 'ForStatement': {
            const count = inference.checkBinders(statement.groups, 'the `for`', statement);
            const where = problems.whileUnreachable(count === 0, () => inference.checkWhere(statement.where));
            const isUnreachable = count === 0 || where === false;
            problems.whileUnreachable(isUnreachable, () => checkBody(statement.body, context, owner));
            return;
        }
        case 'Return': {
            const result = owner && constants.shapeOf(owner.result);
            inference.checkFit(statement.value, result, `the result of \`${owner?.name ?? ''}\``);
            return;
        }
        case 'Skip':
            return;
        default:
            unreachable(statement);
    }
}

export function checkAssignment(
    target: ast.Expression,
    value: ast.Expression,
    context: CheckContext,
    owner?: ast.FunctionDeclaration,
): void {
    const shape = checkPlace(target, context, owner);
    // One value may fill an array; `spawn` has one reference.
    const remedy = remedyOfRow(target, value, context);
    context.inference.checkFit(value, shape, describePlace(target), !ast.isSpawn(value), remedy);
}

/** Why no row of `m: Row[3]` is a `Row` that is an array: the index of `Row` is the first one of `m`. */
function remedyOfRow(place: ast.Expression, value: ast.Expression, { constants, inference }: CheckContext): string {
    const isRow = (ast.isReference(place) || ast.isFieldAccess(place)) && place.indices.length > 0;
    const named = ast.isReference(place) ? place.target.ref : ast.isFieldAccess(place) ? place.field.ref : undefined;
    if (!isRow || (!ast.isVariable(named) && !ast.isRecordField(named)) || named.type.indices.length === 0) {
        return '';
    }
    const { element, indices } = named.type;
    const row = constants.shapeOfElement(element);
    if (!(row instanceof ArrayShape) || fitOf(inference.typeOf(value), row) === 'mismatch') {
        return '';
    }
    const own = row.indices.map(
        index => index.name ?? (index.kind === 'range' && index.low === 0 ? domainSize(index) : formatDomain(index)),
    );
    const declared = `${row.element.format()}[${indices.map(textOf).join(', ')}][${own.join(', ')}]`;
    const [whole, name] = [textOf(named.type), textOf(element)];
    return `; in \`${whole}\` the index of \`${name}\` is the first one, so no row is a \`${name}\`: declare \`${declared}\``;
}

/** Checks a call: a value for each parameter, or the place that it is. */
export function checkProcedureCall(
    call: ast.ProcedureCall,
    context: CheckContext,
    owner?: ast.FunctionDeclaration,
): void {
    const { constants, inference, problems } = context;
    const target = call.procedure.ref;
    if (owner !== undefined) {
        const message = `a function changes nothing, so \`${owner.name}\` calls no procedure`;
        problems.error('function/writes-outside', message, rangeOf(call));
        inference.visit(call.arguments);
        return;
    }
    if (!ast.isProcedure(target)) {
        inference.visit(call.arguments);
        if (target !== undefined) {
            const message = `a statement is expected here, but \`${target.name}\` is ${describeNamed(target)}`;
            problems.error('type/not-a-procedure', message, rangeOf(call));
        }
        return;
    }
    const { name, parameters } = target;
    if (!checkArgumentCount(call, `procedure \`${name}\``, parameters.length, parameters.length, inference)) {
        return;
    }
    call.arguments.forEach((argument, position) => {
        const parameter = parameters[position];
        const shape = parameter && constants.shapeOf(parameter.type);
        const what = `\`${parameter?.name ?? ''}\` of procedure \`${name}\``;
        if (parameter?.isPlace !== true) {
            inference.checkFit(argument, shape, what);
        } else if (rootOf(argument) === undefined) {
            inference.typeOf(argument);
            const message = `${what} is the place that is given: a variable, an element or a field`;
            problems.error('procedure/not-a-place', message, rangeOf(argument));
        } else {
            const given = checkPlace(argument, context);
            if (isOfSequence(argument, context)) {
                const message = `${what} is the place that is given, and a place of a sequence may be gone: give the whole sequence`;
                problems.error('procedure/not-a-place', message, rangeOf(argument));
            }
            checkOneCase(argument, problems);
            if (shape !== undefined && given !== undefined && !shape.isSame(given)) {
                const message = `${what} is a place of the type ${shape.describe()}, but this is one of ${given.describe()}`;
                problems.error('type/mismatch', message, rangeOf(argument));
            }
        }
    });
}

/** Whether a place is an element of a sequence or a channel, or a part of one. */
function isOfSequence(place: ast.Expression, context: CheckContext): boolean {
    if (!ast.isReference(place) && !ast.isFieldAccess(place)) {
        return false;
    }
    const named = ast.isReference(place) ? place.target.ref : place.field.ref;
    const isTyped = ast.isVariable(named) || ast.isProcedureParameter(named) || ast.isRecordField(named);
    const shape = isTyped ? context.constants.shapeOf(named.type) : undefined;
    return (
        ast.isChannelDeclaration(named) ||
        (shape?.element instanceof SequenceShape && place.indices.length > shape.indices.length) ||
        (ast.isFieldAccess(place) && isOfSequence(place.record, context))
    );
}

/** Checks that a place can be written, and returns its shape. */
export function checkPlace(
    place: ast.Expression,
    context: CheckContext,
    owner?: ast.FunctionDeclaration,
): Shape | undefined {
    const { inference, problems } = context;
    const variable = rootOf(place);
    if (isAssignable(variable)) {
        inference.typeOf(place);
        if (owner !== undefined && enclosing(variable, ast.isFunctionDeclaration) !== owner) {
            const message = `a function changes nothing but its own variables, and \`${variable.name}\` is none of \`${owner.name}\``;
            problems.error('function/writes-outside', message, rangeOf(place));
        }
        checkFieldsAreThere(place, inference, problems);
        return inference.shapeOfPlace(place);
    }
    if (ast.isChannelDeclaration(variable) && owner === undefined) {
        inference.typeOf(place);
        const shape = inference.shapeOfPlace(place);
        if (shape === undefined && context.constants.capacityOf(variable) === 0) {
            const message = `\`${variable.name}\` has capacity 0: messages pass from hand to hand, so there is nothing to assign`;
            problems.error('channel/no-buffer', message, rangeOf(place));
        }
        return shape;
    }
    for (let part = place; ast.isFieldAccess(part) || ast.isReference(part);) {
        inference.visit(part.indices);
        if (ast.isReference(part)) {
            break;
        }
        part = part.record;
    }
    if (ast.isProcessParameter(variable)) {
        const message =
            `\`${variable.name}\` is a parameter of \`${variable.$container.name}\` and keeps its value; ` +
            'assign to a variable';
        problems.error('process/parameter-assigned', message, rangeOf(place));
    } else if (ast.isProcedureParameter(variable)) {
        const message =
            `\`${variable.name}\` is a value that is given to \`${variable.$container.name}\`; ` +
            `with \`var ${variable.name}\` among the parameters it is the place itself`;
        problems.error('type/not-assignable', message, rangeOf(place));
    } else if (variable !== undefined) {
        const message = `only variables can be assigned to, but \`${variable.name}\` is ${describeNamed(variable)}`;
        problems.error('type/not-assignable', message, rangeOf(place));
    } else if (ast.isFieldAccess(place) && ast.isCall(baseOf(place))) {
        const message = 'only variables can be assigned to, not the result of a call';
        problems.error('type/not-assignable', message, rangeOf(place));
    }
    return undefined;
}

/** A field of an optional value or of a case is written only where a test shows that there is one. */
function checkFieldsAreThere(place: ast.Expression, inference: TypeInference, problems: ProblemCollector): void {
    for (let part = place; ast.isFieldAccess(part); part = part.record) {
        const { record } = part;
        if (inference.testedType(record).kind === 'optional') {
            const needed = `a field of ${describePlace(record)} can be written only where it has a value`;
            problems.error('type/may-be-none', whyMayBeNone(needed, record), rangeOf(record));
            return;
        }
        const field = part.field.ref;
        const without = ast.isRecordField(field) ? [...casesBefore(part)].filter(each => !hasField(each, field)) : [];
        const [first] = without;
        if (first !== undefined && ast.isRecordField(field) && without.length < casesBefore(part).size) {
            const message = `a field can be written only where the case has it: ${whyNoField(without, field, first.$container)}`;
            problems.error('case/no-field', message, rangeOfProperty(part, 'field'));
            return;
        }
    }
}

/** Checks that a place that is given away, or bound by a pattern, is a field of one case. */
export function checkOneCase(place: ast.Expression, problems: ProblemCollector): void {
    for (let part = place; ast.isFieldAccess(part); part = part.record) {
        if (casesBefore(part).size > 1) {
            const [text, field] = [textOf(part.record) ?? '', part.field.$refText];
            const message = `\`${text}\` may have one of several cases here, and so \`${field}\` is no single place; test for the case before`;
            problems.error('type/not-assignable', message, rangeOf(part));
            return;
        }
    }
}

/** A place without its indices: `` `node.next` ``. */
export function describePlace(place: ast.Expression): string {
    const fields: string[] = [];
    let rest = place;
    while (ast.isFieldAccess(rest)) {
        fields.unshift(`.${rest.field.$refText}`);
        rest = rest.record;
    }
    return `\`${ast.isReference(rest) ? rest.target.$refText : ''}${fields.join('')}\``;
}
