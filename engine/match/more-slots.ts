/** A model with twice the slots for the instances that a step creates, and its states with these slots empty. */
import { invariant } from '../common/assert.js';
import { InitialStates } from '../explore/initial/initial-states.js';
import type { Model } from '../model/model.js';
import { withSlots } from '../model/with-slots.js';
import { linearize } from '../sequential/linearize.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { createdBy, MOST_INSTANCES, slotsOf } from '../verdict/enough-slots.js';

export interface Grown {
    readonly model: Model;
    readonly sequential: SequentialModel;
    /** A state of the model before. */
    readonly extend: (state: Readonly<Int32Array>) => Int32Array;
}

/** Or the template that has as many as it may have. */
export function withMoreSlots(
    model: Model,
    sequential: SequentialModel,
    summand: number,
): Grown | { readonly template: string } {
    const missed = createdBy(sequential, summand);
    const full = missed.find(({ slots }) => slots.length >= MOST_INSTANCES);
    if (full !== undefined) {
        return { template: full.name };
    }
    const slots = new Map(slotsOf(sequential));
    missed.forEach(({ process, slots: own }) => slots.set(process, Math.min(2 * own.length, MOST_INSTANCES)));
    const grown = withSlots(model, slots);
    const { sequential: more } = linearize(grown);
    if (more === undefined) {
        return { template: missed[0].name };
    }
    const empty = new Int32Array(more.cells.length);
    const isThere = new InitialStates(more).nextInto(empty);
    invariant(isThere, 'with more slots there is an initial state, too');
    const keys = keysOf(sequential);
    const cellOf = new Map(keys.map((key, cell) => [key, cell]));
    const sources = keysOf(more).map(key => cellOf.get(key) ?? -1);
    return {
        model: grown,
        sequential: more,
        extend: state => empty.map((code, cell) => (sources[cell] < 0 ? code : state[sources[cell]])),
    };
}

/** The names of cells; locals of two blocks may have one name. */
function keysOf({ cells }: SequentialModel): readonly string[] {
    const counts = new Map<string, number>();
    return cells.map(({ name }) => {
        const count = counts.get(name) ?? 0;
        counts.set(name, count + 1);
        return `${name} ${count}`;
    });
}
