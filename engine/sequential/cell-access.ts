/** Which cells expressions read, and which cells statements and summands read or write. */
import { sortAscending } from '../common/ascending.js';
import { unreachable } from '../common/assert.js';
import { remembered } from '../common/list-map.js';
import { operandsOf } from './expression/operands.js';
import type {
    Participant,
    SequentialExpression,
    SequentialPlace,
    SequentialStatement,
    Summand,
} from './sequential-model.js';

/**
 * Calls `visit` with each cell that evaluating the expression may read, possibly more than once. The look for a free slot is
 * none: nothing is computed from the names that cells hold.
 */
export function forEachCellRead(expression: SequentialExpression, visit: (cell: number) => void): void {
    if (expression.kind === 'cell' || expression.kind === 'holds') {
        visit(expression.cell);
    } else if (expression.kind === 'element') {
        expression.cells.forEach(visit);
    }
    for (const operand of operandsOf(expression)) {
        forEachCellRead(operand, visit);
    }
}

/** The cells that evaluating the expression may read, ascending. */
export function supportOf(expression: SequentialExpression): readonly number[] {
    let support = knownSupports.get(expression);
    if (support === undefined) {
        const cells = new Set<number>();
        forEachCellRead(expression, cell => cells.add(cell));
        support = sortAscending([...cells]);
        knownSupports.set(expression, support);
    }
    return support;
}

const knownSupports = new WeakMap<SequentialExpression, readonly number[]>();

/** Whether evaluating the expression may read one of the cells. */
export function readsAnyOf(expression: SequentialExpression, cells: ReadonlySet<number>): boolean {
    return cells.size > 0 && supportOf(expression).some(cell => cells.has(cell));
}

/** The cells that an assignment to the place may write. */
export function cellsOfPlace(place: SequentialPlace): readonly number[] {
    return place.kind === 'cell' ? [place.cell] : place.cells;
}

/** The cells that a summand may write, on the path of a participant or in a body; ascending. */
export function cellsWrittenBySummand(summand: Summand): readonly number[] {
    return remembered(knownWritten, summand, () => {
        const cells = summand.participants.flatMap(cellsWrittenBy);
        return summand.participants.length === 1 ? cells : sortAscending([...new Set(cells)]);
    });
}

const knownWritten = new WeakMap<Summand, readonly number[]>();

/** The cells that a participant may write, on its path or in its body; ascending. */
export function cellsWrittenBy({ path, body }: Pick<Participant, 'path' | 'body'>): readonly number[] {
    const written = cellsWritten(body);
    const initialized = path.flatMap(element => (element.kind === 'assign' ? [element.cell] : []));
    return initialized.length === 0 ? written : sortAscending([...new Set([...written, ...initialized])]);
}

/** Calls `visit` with each statement, a statement before those inside it. */
export function forEachSequentialStatement(
    statements: readonly SequentialStatement[],
    visit: (statement: SequentialStatement) => void,
): void {
    for (const statement of statements) {
        visit(statement);
        if (statement.kind === 'if') {
            forEachSequentialStatement(statement.then, visit);
            forEachSequentialStatement(statement.otherwise, visit);
        } else if (statement.kind === 'while') {
            forEachSequentialStatement(statement.body, visit);
        }
    }
}

/** The cells that running the statements may write, ascending. */
export function cellsWritten(statements: readonly SequentialStatement[]): readonly number[] {
    const cells = new Set<number>();
    forEachSequentialStatement(statements, statement => {
        if (statement.kind === 'assign') {
            cellsOfPlace(statement.target).forEach(cell => cells.add(cell));
        } else if (statement.kind === 'clear') {
            cells.add(statement.cell);
        }
    });
    return sortAscending([...cells]);
}

/** Calls `visit` with each expression that running the statements may evaluate. */
export function forEachExpression(
    statements: readonly SequentialStatement[],
    visit: (expression: SequentialExpression) => void,
): void {
    forEachSequentialStatement(statements, statement => {
        switch (statement.kind) {
            case 'assign':
                visit(statement.value);
                if (statement.target.kind === 'element') {
                    statement.target.indices.forEach(visit);
                }
                break;
            case 'if':
            case 'while':
            case 'assert':
                visit(statement.condition);
                break;
            case 'clear':
                break;
            default:
                unreachable(statement);
        }
    });
}

/** The same for the path and the body of a participant. */
export function forEachExpressionOf(
    { path, body }: Participant,
    visit: (expression: SequentialExpression) => void,
): void {
    path.forEach(element => {
        visit(element.kind === 'test' ? element.condition : element.value);
    });
    forEachExpression(body, visit);
}

/** Visits the cells that may be read before they are written. `defined`: those certainly written, to which it adds. */
export function forEachReadBeforeWrite(
    statements: readonly SequentialStatement[],
    defined: Set<number>,
    visit: (cell: number) => void,
): void {
    const read = (expression: SequentialExpression): void => {
        forEachCellRead(expression, cell => {
            if (!defined.has(cell)) {
                visit(cell);
            }
        });
    };
    for (const statement of statements) {
        switch (statement.kind) {
            case 'assign':
                read(statement.value);
                if (statement.target.kind === 'cell') {
                    defined.add(statement.target.cell);
                } else {
                    statement.target.indices.forEach(read);
                }
                break;
            case 'clear':
                defined.add(statement.cell);
                break;
            case 'if': {
                read(statement.condition);
                const otherwise = new Set(defined);
                const then = new Set(defined);
                forEachReadBeforeWrite(statement.then, then, visit);
                forEachReadBeforeWrite(statement.otherwise, otherwise, visit);
                [...then].filter(cell => otherwise.has(cell)).forEach(cell => defined.add(cell));
                break;
            }
            case 'while':
                read(statement.condition);
                forEachReadBeforeWrite(statement.body, new Set(defined), visit);
                break;
            case 'assert':
                read(statement.condition);
                break;
            default:
                unreachable(statement);
        }
    }
}

/** The cells that a round writes and the next may read first: they alone decide how often the body runs. Ascending. */
export function cellsCarried({ condition, body }: Extract<SequentialStatement, { kind: 'while' }>): readonly number[] {
    const carried = new Set<number>();
    const written = new Set(cellsWritten(body));
    const addRead = (cell: number): void => {
        if (written.has(cell)) {
            carried.add(cell);
        }
    };
    forEachCellRead(condition, addRead);
    forEachReadBeforeWrite(body, new Set(), addRead);
    return sortAscending([...carried]);
}
