/** Statements inside steps and functions. Names declared there become temporaries. */
import { AstUtils } from 'langium';
import { invariant, unreachable } from '../../engine/common/assert.js';
import type { Binder, Expression } from '../../engine/model/expression.js';
import type { Statement } from '../../engine/model/model.js';
import * as ast from '../generated/ast.js';
import { rangeOf } from '../source-range.js';
import { leavesOf, type Shape } from '../typing/shape.js';
import { variablesOf } from '../references/locals.js';
import { firstConstant } from './build-expression.js';
import { lowerScalar, lowerValue, shapeOf, type LoweringContext } from './context.js';
import type { TemporarySlot } from './declaration-table.js';
import { lowerAssignment } from './lower-assignment.js';
import { scalarsOf, shapeOfValue, valueOfShape, type LoweredValue } from './lowered-value.js';

export function lowerBody(body: ast.Body, context: LoweringContext): Statement[] {
    return body.statements.map(statement => lowerStatement(statement, context));
}

function lowerStatement(statement: ast.Statement, context: LoweringContext): Statement {
    const range = rangeOf(statement);
    switch (statement.$type) {
        case 'Assignment':
            return lowerAssign(statement.target, statement.value, statement, context);
        case 'Variable':
            return lowerVariableStatement(statement, context);
        case 'Let': {
            const value = lowerValue(statement.value, context);
            return declaration(context.table.declareTemporaries(statement, shapeOfValue(value)), value, range);
        }
        case 'IfStatement':
            return {
                kind: 'if',
                condition: lowerScalar(statement.condition, context),
                then: lowerBody(statement.then, context),
                otherwise:
                    statement.elseIf !== undefined
                        ? [lowerStatement(statement.elseIf, context)]
                        : statement.otherwise !== undefined
                          ? lowerBody(statement.otherwise, context)
                          : [],
                range,
            };
        case 'WhileStatement': {
            const condition = lowerScalar(statement.condition, context);
            return { kind: 'while', condition, body: lowerBody(statement.body, context), range };
        }
        case 'ForStatement':
            return {
                kind: 'for',
                binder: loopBinderOf(statement, context),
                body: lowerBody(statement.body, context),
                range,
            };
        case 'Return': {
            const declared = AstUtils.getContainerOfType(statement, ast.isFunctionDeclaration);
            invariant(declared !== undefined, 'a checked `return` stands in a function');
            return { kind: 'return', values: lowerResult(statement.value, declared, context), range };
        }
        case 'Assertion':
            return { kind: 'assert', condition: lowerScalar(statement.condition, context), range };
        case 'Skip':
            return { kind: 'skip', range };
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
): Statement {
    const assignments = lowerAssignment(lowerValue(place, context), lowerValue(value, context));
    return { kind: 'assign', assignments, range: rangeOf(node) };
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
    return scalarsOf(shapeOf(declared.result, context), lowerValue(value, context));
}

/** A variable of a body begins with its initializer, or with the first value of its type. */
function lowerVariableStatement(variable: ast.Variable, context: LoweringContext): Statement {
    const shape = shapeOf(variable.type, context);
    const range = rangeOf(variable);
    const value =
        variable.initializer === undefined ? firstValueOf(shape, range) : lowerValue(variable.initializer, context);
    return declaration(context.table.declareTemporaries(variable, shape), value, range);
}

function firstValueOf(shape: Shape, range: Statement['range']): LoweredValue {
    const elements = leavesOf(shape).map(leaf => leaf.element);
    return valueOfShape(shape, range, leaf => {
        const element = elements[leaf];
        invariant(element !== undefined, 'a shape has its leaves');
        return firstConstant(element, range);
    });
}

function declaration({ temporaries, shape }: TemporarySlot, value: LoweredValue, range: Statement['range']): Statement {
    const values = scalarsOf(shape, value);
    return {
        kind: 'declare',
        declarations: temporaries.map((temporary, leaf) => ({ temporary, values: values[leaf] ?? [] })),
        range,
    };
}
