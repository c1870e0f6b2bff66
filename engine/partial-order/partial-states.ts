/**
 * States in which only some cells are decided. What is evaluated over them branches on a cell when it first reads it, so
 * that cells which do not matter are never tried.
 */
import { Compiler } from '../sequential/expression/evaluate.js';
import type { Cell } from '../sequential/sequential-model.js';

/** The code of a cell that is not decided. */
export const UNDECIDED = -2;

/** More branches are not followed. */
const MOST_BRANCHES = 1_000;

/** Compiles for states that are not whole. Where a cell is read that is not decided, that is noted, and the result means nothing. */
export class PartialCompiler extends Compiler {
    /** How many partial states were visited. */
    visits = 0;
    /** Some state, in place of one in which what is read is not decided. */
    readonly #any: Int32Array;
    #needed = -1;

    constructor(cells: readonly Cell[]) {
        super(cells);
        this.#any = new Int32Array(cells.length);
    }

    /** The cell that has to be decided first; -1 if there is none. */
    get needed(): number {
        return this.#needed;
    }

    need(cell: number): void {
        this.#needed = this.#needed < 0 ? cell : this.#needed;
    }

    /** To be called before the cell is decided. */
    takeNeeded(): number {
        const cell = this.#needed;
        this.#needed = -1;
        return cell;
    }

    protected override reading<Result>(
        cells: readonly number[],
        read: (state: Int32Array) => Result,
    ): (state: Int32Array) => Result {
        return state => {
            for (let index = 0; index < cells.length; index++) {
                if (state[cells[index]] === UNDECIDED) {
                    this.need(cells[index]);
                    return read(this.#any);
                }
            }
            return read(state);
        };
    }
}

/** The codes that a cell may hold beside those that are decided, in the order of their decision; undefined if not known. */
type CodesBeside = (cell: number, decided: readonly number[]) => readonly number[] | undefined;

/**
 * Calls `visit` with partial states that together stand for all states over these codes, until it returns false; true if it
 * has seen all of them. `state` has what is decided before, in the cells of `before`. A visit that needs a cell is repeated
 * for each code of that cell.
 */
export function holdsInPartialStates(
    state: Int32Array,
    before: readonly number[],
    codesOf: CodesBeside,
    compiler: PartialCompiler,
    visit: (state: Int32Array) => boolean,
): boolean {
    const decided = [...before];
    let branches = 0;
    const holdsFrom = (): boolean => {
        compiler.visits++;
        const holds = visit(state);
        const cell = compiler.takeNeeded();
        if (cell < 0) {
            return holds;
        }
        const codes = codesOf(cell, decided);
        branches += codes?.length ?? 0;
        if (codes === undefined || branches > MOST_BRANCHES) {
            return false;
        }
        decided.push(cell);
        const holdsForAll = codes.every(code => {
            state[cell] = code;
            return holdsFrom();
        });
        decided.pop();
        state[cell] = UNDECIDED;
        return holdsForAll;
    };
    return holdsFrom();
}
