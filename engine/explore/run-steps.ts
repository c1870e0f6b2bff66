/** Runs of the model as written for states of a model changed by passes: with dropped variables and merged steps. */
import { invariant } from '../common/assert.js';
import { NOWHERE } from '../common/source-range.js';
import { NO_VALUE, valueOfCode } from '../model/domain.js';
import type { PassedModel } from '../sequential/reduced-model.js';
import type { InitialCell, SequentialModel } from '../sequential/sequential-model.js';
import { constant } from '../sequential/expression/simplify.js';
import { InitialStates } from './initial/initial-states.js';
import { interpretedSuccessors, type Successors } from './successors.js';

export class RunSteps {
    readonly #model: SequentialModel;
    readonly #passed: PassedModel;
    /** The successors of `stepwise`. */
    readonly #successors: Successors;
    readonly #mayBeDropped: Uint8Array;

    /** `successors` are those of the model as written. */
    constructor(model: SequentialModel, passed: PassedModel, successors: Successors) {
        this.#model = model;
        this.#passed = passed;
        this.#successors = passed.stepwise === model ? successors : interpretedSuccessors(passed.stepwise);
        this.#mayBeDropped = new Uint8Array(model.cells.length);
        passed.dropped.forEach(cell => (this.#mayBeDropped[cell] = 1));
    }

    /** Whether a state of a run equals a state of the search but for dropped variables. */
    isSeenAs(run: Readonly<Int32Array>, state: Readonly<Int32Array>): boolean {
        for (let cell = 0; cell < run.length; cell++) {
            if (run[cell] !== state[cell] && !this.#isDroppedIn(state, cell)) {
                return false;
            }
        }
        return true;
    }

    /** An initial state of the model as written that is seen as this one; dropped variables get their first values. */
    initialState(state: Readonly<Int32Array>): Int32Array {
        if (this.#passed.dropped.length === 0) {
            return state.slice();
        }
        const { cells, initial, startList } = this.#model;
        const fixed = initial.map((entry): InitialCell => {
            const code = state[entry.cell];
            if (this.#isDroppedIn(state, entry.cell)) {
                return entry;
            }
            const value = code === NO_VALUE ? undefined : valueOfCode(cells[entry.cell].domain, code);
            return {
                cell: entry.cell,
                value:
                    value === undefined
                        ? { kind: 'none' }
                        : { kind: 'value', expression: constant(value), range: NOWHERE },
            };
        });
        const isRowOf = (row: readonly number[], listed: readonly number[]): boolean =>
            listed.every((cell, column) => row[column] === state[cell] || this.#isDroppedIn(state, cell));
        const list = startList && {
            ...startList,
            rows: startList.rows.filter(row => isRowOf(row, startList.cells)),
        };
        const run = new Int32Array(state.length);
        const start = { ...this.#model, initial: fixed, ...(list !== undefined && { startList: list }) };
        const found = new InitialStates(start).nextInto(run);
        invariant(found && this.isSeenAs(run, state), 'an initial state of the search is one of the model');
        return run;
    }

    /**
     * Visits for each step of the search states of `stepwise`, the successor last; `visit` returns whether to continue.
     */
    forEachStep(state: Readonly<Int32Array>, visit: (states: readonly Int32Array[]) => boolean): void {
        const { stepwise, inert } = this.#passed;
        const firings: { readonly summand: number; readonly successor: Int32Array }[] = [];
        this.#successors.forEachFiring(state, {
            fired: (summand, successor) => {
                if (inert.size === 0) {
                    return visit([successor.slice()]);
                }
                firings.push({ summand, successor: successor.slice() });
                return true;
            },
            faulted: () => true,
        });
        for (const { summand, successor } of firings) {
            const states = [successor];
            for (const { instance } of stepwise.summands[summand].participants) {
                let next = this.#inertStep(states[states.length - 1], instance);
                while (next !== undefined) {
                    states.push(next);
                    next = this.#inertStep(next, instance);
                }
            }
            if (!visit(states)) {
                return;
            }
        }
    }

    #isDroppedIn(state: Readonly<Int32Array>, cell: number): boolean {
        return state[cell] === NO_VALUE && this.#mayBeDropped[cell] === 1;
    }

    #inertStep(state: Readonly<Int32Array>, instance: number): Int32Array | undefined {
        const { stepwise, inert } = this.#passed;
        let found: Int32Array | undefined;
        this.#successors.forEachFiring(state, {
            fired: (summand, successor) => {
                if (inert.has(summand) && stepwise.summands[summand].participants[0].instance === instance) {
                    found = successor.slice();
                }
                return found === undefined;
            },
            faulted: () => true,
        });
        return found;
    }
}
