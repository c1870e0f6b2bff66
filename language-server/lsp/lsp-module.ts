/** The services of the language server: ../module.ts, providers; `analysis`: results of analyses and settings. */
import { EmptyFileSystem, inject, type FileSystemProvider, type LangiumDocument, type Module } from 'langium';
import {
    createDefaultModule,
    createDefaultSharedModule,
    DefaultLanguageServer,
    type LangiumSharedServices,
    type PartialLangiumServices,
    type PartialLangiumSharedServices,
} from 'langium/lsp';
import type { Connection, InitializeParams, InitializeResult } from 'vscode-languageserver';
import type { Problem } from '../../engine/common/problem.js';
import type { Model } from '../../engine/model/model.js';
import { AnalysisService } from '../analysis/analysis-service.js';
import { ParameterChoices } from '../analysis/parameter-choices.js';
import { type StartWorkerThread, WorkerPool } from '../analysis/worker-pool.js';
import { OrbitGeneratedModule, OrbitGeneratedSharedModule } from '../generated/module.js';
import { lowerModel } from '../../language/lowering/lower-model.js';
import { OrbitModule } from '../module.js';
import { type NestingLimits, OrbitLexer } from '../parsing/lexer.js';
import { ALL, familyOf, type EverySize } from '../family-of-document.js';
import { OrbitDocumentValidator, checkDocument } from '../validation/validator.js';
import { OrbitCallHierarchyProvider } from './providers/call-hierarchy-provider.js';
import { OrbitCodeActionProvider } from './diagnostics/code-action-provider.js';
import { OrbitCodeLensProvider } from './providers/code-lens-provider.js';
import { OrbitCompletionProvider } from './providers/completion-provider.js';
import { OrbitDocumentHighlightProvider } from './providers/document-highlight-provider.js';
import { OrbitDocumentBuilder, OrbitDocuments, OrbitWorkspaceManager } from './document-builder.js';
import { OrbitDocumentSymbolProvider } from './providers/document-symbol-provider.js';
import { lowerQuestion } from './read-question.js';
import { OrbitDocumentUpdateHandler } from './document-update-handler.js';
import { OrbitFoldingRangeProvider } from './providers/folding-range-provider.js';
import { OrbitFormatter } from './providers/formatter.js';
import { OrbitHoverProvider } from './providers/hover-provider.js';
import { OrbitDefinitionProvider, OrbitDocumentLinkProvider } from './providers/import-links.js';
import { OrbitInlayHintProvider } from './providers/inlay-hint-provider.js';
import { OrbitRenameProvider } from './providers/rename-provider.js';
import { OrbitSemanticTokenProvider } from './providers/semantic-token-provider.js';
import { createSettingsService } from '../settings.js';
import type { AnalysisServices, OrbitServices, OrbitSharedServices } from './services.js';
import { OrbitSignatureHelpProvider } from './providers/signature-help-provider.js';
import { SlicedParser } from './while-parsing/sliced-parser.js';
import { OrbitTypeDefinitionProvider } from './providers/type-definition-provider.js';
import { OrbitWorkspaceSymbolProvider } from './providers/workspace-symbol-provider.js';

/** The services that the platform provides. */
export interface ServerContext {
    readonly connection?: Connection;
    /** Reads imported files that are not open; absent if there are none. */
    readonly fileSystem?: FileSystemProvider;
    readonly startWorkerThread: StartWorkerThread;
    /** Those of Node if absent. */
    readonly nesting?: NestingLimits;
    /** Milliseconds on a monotonic clock. */
    readonly now: () => number;
    readonly logError: (message: string) => void;
    readonly log: (message: string) => void;
}

/** The services of a server that is not started yet. */
export function createLanguageServerServices(context: ServerContext): {
    shared: OrbitSharedServices;
    Orbit: OrbitServices;
} {
    const { connection, fileSystem, startWorkerThread, nesting, now, logError, log } = context;
    const sharedModule: Module<OrbitSharedServices, PartialLangiumSharedServices & AnalysisServices> = {
        lsp: {
            DocumentUpdateHandler: services => new OrbitDocumentUpdateHandler(services),
            LanguageServer: services => new OrbitLanguageServer(services),
            WorkspaceSymbolProvider: services => new OrbitWorkspaceSymbolProvider(services),
        },
        workspace: {
            DocumentBuilder: services => new OrbitDocumentBuilder(services),
            LangiumDocuments: services => new OrbitDocuments(services),
            WorkspaceManager: services => new OrbitWorkspaceManager(services),
        },
        analysis: {
            Settings: services => createSettingsService(services),
            Parameters: services => new ParameterChoices(services.analysis.Settings),
            WorkerPool: () => new WorkerPool(startWorkerThread),
            AnalysisService: services =>
                new AnalysisService({
                    shared: services,
                    pool: services.analysis.WorkerPool,
                    settings: services.analysis.Settings,
                    lower: document => lower(document, services),
                    lowerWith: (document, parameters) => lowerWith(document, parameters, services),
                    lowerQuestion: (document, model, question, token) =>
                        lowerQuestion(document, model, question, services, token),
                    familyOf: (document, names) => familyWith(document, names, services),
                    now,
                    logError,
                    log,
                }),
        },
    };
    const shared = inject(
        createDefaultSharedModule({
            ...(connection && { connection }),
            ...(fileSystem === undefined ? EmptyFileSystem : { fileSystemProvider: () => fileSystem }),
        }),
        OrbitGeneratedSharedModule,
        sharedModule,
    );
    const platformModule: Module<OrbitServices, PartialLangiumServices> = {
        parser: { Lexer: services => new OrbitLexer(services, nesting) },
    };
    const Orbit = inject(
        createDefaultModule({ shared }),
        OrbitGeneratedModule,
        OrbitModule,
        OrbitProviderModule,
        platformModule,
    );
    shared.ServiceRegistry.register(Orbit);
    return { shared, Orbit };
}

const OrbitProviderModule: Module<OrbitServices, PartialLangiumServices> = {
    parser: {
        AsyncParser: services => new SlicedParser(services),
    },
    lsp: {
        CallHierarchyProvider: services => new OrbitCallHierarchyProvider(services),
        CodeActionProvider: () => new OrbitCodeActionProvider(),
        CodeLensProvider: services => new OrbitCodeLensProvider(services),
        CompletionProvider: services => new OrbitCompletionProvider(services),
        DefinitionProvider: services => new OrbitDefinitionProvider(services),
        DocumentHighlightProvider: services => new OrbitDocumentHighlightProvider(services),
        DocumentLinkProvider: () => new OrbitDocumentLinkProvider(),
        DocumentSymbolProvider: services => new OrbitDocumentSymbolProvider(services),
        FoldingRangeProvider: () => new OrbitFoldingRangeProvider(),
        Formatter: () => new OrbitFormatter(),
        HoverProvider: services => new OrbitHoverProvider(services),
        InlayHintProvider: services => new OrbitInlayHintProvider(services),
        RenameProvider: services => new OrbitRenameProvider(services),
        SemanticTokenProvider: services => new OrbitSemanticTokenProvider(services),
        SignatureHelp: services => new OrbitSignatureHelpProvider(services),
        TypeProvider: services => new OrbitTypeDefinitionProvider(services),
    },
    validation: {
        DocumentValidator: services =>
            new OrbitDocumentValidator(services, ({ uri }) => services.shared.analysis.Parameters.valuesOf(uri)),
    },
};

/** The server's capabilities: those of Langium, and the requests without a Langium service. */
class OrbitLanguageServer extends DefaultLanguageServer {
    protected override buildInitializeResult(params: InitializeParams): InitializeResult {
        const { capabilities, ...rest } = super.buildInitializeResult(params);
        return {
            ...rest,
            capabilities: {
                ...capabilities,
                selectionRangeProvider: true,
                // An error in an imported file is one of its importers.
                diagnosticProvider: { identifier: 'orbit', interFileDependencies: true, workspaceDiagnostics: false },
                codeActionProvider: { codeActionKinds: ['quickfix'] },
            },
        };
    }
}

/** The model of a document without errors, with other values of parameters than those that count. */
function lowerWith(
    document: LangiumDocument,
    parameters: ReadonlyMap<string, string>,
    { ServiceRegistry }: LangiumSharedServices,
): { readonly model: Model } | { readonly problems: readonly Problem[] } {
    const validator = ServiceRegistry.getServices(document.uri).validation.DocumentValidator;
    const result = validator instanceof OrbitDocumentValidator ? validator.resultWith(document, parameters) : undefined;
    const { checked, problems } = result ?? checkDocument(document);
    return checked === undefined ? { problems } : { model: lowerModel(checked) };
}

/** The models of a document for all values of some parameters. */
function familyWith(document: LangiumDocument, names: readonly string[], services: OrbitSharedServices): EverySize {
    const all = names.map(name => [name, ALL] as const);
    const parameters = new Map([...services.analysis.Parameters.valuesOf(document.uri), ...all]);
    const { parser } = services.ServiceRegistry.getServices(document.uri);
    return familyOf(document, parameters, parser.LangiumParser);
}

/** The model of a document without errors, which validation has just checked. */
function lower(document: LangiumDocument, { ServiceRegistry }: LangiumSharedServices): Model | undefined {
    const validator = ServiceRegistry.getServices(document.uri).validation.DocumentValidator;
    const last = validator instanceof OrbitDocumentValidator ? validator.lastResult(document) : undefined;
    const { checked } = last ?? checkDocument(document);
    return checked && lowerModel(checked);
}
