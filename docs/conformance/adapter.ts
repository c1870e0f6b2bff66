/**
 * Puts the program of two-phase-commit.ts to tests of its model: for `runTests` of the library as it is, and for
 * `orbit tests --with` over lines, as adapter.py does.
 */
import { NotNow, Transaction, type Line } from './two-phase-commit.js';

export type Answer = { readonly ok: true; readonly values: Line } | { readonly refused: string };

export class TwoPhaseCommitAdapter {
    readonly #create: (count: number) => Transaction;
    #transaction: Transaction;

    /** `create` makes the program for so many managers. */
    constructor(create: (count: number) => Transaction = count => new Transaction(count)) {
        this.#create = create;
        this.#transaction = create(0);
    }

    reset(parameters: Line): void {
        this.#transaction = this.#create(Number(parameters['N']));
    }

    /** What the program says of a step is what it holds after it. */
    do(asked: Line): Answer {
        const { process, step, i } = asked;
        const [, number] = /^ResourceManager\[(\d+)\]$/.exec(String(process)) ?? [];
        const { log } = this.#transaction;
        try {
            if (number === undefined) {
                this.#transaction.transaction(
                    step as Parameters<Transaction['transaction']>[0],
                    i === undefined ? undefined : Number(i),
                );
            } else {
                this.#transaction.resource(Number(number), step as Parameters<Transaction['resource']>[1]);
            }
        } catch (error) {
            if (error instanceof NotNow) {
                return { refused: error.message };
            }
            throw error;
        }
        const { process: _process, step: _step, i: _i, ...values } = log[log.length - 1] ?? {};
        return { ok: true, values };
    }
}
