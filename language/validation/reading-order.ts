/**
 * Names that are used too early. Initial values are computed in the order of the text, so each may read only variables
 * above it, also through the functions that it calls. A local name is known from its declaration on.
 */
import type { Node } from '../tree/node.js';
import { descendantsOf, nodesOf } from '../tree/descendants.js';
import * as ast from '../generated/nodes.js';
import { calledBy, nodesOfCalled } from '../references/calls.js';
import { isLocalDeclaration } from '../references/locals.js';
import { nameRangeOf, rangeOf, spanOf } from '../tree/source-text.js';
import type { ProblemCollector } from '../problems/problem-collector.js';

/** Checks the initial value of `variable`, one of `declarations`. All other names are known earlier. */
export function checkReadsEarlier(
    variable: ast.Variable,
    declarations: readonly { readonly $type: string }[],
    problems: ProblemCollector,
): void {
    const value = variable.initializer ?? variable.choices;
    if (value === undefined) {
        return;
    }
    const position = declarations.indexOf(variable);
    const isBeforeRun = isInitialized(variable);
    for (const { reference, at, through } of readsOf(value)) {
        const target = reference.target.ref;
        if (target === undefined) {
            continue;
        }
        const asksForPlace = reference.label !== undefined && isBeforeRun;
        const asksForMessages =
            ast.isChannelDeclaration(target) && ast.isModel(variable.$container) && asksForContents(reference);
        const isLater = ast.isVariable(target) && declarations.indexOf(target) >= position;
        if (asksForPlace || asksForMessages || isLater) {
            const reason = asksForPlace
                ? 'no process has a place yet'
                : asksForMessages
                  ? 'channels get their messages after all variables'
                  : target === variable
                    ? 'it is what is being initialized'
                    : 'it is initialized later';
            const reader = through === undefined ? '' : `, which \`${through.name}\` reads`;
            problems.error(
                'name/too-early',
                `the initial value cannot depend on \`${target.name}\`${reader}: ${reason}`,
                rangeOf(at),
                through === undefined ? [] : [{ message: 'read here', range: rangeOf(reference) }],
            );
        }
    }
}

/** Whether what is in a channel is read, and not only which channel it is. */
function asksForContents(reference: ast.Reference): boolean {
    const { $container: around, indices, target } = reference;
    const isArgument = ast.isCall(around) && around.function.ref?.$type === 'BuiltinFunction';
    const isSearched = ast.isBinaryExpression(around) && around.operator === 'in' && around.right === reference;
    const isPlace = ast.isChannelDeclaration(target.ref) && indices.length > target.ref.indices.length;
    return isArgument || isSearched || isPlace || ast.isBinderGroup(around);
}

/** Whether a variable gets its value before the run: it is shared, or at the beginning of a process that is no template. */
export function isInitialized(variable: ast.Variable): boolean {
    const block = variable.$container;
    return ast.isBlock(block) && ast.isProcess(block.$container) && !block.$container.isTemplate
        ? block.items.slice(0, variable.$containerIndex).every(isLocalDeclaration)
        : ast.isModel(block);
}

/** A name that an expression reads. The expression contains the node `at`: the name, or the call that leads to it. */
interface Read {
    readonly reference: ast.Reference;
    readonly at: Node;
    readonly through?: ast.FunctionDeclaration;
}

function readsOf(expression: Node): Read[] {
    const reads: Read[] = [];
    for (const node of nodesOf(expression)) {
        if (ast.isReference(node)) {
            reads.push({ reference: node, at: node });
        }
        const called = calledBy(node);
        for (const { node: inner, owner } of called === undefined ? [] : nodesOfCalled(called)) {
            if (ast.isReference(inner) && isShared(inner)) {
                reads.push({ reference: inner, at: node, through: owner });
            }
        }
    }
    return reads;
}

/** Whether a name does not belong to the function that reads it. */
function isShared({ target, label }: ast.Reference): boolean {
    return label !== undefined || ast.isModel(target.ref?.$container);
}

/** Reports local names that are used before or inside their declaration. */
export function checkUsedAfterDeclaration(
    owner: ast.Process | ast.FunctionDeclaration | ast.Procedure | ast.InitialBody,
    problems: ProblemCollector,
): void {
    for (const node of descendantsOf(owner)) {
        const target = ast.isReference(node) ? node.target.ref : undefined;
        if (!isLocalDeclaration(target) || ast.isModel(target.$container)) {
            continue;
        }
        const { offset } = spanOf(node);
        const { offset: start, end } = spanOf(target);
        // `checkReadsEarlier` reports a variable that reads itself.
        if (offset < start) {
            problems.error('name/too-early', `\`${target.name}\` is declared only further below`, rangeOf(node), [
                { message: 'declared here', range: nameRangeOf(target) },
            ]);
        } else if (!ast.isVariable(target) && offset < end) {
            problems.error('name/too-early', `\`${target.name}\` is what is being defined here`, rangeOf(node));
        }
    }
}
