/**
 * Range narrowing: a cell gets as many bits as it has codes that occur, and none if it holds a value only within a
 * step. States and steps stay the same. Cells of one declaration are narrowed alike, in all instances of a process:
 * generated code finds elements of an array by an index, and permutes cells, only if they are stored alike.
 */
import { unreachable } from '../common/assert.js';
import type { Domains } from '../constraints/formula.js';
import { codeOfValue, type Domain, domainSize, NO_VALUE, NONE } from '../model/domain.js';
import { cellsOfPlace, cellsWritten, forEachExpression, supportOf } from '../sequential/cell-access.js';
import { bitsOfCell, codeRangeOf } from '../sequential/expression/code-range.js';
import type {
    Cell,
    CodeRange,
    Participant,
    SequentialExpression,
    SequentialModel,
    SequentialStatement,
} from '../sequential/sequential-model.js';
import { boundsOf } from '../sequential/expression/bounds.js';

export interface Narrowing {
    readonly model: SequentialModel;
    /** How many bits fewer a state has. */
    readonly bitsSaved: number;
}

/** `domains`: what the cells can hold between steps, in this model or in one with more states. */
export function narrow(model: SequentialModel, domains: Domains): Narrowing {
    const occurring = occurringCodes(model, domains);
    const ofDeclaration = new Map<string, CodeRange>();
    const keys = model.cells.map(cell => keyOf(cell, model));
    const isWithinStep = model.cells.map(({ kind }, cell) => kind === 'local' && holdsNothing(domains[cell]));
    keys.forEach((key, cell) => {
        const known = ofDeclaration.get(key);
        const { least, most } = occurring[cell];
        if (!isWithinStep[cell]) {
            ofDeclaration.set(key, {
                least: Math.min(known?.least ?? Infinity, least),
                most: Math.max(known?.most ?? -Infinity, most),
            });
        }
    });
    const cells = model.cells.map((cell, index): Cell => {
        const codes = ofDeclaration.get(keys[index]);
        return isWithinStep[index] || codes === undefined ? { ...cell, kind: 'temporary' } : narrowed(cell, codes);
    });
    const bitsOf = (all: readonly Cell[]): number => all.reduce((sum, cell) => sum + bitsOfCell(cell), 0);
    return { model: { ...model, cells }, bitsSaved: bitsOf(model.cells) - bitsOf(cells) };
}

function narrowed(cell: Cell, { least, most }: CodeRange): Cell {
    // Generated code branches on what is stored of a program counter.
    const codes = { least: cell.kind === 'counter' ? 0 : least, most };
    const all = codeRangeOf(cell);
    return cell.kind === 'temporary' || (codes.least <= all.least && codes.most >= all.most)
        ? cell
        : { ...cell, codes };
}

function holdsNothing(codes: readonly number[]): boolean {
    return codes.length === 1 && codes[0] === NO_VALUE;
}

/** Of a channel, the lengths and each scalar of the messages are apart; of a record, each scalar is a declaration. */
function keyOf({ kind, variable, instance, indices, mayBeAbsent }: Cell, { instances }: SequentialModel): string {
    const process = instance < 0 ? -1 : instances[instance].process;
    const scalar = kind !== 'channel' ? 'all' : mayBeAbsent ? indices.at(-1) : 'length';
    return `${kind} ${String(process)} ${String(variable)} ${String(scalar)}`;
}

/** `domains` as in ReachableValues: empty for a cell with too many values to list, which keeps all of its codes. */
function occurringCodes({ cells, summands }: SequentialModel, domains: Domains): CodeRange[] {
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
