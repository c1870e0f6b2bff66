/** The names that live inside a process. */
import type { AstNode } from 'langium';
import { descendantsOf } from '../descendants.js';
import * as ast from '../generated/ast.js';
import type { BinderVariable, Process, Variable } from '../generated/ast.js';

/** A local of a process: a variable of one of its blocks, or one that a choice binds. */
export type Local = Variable | BinderVariable;

/** The locals of a process in the order of the text. What is declared inside a step lives no longer than the step. */
export function localsOf(process: Process): Local[] {
    return descendantsOf(process).filter(isLocal);
}

/** The variables that a process declares before anything else: those that properties can name, `P[i].k`. */
export function headLocalsOf(process: Process): Variable[] {
    // While a text is being written, a process may still be without its body, whatever the type says.
    const body: Process['body'] | undefined = process.body;
    const items = body?.items ?? [];
    const end = items.findIndex(item => !ast.isVariable(item) && !ast.isConstant(item) && !ast.isLet(item));
    return items.slice(0, end < 0 ? items.length : end).filter(ast.isVariable);
}

/** How many locals of its process a local hides: those of its name that live around it, and may hold a value beside it. */
export function hiddenBy(local: Local): number {
    let hidden = 0;
    const scope = ast.isVariable(local) ? local : local.$container;
    for (let node = scope.$container.$container; node !== undefined; node = node.$container) {
        hidden += declaredBy(node).filter(({ name }) => name === local.name).length;
    }
    return hidden;
}

/** The locals that can be named in a block, or in an alternative, and not around it. */
function declaredBy(node: AstNode): Local[] {
    if (ast.isBlock(node)) {
        return node.items.filter(ast.isVariable);
    }
    return ast.isAlternative(node) ? node.groups.flatMap(({ variables }) => variables) : [];
}

function isLocal(node: AstNode): node is Local {
    return (ast.isVariable(node) && ast.isBlock(node.$container)) || (ast.isBinderVariable(node) && isChosen(node));
}

/** Whether a variable is bound by an alternative of a choice, not by a quantifier or a loop. */
export function isChosen(variable: BinderVariable): boolean {
    return ast.isAlternative(variable.$container.$container);
}
