/**
 * Converts the engine's results to the documents of document-schema.ts, which the command line prints with `--json` and the
 * editor shows in its panels. `fileOf` turns the URI in a source range into the name that the reader knows: the path
 * as typed on the command line, the URI itself in the editor. Lines and columns count from 1 here.
 */
import { codesIn } from '../engine/sequential/numbers/enough-codes.js';
import type { Walks } from '../engine/verdict/walks.js';
import { invariant } from '../engine/common/assert.js';
import type { Problem } from '../engine/common/problem.js';
import type { SourceRange } from '../engine/common/source-range.js';
import type { TextOfRange } from '../engine/common/source-text.js';
import { structureOf } from '../engine/describe/factors.js';
import type { PlaceReport, RepairReport, SymmetryReport, TemplateReport } from '../engine/describe/report.js';
import type { Coverage } from '../engine/explore/coverage.js';
import type { PossibleStep } from '../engine/explore/possible-steps.js';
import { meantBy } from '../engine/expect/judge.js';
import { statementOf, type Finding } from '../engine/explore/properties.js';
import type { Simulation } from '../engine/explore/simulate.js';
import { formatState } from '../engine/describe/shown-state.js';
import { describeStep } from '../engine/explore/trace.js';
import type {
    ExplorationLimit,
    ExplorationReport,
    PartialOrderOutcome,
    Loop,
    RunOutcome,
    TemporalOutcome,
    TraceEntry,
    Violation,
} from '../engine/explore/verdict.js';
import type { Effect, Mutant } from '../engine/mutate/mutation.js';
import { sparseToCycleNotation } from '../engine/group/sparse-permutation.js';
import { propertyNames, type Model, type ParameterValue } from '../engine/model/model.js';
import type { ReducedExploration } from '../engine/pipeline.js';
import type { Reason } from '../engine/reasons/reason.js';
import type { SequentialModel } from '../engine/sequential/sequential-model.js';
import type { Refutation, Verification } from '../engine/verify/check-claims.js';
import type { Claims } from '../engine/verify/claims.js';
import type { EverySizeVerdict } from '../family/every-size.js';
import type {
    CoverageDocument,
    DocumentFix,
    DocumentLocation,
    DocumentPlace,
    DocumentProblem,
    DocumentTitle,
    DocumentValue,
    EverySizeDocument,
    ExploreDocument,
    LimitDocument,
    Located,
    PropertyOutcome,
    RefutationDocument,
    RunOutcomeDocument,
    SimulateDocument,
    SymmetryDocument,
    TemplateDocument,
    TraceEntryDocument,
    UniformVerification,
    VerifyDocument,
    ViolationDocument,
    WalksDocument,
    MutantDocument,
} from './document-schema.js';
import type { PossibleStepDocument } from './protocol.js';

/** The name of a document as its reader knows it. */
export type FileOf = (uri: string) => string;

export function toDocumentLocation(range: SourceRange, fileOf: FileOf): DocumentLocation {
    return {
        file: fileOf(range.uri),
        line: range.start.line + 1,
        column: range.start.character + 1,
        endLine: range.end.line + 1,
        endColumn: range.end.character + 1,
    };
}

/** The same with places in files in the place of ranges, and so are all its parts. */
export function located<Part>(part: Part, fileOf: FileOf): Located<Part> {
    return locatedData(part, fileOf) as Located<Part>;
}

function locatedData(part: unknown, fileOf: FileOf): unknown {
    if (Array.isArray(part)) {
        return part.map(each => locatedData(each, fileOf));
    }
    if (typeof part !== 'object' || part === null) {
        return part;
    }
    if (isRange(part)) {
        return toDocumentLocation(part, fileOf);
    }
    const fields = Object.entries(part).map(([name, value]: [string, unknown]) =>
        name === 'locations'
            ? [name, toDocumentPlaces(value as readonly PlaceReport[], fileOf)]
            : [name === 'range' ? 'location' : name, locatedData(value, fileOf)],
    );
    return Object.fromEntries(fields);
}

function isRange(part: object): part is SourceRange {
    return 'uri' in part && 'start' in part && 'end' in part;
}

export function toDocumentProblem(problem: Problem, fileOf: FileOf): DocumentProblem {
    const { severity, code, message, range, related } = problem;
    return {
        severity,
        code,
        message,
        ...toDocumentLocation(range, fileOf),
        ...(related !== undefined && {
            related: related.map(other => ({ message: other.message, ...toDocumentLocation(other.range, fileOf) })),
        }),
    };
}

/** The parameters of a run with their values, in the order of their declarations. */
export function toDocumentParameters(model: Model): Readonly<Record<string, DocumentValue>> {
    return Object.fromEntries(model.parameters.map(({ name, value }) => [name, withNoneAsText(value)]));
}

export function titleOf(model: Model): DocumentTitle {
    return { schemaVersion: 1, model: model.name, params: toDocumentParameters(model) };
}

/** Some fields of an object, without those that are absent. */
function pick<Source extends object, Field extends keyof Source>(
    source: Source,
    fields: readonly Field[],
): Pick<Source, Field> {
    const present = fields.filter(field => source[field] !== undefined).map(field => [field, source[field]]);
    return Object.fromEntries(present) as Pick<Source, Field>;
}

/** `none` is a value of the model; in a document null means that there is no value. */
function withNoneAsText(value: ParameterValue): DocumentValue {
    if (value === null) {
        return 'none';
    }
    if (typeof value !== 'object') {
        return value;
    }
    return isList(value)
        ? value.map(withNoneAsText)
        : Object.fromEntries(Object.entries(value).map(([field, part]) => [field, withNoneAsText(part)]));
}

function isList(value: ParameterValue): value is readonly ParameterValue[] {
    return Array.isArray(value);
}

/** Milliseconds of the front end, and of the whole command. */
export interface FrontEndTimings {
    /** From the text to the typed model. */
    readonly parse: number;
    readonly total: number;
}

export function toSymmetryDocument(
    model: Model,
    report: SymmetryReport,
    timings: FrontEndTimings,
    fileOf: FileOf,
    allSizes: Pick<SymmetryDocument, 'uniform' | 'seen'> = {},
): SymmetryDocument {
    const { reachable, refuted, heldFixed, why, fairness } = report;
    const { linearize: lower, encode, automorphisms, group, explain } = report.timings;
    return {
        ...titleOf(model),
        ...pick(report, ['order', 'structure', 'factors', 'generators', 'variableOrbits', 'literalOrbits']),
        ...pick(report, ['steps', 'potentialStates', 'potentialOrbits', 'potentialOrbitsMissing', 'numbersUpTo']),
        ...(reachable !== undefined && { reachableEstimate: reachable }),
        properties: report.properties.map(({ name, kind, order, structure, alike, alikeTo, cost, runs }) => ({
            name,
            ...(kind === 'property' && { kind }),
            order,
            structure,
            ...(alike !== undefined && { alike }),
            ...(alikeTo !== undefined && { alikeTo }),
            ...(runs !== undefined && pick(runs, ['members', 'orbits', 'stabilizer'])),
            ...(cost !== undefined && { cost: located(cost, fileOf) }),
        })),
        ...(fairness !== undefined && {
            fairness: {
                ...pick(fairness, ['constraints', 'orbits', 'keeps']),
                ...(fairness.cost !== undefined && { cost: located(fairness.cost, fileOf) }),
            },
        }),
        ...pick(report, ['graph', 'work', 'complete', 'verified']),
        ...allSizes,
        ...(refuted && { refuted }),
        timings: { parse: timings.parse, lower, encode, automorphisms, group, explain, total: timings.total },
        broken: report.broken.map(broken => ({
            ...located(pick(broken, ['expected', 'found', 'index', 'message', 'locations']), fileOf),
            fixes: toDocumentFixes(broken.repairs, fileOf),
            ...(broken.isIntended && { intended: true as const }),
        })),
        ...pick(report, ['undescribed', 'unexplained']),
        ...(report.templates !== undefined && {
            templates: report.templates.map(template => toTemplateDocument(template, fileOf)),
        }),
        ...pick(report, ['staticOrder']),
        ...(heldFixed !== undefined && { heldFixed: located(heldFixed, fileOf) }),
        assertions: report.assertions.map(assertion => ({
            ...located(pick(assertion, ['text', 'verdict', 'message', 'range', 'locations']), fileOf),
            fixes: toDocumentFixes(assertion.repairs, fileOf),
        })),
        ...(why !== undefined && {
            why: why.map(each => located(pick(each, ['subject', 'suggests', 'found', 'message', 'locations']), fileOf)),
        }),
    };
}

function toTemplateDocument(template: TemplateReport, fileOf: FileOf): TemplateDocument {
    return located(pick(template, ['name', 'slots', 'interchangeable', 'createdAt']), fileOf);
}

/** Places with the text there. */
export function toDocumentPlaces(places: readonly PlaceReport[], fileOf: FileOf): DocumentPlace[] {
    return places.map(({ range, text }) => ({ ...toDocumentLocation(range, fileOf), text }));
}

function toDocumentFixes(repairs: readonly RepairReport[], fileOf: FileOf): DocumentFix[] {
    return repairs.map(({ title, edits }) => ({
        title,
        edits: edits.map(({ range, newText }) => ({ ...toDocumentLocation(range, fileOf), newText })),
    }));
}

/** An exploration that has finished or was stopped, and data that the engine does not have. */
export interface EndedExploration {
    readonly model: Model;
    readonly started: ReducedExploration;
    readonly report: ExplorationReport;
    /** The properties that were asked for; all if absent. */
    readonly properties?: readonly string[] | undefined;
    /** The text that reasons may quote. */
    readonly textOf: TextOfRange;
    /** Of the exploration alone. */
    readonly seconds: number;
    /** The user ended it. */
    readonly isInterrupted?: boolean;
    /** The checkpoint that was written. */
    readonly checkpoint?: ExploreDocument['checkpoint'] | undefined;
    /** Problems that the exploration has found. */
    readonly problems: readonly Problem[];
}

export function toExploreDocument(run: EndedExploration, fileOf: FileOf): ExploreDocument {
    const { model, report, seconds, checkpoint, problems } = run;
    const { exploration, group, startGroup, strategy, choice, passes, interpretedBecause, allStepsBecause } =
        run.started;
    const [alike, unreached, coverage] = [
        run.started.alike?.() ?? [],
        run.started.unreached(),
        run.started.coverage?.(),
    ];
    const order = group?.order ?? 1n;
    const [constraint] = model.constraints;
    return {
        ...titleOf(model),
        verdict: report.verdict,
        reduction: {
            group: group === undefined ? '1' : structureOf(group),
            order: order.toString(),
            start: startGroup === undefined ? 'kept' : 'moved',
            startOrder: (startGroup?.order ?? order).toString(),
            strategy: report.reduction?.strategy ?? 'none',
            // Under the trivial group every state is an orbit of its own.
            unique: report.reduction?.unique ?? group?.order === 1n,
            ...(strategy !== undefined && {
                factors: strategy.factors.map(({ structure, strategy: of, unique, cells }) => ({
                    structure: structure.name,
                    strategy: of,
                    unique,
                    cells: cells.length,
                })),
            }),
            ...(alike.length > 0 && { alike }),
            ...(choice !== undefined && { choice }),
            ...(report.reduction?.overhead !== undefined && { overhead: report.reduction.overhead }),
        },
        passes,
        checked: propertyNames(model).filter(name => run.properties?.includes(name) ?? true),
        ...(report.allStates !== undefined && { allStates: report.allStates.toString() }),
        ...pick(report, ['states', 'transitions', 'depth', 'outside', 'deadlocks', 'omissionProbability', 'por']),
        ...(allStepsBecause !== undefined && { por: allStepsTaken(report.transitions, allStepsBecause) }),
        ...(constraint !== undefined && { constraint: toDocumentLocation(constraint.range, fileOf) }),
        seconds,
        statesPerSecond: seconds > 0 ? Math.round(report.states / seconds) : 0,
        ...pick(report, ['bytesPerState', 'peakBytes']),
        workers: exploration.threadCount,
        violations: report.violations.map(violation =>
            toDocumentViolation(
                violation,
                { model, alike, reason: run.started.reasonOf(violation, run.textOf) },
                fileOf,
            ),
        ),
        ...limitOf(run, fileOf),
        ...pick(report, ['templates', 'names', 'growthRounds']),
        ...(report.numbers !== undefined && {
            numbers: report.numbers.map(each => ({ ...each, depends: located(each.depends, fileOf) })),
            ...(report.limit === undefined && { stepsExact: report.numbers.every(({ exact }) => exact) }),
        }),
        ...(interpretedBecause !== undefined && { interpretedBecause }),
        ...(checkpoint !== undefined && { checkpoint }),
        ...(unreached !== undefined && { unreached: located(unreached, fileOf) }),
        ...(coverage !== undefined && { coverage: toDocumentCoverage(coverage, fileOf) }),
        ...((report.properties ?? report.runs) !== undefined && {
            properties: [
                ...(report.properties ?? []).map(outcome => ({
                    ...toPropertyOutcome(outcome, fileOf),
                    ...(report.violations.some(
                        ({ kind, name, expected }) => kind === 'property' && name === outcome.name && expected === true,
                    ) && { expected: true as const }),
                })),
                ...(report.runs ?? []).map(outcome => toRunOutcome(outcome, fileOf)),
            ],
        }),
        ...(report.unexpected !== undefined && { unexpected: located(report.unexpected, fileOf) }),
        ...(problems.length > 0 && { warnings: problems.map(problem => toDocumentProblem(problem, fileOf)) }),
    };
}

function allStepsTaken(fired: number, because: string): PartialOrderOutcome {
    return { mode: 'off', fired, enabled: fired, goals: [], because };
}

/** The result of a check for all values of the parameters `forAll`. */
export interface EverySizeRun {
    readonly title: DocumentTitle;
    readonly forAll: readonly string[];
    readonly outcome: EverySizeVerdict;
    /** The first one. */
    readonly constraint: SourceRange | undefined;
    readonly seconds: number;
    readonly textOf: TextOfRange;
}

export function toEverySizeDocument(run: EverySizeRun, fileOf: FileOf): EverySizeDocument {
    const { title, forAll, outcome, constraint, seconds, textOf } = run;
    const { verdict, invariants, notForAll, proof, extra, exact, violation, suspicion, limit } = outcome;
    const paramsOf = (values: readonly number[]): Record<string, number> =>
        Object.fromEntries(forAll.map((name, position) => [name, values[position] ?? 0]));
    const violations =
        violation?.report.violations.map(each => {
            const reason = violation.started.reasonOf(each, textOf);
            return toDocumentViolation(each, { model: violation.analysis.model, reason }, fileOf);
        }) ?? [];
    return {
        ...title,
        verdict,
        forAll,
        invariants,
        notForAll,
        ...(proof !== undefined && {
            views: proof.views.count,
            viewSize: proof.viewSize,
            configurations: proof.configurations,
            steps: proof.steps,
            rechecked: proof.rechecked,
        }),
        extra,
        exact: exact.map(({ values, ...found }) => ({ params: paramsOf(values), ...found })),
        ...(suspicion !== undefined &&
            violation === undefined && {
                suspicion: {
                    viewSize: suspicion.viewSize,
                    kind: suspicion.finding.kind,
                    name: suspicion.finding.name,
                },
            }),
        ...(violation !== undefined && { violatedFor: paramsOf(violation.values) }),
        ...(constraint !== undefined && { constraint: toDocumentLocation(constraint, fileOf) }),
        violations,
        ...(limit !== undefined && { limit: toDocumentLimit(limit, fileOf) }),
        seconds,
    };
}

function toDocumentCoverage(
    { states, isExact, steps, branches, hasBodyBranches }: Coverage,
    fileOf: FileOf,
): CoverageDocument {
    return {
        states,
        exact: isExact,
        bodies: hasBodyBranches,
        steps: located(steps, fileOf),
        branches: located(branches, fileOf),
    };
}

function toPropertyOutcome(outcome: TemporalOutcome, fileOf: FileOf): PropertyOutcome {
    const { limit } = outcome;
    return {
        name: outcome.name,
        kind: 'property',
        ...pick(outcome, ['verdict', 'members', 'membersChecked', 'states', 'transitions', 'automatonStates']),
        ...pick(outcome, ['productStates', 'components', 'peakBytes', 'reduction']),
        ...(limit !== undefined && { limit: toDocumentLimit(limit, fileOf) }),
    };
}

function toRunOutcome({ name, range, verdict, found, parts, limit }: RunOutcome, fileOf: FileOf): RunOutcomeDocument {
    return {
        name,
        kind: 'run',
        verdict,
        location: toDocumentLocation(range, fileOf),
        ...(found !== undefined && { steps: found.trace.length - 1 }),
        ...(parts !== undefined && { parts }),
        ...(found !== undefined && { trace: toDocumentTrace(found.trace, fileOf) }),
        ...(limit !== undefined && { limit: toDocumentLimit(limit, fileOf) }),
    };
}

/** The things that are told of a violation beside itself. */
interface ViolationContext {
    readonly model: Model;
    readonly reason: Reason;
    /** Sets of alike invariants, each by its names: the first of a set is told with each of the others. */
    readonly alike?: readonly (readonly string[])[];
}

function toDocumentViolation(
    violation: Violation,
    { model, reason, alike = [] }: ViolationContext,
    fileOf: FileOf,
): ViolationDocument {
    const { copies, possiblyAt } = violation;
    const checked = violation.kind === 'invariant' ? violation.name : violation.invariant;
    const [first] = alike.find(names => checked !== undefined && names.includes(checked)) ?? [];
    return {
        ...toDocumentFinding(violation, model, fileOf),
        ...(violation.expected === true && { expected: true }),
        ...(violation.invariant !== undefined && { invariant: violation.invariant }),
        ...(first !== undefined && first !== checked && { alikeTo: first }),
        ...(possiblyAt !== undefined && { possiblyAt: located(possiblyAt, fileOf) }),
        ...(reason.length > 0 && { reason: located(reason, fileOf) }),
        ...(copies !== undefined && { copies: copies.toString() }),
        trace: toDocumentTrace(violation.trace, fileOf),
        ...(violation.loop !== undefined && toDocumentLoop(violation.loop, fileOf)),
    };
}

function toDocumentLoop(
    { start, member, members, copies, rechecked, unfair }: Loop,
    fileOf: FileOf,
): Pick<ViolationDocument, 'loopStart' | 'member' | 'members' | 'membersAlike' | 'rechecked' | 'unfair'> {
    return {
        loopStart: start,
        member,
        members,
        membersAlike: copies,
        ...(rechecked !== undefined && { rechecked }),
        unfair: located(unfair, fileOf),
    };
}

/** A deadlock has no place in the text; it is reported at the model's name. */
export function toDocumentFinding(
    { kind, name, range }: Finding,
    model: Model,
    fileOf: FileOf,
): Omit<ViolationDocument, 'trace'> {
    invariant(kind !== 'run', 'a run that is to exist is no violation');
    return { kind, name, location: toDocumentLocation(range ?? model.nameRange, fileOf) };
}

/** What a walk has met. */
function toDocumentMet(finding: Finding, model: Model, fileOf: FileOf): Omit<ViolationDocument, 'trace'> {
    const isMeant = meantBy(model).has(statementOf(finding));
    return { ...toDocumentFinding(finding, model, fileOf), ...(isMeant && { expected: true }) };
}

export function toDocumentTrace(trace: readonly TraceEntry[], fileOf: FileOf): TraceEntryDocument[] {
    return trace.map(entry => toDocumentEntry(entry, fileOf));
}

/** Without the part of the text that its place is of. */
export function toMutantDocument({ range, part: _, effect, ...mutant }: Mutant, fileOf: FileOf): MutantDocument {
    return {
        location: toDocumentLocation(range, fileOf),
        ...mutant,
        ...(effect !== undefined && toDocumentEffect(effect)),
    };
}

function toDocumentEffect({ kind, firings, ...others }: Effect): Partial<MutantDocument> {
    return { effect: kind, steps: firings, ...others };
}

/** The steps of a state, as documents. */
export function toPossibleSteps(
    steps: readonly PossibleStep[],
    model: Model,
    fileOf: FileOf,
): readonly PossibleStepDocument[] {
    return steps.map(({ entry, findings }) => ({
        entry: toDocumentEntry(entry, fileOf),
        violates: findings.map(finding => toDocumentFinding(finding, model, fileOf)),
    }));
}

export function toDocumentEntry(entry: TraceEntry, fileOf: FileOf): TraceEntryDocument {
    return { ...entry, step: entry.step && located(entry.step, fileOf) };
}

export function toSimulateDocument(
    model: Model,
    seed: number | undefined,
    { trace, end }: Extract<Simulation, { kind: 'walk' }>,
    fileOf: FileOf,
): SimulateDocument {
    const notChecked = [...model.properties, ...model.runs];
    return {
        ...titleOf(model),
        ...(seed !== undefined && { seed }),
        end: end.kind,
        ...(end.kind === 'violated' && { violation: toDocumentMet(end.finding, model, fileOf) }),
        ...(notChecked.length > 0 && { notChecked: notChecked.map(({ name }) => name) }),
        trace: toDocumentTrace(trace, fileOf),
    };
}

/** `overSeconds`: the time limit that came before the last walk. */
export function toWalksDocument(
    model: Model,
    seed: number,
    { violations, limit, ...walks }: Walks,
    overSeconds: number | undefined,
    fileOf: FileOf,
): WalksDocument {
    return {
        ...titleOf(model),
        seed,
        walks,
        violations: violations.map(({ finding, runs, trace }) => ({
            ...toDocumentMet(finding, model, fileOf),
            runs,
            trace: toDocumentTrace(trace, fileOf),
        })),
        ...(limit !== undefined
            ? { limit: { kind: 'states', value: limit } }
            : overSeconds !== undefined && { limit: { kind: 'time', value: overSeconds } }),
    };
}

function limitOf({ report, isInterrupted, seconds }: EndedExploration, fileOf: FileOf): Pick<ExploreDocument, 'limit'> {
    if (isInterrupted === true) {
        return { limit: { kind: 'interrupted', value: seconds } };
    }
    return report.limit === undefined ? {} : { limit: toDocumentLimit(report.limit, fileOf) };
}

/** Time is measured in milliseconds and reported in seconds, as it is asked for. */
function toDocumentLimit(limit: ExplorationLimit, fileOf: FileOf): LimitDocument {
    const { kind, value, template, trace, step, found } = limit;
    return {
        kind,
        value: kind === 'time' ? value / 1000 : value,
        ...(template !== undefined && { template }),
        ...(trace !== undefined && { trace: toDocumentTrace(trace, fileOf) }),
        ...(step !== undefined && { step: located(step, fileOf) }),
        ...(found !== undefined && { found }),
    };
}

/** Claims about a model and the result of checking them. */
export interface VerificationRun {
    readonly model: Model;
    readonly sequential: SequentialModel;
    /** The names of the points that permutations move, and of the properties. */
    readonly literals: readonly string[];
    readonly properties: readonly string[];
    readonly claims: Claims;
    readonly verification: Verification;
    /** Whether the claims cover all symmetries; absent if that is not known. */
    readonly complete?: boolean;
    /** Of a model without templates empty. */
    readonly templates: readonly TemplateReport[];
    readonly uniform?: UniformVerification;
}

export function toVerifyDocument(run: VerificationRun, fileOf: FileOf): VerifyDocument {
    const { model, claims, verification, complete, templates, uniform } = run;
    return {
        ...titleOf(model),
        verdict: uniform !== undefined && uniform.objections.length > 0 ? 'refuted' : verification.verdict,
        generators: claims.generators.length,
        groups: claims.groups.map(({ properties, alike, order, generators, start }) => ({
            properties: namesOf(properties, run),
            ...(alike.length > 0 && { alike: alike.map(set => namesOf(set, run)) }),
            order: order.toString(),
            generators: generators.length,
            ...(start !== undefined && { start }),
        })),
        states: verification.states,
        exhaustive: verification.exhaustive,
        ...(run.sequential.numbers !== undefined && { numbersUpTo: codesIn(run) - 1 }),
        ordersChecked: verification.ordersChecked,
        ...(complete !== undefined && { complete }),
        ...(templates.length > 0 && {
            templates: templates.map(template => toTemplateDocument(template, fileOf)),
        }),
        refutations: verification.refutations.map(refutation => toRefutationDocument(refutation, run, fileOf)),
        ...(uniform !== undefined && { uniform }),
    };
}

function namesOf(properties: readonly number[], run: VerificationRun): string[] {
    return properties.map(property => run.properties[property] ?? '');
}

function toRefutationDocument(refutation: Refutation, run: VerificationRun, fileOf: FileOf): RefutationDocument {
    const { kind } = refutation;
    const message = describeRefutation(refutation, run);
    if (refutation.kind === 'order') {
        return { kind, message };
    }
    const { generator } = refutation;
    const permutation = run.claims.generators[generator];
    return {
        kind,
        message,
        generator,
        ...(permutation !== undefined && {
            cycles: sparseToCycleNotation(permutation, point => run.literals[point] ?? String(point)),
        }),
        ...('state' in refutation && {
            state: formatState(run.sequential, refutation.state),
            image: formatState(run.sequential, refutation.image),
        }),
        ...(refutation.kind === 'step' && {
            step: located(describeStep(run.sequential, refutation.firing.summand), fileOf),
        }),
    };
}

function describeRefutation(refutation: Refutation, { sequential, properties, claims }: VerificationRun): string {
    switch (refutation.kind) {
        case 'cell':
            return `it takes the values of '${sequential.cells[refutation.cell]?.name}' to values of several variables`;
        case 'initial':
            return 'it takes an initial state to one that is none';
        case 'step': {
            const { process, label } = describeStep(sequential, refutation.firing.summand);
            const { outcome } = refutation.firing;
            const what =
                typeof outcome === 'string'
                    ? `${process} ${label} is a fault (${outcome})`
                    : `${process} ${label} can happen`;
            return refutation.from === 'state'
                ? `in the state ${what}, and in its image nothing corresponds to that`
                : `in the image ${what}, and in the state nothing corresponds to that`;
        }
        case 'property': {
            const [here, there] = refutation.truth;
            return `the truth of '${properties[refutation.property]}' is '${here}' in the state and '${there}' in its image`;
        }
        case 'alike': {
            const names = refutation.alike.map(property => `'${properties[property]}'`).join(', ');
            return `no property of ${names} is in all images what '${properties[refutation.property]}' is in the states`;
        }
        case 'graph':
            return 'it is no automorphism of the colored graph, though no state that was tried speaks against it';
        case 'order': {
            const claimed = claims.groups[refutation.group]?.order ?? 0n;
            return `the generators of a group that is said to have order ${claimed} generate one of order ${refutation.order}`;
        }
    }
}
