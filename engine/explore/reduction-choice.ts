/**
 * Whether reduction pays, estimated by the size of orbits and the cost of representatives.
 *
 * With g states in an orbit and a cost of c firings, an exploration takes (1 + c) / g of the time without reduction.
 * Orbits are measured on a sample of states with some elements of the group. The cost is estimated from the generated
 * code or from the steps for the sample. No clock decides, so a model always gets the same choice.
 */
import { needsNoSearch, instructionsOf } from '../representative/representative-plan.js';
import type { StateCanonicalizer } from './state-canonicalizer.js';

export interface ReductionEstimate {
    /** States for each orbit, about; large orbits are only known to be large. */
    readonly statesPerOrbit: number;
    /** The cost of a representative in firings. */
    readonly cost: number;
}

/** The instructions of generated code in the time of a firing that is stored. */
const INSTRUCTIONS_OF_FIRING = 800;
/** The elementary steps outside of generated code in that time. */
const STEPS_OF_FIRING = 15;
/** The cost of moving a state out of generated code and back: a constant, and one firing for so many cells. */
const COST_OF_CALL = 4;
const CELLS_OF_FIRING = 15;
/** The most elements applied to a state; fewer for a first, quick estimate. */
const MOST_ELEMENTS = 256;
export const FEW_ELEMENTS = 64;
/** The least gain of a strategy, since estimates are rough. */
const LEAST_GAIN = 1.1;
const MANY_STATES = 10;
/** As a part of the time without reduction. */
const LONGEST_TIME = 3;
/** A gain that a larger sample would not change. */
const CLEAR_GAIN = 3;

/** Undefined if there are no states. */
export function estimateGain(
    canonicalizer: StateCanonicalizer,
    states: readonly Int32Array[],
    mostElements = MOST_ELEMENTS,
): ReductionEstimate | undefined {
    if (states.length === 0) {
        return undefined;
    }
    const sizes = canonicalizer.imageCounts?.(states, mostElements) ?? states.map(() => 1);
    const parts = sizes.reduce((sum, size) => sum + 1 / size, 0);
    const statesPerOrbit = states.length / parts;
    return { statesPerOrbit, cost: costOf(canonicalizer, states, statesPerOrbit) };
}

/** Whether an exploration clearly takes less time with it. */
export function pays({ statesPerOrbit, cost }: ReductionEstimate): boolean {
    return statesPerOrbit >= LEAST_GAIN * (1 + cost);
}

/** Whether it leaves a tenth of the states, in not much more time: memory is what ends large explorations. */
export function savesMemory(estimate: ReductionEstimate): boolean {
    return estimate.statesPerOrbit >= MANY_STATES && timeWith(estimate) <= LONGEST_TIME;
}

/** Whether a larger sample would not change that. */
export function paysClearly({ statesPerOrbit, cost }: ReductionEstimate): boolean {
    return statesPerOrbit >= CLEAR_GAIN * (1 + cost);
}

/** The time of an exploration, as a part of the time without reduction. */
export function timeWith({ statesPerOrbit, cost }: ReductionEstimate): number {
    return (1 + cost) / statesPerOrbit;
}

/** The estimate ends at so many times the cost at which reduction would not pay. */
const FAR_TOO_MUCH = 4;
const LEAST_TRIED = 8;

function costOf(canonicalizer: StateCanonicalizer, states: readonly Int32Array[], statesPerOrbit: number): number {
    const plan = canonicalizer.plan?.();
    const compiled = plan === undefined ? 0 : instructionsOf(plan) / INSTRUCTIONS_OF_FIRING;
    const { meter } = canonicalizer;
    if (meter === undefined || (plan?.every(needsNoSearch) ?? false)) {
        return compiled;
    }
    const target = new Int32Array(states[0].length);
    const before = { ...meter };
    const call = COST_OF_CALL + target.length / CELLS_OF_FIRING;
    let cost = compiled;
    for (let tried = 1; tried <= states.length; tried++) {
        canonicalizer.canonicalizeInto(target, states[tried - 1]);
        // With a plan, only searches are left to the canonicalizer.
        const searched = plan === undefined ? 1 : (meter.searches - before.searches) / tried;
        const steps = (meter.steps - before.steps) / tried;
        cost = compiled + searched * (call + steps / STEPS_OF_FIRING);
        if (tried >= LEAST_TRIED && cost > FAR_TOO_MUCH * statesPerOrbit) {
            break;
        }
    }
    return cost;
}
