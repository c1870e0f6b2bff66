/**
 * States in which only some cells are decided. What is evaluated over them branches on a cell when it first reads it, so
 * that cells which do not matter are never tried.
 */
import { Compiler } from '../sequential/expression/evaluate.js';

/** The code of a cell that is not decided. */
export const UNDECIDED = -2;

/** More branches are not followed. */
const MOST_BRANCHES = 1_000;

/** A cell must be decided first. One object: it is thrown often. */
class UndecidedRead extends Error {
    cell = -1;
}

const undecidedRead = new UndecidedRead();

/** To be thrown where a cell is needed that is not decided. */
export function needed(cell: number): UndecidedRead {
    undecidedRead.cell = cell;
    return undecidedRead;
}

/** Compiles for states that are not whole: a read of a cell that is not decided throws `needed`. */
export class PartialCompiler extends Compiler {
    protected override reading<Result>(
        cells: readonly number[],
        read: (state: Int32Array) => Result,
    ): (state: Int32Array) => Result {
        return state => {
            for (let index = 0; index < cells.length; index++) {
                if (state[cells[index]] === UNDECIDED) {
                    throw needed(cells[index]);
                }
            }
            return read(state);
        };
    }
}

/** How far `forEachPartialState` came. */
type Explored = 'all' | 'stopped' | 'too many';

/** The codes that a cell may hold beside those that are decided, in the order of their decision; undefined if not known. */
type CodesBeside = (cell: number, decided: readonly number[]) => readonly number[] | undefined;

/**
 * Calls `visit` with partial states that together stand for all states over these codes, until it returns false. `state` has
 * what is decided before, in the cells of `before`. A visit that throws `needed` is repeated for each code of that cell.
 */
export function forEachPartialState(
    state: Int32Array,
    before: readonly number[],
    codesOf: CodesBeside,
    visit: (state: Int32Array) => boolean,
): Explored {
    const decided = [...before];
    let branches = 0;
    const visitFrom = (): Explored => {
        const cell = tryToVisit(state, visit);
        if (typeof cell !== 'number') {
            return cell;
        }
        const codes = codesOf(cell, decided);
        branches += codes?.length ?? 0;
        if (codes === undefined || branches > MOST_BRANCHES) {
            return 'too many';
        }
        let explored: Explored = 'all';
        for (const code of codes) {
            state[cell] = code;
            decided.push(cell);
            explored = visitFrom();
            decided.pop();
            if (explored !== 'all') {
                break;
            }
        }
        state[cell] = UNDECIDED;
        return explored;
    };
    return visitFrom();
}

/** The cell that is needed, if one is. */
function tryToVisit(state: Int32Array, visit: (state: Int32Array) => boolean): Explored | number {
    try {
        return visit(state) ? 'all' : 'stopped';
    } catch (error) {
        if (error === undecidedRead) {
            return undecidedRead.cell;
        }
        throw error;
    }
}
