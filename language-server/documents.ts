/**
 * From the engine's results to the documents of protocol.ts: what the command line prints with `--json` and the editor
 * shows in its panels. Both sides use these functions, so that one run has one description.
 *
 * `fileOf` turns the URI in a source range into the name that the reader knows: the path as typed on the command line,
 * the URI itself in the editor. Positions leave the 0-based world of LSP here.
 */
import type { Problem } from '../engine/common/problem.js';
import type { SourceRange } from '../engine/common/source-range.js';
import type { Finding } from '../engine/explore/properties.js';
import type { Simulation } from '../engine/explore/simulate.js';
import type {
    ExplorationReport,
    TraceEntry as ExplorationTraceEntry,
    Violation as ExplorationViolation,
} from '../engine/explore/verdict.js';
import { type Domain, NONE, type Value, formatValue } from '../engine/model/domain.js';
import type { Model } from '../engine/model/model.js';
import type { SymmetryReport } from '../engine/symmetry/report.js';
import type {
    DocumentLocation,
    DocumentProblem,
    DocumentValue,
    ExploreDocument,
    ProblemsDocument,
    SimulateDocument,
    SymmetryDocument,
    TraceEntry,
    Violation,
} from './protocol.js';

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

export function toProblemsDocument(problems: readonly Problem[], fileOf: FileOf): ProblemsDocument {
    return { schemaVersion: 1, problems: problems.map(problem => toDocumentProblem(problem, fileOf)) };
}

/** Numbers and truth values as such, `none` and enumeration values as the model writes them. */
export function toDocumentValue(domain: Domain, value: Value): DocumentValue {
    switch (domain.kind) {
        case 'boolean':
            return value !== 0;
        case 'range':
            return value;
        case 'enumeration':
            return formatValue(domain, value);
        case 'optional':
            return value === NONE ? 'none' : toDocumentValue(domain.base, value);
        default:
            return formatValue(domain, value);
    }
}

/** The parameters of a run with their values, in the order of their declarations. */
export function toDocumentParameters(model: Model): Readonly<Record<string, DocumentValue>> {
    return Object.fromEntries(
        model.parameters.map(parameter => [parameter.name, toDocumentValue(parameter.domain, parameter.value)]),
    );
}

/** What happened before the engine was called, and how long it all took; in milliseconds. */
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
): SymmetryDocument {
    return {
        schemaVersion: 1,
        model: model.name,
        params: toDocumentParameters(model),
        order: report.order.toString(),
        structure: report.structure,
        generators: report.generators.map(generator => ({
            cycles: generator.cycles,
            moves: generator.moves.map(move => `${move.from} -> ${move.to}`),
        })),
        variableOrbits: report.variableOrbits,
        literalOrbits: report.literalOrbits,
        properties: report.properties.map(property => ({
            name: property.name,
            order: property.order.toString(),
            structure: property.structure,
        })),
        graph: report.graph,
        complete: report.complete,
        verified: report.verified,
        timings: {
            parse: timings.parse,
            lower: report.timings.linearize,
            encode: report.timings.encode,
            automorphisms: report.timings.automorphisms,
            group: report.timings.group,
            explain: report.timings.explain,
            total: timings.total,
        },
        broken: report.broken.map(broken => ({
            expected: broken.expected,
            found: broken.found,
            index: Number(broken.index),
            message: broken.message,
            locations: broken.locations.map(location => ({
                ...toDocumentLocation(location.range, fileOf),
                text: location.text,
            })),
        })),
    };
}

/** A finished exploration, or one that was stopped, with what the engine cannot know. */
export interface ExplorationRun {
    readonly model: Model;
    readonly report: ExplorationReport;
    /** The group by which states were identified; absent where they were not. */
    readonly group?: { readonly structure: string; readonly order: bigint };
    /** Of the exploration alone. */
    readonly seconds: number;
    /** The user ended it. */
    readonly isInterrupted?: boolean;
}

export function toExploreDocument(run: ExplorationRun, fileOf: FileOf): ExploreDocument {
    const { model, report, group, seconds } = run;
    return {
        schemaVersion: 1,
        model: model.name,
        params: toDocumentParameters(model),
        verdict: report.verdict,
        reduction: {
            group: group?.structure ?? '1',
            order: (group?.order ?? 1n).toString(),
            strategy: report.reduction?.strategy ?? 'none',
            // Under the trivial group every state is an orbit of its own.
            unique: report.reduction?.unique ?? group?.order === 1n,
        },
        states: report.states,
        transitions: report.transitions,
        depth: report.depth,
        ...(report.deadlocks !== undefined && { deadlocks: report.deadlocks }),
        seconds,
        statesPerSecond: seconds > 0 ? Math.round(report.states / seconds) : 0,
        bytesPerState: report.bytesPerState,
        peakBytes: report.peakBytes,
        workers: 1,
        violations: report.violations.map(violation => toDocumentViolation(violation, model, fileOf)),
        ...toDocumentLimit(run),
    };
}

function toDocumentViolation(violation: ExplorationViolation, model: Model, fileOf: FileOf): Violation {
    return { ...toDocumentFinding(violation, model, fileOf), trace: toDocumentTrace(violation.trace, fileOf) };
}

/** A deadlock is at no place of the text; it is reported at the model's name. */
function toDocumentFinding({ kind, name, range }: Finding, model: Model, fileOf: FileOf): Omit<Violation, 'trace'> {
    return { kind, name, location: toDocumentLocation(range ?? model.nameRange, fileOf) };
}

function toDocumentTrace(trace: readonly ExplorationTraceEntry[], fileOf: FileOf): TraceEntry[] {
    return trace.map(({ step, state, changed, fault }) => ({
        step:
            step === null
                ? null
                : { process: step.process, label: step.label, location: toDocumentLocation(step.range, fileOf) },
        state,
        changed,
        ...(fault !== undefined && { fault }),
    }));
}

export function toSimulateDocument(
    model: Model,
    seed: number,
    { trace, end }: Extract<Simulation, { kind: 'walk' }>,
    fileOf: FileOf,
): SimulateDocument {
    return {
        schemaVersion: 1,
        model: model.name,
        params: toDocumentParameters(model),
        seed,
        end: end.kind,
        ...(end.kind === 'violated' && { violation: toDocumentFinding(end.finding, model, fileOf) }),
        trace: toDocumentTrace(trace, fileOf),
    };
}

/** Time is measured in milliseconds and reported in seconds, as it is asked for. */
function toDocumentLimit({ report, isInterrupted, seconds }: ExplorationRun): Pick<ExploreDocument, 'limit'> {
    if (isInterrupted === true) {
        return { limit: { kind: 'interrupted', value: seconds } };
    }
    if (report.limit === undefined) {
        return {};
    }
    const { kind, value } = report.limit;
    return { limit: { kind, value: kind === 'time' ? value / 1000 : value } };
}
