/** The choice of `--reduction auto` by the least expected time: all symmetries, a cheaper subgroup, or none. */
import type { WorkLimit } from '../common/work-limit.js';
import {
    estimateGain,
    FEW_ELEMENTS,
    pays,
    paysClearly,
    savesMemory,
    timeWith,
    type ReductionEstimate,
} from '../explore/reduction-choice.js';
import { FIRST_WALK, SAMPLE_WALKS, sampleStates } from '../explore/random-walks.js';
import { interpretedSuccessors } from '../explore/successors.js';
import { needsNoSearch } from '../representative/representative-plan.js';
import { createCanonicalizer, type Canonicalizer } from '../representative/representative.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { literalGroup, type ModelGroup } from '../symmetry/model-symmetry.js';
import { MOST_ESTIMATE_WORK, MOST_TIED_WORK, quickOrbitSizesOf } from '../symmetry/orbit-sizes.js';

/** The choice with its estimate, which is that of the whole group if no symmetry is used. */
export interface ReductionChoice extends ReductionEstimate {
    readonly uses: 'group' | 'subgroup' | 'nothing';
}

export interface ChosenReduction {
    /** Absent without symmetries or without states to measure: there was nothing to choose. */
    readonly choice?: ReductionChoice;
    /** Absent if no symmetry is used. */
    readonly reduction?: UsedReduction;
}

export interface UsedReduction {
    readonly canonicalizer: Canonicalizer;
    readonly group: ModelGroup;
}

/** Takes some milliseconds. The same model and group give the same choice. */
export function chooseReduction(sequential: SequentialModel, group: ModelGroup, workLimit: WorkLimit): ChosenReduction {
    const whole: UsedReduction = { canonicalizer: createCanonicalizer(literalGroup(group), { workLimit }), group };
    if (whole.canonicalizer.strategy.factors.length === 0) {
        return { reduction: whole };
    }
    const successors = interpretedSuccessors(sequential);
    const cheaper = cheaperReduction(whole);
    if (cheaper === undefined) {
        const few = sampleStates(sequential, successors, FIRST_WALK, workLimit);
        const rough = estimateGain(whole.canonicalizer, few, FEW_ELEMENTS);
        if (rough !== undefined && paysClearly(rough)) {
            return { choice: { uses: 'group', ...rough }, reduction: whole };
        }
    }
    const states = sampleStates(sequential, successors, SAMPLE_WALKS, workLimit);
    const estimate = estimateGain(whole.canonicalizer, states);
    if (estimate === undefined) {
        return { reduction: whole };
    }
    const other = cheaper && estimateGain(cheaper.canonicalizer, states);
    if (cheaper !== undefined && other !== undefined && pays(other) && timeWith(other) < timeWith(estimate)) {
        return { choice: { uses: 'subgroup', ...other }, reduction: cheaper };
    }
    const known = pays(estimate) ? estimate : withWholeOrbits(estimate, group, states);
    return pays(known) || savesMemory(known)
        ? { choice: { uses: 'group', ...known }, reduction: whole }
        : { choice: { uses: 'nothing', ...known } };
}

/**
 * The estimate with whole orbits, if that may change the choice: some elements of a large group, or of one with several
 * factors, show only a part of an orbit. Each orbit counts once, since a walk often stays near its initial state.
 */
function withWholeOrbits(
    estimate: ReductionEstimate,
    group: ModelGroup,
    states: readonly Int32Array[],
): ReductionEstimate {
    const mayPay = pays({ ...estimate, statesPerOrbit: Number(group.order) });
    const sizes = mayPay ? quickOrbitSizesOf(group) : undefined;
    if (sizes === undefined) {
        return estimate;
    }
    const stride = Math.max(1, Math.ceil((states.length * sizes.work) / MOST_ESTIMATE_WORK));
    const mostWorked = sizes.worked + MOST_TIED_WORK;
    const orbits = new Map<string, number>();
    for (let i = 0; i < states.length && sizes.worked <= mostWorked; i += stride) {
        const orbit = sizes.orbitOf(states[i]);
        if (orbit !== undefined) {
            orbits.set(orbit.key, Number(orbit.size));
        }
    }
    const statesPerOrbit = [...orbits.values()].reduce((sum, size) => sum + size, 0) / Math.max(1, orbits.size);
    return statesPerOrbit > estimate.statesPerOrbit ? { ...estimate, statesPerOrbit } : estimate;
}

/** The part of the group without a search for representatives; undefined if there is none, or if it is the whole. */
function cheaperReduction({ canonicalizer, group }: UsedReduction): UsedReduction | undefined {
    const isCheap = canonicalizer.plan()?.every(needsNoSearch) === true;
    const cheaper = isCheap ? undefined : canonicalizer.cheaper();
    const order = cheaper?.group.order;
    return cheaper === undefined || order === undefined
        ? undefined
        : { canonicalizer: cheaper, group: { ...group, generators: cheaper.group.generators, order } };
}
