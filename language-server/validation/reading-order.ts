/**
 * What is used before it is there. Initial values are computed in the order of the text, so each may read only what
 * stands before it, also through the functions it calls; a local name is known from its declaration on.
 */
import type { AstNode } from 'langium';
import { descendantsOf, nodesOf } from '../descendants.js';
import * as ast from '../generated/ast.js';
import type { FunctionDeclaration, Process, Reference, Variable } from '../generated/ast.js';
import { nameRangeOf, rangeOf } from '../source-range.js';
import type { ProblemCollector } from '../problems/problem-collector.js';

/** Checks the initial value of `variable`, one of `declarations`. Names from outside of them are all earlier. */
export function checkReadsEarlier(
    variable: Variable,
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
        if (asksForPlace || (ast.isVariable(target) && declarations.indexOf(target) >= position)) {
            const reason = asksForPlace
                ? 'no process has a place yet'
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

/** Whether a variable gets its value before the run: shared ones, and those at the head of a process. */
function isInitialized(variable: Variable): boolean {
    const block = variable.$container;
    if (ast.isModel(block)) {
        return true;
    }
    const isHead = ast.isBlock(block) && ast.isProcess(block.$container);
    return (
        isHead &&
        block.items
            .slice(0, variable.$containerIndex)
            .every(item => ast.isVariable(item) || ast.isConstant(item) || ast.isLet(item))
    );
}

/** Something that is read, and where that shows in the expression: at the name, or at the call that leads to it. */
interface Read {
    readonly reference: Reference;
    readonly at: AstNode;
    readonly through?: FunctionDeclaration;
}

function readsOf(expression: AstNode): Read[] {
    const reads: Read[] = [];
    for (const node of nodesOf(expression)) {
        if (ast.isReference(node)) {
            reads.push({ reference: node, at: node });
        }
        const called = ast.isCall(node) ? node.function.ref : undefined;
        if (ast.isFunctionDeclaration(called)) {
            const functions = new Set([called]);
            // The set grows while it is gone through.
            for (const each of functions) {
                for (const inner of descendantsOf(each)) {
                    const further = ast.isCall(inner) ? inner.function.ref : undefined;
                    if (ast.isFunctionDeclaration(further)) {
                        functions.add(further);
                    } else if (ast.isReference(inner) && isShared(inner)) {
                        reads.push({ reference: inner, at: node, through: each });
                    }
                }
            }
        }
    }
    return reads;
}

/** Not a name of the function itself. */
function isShared({ target, label }: Reference): boolean {
    return label !== undefined || ast.isModel(target.ref?.$container);
}

/** Reports local names that are used before their declaration, or in it. */
export function checkUsedAfterDeclaration(owner: Process | FunctionDeclaration, problems: ProblemCollector): void {
    for (const node of descendantsOf(owner)) {
        const target = ast.isReference(node) ? node.target.ref : undefined;
        if (
            target === undefined ||
            !(ast.isVariable(target) || ast.isConstant(target) || ast.isLet(target)) ||
            ast.isModel(target.$container)
        ) {
            continue;
        }
        const offset = node.$cstNode?.offset ?? 0;
        const { offset: start = 0, end = 0 } = target.$cstNode ?? {};
        // What a variable may not read of itself is said where its initial value is looked at.
        if (offset < start) {
            problems.error('name/too-early', `\`${target.name}\` is declared only further below`, rangeOf(node), [
                { message: 'declared here', range: nameRangeOf(target) },
            ]);
        } else if (!ast.isVariable(target) && offset < end) {
            problems.error('name/too-early', `\`${target.name}\` is what is being defined here`, rangeOf(node));
        }
    }
}
