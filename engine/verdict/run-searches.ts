/**
 * The searches that answer a temporal property, each with its symmetries: of the members that symmetries exchange one is
 * checked, under those that keep it and the fairness of the model. Members are markers, which symmetries carry along.
 */
import { appendTo } from '../common/list-map.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { ConstraintProblem } from '../constraints/constraint-problem.js';
import { structureOf } from '../describe/factors.js';
import type { TemporalOutcome } from '../explore/verdict.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import { createCanonicalizer } from '../representative/representative.js';
import type { Marker, PropertyMember, SequentialModel, TemporalProperty } from '../sequential/sequential-model.js';
import { saidOfAllSlots } from '../sequential/templates/all-slots.js';
import {
    constraintOrbits,
    markerOrbits,
    symmetriesWithMarkers,
    type MarkedGroup,
} from '../symmetry/marked-symmetry.js';
import { literalGroup } from '../symmetry/model-symmetry.js';
import { MarkedCanonicalizer } from '../temporal/marked-canonicalizer.js';
import { withObligations } from '../temporal/obligations.js';
import type { Question, TemporalCheckOptions } from '../temporal/temporal-check.js';
import type { Representatives } from './symmetry-reduction.js';

/** The source of the symmetries of searches for runs. */
export interface RunSymmetry extends Representatives {
    readonly constraints: ConstraintProblem;
    /** Whether the steps have symmetries that do not keep the start. */
    readonly movesStart: boolean;
}

/** A search for some members, with the symmetries that keep each of them, or exchange those of a question. */
export interface RunSearch {
    /** As written, or with obligations in place of a part of the only member (temporal/obligations.ts). */
    readonly model: SequentialModel;
    readonly members: readonly PropertyMember[];
    /** The same members as written. */
    readonly written: readonly PropertyMember[];
    readonly questions: readonly Question[];
    /** By question the number of members of the property that it is about. */
    readonly copies: readonly number[];
    /** Absent if every state is stored. */
    readonly reduction?: MarkedReduction;
    /** Whether the members move along the edges of the search. */
    readonly tracksMarkers?: true;
}

interface MarkedReduction {
    readonly group: MarkedGroup;
    /** The part of the group that keeps the start; absent if all of it does. */
    readonly startGroup?: MarkedGroup;
}

/**
 * A member is followed along the edges if that saves so many times more states than there are symmetries that keep it:
 * for those the search of a member by itself would be reduced, too, and each edge costs less there.
 */
const FEW_SYMMETRIES = 4n;

/**
 * All members at once where every state is stored, else one of each orbit; each with obligations by itself. `workLimit`
 * bounds the search for symmetries.
 */
export function searchesOf(
    model: SequentialModel,
    { members }: TemporalProperty,
    symmetry: RunSymmetry | undefined,
    workLimit: WorkLimit,
): readonly RunSearch[] {
    const alone = (member: PropertyMember, copies: number): RunSearch =>
        searchOf(model, member, copies, symmetry, workLimit);
    const isObliged = members.some(member => withObligations(model, member) !== undefined);
    if (members.length < 2 || (symmetry === undefined && isObliged)) {
        return members.map(member => alone(member, 1));
    }
    const together = { model, members, written: members };
    if (symmetry === undefined) {
        const questions = members.map((_, member): Question => ({ members: [member], images: [member] }));
        return [{ ...together, questions, copies: members.map(() => 1) }];
    }
    const { fairness } = model;
    const reduction = reductionKeeping(model, members, symmetry, workLimit);
    const { group, startGroup = group } = reduction;
    const isTracked = ({ images }: Question): boolean =>
        !isObliged && group.complete && (group.order / BigInt(images.length)) * FEW_SYMMETRIES <= BigInt(images.length);
    const orbitsOfImages = orbitsOf(markerOrbits(group, fairness.length));
    const questions = orbitsOf(markerOrbits(startGroup, fairness.length)).map((orbit): Question => ({
        members: orbit,
        images: orbitsOfImages.find(images => images.includes(orbit[0])) ?? orbit,
    }));
    const tracked = questions.filter(isTracked);
    const copies = tracked.map(question => question.members.length);
    return [
        ...(tracked.length === 0
            ? []
            : [{ ...together, questions: tracked, copies, reduction, tracksMarkers: true as const }]),
        ...questions
            .filter(question => !isTracked(question))
            .map(({ members: { 0: first, length } }) => alone(members[first], length)),
    ];
}

/** For one member, which stands for so many. */
function searchOf(
    given: SequentialModel,
    written: PropertyMember,
    copies: number,
    symmetry: RunSymmetry | undefined,
    workLimit: WorkLimit,
): RunSearch {
    const { model, member } = withObligations(given, written) ?? { model: given, member: written };
    return {
        model,
        members: [member],
        written: [written],
        questions: [{ members: [0], images: [0] }],
        copies: [copies],
        ...(symmetry !== undefined && { reduction: reductionKeeping(model, [member], symmetry, workLimit) }),
    };
}

/** The symmetries of the steps that keep these members and the fairness of the model. */
function reductionKeeping(
    model: SequentialModel,
    members: readonly PropertyMember[],
    { constraints, movesStart }: RunSymmetry,
    workLimit: WorkLimit,
): MarkedReduction {
    // The constraints are those of the model with all choices of slots.
    const markers = saidOfAllSlots<Marker>(model, [...model.fairness, ...members]);
    const groupOf = (problem: ConstraintProblem, known: readonly SparsePermutation[]): MarkedGroup =>
        symmetriesWithMarkers(problem, markers, known, workLimit);
    const start = groupOf(constraints, []);
    if (!movesStart || !start.complete) {
        return { group: start };
    }
    const group = groupOf({ ...constraints, startMoved: { classes: [] } }, start.generators);
    return group.complete && group.order > start.order ? { group, startGroup: start } : { group: start };
}

/** Numbers with the same number of an orbit, each list ascending. */
function orbitsOf(numbers: readonly number[]): readonly (readonly number[])[] {
    const orbits = new Map<number, number[]>();
    numbers.forEach((orbit, member) => {
        appendTo(orbits, orbit, member);
    });
    return [...orbits.values()];
}

export type RunSearchParts = Pick<
    TemporalCheckOptions,
    'canonicalizer' | 'orbitsOf' | 'tracksMarkers' | 'startMoved' | 'exactWithin'
>;

/** The parts of a search that its symmetries make; empty without symmetries. */
export function searchPartsOf(
    { model, reduction, tracksMarkers }: RunSearch,
    symmetry: RunSymmetry | undefined,
): RunSearchParts {
    if (reduction === undefined || symmetry === undefined || reduction.group.generators.length === 0) {
        return {};
    }
    const { group, startGroup } = reduction;
    const { exactWithin } = symmetry;
    const canonicalizerOf = (marked: MarkedGroup, options = {}): MarkedCanonicalizer =>
        new MarkedCanonicalizer(createCanonicalizer(literalGroup(marked), options), model.cells.length);
    return {
        canonicalizer: canonicalizerOf(group, symmetry.canonicalizer),
        orbitsOf: constraintOrbits(group, model.fairness.length),
        ...(tracksMarkers !== undefined && { tracksMarkers }),
        ...(startGroup !== undefined && {
            startMoved: { elements: (most, cells) => canonicalizerOf(startGroup).elements(most, cells) },
        }),
        ...(exactWithin !== undefined && { exactWithin }),
    };
}

type UsedReduction = Omit<TemporalOutcome['reduction'], 'unique'>;

export const NO_REDUCTION: UsedReduction = { group: '1', order: '1', start: 'kept', startOrder: '1', strategy: 'none' };

/** The part of the symmetries of a search in its report. */
export function reductionOf({ reduction }: RunSearch, { canonicalizer }: RunSearchParts): UsedReduction {
    if (reduction === undefined || canonicalizer === undefined) {
        return NO_REDUCTION;
    }
    const { group, startGroup } = reduction;
    return {
        group: structureOf(group),
        order: group.order.toString(),
        start: startGroup === undefined ? 'kept' : 'moved',
        startOrder: (startGroup ?? group).order.toString(),
        strategy: canonicalizer.strategy.name,
    };
}
