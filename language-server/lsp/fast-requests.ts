/**
 * Requests that Langium has no service for, and those that are answered while a text is being parsed anew: what is asked
 * for between two keys must not wait for it. They see the text as it is now and the last parse.
 */
import { DocumentState, UriUtils, type LangiumDocument } from 'langium';
import type { CancellationToken, Connection } from 'vscode-languageserver';
import type { OrbitServices } from './lsp-module.js';
import { selectionRangesAt } from './selection-ranges.js';

/** Call after the server has started: it replaces some of Langium's handlers. */
export function registerFastRequests(connection: Connection, services: OrbitServices): void {
    const { DocumentBuilder, LangiumDocuments, WorkspaceManager } = services.shared.workspace;

    /** The last parse; of a document that has just been opened, the first. */
    async function lastParse(uri: string, token: CancellationToken): Promise<LangiumDocument | undefined> {
        await WorkspaceManager.ready;
        const document = LangiumDocuments.all.find(each => UriUtils.equals(each.uri, uri));
        if (document !== undefined && document.parseResult.value.$cstNode === undefined) {
            await DocumentBuilder.waitUntil(DocumentState.ComputedScopes, document.uri, token);
        }
        return document;
    }

    connection.onCompletion(async (params, token) => {
        const document = await lastParse(params.textDocument.uri, token);
        return document && services.lsp.CompletionProvider?.getCompletion(document, params, token);
    });
    connection.onSignatureHelp(async (params, token) => {
        const document = await lastParse(params.textDocument.uri, token);
        return document && services.lsp.SignatureHelp?.provideSignatureHelp(document, params, token);
    });
    connection.onSelectionRanges(async ({ textDocument, positions }, token) => {
        const document = LangiumDocuments.all.find(each => UriUtils.equals(each.uri, textDocument.uri));
        if (document === undefined) {
            return undefined;
        }
        await DocumentBuilder.waitUntil(DocumentState.Parsed, document.uri, token);
        return selectionRangesAt(document, positions);
    });
}
