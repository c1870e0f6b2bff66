/**
 * Expressions that must have one value for each instance: they read no variable and no place of control; and the size
 * of the constants of a process once names are replaced by what they stand for.
 */
import { AstUtils } from 'langium';
import * as ast from '../generated/ast.js';
import type { Constant, Expression, Process } from '../generated/ast.js';
import { rangeOf } from '../source-range.js';
import { describeNamed, formatCount } from '../typing/describe.js';
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

/** The most nodes that an expression may have once the constants in it are replaced. */
const EXPANDED_SIZE_LIMIT = 10_000;

/** Reports the constants of a process whose expansion, one inside the other, grows beyond all measure. */
export function checkExpandedSizes(process: Process, problems: ProblemCollector): void {
    const sizes = new Map<Constant, number>();
    const sizeOf = (constant: Constant): number => {
        const known = sizes.get(constant);
        if (known !== undefined) {
            return known;
        }
        // A constant that needs itself has an error of its own; it counts as one node.
        sizes.set(constant, 1);
        let size = 0;
        for (const node of AstUtils.streamAst(constant.value)) {
            const target = ast.isReference(node) ? node.target.ref : undefined;
            size += ast.isConstant(target) && !ast.isModel(target.$container) ? sizeOf(target) : 1;
        }
        if (size > EXPANDED_SIZE_LIMIT) {
            const names = `\`${constant.name}\` names an expression of ${formatCount(size)} parts`;
            problems.error(
                'type/too-large',
                `${names} once the constants in it are replaced; at most ${formatCount(EXPANDED_SIZE_LIMIT)} are possible`,
                rangeOf(constant.value),
            );
            // Reported once: those that use it start again.
            size = 1;
        }
        sizes.set(constant, size);
        return size;
    };
    for (const node of AstUtils.streamAllContents(process.body)) {
        if (ast.isConstant(node)) {
            sizeOf(node);
        }
    }
}
