/**
 * The services of the language server: the core of ../module.ts, Langium's providers, and ours in their place where
 * Orbit has more to say. `analysis` holds what the server knows beyond the text.
 */
import { EmptyFileSystem, inject, type LangiumDocument, type Module } from 'langium';
import {
    createDefaultModule,
    createDefaultSharedModule,
    type LangiumServices,
    type LangiumSharedServices,
    type PartialLangiumServices,
    type PartialLangiumSharedServices,
} from 'langium/lsp';
import type { Connection } from 'vscode-languageserver';
import type { Model } from '../../engine/model/model.js';
import { createAnalysisService, type AnalysisService } from '../analysis/analysis-service.js';
import { createWorkerPool, type StartWorkerThread, type WorkerPool } from '../analysis/worker-pool.js';
import { OrbitGeneratedModule, OrbitGeneratedSharedModule } from '../generated/module.js';
import { lowerModel } from '../lowering/lower-model.js';
import { OrbitModule } from '../module.js';
import { checkDocument } from '../validation/validator.js';
import { OrbitCodeLensProvider } from './code-lens-provider.js';
import { OrbitCompletionProvider } from './completion-provider.js';
import { OrbitDocumentSymbolProvider } from './document-symbol-provider.js';
import { OrbitDocumentUpdateHandler } from './document-update-handler.js';
import { OrbitFoldingRangeProvider } from './folding-range-provider.js';
import { OrbitFormatter } from './formatter.js';
import { OrbitHoverProvider } from './hover-provider.js';
import { OrbitRenameProvider } from './rename-provider.js';
import { createSettingsService, type SettingsService } from './settings.js';

/** What the platform provides. */
export interface ServerContext {
    readonly connection?: Connection;
    readonly startWorkerThread: StartWorkerThread;
    /** Milliseconds on a monotonic clock. */
    readonly now: () => number;
    readonly logError: (message: string) => void;
}

export interface AnalysisServices {
    readonly analysis: {
        readonly Settings: SettingsService;
        readonly WorkerPool: WorkerPool;
        readonly AnalysisService: AnalysisService;
    };
}

export type OrbitSharedServices = LangiumSharedServices & AnalysisServices;
export type OrbitServices = LangiumServices & { readonly shared: OrbitSharedServices };

/** The services of a server that is not started yet. */
export function createLanguageServerServices(context: ServerContext): {
    shared: OrbitSharedServices;
    Orbit: OrbitServices;
} {
    const { connection, startWorkerThread, now, logError } = context;
    const sharedModule: Module<OrbitSharedServices, PartialLangiumSharedServices & AnalysisServices> = {
        lsp: {
            DocumentUpdateHandler: services => new OrbitDocumentUpdateHandler(services),
        },
        analysis: {
            Settings: services => createSettingsService(services),
            WorkerPool: () => createWorkerPool(startWorkerThread),
            AnalysisService: services =>
                createAnalysisService({
                    shared: services,
                    pool: services.analysis.WorkerPool,
                    settings: services.analysis.Settings,
                    lower,
                    now,
                    logError,
                }),
        },
    };
    const shared = inject(
        createDefaultSharedModule({ ...(connection && { connection }), ...EmptyFileSystem }),
        OrbitGeneratedSharedModule,
        sharedModule,
    );
    const Orbit = inject(createDefaultModule({ shared }), OrbitGeneratedModule, OrbitModule, OrbitProviderModule);
    shared.ServiceRegistry.register(Orbit);
    return { shared, Orbit };
}

const OrbitProviderModule: Module<OrbitServices, PartialLangiumServices> = {
    lsp: {
        CodeLensProvider: services => new OrbitCodeLensProvider(services),
        CompletionProvider: services => new OrbitCompletionProvider(services),
        DocumentSymbolProvider: services => new OrbitDocumentSymbolProvider(services),
        FoldingRangeProvider: () => new OrbitFoldingRangeProvider(),
        Formatter: () => new OrbitFormatter(),
        HoverProvider: services => new OrbitHoverProvider(services),
        RenameProvider: services => new OrbitRenameProvider(services),
    },
};

/** The model of a document without errors. */
function lower(document: LangiumDocument): Model | undefined {
    const { checked } = checkDocument(document);
    return checked && lowerModel(document, checked);
}
