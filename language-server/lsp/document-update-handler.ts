/**
 * Opening, changing, saving and closing documents, and changes of files on disk. The text of an open document is the
 * editor's; other files are read while an open document imports them, directly or indirectly.
 */
import { AstUtils, Emitter, URI, UriUtils, type LangiumDocument, type WorkspaceLock } from 'langium';
import type { DocumentUpdateHandler } from 'langium/lsp';
import {
    DidChangeWatchedFilesNotification,
    FileChangeType,
    type DidChangeWatchedFilesParams,
    type Disposable,
    type TextDocumentChangeEvent,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { modelsOf } from '../../language/references/imports.js';
import { modelOf } from '../references/imports.js';
import { OrbitDocumentBuilder } from './document-builder.js';
import type { OrbitSharedServices } from './services.js';

export class OrbitDocumentUpdateHandler implements DocumentUpdateHandler {
    private readonly services: OrbitSharedServices;
    private readonly workspaceLock: WorkspaceLock;
    private readonly watchedFiles = new Emitter<DidChangeWatchedFilesParams>();

    constructor(services: OrbitSharedServices) {
        this.services = services;
        this.workspaceLock = services.workspace.WorkspaceLock;
        let watchesFiles = false;
        services.lsp.LanguageServer.onInitialize(({ capabilities }) => {
            watchesFiles = capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
        });
        services.lsp.LanguageServer.onInitialized(() => {
            if (watchesFiles) {
                void services.lsp.Connection?.client.register(DidChangeWatchedFilesNotification.type, {
                    watchers: [{ globPattern: '**/*.orbit' }],
                });
            }
        });
    }

    didOpenDocument({ document }: TextDocumentChangeEvent<TextDocument>): void {
        this.services.analysis.AnalysisService.documentOpenedOrSaved(URI.parse(document.uri));
    }

    /** The meaning of its importers may have changed, too. */
    didSaveDocument({ document }: TextDocumentChangeEvent<TextDocument>): void {
        const { AnalysisService } = this.services.analysis;
        const uri = URI.parse(document.uri);
        AnalysisService.documentOpenedOrSaved(uri);
        for (const importer of this.openImportersOf(uri)) {
            AnalysisService.documentOpenedOrSaved(importer.uri);
        }
    }

    /** Builds documents again whose texts have not changed. */
    rebuild(uris: URI[]): void {
        this.update(uris, []);
    }

    didChangeContent({ document }: TextDocumentChangeEvent<TextDocument>): void {
        this.update([URI.parse(document.uri)], []);
    }

    didCloseDocument({ document }: TextDocumentChangeEvent<TextDocument>): void {
        this.services.analysis.AnalysisService.documentClosed(URI.parse(document.uri));
        this.update([], [URI.parse(document.uri)]);
    }

    didChangeWatchedFiles(params: DidChangeWatchedFilesParams): void {
        this.watchedFiles.fire(params);
        const { DocumentBuilder, TextDocuments } = this.services.workspace;
        const imported = params.changes.filter(
            ({ uri }) =>
                TextDocuments.get(uri) === undefined &&
                DocumentBuilder instanceof OrbitDocumentBuilder &&
                DocumentBuilder.isImported(URI.parse(uri)),
        );
        const urisOf = (isDeleted: boolean): URI[] =>
            imported
                .filter(({ type }) => (type === FileChangeType.Deleted) === isDeleted)
                .map(({ uri }) => URI.parse(uri));
        if (imported.length > 0) {
            this.update(urisOf(false), urisOf(true));
        }
    }

    onWatchedFilesChange(callback: (params: DidChangeWatchedFilesParams) => void): Disposable {
        return this.watchedFiles.event(callback);
    }

    private update(changed: URI[], deleted: URI[]): void {
        const { WorkspaceManager, DocumentBuilder } = this.services.workspace;
        WorkspaceManager.ready
            .then(() => this.workspaceLock.write(token => DocumentBuilder.update(changed, deleted, token)))
            .catch((error: unknown) => {
                this.services.lsp.Connection?.console.error(`A document could not be built: ${String(error)}`);
            });
    }

    /** The open documents that import a file, themselves or through others. */
    private openImportersOf(uri: URI): LangiumDocument[] {
        const { LangiumDocuments, TextDocuments } = this.services.workspace;
        return LangiumDocuments.all
            .filter(document => TextDocuments.get(document.uri) !== undefined && !UriUtils.equals(document.uri, uri))
            .filter(document => {
                const model = modelOf(document);
                const files = model === undefined ? [] : modelsOf(model).map(AstUtils.getDocument);
                return files.some(file => UriUtils.equals(file.uri, uri));
            })
            .toArray();
    }
}
