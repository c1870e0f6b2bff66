/**
 * Which locals of an instance are live where: classical live-variable analysis on its own offers, a whole local at a
 * time. A local is live at a location if some way of steps from there reads it before writing it whole. Tests, guards,
 * arguments and indices are reads; so is a write to a part of an array or a record.
 *
 * A local that is not live holds no value; states that differ in nothing else are one state.
 */
import { sortAscending } from '../common/ascending.js';
import { unreachable } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import { operandsOf } from './expression/operands.js';
import type { SequentialExpression, SequentialStatement } from './sequential-model.js';

/** What an offer does to the locals, in order. `assign` writes a local whole. */
export type Access =
    | { readonly kind: 'evaluate'; readonly expression: SequentialExpression }
    | { readonly kind: 'assign'; readonly local: number }
    | { readonly kind: 'run'; readonly body: readonly SequentialStatement[] };

export interface LiveOffer {
    readonly accesses: readonly Access[];
    /** The location after it; -1 where control ends. */
    readonly target: number;
}

export interface Locals {
    readonly count: number;
    /** The local a cell belongs to; -1 for any other cell. */
    readonly localOfCell: (cell: number) => number;
    /** The number of its cells. */
    readonly sizeOf: (local: number) => number;
    readonly isArray: (local: number) => boolean;
}

/** `result[location][local]` is 1 where the local is live. */
export function liveLocals(locals: Locals, offersOfLocation: readonly (readonly LiveOffer[])[]): Uint8Array[] {
    const live = offersOfLocation.map(() => new Uint8Array(locals.count));
    for (let changed = true; changed;) {
        changed = false;
        // Against the direction of the text, for liveness flows backward.
        for (let location = offersOfLocation.length - 1; location >= 0; location--) {
            for (const offer of offersOfLocation[location]) {
                const before = offer.target < 0 ? new Uint8Array(locals.count) : live[offer.target].slice();
                for (let index = offer.accesses.length - 1; index >= 0; index--) {
                    passBackward(offer.accesses[index], before, locals);
                }
                for (let local = 0; local < locals.count; local++) {
                    if (before[local] === 1 && live[location][local] === 0) {
                        live[location][local] = 1;
                        changed = true;
                    }
                }
            }
        }
    }
    return live;
}

function passBackward(access: Access, live: Uint8Array, locals: Locals): void {
    switch (access.kind) {
        case 'evaluate':
            addReads(access.expression, live, locals);
            return;
        case 'assign':
            live[access.local] = 0;
            return;
        case 'run':
            bodyBackward(access.body, live, locals);
            return;
        default:
            unreachable(access);
    }
}

function bodyBackward(body: readonly SequentialStatement[], live: Uint8Array, locals: Locals): void {
    for (let index = body.length - 1; index >= 0; index--) {
        const statement = body[index];
        switch (statement.kind) {
            case 'assign': {
                // What one assignment of the text writes comes as assignments with one range.
                const last = index;
                while (index > 0 && isSameAssignment(body[index - 1], statement)) {
                    index--;
                }
                assignmentBackward(body.slice(index, last + 1), live, locals);
                break;
            }
            case 'if': {
                const otherwise = live.slice();
                bodyBackward(statement.then, live, locals);
                bodyBackward(statement.otherwise, otherwise, locals);
                for (let local = 0; local < locals.count; local++) {
                    live[local] |= otherwise[local];
                }
                addReads(statement.condition, live, locals);
                break;
            }
            case 'while':
                loopBackward(statement, live, locals);
                break;
            case 'assert':
                addReads(statement.condition, live, locals);
                break;
            case 'clear':
                break;
            default:
                unreachable(statement);
        }
    }
}

/** From what is live after a loop to what is live before it: a least fixpoint, for rounds may follow on rounds. */
function loopBackward(
    { condition, body }: Extract<SequentialStatement, { kind: 'while' }>,
    live: Uint8Array,
    locals: Locals,
): void {
    addReads(condition, live, locals);
    for (let changed = true; changed;) {
        changed = false;
        const before = live.slice();
        bodyBackward(body, before, locals);
        for (let local = 0; local < locals.count; local++) {
            if (before[local] === 1 && live[local] === 0) {
                live[local] = 1;
                changed = true;
            }
        }
    }
}

function isSameAssignment(other: SequentialStatement, { range }: { readonly range: SourceRange }): boolean {
    return other.kind === 'assign' && other.range === range;
}

/**
 * A local all of whose cells are written is written whole; a write to a part of it needs the rest. The one element of an
 * array is a part of it.
 */
function assignmentBackward(statements: readonly SequentialStatement[], live: Uint8Array, locals: Locals): void {
    const written = new Map<number, Set<number>>();
    const assignments = statements.filter(statement => statement.kind === 'assign');
    for (const { target } of assignments) {
        if (target.kind === 'cell') {
            const local = locals.localOfCell(target.cell);
            if (local >= 0) {
                written.set(local, (written.get(local) ?? new Set()).add(target.cell));
            }
        }
    }
    for (const [local, cells] of written) {
        const isPart = cells.size < locals.sizeOf(local) || (cells.size === 1 && locals.isArray(local));
        live[local] = isPart ? 1 : 0;
    }
    for (const { target, value } of assignments) {
        if (target.kind === 'element') {
            markCells(target.cells, live, locals);
            target.indices.forEach(index => {
                addReads(index, live, locals);
            });
        }
        addReads(value, live, locals);
    }
}

function markCells(cells: readonly number[], live: Uint8Array, locals: Locals): void {
    for (const cell of cells) {
        const local = locals.localOfCell(cell);
        if (local >= 0) {
            live[local] = 1;
        }
    }
}

function addReads(expression: SequentialExpression, live: Uint8Array, locals: Locals): void {
    forEachCellRead(expression, cell => {
        const local = locals.localOfCell(cell);
        if (local >= 0) {
            live[local] = 1;
        }
    });
}

/** Calls `visit` with each cell that evaluating the expression may read, possibly more than once. */
export function forEachCellRead(expression: SequentialExpression, visit: (cell: number) => void): void {
    if (expression.kind === 'cell') {
        visit(expression.cell);
    } else if (expression.kind === 'element') {
        expression.cells.forEach(visit);
    }
    for (const operand of operandsOf(expression)) {
        forEachCellRead(operand, visit);
    }
}

/** The cells that running the statements may write, ascending. */
export function cellsWritten(statements: readonly SequentialStatement[]): readonly number[] {
    const cells = new Set<number>();
    const visit = (statement: SequentialStatement): void => {
        switch (statement.kind) {
            case 'assign':
                if (statement.target.kind === 'cell') {
                    cells.add(statement.target.cell);
                } else {
                    statement.target.cells.forEach(cell => cells.add(cell));
                }
                return;
            case 'clear':
                cells.add(statement.cell);
                return;
            case 'if':
                statement.then.forEach(visit);
                statement.otherwise.forEach(visit);
                return;
            case 'while':
                statement.body.forEach(visit);
                return;
            case 'assert':
                return;
            default:
                unreachable(statement);
        }
    };
    statements.forEach(visit);
    return sortAscending([...cells]);
}

/** Calls `visit` with each expression that running the statements may evaluate. */
export function forEachExpression(
    statements: readonly SequentialStatement[],
    visit: (expression: SequentialExpression) => void,
): void {
    for (const statement of statements) {
        switch (statement.kind) {
            case 'assign':
                visit(statement.value);
                if (statement.target.kind === 'element') {
                    statement.target.indices.forEach(visit);
                }
                break;
            case 'if':
                visit(statement.condition);
                forEachExpression(statement.then, visit);
                forEachExpression(statement.otherwise, visit);
                break;
            case 'while':
                visit(statement.condition);
                forEachExpression(statement.body, visit);
                break;
            case 'assert':
                visit(statement.condition);
                break;
            case 'clear':
                break;
            default:
                unreachable(statement);
        }
    }
}

/**
 * Calls `visit` with each cell that running the statements may read before they have written it. `defined`, to which it
 * adds, are the cells that have been written for certain.
 */
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

/**
 * The cells that rounds of a loop hand on: those that a round writes and the next one may read before it writes them.
 * They alone decide how often the loop goes round. Ascending.
 */
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
