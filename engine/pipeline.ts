/**
 * The whole flow, one line for each stage:
 *
 *     Model ─ linearize ─ SSA ─ constraint problem ─ colored graph ─ automorphisms ─ groups ─ report
 *                 └── passes ── successors ─ search ── representatives ──┘
 */
import { AnalysisMemory } from './analysis-memory.js';
import { invariant, unreachable } from './common/assert.js';
import { createRandom } from './common/random.js';
import type { Problem } from './common/problem.js';
import { withinQuestions, type WorkLimit } from './common/work-limit.js';
import { chooseReduction, type ChosenReduction, type ReductionChoice } from './choose-reduction.js';
import type { ConstraintProblem } from './csp/constraint-problem.js';
import type { Encoding } from './csp/encode.js';
import type { KnownValues } from './csp/step-findings.js';
import { compileModel } from './codegen/compiled-model.js';
import { compileSearchOf, NO_WEBASSEMBLY } from './codegen/compiled-search.js';
import { compiledSuccessors } from './codegen/compiled-successors.js';
import { CoverageCounter, type Coverage, type CoverageSymmetry } from './explore/coverage.js';
import { FEW_QUESTIONS, InitialStates } from './explore/initial-states.js';
import { estimateReduction } from './explore/reachable-estimate.js';
import { Exploration, type ExplorationOptions } from './explore/search.js';
import { LONG_BITS } from './explore/state-layout.js';
import { interpretedSuccessors, type Successors } from './explore/successors.js';
import { unreachedSteps, type UnreachedStep } from './explore/unreached.js';
import type { RepresentativeStrategy } from './group/representative.js';
import type { SparsePermutation } from './group/sparse-permutation.js';
import type { Model } from './model/model.js';
import { DEFAULT_PASSES, type PassName, type PassReport } from './passes/pass-names.js';
import { runPasses, type PassResult } from './passes/passes.js';
import { cellsWrittenBySummand } from './sequential/cell-access.js';
import { bitsOfCell, codeRangeOf } from './sequential/code-range.js';
import { linearize } from './sequential/linearize.js';
import type { LiteralImage } from './sequential/literal-image.js';
import { printSequentialModel } from './sequential/print.js';
import type { SequentialModel } from './sequential/sequential-model.js';
import { decideAssertions } from './symmetry/assertions.js';
import { suggestCandidates } from './symmetry/candidates.js';
import { checkGenerators, MOST_CHECKED, type CertificateResult, type RunnableModel } from './symmetry/certify.js';
import { constraintsOf } from './symmetry/constraints.js';
import { coverageSymmetry } from './symmetry/coverage-symmetry.js';
import { detectSymmetries } from './symmetry/detect.js';
import { TERMINATION, type GraphEncoding } from './symmetry/graph-encoding.js';
import { explainBroken } from './symmetry/explain.js';
import { detectGroups, groupKeeping, knownGroups, type Groups } from './symmetry/groups.js';
import { Trials } from './symmetry/trials.js';
import { literalImages, literalPoints, type ModelGroup } from './symmetry/model-symmetry.js';
import { orbitSizesOf } from './symmetry/orbit-sizes.js';
import { placesOf } from './symmetry/neutralize.js';
import { NO_TEXT, type TextOfRange } from './symmetry/places.js';
import { placesOfInvariant } from './symmetry/property-places.js';
import { withCosts } from './symmetry/property-cost.js';
import type { SymmetryReport, WorkCounts } from './symmetry/report.js';
import { representativesOf } from './symmetry/representatives.js';
import { summandOrbits, type SummandOrbits } from './symmetry/summand-orbits.js';
import { isComplete, summarize, type Findings, type Summary } from './symmetry/summarize.js';
import { explainSuggestions } from './symmetry/why.js';

export interface SearchOptions {
    /** Milliseconds on any monotonic clock, for the timings. */
    readonly now: () => number;
    /** When it is exhausted the search stops with a subgroup, and what is not yet explained stays so. */
    readonly workLimit: WorkLimit;
    /** Whether the declarations suggest symmetries to the search. They make it shorter and never change its result. */
    readonly suggestCandidates?: boolean;
}

export interface AnalysisOptions extends SearchOptions {
    /** Whether to look for what breaks symmetries that declarations suggest. */
    readonly explain?: boolean;
    /** Whether to say of each declaration why there is not more than was found. */
    readonly why?: boolean;
    /** For explanations that quote the text; without it they quote the model, with the values of constants. */
    readonly textOf?: TextOfRange;
    /** What is left of earlier analyses of the same text, to save work; the analysis adds to it. */
    readonly memory?: AnalysisMemory;
    /**
     * Told what was found before it is explained, which may take longer than the search: a report with nothing in it of
     * what breaks symmetries, what came of assertions, what properties cost and what is reachable. Not called where all of
     * it is known already.
     */
    readonly onFound?: (report: SymmetryReport) => void;
}

/** What comes of a model; without errors it has a sequential model and symmetries. */
export interface Searched<Symmetries = FoundSymmetries> {
    readonly model: Model;
    readonly problems: readonly Problem[];
    /** Absent where a problem is an error. */
    readonly sequential?: SequentialModel;
    readonly symmetry?: Symmetries;
}

export type Analysis = Searched<SymmetryAnalysis>;

/** With all that can be said of them. */
export interface SymmetryAnalysis extends FoundSymmetries {
    readonly report: SymmetryReport;
}

/** What an exploration needs. */
export interface FoundSymmetries {
    /** As in the report. */
    readonly complete: boolean;
    readonly verified: boolean;
    readonly refuted: boolean;
    /** All symmetries of the model. */
    readonly group: ModelGroup;
    /** Those that keep the truth of everything that is checked, and what a deadlock is. */
    readonly explorationGroup: ModelGroup;
    /** Those that keep the truth of one property; the same order as `report.properties`. */
    readonly propertyGroups: readonly ModelGroup[];
    /** The graph of the model without properties, and what its vertices stand for. */
    readonly encoding: GraphEncoding;
    readonly constraints: ConstraintProblem;
    /** Which values can occur where, for who looks at the steps of the model; absent where that is not known. */
    readonly values?: KnownValues;
}

/** How many states each generator is tried on before anybody relies on it: fewer where a state has many firings. */
const CERTIFICATE_STATES = 64;
const LEAST_CERTIFICATE_STATES = 3;

/** Cells times summands times states that all generators together may take. */
const CERTIFICATE_WORK = 2_000_000;

/** Linearizes the model and finds its symmetries, of which nothing is said: that may take longer than to find them. */
export function findSymmetries(given: Model, options: SearchOptions): Searched {
    const { model, problems, found } = search(given, options, new AnalysisMemory());
    return found === undefined
        ? { model, problems }
        : { model, problems, sequential: found.sequential, symmetry: found.symmetry };
}

/**
 * Finds the symmetries and says what they are. The same model gives the same analysis, but for the timings, the counts of
 * work and what analysis-memory.ts says.
 */
export function analyze(given: Model, options: AnalysisOptions): Analysis {
    const { memory = new AnalysisMemory() } = options;
    const { model, problems, found } = search(given, options, memory);
    return found === undefined
        ? { model, problems }
        : {
              model,
              problems,
              sequential: found.sequential,
              symmetry: { ...found.symmetry, report: reportOf(found, options, memory) },
          };
}

/** What was found, and what is needed to report it. */
interface Found {
    readonly sequential: SequentialModel;
    readonly symmetry: FoundSymmetries;
    readonly constraints: Encoding;
    /** As they were found, trusted or not. */
    readonly groups: Groups;
    readonly certificate: CertificateResult['kind'];
    readonly findings: Findings;
    /** The model does what the last one does, which had been analyzed to the end. */
    readonly isAgain: boolean;
    /** The report of the last model, where the same is to be said of this one. */
    readonly known?: SymmetryReport;
    /** When each stage was over. */
    readonly times: {
        readonly start: number;
        readonly linearized: number;
        readonly encoded: number;
        readonly detected: number;
    };
}

function search(
    given: Model,
    options: AnalysisOptions,
    memory: AnalysisMemory,
): Pick<Searched, 'model' | 'problems'> & { readonly found?: Found } {
    const { now, workLimit } = options;
    const { last } = memory;
    const start = now();
    const model = memory.withKnownDeclarations(given);
    const { sequential, problems } = linearize(model, memory.linearization);
    if (sequential === undefined) {
        return { model, problems };
    }
    const linearized = now();
    const constraints = constraintsOf(sequential, workLimit, memory.fragments, last?.constraints);
    const isQuotedNow = last?.quoted.join() === (last && quotedTexts(last.report, model, options.textOf).join());
    const known =
        constraints.isKnown && isQuotedNow
            ? memory.reportAtMovedPlaces(model, sequential, wishesOf(options))
            : undefined;
    const { problem } = constraints;
    const encoded = now();
    const points = literalPoints(problem);
    const candidates =
        known === undefined
            ? (memory.candidatesOf(model, sequential, points) ?? suggestCandidates(model, sequential, points))
            : [];
    const suggested = [
        ...(options.suggestCandidates === false ? [] : candidates.map(({ permutation }) => permutation)),
        ...memory.candidatesFor(sequential, points),
    ].filter(permutation => permutation.points.length > 0);
    const knownHere = last && knownGroups(last.groups, problem);
    const groups = knownHere ?? memory.withKnownObjects(detectGroups(problem, suggested, workLimit));
    const detected = now();
    const isAgain = constraints.isKnown && knownHere !== undefined && last?.isWhole === true;
    const certificate = isAgain ? last.certificate : certify(sequential, groups.detection.group, workLimit);
    const verified = certificate === 'agrees';
    const refuted = certificate === 'refuted';
    const trusted = refuted ? withoutSymmetry(groups) : groups;
    const { detection, explorationGroup, propertyGroups } = trusted;
    const findings = { model, problem, candidates, ...trusted, verified };
    return {
        model,
        problems,
        found: {
            sequential,
            symmetry: {
                complete: isComplete(findings),
                verified,
                refuted,
                group: detection.group,
                explorationGroup,
                propertyGroups,
                encoding: detection.encoding,
                constraints: problem,
                ...(constraints.reachable !== undefined && {
                    values: { placed: constraints.placed, reachable: constraints.reachable },
                }),
            },
            constraints,
            groups,
            certificate,
            findings,
            isAgain,
            ...(known !== undefined && { known }),
            times: { start, linearized, encoded, detected },
        },
    };
}

/** What is asked for besides the model. */
function wishesOf({ suggestCandidates, explain: explains, why }: AnalysisOptions): string {
    return JSON.stringify([suggestCandidates, explains, why]);
}

function reportOf(found: Found, options: AnalysisOptions, memory: AnalysisMemory): SymmetryReport {
    const { sequential, constraints, groups, certificate, findings, isAgain, known, times } = found;
    const { refuted, verified } = found.symmetry;
    const { model } = findings;
    const { now, workLimit } = options;
    const { last } = memory;
    const wishes = wishesOf(options);
    const summary = known ?? memory.summaryOf(findings) ?? summarize(findings, workLimit);
    const summarized = now();
    const work = workOf(constraints, groups);
    const timings = {
        linearize: times.linearized - times.start,
        encode: times.encoded - times.linearized,
        automorphisms: times.detected - times.encoded,
        group: summarized - times.detected,
        explain: 0,
        total: summarized - times.start,
    };
    if (known === undefined) {
        options.onFound?.({ ...summary, broken: [], assertions: [], refuted, work, timings });
    }
    const reachable = isAgain && last?.wishes === wishes ? { estimate: last.report.reachable } : undefined;
    const explained = known ?? explain(summary, findings, groups, options, memory, reachable);
    const end = now();
    const report: SymmetryReport = {
        ...summary,
        ...explained,
        refuted,
        work,
        timings: { ...timings, explain: end - summarized, total: end - times.start },
    };
    const isWhole = verified && report.complete && !workLimit.isExhausted();
    const described = known === undefined || last === undefined ? { findings, summary } : last.described;
    const quoted = quotedTexts(report, model, options.textOf);
    memory.remember({
        model,
        sequential,
        constraints,
        groups,
        certificate,
        report,
        described,
        wishes,
        quoted,
        isWhole,
    });
    return report;
}

/** What stands against symmetries: of declarations, of assertions and of properties. */
function explain(
    summary: Summary,
    { model, problem, verified, detection }: Findings,
    groups: Groups,
    { workLimit, ...options }: AnalysisOptions,
    { fragments }: AnalysisMemory,
    /** The same as of the last model. */
    known?: { readonly estimate: SymmetryReport['reachable'] },
): Pick<SymmetryReport, 'properties' | 'broken' | 'unexplained' | 'assertions' | 'why' | 'reachable'> {
    // A subgroup proves nothing about what is missing.
    const explains = options.explain !== false && summary.complete && verified;
    const { encoding } = groups.detection;
    const textOf = options.textOf ?? NO_TEXT;
    const whole = { model, problem, encoding };
    const trials = explains ? new Trials(whole, textOf, workLimit, fragments) : undefined;
    const assertions = decideAssertions(model, encoding, {
        isTrusted: detection.group.complete && verified,
        ...(trials !== undefined && { trials }),
        limit: workLimit,
    });
    const { broken, unexplained } =
        trials === undefined
            ? { broken: [], unexplained: [] }
            : explainBroken(whole, trials, summary.families, groups.detection.automorphisms, workLimit);
    const properties = explains
        ? withCosts(model, summary, groups.detection, groups.propertyGroups, textOf, workLimit)
        : summary.properties;
    const why = trials === undefined || options.why !== true ? [] : explainSuggestions(whole, trials, workLimit);
    const estimate = (): SymmetryReport['reachable'] =>
        estimateReduction(problem.sequential, groups.explorationGroup, workLimit);
    const reachable = !explains ? undefined : known === undefined ? estimate() : known.estimate;
    return {
        properties,
        broken,
        ...(unexplained.length > 0 && { unexplained }),
        assertions,
        ...(options.why === true && { why }),
        ...(reachable !== undefined && { reachable }),
    };
}

/**
 * What an explanation in the report may quote: words of the text that the model does not have, names of constants for
 * example. Nothing where it explains nothing.
 */
function quotedTexts(
    { broken, assertions, properties, why = [] }: SymmetryReport,
    model: Model,
    textOf: TextOfRange = NO_TEXT,
): string[] {
    const explained = [...broken, ...assertions, ...why, ...properties.flatMap(({ cost }) => cost ?? [])];
    return explained.every(({ locations }) => locations.length === 0)
        ? []
        : [
              ...placesOf(model, textOf),
              ...model.invariants.flatMap((_, invariant) => placesOfInvariant(model, invariant, textOf)),
          ].map(({ text }) => text);
}

function workOf({ problem, counts }: Encoding, { detection, effort }: Groups): WorkCounts {
    const { group, candidatesTried, candidatesAccepted } = detection;
    return {
        literals: group.firstPoint[group.cellCount],
        summands: problem.summands.length,
        fragmentsReused: counts.reused,
        fragmentsEncoded: counts.encoded,
        ...effort,
        candidatesTried,
        candidatesAccepted,
    };
}

/**
 * The report for the symmetries that keep the truth of one property, given by its index in `report.properties`. What
 * breaks symmetry is said of the model, not of the property.
 */
export function reportKeeping(
    { model, sequential, symmetry }: Analysis,
    property: number,
    workLimit: WorkLimit,
): SymmetryReport {
    invariant(sequential !== undefined && symmetry !== undefined, 'only a model without errors has symmetries');
    const { report, constraints, group, propertyGroups, explorationGroup, verified } = symmetry;
    const kept = propertyGroups[property];
    if (kept === group || !verified) {
        return report;
    }
    const candidates = suggestCandidates(model, sequential, literalPoints(constraints));
    const detection = detectSymmetries(constraints, [property], kept.generators, workLimit);
    const findings = { model, problem: constraints, candidates, detection, propertyGroups, explorationGroup };
    return { ...report, ...summarize({ ...findings, verified: true }, workLimit), properties: report.properties };
}

/**
 * Which representatives an exploration stores. `auto` uses as much of the group as pays; at a state that is too hard it gives
 * up uniqueness, and says so. `unique` uses all of it, and ends undecided there.
 */
export type Reduction = 'auto' | 'unique' | 'local' | 'none';

export interface ReducedExplorationOptions extends Omit<ExplorationOptions, 'canonicalizer' | 'passed'> {
    readonly reduction: Reduction;
    /** What is done to the model before it is searched; when absent DEFAULT_PASSES, where they may gain something. */
    readonly passes?: readonly PassName[];
    /** Whether states are expanded by the interpreter, also where they could be by generated code. */
    readonly isInterpreted?: boolean;
    /** Whether to count how often each step is taken. Makes the exploration some times slower. */
    readonly countsCoverage?: boolean;
}

/** An exploration ready to `advance`, and the group that reduces it (absent without reduction). */
export interface ReducedExploration {
    readonly exploration: Exploration;
    readonly group?: ModelGroup;
    readonly strategy?: RepresentativeStrategy;
    /** What `auto` has chosen; absent where there was nothing to choose. */
    readonly choice?: ReductionChoice;
    /** What each pass has done to the model, in the order in which they ran. */
    readonly passes: readonly PassReport[];
    /** Why states are expanded by the interpreter; absent where generated code does it. */
    readonly interpretedBecause?: string;
    /** The steps that no run takes; `undefined` before all states have been expanded. */
    readonly unreached: () => readonly UnreachedStep[] | undefined;
    /** What was counted so far, where it is counted. */
    readonly coverage?: () => Coverage;
    /**
     * The text of all that a snapshot of the exploration is bound to: the model that is searched, the properties that are
     * checked, the representatives, and how the states are stored.
     */
    readonly identity: () => string;
}

/**
 * Begins an exploration under the symmetries that keep everything it checks. The analysis must have a sequential model,
 * and its symmetries unless every state is stored. Takes the time of a detection where only some of several properties
 * are checked.
 */
export function startExploration(
    { model, sequential, symmetry }: Omit<Searched, 'problems'>,
    { reduction, passes = worthwhilePasses(sequential), ...options }: ReducedExplorationOptions,
    workLimit: WorkLimit,
): ReducedExploration {
    invariant(sequential !== undefined, 'only a model without errors is explored');
    const passing = (symmetries: readonly LiteralImage[]): PassResult =>
        runPasses(sequential, {
            // What is counted are the steps of the model as written.
            passes: options.countsCoverage === true ? [] : passes,
            properties: options.properties,
            symmetries,
            values: symmetry?.values,
            workLimit,
        });
    if (reduction === 'none') {
        return explorationOf(model, sequential, passing([]), options);
    }
    invariant(symmetry !== undefined, 'symmetries were looked for where they are used');
    const kept = groupKeepingNamed(symmetry, options.properties, workLimit);
    const { reduction: used, choice } = reductionOf(sequential, kept, reduction, workLimit);
    if (used === undefined) {
        return { ...explorationOf(model, sequential, passing([]), options), ...(choice !== undefined && { choice }) };
    }
    const { group, canonicalizer } = used;
    const exactness = reduction === 'unique' ? { exactWithin: EXACT_WORK_PER_STATE } : {};
    const orbits = madeOnce(() => orbitSizesOf(group));
    const reduced = explorationOf(
        model,
        sequential,
        passing(literalImages(group)),
        { ...options, ...exactness, canonicalizer, orbits },
        {
            summandOrbits: () => summandOrbits(symmetry.encoding, group),
            coverage: () => coverageSymmetry(symmetry.encoding, group, orbits()),
        },
    );
    return {
        ...reduced,
        identity: () => reduced.identity() + canonicalizer.group.generators.map(textOfPermutation).join('\n'),
        group,
        strategy: canonicalizer.strategy,
        ...(choice !== undefined && { choice }),
    };
}

/** What is used of the group, and how. */
function reductionOf(
    sequential: SequentialModel,
    group: ModelGroup,
    reduction: Exclude<Reduction, 'none'>,
    workLimit: WorkLimit,
): ChosenReduction {
    switch (reduction) {
        case 'auto':
            return chooseReduction(sequential, group, workLimit);
        case 'unique': {
            const options = { workPerState: EXACT_WORK_PER_STATE, workLimit };
            return { reduction: { canonicalizer: representativesOf(group, options), group } };
        }
        case 'local':
            return { reduction: { canonicalizer: representativesOf(group, { force: 'local', workLimit }), group } };
        default:
            return unreachable(reduction);
    }
}

/** A state of one word gets no shorter, and what is folded in its steps gains less than looking for it takes. */
function worthwhilePasses(sequential: SequentialModel | undefined): readonly PassName[] {
    const bits = sequential?.cells.reduce((sum, cell) => sum + bitsOfCell(cell), 0) ?? 0;
    return bits >= LONG_BITS ? DEFAULT_PASSES : [];
}

/** What reduction does to counts of steps; made when it is asked for. */
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

/** With generated code where that is wanted and possible. */
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
        unreached: () => unreachedIn(exploration, model, sequential, symmetry),
    };
}

/** How an interpreted search uses memory follows from the model. */
const INTERPRETED = { kind: 'interpreted' };
const INTERPRETED_AS_ASKED = { kind: 'interpreted', reason: 'this was asked for' } as const;

/** The successors of one state at a time, by generated code where that is wanted and possible. */
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

/** A step that no expanded state takes may be taken in a state that is symmetric to one: all of an orbit are, or none. */
function unreachedIn(
    exploration: Exploration,
    model: Model,
    sequential: SequentialModel,
    symmetry: CountedSymmetry | undefined,
): readonly UnreachedStep[] | undefined {
    if (!exploration.isComplete) {
        return undefined;
    }
    const orbitOf = symmetry?.summandOrbits().orbit ?? Int32Array.from(sequential.summands.keys());
    const reached = new Set([...orbitOf].filter((_, summand) => exploration.hasFired(summand)));
    return unreachedSteps(model, sequential, summand => reached.has(orbitOf[summand]));
}

function madeOnce<Value>(make: () => Value): () => Value {
    let made: { readonly value: Value } | undefined;
    return () => (made ??= { value: make() }).value;
}

/** Ten times what `auto` allows, about as much as the descent has memory for. */
const EXACT_WORK_PER_STATE = 20_000_000;

/** The symmetries that keep the named properties, and what a deadlock is; all properties where no names are given. */
function groupKeepingNamed(
    symmetry: FoundSymmetries,
    names: readonly string[] | undefined,
    workLimit: WorkLimit,
): ModelGroup {
    const { constraints, group, explorationGroup } = symmetry;
    const known = new Set(constraints.properties.map(({ name }) => name));
    invariant(names?.every(name => known.has(name)) ?? true, 'what is checked is a property of the model');
    const selected = [...constraints.properties.keys()].filter(
        index => names === undefined || names.includes(constraints.properties[index].name),
    );
    if (selected.length === constraints.properties.length) {
        return explorationGroup;
    }
    return groupKeeping(constraints, group, [...selected, TERMINATION], explorationGroup.generators, workLimit);
}

/** Whether the generators are symmetries as far as running the model can tell. */
function certify(sequential: SequentialModel, group: ModelGroup, workLimit: WorkLimit): CertificateResult['kind'] {
    const permutations = Math.min(MOST_CHECKED, group.generators.length);
    const firings = Math.max(1, sequential.cells.length * sequential.summands.length * permutations);
    const states = Math.min(
        CERTIFICATE_STATES,
        Math.max(LEAST_CERTIFICATE_STATES, Math.floor(CERTIFICATE_WORK / firings)),
    );
    return checkGenerators(runnable(sequential, workLimit), group, group.generators, {
        workLimit,
        states,
        random: createRandom(1),
    }).kind;
}

/** A failed certificate is a defect of ours: no reduction is then better than a wrong one. */
function withoutSymmetry({ detection, propertyGroups, effort }: Groups): Groups {
    const trivial: ModelGroup = { ...detection.group, generators: [], order: 1n, complete: false };
    return {
        detection: { ...detection, group: trivial, automorphisms: [] },
        propertyGroups: propertyGroups.map(() => trivial),
        explorationGroup: trivial,
        effort,
    };
}

/** The interpreter, as the certificate wants it. */
function runnable(sequential: SequentialModel, workLimit: WorkLimit): RunnableModel {
    const successors = interpretedSuccessors(sequential);
    const written = sequential.summands.map(cellsWrittenBySummand);
    return {
        forEachOutcome(state, visitor) {
            successors.forEachFiring(state, {
                fired: (summand, successor) => {
                    visitor.stepped(successor, written[summand]);
                    return true;
                },
                faulted: (_, fault) => {
                    visitor.faulted(fault.kind);
                    return true;
                },
            });
        },
        initialStates(count) {
            const cursor = new InitialStates(sequential);
            const states: Int32Array[] = [];
            const state = new Int32Array(sequential.cells.length);
            const soon = withinQuestions(workLimit, FEW_QUESTIONS);
            // Without any state nothing is tried.
            while (cursor.nextInto(state, states.length === 0 ? workLimit : soon)) {
                if (states.length === count) {
                    return { states, complete: false };
                }
                states.push(state.slice());
            }
            return { states, complete: !cursor.isPaused };
        },
    };
}
