/**
 * The explicit graph of a model for temporal properties: all reachable states and all firings between them, without
 * symmetry. A firing that is a fault leads nowhere and is left out. A state without a firing rests for ever; one from which
 * firings lead outside of the constraint does not, and no run goes along these.
 */
import { InitialStates } from '../../../engine/explore/initial/initial-states.js';
import { interpretedSuccessors } from '../../../engine/explore/successors.js';
import type { SequentialModel } from '../../../engine/sequential/sequential-model.js';

/** The summand of a rest. */
const REST = -1;

/** States and firings are numbers, each an index. */
export interface FullGraph {
    readonly states: readonly Int32Array[];
    /** The initial states. */
    readonly initial: readonly number[];
    readonly firings: readonly GraphFiring[];
    /** By state: the firings that leave it; none only if all lead outside. */
    readonly leaving: readonly (readonly number[])[];
    /** By state: the summands whose firings lead outside. */
    readonly outside: readonly (readonly number[])[];
}

/** Also a position of a run: the state `from`, and the firing that leaves it. */
interface GraphFiring {
    readonly from: number;
    readonly to: number;
    /** REST if nobody takes anything; then `to` is `from`. */
    readonly summand: number;
}

/** Undefined if more than `mostStates` states are reachable. */
export function fullGraph(model: SequentialModel, mostStates = Infinity): FullGraph | undefined {
    const states: Int32Array[] = [];
    const known = new Map<string, number>();
    const numberOf = (state: Readonly<Int32Array>): number => {
        const key = state.join();
        const number = known.get(key) ?? states.length;
        if (number === states.length) {
            known.set(key, number);
            states.push(state.slice());
        }
        return number;
    };

    const initial: number[] = [];
    const cursor = new InitialStates(model);
    const state = new Int32Array(model.cells.length);
    while (states.length <= mostStates && cursor.nextInto(state)) {
        initial.push(numberOf(state));
    }

    const firings: GraphFiring[] = [];
    const leaving: number[][] = [];
    const outside: number[][] = [];
    const successors = interpretedSuccessors(model);
    for (let from = 0; from < states.length; from++) {
        if (states.length > mostStates) {
            return undefined;
        }
        const first = firings.length;
        const cutOff: number[] = [];
        successors.forEachFiring(states[from]!, {
            fired: (summand, successor) => firings.push({ from, to: numberOf(successor), summand }) > 0,
            faulted: (summand, { kind }) => kind !== 'outside' || cutOff.push(summand) > 0,
        });
        outside.push(cutOff);
        if (firings.length === first && cutOff.length === 0) {
            firings.push({ from, to: from, summand: REST });
        }
        leaving.push(firings.slice(first).map((_, index) => first + index));
    }
    return { states, initial, firings, leaving, outside };
}
