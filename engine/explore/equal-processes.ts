/**
 * Of processes that are in the same state one is enough. An exchange of two blocks of cells that read alike is a symmetry
 * that fixes the state, so it maps each firing to one that leads to the same orbit. All firings are counted, those that
 * an exchange maps to an earlier one are not looked up.
 */
import type { SortPlan } from '../representative/representative-plan.js';

export interface EqualProcesses {
    /** Blocks that may be exchanged, numbered from 0 through all of these. */
    readonly families: readonly SortPlan[];
    /** By summand the blocks whose exchange with the one before maps it to an earlier summand. */
    readonly later: readonly (readonly number[])[];
}

/** The interpreter's look at the blocks of a state. */
export class EqualBlocks {
    readonly #equal: EqualProcesses;
    /** By family, column and block: the cell, and by its code + 1 what the first block would hold. */
    readonly #families: readonly (readonly (readonly { readonly cell: number; readonly reading: Int32Array }[])[])[];
    /** By block, 1 where it reads as the one before. */
    readonly #isAlike: Uint8Array;

    constructor(equal: EqualProcesses) {
        this.#equal = equal;
        this.#families = equal.families.map(({ columns }) =>
            columns.map(column =>
                column.map(({ cell, own }) => {
                    const reading = new Int32Array(own.reduce((most, code) => Math.max(most, code), 0) + 2);
                    own.forEach((code, index) => (reading[code + 1] = index));
                    return { cell, reading };
                }),
            ),
        );
        this.#isAlike = new Uint8Array(equal.families.reduce((sum, { blockCount }) => sum + blockCount, 0));
    }

    look(state: Readonly<Int32Array>): void {
        let first = 0;
        this.#families.forEach((columns, family) => {
            const { blockCount } = this.#equal.families[family];
            this.#isAlike.fill(1, first + 1, first + blockCount);
            for (const column of columns) {
                let before = -1;
                column.forEach(({ cell, reading }, block) => {
                    const read = reading[state[cell] + 1];
                    if (read !== before) {
                        this.#isAlike[first + block] = 0;
                    }
                    before = read;
                });
            }
            first += blockCount;
        });
    }

    /** Whether the firing of the summand in this state leads to the orbit of an earlier one. */
    isLater(summand: number): boolean {
        return this.#equal.later[summand].some(block => this.#isAlike[block] === 1);
    }
}
