/** Expressions that must have one value for each instance: they read no variable and no place of control. */
import { AstUtils } from 'langium';
import * as ast from '../generated/ast.js';
import type { Expression } from '../generated/ast.js';
import { rangeOf } from '../source-range.js';
import { describeNamed } from '../typing/constants.js';
import type { ProblemCollector } from './problem-collector.js';

/** Reports what in `expression` changes during a run; `what` begins the message. */
export function checkStatic(expression: Expression, what: string, problems: ProblemCollector): void {
    for (const node of AstUtils.streamAst(expression)) {
        if (!ast.isReference(node)) {
            continue;
        }
        const target = node.target.ref;
        if (node.label !== undefined) {
            problems.error('type/not-constant', `${what} cannot depend on where a process is`, rangeOf(node));
        } else if (ast.isVariable(target)) {
            problems.error(
                'type/not-constant',
                `${what} cannot depend on \`${target.name}\`, which is ${describeNamed(target)}`,
                rangeOf(node),
            );
        }
    }
}
