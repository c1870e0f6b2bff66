/**
 * The successors of states whose numbers without end are in the form of explore/number-order.ts: of each firing
 * those of all states that a state stands for, each once. The interpreter makes them.
 */
import { sameNumbers } from '../common/same-data.js';
import { invariant } from '../common/assert.js';
import { remembered } from '../common/list-map.js';
import { keyOfRange } from '../common/source-range.js';
import type { NumberOrder } from './number-order.js';
import { Fault } from '../sequential/expression/evaluate.js';
import { leastKept } from '../sequential/numbers/number-facts.js';
import { withRealNumbers } from '../sequential/numbers/real-numbers.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { type FiringVisitor, interpretedFiring, interpretedSuccessors, type Successors } from './successors.js';

/** What a search has seen of steps that depend on how long a long distance is. */
export interface NumberSteps {
    readonly order: NumberOrder;
    /** By summand the sorts in which states that are stored as one go to different ones. */
    readonly inexact: Map<number, Set<number>>;
    /** A summand of which there are too many cases. */
    tooMany?: number;
}

/** Tells `inexact` of what it finds. A number for which there is no code, and too many cases, are the fault `numbers`. */
export function numberSuccessors(model: SequentialModel, steps: NumberSteps): Successors {
    const real = withRealNumbers(model);
    const { order } = steps;
    const { sums = [], sorts = [] } = model.numbers ?? {};
    const keepsEnough = sorts.every((sort, index) => order.sorts[index].kept >= leastKept(sort));
    const successors = interpretedSuccessors(real);
    const fire = interpretedFiring(real);
    const scratch = new Int32Array(model.cells.length);
    /** By summand the same text if the same states are to be opened. */
    const openingKeys = sums.map(({ count, sorts }) => `${count} ${sorts.join()}`);
    return {
        forEachFiring(state, visitor): void {
            const known = new Map<string, readonly Int32Array[]>();
            const openingsFor = (summand: number): readonly Int32Array[] => {
                const { count, sorts } = sums[summand];
                return count === 0
                    ? []
                    : remembered(known, openingKeys[summand], () => order.openings(state, sorts, count) ?? TOO_MANY);
            };
            /** Whether the search goes on. */
            const allOf = (summand: number, first: Int32Array | Fault): boolean => {
                if (sums[summand].count === 0 && !(first instanceof Fault) && order.normalize(first)) {
                    return visitor.fired(summand, first);
                }
                const told = new ToldOnce(summand, model, steps, visitor);
                if (!told.tell(first)) {
                    return false;
                }
                const openings = openingsFor(summand);
                if (openings === TOO_MANY) {
                    steps.tooMany = summand;
                    return visitor.faulted(summand, told.outOfCodes());
                }
                for (const opening of openings) {
                    const outcome = fire(summand)(opening, scratch);
                    const isPossible = outcome !== 'disabled';
                    invariant(isPossible || !keepsEnough, 'a step is possible in all states that one stands for');
                    if (isPossible && !told.tell(outcome === 'fired' ? scratch : outcome)) {
                        return false;
                    }
                }
                return true;
            };
            successors.forEachFiring(state, {
                fired: (summand, successor) => {
                    scratch.set(successor);
                    return allOf(summand, scratch);
                },
                faulted: (summand, fault) =>
                    fault.kind === 'outside' ? allOf(summand, fault) : visitor.faulted(summand, fault),
            });
        },
    };
}

const TOO_MANY: readonly Int32Array[] = [];

/** The outcomes of one firing in the states that one stands for: equal ones are one. */
class ToldOnce {
    readonly #summand: number;
    readonly #model: SequentialModel;
    readonly #steps: NumberSteps;
    readonly #visitor: FiringVisitor;
    readonly #outcomes: (Int32Array | Fault)[] = [];

    constructor(summand: number, model: SequentialModel, steps: NumberSteps, visitor: FiringVisitor) {
        this.#summand = summand;
        this.#model = model;
        this.#steps = steps;
        this.#visitor = visitor;
    }

    /** Takes a state, which becomes the form that is stored, for the visitor meanwhile, or a fault; whether the search goes on. */
    tell(outcome: Int32Array | Fault): boolean {
        if (!(outcome instanceof Fault) && !this.#steps.order.normalize(outcome)) {
            return this.#visitor.faulted(this.#summand, this.outOfCodes());
        }
        if (this.#outcomes.some(known => areEqual(known, outcome))) {
            return true;
        }
        if (this.#outcomes.length > 0) {
            this.#noteDifference(this.#outcomes[0], outcome);
        }
        this.#outcomes.push(outcome instanceof Fault ? outcome : outcome.slice());
        return outcome instanceof Fault
            ? this.#visitor.faulted(this.#summand, outcome)
            : this.#visitor.fired(this.#summand, outcome);
    }

    outOfCodes(): Fault {
        return new Fault('numbers', this.#model.summands[this.#summand].participants[0].range);
    }

    #noteDifference(first: Int32Array | Fault, second: Int32Array | Fault): void {
        const inexact = remembered(this.#steps.inexact, this.#summand, () => new Set<number>());
        const { sorts } = this.#model.numbers?.sums[this.#summand] ?? { sorts: [] };
        const differing =
            first instanceof Fault || second instanceof Fault
                ? sorts
                : sorts.filter(sort => this.#steps.order.differ(sort, first, second));
        (differing.length > 0 ? differing : sorts).forEach(sort => inexact.add(sort));
    }
}

function areEqual(first: Int32Array | Fault, second: Int32Array | Fault): boolean {
    return first instanceof Fault || second instanceof Fault
        ? first instanceof Fault && second instanceof Fault && isSame(first, second)
        : sameNumbers(first, second);
}

/** Whether they are one of the text: two evaluations make two. */
function isSame(first: Fault, second: Fault): boolean {
    return first.kind === second.kind && keyOfRange(first.range) === keyOfRange(second.range);
}
