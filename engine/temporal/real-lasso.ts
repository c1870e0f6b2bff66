/**
 * The run with real numbers along a lasso of a search that stores numbers without end by their order and small distances.
 * Steps that are exact lead all states of a class to one class, so a loop of them is gone for ever, whatever the numbers
 * are; of others the numbers must be the same again after some rounds. docs/numbers-soundness.md
 */
import { sameNumbers } from '../common/same-data.js';
import type { WorkLimit } from '../common/work-limit.js';
import { InitialStates } from '../explore/initial/initial-states.js';
import type { NumberOrder } from '../explore/number-order.js';
import { numberSuccessors } from '../explore/number-successors.js';
import { interpretedFiring } from '../explore/successors.js';
import { withRealNumbers } from '../sequential/numbers/real-numbers.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { withAllSlots } from '../sequential/templates/all-slots.js';
import type { Lasso } from './lasso.js';
import { REST } from './marked-firings.js';

/** So many rounds are gone until numbers are the same again. */
const MOST_ROUNDS = 8;

export type RealLasso =
    | { readonly isReal: true; readonly lasso: Lasso }
    /** The run ends where no step goes on as in the classes, or where its loop need not go on for ever. */
    | { readonly isReal: false; readonly run: Pick<Lasso, 'states' | 'firings'>; readonly stopsAt: number | undefined };

/** A lasso without a loop begins it in its last state. Yields now and then. */
export function* realLasso(
    model: SequentialModel,
    order: NumberOrder,
    lasso: Lasso,
    limit: WorkLimit,
): Generator<undefined, RealLasso> {
    const real = withRealNumbers(model);
    const way = new RealWay(real, order);
    const isExact = isLoopExact(model, order, lasso);
    const initial = new InitialStates(real);
    const first = new Int32Array(model.cells.length);
    let farthest: RealLasso | undefined;
    do {
        while (initial.nextInto(first, limit)) {
            if (way.isIn(first, lasso.states[0])) {
                const found = along(way, first.slice(), lasso, isExact);
                if (found.isReal) {
                    return found;
                }
                farthest ??= found;
            }
        }
        yield;
    } while (initial.isPaused);
    return farthest ?? { isReal: false, run: { states: lasso.states.slice(0, 1), firings: [] }, stopsAt: undefined };
}

/** Whether each step of the loop leads all states of a class to one. */
function isLoopExact(model: SequentialModel, order: NumberOrder, { states, firings, loopStart }: Lasso): boolean {
    const all = withAllSlots(model);
    const successors = numberSuccessors(all?.model ?? model, { order, inexact: new Map() });
    return firings.slice(loopStart).every((firing, index) => {
        /** With each choice of slots how often it leads to some class, and whether it leads to the next one. */
        const outcomes = new Map<number, number>();
        const choices = all?.choices[firing] ?? [firing];
        let chosen: number | undefined;
        const count = (summand: number, next?: Readonly<Int32Array>): void => {
            outcomes.set(summand, (outcomes.get(summand) ?? 0) + 1);
            if (next !== undefined && choices.includes(summand) && sameNumbers(next, states[loopStart + index + 1])) {
                chosen = summand;
            }
        };
        successors.forEachFiring(states[loopStart + index], {
            fired: (summand, next) => {
                count(summand, next);
                return true;
            },
            faulted: summand => {
                count(summand);
                return true;
            },
        });
        return firing === REST || (chosen !== undefined && outcomes.get(chosen) === 1);
    });
}

function along(way: RealWay, first: Int32Array, lasso: Lasso, isExact: boolean): RealLasso {
    const { states: classes, loopStart, member } = lasso;
    const states = [first];
    const firings: number[] = [];
    const follow = (from: number, to: number): RealLasso | undefined => {
        for (let position = from; position < to; position++) {
            const firing = lasso.firings[position];
            const next = way.step(states[states.length - 1], firing, classes[position + 1]);
            if (next === undefined) {
                return { isReal: false, run: { states, firings }, stopsAt: firing };
            }
            states.push(next);
            firings.push(firing);
        }
        return undefined;
    };
    const stopped = follow(0, lasso.firings.length);
    if (stopped !== undefined || isExact) {
        return stopped ?? { isReal: true, lasso: { states, firings, loopStart, member } };
    }
    const length = lasso.firings.length - loopStart;
    for (let round = 1; ; round++) {
        const last = states[states.length - 1];
        for (let before = 1; before <= round; before++) {
            const start = states.length - 1 - before * length;
            if (sameNumbers(states[start], last)) {
                return { isReal: true, lasso: { states, firings, loopStart: start, member } };
            }
        }
        if (round === MOST_ROUNDS) {
            return { isReal: false, run: { states, firings }, stopsAt: undefined };
        }
        const end = follow(loopStart, lasso.firings.length);
        if (end !== undefined) {
            return end;
        }
    }
}

/** Steps with real numbers, and the classes of states. */
class RealWay {
    readonly #order: NumberOrder;
    readonly #fire: ReturnType<typeof interpretedFiring>;
    /** By summand those with each choice of slots. */
    readonly #choices: readonly (readonly number[])[] | undefined;
    readonly #form: Int32Array;

    constructor(real: SequentialModel, order: NumberOrder) {
        this.#order = order;
        const all = withAllSlots(real);
        this.#fire = interpretedFiring(all?.model ?? real);
        this.#choices = all?.choices;
        this.#form = new Int32Array(real.cells.length);
    }

    isIn(state: Readonly<Int32Array>, form: Readonly<Int32Array>): boolean {
        this.#form.set(state);
        return this.#order.normalize(this.#form) && sameNumbers(this.#form, form);
    }

    /** The successor in a class. */
    step(state: Int32Array, firing: number, form: Readonly<Int32Array>): Int32Array | undefined {
        const next = state.slice();
        const isNext = (summand: number): boolean =>
            this.#fire(summand)(state, next) === 'fired' && this.isIn(next, form);
        const choices = this.#choices?.[firing] ?? [firing];
        return firing === REST ? next : choices.some(isNext) ? next : undefined;
    }
}
