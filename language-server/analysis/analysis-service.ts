/**
 * The results for each open document: the last finished analysis, for hovers, lenses and diagnostics, and explorations.
 *
 * An analysis starts when a document is opened or saved, in a worker; nothing in this file computes on a model. The result
 * before stays until the new one is finished. An edit makes a result stale only if it changes the model (built-document.ts).
 */
import {
    type AstNode,
    AstUtils,
    DocumentState,
    Emitter,
    type Event,
    type LangiumDocument,
    URI,
    UriUtils,
} from 'langium';
import type { LangiumSharedServices } from 'langium/lsp';
import { type CancellationToken, CancellationTokenSource, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { OperationCancelled } from '../../engine/common/work-limit.js';
import type { Problem } from '../../engine/common/problem.js';
import { sameData } from '../../engine/common/same-data.js';
import type { Model, Parameter } from '../../engine/model/model.js';
import { toDocumentParameters, toDocumentProblem, toSymmetryDocument } from '../documents.js';
import type { SettingsService } from '../settings.js';
import { REFUTED, formatWork } from '../../engine/describe/words.js';
import { isProblemsDocument, type EverySizeDocument, type ProblemsDocument } from '../document-schema.js';
import {
    type AnalysisStatus,
    type EverySizeParams,
    type EverySizeResult,
    type ExploreParams,
    type ExploreProgress,
    type ExploreResult,
    type GraphParams,
    type GraphResult,
    type KeptRun,
    type KeptRuns,
    type MatchParams,
    type MatchResult,
    type MutateParams,
    type MutateResult,
    type StepsParams,
    type StepsResult,
    type SweepParams,
    type SweepResult,
    type SweepRow,
    type SymmetriesResult,
    type UnfoldParams,
    type UnfoldResult,
} from '../protocol.js';
import { modelsOf } from '../../language/references/imports.js';
import { modelOf } from '../references/imports.js';
import { valuesIn, type LowerQuestion } from './asked-values.js';
import { problemsOf, toBuiltDocument, toProblems, type BuiltDocument } from './built-document.js';
import { latestByName, withoutTraces, type KnownExploration, formatParameters } from './explorations.js';
import { exploreLimits, runExploration } from './exploration.js';
import { toPosted } from '../../language/posting/posted-family.js';
import type { EverySize } from '../family-of-document.js';
import {
    isAnswered,
    isPresent,
    isStale,
    knownModels,
    moreSymmetricThan,
    newRecord,
    statusOf,
    versionOf,
    type DocumentRecord,
    type FinishedAnalysis,
    type RunningAnalysis,
} from './document-record.js';
import { modelKey as keyOfModel } from './model-key.js';
import { findSurvivors, matchLog } from './log-match.js';
import { NarrowQuestions } from './narrow-questions.js';
import { nextEvent } from './next-event.js';
import { sweep, type Explored } from './sweep.js';
import {
    type AnalysisListener,
    type GraphOptions,
    type OnCount,
    StackExceeded,
    type WorkerPool,
} from './worker-pool.js';

/** The findings that a provider may show about a document. */
export interface DocumentFindings {
    readonly analysis: FinishedAnalysis | undefined;
    /** The last one with its explanations: `analysis`, or the one before it. */
    readonly explained: FinishedAnalysis | undefined;
    /** Whether the model was edited since `analysis`. */
    readonly isStale: boolean;
    readonly isRunning: boolean;
    /** Why the last analysis has no result, if the model is not the cause. */
    readonly failure: string | undefined;
    /** The key of the model that the text means; absent while it has errors. */
    readonly modelKey: string | undefined;
    /** Of the text alone, without the values of parameters. */
    readonly sourceKey: string | undefined;
    /** The values of the parameters of the present text: `N = 5`. */
    readonly parameters: string | undefined;
    /** The last results for these values, by `explorationName`; `isStale` as above. */
    readonly explorations: ReadonlyMap<string, KnownExploration>;
    /** All results, the newest first. */
    readonly allExplorations: readonly KnownExploration[];
    /** Verdicts for all values of parameters that are about the present text, the newest first. */
    readonly everySize: readonly EverySizeDocument[];
    /**
     * Whether there is a model to explore: that of the text as it is now or, where an error is just being written, that
     * of the last analysis. So the commands above the code do not come and go with each key.
     */
    readonly isExplorable: boolean;
}

export interface AnalysisServiceOptions {
    readonly shared: LangiumSharedServices;
    readonly pool: WorkerPool;
    readonly settings: SettingsService;
    /** The model of a document without errors. */
    readonly lower: (document: LangiumDocument) => Model | undefined;
    /** The same with other values of parameters, or what is wrong with them. */
    readonly lowerWith: (
        document: LangiumDocument,
        parameters: ReadonlyMap<string, string>,
    ) => { readonly model: Model } | { readonly problems: readonly Problem[] };
    readonly lowerQuestion: LowerQuestion;
    /** The models of a document for all values of some parameters, the others as they are chosen. */
    readonly familyOf: (document: LangiumDocument, names: readonly string[]) => EverySize;
    /** Milliseconds on a monotonic clock. */
    readonly now: () => number;
    /** Receives our defects; they never reach the user as an answer. */
    readonly logError: (message: string) => void;
    /** Receives the cost of each analysis. */
    readonly log: (message: string) => void;
}

/** An analysis without an answer after so many times its budget is cancelled. */
const PATIENCE = 6;
/** The longest time of a timer, nearly a month; a longer one ends at once. */
const MOST_MILLISECONDS = 2 ** 31 - 1;

/** The request names a document that the editor has not opened. */
export class DocumentNotOpen extends Error {
    override readonly name = 'DocumentNotOpen';

    constructor(uri: string) {
        super(`'${uri}' is not open in the editor`);
    }
}

/**
 * The service for all documents of a server. Registers with the document builder, so it is made before the server starts.
 */
export class AnalysisService {
    readonly #options: AnalysisServiceOptions;
    readonly #narrow: NarrowQuestions;
    readonly #records = new Map<string, DocumentRecord>();
    /** The results of earlier sessions for documents that are not open yet. */
    readonly #kept = new Map<string, readonly KeptRun[]>();
    readonly #findingsEmitter = new Emitter<URI>();
    readonly #statusEmitter = new Emitter<AnalysisStatus>();
    readonly #builtEmitter = new Emitter<URI>();
    /** Fires after each change of the findings that is not an edit. */
    readonly onFindings: Event<URI> = this.#findingsEmitter.event;
    readonly onStatus: Event<AnalysisStatus> = this.#statusEmitter.event;

    constructor(options: AnalysisServiceOptions) {
        this.#options = options;
        this.#narrow = new NarrowQuestions(options, ({ uri }) => {
            this.#findingsEmitter.fire(uri);
        });
        options.shared.workspace.DocumentBuilder.onDocumentPhase(DocumentState.Validated, document => {
            this.#documentBuilt(document);
        });
    }

    findings(document: LangiumDocument): DocumentFindings {
        const record = this.#records.get(UriUtils.normalize(document.uri));
        const modelKey = record?.built?.keyed?.key;
        const allExplorations = record?.explorations.all(modelKey) ?? [];
        const model = (record?.built?.keyed ?? record?.finished?.keyed)?.model;
        const parameters = model && formatParameters({ params: toDocumentParameters(model) });
        const ofTheseValues = allExplorations.filter(run => !run.isStale || run.parameters === parameters);
        return {
            analysis: record?.finished,
            explained: record?.explained,
            isStale: record !== undefined && isStale(record),
            isRunning: record?.running !== undefined,
            failure: record?.failure,
            modelKey,
            sourceKey: record?.built?.sourceKey,
            parameters,
            explorations: latestByName(ofTheseValues),
            allExplorations,
            everySize:
                record === undefined
                    ? []
                    : record.everySize.flatMap(kept => (isPresent(kept, record) ? kept.document : [])),
            isExplorable: (record?.built?.keyed ?? record?.finished) !== undefined,
        };
    }

    /** The symmetries from the last finished analysis or, if there is none, from a new one. */
    async symmetries(uri: URI, token: CancellationToken): Promise<SymmetriesResult> {
        const finished = await this.#finishedAnalysis(uri, token);
        if ('problems' in finished) {
            return {
                uri: uri.toString(),
                version: this.#options.shared.workspace.TextDocuments.get(uri)?.version ?? 0,
                document: finished,
            };
        }
        const { keyed, text, outcome, elapsedMilliseconds } = finished;
        const { report, problems } = outcome;
        const record = this.#records.get(UriUtils.normalize(uri));
        const document =
            report === undefined
                ? toProblems(problems.map(problem => toDocumentProblem(problem, uri => uri)))
                : toSymmetryDocument(keyed.model, report, { parse: 0, total: elapsedMilliseconds }, uri => uri);
        const version = record === undefined ? text.version : versionOf(record);
        return { uri: uri.toString(), version, document };
    }

    /** A document as it is now, and its model unless it has errors. Rejects with OperationCancelled. */
    async current(
        uri: URI,
        token: CancellationToken,
    ): Promise<{ readonly document: LangiumDocument; readonly model?: Model }> {
        const { document, keyed } = await this.#currentBuild(uri, token);
        return { document, ...(keyed !== undefined && { model: keyed.model }) };
    }

    /** Rejects with OperationCancelled. `report` is called a few times a second. */
    async explore(
        params: ExploreParams,
        report: (progress: ExploreProgress) => void,
        token: CancellationToken,
    ): Promise<ExploreResult> {
        const uri = URI.parse(params.uri);
        const { keyed, text, document, sourceKey } = await this.#currentBuild(uri, token);
        const { version } = text;
        if (keyed === undefined) {
            return { uri: params.uri, version, document: problemsOf(document) };
        }
        const { settings, now, lowerQuestion } = this.#options;
        const quoted = { uri: uri.toString(), content: text.getText() };
        const asked =
            params.find === undefined
                ? undefined
                : await lowerQuestion(document, keyed.model, { kind: 'run', text: params.find }, token);
        const model = asked?.model;
        if (asked !== undefined && model === undefined) {
            const problems = asked.problems.map(problem => toDocumentProblem(problem, own => own));
            return { uri: params.uri, version, document: toProblems(problems) };
        }
        const request = {
            params: { ...params, ...(asked?.run !== undefined && { property: asked.run }) },
            keyed: model === undefined ? keyed : { ...keyed, key: keyOfModel(model), model },
            modelKey: keyed.key,
            version,
            text: quoted,
            settings: settings.current,
            now,
            report,
            token,
        };
        const start = now();
        const explored = await runExploration(this.#options.pool, request);
        if (isProblemsDocument(explored) || asked !== undefined) {
            return { uri: params.uri, version, document: explored };
        }
        const { runId, reduction, property, startedAt = 0 } = params;
        const kept: KeptRun = {
            runId,
            reduction,
            ...(property !== undefined && { property }),
            parameters: formatParameters(explored),
            modelKey: keyed.key,
            sourceKey,
            finishedAt: startedAt + Math.round(now() - start),
            document: withoutTraces(explored),
        };
        this.#records.get(UriUtils.normalize(uri))?.explorations.add(kept);
        this.#findingsEmitter.fire(uri);
        return { uri: params.uri, version, document: explored, kept };
    }

    /**
     * Rejects with OperationCancelled, and with ContentModified once the text means something else than at the start.
     * `report` is called with each value that was explored.
     */
    async sweep(
        { uri, reduction, runId, range, continueAfterViolation }: SweepParams,
        report: (row: SweepRow) => void,
        token: CancellationToken,
    ): Promise<SweepResult> {
        const { keyed, document, sourceKey } = await this.#currentBuild(URI.parse(uri), token);
        if (keyed === undefined) {
            return { problems: problemsOf(document) };
        }
        const { settings, now, pool, lowerWith } = this.#options;
        const { maximumSeconds } = settings.current;
        const deadline = now() + maximumSeconds * 1000;
        let others: readonly Parameter[] | undefined;
        const swept = await sweep<ProblemsDocument, Explored>(range, {
            explore: async value => {
                // A document is changed in its place by edits.
                const built = await this.#currentBuild(URI.parse(uri), token);
                if (built.sourceKey !== sourceKey) {
                    throw new ResponseError(LSPErrorCodes.ContentModified, 'The text has changed meanwhile.');
                }
                const { version } = built.text;
                const lowered = lowerWith(built.document, new Map([[range.name, String(value)]]));
                if ('problems' in lowered) {
                    return { failure: toProblems(lowered.problems.map(each => toDocumentProblem(each, own => own))) };
                }
                const present = lowered.model.parameters.filter(({ name }) => name !== range.name);
                others ??= present;
                if (!sameData(present, others)) {
                    const message = 'The value of another parameter has changed meanwhile.';
                    throw new ResponseError(LSPErrorCodes.ContentModified, message);
                }
                const explored = await runExploration(pool, {
                    params: { uri, reduction, runId },
                    keyed: { key: keyOfModel(lowered.model), document: uri, model: lowered.model },
                    modelKey: keyOfModel(lowered.model),
                    version,
                    text: { uri, content: built.text.getText() },
                    settings: {
                        ...settings.current,
                        maximumSeconds: Math.max(0.001, (deadline - now()) / 1000),
                        // Orbits that are counted to the first violation would compare with nothing.
                        ...(continueAfterViolation && { continueAfterViolation }),
                    },
                    now,
                    report: () => undefined,
                    token,
                });
                return isProblemsDocument(explored) ? { failure: explored } : { document: explored, end: undefined };
            },
            isTimeOver: () => false,
            onExplored: ({ document: explored }) => report({ runId, sourceKey, document: withoutTraces(explored) }),
            continueAfterViolation,
            timeoutSeconds: maximumSeconds,
        });
        return 'failure' in swept ? { problems: swept.failure } : {};
    }

    /** Whether views may answer for all values of these parameters; undefined until a worker has said so. */
    isNarrow(document: LangiumDocument, names: readonly string[]): boolean | undefined {
        const keyed = this.#records.get(UriUtils.normalize(document.uri))?.built?.keyed;
        return keyed && this.#narrow.isNarrow(document, names, keyed);
    }

    /** Rejects with OperationCancelled. The verdict is about the text as it was at the start. */
    async everySize({ uri, names, property }: EverySizeParams, token: CancellationToken): Promise<EverySizeResult> {
        const parsed = URI.parse(uri);
        const { keyed, text, document, sourceKey } = await this.#currentBuild(parsed, token);
        if (keyed === undefined) {
            return { document: problemsOf(document) };
        }
        const toResult = (problems: readonly Problem[]): EverySizeResult => ({
            document: toProblems(problems.map(problem => toDocumentProblem(problem, own => own))),
        });
        const { pool, settings, familyOf } = this.#options;
        const family = familyOf(document, names);
        if (family.kind !== 'family') {
            return toResult(family.kind === 'refused' ? family.problems : []);
        }
        const posted = toPosted(family.family);
        const quoted = { uri, content: text.getText() };
        const limits = exploreLimits(settings.current);
        const options = { ask: 'verdict', text: quoted, family: posted, property, limits } as const;
        const outcome = await pool.everySize(keyed, options, token);
        const record = this.#records.get(UriUtils.normalize(parsed));
        if (outcome.document === undefined) {
            if (property === undefined && record?.built?.sourceKey === sourceKey) {
                this.#narrow.refuse(document);
                this.#findingsEmitter.fire(parsed);
            }
            return toResult(outcome.problems);
        }
        if (record !== undefined) {
            const kept = { sourceKey, document: outcome.document };
            const others = record.everySize.filter(other => isPresent(other, record) && !isAnswered(other, kept));
            record.everySize = [kept, ...others];
            this.#findingsEmitter.fire(parsed);
        }
        return { document: outcome.document };
    }

    /** Rejects with OperationCancelled. */
    async steps(
        { uri, modelKey, state, towards, along, created, asked }: StepsParams,
        token: CancellationToken,
    ): Promise<StepsResult> {
        const { keyed, document } = await this.#currentBuild(URI.parse(uri), token);
        if (keyed === undefined) {
            return { problem: 'The model has errors.' };
        }
        if (modelKey !== undefined && keyed.key !== modelKey) {
            return {
                problem:
                    'The model has changed, or the value of a parameter: explore it again, or step through it from its start.',
            };
        }
        if (asked !== undefined) {
            return valuesIn(state, asked, { keyed, document }, this.#options, token);
        }
        const options = {
            ...(state !== undefined && { state }),
            ...(towards !== undefined && { towards }),
            ...(created && { created }),
            ...(along !== undefined && { along }),
        };
        return this.#options.pool.steps(keyed, options, token);
    }

    /** Rejects with OperationCancelled. `report` gets the number of lines that are taken, now and then. */
    async match(params: MatchParams, report: (lines: number) => void, token: CancellationToken): Promise<MatchResult> {
        const built = await this.#currentBuild(URI.parse(params.uri), token);
        return matchLog(built, params, this.#options, report, token);
    }

    /** Rejects with OperationCancelled. `report` gets the number of mutants that are judged, now and then. */
    async mutate({ uri }: MutateParams, report: OnCount, token: CancellationToken): Promise<MutateResult> {
        return findSurvivors(await this.#currentBuild(URI.parse(uri), token), this.#options, report, token);
    }

    /** Results of earlier sessions, for a document that is open or opened next. */
    restore({ uri, runs }: KeptRuns): void {
        const parsed = URI.parse(uri);
        const record = this.#records.get(UriUtils.normalize(parsed));
        if (record === undefined) {
            this.#kept.set(UriUtils.normalize(parsed), runs);
        } else {
            record.explorations.restore(runs);
            this.#findingsEmitter.fire(parsed);
        }
    }

    /** Rejects with OperationCancelled. */
    async graph({ uri, reduction, around }: GraphParams, token: CancellationToken): Promise<GraphResult> {
        const { keyed, text, document } = await this.#currentBuild(URI.parse(uri), token);
        const { version } = text;
        if (keyed === undefined) {
            return { uri, version, document: problemsOf(document) };
        }
        const options = { ...this.#graphOptions(text), reduction, around };
        const { problems, document: graph } = await this.#options.pool.graph(keyed, options, token);
        return {
            uri,
            version,
            document: graph ?? toProblems(problems.map(problem => toDocumentProblem(problem, uri => uri))),
        };
    }

    /** Rejects with OperationCancelled. */
    async unfold({ uri, reduction, path }: UnfoldParams, token: CancellationToken): Promise<UnfoldResult> {
        const { keyed, text } = await this.#currentBuild(URI.parse(uri), token);
        return keyed === undefined
            ? { states: [], isAll: true }
            : this.#options.pool.unfold(keyed, { ...this.#graphOptions(text), reduction, path }, token);
    }

    /** Other values of parameters count: the next build of the document is analyzed. */
    parametersChosen(uri: URI): void {
        const record = this.#records.get(UriUtils.normalize(uri));
        if (record !== undefined) {
            record.wanted = true;
        }
    }

    /** Starts an analysis as soon as the document is built. */
    documentOpenedOrSaved(uri: URI): void {
        const key = UriUtils.normalize(uri);
        const record = this.#records.get(key) ?? newRecord(this.#kept.get(key));
        this.#records.set(key, record);
        this.#kept.delete(key);
        const text = this.#options.shared.workspace.TextDocuments.get(uri);
        const { built } = record;
        if (built !== undefined && text !== undefined && this.#isUpToDate(built, text)) {
            this.#startAnalysis(uri, record, built);
        } else {
            record.wanted = true;
        }
    }

    documentClosed(uri: URI): void {
        const key = UriUtils.normalize(uri);
        const record = this.#records.get(key);
        if (record?.running !== undefined) {
            const { cancellation } = record.running;
            // An analysis of a closed document reports nothing, even if the document is opened again.
            record.running = undefined;
            cancellation.cancel();
        }
        this.#records.delete(key);
        // Requests that wait for the document find that it is gone.
        this.#builtEmitter.fire(uri);
        this.#findingsEmitter.fire(uri);
    }

    #documentBuilt(document: LangiumDocument): void {
        const record = this.#records.get(UriUtils.normalize(document.uri));
        // A file that is only imported has no record.
        const built = record && toBuiltDocument(document, this.#options.lower, knownModels(record));
        if (record === undefined || built === undefined) {
            return;
        }
        const before = statusOf(document.uri, record);
        record.built = built;
        record.wasRefused &&= built.keyed === undefined;
        const after = statusOf(document.uri, record);
        if (record.wanted) {
            record.wanted = false;
            this.#startAnalysis(document.uri, record, record.built);
        } else if (after.state !== before.state || (after.state === 'done' && after.version !== before.version)) {
            this.#statusEmitter.fire(after);
        }
        this.#builtEmitter.fire(document.uri);
    }

    #startAnalysis(uri: URI, record: DocumentRecord, built: BuiltDocument): void {
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
            void this.#runAnalysis(uri, record, record.running);
        }
        this.#findingsEmitter.fire(uri);
        this.#statusEmitter.fire(statusOf(uri, record));
    }

    async #runAnalysis(uri: URI, record: DocumentRecord, running: RunningAnalysis): Promise<void> {
        const { keyed, cancellation } = running;
        let start = this.#options.now();
        const budgetMilliseconds = this.#options.settings.current.analysisSeconds * 1000;
        let patience: ReturnType<typeof setTimeout> | undefined;
        const listener: AnalysisListener = {
            // The search keeps to its budget by itself; this limits the rest of the analysis.
            started: () => {
                start = this.#options.now();
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
                    record.finished = {
                        keyed,
                        text: running.text,
                        outcome,
                        elapsedMilliseconds: this.#options.now() - start,
                    };
                    this.#findingsEmitter.fire(uri);
                    this.#statusEmitter.fire(statusOf(uri, record));
                }
            },
        };
        try {
            const text = { uri: uri.toString(), content: running.text.getText() };
            const outcome = await this.#options.pool.analyze(
                keyed,
                { budgetMilliseconds, text },
                listener,
                cancellation.token,
            );
            if (record.running === running) {
                const elapsedMilliseconds = this.#options.now() - start;
                const analysis = { keyed, text: running.text, outcome, elapsedMilliseconds };
                const moreSymmetric = moreSymmetricThan(analysis, record.explained);
                record.finished = record.explained = { ...analysis, ...(moreSymmetric && { moreSymmetric }) };
                if (outcome.report !== undefined) {
                    this.#options.log(`${uri.toString()}: ${formatWork(outcome.report, elapsedMilliseconds)}`);
                }
                if (outcome.report?.refuted === true) {
                    this.#options.logError(`${uri.toString()}: ${REFUTED}`);
                }
            }
        } catch (error) {
            if (error instanceof StackExceeded) {
                record.failure = error.message;
            } else if (!(error instanceof OperationCancelled)) {
                record.failure = 'failed by a defect of Orbit, see the output channel';
                this.#options.logError(`The symmetry analysis of ${uri.toString()} failed: ${messageOf(error)}`);
            }
        } finally {
            clearTimeout(patience);
        }
        // Another one may have taken its place.
        if (record.running === running) {
            record.running = undefined;
            this.#findingsEmitter.fire(uri);
            this.#statusEmitter.fire(statusOf(uri, record));
        }
    }

    /** The document as the editor has it now, once it is built. */
    async #currentBuild(uri: URI, token: CancellationToken): Promise<BuiltDocument> {
        for (;;) {
            const record = this.#records.get(UriUtils.normalize(uri));
            const text = this.#options.shared.workspace.TextDocuments.get(uri);
            if (record === undefined || text === undefined) {
                throw new DocumentNotOpen(uri.toString());
            }
            if (record.built !== undefined && this.#isUpToDate(record.built, text)) {
                return record.built;
            }
            await nextEvent(this.#builtEmitter.event, token);
        }
    }

    #graphOptions(text: TextDocument): Pick<GraphOptions, 'budgetMilliseconds' | 'text'> {
        return {
            budgetMilliseconds: this.#options.settings.current.analysisSeconds * 1000,
            text: { uri: text.uri, content: text.getText() },
        };
    }

    async #finishedAnalysis(uri: URI, token: CancellationToken): Promise<FinishedAnalysis | ProblemsDocument> {
        for (;;) {
            const record = this.#records.get(UriUtils.normalize(uri));
            if (record?.finished !== undefined) {
                return record.finished;
            }
            const built = await this.#currentBuild(uri, token);
            if (built.keyed === undefined || record === undefined) {
                return problemsOf(built.document);
            }
            if (record.failure !== undefined) {
                throw new Error(record.failure);
            }
            if (record.running === undefined) {
                this.#startAnalysis(uri, record, built);
            }
            await nextEvent(this.#findingsEmitter.event, token);
        }
    }

    /**
     * Whether the document and the files that it imports are as the editor has them now: the same text of the same version,
     * so that an answer names the version that the editor knows. While it is built again, its names have no meaning.
     */
    #isUpToDate({ document, text: { version } }: BuiltDocument, text: TextDocument): boolean {
        const { TextDocuments } = this.#options.shared.workspace;
        return (
            document.state === DocumentState.Validated &&
            version === text.version &&
            filesOf(document).every(file => {
                const present = TextDocuments.get(AstUtils.getDocument(file).uri);
                return present === undefined || present.getText() === file.$cstNode?.root.fullText;
            })
        );
    }
}

function messageOf(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}

/** The parsed files of a document. */
function filesOf(document: LangiumDocument): readonly AstNode[] {
    const model = modelOf(document);
    return model === undefined ? [] : modelsOf(model);
}
