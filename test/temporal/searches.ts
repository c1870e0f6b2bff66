/** The searches for violations of temporal properties, in all their ways. */
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { interpretedSuccessors } from '../../engine/explore/successors.js';
import { createCanonicalizer } from '../../engine/representative/representative.js';
import type { CanonicalizerOptions } from '../../engine/representative/strategy.js';
import type { PropertyMember } from '../../engine/sequential/temporal.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { constraintsOf } from '../../engine/symmetry/constraints.js';
import { constraintOrbits, markerOrbits, symmetriesWithMarkers } from '../../engine/symmetry/marked-symmetry.js';
import { literalGroup } from '../../engine/symmetry/model-symmetry.js';
import { MarkedCanonicalizer } from '../../engine/temporal/marked-canonicalizer.js';
import { TemporalCheck, type TemporalCheckOptions } from '../../engine/temporal/temporal-check.js';
import type { Answer, VerdictOf } from './agreement.js';

function answer(
    model: SequentialModel,
    members: readonly PropertyMember[],
    options: Partial<TemporalCheckOptions>,
    question: readonly number[] = [0],
): Answer {
    const interpreted = interpretedSuccessors(model);
    const check = new TemporalCheck(model, members, { successors: interpreted, interpreted, ...options }, [question]);
    check.advance(UNLIMITED);
    const [outcome] = check.outcomes;
    switch (outcome!.kind) {
        case 'violated':
            return { verdict: 'violated', lasso: outcome!.lasso, member: members[outcome!.member] };
        case 'fault':
            return { verdict: 'fault' };
        default:
            return { verdict: outcome!.kind };
    }
}

/** On all states. */
export function onAllStates(options: Partial<TemporalCheckOptions> = {}): VerdictOf {
    return (model, member) => answer(model, [member], options);
}

/** Under the symmetries that keep the member and exchange constraints. */
export function onQuotient(
    canonicalizerOptions: CanonicalizerOptions = {},
    options: Partial<TemporalCheckOptions> = {},
): VerdictOf {
    return (model, member) => {
        const { problem } = constraintsOf(model, UNLIMITED);
        const group = symmetriesWithMarkers(problem, [...model.fairness, member], [], UNLIMITED);
        const canonicalizer = createCanonicalizer(literalGroup(group), canonicalizerOptions);
        return answer(model, [member], {
            canonicalizer: new MarkedCanonicalizer(canonicalizer, model.cells.length),
            orbitsOf: constraintOrbits(group, model.fairness.length),
            ...options,
        });
    };
}

/** Under all symmetries of the property, with its members followed along the edges. */
export function tracked(options: Partial<TemporalCheckOptions> = {}): VerdictOf {
    return (model, member) => {
        const { members } = model.properties.find(property => property.members.includes(member))!;
        const { problem } = constraintsOf(model, UNLIMITED);
        const group = symmetriesWithMarkers(problem, [...model.fairness, ...members], [], UNLIMITED);
        const orbits = markerOrbits(group, model.fairness.length);
        const own = orbits[members.indexOf(member)];
        const canonicalizer = createCanonicalizer(literalGroup(group), {});
        return answer(
            model,
            members,
            {
                canonicalizer: new MarkedCanonicalizer(canonicalizer, model.cells.length),
                orbitsOf: constraintOrbits(group, model.fairness.length),
                tracksMarkers: true,
                ...options,
            },
            [...members.keys()].filter(index => orbits[index] === own),
        );
    };
}
