/** The searches for violations of temporal properties, in all their ways. */
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { interpretedSuccessors } from '../../engine/explore/successors.js';
import { createCanonicalizer } from '../../engine/representative/representative.js';
import type { CanonicalizerOptions } from '../../engine/representative/strategy.js';
import type { ConstraintProblem } from '../../engine/constraints/constraint-problem.js';
import { remembered } from '../../engine/common/list-map.js';
import type { PropertyMember, SequentialModel } from '../../engine/sequential/sequential-model.js';
import { PropertyChecks } from '../../engine/verdict/property-checks.js';
import { constraintsOf } from '../../engine/symmetry/constraints.js';
import {
    constraintOrbits,
    markerOrbits,
    symmetriesWithMarkers,
    type MarkedGroup,
} from '../../engine/symmetry/marked-symmetry.js';
import { literalGroup } from '../../engine/symmetry/model-symmetry.js';
import { MarkedCanonicalizer } from '../../engine/temporal/marked-canonicalizer.js';
import { withObligations } from '../../engine/temporal/obligations.js';
import { TemporalCheck, type Question, type TemporalCheckOptions } from '../../engine/temporal/temporal-check.js';
import {
    lassoOfViolation,
    memberOfViolation,
    type Answer,
    type PropertyVerdictOf,
    type Searches,
    type VerdictOf,
} from './agreement.js';

function answer(
    model: SequentialModel,
    members: readonly PropertyMember[],
    options: Partial<TemporalCheckOptions>,
    question: Question = { members: [0], images: [0] },
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
        case 'notReal':
            throw new Error('the model has no numbers without end');
        default:
            return { verdict: outcome!.kind };
    }
}

/** By name: what must give the same answers as the reference. */
export const SEARCHES: Searches = {
    ofMembers: {
        'a search on all states': onAllStates({ mostLassoWork: 10_000 }),
        'a search before all is expanded': onAllStates({ firstSearch: 2, mostLassoWork: 0 }),
        'a search on the quotient': onQuotient({}, { mostLassoWork: 0 }),
        'a search on the quotient that shows a least lasso': onQuotient({}, { mostLassoWork: 10_000 }),
        'a search on a quotient with several states of an orbit': onQuotient({ force: 'local' }, { mostLassoWork: 0 }),
        'a search before the quotient is expanded': onQuotient({}, { firstSearch: 2, mostLassoWork: 0 }),
        'a search on the quotient by a subgroup': onQuotientBySubgroup(),
        'a search that follows members': tracked({}, { mostLassoWork: 0 }),
        'a search that follows members and shows a least lasso': tracked({}, { mostLassoWork: 10_000 }),
        'a search that follows members with several states of an orbit': tracked(
            { force: 'local' },
            { mostLassoWork: 0 },
        ),
        'a search that follows members before all is expanded': tracked({}, { firstSearch: 2, mostLassoWork: 0 }),
    },
    ofProperties: {
        'a check on all states': ofAllMembers(undefined),
        'a check of one member of each orbit': ofAllMembers({}),
        'a check of one member of each orbit by generated code': ofAllMembers({}, false),
        'a check of one member with several states of an orbit': ofAllMembers({ force: 'local' }),
    },
};

/** Those that put fairness in place of alternatives, for members by themselves and as explorations do. */
export const OBLIGED: Searches = {
    ofMembers: Object.fromEntries(
        Object.entries(SEARCHES.ofMembers)
            .filter(([name]) => !name.includes('follows'))
            .map(([name, search]) => [name, withObligation(search)]),
    ),
    ofProperties: SEARCHES.ofProperties,
};

export const SEARCH_COUNT = Object.keys({ ...SEARCHES.ofMembers, ...SEARCHES.ofProperties }).length;

/** Two of the searches, by a number. */
export function twoSearches(number: number): Searches {
    const some = <Search>(all: Readonly<Record<string, Search>>, first: number): Readonly<Record<string, Search>> =>
        Object.fromEntries(
            Object.entries(all).filter((_, index) => (first + index - number) % Math.floor(SEARCH_COUNT / 2) === 0),
        );
    const { ofMembers, ofProperties } = SEARCHES;
    return { ofMembers: some(ofMembers, 0), ofProperties: some(ofProperties, Object.keys(ofMembers).length) };
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
    return onQuotientBy(group => group, canonicalizerOptions, options);
}

/** Under the group that every other generator of these symmetries generates. */
export function onQuotientBySubgroup(): VerdictOf {
    const subgroupOf = (group: MarkedGroup): MarkedGroup => ({
        ...group,
        generators: group.generators.filter((_, index) => index % 2 === 1),
        // The order is not known.
        complete: false,
    });
    return onQuotientBy(subgroupOf, {}, { mostLassoWork: 0 });
}

function onQuotientBy(
    subgroupOf: (group: MarkedGroup) => MarkedGroup,
    canonicalizerOptions: CanonicalizerOptions = {},
    options: Partial<TemporalCheckOptions> = {},
): VerdictOf {
    return (model, member) => {
        const group = subgroupOf(symmetriesOf(model, member));
        const canonicalizer = createCanonicalizer(literalGroup(group), canonicalizerOptions);
        return answer(model, [member], {
            canonicalizer: new MarkedCanonicalizer(canonicalizer, model.cells.length),
            orbitsOf: constraintOrbits(group, model.fairness.length),
            ...options,
        });
    };
}

const problems = new WeakMap<SequentialModel, ConstraintProblem>();
/** By member, or by all members of a property. */
const groups = new WeakMap<PropertyMember | readonly PropertyMember[], MarkedGroup>();

/** Many searches ask for it. */
function problemOf(model: SequentialModel): ConstraintProblem {
    return remembered(problems, model, () => constraintsOf(model, UNLIMITED).problem);
}

/** The symmetries that keep the member, or exchange the members, and exchange constraints. */
export function symmetriesOf(model: SequentialModel, kept: PropertyMember | readonly PropertyMember[]): MarkedGroup {
    return remembered(groups, kept, () =>
        symmetriesWithMarkers(problemOf(model), [...model.fairness, ...[kept].flat()], [], UNLIMITED),
    );
}

/** As explorations check a property: of each orbit of members one. */
function ofAllMembers(canonicalizer: CanonicalizerOptions | undefined, isInterpreted = true): PropertyVerdictOf {
    return (model, property) => {
        const symmetry = canonicalizer && { constraints: problemOf(model), movesStart: true, canonicalizer };
        const options = { isInterpreted, meant: new Set<string>(), ...(symmetry !== undefined && { symmetry }) };
        const checks = new PropertyChecks(model, [property], options, UNLIMITED);
        checks.advance(UNLIMITED);
        const [violation] = checks.violations;
        if (violation === undefined) {
            const { verdict } = checks.reports[0]!;
            return { verdict };
        }
        const lasso = lassoOfViolation(violation);
        const member = memberOfViolation(property, violation);
        return lasso === undefined
            ? { verdict: 'fault' }
            : { verdict: 'violated', lasso, ...(member !== undefined && { member }) };
    };
}

/** Under all symmetries of the property, with its members followed along the edges. */
export function tracked(
    canonicalizerOptions: CanonicalizerOptions = {},
    options: Partial<TemporalCheckOptions> = {},
): VerdictOf {
    return (model, member) => {
        const { members } = model.properties.find(property => property.members.includes(member))!;
        const group = symmetriesOf(model, members);
        const orbits = markerOrbits(group, model.fairness.length);
        const own = [...members.keys()].filter(index => orbits[index] === orbits[members.indexOf(member)]);
        const canonicalizer = createCanonicalizer(literalGroup(group), canonicalizerOptions);
        return answer(
            model,
            members,
            {
                canonicalizer: new MarkedCanonicalizer(canonicalizer, model.cells.length),
                orbitsOf: constraintOrbits(group, model.fairness.length),
                tracksMarkers: true,
                ...options,
            },
            { members: own, images: own },
        );
    };
}

/** With fairness in place of the alternatives `eventually always`. */
export function withObligation(search: VerdictOf): VerdictOf {
    return (model, member) => {
        const obliged = withObligations(model, member);
        // The run is to violate the member as written.
        return { ...search(obliged?.model ?? model, obliged?.member ?? member), member };
    };
}
