/** The searches for violations of temporal properties, in all their ways. */
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { interpretedSuccessors } from '../../engine/explore/successors.js';
import { createCanonicalizer } from '../../engine/representative/representative.js';
import type { CanonicalizerOptions } from '../../engine/representative/strategy.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { constraintsOf } from '../../engine/symmetry/constraints.js';
import { markerOrbits, symmetriesWithMarkers, type MarkedGroup } from '../../engine/symmetry/marked-symmetry.js';
import { literalGroup } from '../../engine/symmetry/model-symmetry.js';
import { MarkedCanonicalizer } from '../../engine/temporal/marked-canonicalizer.js';
import { TemporalCheck, type TemporalCheckOptions } from '../../engine/temporal/temporal-check.js';
import type { Answer, VerdictOf } from './agreement.js';

function answer(
    model: SequentialModel,
    member: Parameters<VerdictOf>[1],
    options: Partial<TemporalCheckOptions>,
): Answer {
    const interpreted = interpretedSuccessors(model);
    const check = new TemporalCheck(model, [member], { successors: interpreted, interpreted, ...options });
    check.advance(UNLIMITED);
    const [outcome] = check.outcomes;
    switch (outcome!.kind) {
        case 'violated':
            return { verdict: 'violated', lasso: outcome!.lasso };
        case 'fault':
            return { verdict: 'fault' };
        default:
            return { verdict: outcome!.kind };
    }
}

/** On all states. */
export function onAllStates(options: Partial<TemporalCheckOptions> = {}): VerdictOf {
    return (model, member) => answer(model, member, options);
}

/** Under the symmetries that keep the member and exchange constraints. */
export function onQuotient(
    canonicalizerOptions: CanonicalizerOptions = {},
    options: Partial<TemporalCheckOptions> = {},
): VerdictOf {
    return onQuotientBy(group => group, canonicalizerOptions, options);
}

/** Under the group that every other generator of these symmetries generates. */
export function onQuotientBySubgroup(): VerdictOf {
    return onQuotientBy(group => ({
        ...group,
        generators: group.generators.filter((_, index) => index % 2 === 1),
        // The order is not known.
        complete: false,
    }));
}

function onQuotientBy(
    subgroupOf: (group: MarkedGroup) => MarkedGroup,
    canonicalizerOptions: CanonicalizerOptions = {},
    options: Partial<TemporalCheckOptions> = {},
): VerdictOf {
    return (model, member) => {
        const { problem } = constraintsOf(model, UNLIMITED);
        const group = subgroupOf(symmetriesWithMarkers(problem, [...model.fairness, member], [], UNLIMITED));
        const canonicalizer = createCanonicalizer(literalGroup(group), canonicalizerOptions);
        return answer(model, member, {
            canonicalizer: new MarkedCanonicalizer(canonicalizer, model.cells.length),
            constraintOrbit: markerOrbits(group, 0).slice(0, model.fairness.length),
            ...options,
        });
    };
}
