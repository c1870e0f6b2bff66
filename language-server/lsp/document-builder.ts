/**
 * Builds documents with their imports: open documents, or files beside the document, which are read while an open
 * document imports them. A long text is parsed after a pause in typing, because parsing blocks the thread.
 */
import {
    AstUtils,
    DefaultDocumentBuilder,
    DefaultLangiumDocuments,
    DefaultWorkspaceManager,
    DocumentState,
    UriUtils,
    interruptAndCheck,
    type BuildOptions,
    type FileSystemProvider,
    type LangiumDocument,
    type LangiumDocuments,
    type URI,
} from 'langium';
import type { LangiumSharedServices } from 'langium/lsp';
import { CancellationToken, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { decodeUtf8 } from '../parsing/utf-8.js';
import { modelsOf } from '../../language/references/imports.js';
import { importTargetOf, importsOf, modelOf, resolveImport, setImportTarget } from '../references/imports.js';
import type { ImportTarget } from '../references/imports.js';
import { SHORT_TEXT_CHARACTERS } from './while-parsing/sliced-parser.js';
import { forgetFacts } from './providers/static-facts.js';

/** The pause in typing after which a long text is parsed. */
const PAUSE_MILLISECONDS = 300;

export class OrbitDocumentBuilder extends DefaultDocumentBuilder {
    private readonly services: LangiumSharedServices;
    private readonly documents: LangiumDocuments;
    private readonly files: FileSystemProvider;

    constructor(services: LangiumSharedServices) {
        super(services);
        this.services = services;
        this.documents = services.workspace.LangiumDocuments;
        this.files = services.workspace.FileSystemProvider;
        this.onUpdate(() => {
            forgetFacts();
        });
    }

    /** The meaning of a file depends on its imports, even without a reference to them, and on no other file. */
    protected override shouldRelink(document: LangiumDocument, changedUris: Set<string>): boolean {
        return this.importedUris(document).some(uri => changedUris.has(uri.toString()));
    }

    /** An open document counts in its present text. Fails for a document that is neither open nor imported. */
    protected override async awaitDocumentState(
        state: DocumentState,
        uri: URI,
        cancelToken: CancellationToken,
    ): Promise<URI> {
        while (!this.isUpToDate(uri, state)) {
            // Nothing is awaited before it listens, or the build could end unheard.
            await this.nextPhase(uri, state, cancelToken);
            await interruptAndCheck(cancelToken);
        }
        if (this.documents.getDocument(uri) === undefined) {
            throw notOpen(uri);
        }
        return uri;
    }

    /** A document that is not open counts as up to date. */
    private isUpToDate(uri: URI, state: DocumentState): boolean {
        const text = this.services.workspace.TextDocuments.get(uri)?.getText();
        const document = this.documents.getDocument(uri);
        if (text === undefined) {
            return true;
        }
        return (
            document !== undefined &&
            document.state >= state &&
            document.parseResult.value.$cstNode?.root.fullText === text
        );
    }

    /** Resolves when the document reaches the state or is closed, or when the request is taken back. */
    private nextPhase(uri: URI, state: DocumentState, cancelToken: CancellationToken): Promise<void> {
        return new Promise(resolve => {
            const subscriptions = [
                this.onDocumentPhase(state, document => {
                    if (UriUtils.equals(document.uri, uri)) {
                        done();
                    }
                }),
                this.onUpdate((_, deleted) => {
                    if (deleted.some(other => UriUtils.equals(other, uri))) {
                        done();
                    }
                }),
                cancelToken.onCancellationRequested(done),
            ];
            function done(): void {
                subscriptions.forEach(subscription => subscription.dispose());
                resolve();
            }
        });
    }

    protected override async buildDocuments(
        documents: LangiumDocument[],
        options: BuildOptions,
        cancelToken: CancellationToken,
    ): Promise<void> {
        await this.pauseForAuthor(documents, cancelToken);
        await this.runCancelable(documents, DocumentState.Parsed, cancelToken, document =>
            this.langiumDocumentFactory.update(document, cancelToken),
        );
        const imported = await this.loadImports(documents, cancelToken);
        await super.buildDocuments([...imported, ...documents], options, cancelToken);
        await this.forgetUnused();
    }

    /** A document keeps the state that it has reached when the build is taken back, so listeners are told all the same. */
    protected override notifyDocumentPhase(document: LangiumDocument, state: DocumentState): Promise<void> {
        return super.notifyDocumentPhase(document, state, CancellationToken.None);
    }

    private async pauseForAuthor(documents: readonly LangiumDocument[], cancelToken: CancellationToken): Promise<void> {
        const { TextDocuments } = this.services.workspace;
        const isLong = documents.some(
            ({ state, uri, parseResult }) =>
                state < DocumentState.Parsed &&
                // A text that was never parsed is parsed at once.
                parseResult.value.$cstNode !== undefined &&
                (TextDocuments.get(uri)?.getText().length ?? 0) > SHORT_TEXT_CHARACTERS,
        );
        if (isLong) {
            await new Promise<void>(resolve => {
                const timer = setTimeout(resolve, PAUSE_MILLISECONDS);
                cancelToken.onCancellationRequested(() => {
                    clearTimeout(timer);
                    resolve();
                });
            });
            await interruptAndCheck(cancelToken);
        }
    }

    /** Loads the imports and returns the documents that are new. */
    private async loadImports(
        documents: readonly LangiumDocument[],
        cancelToken: CancellationToken,
    ): Promise<LangiumDocument[]> {
        const loaded: LangiumDocument[] = [];
        const pending = [...documents];
        // The list grows during the loop.
        for (const document of pending) {
            for (const node of importsOf(document)) {
                await interruptAndCheck(cancelToken);
                const resolved = resolveImport(document.uri, node.path);
                const before = 'uri' in resolved && this.documents.getDocument(resolved.uri) !== undefined;
                const target: ImportTarget =
                    'reason' in resolved
                        ? { kind: 'missing', reason: resolved.reason }
                        : await this.load(resolved.uri, document.uri);
                setImportTarget(node, target);
                if (target.kind === 'document' && !before) {
                    loaded.push(target.document);
                    pending.push(target.document);
                }
            }
        }
        return loaded;
    }

    private async load(uri: URI, importing: URI): Promise<ImportTarget> {
        const known = this.documents.getDocument(uri);
        if (known !== undefined) {
            return { kind: 'document', document: known };
        }
        if (!this.mayRead(uri, importing)) {
            return { kind: 'missing', reason: 'it is outside of the folder that is open' };
        }
        let bytes: Uint8Array;
        try {
            bytes = await this.files.readBinary(uri);
        } catch {
            // Any failure to read the file is reported at the import.
            return { kind: 'missing', reason: 'there is no such file, or it cannot be read' };
        }
        const decoded = decodeUtf8(bytes, uri.toString());
        if (decoded.text === undefined) {
            return { kind: 'missing', reason: decoded.problem.message };
        }
        const document = this.langiumDocumentFactory.fromString(decoded.text, uri);
        this.documents.addDocument(document);
        return { kind: 'document', document };
    }

    /** A file in the folder of its importer or below it, or in a folder that the editor has open. */
    private mayRead(uri: URI, importing: URI): boolean {
        const folders = (this.services.workspace.WorkspaceManager.workspaceFolders ?? []).map(folder => folder.uri);
        return [UriUtils.dirname(importing).toString(), ...folders].some(folder =>
            uri.toString().startsWith(folder.endsWith('/') ? folder : `${folder}/`),
        );
    }

    /** The files that a document imports, directly or not, and those that it would import if they were there. */
    private importedUris(document: LangiumDocument): URI[] {
        const model = modelOf(document);
        return (model === undefined ? [] : modelsOf(model)).flatMap(file => {
            const own = AstUtils.getDocument(file);
            return importsOf(own).flatMap(node => {
                const resolved = resolveImport(own.uri, node.path);
                return importTargetOf(node) === undefined || 'reason' in resolved ? [] : [resolved.uri];
            });
        });
    }

    /** Whether an open document imports the file, or would if it were there. */
    isImported(uri: URI): boolean {
        return this.openDocuments().some(document =>
            this.importedUris(document).some(imported => UriUtils.equals(imported, uri)),
        );
    }

    private async forgetUnused(): Promise<void> {
        const used = new Set<string>(
            this.openDocuments().flatMap(document => [document.uri, ...this.importedUris(document)].map(String)),
        );
        const unused = this.documents.all
            .map(({ uri }) => uri)
            .filter(uri => !used.has(uri.toString()))
            .toArray();
        for (const uri of unused) {
            for (const document of this.documents.deleteDocuments(uri)) {
                this.cleanUpDeleted(document);
            }
        }
        if (unused.length > 0) {
            await this.emitUpdate([], unused);
        }
    }

    private openDocuments(): LangiumDocument[] {
        const { TextDocuments } = this.services.workspace;
        return this.documents.all.filter(({ uri }) => TextDocuments.get(uri) !== undefined).toArray();
    }
}

/** Reads no folder, because only imported files matter. */
export class OrbitWorkspaceManager extends DefaultWorkspaceManager {
    protected override traverseFolder(): Promise<void> {
        return Promise.resolve();
    }
}

/** The open documents and their imports: a request about another one reads no file. */
export class OrbitDocuments extends DefaultLangiumDocuments {
    override getOrCreateDocument(uri: URI): Promise<LangiumDocument> {
        const document = this.getDocument(uri);
        return document === undefined ? Promise.reject(notOpen(uri)) : Promise.resolve(document);
    }
}

function notOpen(uri: URI): ResponseError {
    return new ResponseError(LSPErrorCodes.ContentModified, `'${uri.toString()}' is not open`);
}
