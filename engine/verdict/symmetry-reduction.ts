/** Symmetries as a reduction: one state of each orbit is stored. */
import { UNLIMITED, type WorkLimit } from '../common/work-limit.js';
import type { ConstraintProblem } from '../constraints/constraint-problem.js';
import type { StartSymmetries } from '../explore/initial/roots.js';
import type { EqualProcesses } from '../explore/equal-processes.js';
import type { SortPlan } from '../representative/representative-plan.js';
import { createCanonicalizer } from '../representative/representative.js';
import type { CanonicalizerOptions } from '../representative/strategy.js';
import { asWritten, type PassedModel } from '../sequential/reduced-model.js';
import { withAllSlots } from '../sequential/templates/all-slots.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import { AlikeProperties } from '../symmetry/alike-properties.js';
import { coverageSymmetry } from '../symmetry/coverage-symmetry.js';
import { encodeSteps, type GraphEncoding } from '../symmetry/graph-encoding.js';
import { keepsStart } from '../symmetry/groups.js';
import { laterSummands } from '../symmetry/later-summands.js';
import { literalGroup, literalImages, type ModelGroup } from '../symmetry/model-symmetry.js';
import { orbitSizesOf, quickOrbitSizesOf } from '../symmetry/orbit-sizes.js';
import { orbitsOfSources, summandOrbits, type SummandOrbits } from '../symmetry/summand-orbits.js';
import { chooseReduction, type ChosenReduction, type ReductionChoice, type UsedReduction } from './choose-reduction.js';
import type { Applied, Demand, SearchReduction } from './reduction.js';
import { keepingStart, selectedProperties, usableGroups, type SearchedSymmetries } from './usable-groups.js';

/**
 * The representatives that an exploration stores. `auto` uses as much of the group as pays, and gives up uniqueness at a
 * state that is too hard. `unique` uses the whole group, and ends undecided at such a state.
 */
export type Reduction = 'auto' | 'unique' | 'local' | 'none';

/** Fifty times the limit of `auto`, half a second: between two states the limits of a call are asked. */
const EXACT_WORK_PER_STATE = 100_000_000;

/** A way to find representatives. */
export interface Representatives {
    readonly canonicalizer: CanonicalizerOptions;
    /** A state without a unique representative ends a search. */
    readonly exactWithin?: number;
}

export const REPRESENTATIVES: Readonly<Record<Exclude<Reduction, 'none'>, Representatives>> = {
    auto: { canonicalizer: {} },
    unique: { canonicalizer: { workPerState: EXACT_WORK_PER_STATE }, exactWithin: EXACT_WORK_PER_STATE },
    local: { canonicalizer: { force: 'local' } },
};

/** The symmetries of an analysis, with what the vertices of its graph stand for. */
type AnalyzedSymmetries = SearchedSymmetries & { readonly encoding: GraphEncoding };

/** The symmetries that keep everything that is checked, or those of them that pay. */
export function symmetryReduction(
    symmetry: AnalyzedSymmetries,
    reduction: Exclude<Reduction, 'none'>,
): SearchReduction {
    const { constraints, encoding } = symmetry;
    return {
        prepare({ sequential }, demand, { coneUnder }) {
            const { properties, countsSteps, workLimit } = demand;
            const { acting, kept, start } = usableGroups(
                // Counts are of all states of an orbit, so all have to be reached.
                // So does a run with real numbers, which is looked for among all images.
                countsSteps === true || sequential.numbers !== undefined ? keepingStart(symmetry) : symmetry,
                coneUnder,
                properties,
                workLimit,
            );
            const { reduction: used, choice } = chosenOf(sequential, acting, reduction, workLimit);
            if (used === undefined) {
                return { facts: {}, apply: () => ({ parts: {}, report: { choice } }) };
            }
            const { group } = used;
            const startGroup = start === acting || keepsStart(constraints, group) ? undefined : start;
            // Of a part of the symmetries it is not known which keep the start.
            const startMoved = startGroup && startSymmetries(startGroup, group === acting, workLimit);
            const stepsEncoding = madeOnce(() => (keepsStart(constraints, kept) ? encoding : encodeSteps(constraints)));
            const { exactWithin } = REPRESENTATIVES[reduction];
            const applied = appliedOf({ ...used, startGroup, startMoved, exactWithin, choice }, constraints, demand);
            return {
                facts: {
                    symmetries: literalImages(group),
                    summandOrbits: () => orbitsOfSummands(sequential, stepsEncoding(), acting === kept ? group : kept),
                    coverage: () => coverageSymmetry(encoding, group, applied.parts.orbits?.()),
                },
                apply: (_, { passed = asWritten(sequential) }) => {
                    const equal = acting === kept ? equalProcesses(used, passed, sequential, stepsEncoding) : undefined;
                    return { ...applied, parts: { ...applied.parts, ...(equal !== undefined && { equal }) } };
                },
            };
        },
    };
}

/** Symmetries that are known to keep everything that is checked; time must not decide what a state is. */
export interface CertainSymmetry {
    readonly group: ModelGroup;
    /** The part of the group that keeps the start; absent if all of it does. */
    readonly startGroup?: ModelGroup;
    readonly constraints: ConstraintProblem;
}

/** All of these symmetries, with unique representatives. */
export function wholeSymmetry({ group, startGroup, constraints }: CertainSymmetry): SearchReduction {
    return {
        prepare({ sequential }, demand) {
            const canonicalizer = createCanonicalizer(literalGroup(group), REPRESENTATIVES.unique.canonicalizer);
            const startMoved = startGroup && startSymmetries(startGroup, true, UNLIMITED);
            const applied = appliedOf({ group, canonicalizer, startGroup, startMoved }, constraints, demand);
            const ofSummands = (): SummandOrbits => orbitsOfSummands(sequential, encodeSteps(constraints), group);
            return { facts: { symmetries: literalImages(group), summandOrbits: ofSummands }, apply: () => applied };
        },
    };
}

interface AppliedSymmetry extends UsedReduction {
    readonly startGroup: ModelGroup | undefined;
    readonly startMoved: StartSymmetries | undefined;
    readonly exactWithin?: number | undefined;
    readonly choice?: ReductionChoice | undefined;
}

function appliedOf(
    { group, canonicalizer, startGroup, startMoved, exactWithin, choice }: AppliedSymmetry,
    constraints: ConstraintProblem,
    { properties }: Demand,
): Applied {
    const selected = selectedProperties(constraints, properties);
    const alike = madeOnce(() => new AlikeProperties(constraints, startGroup ?? group, selected));
    return {
        parts: {
            canonicalizer,
            orbits: madeOnce(() => orbitSizesOf(group)),
            quickOrbits: () => quickOrbitSizesOf(group),
            alike,
            ...(exactWithin !== undefined && { exactWithin }),
            ...(startMoved !== undefined && { startMoved }),
        },
        report: {
            group,
            startGroup,
            alike: () => alike().declaredNames,
            strategy: canonicalizer.strategy,
            choice,
        },
        identity: () => canonicalizer.group.generators.map(textOfPermutation).join('\n'),
    };
}

/** The part of the group that reduces the search, with its representatives. */
function chosenOf(
    sequential: SequentialModel,
    group: ModelGroup,
    reduction: Exclude<Reduction, 'none'>,
    workLimit: WorkLimit,
): ChosenReduction {
    // Names of instances mean nothing, and states that differ in them would be without number.
    if (reduction === 'auto' && sequential.templates === undefined && sequential.numbers === undefined) {
        return chooseReduction(sequential, group, workLimit);
    }
    const options = { ...REPRESENTATIVES[reduction].canonicalizer, workLimit };
    return { reduction: { canonicalizer: createCanonicalizer(literalGroup(group), options), group } };
}

/** Fewer equal processes in a state gain less than it takes to compare them. */
const FEW_BLOCKS = 4;

/** Undefined where no blocks are exchanged freely, or where a state of the searched model is not one of the model as written. */
function equalProcesses(
    { canonicalizer, group }: UsedReduction,
    { searched, inert, numberOf }: PassedModel,
    sequential: SequentialModel,
    encoding: () => GraphEncoding,
): EqualProcesses | undefined {
    const families = (canonicalizer.plan() ?? []).filter(
        (part): part is SortPlan => part.kind === 'sort' && part.blockCount >= FEW_BLOCKS,
    );
    if (families.length === 0 || inert.size > 0 || !canonicalizer.strategy.unique) {
        return undefined;
    }
    const all = withAllSlots(sequential);
    if (all === undefined) {
        return undefined;
    }
    const later = laterSummands(
        encoding(),
        group,
        families,
        summand => numberOf(all.sources[summand]),
        searched.summands.length,
    );
    return { families, later };
}

function startSymmetries(start: ModelGroup, usesAll: boolean, workLimit: WorkLimit): StartSymmetries {
    const canonicalizer = madeOnce(() => createCanonicalizer(literalGroup(start), { workLimit }));
    return {
        orbits: () => orbitSizesOf(start),
        ...(usesAll && { elements: (most, cells) => canonicalizer().elements(most, cells) }),
    };
}

/** The orbits are those of the summands of the sequential model, not of those with every choice of a slot. */
function orbitsOfSummands(sequential: SequentialModel, encoding: GraphEncoding, group: ModelGroup): SummandOrbits {
    const orbits = summandOrbits(encoding, group);
    const all = sequential.templates && withAllSlots(sequential);
    return all === undefined ? orbits : orbitsOfSources(orbits, all.sources, sequential.summands.length);
}

function textOfPermutation({ points, images }: SparsePermutation): string {
    return `${points.join()} -> ${images.join()}`;
}

function madeOnce<Value>(make: () => Value): () => Value {
    let made: { readonly value: Value } | undefined;
    return () => (made ??= { value: make() }).value;
}
