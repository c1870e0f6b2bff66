/** What is known of an open document: its last build, analyses, explorations, and verdicts for every value. */
import type { CancellationTokenSource } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { URI } from 'langium';
import { sameData } from '../../engine/common/same-data.js';
import type { SymmetryReport } from '../../engine/describe/report.js';
import { formatSymmetryCount, formatSymmetryInWords } from '../../engine/describe/words.js';
import type { EverySizeDocument } from '../document-schema.js';
import { toDocumentParameters } from '../documents.js';
import type { AnalysisStatus, KeptRun } from '../protocol.js';
import type { BuiltDocument } from './built-document.js';
import { Explorations, formatParameters } from './explorations.js';
import type { KeyedModel } from './worker-pool.js';
import type { AnalysisOutcome } from './worker-protocol.js';

/** The result of an analysis, and the text it belongs to. */
export interface FinishedAnalysis {
    readonly keyed: KeyedModel;
    /** The text as it was, to carry positions over to a later one. `version` is the document's. */
    readonly text: TextDocument;
    readonly outcome: AnalysisOutcome;
    /** That of the last text that had more symmetry, with the same values of the parameters. */
    readonly moreSymmetric?: FinishedAnalysis;
    readonly elapsedMilliseconds: number;
}

export interface RunningAnalysis {
    readonly keyed: KeyedModel;
    text: TextDocument;
    readonly cancellation: CancellationTokenSource;
}

export interface DocumentRecord {
    /** The last build; absent before the first one is complete. */
    built: BuiltDocument | undefined;
    /** An analysis starts with the next complete build. */
    wanted: boolean;
    running: RunningAnalysis | undefined;
    /** The last one that found the symmetries, explained or not. */
    finished: FinishedAnalysis | undefined;
    explained: FinishedAnalysis | undefined;
    /** The last analysis did not start, since the model has errors. */
    wasRefused: boolean;
    /** Why it had no result, if the model is not the cause. */
    failure: string | undefined;
    readonly explorations: Explorations;
    /** The last verdicts for all values of parameters, the newest first. */
    everySize: readonly KeptEverySize[];
}

/** A verdict for all values of parameters, and the text that it is about. */
export interface KeptEverySize {
    readonly sourceKey: string | undefined;
    readonly document: EverySizeDocument;
}

/** The models that the results of a document belong to. */
export function knownModels({ built, running, finished, explained }: DocumentRecord): readonly KeyedModel[] {
    const results = [built, running, finished, explained];
    return results.flatMap(result => result?.keyed ?? []);
}

export function isStale(record: DocumentRecord): boolean {
    return record.finished !== undefined && record.finished.keyed.key !== record.built?.keyed?.key;
}

/** The version of the text that a result belongs to: the present one if the model is still the same. */
export function versionOf(record: DocumentRecord): number {
    const { finished, built } = record;
    return (finished !== undefined && isStale(record) ? finished : built)?.text.version ?? 0;
}

export function statusOf(uri: URI, record: DocumentRecord): AnalysisStatus {
    const { running, finished, failure, wasRefused } = record;
    const report = finished?.outcome.report;
    const status = (state: AnalysisStatus['state'], summary: string): AnalysisStatus => ({
        uri: uri.toString(),
        version: running?.text.version ?? versionOf(record),
        state,
        ...(report && {
            order: report.order,
            structure: report.structure,
            complete: report.complete,
            words: formatSymmetryInWords(report),
            expectedSeconds: expectedSeconds(record, report),
        }),
        summary,
    });
    if (running !== undefined) {
        const isFound = finished?.keyed.key === running.keyed.key;
        return status('running', isFound ? 'explaining the symmetries' : 'searching for symmetries');
    }
    if (failure !== undefined) {
        return status('failed', failure);
    }
    if (wasRefused || (finished !== undefined && report === undefined)) {
        return status('failed', 'the model has errors');
    }
    return status(isStale(record) ? 'stale' : 'done', report === undefined ? '' : formatSymmetryCount(report));
}

/** The analysis before, or what was more symmetric than that. */
export function moreSymmetricThan(
    { keyed, outcome }: FinishedAnalysis,
    before: FinishedAnalysis | undefined,
): FinishedAnalysis | undefined {
    const parametersOf = ({ model }: KeyedModel): unknown => toDocumentParameters(model);
    const orderOf = ({ report }: AnalysisOutcome): bigint => BigInt(report?.order ?? 0);
    return [before, before?.moreSymmetric].find(
        other =>
            other !== undefined &&
            orderOf(other.outcome) > orderOf(outcome) &&
            sameData(parametersOf(other.keyed), parametersOf(keyed)),
    );
}

/** A search expands more states in a second. */
const STATES_PER_SECOND = 100_000;

/** By the last exploration of everything with the present values of the parameters, else by the states there could be. */
function expectedSeconds({ explorations, finished }: DocumentRecord, report: SymmetryReport): number {
    const parameters = finished && formatParameters({ params: toDocumentParameters(finished.keyed.model) });
    const last = explorations
        .all(undefined)
        .find(run => run.property === undefined && run.reduction === 'unique' && run.parameters === parameters);
    const { potentialOrbits, potentialStates, templates } = report;
    const states = templates === undefined ? Number(potentialOrbits ?? potentialStates) : Infinity;
    return Math.min(last?.document.seconds ?? Infinity, states / STATES_PER_SECOND);
}

export function newRecord(kept: readonly KeptRun[] = []): DocumentRecord {
    const explorations = new Explorations();
    explorations.restore(kept);
    return {
        built: undefined,
        wanted: false,
        running: undefined,
        finished: undefined,
        explained: undefined,
        wasRefused: false,
        failure: undefined,
        explorations,
        everySize: [],
    };
}

/** Whether a verdict is about the present text and the present values of the other parameters. */
export function isPresent(
    { sourceKey, document: { params, forAll } }: KeptEverySize,
    { built }: DocumentRecord,
): boolean {
    const present = built?.keyed && toDocumentParameters(built.keyed.model);
    return (
        present !== undefined &&
        sourceKey === built?.sourceKey &&
        Object.entries(params).every(([name, value]) => forAll.includes(name) || sameData(value, present[name]))
    );
}

/** Whether a later verdict says all that an earlier one does. */
export function isAnswered(earlier: KeptEverySize, later: KeptEverySize): boolean {
    return (
        earlier.document.forAll.join() === later.document.forAll.join() &&
        earlier.document.invariants.every(name => later.document.invariants.includes(name))
    );
}
