/**
 * Where `;` is needed: between two items of a block and two statements of a body, unless the first one ends in a brace or
 * is a declaration. The grammar leaves every `;` optional, because the message is better here.
 */
import { CstUtils, type AstNode } from 'langium';
import { descendantsOf } from '../descendants.js';
import * as ast from '../generated/ast.js';
import type { Model } from '../generated/ast.js';
import { rangeOf } from '../source-range.js';
import type { ProblemCollector } from '../problems/problem-collector.js';

export function checkSeparators(model: Model, problems: ProblemCollector): void {
    for (const node of descendantsOf(model)) {
        if (ast.isBlock(node)) {
            checkSequence(node.items, problems);
        } else if (ast.isBody(node)) {
            checkSequence(node.statements, problems);
        }
    }
}

function checkSequence(items: readonly AstNode[], problems: ProblemCollector): void {
    for (const item of items.slice(0, -1)) {
        const cst = item.$cstNode;
        const isDeclaration = ast.isVariable(item) || ast.isConstant(item) || ast.isLet(item);
        const isClosed = cst === undefined || cst.text.endsWith('}') || CstUtils.getNextNode(cst, false)?.text === ';';
        if (!isDeclaration && !isClosed) {
            const range = rangeOf(item);
            const start = { line: range.end.line, character: range.end.character - 1 };
            problems.error('syntax/missing-semicolon', '`;` is missing after this', { ...range, start });
        }
    }
}
