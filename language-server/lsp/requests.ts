/** The requests and notifications of ../protocol.ts, and the refresh of code lenses and inlay hints. */
import { DocumentState, URI, UriUtils } from 'langium';
import {
    type CancellationToken,
    CodeLensRefreshRequest,
    type Connection,
    InlayHintRefreshRequest,
    LSPErrorCodes,
    ResponseError,
} from 'vscode-languageserver';
import { OperationCancelled } from '../../engine/common/work-limit.js';
import { DocumentNotOpen } from '../analysis/analysis-service.js';
import { UnknownProperty } from '../analysis/exploration.js';
import { type OnCount, StackExceeded, WorkerFailed } from '../analysis/worker-pool.js';
import {
    ANALYSIS_NOTIFICATION,
    CHOOSE_PARAMETERS_REQUEST,
    EVERY_SIZE_REQUEST,
    EXPLORE_PROGRESS_NOTIFICATION,
    EXPLORE_REQUEST,
    IMPORT_MURPHI_REQUEST,
    GRAPH_REQUEST,
    KEPT_RUNS_NOTIFICATION,
    MAKE_FAIR_REQUEST,
    COUNT_NOTIFICATION,
    MATCH_REQUEST,
    MUTATE_REQUEST,
    QUESTION_REQUEST,
    RESULTS_NOTIFICATION,
    STEPS_REQUEST,
    SYMMETRIES_REQUEST,
    UNFOLD_REQUEST,
    type ChooseParametersParams,
    type EverySizeParams,
    type ExploreParams,
    type GraphParams,
    type ImportMurphiParams,
    type ImportMurphiResult,
    type KeptRuns,
    type MakeFairParams,
    type MatchParams,
    type CountProgress,
    type MutateParams,
    type QuestionParams,
    SWEEP_REQUEST,
    SWEEP_ROW_NOTIFICATION,
    type StepsParams,
    type SweepParams,
    type SymmetriesParams,
    type UnfoldParams,
} from '../protocol.js';
import { toDocumentProblem } from '../documents.js';
import { fairnessEdits } from './diagnostics/make-fair.js';
import { readQuestion } from './read-question.js';
import { resultsOf } from './document-results.js';
import type { OrbitServices, OrbitSharedServices } from './services.js';
import { everySizesOf } from './providers/family-facts.js';
import { chooseParameters, followSettings } from './parameters.js';

/** Call before the server starts. */
export function registerRequests(connection: Connection, services: OrbitServices): void {
    const { shared } = services;
    const { AnalysisService, Parameters, Settings } = shared.analysis;
    const { DocumentBuilder, LangiumDocuments } = shared.workspace;
    let refreshesCodeLenses = false;
    let refreshesInlayHints = false;
    shared.lsp.LanguageServer.onInitialize(({ capabilities }) => {
        refreshesCodeLenses = capabilities.workspace?.codeLens?.refreshSupport === true;
        refreshesInlayHints = capabilities.workspace?.inlayHint?.refreshSupport === true;
    });

    connection.onRequest(EXPLORE_REQUEST, (params: ExploreParams, token: CancellationToken) =>
        answer(() =>
            AnalysisService.explore(
                params,
                progress => void connection.sendNotification(EXPLORE_PROGRESS_NOTIFICATION, progress),
                token,
            ),
        ),
    );
    connection.onRequest(SWEEP_REQUEST, (params: SweepParams, token: CancellationToken) =>
        answer(() =>
            AnalysisService.sweep(params, row => void connection.sendNotification(SWEEP_ROW_NOTIFICATION, row), token),
        ),
    );
    const counting =
        (runId: string): OnCount =>
        (count, all) => {
            const progress: CountProgress = { runId, count, ...(all !== undefined && { all }) };
            void connection.sendNotification(COUNT_NOTIFICATION, progress);
        };
    connection.onRequest(MATCH_REQUEST, (params: MatchParams, token: CancellationToken) =>
        answer(() => AnalysisService.match(params, counting(params.runId), token)),
    );
    connection.onRequest(MUTATE_REQUEST, (params: MutateParams, token: CancellationToken) =>
        answer(() => AnalysisService.mutate(params, counting(params.runId), token)),
    );
    connection.onRequest(EVERY_SIZE_REQUEST, (params: EverySizeParams, token: CancellationToken) =>
        answer(() => AnalysisService.everySize(params, token)),
    );
    connection.onRequest(SYMMETRIES_REQUEST, (params: SymmetriesParams, token: CancellationToken) =>
        answer(() => AnalysisService.symmetries(URI.parse(params.uri), token)),
    );
    connection.onRequest(GRAPH_REQUEST, (params: GraphParams, token: CancellationToken) =>
        answer(() => AnalysisService.graph(params, token)),
    );
    connection.onRequest(UNFOLD_REQUEST, (params: UnfoldParams, token: CancellationToken) =>
        answer(() => AnalysisService.unfold(params, token)),
    );
    connection.onRequest(STEPS_REQUEST, (params: StepsParams, token: CancellationToken) =>
        answer(() => AnalysisService.steps(params, token)),
    );
    connection.onRequest(QUESTION_REQUEST, (params: QuestionParams, token: CancellationToken) =>
        answer(async () => {
            const { document, model } = await AnalysisService.current(URI.parse(params.uri), token);
            return model === undefined
                ? { problem: 'The model has errors.', completions: [] }
                : readQuestion(document, model, params.question, services, token);
        }),
    );
    connection.onRequest(MAKE_FAIR_REQUEST, ({ uri, step }: MakeFairParams) =>
        answer(async () => {
            const built = await DocumentBuilder.waitUntil(DocumentState.Linked, URI.parse(uri));
            const document = built && LangiumDocuments.getDocument(built);
            return document === undefined ? { edits: [] } : fairnessEdits(step, document);
        }),
    );
    connection.onRequest(IMPORT_MURPHI_REQUEST, ({ source, uri }: ImportMurphiParams) =>
        answer(async (): Promise<ImportMurphiResult> => {
            const { importFormatted } = await import('../import-murphi.js');
            const { problems, ...result } = await importFormatted(source, uri, UriUtils.basename(URI.parse(uri)));
            return { ...result, problems: problems.map(problem => toDocumentProblem(problem, file => file)) };
        }),
    );
    connection.onNotification(KEPT_RUNS_NOTIFICATION, (kept: KeptRuns) => {
        Parameters.choose(URI.parse(kept.uri), kept.parameters);
        AnalysisService.restore(kept);
    });
    connection.onRequest(CHOOSE_PARAMETERS_REQUEST, (params: ChooseParametersParams) =>
        answer(() => chooseParameters(params, shared)),
    );
    followSettings(shared);
    sendResults(connection, shared);
    AnalysisService.onStatus(status => void connection.sendNotification(ANALYSIS_NOTIFICATION, status));

    function refresh(request: typeof CodeLensRefreshRequest.type, what: string): void {
        connection.sendRequest(request).catch((error: unknown) => {
            connection.console.error(`The editor did not refresh its ${what}: ${String(error)}`);
        });
    }
    function refreshCodeLenses(): void {
        if (refreshesCodeLenses) {
            refresh(CodeLensRefreshRequest.type, 'code lenses');
        }
    }
    AnalysisService.onFindings(refreshCodeLenses);
    Settings.onChange(refreshCodeLenses);
    Settings.onChange(() => {
        if (refreshesInlayHints) {
            refresh(InlayHintRefreshRequest.type, 'inlay hints');
        }
    });

    /** The answer, or an error that the editor can show; a defect of Orbit also goes to the log. */
    async function answer<T>(compute: () => Promise<T>): Promise<T | ResponseError> {
        try {
            return await compute();
        } catch (error) {
            if (error instanceof OperationCancelled) {
                return new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled');
            }
            if (error instanceof ResponseError) {
                return error;
            }
            if (
                error instanceof DocumentNotOpen ||
                error instanceof UnknownProperty ||
                error instanceof StackExceeded
            ) {
                return new ResponseError(LSPErrorCodes.RequestFailed, error.message);
            }
            const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
            connection.console.error(details);
            const [reason = ''] = error instanceof WorkerFailed ? error.message.split('\n') : [];
            const message = `Orbit failed, by a defect of its own: see the output channel${reason && ` (${reason})`}`;
            return new ResponseError(LSPErrorCodes.RequestFailed, message);
        }
    }
}

/** Sends the answers about open documents after each change of them, or of their places. */
function sendResults(connection: Connection, shared: OrbitSharedServices): void {
    const { DocumentBuilder, LangiumDocuments, TextDocuments } = shared.workspace;
    const { AnalysisService } = shared.analysis;
    /** The message that was sent last, by document. */
    const sent = new Map<string, string>();
    function update(uri: URI): void {
        const document = LangiumDocuments.getDocument(uri);
        const key = uri.toString();
        if (TextDocuments.get(uri) === undefined) {
            sent.delete(key);
        } else if (document?.state === DocumentState.Validated) {
            const services = shared.ServiceRegistry.getServices(uri);
            const sizes = everySizesOf(document, services, AnalysisService);
            const results = resultsOf(document, AnalysisService.findings(document), sizes);
            const { version: _version, ...content } = results;
            const text = JSON.stringify(content);
            if (sent.get(key) !== text) {
                sent.set(key, text);
                void connection.sendNotification(RESULTS_NOTIFICATION, results);
            }
        }
    }
    DocumentBuilder.onDocumentPhase(DocumentState.Validated, document => {
        update(document.uri);
    });
    AnalysisService.onFindings(update);
}
