/**
 * The whole flow, one line for each stage, and then for each phase:
 *
 *     Model ─ linearize ─ encode ─ detect ─ certify ─ summarize ─ explain ─► report on symmetries (`analyze`)
 *                 │                              │
 *                 └──────────────┬───────────────┘
 *                             reduce ─ search states ─ check runs ─ reasons ─► verdict (`startRound`)
 */
import type { Analysis, AnalysisOptions, Explorable, SearchOptions, SymmetryLine } from './analysis.js';
import { AnalysisMemory } from './analysis-memory.js';
import { invariant } from './common/assert.js';
import type { WorkLimit } from './common/work-limit.js';
import type { ConstraintProblem } from './constraints/constraint-problem.js';
import type { Encoding } from './constraints/encode.js';
import { describeRuns, speaksOfRuns } from './describe/describe-runs.js';
import { structureOf } from './describe/factors.js';
import type { SymmetryReport, WorkCounts } from './describe/report.js';
import { isComplete, isSearched, summarize, type Findings, type Summary } from './describe/summarize.js';
import { describeTemplates, staticOrderOf } from './describe/describe-templates.js';
import { describeTooLarge } from './describe/too-large.js';
import { decideAssertions } from './explain/assertions.js';
import { explainBroken } from './explain/explain.js';
import { costlyConstraints, fairnessCost } from './explain/fairness-cost.js';
import { NO_TEXT } from './explain/places.js';
import { withCosts } from './explain/property-cost.js';
import { Trials } from './explain/trials.js';
import { explainSuggestions } from './explain/why.js';
import { estimateReduction } from './explore/reachable-estimate.js';
import { SPARSE_IDENTITY } from './group/sparse-permutation.js';
import type { Model } from './model/model.js';
import { reasonOf } from './reasons/violation-reason.js';
import { asksForEveryStep, judged, meantBy } from './expect/judge.js';
import type { StatedRun } from './model/meant.js';
import { mayFault } from './sequential/expression/bounds.js';
import { cellOfCount, observing } from './sequential/runs/observed-run.js';
import { linearize } from './sequential/linearize.js';
import { linearizeForSymmetries } from './sequential/numbers/enough-codes.js';
import { withRealNumbers } from './sequential/numbers/real-numbers.js';
import type { Marker } from './sequential/sequential-model.js';
import { constraintsOf } from './symmetry/constraints.js';
import { suggestSymmetries } from './symmetry/declared-action.js';
import { detectSymmetries, type SuggestedPermutation } from './symmetry/detect.js';
import { detectGroups, withoutSymmetry, withProblem, type Groups } from './symmetry/groups.js';
import { graphExtensionOf } from './symmetry/graph-extension.js';
import { literalPoints, type ModelGroup } from './symmetry/model-symmetry.js';
import { runGroupsOf, type RunGroups } from './symmetry/run-groups.js';
import { askedOf, observedRuns } from './verdict/asked.js';
import { certify } from './verdict/certify-by-running.js';
import { type FollowedRun, FollowedRuns } from './verdict/followed-runs.js';
import { NumberGrowth } from './verdict/grow-numbers.js';
import { SlotGrowth } from './verdict/grow-slots.js';
import { asReduced, PhasedExploration, type Round } from './verdict/phased-exploration.js';
import { checkRuns } from './verdict/property-checks.js';
import type { ReducedExploration, ReducedExplorationOptions } from './verdict/reduced-exploration.js';
import { reduce } from './verdict/reduction.js';
import { reductionsOf } from './verdict/reductions.js';
import { searchStates } from './verdict/search-states.js';
import { VacuousInvariants } from './verdict/vacuous-invariants.js';

export type { Analysis, AnalysisOptions, SearchOptions, SymmetryAnalysis, SymmetryLine } from './analysis.js';
export type { ReducedExploration, ReducedExplorationOptions } from './verdict/reduced-exploration.js';
export type { Reduction } from './verdict/symmetry-reduction.js';

/** Finds, describes and explains the symmetries. The same model gives the same analysis, but for the timings. */
export function analyze(model: Model, options: AnalysisOptions): Analysis {
    return find(model, options, found => reportOf(found, options));
}

/** Finds the symmetries and describes none of them, which may take longer than the search. */
export function findSymmetries(
    model: Model,
    options: SearchOptions & Pick<AnalysisOptions, 'memory'>,
): Analysis<undefined> {
    return find(model, options, () => undefined);
}

/**
 * Begins an exploration under the symmetries that keep everything it checks. The analysis must have a sequential model,
 * and its symmetries unless every state is stored. If only some of several properties are checked, it takes the time of
 * a detection. A model whose instances are created is searched with more and more slots (verdict/grow-slots.ts), one with
 * numbers without end with more and more of their distances (verdict/grow-numbers.ts); `memory` is for their analyses, as
 * that of a model with templates may be without symmetries.
 */
export function startExploration(
    analysis: Omit<Analysis<unknown>, 'problems'>,
    options: ReducedExplorationOptions & { readonly memory?: AnalysisMemory },
    workLimit: WorkLimit,
): ReducedExploration {
    const { sequential } = analysis;
    invariant(sequential !== undefined, 'only a model without errors is explored');
    const given = { ...analysis, sequential };
    const now = options.now ?? ((): number => 0);
    const memory = options.memory && { memory: options.memory };
    const analyzeAnew = (model: Model): Analysis<undefined> => findSymmetries(model, { now, workLimit, ...memory });
    const slots = sequential.templates && new SlotGrowth(given, options, workLimit, analyzeAnew);
    const growth = sequential.numbers === undefined ? slots : new NumberGrowth(given, slots, options, analyzeAnew);
    const begin = (explorable: Explorable): Round => startRound(explorable, options, workLimit);
    return asReduced(new PhasedExploration(given, begin, growth, options));
}

/** One search by its phases, each with one result; reasons and the report are made when they are asked for. */
export function startRound(given: Explorable, options: ReducedExplorationOptions, workLimit: WorkLimit): Round {
    const { model, sequential } = given;
    const { reduction, passes, partialOrder, properties: names, ...settings } = options;
    const { ofStates, symmetry, ofRuns } = askedOf(given, names, workLimit);
    const meant = meantBy(model);
    const demand = {
        ...ofStates,
        countsSteps: options.countsCoverage === true || asksForEveryStep(model, names),
        ignoresFaults: options.ignoresFaults,
        workLimit,
    };
    const reduced = reduce(
        reductionsOf({ ...given, ...(symmetry !== undefined && { symmetry }) }, reduction, passes, partialOrder),
        { ...ofStates, values: symmetry?.values },
        demand,
    );
    const states = searchStates(model, ofStates.sequential, reduced, { ...settings, ...ofStates, meant });
    const runs = checkRuns(
        given,
        ofRuns,
        ofStates.properties?.length === 0,
        { ...options, meant, numbers: reduced.parts.numbers },
        workLimit,
    );
    const toFollow = observedRuns(model, names);
    const { exploration } = states;
    const symmetries = reduced.facts.symmetries ?? [];
    return {
        reduced,
        states,
        runs,
        followed:
            toFollow.length === 0
                ? undefined
                : // Symmetries are found before the first search, while the budget for them lasts.
                  new FollowedRuns(
                      toFollow.map(run => {
                          const prepare = (): FollowedRun => prepareFollowing(model, run, options, workLimit);
                          const prepared = options.findsLate === true ? undefined : prepare();
                          return () => prepared ?? prepare();
                      }),
                      {
                          isAlone:
                              options.ignoresFaults === true &&
                              ofRuns.length === 0 &&
                              ofStates.properties?.length === 0,
                      },
                  ),
        meant,
        judge: (report, followed) =>
            judged(report, {
                model,
                names,
                hasSeenAll: exploration.hasSeenAll,
                followed,
                unreached: () => {
                    // Threads tell what they have fired at their end.
                    exploration.close();
                    return states.unreached();
                },
            }),
        reasonOf: (violation, textOf) =>
            reasonOf(violation, { model: withRealNumbers(sequential), symmetries, textOf }),
        beginVacuity: () =>
            new VacuousInvariants(model, names, (asking, runs, isReduced, maxStates) => {
                const { sequential: askingModel } = linearize(asking);
                invariant(askingModel !== undefined, 'a model with one more run is one');
                const { symmetry: _, ...unreduced } = given;
                const analysis = { ...(isReduced ? given : unreduced), model: asking, sequential: askingModel };
                const asked = {
                    ...withoutGoals(options),
                    properties: runs,
                    ignoresFaults: true,
                    tellsVacuity: false,
                    maxStates,
                    ...(!isReduced && { reduction: 'none' as const, isInterpreted: true }),
                };
                return startExploration(analysis, asked, workLimit);
            }),
    };
}

/** What is left of the options for another question to the same model. */
function withoutGoals({
    resumeFrom: _,
    countsCoverage: __,
    passes: ___,
    partialOrder: ____,
    maxViolations: _____,
    ...options
}: ReducedExplorationOptions): ReducedExplorationOptions {
    return options;
}

/** A search for a run that is to exist, in the model that follows it, ready to begin. */
function prepareFollowing(
    model: Model,
    run: StatedRun,
    given: ReducedExplorationOptions,
    workLimit: WorkLimit,
): FollowedRun {
    const options = withoutGoals(given);
    const { reduction, now = (): number => 0 } = options;
    const following = observing(model, run);
    const { problems, ...analysis } =
        reduction === 'none'
            ? { model: following, ...linearize(following) }
            : findSymmetries(following, { now, workLimit });
    const { sequential } = analysis;
    invariant(sequential !== undefined, problems[0]?.message ?? 'a model that is followed is one');
    const asked = {
        ...options,
        properties: [run.name],
        ignoresFaults: true,
        // Whether a part is a fault somewhere is asked, too.
        continueAfterViolation: sequential.invariants.some(({ expression }) => mayFault(expression, sequential.cells)),
    };
    return {
        stated: run,
        count: cellOfCount(sequential.cells),
        begin: () => startExploration(analysis, asked, workLimit),
    };
}

/** Finds the symmetries and says no more of them than a line. */
export function nameSymmetries(model: Model, options: SearchOptions): Analysis<SymmetryLine> {
    return find(model, options, found => lineOf(found, options.workLimit));
}

/** The results of the search, for a description. */
interface Found {
    readonly findings: Findings;
    readonly refuted: boolean;
    readonly encoding: Encoding;
    /** As they were found, even if the model refutes them. */
    readonly groups: Groups;
    readonly memory: AnalysisMemory;
    /** When each stage was over. */
    readonly times: Readonly<Record<'start' | 'linearized' | 'encoded' | 'detected', number>>;
}

function find<Report>(
    given: Model,
    { now, workLimit, memory = new AnalysisMemory() }: AnalysisOptions,
    describe: (found: Found) => Report,
): Analysis<Report> {
    const start = now();
    const { model, sequential, problems } = linearizeForSymmetries(
        memory.withKnownDeclarations(given),
        memory.instances,
    );
    if (sequential === undefined) {
        return { model, problems };
    }
    const linearized = now();
    const encoding = constraintsOf(sequential, workLimit, memory.fragments, memory.encoding);
    memory.encoding = encoding;
    const { problem, placed, reachable } = encoding;
    const encoded = now();
    const known = memory.result('groups', workLimit, () =>
        memory.withKnownGroups(detectGroups(problem, suggestedBy(model, problem, workLimit), workLimit)),
    );
    const groups = withProblem(known, problem);
    const detected = now();
    const certificate = memory.result('certificate', workLimit, () =>
        certify(problem.sequential, groups.detection.group, groups.stepsGroup, workLimit),
    );
    const [verified, refuted] = [certificate === 'agrees', certificate === 'refuted'];
    // A failed certificate is a defect of ours: no reduction is then better than a wrong one.
    const trusted = refuted ? withoutSymmetry(groups) : groups;
    const findings = { model, problem, ...trusted, verified };
    const times = { start, linearized, encoded, detected };
    return {
        model,
        problems,
        sequential,
        symmetry: {
            complete: isComplete(findings),
            verified,
            refuted,
            group: trusted.detection.group,
            explorationGroup: trusted.explorationGroup,
            startGroup: trusted.startGroup,
            ...(trusted.stepsGroup !== undefined && { stepsGroup: trusted.stepsGroup }),
            alikeSets: trusted.alikeSets,
            propertyGroups: trusted.propertyGroups,
            encoding: groups.detection.encoding,
            constraints: problem,
            ...(reachable !== undefined && { values: { placed, reachable } }),
            report: describe({ findings, refuted, encoding, groups, memory, times }),
        },
    };
}

/** The symmetries that declarations suggest, for the search to try first. */
function suggestedBy(model: Model, problem: ConstraintProblem, workLimit: WorkLimit): readonly SuggestedPermutation[] {
    return suggestSymmetries(model, problem.sequential, literalPoints(problem), workLimit)
        .map(({ permutation }) => permutation)
        .filter(({ points }) => points.length > 0);
}

function lineOf({ findings, refuted, groups }: Found, workLimit: WorkLimit): SymmetryLine {
    const { model, problem, detection, verified } = findings;
    const heldFixed = describeTooLarge(model, problem);
    return {
        structure: structureOf(detection.group, workLimit),
        order: detection.group.order.toString(),
        complete: isComplete(findings),
        ...(heldFixed.length > 0 && { heldFixed }),
        verified,
        refuted,
        assertions: decideAssertions(model, groups.detection.encoding, {
            isTrusted: isTrusted(findings),
            limit: workLimit,
        }),
    };
}

/** Whether the whole group was found, and its generators passed the check on states. */
function isTrusted({ detection, verified }: Findings): boolean {
    return detection.group.complete && verified;
}

function reportOf(found: Found, options: AnalysisOptions): SymmetryReport {
    const { findings, refuted, encoding, groups, memory, times } = found;
    const { now, workLimit, properties, onFound } = options;
    const described = memory.summary(findings, workLimit, () => summarize(findings, workLimit));
    const runs = runGroupsIn(found, workLimit);
    const summary = runs === undefined ? described : withRuns(described, found, runs, workLimit);
    const summarized = now();
    const work = workOf(encoding, groups);
    const timings = {
        linearize: times.linearized - times.start,
        encode: times.encoded - times.linearized,
        automorphisms: times.detected - times.encoded,
        group: summarized - times.detected,
        explain: 0,
        total: summarized - times.start,
    };
    const templates = templatesIn(findings);
    onFound?.({ ...summary, ...templates, broken: [], assertions: [], refuted, work, timings });
    const explained = explain(found, summary, runs, options);
    const end = now();
    memory.fragments.forgetUnused();
    const kept = properties === undefined ? {} : summaryKeeping(found, properties, runs, workLimit);
    return {
        ...summary,
        ...kept,
        ...templates,
        ...(kept.order !== undefined && templatesIn(findings, kept.order)),
        ...explained,
        refuted,
        work,
        timings: { ...timings, explain: end - summarized, total: end - times.start },
    };
}

/** With the order of a group of symmetries. */
function templatesIn(
    { model, problem, detection: { group } }: Findings,
    order = group.order.toString(),
): Pick<SymmetryReport, 'templates' | 'staticOrder'> {
    const templates = describeTemplates(model, problem.sequential, group, group.generators);
    const staticOrder = staticOrderOf(order, templates);
    return staticOrder === undefined ? {} : { templates, staticOrder };
}

/** The places that stand against symmetries of declarations, assertions and properties. */
function explain(
    { findings, groups, memory }: Found,
    summary: Summary,
    runs: RunGroups | undefined,
    { workLimit, explain: explains = true, textOf = NO_TEXT, why: asksWhy = false }: AnalysisOptions,
): Pick<SymmetryReport, 'properties' | 'fairness' | 'broken' | 'unexplained' | 'assertions' | 'why' | 'reachable'> {
    const { model, problem, verified } = findings;
    const { detection, startGroup, stepsGroup, propertyGroups } = groups;
    const { encoding } = detection;
    const whole = { model, encoding };
    // A search that was stopped proves nothing about what is missing.
    const isExplainable = explains && isSearched(findings) && verified;
    const trials = isExplainable ? new Trials(whole, textOf, workLimit, memory.fragments) : undefined;
    const assertions = decideAssertions(model, encoding, {
        isTrusted: isTrusted(findings),
        ...(trials !== undefined && { trials }),
        limit: workLimit,
    });
    if (trials === undefined) {
        return { properties: summary.properties, broken: [], assertions, ...(asksWhy && { why: [] }) };
    }
    const { broken, unexplained } = explainBroken(whole, trials, summary.families, detection.automorphisms, workLimit);
    const properties = withCosts(model, summary, { detection, properties: propertyGroups, runs }, textOf, workLimit);
    const fairness = runs && fairnessWithCost(findings, summary, runs, memory, workLimit);
    const why = asksWhy ? { why: explainSuggestions(whole, trials, workLimit) } : {};
    // If the start moves, only parts of orbits are reached.
    const reachable =
        stepsGroup === undefined
            ? memory.result('reachable', workLimit, () => estimateReduction(problem.sequential, startGroup, workLimit))
            : undefined;
    return {
        properties,
        ...(fairness && { fairness }),
        broken,
        ...(unexplained.length > 0 && { unexplained }),
        assertions,
        ...why,
        ...(reachable !== undefined && { reachable }),
    };
}

function workOf({ problem, counts }: Encoding, { detection, effort }: Groups): WorkCounts {
    const { group } = detection;
    return {
        literals: group.firstPoint[group.cellCount],
        summands: problem.summands.length,
        fragmentsReused: counts.reused,
        fragmentsEncoded: counts.encoded,
        ...effort,
    };
}

/** Undefined for a model that says nothing about runs, so that nothing is searched. */
function runGroupsIn({ findings, memory }: Found, workLimit: WorkLimit): RunGroups | undefined {
    const { problem, detection } = findings;
    const { sequential } = problem;
    return speaksOfRuns(sequential)
        ? memory.result('runs', workLimit, () => runGroupsOf(problem, detection.group, workLimit), [
              markersIn(sequential.fairness),
              sequential.properties.map(({ members }) => markersIn(members)),
          ])
        : undefined;
}

/** The parts of markers that symmetries see. */
function markersIn(markers: readonly Marker[]): readonly Marker[] {
    return markers.map(({ skeleton, atoms }) => ({ skeleton, atoms }));
}

function withRuns(summary: Summary, { findings }: Found, runs: RunGroups, workLimit: WorkLimit): Summary {
    const { model, problem } = findings;
    const { properties, ...described } = describeRuns(model, problem.sequential, runs, workLimit);
    return {
        ...summary,
        properties: [...summary.properties, ...properties],
        ...described,
        ...(workLimit.isExhausted() && { undescribed: true }),
    };
}

/** Fairness with the constraints that cost symmetries, if it does. */
function fairnessWithCost(
    { model, problem, detection }: Findings,
    summary: Summary,
    { fairness: kept }: RunGroups,
    memory: AnalysisMemory,
    workLimit: WorkLimit,
): SymmetryReport['fairness'] {
    const { fairness } = summary;
    if (fairness?.keeps === undefined || kept === undefined || kept.group.order === detection.group.order) {
        return fairness;
    }
    const costly = memory.result(
        'costlyFairness',
        workLimit,
        () => costlyConstraints(problem, detection.group, workLimit),
        markersIn(problem.sequential.fairness),
    );
    return costly === undefined
        ? fairness
        : { ...fairness, cost: fairnessCost(model, summary, fairness.keeps, detection, kept.group, costly) };
}

/** The summary of the symmetries that keep the truth of some properties; empty if all symmetries keep it. */
function summaryKeeping(
    { findings, encoding }: Found,
    names: readonly string[],
    runs: RunGroups | undefined,
    workLimit: WorkLimit,
): Partial<Summary> {
    const { problem } = encoding;
    const temporal = problem.sequential.properties.findIndex(({ name }) => names.includes(name));
    const members = runs?.properties[temporal]?.members;
    if (members !== undefined) {
        return summaryOf(members.group, findings, workLimit);
    }
    const selected = [...problem.properties.keys()].filter(index => names.includes(problem.properties[index].name));
    const kept = selected.map(index => findings.propertyGroups[index]);
    if (kept.every(group => group === findings.detection.group) || !findings.verified) {
        return {};
    }
    const candidates = kept.flatMap(({ generators }) => generators);
    const detection = detectSymmetries(problem, selected, candidates, workLimit);
    return summarize({ ...findings, detection }, workLimit);
}

/** The summary of a subgroup of the symmetries; empty if it is all of them. */
function summaryOf(group: ModelGroup, findings: Findings, workLimit: WorkLimit): Partial<Summary> {
    const { detection } = findings;
    if (group === detection.group || !findings.verified) {
        return {};
    }
    const extension = graphExtensionOf(detection.encoding);
    const automorphisms = group.generators.map(generator => extension.extend(generator) ?? SPARSE_IDENTITY);
    return summarize({ ...findings, detection: { ...detection, group, automorphisms } }, workLimit);
}
