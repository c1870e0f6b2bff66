/** The providers without a connection: a test opens documents and answers in place of the worker threads. */
import { type FileSystemProvider, type LangiumDocument, URI } from 'langium';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Position } from 'vscode-languageserver';
import type { SymmetryReport } from '../../engine/describe/report.js';
import type { WorkerThreadListener } from '../../language-server/analysis/worker-pool.js';
import type { WorkerRequest } from '../../language-server/analysis/worker-protocol.js';
import { selectionRangesAt } from '../../language-server/lsp/providers/selection-ranges.js';
import { createLanguageServerServices } from '../../language-server/lsp/lsp-module.js';
import type { OrbitServices } from '../../language-server/lsp/services.js';
import { positionOf } from './language-client.js';

/** A request that a worker thread was sent and has not answered. */
export interface OpenRequest {
    readonly request: WorkerRequest;
    readonly listener: WorkerThreadListener;
}

export class InProcessServer {
    readonly Orbit: OrbitServices;
    /** What the worker threads were asked, oldest first. */
    readonly requests: OpenRequest[] = [];
    readonly log: string[] = [];
    private version = 0;

    /** `fileSystem` is what the disk holds; there is none where it is left out. */
    constructor(fileSystem?: FileSystemProvider) {
        this.Orbit = createLanguageServerServices({
            ...(fileSystem && { fileSystem }),
            startWorkerThread: listener => ({
                post: request => {
                    this.requests.push({ request, listener });
                },
                terminate: () => undefined,
            }),
            now: () => 0,
            logError: message => {
                this.log.push(message);
            },
            log: message => {
                this.log.push(message);
            },
        }).Orbit;
    }

    /** Tells the server what the editor can do: completion may insert snippets. */
    async initialize(): Promise<void> {
        await this.Orbit.shared.lsp.LanguageServer.initialize({
            processId: null,
            rootUri: null,
            capabilities: { textDocument: { completion: { completionItem: { snippetSupport: true } } } },
        });
    }

    get analysis(): OrbitServices['shared']['analysis']['AnalysisService'] {
        return this.Orbit.shared.analysis.AnalysisService;
    }

    /** Makes `text` the text of the document, as an edit does, and builds it. */
    async write(uri: string, text: string): Promise<LangiumDocument> {
        const { TextDocuments, DocumentBuilder, LangiumDocuments } = this.Orbit.shared.workspace;
        TextDocuments.set(TextDocument.create(uri, 'orbit', ++this.version, text));
        await DocumentBuilder.update([URI.parse(uri)], []);
        const document = LangiumDocuments.getDocument(URI.parse(uri));
        if (document === undefined) {
            throw new Error(`${uri} was not built`);
        }
        return document;
    }

    save(uri: string): void {
        this.analysis.documentOpenedOrSaved(URI.parse(uri));
    }

    /** A document that was opened and whose analysis found `report`. */
    async openAnalyzed(uri: string, text: string, report: SymmetryReport): Promise<LangiumDocument> {
        this.save(uri);
        const document = await this.write(uri, text);
        await this.answer({ report });
        return document;
    }

    /** The answer of a worker thread to the last request. */
    async answer(outcome: { readonly report: SymmetryReport }): Promise<void> {
        const { request, listener } = this.lastRequest();
        listener.reply({ kind: 'analyzed', job: request.job, outcome: { problems: [], ...outcome } });
        // The pool and the service each pass the answer on in a promise.
        await new Promise(resolve => setTimeout(resolve, 0));
    }

    /** What the last request has found so far. */
    find(report: SymmetryReport): void {
        const { request, listener } = this.lastRequest();
        listener.reply({ kind: 'found', job: request.job, report });
    }

    private lastRequest(): OpenRequest {
        const last = this.requests.at(-1);
        if (last === undefined) {
            throw new Error('no worker thread was asked anything');
        }
        return last;
    }
}

/** The text without its cursor `‸`, and where that was. */
export function withCursor(marked: string): { readonly text: string; readonly position: Position } {
    return { text: marked.replace('‸', ''), position: positionOf(marked, '‸') };
}

/** All the questions of an editor about a document and a place in it. */
export async function askEverything(
    server: InProcessServer,
    document: LangiumDocument,
    position: Position,
): Promise<void> {
    const { lsp } = server.Orbit;
    const textDocument = { uri: document.uri.toString() };
    const at = { textDocument, position };
    const end = document.textDocument.positionAt(document.textDocument.getText().length);
    const range = { start: { line: 0, character: 0 }, end };
    const options = { tabSize: 4, insertSpaces: true };
    await lsp.CompletionProvider?.getCompletion(document, at);
    await lsp.SignatureHelp?.provideSignatureHelp(document, at);
    await lsp.HoverProvider?.getHoverContent(document, at);
    await lsp.DefinitionProvider?.getDefinition(document, at);
    await lsp.TypeProvider?.getTypeDefinition(document, at);
    await lsp.ReferencesProvider?.findReferences(document, { ...at, context: { includeDeclaration: true } });
    await lsp.DocumentHighlightProvider?.getDocumentHighlight(document, at);
    await lsp.DocumentSymbolProvider?.getSymbols(document, { textDocument });
    await lsp.FoldingRangeProvider?.getFoldingRanges(document, { textDocument });
    await lsp.SemanticTokenProvider?.semanticHighlight(document, { textDocument });
    await lsp.InlayHintProvider?.getInlayHints(document, { textDocument, range });
    await lsp.CodeLensProvider?.provideCodeLens(document, { textDocument });
    await lsp.DocumentLinkProvider?.getDocumentLinks(document, { textDocument });
    await lsp.RenameProvider?.prepareRename(document, at);
    await lsp.Formatter?.formatDocument(document, { textDocument, options });
    await lsp.Formatter?.formatDocumentOnType(document, { ...at, ch: '}', options });
    const diagnostics = document.diagnostics ?? [];
    await lsp.CodeActionProvider?.getCodeActions(document, { textDocument, range, context: { diagnostics } });
    const [item] = (await lsp.CallHierarchyProvider?.prepareCallHierarchy(document, at)) ?? [];
    if (item !== undefined) {
        await lsp.CallHierarchyProvider?.incomingCalls({ item });
        await lsp.CallHierarchyProvider?.outgoingCalls({ item });
    }
    await server.Orbit.shared.lsp.WorkspaceSymbolProvider?.getSymbols({ query: 'a' });
    selectionRangesAt(document, [position]);
}
