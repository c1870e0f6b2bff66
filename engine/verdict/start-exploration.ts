/** From an analysis to an exploration that is ready to advance: passes, representatives, generated code. */
import type { Analysis, SymmetryAnalysis } from '../analysis.js';
import { chooseReduction, type ChosenReduction, type ReductionChoice } from './choose-reduction.js';
import { compileModel } from '../compiled-search/compiled-model.js';
import { compileSearchOf, NO_WEBASSEMBLY } from '../compiled-search/compiled-search.js';
import { compiledSuccessors } from '../compiled-search/compiled-successors.js';
import { invariant, unreachable } from '../common/assert.js';
import type { TextOfRange } from '../common/source-text.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { StartSymmetries } from '../explore/initial/roots.js';
import { CoverageCounter, type Coverage, type CoverageSymmetry } from '../explore/coverage.js';
import { Exploration, type ExplorationOptions, type RunningExploration } from '../explore/search.js';
import { LONG_BITS } from '../explore/state-layout.js';
import { interpretedSuccessors, type Successors } from '../explore/successors.js';
import type { Violation } from '../explore/verdict.js';
import { unreachedSteps, type UnreachedStep } from '../explore/text-steps.js';
import { createCanonicalizer } from '../representative/representative.js';
import type { CanonicalizerOptions, RepresentativeStrategy } from '../representative/strategy.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import type { Model } from '../model/model.js';
import { DEFAULT_PASSES, type PassName, type PassReport } from '../passes/pass-names.js';
import { preparePasses, type PassResult, type PreparedPasses } from '../passes/passes.js';
import type { Reason } from '../reasons/reason.js';
import { PropertyChecks } from './property-checks.js';
import { reasonOf } from '../reasons/violation-reason.js';
import { bitsOfCell, codeRangeOf } from '../sequential/expression/code-range.js';
import { printSequentialModel } from '../sequential/print.js';
import { withAllSlots } from '../sequential/templates/all-slots.js';
import type { SequentialModel, TemporalProperty } from '../sequential/sequential-model.js';
import { TemporalExploration } from './temporal-exploration.js';
import { coverageSymmetry } from '../symmetry/coverage-symmetry.js';
import { AlikeProperties } from '../symmetry/alike-properties.js';
import { encodeSteps, type GraphEncoding, type PropertySelection } from '../symmetry/graph-encoding.js';
import { groupKeeping, groupWithoutStart, keepsStart, type ExplorationGroups } from '../symmetry/groups.js';
import { actionOnCells, literalGroup, literalImages, type ModelGroup } from '../symmetry/model-symmetry.js';
import { orbitSizesOf, quickOrbitSizesOf } from '../symmetry/orbit-sizes.js';
import { countDistinctIn } from '../describe/potential-states.js';
import { orbitsOfSources, summandOrbits, type SummandOrbits } from '../symmetry/summand-orbits.js';

/**
 * Which representatives an exploration stores. `auto` uses as much of the group as pays, and gives up uniqueness at a
 * state that is too hard. `unique` uses the whole group, and ends undecided at such a state.
 */
export type Reduction = 'auto' | 'unique' | 'local' | 'none';

/** The reduction and the limits of an exploration. */
export interface ReducedExplorationOptions extends Omit<ExplorationOptions, 'canonicalizer' | 'passed'> {
    readonly reduction: Reduction;
    /** Passes over the model before the search; when absent DEFAULT_PASSES, if they may gain something. */
    readonly passes?: readonly PassName[];
    /** Whether the interpreter expands all states, even if generated code could. */
    readonly isInterpreted?: boolean;
    /** The most instances of one template that may be named at once; see grow-slots.ts. */
    readonly maxInstances?: number;
    /** Whether to count how often each step is taken. The exploration is then several times slower. */
    readonly countsCoverage?: boolean;
}

/** An exploration ready to `advance`, and the group that reduces it (absent without reduction). */
export interface ReducedExploration {
    readonly exploration: RunningExploration;
    readonly group?: ModelGroup | undefined;
    /** The symmetries that keep the start, if some of `group` do not. */
    readonly startGroup?: ModelGroup | undefined;
    readonly strategy?: RepresentativeStrategy | undefined;
    /** The choice of `auto`; absent if there was nothing to choose. */
    readonly choice?: ReductionChoice | undefined;
    /** The changes of each pass, in the order in which they ran. */
    readonly passes: readonly PassReport[];
    /** The reason why the interpreter expands states; absent if generated code does. */
    readonly interpretedBecause?: string | undefined;
    /** The names of the invariants that the group exchanges, by set; absent without reduction. */
    readonly alike?: () => readonly (readonly string[])[];
    /** Why a violation is one; `textOf` gives the text that may be quoted. */
    readonly reasonOf: (violation: Violation, textOf: TextOfRange) => Reason;
    /** The steps that no run takes; `undefined` before all states have been expanded. */
    readonly unreached: () => readonly UnreachedStep[] | undefined;
    /** The counts so far, if steps are counted. */
    readonly coverage?: () => Coverage;
    /**
     * Everything that a snapshot of the exploration is bound to, as text: the searched model, the checked properties,
     * the representatives, and the way in which states are stored.
     */
    readonly identity: () => string;
}

/**
 * Begins an exploration under the symmetries that keep everything it checks. The analysis must have a sequential model,
 * and its symmetries unless every state is stored. If only some of several properties are checked, it takes the time of
 * a detection.
 */
export function startExploration(
    { model, sequential, symmetry }: Omit<Analysis<unknown>, 'problems'>,
    { reduction, passes = worthwhilePasses(sequential), ...options }: ReducedExplorationOptions,
    workLimit: WorkLimit,
): ReducedExploration {
    invariant(sequential !== undefined, 'only a model without errors is explored');
    const temporal = sequential.properties.filter(({ name }) => options.properties?.includes(name) ?? true);
    if (temporal.length > 0) {
        return withRuns(
            { model, sequential, ...(symmetry !== undefined && { symmetry }) },
            temporal,
            { reduction, passes, ...options },
            workLimit,
        );
    }
    const prepared = preparePasses(sequential, {
        // The counts are of the steps of the model as written.
        passes: options.countsCoverage === true ? [] : passes,
        properties: options.properties,
        values: symmetry?.values,
        workLimit,
    });
    if (reduction === 'none') {
        return explorationOf(model, sequential, prepared.run([]), options);
    }
    invariant(symmetry !== undefined, 'symmetries were looked for where they are used');
    const { acting, kept, start } = usableGroups(
        // Counts are of all states of an orbit, so all have to be reached.
        options.countsCoverage === true ? { ...symmetry, ...keepingStart(symmetry) } : symmetry,
        prepared,
        options.properties,
        workLimit,
    );
    const { reduction: used, choice } = reductionOf(sequential, acting, reduction, workLimit);
    if (used === undefined) {
        return {
            ...explorationOf(model, sequential, prepared.run([]), options),
            ...(choice !== undefined && { choice }),
        };
    }
    const { group, canonicalizer } = used;
    const exactness = reduction === 'unique' ? { exactWithin: EXACT_WORK_PER_STATE } : {};
    const orbits = madeOnce(() => orbitSizesOf(group));
    const selected = selectedProperties(symmetry, options.properties);
    const startGroup = start === acting || keepsStart(symmetry.constraints, group) ? undefined : start;
    const alike = madeOnce(() => new AlikeProperties(symmetry.constraints, startGroup ?? group, selected));
    const reduced = explorationOf(
        model,
        sequential,
        prepared.run(literalImages(group)),
        {
            ...options,
            ...exactness,
            canonicalizer,
            orbits,
            quickOrbits: () => quickOrbitSizesOf(group),
            alike,
            ...(startGroup !== undefined && { startMoved: startSymmetries(startGroup, group === acting, workLimit) }),
        },
        {
            summandOrbits: () =>
                orbitsOfSummands(
                    sequential,
                    keepsStart(symmetry.constraints, kept) ? symmetry.encoding : encodeSteps(symmetry.constraints),
                    acting === kept ? group : kept,
                ),
            coverage: () => coverageSymmetry(symmetry.encoding, group, orbits()),
        },
    );
    return {
        ...reduced,
        reasonOf: (violation, textOf) =>
            reasonOf(violation, { model: sequential, symmetries: literalImages(group), textOf }),
        identity: () => reduced.identity() + canonicalizer.group.generators.map(textOfPermutation).join('\n'),
        group,
        ...(startGroup !== undefined && { startGroup }),
        alike: () => alike().names,
        strategy: canonicalizer.strategy,
        ...(choice !== undefined && { choice }),
    };
}

/** An exploration for the other properties, and then for some temporal ones. */
function withRuns(
    { model, sequential, symmetry }: Omit<Analysis<unknown>, 'problems'> & { readonly sequential: SequentialModel },
    temporal: readonly TemporalProperty[],
    options: ReducedExplorationOptions,
    workLimit: WorkLimit,
): ReducedExploration {
    const { reduction, continueAfterViolation = false, maxStates, maxMemoryBytes, isInterpreted } = options;
    const names = new Set(temporal.map(({ name }) => name));
    const others = options.properties?.filter(name => !names.has(name));
    const started = startExploration(
        { model, sequential: { ...sequential, properties: [] }, ...(symmetry !== undefined && { symmetry }) },
        { ...options, ...(others !== undefined && { properties: others }) },
        workLimit,
    );
    const uses = reduction === 'none' ? undefined : symmetry;
    const checks = new PropertyChecks(
        sequential,
        temporal,
        {
            ...(uses !== undefined && {
                symmetry: {
                    constraints: uses.constraints,
                    movesStart: uses.stepsGroup !== undefined,
                    ...canonicalizing(reduction),
                },
            }),
            ...(isInterpreted !== undefined && { isInterpreted }),
            continueAfterViolation,
            ...(maxStates !== undefined && { maxStates }),
            ...(maxMemoryBytes !== undefined && { maxMemoryBytes }),
        },
        workLimit,
    );
    const { exploration } = started;
    return {
        ...started,
        exploration: new TemporalExploration(exploration, checks, {
            continueAfterViolation,
            checksRunsOnly: others?.length === 0,
        }),
        reasonOf: (violation, textOf) =>
            violation.kind === 'property'
                ? reasonOf(violation, { model: sequential, symmetries: [], textOf })
                : started.reasonOf(violation, textOf),
    };
}

function canonicalizing(reduction: Reduction): {
    readonly canonicalizer: CanonicalizerOptions;
    readonly exactWithin?: number;
} {
    switch (reduction) {
        case 'unique':
            return { canonicalizer: { workPerState: EXACT_WORK_PER_STATE }, exactWithin: EXACT_WORK_PER_STATE };
        case 'local':
            return { canonicalizer: { force: 'local' } };
        default:
            return { canonicalizer: {} };
    }
}

/** The part of the group that reduces the search, and its strategy. */
function reductionOf(
    sequential: SequentialModel,
    group: ModelGroup,
    reduction: Exclude<Reduction, 'none'>,
    workLimit: WorkLimit,
): ChosenReduction {
    const reductionWith = (options: CanonicalizerOptions): ChosenReduction => ({
        reduction: { canonicalizer: createCanonicalizer(literalGroup(group), { ...options, workLimit }), group },
    });
    switch (reduction) {
        case 'auto':
            // Names of instances mean nothing, and states that differ in them would be without number.
            return sequential.templates === undefined
                ? chooseReduction(sequential, group, workLimit)
                : reductionWith({});
        case 'unique':
            return reductionWith({ workPerState: EXACT_WORK_PER_STATE });
        case 'local':
            return reductionWith({ force: 'local' });
        default:
            return unreachable(reduction);
    }
}

/** Default passes only shorten states; a state of one word gets no shorter. */
export function worthwhilePasses(sequential: SequentialModel | undefined): readonly PassName[] {
    if (sequential?.templates !== undefined) {
        return [];
    }
    const bits = sequential?.cells.reduce((sum, cell) => sum + bitsOfCell(cell), 0) ?? 0;
    return bits >= LONG_BITS ? DEFAULT_PASSES : [];
}

/** The effect of reduction on counts of steps, computed at the first use. */
interface CountedSymmetry {
    /** As of symmetry/summand-orbits.ts. */
    readonly summandOrbits: () => SummandOrbits;
    readonly coverage: () => CoverageSymmetry;
}

function textOfPermutation({ points, images }: SparsePermutation): string {
    return `${points.join()} -> ${images.join()}`;
}

function identityOf(model: SequentialModel, { properties, canonicalizer }: ExplorationOptions, memory: object): string {
    const representatives = canonicalizer && [
        canonicalizer.strategy.name,
        canonicalizer.strategy.unique,
        canonicalizer.plan?.(),
    ];
    const stored = model.cells.map(cell => [bitsOfCell(cell), codeRangeOf(cell).least]);
    const details = JSON.stringify({ properties, representatives, memory, stored });
    return `${printSequentialModel(model)}${details}\n`;
}

/** With generated code if that is wanted and possible. */
function explorationOf(
    model: Model,
    sequential: SequentialModel,
    { passed, reports }: PassResult,
    options: Omit<ReducedExplorationOptions, 'reduction' | 'passes'> & ExplorationOptions,
    symmetry?: CountedSymmetry,
): ReducedExploration {
    const { countsCoverage, isInterpreted, ...rest } = options;
    if (countsCoverage === true) {
        const counter = new CoverageCounter(model, sequential, symmetry?.coverage());
        const { successors, interpretedBecause } = successorsOf(sequential, isInterpreted === true);
        const exploration = new Exploration(sequential, { ...rest, successors: counter.counting(successors) });
        return {
            exploration,
            identity: () => identityOf(sequential, rest, INTERPRETED),
            passes: reports,
            ...(interpretedBecause !== undefined && { interpretedBecause }),
            reasonOf: (violation, textOf) => reasonOf(violation, { model: sequential, symmetries: [], textOf }),
            unreached: () => unreachedIn(exploration, model, sequential, symmetry),
            coverage: () => counter.coverage(),
        };
    }
    const code = isInterpreted === true ? INTERPRETED_AS_ASKED : compileSearchOf(passed.searched, rest);
    const exploration = new Exploration(sequential, {
        ...rest,
        passed,
        ...(code.kind === 'compiled' && { search: code.search }),
    });
    return {
        exploration,
        identity: () => identityOf(passed.searched, rest, code.kind === 'compiled' ? code.memory : INTERPRETED),
        passes: reports,
        ...(code.kind === 'interpreted' && { interpretedBecause: code.reason }),
        reasonOf: (violation, textOf) => reasonOf(violation, { model: sequential, symmetries: [], textOf }),
        unreached: () => unreachedIn(exploration, model, sequential, symmetry),
    };
}

/** How an interpreted search uses memory follows from the model. */
const INTERPRETED = { kind: 'interpreted' };
const INTERPRETED_AS_ASKED = { kind: 'interpreted', reason: 'this was asked for' } as const;

/** The successors of one state at a time, by generated code if that is wanted and possible. */
function successorsOf(
    sequential: SequentialModel,
    isInterpreted: boolean,
): { readonly successors: Successors; readonly interpretedBecause?: string } {
    const code = isInterpreted ? INTERPRETED_AS_ASKED : compileModel(sequential);
    if (code.kind === 'interpreted') {
        return { successors: interpretedSuccessors(sequential), interpretedBecause: code.reason };
    }
    const compiled = compiledSuccessors(code);
    return compiled === undefined
        ? { successors: interpretedSuccessors(sequential), interpretedBecause: NO_WEBASSEMBLY }
        : { successors: compiled };
}

/** Of the summands of the sequential model, not of those with every choice of a slot. */
function orbitsOfSummands(sequential: SequentialModel, encoding: GraphEncoding, group: ModelGroup): SummandOrbits {
    const orbits = summandOrbits(encoding, group);
    const all = sequential.templates && withAllSlots(sequential);
    return all === undefined ? orbits : orbitsOfSources(orbits, all.sources, sequential.summands.length);
}

/**
 * A step that no expanded state takes may be taken in a state that is symmetric to one: all of an orbit are, or none.
 */
function unreachedIn(
    exploration: Exploration,
    model: Model,
    sequential: SequentialModel,
    symmetry: CountedSymmetry | undefined,
): readonly UnreachedStep[] | undefined {
    if (!exploration.isComplete) {
        return undefined;
    }
    const own = unreachedSteps(model, sequential, summand => exploration.hasFired(summand));
    if (symmetry === undefined || own.length === 0) {
        return own;
    }
    const { orbit } = symmetry.summandOrbits();
    const reached = new Set(orbit.filter((_, summand) => exploration.hasFired(summand)));
    return unreachedSteps(model, sequential, summand => reached.has(orbit[summand]));
}

function madeOnce<Value>(make: () => Value): () => Value {
    let made: { readonly value: Value } | undefined;
    return () => (made ??= { value: make() }).value;
}

/** Fifty times the limit of `auto`, half a second: between two states the limits of a call are asked. */
export const EXACT_WORK_PER_STATE = 100_000_000;

/** The symmetries that reduce a search that may leave cells out. */
interface UsableGroups {
    /** Symmetries of the steps. */
    readonly kept: ModelGroup;
    /** Their action on the cells that are searched. */
    readonly acting: ModelGroup;
    /** The part of `acting` that keeps the start; the same object if all of it does. */
    readonly start: ModelGroup;
}

/** As if the other symmetries had not been found. */
function keepingStart({ startGroup }: ExplorationGroups): ExplorationGroups & { readonly stepsGroup: undefined } {
    return { explorationGroup: startGroup, startGroup, stepsGroup: undefined };
}

/**
 * The symmetries that keep the checked properties, or those of them that map the cone onto itself. With all of them the
 * cone has to be larger; the choice is the one with fewer expected states.
 */
function usableGroups(
    symmetry: SearchedSymmetries,
    { coneUnder }: PreparedPasses,
    names: readonly string[] | undefined,
    workLimit: WorkLimit,
): UsableGroups {
    const { constraints } = symmetry;
    const selected = selectedProperties(symmetry, names);
    const all = groupsKeeping(symmetry, selected, workLimit);
    const whole = all.explorationGroup;
    const [cone, closed] = coneUnder === undefined ? [[], []] : [coneUnder([]), coneUnder(literalImages(whole))];
    const usingAll = { kept: whole, acting: whole, start: all.startGroup };
    if (cone.length === closed.length) {
        return usingAll;
    }
    const together = { ...constraints, together: cone };
    const start = groupKeeping(together, all.startGroup, selected, all.startGroup.generators, workLimit);
    const steps = whole === all.startGroup ? undefined : whole;
    const kept = groupWithoutStart(together, steps, start, selected, workLimit);
    const acting = actionOnCells(kept, cone);
    const ofStart = kept === start ? acting : actionOnCells(start, cone);
    const startActing = ofStart.order === acting.order ? acting : ofStart;
    const [fewer, more] = [
        countDistinctIn(cone, constraints, acting, workLimit),
        countDistinctIn(closed, constraints, whole, workLimit),
    ];
    return fewer !== undefined && more !== undefined && more < fewer ? usingAll : { kept, acting, start: startActing };
}

/** The name for faults of steps, which are always checked. */
const FAULTS = 'faults';

/** The indices of the named properties; all properties if no names are given. */
export function selectedProperties(
    { constraints }: Pick<SearchedSymmetries, 'constraints'>,
    names: readonly string[] | undefined,
): PropertySelection {
    const known = new Set([FAULTS, ...constraints.properties.map(({ name }) => name)]);
    invariant(names?.every(name => known.has(name)) ?? true, 'what is checked is a property of the model');
    return [...constraints.properties.keys()].filter(
        index => names === undefined || names.includes(constraints.properties[index].name),
    );
}

/** What an analysis says of symmetries, but for its report. */
export type SearchedSymmetries = Pick<
    SymmetryAnalysis<unknown>,
    'constraints' | 'explorationGroup' | 'group' | 'startGroup'
> & { readonly stepsGroup?: ModelGroup | undefined };

export function groupsKeeping(
    { constraints, group, stepsGroup, explorationGroup, startGroup }: SearchedSymmetries,
    selected: PropertySelection,
    workLimit: WorkLimit,
): ExplorationGroups {
    if (selected.length === constraints.properties.length) {
        return { explorationGroup, startGroup };
    }
    const start = groupKeeping(constraints, group, selected, startGroup.generators, workLimit);
    return {
        startGroup: start,
        explorationGroup: groupWithoutStart(constraints, stepsGroup, start, selected, workLimit),
    };
}

/** Of a part of the symmetries it is not known which keep the start. */
export function startSymmetries(start: ModelGroup, usesAll: boolean, workLimit: WorkLimit): StartSymmetries {
    const canonicalizer = madeOnce(() => createCanonicalizer(literalGroup(start), { workLimit }));
    return {
        orbits: () => orbitSizesOf(start),
        ...(usesAll && { elements: (most, cells) => canonicalizer().elements(most, cells) }),
    };
}
