/** Expressions: names become values, binders and places; nothing is folded, every node keeps its range. */
import { invariant, unreachable } from '../../engine/common/assert.js';
import { BOOLEAN, NONE } from '../../engine/model/domain.js';
import type { BinaryOperator, Expression, Place } from '../../engine/model/expression.js';
import * as ast from '../generated/ast.js';
import { rangeOf } from '../source-range.js';
import { positionOf } from '../typing/constant-evaluation.js';
import type { LoweringContext } from './context.js';

export function lowerExpression(expression: ast.Expression, context: LoweringContext): Expression {
    const range = rangeOf(expression);
    switch (expression.$type) {
        case 'NumberLiteral':
            return { kind: 'constant', value: expression.value, range };
        case 'BooleanLiteral':
            return { kind: 'constant', value: expression.value === 'true' ? 1 : 0, domain: BOOLEAN, range };
        case 'NoneLiteral':
            return { kind: 'constant', value: NONE, range };
        case 'Reference':
            return expression.label === undefined ? lowerReference(expression, context) : lowerAt(expression, context);
        case 'UnaryExpression':
            return {
                kind: 'unary',
                operator: expression.operator === '!' ? 'not' : 'negate',
                operand: lowerExpression(expression.operand, context),
                range,
            };
        case 'BinaryExpression':
            return {
                kind: 'binary',
                operator: lowerOperator(expression.operator),
                left: lowerExpression(expression.left, context),
                right: lowerExpression(expression.right, context),
                range,
            };
        case 'Conditional':
            return {
                kind: 'conditional',
                condition: lowerExpression(expression.condition, context),
                then: lowerExpression(expression.then, context),
                otherwise: lowerExpression(expression.otherwise, context),
                range,
            };
        case 'Quantifier':
            return {
                kind: 'quantifier',
                quantifier: expression.quantifier,
                binders: expression.groups.flatMap(group =>
                    group.variables.map(variable => context.binderOf(variable)),
                ),
                ...(expression.where === undefined ? {} : { where: lowerExpression(expression.where, context) }),
                body: lowerExpression(expression.body, context),
                range,
            };
        default:
            return unreachable(expression);
    }
}

/** The cell that a reference to a variable reads or writes. */
export function lowerPlace(reference: ast.Reference, context: LoweringContext): Place {
    const variable = reference.target.ref;
    invariant(ast.isVariable(variable), 'a checked place is a variable');
    const { kind, index } = context.slotOf(variable);
    const indices = reference.indices.map(expression => lowerExpression(expression, context));
    const range = rangeOf(reference);
    return kind === 'shared'
        ? { kind, variable: index, indices, range }
        : { kind: 'local', local: index, indices, range };
}

function lowerReference(reference: ast.Reference, context: LoweringContext): Expression {
    const range = rangeOf(reference);
    const target = reference.target.ref;
    invariant(target !== undefined, 'the names of a checked document are linked');
    switch (target.$type) {
        case 'Variable':
            return { kind: 'read', place: lowerPlace(reference, context), range };
        case 'ProcessIndex':
        case 'BinderVariable':
            return { kind: 'binder', binder: context.binderOf(target), range };
        case 'EnumerationValue': {
            const domain = context.constants.domainOfEnumeration(target.$container);
            return { kind: 'constant', value: positionOf(target), domain, range };
        }
        case 'Parameter': {
            const value = context.constants.valueOf(target);
            const domain = context.constants.scalarOf(target.type);
            invariant(value !== undefined && domain !== undefined, 'a checked parameter has a value');
            return { kind: 'constant', value, domain, range };
        }
        case 'Constant':
            return lowerConstant(target, range, context);
        case 'TypeDeclaration':
        case 'Enumeration':
        case 'EventDeclaration':
        case 'Process':
        case 'Invariant':
            return invariant(false, 'a checked expression names values only') as never;
        default:
            return unreachable(target);
    }
}

/** A constant of the model is its value; one of a process is the expression that it names. */
function lowerConstant(constant: ast.Constant, range: Expression['range'], context: LoweringContext): Expression {
    if (ast.isModel(constant.$container)) {
        const value = context.constants.valueOf(constant);
        invariant(value !== undefined, 'a checked constant has a value');
        const named = lowerExpression(constant.value, context);
        const domain = named.kind === 'constant' ? named.domain : undefined;
        return { kind: 'constant', value, ...(domain === undefined ? {} : { domain }), range };
    }
    let expression = context.constantExpressions.get(constant);
    if (expression === undefined) {
        expression = lowerExpression(constant.value, context);
        context.constantExpressions.set(constant, expression);
    }
    return expression;
}

function lowerAt(reference: ast.Reference, context: LoweringContext): Expression {
    const process = reference.target.ref;
    invariant(ast.isProcess(process) && reference.label !== undefined, 'a process stands before `at`');
    return {
        kind: 'at',
        process: context.indexOfProcess(process),
        indices: reference.indices.map(index => lowerExpression(index, context)),
        label: reference.label.$refText,
        range: rangeOf(reference),
    };
}

function lowerOperator(operator: ast.BinaryExpression['operator']): BinaryOperator {
    return operator === '&&' ? 'and' : operator === '||' ? 'or' : operator;
}
