/** Which cells expressions read and statements write. */
import { unreachable } from '../common/assert.js';
import { forEachCellRead } from './liveness.js';
import type { SequentialExpression, SequentialPlace, SequentialStatement } from './sequential-model.js';

/** Whether evaluating the expression may read one of the cells. */
export function readsAnyOf(expression: SequentialExpression, cells: ReadonlySet<number>): boolean {
    let reads = false;
    if (cells.size > 0) {
        forEachCellRead(expression, cell => {
            reads ||= cells.has(cell);
        });
    }
    return reads;
}

/** The cells that an assignment to the place may write. */
export function cellsOfPlace(place: SequentialPlace): readonly number[] {
    return place.kind === 'cell' ? [place.cell] : place.cells;
}

/** Calls `visit` with each cell that the statements may write or clear, possibly more than once. */
export function forEachCellWritten(statements: readonly SequentialStatement[], visit: (cell: number) => void): void {
    for (const statement of statements) {
        switch (statement.kind) {
            case 'assign':
                cellsOfPlace(statement.target).forEach(visit);
                break;
            case 'clear':
                visit(statement.cell);
                break;
            case 'if':
                forEachCellWritten(statement.then, visit);
                forEachCellWritten(statement.otherwise, visit);
                break;
            case 'while':
                forEachCellWritten(statement.body, visit);
                break;
            case 'assert':
                break;
            default:
                unreachable(statement);
        }
    }
}
