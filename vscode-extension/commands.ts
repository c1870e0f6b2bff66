/** The commands of the extension. Those about a document take its URI; without one they mean the active editor. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
    CHANGE_PARAMETER_COMMAND,
    CHECK_EVERY_SIZE_COMMAND,
    CHECK_PROPERTY_COMMAND,
    EXPLORE_ALL_COMMAND,
    EXPLORE_REDUCED_COMMAND,
    FIND_RUN_COMMAND,
    FIND_SURVIVORS_COMMAND,
    MATCH_LOG_COMMAND,
    NEW_MODEL_COMMAND,
    OPEN_RUN_COMMAND,
    RESET_PARAMETER_COMMAND,
    SHOW_FIXES_COMMAND,
    SHOW_GRAPH_COMMAND,
    STEP_COMMAND,
    SWEEP_COMMAND,
    SHOW_SYMMETRIES_COMMAND,
} from '../language-server/protocol.js';
import type { EverySizeCheck } from './every-size.js';
import type { ExplorationView } from './exploration.js';
import { openExample, writeNewModel } from './first-steps.js';
import { importMurphi } from './import-murphi.js';
import type { LogMatching } from './log-matching.js';
import { logInSight, matchLogCommand } from './match-log.js';
import type { Panels } from './panel.js';
import type { Parameters } from './parameters.js';
import type { Questions } from './questions.js';
import { openSavedRun } from './saved-run.js';
import type { Survivors } from './survivors.js';
import type { SweepView } from './sweep-view.js';

export interface CommandTargets {
    readonly client: BaseLanguageClient;
    readonly output: vscode.LogOutputChannel;
    readonly explorations: ExplorationView;
    readonly parameters: Parameters;
    readonly panels: Panels;
    readonly sweepView: SweepView;
    readonly everySize: EverySizeCheck;
    readonly questions: Questions;
    readonly matching: LogMatching;
    readonly survivors: Survivors;
    /** Where the extension is installed. */
    readonly extensionUri: vscode.Uri;
}

/** Registers every command; the result unregisters them. */
export function registerCommands({
    client,
    output,
    explorations,
    parameters,
    panels,
    sweepView,
    everySize,
    questions,
    matching,
    survivors,
    extensionUri,
}: CommandTargets): vscode.Disposable {
    return vscode.Disposable.from(
        registerDocumentCommand(EXPLORE_REDUCED_COMMAND, uri => explorations.explore(uri, 'unique')),
        registerDocumentCommand(EXPLORE_ALL_COMMAND, uri => explorations.explore(uri, 'none')),
        registerDocumentCommand(CHECK_PROPERTY_COMMAND, (uri, property) =>
            explorations.explore(uri, 'unique', { property }),
        ),
        registerDocumentCommand(OPEN_RUN_COMMAND, (uri, property, runId) => explorations.open(uri, property, runId)),
        registerDocumentCommand(CHANGE_PARAMETER_COMMAND, (uri, name) => parameters.change(client, uri, name)),
        registerDocumentCommand(RESET_PARAMETER_COMMAND, (uri, name = '') => parameters.reset(client, uri, name)),
        registerDocumentCommand(SWEEP_COMMAND, (uri, name) => sweepView.ask(uri, name)),
        registerDocumentCommand(CHECK_EVERY_SIZE_COMMAND, (uri, ...names) => everySize.check(uri, names)),
        registerDocumentCommand(SHOW_SYMMETRIES_COMMAND, uri => panels.show('symmetry-panel', uri)),
        registerDocumentCommand(FIND_RUN_COMMAND, async uri => {
            const run = await questions.run(uri);
            await (run === undefined ? undefined : explorations.explore(uri, 'unique', { find: run }));
        }),
        vscode.commands.registerCommand(MATCH_LOG_COMMAND, async (argument?: string | vscode.Uri, log?: unknown) => {
            const named = typeof argument === 'string' ? vscode.Uri.parse(argument) : argument;
            const uri = named ?? logInSight() ?? (await modelInSight())?.uri;
            if (uri === undefined) {
                void vscode.window.showInformationMessage('Open an Orbit model or a log first.');
                return;
            }
            const given = typeof log === 'string' ? vscode.Uri.parse(log) : undefined;
            await matchLogCommand({ matching, explorations }, uri, given);
        }),
        registerDocumentCommand(FIND_SURVIVORS_COMMAND, uri => survivors.find(uri)),
        registerDocumentCommand(STEP_COMMAND, uri => explorations.step(uri)),
        vscode.commands.registerCommand('orbit.openSavedRun', () =>
            openSavedRun((uri, run) => explorations.showSaved(uri, run)),
        ),
        registerDocumentCommand(SHOW_GRAPH_COMMAND, uri => panels.show('graph-panel', uri)),
        vscode.commands.registerCommand(SHOW_FIXES_COMMAND, showFixes),
        vscode.commands.registerCommand(NEW_MODEL_COMMAND, (uri?: unknown) =>
            writeNewModel(extensionUri, typeof uri === 'string' ? uri : undefined),
        ),
        vscode.commands.registerCommand('orbit.openExample', () => openExample(extensionUri)),
        vscode.commands.registerCommand('orbit.importMurphi', () => importMurphi(client)),
        vscode.commands.registerCommand('orbit.showOutput', () => output.show()),
        vscode.commands.registerCommand('orbit.restartServer', () => restart(client)),
    );
}

/** Puts the cursor at a place, and lists what can be done there. */
async function showFixes(uri: string, line: number, column: number): Promise<void> {
    const place = new vscode.Position(line, column);
    await vscode.window.showTextDocument(vscode.Uri.parse(uri), { selection: new vscode.Range(place, place) });
    await vscode.commands.executeCommand('editor.action.quickFix');
}

async function restart(client: BaseLanguageClient): Promise<void> {
    await client.stop();
    await client.start();
}

function registerDocumentCommand(
    command: string,
    run: (uri: string, ...others: string[]) => Promise<void> | void,
): vscode.Disposable {
    // A menu passes a Uri and data of its own, a code lens a string and perhaps names, the command palette
    // nothing.
    return vscode.commands.registerCommand(command, async (argument?: string | vscode.Uri, ...others: unknown[]) => {
        const uri = argument ?? (await modelInSight())?.uri;
        if (uri === undefined) {
            void vscode.window.showInformationMessage('Open an Orbit model first.');
            return;
        }
        const texts = others.filter(other => typeof other === 'string');
        await run(typeof uri === 'string' ? vscode.Uri.parse(uri).toString() : uri.toString(), ...texts);
    });
}

/**
 * The model of the active editor. Beside a panel it is that of another editor, and from the page of the walkthrough the
 * one that was opened last, which comes into sight.
 */
async function modelInSight(): Promise<vscode.TextDocument | undefined> {
    const { activeTextEditor, visibleTextEditors } = vscode.window;
    const isModel = ({ languageId }: vscode.TextDocument): boolean => languageId === 'orbit';
    const editors = activeTextEditor === undefined ? visibleTextEditors : [activeTextEditor];
    const visible = editors.map(({ document }) => document).find(isModel);
    if (visible !== undefined || activeTextEditor !== undefined) {
        return visible;
    }
    const last = vscode.workspace.textDocuments.filter(document => isModel(document) && !document.isClosed).at(-1);
    return last && (await vscode.window.showTextDocument(last)).document;
}
