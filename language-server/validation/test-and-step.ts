/**
 * Tests that are one transition with the next step. `while taken { } enter: taken := true` is an atomic test-and-set,
 * but in a paper it often means two steps. Reported only if the test reads what another instance writes, and the step
 * writes a shared variable.
 */
import { AstUtils, type AstNode } from 'langium';
import { unreachable } from '../../engine/common/assert.js';
import { descendantsOf, nodesOf } from '../descendants.js';
import * as ast from '../generated/ast.js';
import { rangeOf } from '../source-range.js';
import type { ProblemCollector } from '../problems/problem-collector.js';
import { baseOf, isPlace, rootOf } from '../references/places.js';

/** An assignment to a shared variable. */
interface Write {
    readonly process: ast.Process;
    readonly target: ast.Expression;
}

export function checkTestAndStep(processes: readonly ast.Process[], problems: ProblemCollector): void {
    const writes = new Map<ast.Variable, Write[]>();
    for (const process of processes) {
        for (const target of assignedIn(process)) {
            const variable = rootOf(target);
            if (isShared(variable)) {
                writes.set(variable, [...(writes.get(variable) ?? []), { process, target }]);
            }
        }
    }
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

/** The steps that can come next from a place in the text. A way that comes back to its start adds no step. */
class FollowingSteps {
    private readonly known = new Map<ast.Item, readonly ast.Step[]>();

    /** The steps that are one transition with the test of a `while` or an `if`, whatever its outcome. */
    afterTest(node: ast.While | ast.IfControl): readonly ast.Step[] {
        if (ast.isWhile(node)) {
            return [...this.atBlock(node.body), ...this.behind(node)];
        }
        return [...this.atBlock(node.then), ...this.atElse(node)];
    }

    private atElse(node: ast.IfControl): readonly ast.Step[] {
        if (node.elseIf !== undefined) {
            return this.at(node.elseIf);
        }
        return node.otherwise === undefined ? this.behind(node) : this.atBlock(node.otherwise);
    }

    private at(item: ast.Item): readonly ast.Step[] {
        let steps = this.known.get(item);
        if (steps === undefined) {
            this.known.set(item, []);
            steps = [...new Set(this.compute(item))];
            this.known.set(item, steps);
        }
        return steps;
    }

    private compute(item: ast.Item): readonly ast.Step[] {
        switch (item.$type) {
            case 'Step':
                return [item];
            case 'Labeled':
                return this.at(item.item);
            case 'Variable':
            case 'Constant':
            case 'Let':
                return this.behind(item);
            case 'Terminate':
                return [];
            case 'Break': {
                const loop = AstUtils.getContainerOfType(item, isLoop);
                return loop === undefined ? [] : this.behind(loop);
            }
            case 'Loop':
                return this.atBlock(item.body);
            case 'While':
            case 'IfControl':
                return this.afterTest(item);
            case 'For':
                return [...this.atBlock(item.body), ...this.behind(item)];
            case 'Choose':
                return item.alternatives.flatMap(alternative => this.atBlock(alternative.body));
            default:
                return unreachable(item);
        }
    }

    /** The steps with which a block begins; those behind it if it is empty. */
    private atBlock(block: ast.Block): readonly ast.Step[] {
        const [first] = block.items;
        return first === undefined ? this.behindBlock(block) : this.at(first);
    }

    private behind(item: ast.Item): readonly ast.Step[] {
        const container = item.$container;
        if (ast.isLabeled(container) || ast.isIfControl(container)) {
            return this.behind(container);
        }
        if (!ast.isBlock(container)) {
            return [];
        }
        const next = container.items[container.items.indexOf(item) + 1];
        return next === undefined ? this.behindBlock(container) : this.at(next);
    }

    private behindBlock(block: ast.Block): readonly ast.Step[] {
        const container = block.$container;
        switch (container.$type) {
            case 'Loop':
            case 'While':
                return this.at(container);
            case 'For':
                return [...this.atBlock(block), ...this.behind(container)];
            case 'IfControl':
                return this.behind(container);
            case 'Alternative':
                return this.behind(container.$container);
            case 'Process':
                return [];
            default:
                return unreachable(container);
        }
    }
}

function isLoop(node: AstNode): node is ast.Loop | ast.While | ast.For {
    return ast.isLoop(node) || ast.isWhile(node) || ast.isFor(node);
}

/** Whether a test reads a cell that another instance may write. */
function readsWhatOthersWrite(
    condition: ast.Expression,
    process: ast.Process,
    writes: ReadonlyMap<ast.Variable, readonly Write[]>,
): boolean {
    return nodesOf(condition).some(node => {
        const variable = ast.isReference(node) ? node.target.ref : undefined;
        return (
            ast.isReference(node) &&
            isShared(variable) &&
            (writes.get(variable) ?? []).some(
                write =>
                    write.process !== process ||
                    (process.indices.length > 0 && !isOwnCell(node, write.target, process)),
            )
        );
    });
}

/** Whether both are a cell of one instance: each index of the process is an index of both at the same position. */
function isOwnCell(read: ast.Reference, target: ast.Expression, process: ast.Process): boolean {
    const base = baseOf(target);
    const write = ast.isReference(base) ? base : undefined;
    return process.indices.every(index =>
        read.indices.some(
            (expression, position) => isName(expression, index) && isName(write?.indices[position], index),
        ),
    );
}

function isName(expression: ast.Expression | undefined, index: ast.ProcessIndex): boolean {
    return ast.isReference(expression) && expression.target.ref === index;
}

function writesShared(step: ast.Step): boolean {
    return assignedIn(step).some(target => isShared(rootOf(target)));
}

/** The places that a step or the steps of a process assign to. A receive assigns to the places of its pattern. */
function assignedIn(node: ast.Step | ast.Process): ast.Expression[] {
    return nodesOf(node).flatMap(inner => {
        if (ast.isAssignment(inner)) {
            return [inner.target];
        }
        if (ast.isExpressionPattern(inner)) {
            return inner.equal ? [] : boundIn(inner.value);
        }
        return ast.isStep(inner) && inner.value !== undefined && inner.place !== undefined ? [inner.place] : [];
    });
}

/** The places that a pattern binds: the expression, or the parts of a record. */
function boundIn(pattern: ast.Expression): ast.Expression[] {
    return ast.isCall(pattern) ? pattern.arguments.flatMap(boundIn) : isPlace(pattern) ? [pattern] : [];
}

function isShared(variable: ast.Named | undefined): variable is ast.Variable {
    return ast.isVariable(variable) && ast.isModel(variable.$container);
}

function nameOf(step: ast.Step): string {
    return ast.isLabeled(step.$container) ? ` \`${step.$container.name}\`` : '';
}
