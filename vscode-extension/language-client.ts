/** Starts the language server in a process of its own and connects the editor to it. */
import * as vscode from 'vscode';
import { LanguageClient, TransportKind, type Middleware } from 'vscode-languageclient/node.js';
import { READ_FILE_REQUEST, type ReadFileParams, type ReadFileResult } from '../language-server/protocol.js';

/** The documents of the server: files, and also unsaved and virtual documents. */
const DOCUMENT_SELECTOR = [{ language: 'orbit' }];

/** A client that is not started yet. What the server logs goes to `output`. */
export function createLanguageClient(
    context: vscode.ExtensionContext,
    output: vscode.LogOutputChannel,
    middleware: Middleware,
): LanguageClient {
    const module = context.asAbsolutePath('dist/server.cjs');
    const transport = TransportKind.ipc;
    const client = new LanguageClient(
        'orbit',
        'Orbit',
        {
            run: { module, transport },
            debug: { module, transport, options: { execArgv: ['--nolazy', '--inspect=6009'] } },
        },
        {
            documentSelector: DOCUMENT_SELECTOR,
            outputChannel: output,
            middleware,
            synchronize: { configurationSection: 'orbit' },
        },
    );
    context.subscriptions.push(client.onRequest(READ_FILE_REQUEST, readFile));
    return client;
}

/** An imported file of a folder that is not on disk. */
async function readFile({ uri }: ReadFileParams): Promise<ReadFileResult> {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.parse(uri));
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
}
