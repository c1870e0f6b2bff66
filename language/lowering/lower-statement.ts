/** Statements inside steps and functions. Names declared there become temporaries. */
import { enclosing } from '../tree/node.js';
import { invariant, unreachable } from '../../engine/common/assert.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import type { Binder, Expression, Place } from '../../engine/model/expression.js';
import type { Statement } from '../../engine/model/model.js';
import * as ast from '../generated/nodes.js';
import { rangeOf } from '../tree/source-text.js';
import { variablesOf } from '../references/locals.js';
import { collectionOf } from '../references/binders.js';
import { isCase } from '../representation/cases.js';
import { rootOf } from '../references/places.js';
import { NamedChannel } from '../representation/channel.js';
import { LoweredScalar } from '../representation/cell.js';
import { isOverTemplate } from '../representation/domains.js';
import type { LoweredValue } from '../representation/shape.js';
import { binderExpression, joined } from '../representation/build-expression.js';
import { sequenceOf } from '../representation/sequence.js';
import { setOf } from '../representation/set.js';
import { lowerScalar, lowerValue, shapeOf, type LoweringContext } from './context.js';
import type { TemporarySlot } from './declaration-table.js';
import { firstValueOf } from './first-value.js';
import { lowerAppend } from './lower-append.js';
import { lowerAssignment } from './lower-assignment.js';
import { lowerArguments } from './lower-procedure.js';
import { lowerName, readTemporaries } from './lower-reference.js';
import { lowerSetChange } from './lower-set-change.js';
import { casesBefore } from '../typing/possible-cases.js';

export function lowerBody(body: ast.Body, context: LoweringContext): Statement[] {
    return body.statements.flatMap(statement => {
        switch (statement.$type) {
            case 'ForStatement':
                return lowerFor(statement, context);
            case 'ProcedureCall':
                return lowerProcedureCall(statement, context);
            default:
                return lowerStatement(statement, context);
        }
    });
}

/** The text of the procedure, behind the evaluation of the arguments. */
export function lowerProcedureCall(call: ast.ProcedureCall, context: LoweringContext): Statement[] {
    const before = lowerArguments(call, context);
    const called = call.procedure.ref;
    return ast.isProcedure(called) ? [...before, ...lowerBody(called.body, context)] : before;
}

function lowerStatement(
    statement: Exclude<ast.Statement, ast.ForStatement | ast.ProcedureCall>,
    context: LoweringContext,
): Statement[] {
    const range = rangeOf(statement);
    switch (statement.$type) {
        case 'Assignment':
            return lowerAssign(statement.target, statement.value, statement, context);
        case 'Spawn':
            return [lowerSpawn(statement, undefined, statement, context)];
        case 'Variable':
            return lowerVariableStatement(statement, context);
        case 'Let': {
            const value = lowerValue(statement.value, context);
            return declaration(context.table.declareTemporaries(statement, value.shape()), value, range);
        }
        case 'IfStatement': {
            const otherwise =
                statement.elseIf !== undefined
                    ? lowerStatement(statement.elseIf, context)
                    : statement.otherwise !== undefined
                      ? lowerBody(statement.otherwise, context)
                      : [];
            const condition = lowerScalar(statement.condition, context);
            return [{ kind: 'if', condition, then: lowerBody(statement.then, context), otherwise, range }];
        }
        case 'WhileStatement': {
            const condition = lowerScalar(statement.condition, context);
            return [{ kind: 'while', condition, body: lowerBody(statement.body, context), range }];
        }
        case 'Return': {
            const declared = enclosing(statement, ast.isFunctionDeclaration);
            invariant(declared !== undefined, 'a checked `return` stands in a function');
            return [{ kind: 'return', values: lowerResult(statement.value, declared, context), range }];
        }
        case 'Assertion':
            return [lowerAssert(statement.condition, statement, context)];
        case 'Skip':
            return [{ kind: 'skip', range }];
        default:
            return unreachable(statement);
    }
}

/** `place := value`. The range of the statement is the range of `node`. */
export function lowerAssign(
    place: ast.Expression,
    value: ast.Expression,
    node: ast.Assignment | ast.Step,
    context: LoweringContext,
): Statement[] {
    if (ast.isSpawn(value)) {
        return [lowerSpawn(value, place, node, context)];
    }
    const range = rangeOf(node);
    const several = fieldOfSeveralCases(place, context);
    if (several !== undefined) {
        const lower = (inCase: LoweringContext): Statement[] => lowerAssign(place, value, node, inCase);
        return lowerForEachCase(several.access, [...several.cases], range, context, lower);
    }
    const named = lowerValue(place, context);
    const target = named instanceof NamedChannel && ast.isChannelDeclaration(rootOf(place)) ? named.contents() : named;
    const changed = lowerSetChange(place, value, target, context);
    if (changed !== undefined) {
        return [{ kind: 'assign', assignments: changed, range }];
    }
    const appended = lowerAppend(place, value, target, range, context);
    if (appended !== undefined) {
        return appended;
    }
    const { sure, value: source } = lowerValue(value, context).stored;
    const assigned: Statement = isOverTemplate(target.indices)
        ? lowerFill(target, source, range, context)
        : { kind: 'assign', assignments: lowerAssignment(target, source), range };
    return [...evaluating(sure), assigned];
}

/** What is evaluated before a statement, whatever it stores. */
function evaluating(sure: Expression | undefined): Statement[] {
    return sure === undefined ? [] : [{ kind: 'if', condition: sure, then: [], otherwise: [], range: sure.range }];
}

/** Statements for the first of several cases that a value has. */
function lowerForEachCase(
    access: ast.FieldAccess,
    [first, ...others]: readonly ast.EnumerationValue[],
    range: SourceRange,
    context: LoweringContext,
    lower: (inCase: LoweringContext) => Statement[],
): Statement[] {
    invariant(first !== undefined, 'a checked field is one of a case');
    const then = lower({ ...context, assumedCases: new Map([...context.assumedCases, [access, first]]) });
    if (others.length === 0) {
        return then;
    }
    const { tag } = lowerValue(access.record, context).cases() ?? { tag: undefined };
    const shape = context.constants.shapeOfCases(first.$container);
    invariant(tag !== undefined && shape !== undefined, 'a checked value has cases');
    const condition = isCase(tag, first.$container.values.indexOf(first), shape.caseDomain, '==', range);
    const otherwise = lowerForEachCase(access, others, range, context, lower);
    return [{ kind: 'if', condition, then, otherwise, range }];
}

/** A field in a place that several cases have, which its value may still have. */
function fieldOfSeveralCases(
    place: ast.Expression,
    { assumedCases }: LoweringContext,
): { readonly access: ast.FieldAccess; readonly cases: ReadonlySet<ast.EnumerationValue> } | undefined {
    for (let part = place; ast.isFieldAccess(part); part = part.record) {
        const cases = assumedCases.has(part) ? new Set<ast.EnumerationValue>() : casesBefore(part);
        if (cases.size > 1) {
            return { access: part, cases };
        }
    }
    return undefined;
}

/** An array over a template: one assignment for each valuation of its indices by instances that live. */
function lowerFill(
    target: LoweredValue,
    value: LoweredValue,
    range: SourceRange,
    { table }: LoweringContext,
): Statement {
    const binders = target.indices.map((index, position) => table.newBinder(`cell${position + 1}`, index));
    const indices = binders.map(binder => binderExpression(binder, range));
    const element = value.indices.length === 0 ? value : value.at(indices);
    return { kind: 'fill', binders, assignments: lowerAssignment(target.at(indices), element), range };
}

/** `spawn W(e)`, or `place := spawn W(e)`. The range of the statement is the range of `node`. */
export function lowerSpawn(
    spawn: ast.Spawn,
    place: ast.Expression | undefined,
    node: ast.Spawn | ast.Assignment | ast.Step,
    context: LoweringContext,
): Statement {
    const template = spawn.template.ref;
    invariant(ast.isProcess(template) || ast.isEnumeration(template), 'a checked `spawn` names a template');
    const parameters = ast.isProcess(template) ? template.parameters : [];
    const values = parameters.flatMap((parameter, position) => {
        const argument = spawn.arguments[position];
        invariant(argument !== undefined, 'a checked `spawn` has an argument for each parameter');
        return shapeOf(parameter.type, context).scalarsOf(lowerValue(argument, context)).flat();
    });
    const target = place && placeOf(lowerValue(place, context));
    return {
        kind: 'spawn',
        process: context.constants.positionOfTemplate(template),
        arguments: values,
        ...(target === undefined ? {} : { target }),
        range: rangeOf(node),
    };
}

function placeOf(value: LoweredValue): Place {
    invariant(value instanceof LoweredScalar && value.expression.kind === 'read', 'a reference has a cell of its own');
    return value.expression.place;
}

/** `assert c` or `assert c, "text"`. The range of the statement is the range of `node`. */
export function lowerAssert(
    condition: ast.Expression,
    node: ast.Assertion | ast.Step,
    context: LoweringContext,
): Statement {
    const range = rangeOf(node);
    if (node.text !== undefined) {
        context.table.assertionTexts.push({ text: node.text, range });
    }
    return { kind: 'assert', condition: lowerScalar(condition, context), range };
}

/** A loop. The set that it runs through is evaluated before it, its condition before each round. */
function lowerFor(statement: ast.ForStatement, context: LoweringContext): Statement[] {
    const { groups, where, body } = statement;
    const range = rangeOf(statement);
    const binder = loopBinderOf(statement, context);
    const [group] = groups;
    const collection = group && collectionOf(group);
    const conditions: Expression[] = [];
    const before: Statement[] = [];
    if (group !== undefined && collection !== undefined) {
        const value = lowerValue(collection, context);
        const isListed = context.constants.sequenceOfGroup(group) !== undefined;
        const set = isListed ? sequenceOf(value) : setOf(value);
        const slot = context.table.declareTemporaries(group, set.shape());
        before.push(...declaration(slot, set, rangeOf(collection)));
        const [variable] = group.variables;
        const kept = readTemporaries(slot, rangeOf(collection));
        const isThere = isListed
            ? sequenceOf(kept).has(binderExpression(binder, range))
            : variable && setOf(kept).has(lowerName(variable, context, rangeOf(variable)));
        conditions.push(...(isThere ? [isThere] : []));
    }
    if (where !== undefined) {
        conditions.push(lowerScalar(where, context));
    }
    const then = lowerBody(body, context);
    const condition = joined(conditions, 'and', rangeOf(where ?? collection ?? statement));
    const round: Statement[] =
        conditions.length === 0 ? then : [{ kind: 'if', condition, then, otherwise: [], range: condition.range }];
    return [...before, { kind: 'for', binder, body: round, range }];
}

/** The variable of a loop. */
export function loopBinderOf(loop: ast.For | ast.ForStatement, context: LoweringContext): Binder {
    const [variable] = variablesOf(loop.groups);
    invariant(variable !== undefined, 'a loop has a variable');
    return context.table.binderOf(variable);
}

/** The scalars that a function returns: a list for each leaf of its result, row by row. */
export function lowerResult(
    value: ast.Expression,
    declared: ast.FunctionDeclaration,
    context: LoweringContext,
): readonly (readonly Expression[])[] {
    return shapeOf(declared.result, context).scalarsOf(lowerValue(value, context));
}

/** A variable of a body begins with its initializer, or with the first value of its type. */
function lowerVariableStatement(variable: ast.Variable, context: LoweringContext): Statement[] {
    const shape = shapeOf(variable.type, context);
    const range = rangeOf(variable);
    const value =
        variable.initializer === undefined ? firstValueOf(shape, range) : lowerValue(variable.initializer, context);
    return declaration(context.table.declareTemporaries(variable, shape), value, range);
}

function declaration(
    { temporaries, shape }: TemporarySlot,
    value: LoweredValue,
    range: Statement['range'],
): Statement[] {
    const { sure, value: kept } = value.stored;
    const values = shape.scalarsOf(kept);
    const declarations = temporaries.map((temporary, leaf) => ({ temporary, values: values[leaf] ?? [] }));
    return [...evaluating(sure), { kind: 'declare', declarations, range }];
}
