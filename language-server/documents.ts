/**
 * Converts the engine's results to the documents of document-schema.ts, which the command line prints with `--json` and the
 * editor shows in its panels. `fileOf` turns the URI in a source range into the name that the reader knows: the path
 * as typed on the command line, the URI itself in the editor. Lines and columns count from 1 here.
 */
import type { Problem } from '../engine/common/problem.js';
import type { SourceRange } from '../engine/common/source-range.js';
import type { TextOfRange } from '../engine/common/source-text.js';
import type { EverySizeVerdict } from '../family/every-size.js';
import type { Coverage } from '../engine/explore/coverage.js';
import type { PossibleStep } from '../engine/explore/possible-steps.js';
import type { Finding } from '../engine/explore/properties.js';
import type { Simulation } from '../engine/explore/simulate.js';
import type {
    ExplorationLimit,
    ExplorationReport,
    Loop,
    TemporalOutcome,
    TraceEntry,
    Violation,
} from '../engine/explore/verdict.js';
import type { UnreachedStep } from '../engine/explore/text-steps.js';
import type { Reason, ReasonLine } from '../engine/reasons/reason.js';
import type { RepresentativeStrategy } from '../engine/representative/strategy.js';
import { sparseToCycleNotation } from '../engine/group/sparse-permutation.js';
import { describeStep, formatState } from '../engine/explore/trace.js';
import { propertyNames, type Model, type ParameterValue } from '../engine/model/model.js';
import type { ReductionChoice } from '../engine/verdict/choose-reduction.js';
import type { PassReport } from '../engine/passes/pass-names.js';
import type { SequentialModel } from '../engine/sequential/sequential-model.js';
import type { Claims } from '../engine/verify/claims.js';
import type { Refutation, Verification } from '../engine/verify/check-claims.js';
import type { PlaceReport, RepairReport, SymmetryReport, TemplateReport } from '../engine/describe/report.js';
import type {
    CoverageDocument,
    DocumentLocation,
    DocumentFix,
    DocumentPlace,
    DocumentProblem,
    DocumentTitle,
    DocumentValue,
    EverySizeDocument,
    ExploreDocument,
    LimitDocument,
    PropertyOutcome,
    ReasonLineDocument,
    RefutationDocument,
    SimulateDocument,
    SymmetryDocument,
    TemplateDocument,
    TraceEntryDocument,
    UniformVerification,
    VerifyDocument,
    ViolationDocument,
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

/** The same with a place in a file instead of the range. */
export function located<Part extends { readonly range: SourceRange }>(
    part: Part,
    fileOf: FileOf,
): Omit<Part, 'range'> & { readonly location: DocumentLocation } {
    const location = toDocumentLocation(part.range, fileOf);
    const fields = Object.entries(part).map(([name, value]) =>
        name === 'range' ? ['location', location] : [name, value as unknown],
    );
    return Object.fromEntries(fields) as Omit<Part, 'range'> & { readonly location: DocumentLocation };
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
    const places = (list: readonly PlaceReport[]): DocumentPlace[] => toDocumentPlaces(list, fileOf);
    return {
        ...titleOf(model),
        ...pick(report, ['order', 'structure', 'factors', 'generators', 'variableOrbits', 'literalOrbits']),
        ...pick(report, ['steps', 'potentialStates', 'potentialOrbits', 'potentialOrbitsMissing']),
        ...(reachable !== undefined && { reachableEstimate: reachable }),
        properties: report.properties.map(({ name, kind, order, structure, alike, alikeTo, cost, runs }) => ({
            name,
            ...(kind === 'property' && { kind }),
            order,
            structure,
            ...(alike !== undefined && { alike }),
            ...(alikeTo !== undefined && { alikeTo }),
            ...(runs !== undefined && pick(runs, ['members', 'orbits', 'stabilizer'])),
            ...(cost !== undefined && { cost: { message: cost.message, locations: places(cost.locations) } }),
        })),
        ...(fairness !== undefined && {
            fairness: {
                ...pick(fairness, ['constraints', 'orbits', 'keeps']),
                ...(fairness.cost !== undefined && {
                    cost: { message: fairness.cost.message, locations: places(fairness.cost.locations) },
                }),
            },
        }),
        ...pick(report, ['graph', 'work', 'complete', 'verified']),
        ...allSizes,
        ...(refuted && { refuted }),
        timings: { parse: timings.parse, lower, encode, automorphisms, group, explain, total: timings.total },
        broken: report.broken.map(({ expected, found, index, message, locations, repairs, isIntended }) => ({
            expected,
            found,
            index,
            message,
            locations: places(locations),
            fixes: toDocumentFixes(repairs, fileOf),
            ...(isIntended && { intended: true as const }),
        })),
        ...pick(report, ['undescribed', 'unexplained']),
        ...(report.templates !== undefined && {
            templates: report.templates.map(template => toTemplateDocument(template, fileOf)),
        }),
        ...pick(report, ['staticOrder']),
        ...(heldFixed !== undefined && { heldFixed: heldFixed.map(held => located(held, fileOf)) }),
        assertions: report.assertions.map(({ text, verdict, message, range, locations, repairs }) => ({
            text,
            verdict,
            message,
            location: toDocumentLocation(range, fileOf),
            locations: places(locations),
            fixes: toDocumentFixes(repairs, fileOf),
        })),
        ...(why !== undefined && {
            why: why.map(({ subject, suggests, found, message, locations }) => ({
                subject,
                suggests,
                found,
                message,
                locations: places(locations),
            })),
        }),
    };
}

function toTemplateDocument(
    { name, slots, interchangeable, createdAt }: TemplateReport,
    fileOf: FileOf,
): TemplateDocument {
    return { name, slots, interchangeable, createdAt: createdAt.map(range => toDocumentLocation(range, fileOf)) };
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
export interface ExplorationRun {
    readonly model: Model;
    readonly report: ExplorationReport;
    /** The group that identifies states; absent without reduction. */
    readonly group?: { readonly structure: string; readonly order: bigint };
    /** The part of the group that keeps the start; absent if all of it does. */
    readonly startGroup?: { readonly order: bigint };
    /** The names of the invariants that the group exchanges, by set; absent without reduction. */
    readonly alike?: readonly (readonly string[])[] | undefined;
    /** The strategy for representatives; absent without reduction. */
    readonly strategy?: RepresentativeStrategy | undefined;
    /** What `auto` has chosen; absent if there was no choice. */
    readonly choice?: ReductionChoice | undefined;
    readonly passes: readonly PassReport[];
    /** The properties that were asked for; all if absent. */
    readonly properties?: readonly string[] | undefined;
    /** One when absent. */
    readonly threadCount?: number;
    /** Why a violation is one; absent if there is no text to speak of. */
    readonly reasonOf?: (violation: Violation) => Reason;
    /** Of the exploration alone. */
    readonly seconds: number;
    /** The user ended it. */
    readonly isInterrupted?: boolean;
    readonly interpretedBecause?: string | undefined;
    /** The checkpoint that was written. */
    readonly checkpoint?: ExploreDocument['checkpoint'] | undefined;
    readonly unreached?: readonly UnreachedStep[] | undefined;
    readonly coverage?: Coverage | undefined;
    /** Problems that the exploration has found. */
    readonly problems?: readonly Problem[];
}

export function toExploreDocument(run: ExplorationRun, fileOf: FileOf): ExploreDocument {
    const { model, report, group, passes, seconds, interpretedBecause, unreached, coverage, problems = [] } = run;
    return {
        ...titleOf(model),
        verdict: report.verdict,
        reduction: {
            group: group?.structure ?? '1',
            order: (group?.order ?? 1n).toString(),
            ...startOf(run),
            strategy: report.reduction?.strategy ?? 'none',
            // Under the trivial group every state is an orbit of its own.
            unique: report.reduction?.unique ?? group?.order === 1n,
            ...(run.strategy !== undefined && {
                factors: run.strategy.factors.map(({ structure, strategy, unique, cells }) => ({
                    structure: structure.name,
                    strategy,
                    unique,
                    cells: cells.length,
                })),
            }),
            ...(run.alike !== undefined && run.alike.length > 0 && { alike: run.alike }),
            ...(run.choice !== undefined && { choice: run.choice }),
            ...(report.reduction?.overhead !== undefined && { overhead: report.reduction.overhead }),
        },
        passes,
        checked: propertyNames(model).filter(name => run.properties?.includes(name) ?? true),
        ...(report.allStates !== undefined && { allStates: report.allStates.toString() }),
        ...pick(report, ['states', 'transitions', 'depth', 'deadlocks', 'omissionProbability']),
        seconds,
        statesPerSecond: seconds > 0 ? Math.round(report.states / seconds) : 0,
        ...pick(report, ['bytesPerState', 'peakBytes']),
        workers: run.threadCount ?? 1,
        violations: report.violations.map(violation => toDocumentViolation(violation, run, fileOf)),
        ...limitOf(run, fileOf),
        ...pick(report, ['templates', 'growthRounds']),
        ...(interpretedBecause !== undefined && { interpretedBecause }),
        ...(run.checkpoint !== undefined && { checkpoint: run.checkpoint }),
        ...(unreached !== undefined && { unreached: unreached.map(step => located(step, fileOf)) }),
        ...(coverage !== undefined && { coverage: toDocumentCoverage(coverage, fileOf) }),
        ...(report.properties !== undefined && {
            properties: report.properties.map(outcome => toPropertyOutcome(outcome, fileOf)),
        }),
        ...(problems.length > 0 && { warnings: problems.map(problem => toDocumentProblem(problem, fileOf)) }),
    };
}

function startOf({ group, startGroup }: ExplorationRun): Pick<ExploreDocument['reduction'], 'start' | 'startOrder'> {
    const order = startGroup?.order ?? group?.order ?? 1n;
    return { start: startGroup === undefined ? 'kept' : 'moved', startOrder: order.toString() };
}

/** The result of a check for all values of the parameters `forAll`. */
export interface EverySizeRun {
    readonly title: DocumentTitle;
    readonly forAll: readonly string[];
    readonly outcome: EverySizeVerdict;
    readonly seconds: number;
    readonly textOf: TextOfRange;
}

export function toEverySizeDocument(run: EverySizeRun, fileOf: FileOf): EverySizeDocument {
    const { title, forAll, outcome, seconds, textOf } = run;
    const { verdict, invariants, notForAll, proof, extra, exact, violation, suspicion, limit } = outcome;
    const paramsOf = (values: readonly number[]): Record<string, number> =>
        Object.fromEntries(forAll.map((name, position) => [name, values[position] ?? 0]));
    const violations =
        violation?.report.violations.map(each =>
            toDocumentViolation(
                each,
                {
                    model: violation.analysis.model,
                    report: violation.report,
                    passes: violation.started.passes,
                    seconds,
                    reasonOf: found => violation.started.reasonOf(found, textOf),
                },
                fileOf,
            ),
        ) ?? [];
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
        steps: steps.map(step => located(step, fileOf)),
        branches: branches.map(branch => located(branch, fileOf)),
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

function toDocumentViolation(violation: Violation, run: ExplorationRun, fileOf: FileOf): ViolationDocument {
    const { copies, possiblyAt } = violation;
    const invariant = violation.kind === 'invariant' ? violation.name : violation.invariant;
    const [first] = run.alike?.find(names => invariant !== undefined && names.includes(invariant)) ?? [];
    const reason = run.reasonOf?.(violation) ?? [];
    return {
        ...toDocumentFinding(violation, run.model, fileOf),
        ...(violation.invariant !== undefined && { invariant: violation.invariant }),
        ...(first !== undefined && first !== invariant && { alikeTo: first }),
        ...(possiblyAt !== undefined && { possiblyAt: possiblyAt.map(range => toDocumentLocation(range, fileOf)) }),
        ...(reason.length > 0 && { reason: reason.map(line => toReasonLine(line, fileOf)) }),
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
        unfair: unfair.map(({ range, ...step }) => ({
            ...step,
            ...(range !== undefined && { location: toDocumentLocation(range, fileOf) }),
        })),
    };
}

export function toReasonLine({ text, range, alike }: ReasonLine, fileOf: FileOf): ReasonLineDocument {
    return {
        text,
        ...(range !== undefined && { location: toDocumentLocation(range, fileOf) }),
        ...(alike !== undefined && {
            alike: { text: alike.text, lines: alike.lines.map(line => toReasonLine(line, fileOf)) },
        }),
    };
}

/** A deadlock has no place in the text; it is reported at the model's name. */
export function toDocumentFinding(
    { kind, name, range }: Finding,
    model: Model,
    fileOf: FileOf,
): Omit<ViolationDocument, 'trace'> {
    return { kind, name, location: toDocumentLocation(range ?? model.nameRange, fileOf) };
}

function toDocumentTrace(trace: readonly TraceEntry[], fileOf: FileOf): TraceEntryDocument[] {
    return trace.map(entry => toDocumentEntry(entry, fileOf));
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
    return {
        ...titleOf(model),
        ...(seed !== undefined && { seed }),
        end: end.kind,
        ...(end.kind === 'violated' && { violation: toDocumentFinding(end.finding, model, fileOf) }),
        ...(model.properties.length > 0 && { notChecked: model.properties.map(({ name }) => name) }),
        trace: toDocumentTrace(trace, fileOf),
    };
}

function limitOf({ report, isInterrupted, seconds }: ExplorationRun, fileOf: FileOf): Pick<ExploreDocument, 'limit'> {
    if (isInterrupted === true) {
        return { limit: { kind: 'interrupted', value: seconds } };
    }
    return report.limit === undefined ? {} : { limit: toDocumentLimit(report.limit, fileOf) };
}

/** Time is measured in milliseconds and reported in seconds, as it is asked for. */
function toDocumentLimit({ kind, value, template, trace }: ExplorationLimit, fileOf: FileOf): LimitDocument {
    return {
        kind,
        value: kind === 'time' ? value / 1000 : value,
        ...(template !== undefined && { template }),
        ...(trace !== undefined && { trace: toDocumentTrace(trace, fileOf) }),
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
