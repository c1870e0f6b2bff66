/** The names that a node declares for the text inside it: binders, parameters, the declarations of a block. */
import type { AstNode } from 'langium';
import * as ast from '../generated/ast.js';
import type { Named } from '../generated/ast.js';

/** While a text is being written any part of it may be missing, whatever the types say; such a name is left out. */
export function localNamesIn(node: AstNode): Named[] {
    return declaredIn(node).filter(({ name }) => (name as string | undefined) !== undefined);
}

function declaredIn(node: AstNode): readonly Named[] {
    if (ast.isBlock(node)) {
        return node.items.filter(item => ast.isVariable(item) || ast.isConstant(item) || ast.isLet(item));
    }
    if (ast.isBody(node)) {
        return node.statements.filter(statement => ast.isVariable(statement) || ast.isLet(statement));
    }
    if (
        ast.isQuantifier(node) ||
        ast.isComprehension(node) ||
        ast.isAlternative(node) ||
        ast.isFor(node) ||
        ast.isForStatement(node)
    ) {
        return node.groups.flatMap(group => group.variables);
    }
    if (ast.isProcess(node)) {
        return node.indices;
    }
    if (ast.isFunctionDeclaration(node)) {
        return node.parameters;
    }
    return ast.isRecordDeclaration(node) ? node.fields : [];
}
