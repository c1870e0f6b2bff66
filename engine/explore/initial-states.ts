/**
 * The initial states one after the other: a cursor, for there may be 2^40 of them. Cells are set in the order of their
 * initializers, which may read the cells before them; the last `any` varies fastest.
 */
import { codeOfValue, domainSize, formatDomain, NO_VALUE, NONE } from '../model/domain.js';
import type { Problem } from '../common/problem.js';
import type { Random } from '../common/random.js';
import { NOWHERE } from '../common/source-range.js';
import { Compiler, Fault } from '../sequential/evaluate.js';
import type { Evaluator } from '../sequential/evaluate.js';
import type { InitialCell, SequentialModel } from '../sequential/sequential-model.js';

export class InitialStates {
    readonly #model: SequentialModel;
    readonly #entries: readonly InitialCell[];
    readonly #evaluators: readonly (Evaluator | undefined)[];
    readonly #state: Int32Array;
    #phase: 'start' | 'running' | 'end' = 'start';
    #problem: Problem | undefined;

    constructor(model: SequentialModel) {
        const compiler = new Compiler(model.cells);
        this.#model = model;
        this.#entries = model.initial;
        this.#evaluators = model.initial.map(({ value }) =>
            value.kind === 'value' ? compiler.expression(value.expression) : undefined,
        );
        this.#state = new Int32Array(model.cells.length).fill(NO_VALUE);
        const empty = model.initial.find(
            ({ cell, value }) => value.kind === 'any' && domainSize(model.cells[cell].domain) === 0,
        );
        if (empty !== undefined) {
            const { name, declaration } = model.cells[empty.cell];
            this.#fail(
                'model/no-initial-state',
                `There is no initial state: the type of '${name}' has no value`,
                declaration,
            );
        }
    }

    /** What is wrong with the initial states; there are no more once there is something. */
    get problem(): Problem | undefined {
        return this.#problem;
    }

    /** Writes the next initial state into `target`; false where there is none. */
    nextInto(target: Int32Array): boolean {
        const found = this.#phase !== 'end' && this.#advance();
        if (!found) {
            this.#phase = 'end';
            return false;
        }
        this.#phase = 'running';
        target.set(this.#state);
        return true;
    }

    /** Writes one of them into `target`, each equally likely, and begins anew; false where there is none. */
    chooseInto(target: Int32Array, random: Random): boolean {
        if (this.#problem !== undefined) {
            return false;
        }
        for (const [position, { cell, value }] of this.#entries.entries()) {
            if (!this.#set(position)) {
                return false;
            }
            if (value.kind === 'any') {
                this.#state[cell] = random.below(domainSize(this.#model.cells[cell].domain));
            }
        }
        target.set(this.#state);
        this.#phase = 'start';
        return true;
    }

    /** Whether `state` is one of them. */
    includes(state: Readonly<Int32Array>): boolean {
        return this.#entries.every(({ cell, value }, index) => {
            const { domain } = this.#model.cells[cell];
            const code = state[cell];
            switch (value.kind) {
                case 'any':
                    return 0 <= code && code < domainSize(domain);
                case 'none':
                    return code === NO_VALUE;
                case 'value':
                    return code === codeOfValue(domain, this.#evaluators[index]?.(state) ?? NaN);
            }
        });
    }

    /** Sets the cells from the last choice that has a next value on; false after the last state. */
    #advance(): boolean {
        let position = 0;
        if (this.#phase === 'running') {
            position = this.#entries.length - 1;
            for (; position >= 0; position--) {
                const { cell, value } = this.#entries[position];
                if (value.kind === 'any' && this.#state[cell] + 1 < domainSize(this.#model.cells[cell].domain)) {
                    this.#state[cell]++;
                    break;
                }
            }
            if (position < 0) {
                return false;
            }
            position++;
        }
        for (; position < this.#entries.length; position++) {
            if (!this.#set(position)) {
                return false;
            }
        }
        return true;
    }

    /** Gives one cell its first value; false where that is a fault. */
    #set(position: number): boolean {
        const { cell, value } = this.#entries[position];
        const { domain, name } = this.#model.cells[cell];
        if (value.kind !== 'value') {
            this.#state[cell] = value.kind === 'any' ? 0 : NO_VALUE;
            return true;
        }
        let initial: number;
        try {
            initial = this.#evaluators[position]?.(this.#state) ?? NaN;
        } catch (error) {
            if (!(error instanceof Fault)) {
                throw error;
            }
            const message = `The initial value of '${name}' cannot be computed: ${describeFault(error)}`;
            return this.#fail('model/initial-fault', message, value.range);
        }
        const code = codeOfValue(domain, initial);
        if (code < 0) {
            const text = initial === NONE ? 'none' : String(initial);
            const message = `The initial value ${text} of '${name}' is outside its type ${formatDomain(domain)}`;
            return this.#fail('model/initial-fault', message, value.range);
        }
        this.#state[cell] = code;
        return true;
    }

    #fail(code: string, message: string, range = NOWHERE): false {
        this.#problem = { severity: 'error', code, message, range };
        this.#phase = 'end';
        return false;
    }
}

/** A fault in words. */
export function describeFault(fault: Pick<Fault, 'kind'>): string {
    switch (fault.kind) {
        case 'index':
            return 'an index is outside its type';
        case 'range':
            return 'a value is outside its type';
        case 'division':
            return 'a division by zero';
        case 'overflow':
            return 'a number beyond 2^53 - 1';
        case 'assert':
            return 'an assertion does not hold';
        case 'race':
            return 'two joint steps access one variable';
        case 'undefined':
            return 'a variable without a value is read';
    }
}
