/** The cells that generated code may read. Shared parts of expressions are visited once. */
import { forEachExpression } from '../sequential/cell-access.js';
import { operandsOf } from '../sequential/expression/operands.js';
import type { Participant, SequentialExpression, SequentialStatement } from '../sequential/sequential-model.js';

/** The cells that a participant may read, on its path or in its body. */
export function cellsReadBy({ path, body }: Pick<Participant, 'path' | 'body'>): ReadonlySet<number> {
    const onPath = path.map(element => (element.kind === 'test' ? element.condition : element.value));
    const cells = new Set<number>();
    for (const part of partsOf([...onPath, ...expressionsIn(body)])) {
        if (part.kind === 'cell') {
            cells.add(part.cell);
        } else if (part.kind === 'element') {
            part.cells.forEach(cell => cells.add(cell));
        }
    }
    return cells;
}

/** The cells among which an index in the expressions may choose; a cell may occur more than once. */
export function cellsChosen(expressions: readonly SequentialExpression[]): readonly number[] {
    return [...partsOf(expressions)].flatMap(part => (part.kind === 'element' ? part.cells : []));
}

/** The expressions that running the statements may evaluate. */
export function expressionsIn(statements: readonly SequentialStatement[]): readonly SequentialExpression[] {
    const expressions: SequentialExpression[] = [];
    forEachExpression(statements, expression => expressions.push(expression));
    return expressions;
}

function partsOf(expressions: readonly SequentialExpression[]): ReadonlySet<SequentialExpression> {
    const parts = new Set(expressions);
    // The loop also visits the parts that it adds.
    for (const part of parts) {
        operandsOf(part).forEach(operand => parts.add(operand));
    }
    return parts;
}
