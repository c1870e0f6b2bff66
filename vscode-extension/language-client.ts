/** Starts the language server in a process of its own and connects the editor to it. */
import type * as vscode from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node.js';

/** What the server sees. Not only files: an unsaved or virtual document is analyzed as it is in the editor. */
const DOCUMENT_SELECTOR = [{ language: 'orbit' }];

/** A client that is not started yet. What the server logs goes to `output`. */
export function createLanguageClient(
    context: vscode.ExtensionContext,
    output: vscode.LogOutputChannel,
): LanguageClient {
    const module = context.asAbsolutePath('dist/server.cjs');
    const transport = TransportKind.ipc;
    return new LanguageClient(
        'orbit',
        'Orbit',
        {
            run: { module, transport },
            debug: { module, transport, options: { execArgv: ['--nolazy', '--inspect=6009'] } },
        },
        {
            documentSelector: DOCUMENT_SELECTOR,
            outputChannel: output,
            synchronize: { configurationSection: 'orbit' },
        },
    );
}
