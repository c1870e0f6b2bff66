/**
 * Starts the language server and connects it with the status bar and the panels, for both entries: extension.ts and
 * browser/extension.ts.
 */
import * as vscode from 'vscode';
import type { BaseLanguageClient, LanguageClientOptions } from 'vscode-languageclient';
import { ANALYSIS_NOTIFICATION, KEPT_RUNS_NOTIFICATION } from '../language-server/protocol.js';
import type { AnalysisStatus, KeptRuns } from '../language-server/protocol.js';
import { registerCommands } from './commands.js';
import { Counts } from './counts.js';
import { EverySizeCheck } from './every-size.js';
import { ExplorationView } from './exploration.js';
import { ExploreOnSave } from './explore-on-save.js';
import { followFirstSteps } from './first-steps.js';
import { GraphView } from './graph-view.js';
import { answerFileRequests, clientOptions } from './language-client.js';
import { LogMatching } from './log-matching.js';
import { NameMarks } from './mark-names.js';
import { Panels } from './panel.js';
import { Parameters } from './parameters.js';
import { Questions } from './questions.js';
import { Results } from './results.js';
import { RunStore } from './run-store.js';
import { Status } from './status.js';
import { Survivors } from './survivors.js';
import { SweepView } from './sweep-view.js';
import { SymmetryView } from './symmetry-view.js';
import { Testing } from './testing.js';
import { registerVerdictHover } from './verdict-hover.js';

/** Makes a client that is not started yet. */
export type CreateClient = (options: LanguageClientOptions) => BaseLanguageClient;

/** Called once, for the first Orbit document. VS Code disposes of the `subscriptions` at the end. */
export async function start(context: vscode.ExtensionContext, createClient: CreateClient): Promise<void> {
    const output = vscode.window.createOutputChannel('Orbit', { log: true });
    const store = new RunStore({
        memento: context.workspaceState,
        folder: vscode.Uri.joinPath(context.storageUri ?? context.globalStorageUri, 'runs'),
        files: vscode.workspace.fs,
        logError: message => output.error(message),
    });
    const options = clientOptions(output, {
        // Before the server reads a text, it knows what was found out about it in earlier sessions.
        didOpen: (document, next) => {
            const uri = document.uri.toString();
            const kept: KeptRuns = { uri, runs: store.runsOf(uri), parameters: parameters.chosen(uri) };
            if (kept.runs.length > 0 || Object.keys(kept.parameters).length > 0) {
                void client.sendNotification(KEPT_RUNS_NOTIFICATION, kept);
            }
            return next(document);
        },
    });
    const client = createClient(options);
    const results = new Results(client);
    const parameters = new Parameters(context.workspaceState, results);
    const questions = new Questions(client, context.workspaceState);
    const status = new Status(results);
    const panels = new Panels(context.extensionUri);
    const explorations = new ExplorationView({
        client,
        panels,
        output,
        results,
        store,
        parameters,
        questions,
    });
    const marks = new NameMarks();
    const symmetryView = new SymmetryView({
        client,
        panels,
        marks,
        stateOf: uri => explorations.lastStateOf(uri),
    });
    const sweepView = new SweepView({
        client,
        panels,
        results,
        parameters,
        explorations,
    });
    new GraphView(client, results, panels, explorations);
    const counts = new Counts(client);
    const matching = new LogMatching(client, results, counts);
    const survivors = new Survivors(client, results, counts);
    const onSave = new ExploreOnSave(explorations, results);
    context.subscriptions.push(
        output,
        answerFileRequests(client),
        status,
        panels,
        panels.restoreAll(),
        explorations,
        marks,
        sweepView,
        onSave,
        results,
        counts,
        matching,
        survivors,
        new Testing({ client, explorations, results, matching, output }),
        registerVerdictHover(results),
        followFirstSteps(results),
        // The next new text gets the name of one that was never saved.
        vscode.workspace.onDidCloseTextDocument(({ uri, isUntitled }) => {
            if (isUntitled) {
                void store.forget(uri.toString());
                void parameters.forget(uri.toString());
                void questions.forget(uri.toString());
            }
        }),
        registerCommands({
            client,
            output,
            explorations,
            parameters,
            panels,
            sweepView,
            questions,
            matching,
            survivors,
            everySize: new EverySizeCheck({ client, results, explorations }),
            extensionUri: context.extensionUri,
        }),
        client.onNotification(ANALYSIS_NOTIFICATION, (analysis: AnalysisStatus) => {
            status.update(analysis);
            onSave.onAnalysis(analysis);
            symmetryView.onAnalysis(analysis).catch((error: unknown) => output.error(String(error)));
        }),
        { dispose: () => void client.dispose() },
    );
    await client.start();
}
