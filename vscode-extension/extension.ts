/** The entry of the extension: starts the language server and connects it with the status bar and the panels. */
import * as vscode from 'vscode';
import { ANALYSIS_NOTIFICATION } from '../language-server/protocol.js';
import type { AnalysisStatus } from '../language-server/protocol.js';
import { registerCommands } from './commands.js';
import { Explorations } from './exploration.js';
import { GraphView } from './graph-view.js';
import { createLanguageClient } from './language-client.js';
import { Status } from './status.js';
import { SymmetryView } from './symmetry-view.js';

/** Called once, for the first Orbit document. VS Code disposes of the `subscriptions` at the end. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
    const output = vscode.window.createOutputChannel('Orbit', { log: true });
    const client = createLanguageClient(context, output);
    const status = new Status();
    const explorations = new Explorations(client, context.extensionUri, output);
    const symmetryView = new SymmetryView(client, context.extensionUri);
    const graphView = new GraphView(client, context.extensionUri);
    context.subscriptions.push(
        output,
        status,
        explorations,
        symmetryView,
        graphView,
        registerCommands({ client, output, explorations, symmetryView, graphView, extensionUri: context.extensionUri }),
        client.onNotification(ANALYSIS_NOTIFICATION, (analysis: AnalysisStatus) => {
            status.update(analysis);
            graphView.onAnalysis(analysis);
            symmetryView.onAnalysis(analysis).catch((error: unknown) => output.error(String(error)));
        }),
        { dispose: () => void client.dispose() },
    );
    await client.start();
}
