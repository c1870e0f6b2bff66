/** The command *Match Log…*: asks for what is not given, the log or its model, and shows the answer in the panel. */
import * as vscode from 'vscode';
import type { ExplorationView } from './exploration.js';
import { folderOf, type LogMatching, type MatchedLog } from './log-matching.js';

/** Shorter work shows no notification. */
const DELAY_MILLISECONDS = 500;

/** Models of the workspace that are offered for a log. */
const MOST_MODELS = 500;

export interface MatchServices {
    readonly matching: LogMatching;
    readonly explorations: ExplorationView;
}

/** `uri` is a model or a log. */
export async function matchLogCommand(services: MatchServices, uri: vscode.Uri, log?: vscode.Uri): Promise<void> {
    const { matching } = services;
    try {
        if (isModel(uri)) {
            const chosen = log ?? (await askForLog(matching, uri));
            await (chosen === undefined ? undefined : show(services, uri.toString(), chosen));
            return;
        }
        const model = await askForModel(matching, uri);
        if (model !== undefined) {
            await vscode.window.showTextDocument(uri, { viewColumn: columnOf(uri) });
            await show(services, model.toString(), uri);
        }
    } catch (error) {
        void vscode.window.showErrorMessage(messageOf(error));
    }
}

/** The file of the active editor, if it may be a log. */
export function logInSight(): vscode.Uri | undefined {
    const uri = vscode.window.activeTextEditor?.document.uri;
    return uri !== undefined && LOG_NAME.test(uri.path) ? uri : undefined;
}

function messageOf(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}

/** As the menus of package.json have it. */
const LOG_NAME = /\.(jsonl|ndjson|log)$/;

function isModel(uri: vscode.Uri): boolean {
    const open = vscode.workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
    return open === undefined ? uri.path.endsWith('.orbit') : open.languageId === 'orbit';
}

/** Where it is in sight already. */
function columnOf(uri: vscode.Uri): vscode.ViewColumn {
    const open = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
    return open?.viewColumn ?? vscode.ViewColumn.One;
}

async function show({ matching, explorations }: MatchServices, uri: string, log: vscode.Uri): Promise<void> {
    const matched = await matchWithProgress(matching, uri, log);
    if (matched !== undefined) {
        const { run, modelKey, sourceKey } = matched;
        explorations.showLog(uri, run, { modelKey, sourceKey });
    }
}

/** The notification comes only if that takes a while. */
async function matchWithProgress(matching: LogMatching, uri: string, log: vscode.Uri): Promise<MatchedLog | undefined> {
    const cancellation = new vscode.CancellationTokenSource();
    let tell = (_lines: number): void => undefined;
    const matched = matching.match(uri, log, lines => tell(lines), cancellation.token);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const delay = new Promise<'late'>(resolve => (timer = setTimeout(() => resolve('late'), DELAY_MILLISECONDS)));
    try {
        if ((await Promise.race([matched, delay])) !== 'late') {
            return await matched;
        }
        const title = `Orbit: matching ${vscode.workspace.asRelativePath(log)}`;
        const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
        return await vscode.window.withProgress(options, (notification, token) => {
            token.onCancellationRequested(() => cancellation.cancel());
            tell = lines => notification.report({ message: `${lines.toLocaleString('en-US')} lines` });
            return matched;
        });
    } finally {
        clearTimeout(timer);
        cancellation.dispose();
    }
}

/** One that the mapping of the model names, or any file. */
async function askForLog(matching: LogMatching, model: vscode.Uri): Promise<vscode.Uri | undefined> {
    const named = await matching.logsOf(model.toString());
    if (named.length > 0) {
        const items = [...named.map(itemOf), { label: 'Choose a file …', uri: undefined }];
        const chosen = await vscode.window.showQuickPick(items, { title: 'The log', matchOnDescription: true });
        if (chosen?.uri !== undefined || chosen === undefined) {
            return chosen?.uri;
        }
    }
    const filters = { Logs: ['jsonl', 'ndjson', 'log', 'json', 'txt'], 'All files': ['*'] };
    const options = { defaultUri: folderOf(model), filters, openLabel: 'Match', title: 'The log' };
    return (await vscode.window.showOpenDialog(options))?.[0];
}

/** The only model that names the log or, if none does, the only one there is; else the user chooses. */
async function askForModel(matching: LogMatching, log: vscode.Uri): Promise<vscode.Uri | undefined> {
    const models = await modelsBeside(log);
    const naming: vscode.Uri[] = [];
    const failures: string[] = [];
    for (const model of models) {
        try {
            const logs = await matching.logsOf(model.toString());
            if (logs.some(named => named.toString() === log.toString())) {
                naming.push(model);
            }
        } catch (error) {
            failures.push(messageOf(error));
        }
    }
    // One of these mappings may be the one that names the log.
    if (naming.length === 0 && failures.length > 0) {
        void vscode.window.showWarningMessage(failures.join(' · '));
    }
    const [only, ...others] = naming.length > 0 ? naming : models;
    if (only === undefined) {
        void vscode.window.showInformationMessage('The workspace has no Orbit model.');
        return undefined;
    }
    const items = [only, ...others].map(itemOf);
    const options = { title: 'The model of the log', matchOnDescription: true };
    return others.length === 0 ? only : (await vscode.window.showQuickPick(items, options))?.uri;
}

/** Those in the folder of the log first, then those that are open, then those of the workspace. */
async function modelsBeside(log: vscode.Uri): Promise<readonly vscode.Uri[]> {
    const folder = folderOf(log);
    const entries = await vscode.workspace.fs.readDirectory(folder);
    const beside = entries
        .filter(([name]) => name.endsWith('.orbit'))
        .map(([name]) => vscode.Uri.joinPath(folder, name));
    const open = vscode.workspace.textDocuments.filter(isSavedModel).map(({ uri }) => uri);
    const found = await vscode.workspace.findFiles('**/*.orbit', '**/node_modules/**', MOST_MODELS);
    return [...new Map([...beside, ...open, ...found].map(uri => [uri.toString(), uri])).values()];
}

function isSavedModel({ languageId, isUntitled }: vscode.TextDocument): boolean {
    return languageId === 'orbit' && !isUntitled;
}

function itemOf(uri: vscode.Uri): vscode.QuickPickItem & { readonly uri: vscode.Uri } {
    const path = vscode.workspace.asRelativePath(uri);
    const at = path.lastIndexOf('/');
    return { label: path.slice(at + 1), description: path.slice(0, Math.max(0, at)), uri };
}
