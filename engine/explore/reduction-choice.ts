/**
 * Whether reduction pays, by counts: how many states stand for one, and what it costs to find it.
 *
 * With g states in an orbit and representatives that cost as much as c firings, an exploration takes (1 + c) / g of the
 * time that it takes without reduction. Orbits are measured on a sample of states, with some elements of the group, all
 * where there are few; the cost is estimated from what generated code has to do, or from the steps that were needed for
 * the sample. No clock decides, so the same model gives the same choice.
 */
import { needsNoSearch, instructionsOf } from '../representative/representative-plan.js';
import type { Canonicalizer } from './reduction.js';

export interface ReductionEstimate {
    /** States for each orbit, about. Small orbits are measured, of large ones it is known that they are large. */
    readonly statesPerOrbit: number;
    /** What a representative costs, in firings. */
    readonly cost: number;
}

/** Instructions of generated code that take as long as a firing with storing its state. */
const INSTRUCTIONS_OF_FIRING = 800;
/** The same of elementary steps outside of generated code. */
const STEPS_OF_FIRING = 15;
/** Firings that it takes to bring a state out of generated code and back, and another one for so many cells. */
const COST_OF_CALL = 4;
const CELLS_OF_FIRING = 15;
/** Elements that are applied to a state, and where it may be seen soon that a strategy pays. */
const MOST_ELEMENTS = 256;
export const FEW_ELEMENTS = 64;
/** A strategy has to be so much better than none, for estimates are rough. */
const LEAST_GAIN = 1.1;
/** One that is so much better in a small sample is better in a large one. */
const CLEAR_GAIN = 3;

/** `undefined` where there are no states. */
export function estimateGain(
    canonicalizer: Canonicalizer,
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

/** Whether an exploration with it takes clearly less time than one without. */
export function pays({ statesPerOrbit, cost }: ReductionEstimate): boolean {
    return statesPerOrbit >= LEAST_GAIN * (1 + cost);
}

/** Whether that would not change if one looked closer. */
export function paysClearly({ statesPerOrbit, cost }: ReductionEstimate): boolean {
    return statesPerOrbit >= CLEAR_GAIN * (1 + cost);
}

/** What an exploration takes with it, as a part of what it takes without. */
export function timeWith({ statesPerOrbit, cost }: ReductionEstimate): number {
    return (1 + cost) / statesPerOrbit;
}

/** The estimate of the cost ends at so many times the cost at which reduction would not pay. */
const FAR_TOO_MUCH = 4;
const LEAST_TRIED = 8;

function costOf(canonicalizer: Canonicalizer, states: readonly Int32Array[], statesPerOrbit: number): number {
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
        // Where there is a plan, only what needs a search is left to the canonicalizer.
        const searched = plan === undefined ? 1 : (meter.searches - before.searches) / tried;
        const steps = (meter.steps - before.steps) / tried;
        cost = compiled + searched * (call + steps / STEPS_OF_FIRING);
        if (tried >= LEAST_TRIED && cost > FAR_TOO_MUCH * statesPerOrbit) {
            break;
        }
    }
    return cost;
}
