/**
 * The initial states one after the other, as there may be 2^40. Cells are set in the order of their initializers, which
 * may read earlier cells; the last choice varies fastest.
 *
 * With symmetries only some states of each orbit are given, among them the least (least-states.ts); only cells with a
 * choice are compared.
 */
import { invariant, unreachable } from '../../common/assert.js';
import type { Problem } from '../../common/problem.js';
import type { Random } from '../../common/random.js';
import { NOWHERE, type SourceRange } from '../../common/source-range.js';
import { UNLIMITED, type WorkLimit } from '../../common/work-limit.js';
import type { StateImage } from '../../representative/representative-plan.js';
import { codeOfValue, domainSize, formatDomain, NO_VALUE, NONE } from '../../model/domain.js';
import { Compiler, type Condition, type Evaluator, Fault } from '../../sequential/expression/evaluate.js';
import { FAULT_TEXTS, valuesOfInitial } from '../../sequential/initial-cells.js';
import type { InitialCell, SequentialModel, StartList } from '../../sequential/sequential-model.js';
import { InitialDemands } from './initial-demands.js';
import { type InitialRest, isChoice, restOf } from './initial-rest.js';
import { LeastStates, mostSymmetries } from './least-states.js';

/** Steps between two questions to the limit. */
const STEPS_BETWEEN_QUESTIONS = 1 << 10;

/** After so many random draws, a state is searched for instead. */
const MOST_DRAWS = 200;

/** Questions to a limit in a search for some initial state to try something. */
export const FEW_QUESTIONS = 64;

/** Symmetries are used from so many initial states on. */
const MANY_INITIAL_STATES = 64;

const ONLY_NONE = [NO_VALUE];

/** At most so many symmetries, restricted to these cells. */
export type SymmetriesOnCells = (most: number, cells: readonly number[]) => readonly StateImage[];

export class InitialStates {
    readonly #model: SequentialModel;
    /** By entry of `initial` in the model, then by expression. */
    readonly #evaluators: readonly (readonly Evaluator[])[];
    /** By entry whether it has a value; undefined if it always has one. */
    readonly #isPresent: readonly (Condition | undefined)[];
    readonly #demands: InitialDemands;
    readonly #listed: ListedCells | undefined;
    /** By cell: the number of entries set, its own included. */
    readonly #positionOfCell: Int32Array;
    readonly #state: Int32Array;
    /** By entry: the codes that it may have, all if undefined; and their number. */
    readonly #choices: (readonly number[] | undefined)[];
    readonly #choiceCount: Float64Array;
    /** By entry: the number of the present choice, and the index of the first choice. */
    readonly #taken: Int32Array;
    readonly #first: Float64Array;

    /** The next entry to set, or to give another choice. */
    #position = 0;
    #direction: 'forward' | 'backward' = 'forward';
    #phase: 'start' | 'running' | 'paused' | 'end' = 'start';
    #foundAny = false;
    #steps = 0;
    #problem: Problem | undefined;
    /** The source of symmetries, until they are used. */
    #symmetries: SymmetriesOnCells | undefined;
    /** Refuses states; undefined if all are given. */
    #leastStates: LeastStates | undefined;
    /** By number of entries set: the number of choices if the last one is a choice, else 0. */
    readonly #choicesSet: Int32Array;
    /** The cells with a choice, in the order of their entries. */
    readonly #chosenCells: readonly number[];
    /** Whether no expression may be a fault and every choice is among constants. */
    readonly #isPlain: boolean;

    /** `symmetries` map initial states to initial states; with them some states are left out. */
    constructor(model: SequentialModel, symmetries?: SymmetriesOnCells) {
        const compiler = new Compiler(model.cells);
        const { startList } = model;
        this.#model = model;
        this.#evaluators = model.initial.map(entry =>
            valuesOfInitial(entry.value).map(expression => compiler.expression(expression)),
        );
        this.#isPresent = model.initial.map(({ isPresent }) => isPresent && compiler.condition(isPresent));
        this.#positionOfCell = new Int32Array(model.cells.length);
        model.initial.forEach(({ cell }, position) => (this.#positionOfCell[cell] = position + 1));
        this.#listed = startList === undefined ? undefined : new ListedCells(startList, this.#positionOfCell);
        const listless = model.initialConditions.filter(condition => condition !== startList?.condition);
        const demanded = startList === undefined ? model : { ...model, initialConditions: listless };
        this.#demands = new InitialDemands(demanded, compiler, this.#positionOfCell);
        this.#state = new Int32Array(model.cells.length).fill(NO_VALUE);
        this.#choices = model.initial.map(() => undefined);
        this.#choiceCount = Float64Array.from(model.initial, ({ cell, value }) =>
            value.kind === 'any' ? domainSize(model.cells[cell].domain) : 1,
        );
        this.#taken = new Int32Array(model.initial.length);
        this.#first = new Float64Array(model.initial.length);
        const empty = model.initial.find(
            ({ cell, value }) => value.kind === 'any' && domainSize(model.cells[cell].domain) === 0,
        );
        if (empty !== undefined) {
            const { name, declaration } = model.cells[empty.cell];
            this.#fail(
                'model/no-initial-state',
                `there is no initial state: the type of \`${name}\` has no value`,
                declaration,
            );
        }
        this.#choicesSet = new Int32Array(model.initial.length + 1);
        const chosen = [...model.initial.keys()].filter(entry => isChoice(model.initial[entry].value));
        chosen.forEach((entry, before) => (this.#choicesSet[entry + 1] = before + 1));
        this.#chosenCells = chosen.map(entry => model.initial[entry].cell);
        const { isFaultless } = this.#demands;
        this.#isPlain = isFaultless && startList === undefined && model.initial.every(isIndependent);
        const isWorthReducing = isFaultless && startList === undefined && choiceCountOf(model) >= MANY_INITIAL_STATES;
        this.#symmetries = isWorthReducing ? symmetries : undefined;
    }

    /** A problem with the initial states, which ends them. */
    get problem(): Problem | undefined {
        return this.#problem;
    }

    /** Whether the last call ended at the limit; the next call continues. */
    get isPaused(): boolean {
        return this.#phase === 'paused';
    }

    /** Writes the next initial state into `target`; false without one or at the limit. It may use symmetries. */
    nextInto(target: Int32Array, limit: WorkLimit = UNLIMITED): boolean {
        if (this.#phase === 'end' || !this.#search(undefined, limit)) {
            return false;
        }
        target.set(this.#state);
        return true;
    }

    /**
     * Writes a random initial state into `target` and starts again; false without one. All are equally likely, unless
     * draws fail: then the first one from a random place on is taken, within the limit.
     */
    chooseInto(target: Int32Array, random: Random, limit: WorkLimit = UNLIMITED): boolean {
        for (let draw = 0; draw < (this.#demands.isEmpty ? 1 : MOST_DRAWS) && this.#problem === undefined; draw++) {
            if (this.#draw(random)) {
                target.set(this.#state);
                this.#restart();
                return true;
            }
        }
        if (this.#problem !== undefined) {
            return false;
        }
        this.#restart();
        const found = this.#search(random, limit);
        if (found) {
            target.set(this.#state);
        }
        if (found || this.isPaused) {
            this.#restart();
        }
        return found;
    }

    /** Whether `state` is an initial state. Throws Fault if an expression faults. */
    includes(state: Int32Array): boolean {
        const isSet = this.#model.initial.every(({ cell, value }, index) => {
            const { domain } = this.#model.cells[cell];
            const code = state[cell];
            if (this.#isPresent[index]?.(state) === false) {
                return code === NO_VALUE;
            }
            switch (value.kind) {
                case 'any':
                    return 0 <= code && code < domainSize(domain);
                case 'none':
                    return code === NO_VALUE;
                case 'oneOf':
                case 'value':
                    return this.#evaluators[index].some(
                        evaluate => code >= 0 && code === codeOfValue(domain, evaluate(state)),
                    );
                default:
                    return unreachable(value);
            }
        });
        return isSet && this.#listed?.includes(state) !== false && this.#demands.hold(state);
    }

    /**
     * All ways to make the last choices, the present one included. Undefined if there are fewer than `leastWays` or few
     * ways in all, if faults are possible, or if demands are looked at before the last choices.
     */
    rest(leastWays = 0): InitialRest | undefined {
        if (this.#phase !== 'running' || this.#symmetries !== undefined || !this.#isPlain) {
            return undefined;
        }
        const chosen = {
            model: this.#model,
            demands: this.#demands,
            state: this.#state,
            codes: this.#choices,
            counts: this.#choiceCount,
            isReduced: this.#leastStates !== undefined,
        };
        return restOf(chosen, leastWays);
    }

    /** Makes the next first choices, before those of the rest; false as for `nextInto`. */
    advanceFloor({ choices: [{ cell }] }: InitialRest, limit: WorkLimit): boolean {
        if (this.#phase === 'end') {
            return false;
        }
        const end = this.#positionOfCell[cell] - 1;
        if (this.#phase === 'running') {
            this.#position = end - 1;
            this.#direction = 'backward';
            this.#phase = 'paused';
        }
        return this.#search(undefined, limit, end);
    }

    #restart(): void {
        this.#phase = 'start';
        this.#demands.restart();
    }

    /** Draws a value for each cell; false if they are no initial state. */
    #draw(random: Random): boolean {
        this.#demands.restart();
        for (let position = 0; position <= this.#model.initial.length; position++) {
            if (!this.#demands.areMet(this.#state, position)) {
                return false;
            }
            if (position < this.#model.initial.length && !this.#set(position, random)) {
                return false;
            }
        }
        return this.#hasNoFault();
    }

    /** Continues to the next initial state, backward after a refused choice. With `random`, choices begin anywhere. */
    #search(random: Random | undefined, limit: WorkLimit, end = this.#model.initial.length): boolean {
        switch (this.#phase) {
            case 'start':
                this.#position = this.#demands.areMet(this.#state, 0) ? 0 : -1;
                this.#direction = 'forward';
                break;
            case 'running':
                this.#useSymmetries();
                this.#position = this.#model.initial.length - 1;
                this.#direction = 'backward';
                break;
            case 'paused':
            case 'end':
                break;
            default:
                unreachable(this.#phase);
        }
        this.#phase = 'running';
        while (this.#position < end) {
            if (this.#position < 0) {
                return this.#end();
            }
            if (++this.#steps % STEPS_BETWEEN_QUESTIONS === 0) {
                if (limit.isExhausted()) {
                    this.#phase = 'paused';
                    return false;
                }
                this.#useSymmetries();
            }
            const isSet =
                this.#direction === 'forward' ? this.#set(this.#position, random) : this.#setNext(this.#position);
            if (this.#problem !== undefined) {
                return false;
            }
            const count = this.#position + 1;
            const goesOn = isSet && this.#isWanted(random, count) && this.#demands.areMet(this.#state, count);
            // After a refused choice, the same cell may have another one.
            this.#position += goesOn ? 1 : isSet ? 0 : -1;
            this.#direction = goesOn ? 'forward' : 'backward';
        }
        this.#foundAny = true;
        return this.#hasNoFault();
    }

    /** Called after the first state, which is the least of its orbit, or if that takes long: symmetries take time. */
    #useSymmetries(): void {
        const cells = this.#chosenCells;
        const images = this.#symmetries?.(mostSymmetries(cells.length), cells) ?? [];
        this.#symmetries = undefined;
        if (images.length > 0) {
            const leastStates = new LeastStates(cells, images);
            this.#leastStates = leastStates;
            // It must know the cells that are set. After a refused beginning it refuses nothing more.
            cells.every(
                (cell, before) =>
                    this.#positionOfCell[cell] <= this.#position && leastStates.mayBeLeast(this.#state, before + 1),
            );
        }
    }

    /** Whether a state with these first entries may have to be given. */
    #isWanted(random: Random | undefined, count: number): boolean {
        const choices = this.#choicesSet[count];
        return random !== undefined || choices === 0 || (this.#leastStates?.mayBeLeast(this.#state, choices) ?? true);
    }

    #end(): false {
        this.#phase = 'end';
        if (!this.#foundAny) {
            const { first: demand } = this.#demands;
            invariant(demand !== undefined, 'only a demand leaves no initial state without a problem');
            const { constraint, initialConditions } = this.#model;
            const message =
                constraint === undefined
                    ? 'there is no initial state: no values satisfy what `init` demands'
                    : initialConditions.length === 1
                      ? 'no initial state satisfies the constraint'
                      : 'no initial state satisfies `init` and the constraint';
            this.#fail('model/no-initial-state', message, demand.range);
        }
        return false;
    }

    /** Gives a cell its first choice; false for a fault. */
    #set(position: number, random: Random | undefined): boolean {
        const { cell, value } = this.#model.initial[position];
        const listed = this.#listed?.codesOf(cell, first => this.#index(first));
        if (listed !== undefined) {
            this.#choices[position] = listed;
            this.#choiceCount[position] = listed.length;
        } else if (value.kind === 'none' || this.#isPresent[position]?.(this.#state) === false) {
            this.#choices[position] = ONLY_NONE;
            this.#choiceCount[position] = 1;
        } else if (value.kind === 'any') {
            this.#choices[position] = undefined;
            this.#choiceCount[position] = domainSize(this.#model.cells[cell].domain);
        } else {
            const codes = this.#codesOf(position, value.range);
            if (codes === undefined) {
                return false;
            }
            if (codes.length === 0) {
                const { name } = this.#model.cells[cell];
                const message = `there is no initial state: the set of initial values of \`${name}\` is empty`;
                return this.#fail('model/no-initial-state', message, value.range);
            }
            this.#choices[position] = codes;
            this.#choiceCount[position] = codes.length;
        }
        this.#taken[position] = 0;
        this.#first[position] = random === undefined ? 0 : random.below(this.#choiceCount[position]);
        this.#state[cell] = this.#choice(position);
        return true;
    }

    /** Gives a cell its next choice; false if there is none. */
    #setNext(position: number): boolean {
        if (this.#taken[position] + 1 >= this.#choiceCount[position]) {
            return false;
        }
        this.#taken[position]++;
        this.#state[this.#model.initial[position].cell] = this.#choice(position);
        return true;
    }

    #choice(position: number): number {
        const codes = this.#choices[position];
        const index = this.#index(position);
        return codes === undefined ? index : codes[index];
    }

    /** The number of the present choice among those of an entry. */
    #index(position: number): number {
        const count = this.#choiceCount[position];
        const taken = this.#first[position] + this.#taken[position];
        return taken < count ? taken : taken - count;
    }

    /** The codes of the values of an initializer, ascending without repetition; undefined after a fault. */
    #codesOf(position: number, range: SourceRange): readonly number[] | undefined {
        const { domain, name } = this.#model.cells[this.#model.initial[position].cell];
        const codes = new Set<number>();
        for (const evaluate of this.#evaluators[position]) {
            let value: number;
            try {
                value = evaluate(this.#state);
            } catch (error) {
                if (!(error instanceof Fault)) {
                    throw error;
                }
                const message = `the initial value of \`${name}\` cannot be computed: ${FAULT_TEXTS[error.kind]}`;
                this.#fail('model/initial-fault', message, range);
                return undefined;
            }
            const code = codeOfValue(domain, value);
            if (code < 0) {
                const text = value === NONE ? 'none' : String(value);
                const message = `the initial value \`${text}\` of \`${name}\` is outside its type \`${formatDomain(domain)}\``;
                this.#fail('model/initial-fault', message, range);
                return undefined;
            }
            if (this.#evaluators[position].length === 1) {
                return [code];
            }
            codes.add(code);
        }
        return codes.size <= 1 ? [...codes] : [...codes].sort((first, second) => first - second);
    }

    /** Whether the demands are met without a fault. */
    #hasNoFault(): boolean {
        const { fault } = this.#demands;
        if (fault === undefined) {
            return true;
        }
        const message = `a condition on initial states cannot be computed: ${FAULT_TEXTS[fault.kind]}`;
        return this.#fail('model/initial-fault', message, fault.range);
    }

    #fail(code: string, message: string, range = NOWHERE): false {
        this.#problem = { severity: 'error', code, message, range };
        this.#phase = 'end';
        return false;
    }
}

/** Cells that begin as in one row of a list: the first of them chooses the row. */
class ListedCells {
    readonly #list: StartList;
    readonly #columnOf: ReadonlyMap<number, number>;
    /** The entry of the first cell. */
    readonly #first: number;
    #known: ReadonlySet<string> | undefined;

    constructor(list: StartList, positionOfCell: Readonly<Int32Array>) {
        this.#list = list;
        this.#columnOf = new Map(list.cells.map((cell, column) => [cell, column]));
        this.#first = positionOfCell[list.cells[0]] - 1;
    }

    /** The codes that a cell may have, where `indexOf` tells the choice of the first one; undefined if it is not listed. */
    codesOf(cell: number, indexOf: (position: number) => number): readonly number[] | undefined {
        const column = this.#columnOf.get(cell);
        if (column === undefined) {
            return undefined;
        }
        const { rows } = this.#list;
        return column === 0 ? rows.map(([code]) => code) : [rows[indexOf(this.#first)][column]];
    }

    includes(state: Readonly<Int32Array>): boolean {
        const { cells, rows } = this.#list;
        this.#known ??= new Set(rows.map(row => row.join()));
        return this.#known.has(cells.map(cell => state[cell]).join());
    }
}

/** Whether the values to choose from do not depend on other choices. */
function isIndependent({ value, isPresent }: InitialCell): boolean {
    const isOfConstants = value.kind !== 'oneOf' || value.expressions.every(({ kind }) => kind === 'constant');
    return isPresent === undefined && isOfConstants;
}

/** The number of ways to choose. */
function choiceCountOf({ cells, initial }: SequentialModel): number {
    return initial.reduce((product, { cell, value }) => {
        const ways = value.kind === 'oneOf' ? value.expressions.length : 1;
        return product * (value.kind === 'any' ? domainSize(cells[cell].domain) : ways);
    }, 1);
}
