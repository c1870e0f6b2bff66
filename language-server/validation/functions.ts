/** Functions: they compute a value from their arguments and the state, and change nothing. */
import type { FunctionDeclaration } from '../generated/ast.js';
import type { CheckContext } from './check-context.js';
import { checkReturns } from './control-flow.js';
import { checkUsedAfterDeclaration } from './reading-order.js';
import { checkBody } from './statements.js';

export function checkFunction(declaration: FunctionDeclaration, context: CheckContext): void {
    const { constants, inference, problems } = context;
    declaration.parameters.forEach(parameter => constants.shapeOf(parameter.type));
    const result = constants.shapeOf(declaration.result);
    if (declaration.value !== undefined) {
        if (result === undefined) {
            inference.typeOf(declaration.value);
        } else {
            inference.checkFit(declaration.value, result, `the result of \`${declaration.name}\``);
        }
    }
    if (declaration.body !== undefined) {
        checkBody(declaration.body, context, declaration);
        checkReturns(declaration, problems);
    }
    checkUsedAfterDeclaration(declaration, problems);
}
