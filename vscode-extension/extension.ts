/** The entry of the extension under Node, with the language server in a process of its own. */
import type * as vscode from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node.js';
import { offerMcpServer } from './mcp-server.js';
import { start } from './start.js';

/** Called by VS Code. */
export function activate(context: vscode.ExtensionContext): Promise<void> {
    const module = context.asAbsolutePath('dist/server.cjs');
    const transport = TransportKind.ipc;
    const server = {
        run: { module, transport },
        debug: { module, transport, options: { execArgv: ['--nolazy', '--inspect=6009'] } },
    };
    const { version } = context.extension.packageJSON as { readonly version: string };
    const offer = offerMcpServer(context.asAbsolutePath('dist/cli.cjs'), version);
    context.subscriptions.push(...(offer === undefined ? [] : [offer]));
    return start(context, options => new LanguageClient('orbit', 'Orbit', server, options));
}
