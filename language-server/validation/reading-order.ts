/**
 * What is used before it is there. Initial values are computed in the order of the text, so each may read only what
 * stands before it; a local name is known from its declaration on.
 */
import { AstUtils } from 'langium';
import * as ast from '../generated/ast.js';
import type { Process, Variable } from '../generated/ast.js';
import { nameRangeOf, rangeOf } from '../source-range.js';
import type { ProblemCollector } from './problem-collector.js';

/** Checks the initial value of `variable`, one of `declarations`. Names from outside of them are all earlier. */
export function checkReadsEarlier(
    variable: Variable,
    declarations: readonly { readonly $type: string }[],
    problems: ProblemCollector,
): void {
    if (variable.initializer === undefined) {
        return;
    }
    const position = declarations.indexOf(variable);
    for (const node of AstUtils.streamAst(variable.initializer)) {
        const target = ast.isReference(node) ? node.target.ref : undefined;
        if (!ast.isReference(node) || target === undefined) {
            continue;
        }
        if (node.label !== undefined || (ast.isVariable(target) && declarations.indexOf(target) >= position)) {
            const reason =
                node.label !== undefined
                    ? 'no process has a place yet'
                    : target === variable
                      ? 'it is what is being initialized'
                      : 'it is initialized later';
            problems.error(
                'name/too-early',
                `the initial value cannot depend on \`${target.name}\`: ${reason}`,
                rangeOf(node),
            );
        }
    }
}

/** Reports locals of a process that are used before their declaration. */
export function checkUsedAfterDeclaration(process: Process, problems: ProblemCollector): void {
    for (const node of AstUtils.streamAllContents(process.body)) {
        const target = ast.isReference(node) ? node.target.ref : undefined;
        if (
            target === undefined ||
            !(ast.isVariable(target) || ast.isConstant(target)) ||
            ast.isModel(target.$container)
        ) {
            continue;
        }
        if ((node.$cstNode?.offset ?? 0) < (target.$cstNode?.offset ?? 0)) {
            problems.error('name/too-early', `\`${target.name}\` is declared only further below`, rangeOf(node), [
                { message: 'declared here', range: nameRangeOf(target) },
            ]);
        }
    }
}
