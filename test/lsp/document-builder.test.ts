/** Who waits for a document gets it as it is now, or is told that there is none. */
import { DocumentState, OperationCancelled, URI } from 'langium';
import { expect, test } from 'vitest';
import { CancellationToken, CancellationTokenSource, LSPErrorCodes } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { InProcessServer } from './in-process.js';
import { RING, RING_URI } from './ring.js';

const uri = URI.parse(RING_URI);

test('a request for a text that is not built yet waits for it', async () => {
    const server = new InProcessServer();
    const { DocumentBuilder, LangiumDocuments, TextDocuments } = server.Orbit.shared.workspace;
    TextDocuments.set(TextDocument.create(RING_URI, 'orbit', 0, RING));
    const waiting = DocumentBuilder.waitUntil(DocumentState.Validated, uri, CancellationToken.None);
    await server.write(RING_URI, `${RING}// a remark`);
    await waiting;
    expect(LangiumDocuments.getDocument(uri)?.parseResult.value.$cstNode?.root.fullText).toContain('a remark');
});

test('a request hears of a build that ends right after it has begun to wait', async () => {
    const { DocumentBuilder, TextDocuments } = new InProcessServer().Orbit.shared.workspace;
    TextDocuments.set(TextDocument.create(RING_URI, 'orbit', 0, RING));
    // After so long without a pause, whoever may be cancelled lets others go first.
    const end = performance.now() + 50;
    while (performance.now() < end);
    const waiting = DocumentBuilder.waitUntil(DocumentState.Validated, uri, new CancellationTokenSource().token);
    await DocumentBuilder.update([uri], []);
    await expect(waiting).resolves.toEqual(uri);
}, 10_000);

test('a request that waits for a document that is closed is answered', async () => {
    const server = new InProcessServer();
    const { DocumentBuilder, TextDocuments } = server.Orbit.shared.workspace;
    TextDocuments.set(TextDocument.create(RING_URI, 'orbit', 0, RING));
    const waiting = DocumentBuilder.waitUntil(DocumentState.Validated, uri, CancellationToken.None);
    const refusal = expect(waiting).rejects.toMatchObject({ code: LSPErrorCodes.ContentModified });
    // The document is closed before it is built: the first update is cancelled by the second one.
    await expect(DocumentBuilder.update([uri], [], CancellationToken.Cancelled)).rejects.toBe(OperationCancelled);
    TextDocuments.delete(RING_URI);
    await DocumentBuilder.update([], [uri]);
    await refusal;
});

test('a document that is neither open nor imported is not there', async () => {
    const { DocumentBuilder } = new InProcessServer().Orbit.shared.workspace;
    const waiting = DocumentBuilder.waitUntil(DocumentState.Parsed, uri, CancellationToken.None);
    await expect(waiting).rejects.toMatchObject({ code: LSPErrorCodes.ContentModified });
});

test('a document that was complete when the build was taken back has told everybody so', async () => {
    const { DocumentBuilder, TextDocuments } = new InProcessServer().Orbit.shared.workspace;
    TextDocuments.set(TextDocument.create(RING_URI, 'orbit', 0, RING));
    const source = new CancellationTokenSource();
    const told: string[] = [];
    // Another file is opened meanwhile, which takes the build back.
    DocumentBuilder.onDocumentPhase(DocumentState.Validated, () => source.cancel());
    DocumentBuilder.onDocumentPhase(DocumentState.Validated, document => void told.push(document.uri.toString()));
    await DocumentBuilder.update([uri], [], source.token).catch((error: unknown) => {
        expect(error).toBe(OperationCancelled);
    });
    expect(told).toEqual([RING_URI]);
});
