/**
 * Expressions that must have one value for each instance: they read no variable and no place of control; and the size
 * of the constants of a process once names are replaced by what they stand for.
 */
import type { AstNode } from 'langium';
import { descendantsOf, nodesOf } from '../descendants.js';
import * as ast from '../generated/ast.js';
import type { Constant, Expression, Let, Process } from '../generated/ast.js';
import { isChosen } from '../references/locals.js';
import { rangeOf } from '../source-range.js';
import { describeNamed, formatCount } from '../typing/describe.js';
import type { ProblemCollector } from '../problems/problem-collector.js';

/** Reports what in `expression` changes during a run; `what` begins the message. */
export function checkStatic(expression: Expression, what: string, problems: ProblemCollector): void {
    for (const node of nodesOf(expression)) {
        const changing = changingIn(node);
        if (changing !== undefined) {
            problems.error('type/not-constant', `${what} cannot depend on ${changing}`, rangeOf(node));
            continue;
        }
        const called = ast.isCall(node) ? node.function.ref : undefined;
        const reader = ast.isFunctionDeclaration(called) ? readerAmong(called) : undefined;
        if (reader !== undefined && ast.isFunctionDeclaration(called)) {
            problems.error(
                'type/not-constant',
                `${what} cannot depend on \`${called.name}\`, which ${reader.isDirect ? '' : 'calls a function that '}` +
                    `reads ${reader.what}`,
                rangeOf(node),
                [{ message: 'read here', range: rangeOf(reader.node) }],
            );
        }
    }
}

/** What a node reads that changes during a run, in words. */
function changingIn(node: AstNode): string | undefined {
    if (!ast.isReference(node)) {
        return undefined;
    }
    const target = node.target.ref;
    if (node.label !== undefined) {
        return 'where a process is';
    }
    if (ast.isVariable(target) || (ast.isBinderVariable(target) && isChosen(target))) {
        return isSizeAsked(node) ? undefined : `\`${target.name}\`, which is ${describeNamed(target)}`;
    }
    return ast.isChannelDeclaration(target) && isSizeAsked(node)
        ? `how many messages \`${target.name}\` holds`
        : undefined;
}

/** `len(x)`, which for an array is no read; `full` and `empty` of a channel. */
function isSizeAsked(node: ast.Reference): boolean {
    const call = node.$container;
    return ast.isCall(call) && ast.isBuiltinFunction(call.function.ref) && call.arguments.includes(node);
}

/** What a function reads that changes during a run, be it through the functions it calls. */
function readerAmong(
    declaration: ast.FunctionDeclaration,
): { readonly node: AstNode; readonly what: string; readonly isDirect: boolean } | undefined {
    const functions = new Set([declaration]);
    // The set grows while it is gone through.
    for (const each of functions) {
        for (const node of descendantsOf(each)) {
            const called = ast.isCall(node) ? node.function.ref : undefined;
            if (ast.isFunctionDeclaration(called)) {
                functions.add(called);
            }
            const what = isOwn(node) ? undefined : changingIn(node);
            if (what !== undefined) {
                return { node, what, isDirect: each === declaration };
            }
        }
    }
    return undefined;
}

/** A variable of the function itself begins anew with each call. */
function isOwn(node: AstNode): boolean {
    const target = ast.isReference(node) ? node.target.ref : undefined;
    return ast.isVariable(target) && ast.isBody(target.$container);
}

/** The most nodes that an expression may have once the constants in it are replaced. */
const EXPANDED_SIZE_LIMIT = 10_000;

/** Reports the constants of a process whose expansion, one inside the other, grows beyond all measure. */
export function checkExpandedSizes(process: Process, problems: ProblemCollector): void {
    const sizes = new Map<Constant | Let, number>();
    const sizeOf = (constant: Constant | Let): number => {
        const known = sizes.get(constant);
        if (known !== undefined) {
            return known;
        }
        // A constant that needs itself has an error of its own; it counts as one node.
        sizes.set(constant, 1);
        let size = 0;
        for (const node of nodesOf(constant.value)) {
            const target = ast.isReference(node) ? node.target.ref : undefined;
            size += isReplaced(target) ? sizeOf(target) : 1;
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
    for (const node of descendantsOf(process)) {
        if (isReplaced(node)) {
            sizeOf(node);
        }
    }
}

/** Names of a process that stand for their expression. A `let` in a body has a value instead. */
function isReplaced(node: AstNode | undefined): node is Constant | Let {
    return (ast.isConstant(node) || ast.isLet(node)) && ast.isBlock(node.$container);
}
