/**
 * Which codes a cell is ever seen to hold: those that it can have between steps, and those that it has within a step
 * where somebody may look at it.
 *
 * A step may write a cell and read it again, or write it twice; what it holds meanwhile need not be what it can hold
 * after a step. But what is written last and read no more either survives the step, or the step is a fault or does not
 * happen and nobody sees it. In: codes between steps, from the fixpoint in constraints/reachable-values.ts. Out: one range for
 * each cell. O(size of the summands), and the cells that they read once for each statement.
 */
import { unreachable } from '../common/assert.js';
import type { Domains } from '../constraints/formula.js';
import { codeOfValue, domainSize, NONE } from '../model/domain.js';
import type { Domain } from '../model/domain.js';
import { cellsOfPlace, cellsWritten, forEachExpression, supportOf } from '../sequential/cell-access.js';
import { codeRangeOf } from '../sequential/expression/code-range.js';
import type {
    Cell,
    CodeRange,
    Participant,
    SequentialExpression,
    SequentialModel,
    SequentialStatement,
} from '../sequential/sequential-model.js';
import { boundsOf } from '../sequential/expression/simplify.js';

/** `domains` as in ReachableValues: empty for a cell with too many values to list, which keeps all of its codes. */
export function occurringCodes({ cells, summands }: SequentialModel, domains: Domains): CodeRange[] {
    const ranges = cells.map((cell, index) => {
        const codes = domains[index];
        return codes.length === 0 ? codeRangeOf(cell) : { least: codes[0], most: codes[codes.length - 1] };
    });
    for (const { participants } of summands) {
        for (const participant of participants) {
            forEachSeenAssignment(participant, (cell, value) => {
                ranges[cell] = united(ranges[cell], codesOfValue(value, cells[cell].domain, cells));
            });
        }
    }
    return ranges;
}

function united(first: CodeRange, second: CodeRange): CodeRange {
    if (second.least > second.most) {
        return first;
    }
    return first.least > first.most
        ? second
        : { least: Math.min(first.least, second.least), most: Math.max(first.most, second.most) };
}

/** The codes in a domain that an expression may come to. */
function codesOfValue(value: SequentialExpression, domain: Domain, cells: readonly Cell[]): CodeRange {
    const { low, high, mayBeNone } = boundsOf(value, cells);
    const offset = domain.kind === 'optional' ? 1 : 0;
    const base = domain.kind === 'optional' ? domain.base : domain;
    const first = base.kind === 'range' ? base.low : 0;
    const least = Math.max(low - first, 0) + offset;
    const most = Math.min(high - first, domainSize(base) - 1) + offset;
    const none = mayBeNone ? codeOfValue(domain, NONE) : -1;
    const range = { least, most };
    return none < 0 ? range : united({ least: none, most: none }, range);
}

type Visit = (cell: number, value: SequentialExpression) => void;

/** Calls `visit` with each assignment of a participant whose cell it may read or write again afterwards. */
function forEachSeenAssignment({ path, body }: Participant, visit: Visit): void {
    const later = new Set<number>();
    visitBackward(body, later, visit);
    for (const element of [...path].reverse()) {
        if (element.kind === 'assign') {
            assigned([element.cell], element.value, later, visit);
        }
        add(later, element.kind === 'test' ? element.condition : element.value);
    }
}

/** `later`, to which it adds, are the cells that are read or written after the statements. */
function visitBackward(statements: readonly SequentialStatement[], later: Set<number>, visit: Visit): void {
    for (let index = statements.length - 1; index >= 0; index--) {
        const statement = statements[index];
        switch (statement.kind) {
            case 'assign':
                assigned(cellsOfPlace(statement.target), statement.value, later, visit);
                add(later, statement.value);
                if (statement.target.kind === 'element') {
                    statement.target.indices.forEach(position => {
                        add(later, position);
                    });
                }
                break;
            case 'clear':
                later.add(statement.cell);
                break;
            case 'if': {
                const otherwise = new Set(later);
                visitBackward(statement.then, later, visit);
                visitBackward(statement.otherwise, otherwise, visit);
                otherwise.forEach(cell => later.add(cell));
                add(later, statement.condition);
                break;
            }
            case 'while':
                // Each round may be followed by another one.
                forEachExpression([statement], expression => {
                    add(later, expression);
                });
                cellsWritten(statement.body).forEach(cell => later.add(cell));
                visitBackward(statement.body, later, visit);
                break;
            case 'assert':
                add(later, statement.condition);
                break;
            default:
                unreachable(statement);
        }
    }
}

function assigned(cells: readonly number[], value: SequentialExpression, later: Set<number>, visit: Visit): void {
    for (const cell of cells) {
        if (later.has(cell)) {
            visit(cell, value);
        }
        later.add(cell);
    }
}

function add(later: Set<number>, expression: SequentialExpression): void {
    for (const cell of supportOf(expression)) {
        later.add(cell);
    }
}
