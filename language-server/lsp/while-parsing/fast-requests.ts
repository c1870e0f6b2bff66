/** Requests without a Langium service, or answered during a long parse from the present text and the last parse. */
import { DocumentState, URI, type LangiumDocument } from 'langium';
import type { CancellationToken, Connection } from 'vscode-languageserver';
import { unlessCancelled } from '../cancelled.js';
import type { OrbitServices } from '../services.js';
import { selectionRangesAt } from '../providers/selection-ranges.js';

/** Call after the server has started: it replaces some of Langium's handlers. */
export function registerFastRequests(connection: Connection, services: OrbitServices): void {
    const { DocumentBuilder, LangiumDocuments, WorkspaceManager } = services.shared.workspace;

    /** The last parse; of a document that has just been opened, the first. */
    async function lastParse(uri: string, token: CancellationToken): Promise<LangiumDocument | undefined> {
        await WorkspaceManager.ready;
        const parsed = LangiumDocuments.getDocument(URI.parse(uri));
        if (parsed?.parseResult.value.$cstNode !== undefined) {
            return parsed;
        }
        await DocumentBuilder.waitUntil(DocumentState.ComputedScopes, URI.parse(uri), token);
        return LangiumDocuments.getDocument(URI.parse(uri));
    }

    connection.onCompletion((params, token) =>
        unlessCancelled(async () => {
            const document = await lastParse(params.textDocument.uri, token);
            return document && services.lsp.CompletionProvider?.getCompletion(document, params, token);
        }),
    );
    connection.onSignatureHelp((params, token) =>
        unlessCancelled(async () => {
            const document = await lastParse(params.textDocument.uri, token);
            return document && services.lsp.SignatureHelp?.provideSignatureHelp(document, params, token);
        }),
    );
    connection.onSelectionRanges(({ textDocument, positions }, token) =>
        unlessCancelled(async () => {
            const uri = await DocumentBuilder.waitUntil(DocumentState.Parsed, URI.parse(textDocument.uri), token);
            const document = uri && LangiumDocuments.getDocument(uri);
            return document && selectionRangesAt(document, positions);
        }),
    );
}
