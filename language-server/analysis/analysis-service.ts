/**
 * What is known about the symmetries and the states of each open document, and the runs that find it out.
 *
 * In: documents as Langium builds them, saves, requests. Out: the last finished analysis of a document, for hovers,
 * lenses and diagnostics. An analysis runs in a worker when a document is opened and when it is saved; until it is
 * finished the one before stays, and after an edit that changes the model it is stale.
 *
 * An edit that leaves the model as it is (built-document.ts) makes nothing stale and lets nothing be analyzed again.
 *
 * Invariant: nothing in this file computes on a model. What takes time happens in the worker pool.
 */
import { AstUtils, DocumentState, Emitter, type Event, type LangiumDocument, URI, UriUtils } from 'langium';
import type { LangiumSharedServices } from 'langium/lsp';
import { type CancellationToken, CancellationTokenSource } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { OperationCancelled } from '../../engine/common/work-limit.js';
import type { Model } from '../../engine/model/model.js';
import { toDocumentProblem, toSymmetryDocument } from '../documents.js';
import type { SettingsService } from '../settings.js';
import { REFUTED, formatSymmetryCount, formatWork } from '../../engine/describe/words.js';
import {
    isProblemsDocument,
    type AnalysisStatus,
    type ExploreDocument,
    type ExploreParams,
    type ExploreProgress,
    type ExploreResult,
    type ProblemsDocument,
    type Reduction,
    type SymmetriesResult,
} from '../protocol.js';
import { modelOf, modelsOf } from '../references/imports.js';
import { problemsOf, toBuiltDocument, toProblems, type BuiltDocument } from './built-document.js';
import { runExploration } from './exploration.js';
import type { AnalysisListener, KeyedModel, WorkerPool } from './worker-pool.js';
import type { AnalysisOutcome } from './worker-protocol.js';

/** What an analysis has found, and the text it belongs to. */
export interface FinishedAnalysis {
    readonly keyed: KeyedModel;
    /** The text as it was, to carry positions over to a later one. `version` is the document's. */
    readonly text: TextDocument;
    readonly outcome: AnalysisOutcome;
    readonly elapsedMilliseconds: number;
}

export interface FinishedExploration {
    /** Of the model that was explored. */
    readonly key: string;
    readonly document: ExploreDocument;
}

/** Under which explorations of one kind replace each other: that of everything, and that of each property alone. */
export function explorationName(reduction: Reduction, property?: string): string {
    return property === undefined ? reduction : `${reduction} ${property}`;
}

/** What a provider may show about a document. */
export interface DocumentFindings {
    readonly analysis: FinishedAnalysis | undefined;
    /** The last one whose explanations are there, too: `analysis`, or the one before it. */
    readonly explained: FinishedAnalysis | undefined;
    /** Whether the model was edited since `analysis`. */
    readonly isStale: boolean;
    readonly isRunning: boolean;
    /** Why the analysis that was wanted last has no result, where that is not the model's fault. */
    readonly failure: string | undefined;
    /** The last results, by `explorationName`; `isStale` likewise. */
    readonly explorations: ReadonlyMap<string, FinishedExploration & { readonly isStale: boolean }>;
    /**
     * Whether there is a model to explore: that of the text as it is now or, where an error is just being written, that
     * of the last analysis. So the commands above the code do not come and go with each key.
     */
    readonly isExplorable: boolean;
}

export interface AnalysisService {
    findings(document: LangiumDocument): DocumentFindings;
    /** Fires after each change of the findings that is not an edit. */
    readonly onFindings: Event<URI>;
    readonly onStatus: Event<AnalysisStatus>;
    /** The symmetries from the last finished analysis or, when there is none, from a new one. */
    symmetries(uri: URI, token: CancellationToken): Promise<SymmetriesResult>;
    /** Throws OperationCancelled. `report` is called a few times a second. */
    explore(
        params: ExploreParams,
        report: (progress: ExploreProgress) => void,
        token: CancellationToken,
    ): Promise<ExploreResult>;
    /** Starts an analysis as soon as the document is built. */
    documentOpenedOrSaved(uri: URI): void;
    documentClosed(uri: URI): void;
}

export interface AnalysisServiceOptions {
    readonly shared: LangiumSharedServices;
    readonly pool: WorkerPool;
    readonly settings: SettingsService;
    /** The model of a document without errors. */
    readonly lower: (document: LangiumDocument) => Model | undefined;
    /** Milliseconds on a monotonic clock. */
    readonly now: () => number;
    /** Told about defects of ours; they never reach the user as an answer. */
    readonly logError: (message: string) => void;
    /** Told what each analysis took. */
    readonly log: (message: string) => void;
}

/** An analysis whose worker has no answer after its budget times this is given up. */
const PATIENCE = 6;
/** The longest time that a timer can measure, nearly a month; beyond it, it would be over at once. */
const MOST_MILLISECONDS = 2 ** 31 - 1;

interface RunningAnalysis {
    readonly keyed: KeyedModel;
    text: TextDocument;
    readonly cancellation: CancellationTokenSource;
}

interface DocumentRecord {
    /** The last build; absent before the first one is complete. */
    built: BuiltDocument | undefined;
    /** An analysis is to start with the next complete build. */
    wanted: boolean;
    running: RunningAnalysis | undefined;
    /** The last one that has found the symmetries, explained or not. */
    finished: FinishedAnalysis | undefined;
    explained: FinishedAnalysis | undefined;
    /** The analysis that was wanted last was not to be: the model has errors. */
    wasRefused: boolean;
    /** It had no result for a reason of ours. */
    failure: string | undefined;
    readonly explorations: Map<string, FinishedExploration>;
}

/** The request names a document that the editor has not opened. */
export class DocumentNotOpen extends Error {
    override readonly name = 'DocumentNotOpen';

    constructor(uri: string) {
        super(`'${uri}' is not open in the editor`);
    }
}

/** The service for all documents of a server. Registers with the document builder; create it before the server starts. */
export function createAnalysisService(options: AnalysisServiceOptions): AnalysisService {
    const { shared, pool, settings, now } = options;
    const records = new Map<string, DocumentRecord>();
    const findingsEmitter = new Emitter<URI>();
    const statusEmitter = new Emitter<AnalysisStatus>();
    const builtEmitter = new Emitter<URI>();

    shared.workspace.DocumentBuilder.onDocumentPhase(DocumentState.Validated, document => {
        documentBuilt(document);
    });

    function documentBuilt(document: LangiumDocument): void {
        const record = records.get(UriUtils.normalize(document.uri));
        // A file that is only imported is no model that anyone has asked about.
        const built = record && toBuiltDocument(document, options.lower);
        if (record === undefined || built === undefined) {
            return;
        }
        const before = statusOf(document.uri, record);
        record.built = built;
        record.wasRefused &&= built.keyed === undefined;
        const after = statusOf(document.uri, record);
        if (record.wanted) {
            record.wanted = false;
            startAnalysis(document.uri, record, record.built);
        } else if (after.state !== before.state || (after.state === 'done' && after.version !== before.version)) {
            statusEmitter.fire(after);
        }
        builtEmitter.fire(document.uri);
    }

    function startAnalysis(uri: URI, record: DocumentRecord, built: BuiltDocument): void {
        const { keyed, text } = built;
        if (keyed !== undefined && record.running?.keyed.key === keyed.key) {
            record.running.text = text;
            return;
        }
        record.running?.cancellation.cancel();
        record.running = undefined;
        record.failure = undefined;
        record.wasRefused = keyed === undefined;
        if (keyed === undefined) {
            // The result before stays.
        } else if (record.explained?.keyed.key === keyed.key) {
            record.finished = record.explained = { ...record.explained, text };
        } else {
            record.running = { keyed, text, cancellation: new CancellationTokenSource() };
            void runAnalysis(uri, record, record.running);
        }
        findingsEmitter.fire(uri);
        statusEmitter.fire(statusOf(uri, record));
    }

    async function runAnalysis(uri: URI, record: DocumentRecord, running: RunningAnalysis): Promise<void> {
        const { keyed, cancellation } = running;
        let start = now();
        const budgetMilliseconds = settings.current.analysisSeconds * 1000;
        let patience: ReturnType<typeof setTimeout> | undefined;
        const listener: AnalysisListener = {
            // The search keeps to its budget by itself; this is for whatever else may take long.
            started: () => {
                start = now();
                patience = setTimeout(
                    () => {
                        record.failure = `no answer after ${(budgetMilliseconds * PATIENCE) / 1000} seconds`;
                        cancellation.cancel();
                    },
                    Math.min(budgetMilliseconds * PATIENCE, MOST_MILLISECONDS),
                );
            },
            found: report => {
                if (record.running === running) {
                    const outcome = { problems: [], report };
                    record.finished = { keyed, text: running.text, outcome, elapsedMilliseconds: now() - start };
                    findingsEmitter.fire(uri);
                    statusEmitter.fire(statusOf(uri, record));
                }
            },
        };
        try {
            const text = { uri: uri.toString(), content: running.text.getText() };
            const outcome = await pool.analyze(keyed, { budgetMilliseconds, text }, listener, cancellation.token);
            if (record.running === running) {
                const elapsedMilliseconds = now() - start;
                record.finished = record.explained = { keyed, text: running.text, outcome, elapsedMilliseconds };
                if (outcome.report !== undefined) {
                    options.log(`${uri.toString()}: ${formatWork(outcome.report, elapsedMilliseconds)}`);
                }
                if (outcome.report?.refuted === true) {
                    options.logError(`${uri.toString()}: ${REFUTED}`);
                }
            }
        } catch (error) {
            if (!(error instanceof OperationCancelled)) {
                record.failure = 'failed by a defect of Orbit, see the output channel';
                options.logError(`The symmetry analysis of ${uri.toString()} failed: ${messageOf(error)}`);
            }
        } finally {
            clearTimeout(patience);
        }
        // Another one may have taken its place.
        if (record.running === running) {
            record.running = undefined;
            findingsEmitter.fire(uri);
            statusEmitter.fire(statusOf(uri, record));
        }
    }

    function isStale(record: DocumentRecord): boolean {
        return record.finished !== undefined && record.finished.keyed.key !== record.built?.keyed?.key;
    }

    /** The version of the text that a result belongs to: the present one where an edit has left the model as it was. */
    function versionOf(record: DocumentRecord): number {
        const { finished, built } = record;
        return (finished !== undefined && isStale(record) ? finished : built)?.text.version ?? 0;
    }

    function statusOf(uri: URI, record: DocumentRecord): AnalysisStatus {
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

    /** The document as the editor has it now, once it is built. */
    async function currentBuild(uri: URI, token: CancellationToken): Promise<BuiltDocument> {
        for (;;) {
            const record = records.get(UriUtils.normalize(uri));
            const text = shared.workspace.TextDocuments.get(uri);
            if (record === undefined || text === undefined) {
                throw new DocumentNotOpen(uri.toString());
            }
            if (record.built !== undefined && isUpToDate(record.built, text) && importsAreUpToDate(record.built)) {
                return record.built;
            }
            await nextEvent(builtEmitter.event, token);
        }
    }

    async function finishedAnalysis(uri: URI, token: CancellationToken): Promise<FinishedAnalysis | ProblemsDocument> {
        for (;;) {
            const record = records.get(UriUtils.normalize(uri));
            if (record?.finished !== undefined) {
                return record.finished;
            }
            const built = await currentBuild(uri, token);
            if (built.keyed === undefined || record === undefined) {
                return problemsOf(built.document);
            }
            if (record.failure !== undefined) {
                throw new Error(record.failure);
            }
            if (record.running === undefined) {
                startAnalysis(uri, record, built);
            }
            await nextEvent(findingsEmitter.event, token);
        }
    }

    /** Whether the files that a document imports are as the editor has them now. */
    function importsAreUpToDate({ document }: BuiltDocument): boolean {
        const model = modelOf(document);
        return (model === undefined ? [] : modelsOf(model)).every(file => {
            const imported = AstUtils.getDocument(file);
            const text = shared.workspace.TextDocuments.get(imported.uri);
            return text === undefined || text.getText() === file.$cstNode?.root.fullText;
        });
    }

    return {
        onFindings: findingsEmitter.event,
        onStatus: statusEmitter.event,

        findings(document) {
            const record = records.get(UriUtils.normalize(document.uri));
            const key = record?.built?.keyed?.key;
            return {
                analysis: record?.finished,
                explained: record?.explained,
                isStale: record !== undefined && isStale(record),
                isRunning: record?.running !== undefined,
                failure: record?.failure,
                explorations: new Map(
                    [...(record?.explorations ?? [])].map(([name, exploration]) => [
                        name,
                        { ...exploration, isStale: exploration.key !== key },
                    ]),
                ),
                isExplorable: (record?.built?.keyed ?? record?.finished) !== undefined,
            };
        },

        async symmetries(uri, token) {
            const finished = await finishedAnalysis(uri, token);
            if ('problems' in finished) {
                return {
                    uri: uri.toString(),
                    version: shared.workspace.TextDocuments.get(uri)?.version ?? 0,
                    document: finished,
                };
            }
            const { keyed, text, outcome, elapsedMilliseconds } = finished;
            const { report, problems } = outcome;
            const record = records.get(UriUtils.normalize(uri));
            const document =
                report === undefined
                    ? toProblems(problems.map(problem => toDocumentProblem(problem, uri => uri)))
                    : toSymmetryDocument(keyed.model, report, { parse: 0, total: elapsedMilliseconds }, uri => uri);
            const version = record === undefined ? text.version : versionOf(record);
            return { uri: uri.toString(), version, document };
        },

        async explore(params, report, token) {
            const uri = URI.parse(params.uri);
            const { keyed, text, document } = await currentBuild(uri, token);
            const { version } = text;
            if (keyed === undefined) {
                return { uri: params.uri, version, document: problemsOf(document) };
            }
            const request = { params, keyed, version, settings: settings.current, now, report, token };
            const explored = await runExploration(pool, request);
            const record = records.get(UriUtils.normalize(uri));
            if (record !== undefined && !isProblemsDocument(explored)) {
                const { reduction, property } = params;
                record.explorations.set(explorationName(reduction, property), { key: keyed.key, document: explored });
                findingsEmitter.fire(uri);
            }
            return { uri: params.uri, version, document: explored };
        },

        documentOpenedOrSaved(uri) {
            const key = UriUtils.normalize(uri);
            const record = records.get(key) ?? newRecord();
            records.set(key, record);
            const text = shared.workspace.TextDocuments.get(uri);
            const { built } = record;
            if (built !== undefined && text !== undefined && isUpToDate(built, text) && importsAreUpToDate(built)) {
                startAnalysis(uri, record, built);
            } else {
                record.wanted = true;
            }
        },

        documentClosed(uri) {
            const key = UriUtils.normalize(uri);
            const record = records.get(key);
            if (record?.running !== undefined) {
                const { cancellation } = record.running;
                // Nothing more is told of an analysis whose document is closed, or open once more with another one.
                record.running = undefined;
                cancellation.cancel();
            }
            records.delete(key);
            // Requests that wait for the document look again, and find that it is gone.
            builtEmitter.fire(uri);
            findingsEmitter.fire(uri);
        },
    };
}

function newRecord(): DocumentRecord {
    return {
        built: undefined,
        wanted: false,
        running: undefined,
        finished: undefined,
        explained: undefined,
        wasRefused: false,
        failure: undefined,
        explorations: new Map(),
    };
}

/** The same text of the same version: what is answered from the build then names the version that the editor knows. */
function isUpToDate(built: BuiltDocument, text: TextDocument): boolean {
    return built.text.version === text.version && built.text.getText() === text.getText();
}

function messageOf(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}

/** Resolves with the next event; rejects with OperationCancelled when `token` comes first. */
function nextEvent(event: Event<unknown>, token: CancellationToken): Promise<void> {
    return new Promise((resolve, reject) => {
        if (token.isCancellationRequested) {
            reject(new OperationCancelled());
            return;
        }
        const subscriptions = [
            event(() => {
                settle();
                resolve();
            }),
            token.onCancellationRequested(() => {
                settle();
                reject(new OperationCancelled());
            }),
        ];
        function settle(): void {
            for (const subscription of subscriptions) {
                subscription.dispose();
            }
        }
    });
}
