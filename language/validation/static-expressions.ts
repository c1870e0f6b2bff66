/** Expressions that read no variable and no label, and the sizes of a process's constants after replacement. */
import type { Node } from '../tree/node.js';
import { descendantsOf, nodesOf } from '../tree/descendants.js';
import * as ast from '../generated/nodes.js';
import { declaredTypeIn } from '../references/declared-type.js';
import { templateReferredTo } from '../references/templates.js';
import { calledBy, nodesOfCalled } from '../references/calls.js';
import { isChosen } from '../references/locals.js';
import { rangeOf } from '../tree/source-text.js';
import { describeNamed, formatCount } from '../problems/describe.js';
import type { ProblemCode } from '../problems/codes.js';
import type { ProblemCollector } from '../problems/problem-collector.js';

/** Reports the names in `expression` whose values change during a run. `what` begins the message. */
export function checkStatic(
    expression: ast.Expression,
    what: string,
    problems: ProblemCollector,
    code: ProblemCode = 'type/not-constant',
): void {
    for (const node of nodesOf(expression)) {
        const changing = changingIn(node);
        if (changing !== undefined) {
            problems.error(code, `${what} cannot depend on ${changing}`, rangeOf(node));
            continue;
        }
        const called = calledBy(node);
        const reader = called && readerAmong(called);
        if (called !== undefined && reader !== undefined) {
            problems.error(
                code,
                `${what} cannot depend on \`${called.name}\`, which ${reader.isDirect ? '' : 'calls a function that '}` +
                    `reads ${reader.what}`,
                rangeOf(node),
                [{ message: 'read here', range: rangeOf(reader.node) }],
            );
        }
    }
}

/** The words for a node whose value changes during a run. */
function changingIn(node: Node): string | undefined {
    if (ast.isInstanceAt(node)) {
        return 'where a process is';
    }
    if (ast.isBinderGroup(node) && node.type !== undefined && declaredTypeIn(node.type)?.$type === 'Process') {
        return 'which instances live';
    }
    if (ast.isFieldAccess(node) && templateReferredTo(node.record) !== undefined) {
        return 'another instance';
    }
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

/** Whether a name is the argument of `len`, `full` or `empty`: `len` of an array does not read it. */
function isSizeAsked(node: ast.Reference): boolean {
    const call = node.$container;
    return ast.isCall(call) && ast.isBuiltinFunction(call.function.ref) && call.arguments.includes(node);
}

/** The first name whose value changes during a run, in a function or in one that it calls. */
function readerAmong(
    declaration: ast.FunctionDeclaration,
): { readonly node: Node; readonly what: string; readonly isDirect: boolean } | undefined {
    for (const { node, owner } of nodesOfCalled(declaration)) {
        const what = isOwn(node) ? undefined : changingIn(node);
        if (what !== undefined) {
            return { node, what, isDirect: owner === declaration };
        }
    }
    return undefined;
}

/** Whether a name is a variable of the function, which is new in each call. */
function isOwn(node: Node): boolean {
    const target = ast.isReference(node) ? node.target.ref : undefined;
    return ast.isVariable(target) && ast.isBody(target.$container);
}

/** The most nodes of an expression after the constants in it are replaced. */
const EXPANDED_SIZE_LIMIT = 10_000;

/** Reports the constants of a process that are too large after the constants in them are replaced. */
export function checkExpandedSizes(process: ast.Process, problems: ProblemCollector): void {
    const sizes = new Map<ast.Constant | ast.Let, number>();
    const sizeOf = (constant: ast.Constant | ast.Let): number => {
        const known = sizes.get(constant);
        if (known !== undefined) {
            return known;
        }
        // A constant that needs itself counts as one node; another check reports it.
        sizes.set(constant, 1);
        let size = 0;
        for (const node of nodesOf(constant.value)) {
            const target = ast.isReference(node) ? node.target.ref : undefined;
            size += isReplaced(target) ? sizeOf(target) : 1;
        }
        if (size > EXPANDED_SIZE_LIMIT) {
            const expression = `an expression of ${formatCount(size)} parts once the constants in it are replaced`;
            const what = `\`${constant.name}\` names ${expression}`;
            problems.tooLarge(what, EXPANDED_SIZE_LIMIT, rangeOf(constant.value));
            // The constants that use it are reported only if they are too large without it.
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

/** Whether a name of a process stands for its expression. A `let` in a body has a value instead. */
function isReplaced(node: Node | undefined): node is ast.Constant | ast.Let {
    return (ast.isConstant(node) || ast.isLet(node)) && ast.isBlock(node.$container);
}
