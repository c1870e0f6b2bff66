/** Steps run on states in which only some cells are decided, over the values that occur where they start. */
import { sortAscending } from '../common/ascending.js';
import type { Domains } from '../constraints/formula.js';
import { cellsWrittenBySummand, forEachExpressionOf, supportOf } from '../sequential/cell-access.js';
import { AbsentRead, type Fault } from '../sequential/expression/evaluate.js';
import { compileLeaving, compileSummand, type Fire } from '../sequential/fire-summand.js';
import type { SequentialExpression, SequentialModel } from '../sequential/sequential-model.js';
import { holdsInPartialStates, PartialCompiler, UNDECIDED } from './partial-states.js';

/** The codes that occur in the states that a search stores. */
export interface OccurringValues {
    /** By cell, ascending. */
    readonly domains: Domains;
    /** The codes of the locals of an instance at one of its locations; undefined if control never gets there. */
    localsAt(instance: number, location: number): ReadonlyMap<number, readonly number[]> | undefined;
}

/** `absent`: no value was read, so no run comes to such a state. `open`: a cell was read that is not decided. */
type StepOutcome = 'disabled' | 'fired' | 'absent' | 'open' | Fault;

/** Whether a cell may hold a code in a state in which these cells are decided. */
type MayJoin = (cell: number, code: number, decided: readonly number[], state: Readonly<Int32Array>) => boolean;

interface Starts {
    /** By cell the location. */
    readonly counters: ReadonlyMap<number, number>;
    readonly codesOf: (cell: number) => readonly number[];
}

export class StepRuns {
    readonly model: SequentialModel;
    readonly compiler: PartialCompiler;
    /** By summand: the cells that it reads, and those that it writes, ascending. */
    readonly reads: readonly (readonly number[])[];
    readonly writes: readonly (readonly number[])[];
    readonly #values: OccurringValues;
    readonly #fires: (Fire | undefined)[] = [];
    readonly #leaving: ((state: Int32Array) => Fault | undefined) | undefined;
    /** By summand, whether it writes a cell of the constraint. */
    readonly #mayLeave: readonly boolean[];
    readonly #state: Int32Array;
    readonly #scratch: Int32Array[] = [];
    #mayJoin: MayJoin | undefined;

    constructor(model: SequentialModel, values: OccurringValues) {
        const { cells, summands, constraint } = model;
        this.model = model;
        this.compiler = new PartialCompiler(cells);
        this.#values = values;
        this.#leaving = constraint && compileLeaving(constraint, this.compiler);
        this.#state = new Int32Array(cells.length).fill(UNDECIDED);
        this.writes = summands.map(cellsWrittenBySummand);
        const limiting = new Set(constraint === undefined ? [] : supportOf(constraint.expression));
        this.#mayLeave = this.writes.map(written => written.some(cell => limiting.has(cell)));
        this.reads = summands.map(({ participants }, summand) => {
            const read = new Set(this.#mayLeave[summand] ? limiting : []);
            participants.forEach(participant => {
                forEachExpressionOf(participant, expression => {
                    decidingCells(expression).forEach(cell => read.add(cell));
                });
            });
            return sortAscending([...read]);
        });
    }

    /** To states in which each cell may join the others; to all if undefined. */
    restrictTo(mayJoin: MayJoin | undefined): void {
        this.#mayJoin = mayJoin;
    }

    /** Leaves the successor in `target` if the summand has fired. */
    fire(summand: number, state: Int32Array, target: Int32Array): StepOutcome {
        const fire = (this.#fires[summand] ??= compileSummand(
            this.model.summands[summand],
            this.compiler,
            state.length,
        ));
        let outcome = fire(state, target);
        if (outcome === 'fired' && this.#mayLeave[summand]) {
            outcome = this.#leaving?.(target) ?? outcome;
        }
        return this.compiler.needed >= 0 ? 'open' : outcome instanceof AbsentRead ? 'absent' : outcome;
    }

    /** A state to write to, one for each number. */
    scratch(number: number): Int32Array {
        return (this.#scratch[number] ??= new Int32Array(this.model.cells.length));
    }

    codesOf(cell: number): readonly number[] {
        return this.#values.domains[cell];
    }

    /**
     * Calls `visit` with partial states that stand for all in which the participants of these summands are where they start;
     * true if it has seen all of them, and never returned false. It does not count where a summand is `open`.
     */
    holdsWhere(summands: readonly number[], visit: (state: Int32Array) => boolean): boolean {
        const starts = this.#startsOf(summands);
        if (starts === undefined) {
            return true;
        }
        const state = this.#state.fill(UNDECIDED);
        starts.counters.forEach((source, counter) => (state[counter] = source));
        const counters = [...starts.counters.keys()];
        const mayJoin = (cell: number, code: number, decided: readonly number[]): boolean =>
            this.#mayJoin?.(cell, code, decided, state) ?? true;
        const codesOf = (cell: number, decided: readonly number[]): readonly number[] | undefined => {
            const codes = starts.codesOf(cell);
            // Where no codes are known, nothing is said of what the cell may hold.
            return codes.length === 0 ? undefined : codes.filter(code => mayJoin(cell, code, decided));
        };
        return (
            !counters.every(cell => mayJoin(cell, state[cell], counters)) ||
            holdsInPartialStates(state, counters, codesOf, this.compiler, visit)
        );
    }

    /** Where all participants start; undefined if they are never there together. */
    #startsOf(summands: readonly number[]): Starts | undefined {
        const locals: ReadonlyMap<number, readonly number[]>[] = [];
        const counters = new Map<number, number>();
        for (const { instance, source } of summands.flatMap(summand => this.model.summands[summand].participants)) {
            const { counter } = this.model.instances[instance];
            const here = this.#values.localsAt(instance, source);
            if (here === undefined || (counters.get(counter) ?? source) !== source) {
                return undefined;
            }
            if (counter >= 0) {
                counters.set(counter, source);
            }
            locals.push(here);
        }
        const codesOf = (cell: number): readonly number[] => {
            for (const here of locals) {
                const codes = here.get(cell);
                if (codes !== undefined) {
                    return codes;
                }
            }
            return this.codesOf(cell);
        };
        return { counters, codesOf };
    }
}

/** By cell the summands whose list has it, ascending. */
export function summandsByCell(lists: readonly (readonly number[])[], cellCount: number): readonly number[][] {
    const summands: number[][] = Array.from({ length: cellCount }, () => []);
    lists.forEach((cells, summand) => {
        cells.forEach(cell => summands[cell].push(summand));
    });
    return summands;
}

/** The cells that decide an expression: the look for a free slot reads all counters, and all cells that name an instance. */
export function decidingCells(expression: SequentialExpression): readonly number[] {
    if (expression.kind !== 'fresh' && expression.kind !== 'choosable') {
        return supportOf(expression);
    }
    const { slots, holders } = expression.template;
    return [...slots.map(({ counter }) => counter), ...holders];
}
