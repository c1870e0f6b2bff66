/** The operands of expressions, for walks that treat all kinds alike. */
import { unreachable } from '../../common/assert.js';
import type { SequentialExpression } from '../sequential-model.js';

/** The expressions directly inside, in the order of evaluation; of an array element its indices. */
export function operandsOf(expression: SequentialExpression): readonly SequentialExpression[] {
    switch (expression.kind) {
        case 'constant':
        case 'cell':
        case 'holds':
        case 'fresh':
        case 'choosable':
        case 'fault':
            return [];
        case 'element':
            return expression.indices;
        case 'not':
        case 'negate':
            return [expression.operand];
        case 'binary':
            return [expression.left, expression.right];
        case 'and':
        case 'or':
        case 'all':
        case 'some':
        case 'count':
        case 'sum':
        case 'min':
        case 'max':
        case 'the':
            return expression.operands;
        case 'conditional':
            return [expression.condition, expression.then, expression.otherwise];
        case 'select':
            return [expression.index, ...expression.options];
        default:
            return unreachable(expression);
    }
}

/** The operands of a conjunction, which are tests of their own. */
export function conjunctsOf(test: SequentialExpression): readonly SequentialExpression[] {
    return test.kind === 'and' ? test.operands : [test];
}

/** The expression with each operand changed, in the order of `operandsOf`. */
export function withOperands(
    expression: SequentialExpression,
    change: (operand: SequentialExpression) => SequentialExpression,
): SequentialExpression {
    switch (expression.kind) {
        case 'constant':
        case 'cell':
        case 'holds':
        case 'fresh':
        case 'choosable':
        case 'fault':
            return expression;
        case 'element':
            return { ...expression, indices: expression.indices.map(operand => change(operand)) };
        case 'not':
        case 'negate':
            return { ...expression, operand: change(expression.operand) };
        case 'binary':
            return { ...expression, left: change(expression.left), right: change(expression.right) };
        case 'and':
        case 'or':
        case 'all':
        case 'some':
        case 'count':
        case 'sum':
        case 'min':
        case 'max':
        case 'the':
            return { ...expression, operands: expression.operands.map(operand => change(operand)) };
        case 'conditional':
            return {
                ...expression,
                condition: change(expression.condition),
                then: change(expression.then),
                otherwise: change(expression.otherwise),
            };
        case 'select':
            return {
                ...expression,
                index: change(expression.index),
                options: expression.options.map(operand => change(operand)),
            };
        default:
            return unreachable(expression);
    }
}
