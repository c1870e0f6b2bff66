/**
 * What happens when the editor opens, changes, saves or closes a document. Nothing is read from disk: a document is what
 * the editor says it is, and one that is closed is forgotten.
 */
import { type DocumentBuilder, Emitter, URI, type WorkspaceLock } from 'langium';
import type { DocumentUpdateHandler } from 'langium/lsp';
import type { DidChangeWatchedFilesParams, Disposable, TextDocumentChangeEvent } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { OrbitSharedServices } from './lsp-module.js';

export class OrbitDocumentUpdateHandler implements DocumentUpdateHandler {
    private readonly services: OrbitSharedServices;
    private readonly documentBuilder: DocumentBuilder;
    private readonly workspaceLock: WorkspaceLock;
    /** Never fires: files are not watched. */
    private readonly watchedFiles = new Emitter<DidChangeWatchedFilesParams>();

    constructor(services: OrbitSharedServices) {
        this.services = services;
        this.documentBuilder = services.workspace.DocumentBuilder;
        this.workspaceLock = services.workspace.WorkspaceLock;
    }

    didOpenDocument({ document }: TextDocumentChangeEvent<TextDocument>): void {
        this.services.analysis.AnalysisService.documentOpenedOrSaved(URI.parse(document.uri));
    }

    didSaveDocument({ document }: TextDocumentChangeEvent<TextDocument>): void {
        this.services.analysis.AnalysisService.documentOpenedOrSaved(URI.parse(document.uri));
    }

    didChangeContent({ document }: TextDocumentChangeEvent<TextDocument>): void {
        this.update([URI.parse(document.uri)], []);
    }

    didCloseDocument({ document }: TextDocumentChangeEvent<TextDocument>): void {
        this.services.analysis.AnalysisService.documentClosed(URI.parse(document.uri));
        this.update([], [URI.parse(document.uri)]);
    }

    onWatchedFilesChange(callback: (params: DidChangeWatchedFilesParams) => void): Disposable {
        return this.watchedFiles.event(callback);
    }

    private update(changed: URI[], deleted: URI[]): void {
        this.services.workspace.WorkspaceManager.ready
            .then(() => this.workspaceLock.write(token => this.documentBuilder.update(changed, deleted, token)))
            .catch((error: unknown) => {
                this.services.lsp.Connection?.console.error(`A document could not be built: ${String(error)}`);
            });
    }
}
