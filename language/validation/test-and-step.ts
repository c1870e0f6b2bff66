/**
 * Tests that are one transition with the next step. `while taken { } enter: taken := true` is an atomic test-and-set,
 * but in a paper it often means two steps. Reported only if the test reads what another instance writes, and the step
 * writes a shared variable.
 */
import { descendantsOf, nodesOf } from '../tree/descendants.js';
import * as ast from '../generated/nodes.js';
import { rangeOf } from '../tree/source-text.js';
import type { ProblemCollector } from '../problems/problem-collector.js';
import { baseOf, placesWrittenIn, rootOf } from '../references/places.js';
import { selfOf } from '../references/templates.js';
import { FollowingSteps } from './following-steps.js';

/** An assignment to a shared variable. */
interface Write {
    readonly process: ast.Process;
    readonly target: ast.Expression;
}

export type SharedWrites = ReadonlyMap<ast.Variable, readonly Write[]>;

/** The assignments of all processes to each shared variable. */
export function sharedWrites(processes: readonly ast.Process[]): SharedWrites {
    const writes = new Map<ast.Variable, Write[]>();
    for (const process of processes) {
        for (const target of placesWrittenIn(process)) {
            const variable = rootOf(target);
            if (isShared(variable)) {
                writes.set(variable, [...(writes.get(variable) ?? []), { process, target }]);
            }
        }
    }
    return writes;
}

export function checkTestAndStep(
    processes: readonly ast.Process[],
    writes: SharedWrites,
    problems: ProblemCollector,
): void {
    for (const process of processes) {
        const following = new FollowingSteps();
        for (const node of descendantsOf(process)) {
            if (!ast.isWhile(node) && !ast.isIfControl(node)) {
                continue;
            }
            const step = following.afterTest(node).find(candidate => writesShared(candidate));
            if (step !== undefined && readsWhatOthersWrite(node.condition, process, writes)) {
                problems.information(
                    'process/test-and-step',
                    `this test and the step${nameOf(step)} behind it are one transition; to look first and act later, ` +
                        'let a step stand between them',
                    rangeOf(node.condition),
                );
            }
        }
    }
}

/** Whether a test reads a cell that another instance may write. */
export function readsWhatOthersWrite(condition: ast.Expression, process: ast.Process, writes: SharedWrites): boolean {
    return nodesOf(condition).some(node => {
        const variable = ast.isReference(node) ? node.target.ref : undefined;
        if (ast.isLet(variable)) {
            return readsWhatOthersWrite(variable.value, process, writes);
        }
        return (
            ast.isReference(node) &&
            isShared(variable) &&
            (writes.get(variable) ?? []).some(
                write =>
                    write.process !== process ||
                    ((process.indices.length > 0 || process.isTemplate) && !isOwnCell(node, write.target, process)),
            )
        );
    });
}

/** Whether both are a cell of one instance: each index of the process is an index of both at the same position. */
function isOwnCell(read: ast.Reference, target: ast.Expression, process: ast.Process): boolean {
    const base = baseOf(target);
    const write = ast.isReference(base) ? base : undefined;
    const indices: readonly ast.Named[] = process.isTemplate ? [selfOf(process)] : process.indices;
    return indices.every(index =>
        read.indices.some(
            (expression, position) => isName(expression, index) && isName(write?.indices[position], index),
        ),
    );
}

function isName(expression: ast.Expression | undefined, index: ast.Named): boolean {
    return ast.isReference(expression) && expression.target.ref === index;
}

function writesShared(step: ast.Step): boolean {
    return placesWrittenIn(step).some(target => isShared(rootOf(target)));
}

function isShared(variable: ast.Named | undefined): variable is ast.Variable {
    return ast.isVariable(variable) && ast.isModel(variable.$container);
}

function nameOf(step: ast.Step): string {
    return ast.isLabeled(step.$container) ? ` \`${step.$container.name}\`` : '';
}
