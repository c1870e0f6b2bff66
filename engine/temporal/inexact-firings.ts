/**
 * The firings that lead states that are stored as one to several classes. A loop without them is gone for ever, whatever
 * the numbers are.
 */
import { remembered } from '../common/list-map.js';
import type { NumberOrder } from '../explore/number-order.js';
import { numberSuccessors } from '../explore/number-successors.js';
import type { Successors } from '../explore/successors.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { type MarkedFiring, type MarkedFirings, REST } from './marked-firings.js';
import type { StoredGraph } from './stored-graph.js';

export class InexactFirings {
    readonly #graph: StoredGraph;
    readonly #firings: MarkedFirings;
    readonly #successors: Successors;
    readonly #known = new Map<number, readonly MarkedFiring[]>();

    constructor(model: SequentialModel, order: NumberOrder, graph: StoredGraph, firings: MarkedFirings) {
        this.#graph = graph;
        this.#firings = firings;
        this.#successors = numberSuccessors(model, { order, inexact: new Map() });
    }

    /** Of a stored state. Its rest is exact. */
    of(index: number): readonly MarkedFiring[] {
        return remembered(this.#known, index, () => {
            const state = this.#graph.emptyState();
            this.#graph.stateInto(state, index);
            const outcomes = new Map<number, number>();
            const count = (summand: number): boolean =>
                outcomes.set(summand, (outcomes.get(summand) ?? 0) + 1).size > 0;
            this.#successors.forEachFiring(state, { fired: count, faulted: count });
            return this.#firings.of(index).filter(({ summand }) => summand !== REST && outcomes.get(summand) !== 1);
        });
    }
}
