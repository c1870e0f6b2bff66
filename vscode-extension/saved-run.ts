/**
 * Runs as files: what a panel exports, or the command line prints with `--json`. A run names its model, and the files of
 * its places: relative to its own folder, or to a folder of the workspace. It is opened with the text of that model.
 */
import * as vscode from 'vscode';
import type { ExploreDocument, SimulateDocument } from '../language-server/document-schema.js';
import type { RunState } from './webview/messages.js';

type SavedDocument = (ExploreDocument | SimulateDocument) & { readonly file?: string };

/** Writes a text into a file that the user chooses, beside the first folder that is open. */
export async function saveText(name: string, text: string): Promise<void> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const chosen = await vscode.window.showSaveDialog({
        ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder, name) }),
    });
    if (chosen !== undefined) {
        const written = name.endsWith('.json') ? withRelativeFiles(text, chosen) : text;
        await vscode.workspace.fs.writeFile(chosen, new TextEncoder().encode(written));
    }
}

/** The text of a run with the places in it relative to the file it is written into. */
function withRelativeFiles(text: string, target: vscode.Uri): string {
    const relative = (file: string): string => relativeTo(target, vscode.Uri.parse(file)) ?? file;
    return `${JSON.stringify(withFiles(text, relative), undefined, 2)}\n`;
}

/** Opens the model of a file that the user chooses, and has its run shown beside it. */
export async function openSavedRun(show: (uri: string, run: RunState) => void): Promise<void> {
    const [file] = (await vscode.window.showOpenDialog({ filters: { 'Saved runs': ['json'] } })) ?? [];
    if (file === undefined) {
        return;
    }
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    const document = readSavedRun(text);
    if (document === undefined) {
        const message =
            'The file is no run, as the panel, `orbit explore --json` or `orbit simulate --json` writes it.';
        void vscode.window.showErrorMessage(message);
        return;
    }
    const found = await findFiles(file, text);
    const own = await Promise.all([...found.values(), ...modelsInSight()].map(readModel));
    const model = own.find(({ name }) => name === document.model);
    if (model === undefined) {
        const others = own.map(({ uri, name }) => `${vscode.workspace.asRelativePath(uri)} is \`${name}\``);
        const missing = filesOf(text).filter(name => !found.has(name));
        const why = [...new Set(others), ...missing.map(name => `${name} was not found`)].join(', ');
        void vscode.window.showErrorMessage(`This is a run of the model \`${document.model}\`${why && `; ${why}`}.`);
        return;
    }
    await vscode.window.showTextDocument(model.uri, { viewColumn: vscode.ViewColumn.One });
    const resolve = (name: string): string => (found.get(name) ?? model.uri).toString();
    show(model.uri.toString(), stateOf(withFiles(text, resolve) as SavedDocument));
}

/** Undefined if the text is not the JSON of a run. */
function readSavedRun(text: string): SavedDocument | undefined {
    try {
        const data = JSON.parse(text) as Partial<ExploreDocument & SimulateDocument>;
        const isExploration = Array.isArray(data.violations) && data.reduction !== undefined;
        const isRun = data.schemaVersion === 1 && (isExploration || Array.isArray(data.trace));
        return isRun ? (data as SavedDocument) : undefined;
    } catch {
        // Not JSON at all.
        return undefined;
    }
}

function stateOf(document: SavedDocument): RunState {
    return 'trace' in document ? { kind: 'walk', document } : { kind: 'finished', document };
}

/** The value of a JSON text, with each `file` in it replaced. */
function withFiles(text: string, replace: (file: string) => string): unknown {
    return JSON.parse(text, (key, value: unknown) =>
        key === 'file' && typeof value === 'string' ? replace(value) : value,
    );
}

function filesOf(text: string): readonly string[] {
    const files = new Set<string>();
    withFiles(text, file => {
        files.add(file);
        return file;
    });
    return [...files];
}

/** The files that a run names, as far as they exist. */
async function findFiles(run: vscode.Uri, text: string): Promise<ReadonlyMap<string, vscode.Uri>> {
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
    const found = new Map<string, vscode.Uri>();
    for (const file of filesOf(text)) {
        const path = file.replaceAll('\\', '/');
        const candidates = /^[a-z][a-z0-9+.-]+:/i.test(path)
            ? [vscode.Uri.parse(path)]
            : /^(\/|[a-z]:)/i.test(path)
              ? [run.with({ path })]
              : [vscode.Uri.joinPath(run, '..'), ...folders].map(folder => vscode.Uri.joinPath(folder, path));
        for (const candidate of candidates) {
            if (!found.has(file) && (await exists(candidate))) {
                found.set(file, candidate);
            }
        }
    }
    return found;
}

async function exists(uri: vscode.Uri): Promise<boolean> {
    try {
        return (await vscode.workspace.fs.stat(uri)).type !== vscode.FileType.Directory;
    } catch {
        // There is no such file, or no way to it.
        return false;
    }
}

function modelsInSight(): readonly vscode.Uri[] {
    const documents = vscode.window.visibleTextEditors.map(({ document }) => document);
    return documents.filter(({ languageId }) => languageId === 'orbit').map(({ uri }) => uri);
}

/** The name of the model in a file. */
export async function readModel(uri: vscode.Uri): Promise<{ readonly uri: vscode.Uri; readonly name: string }> {
    const text = (await vscode.workspace.openTextDocument(uri)).getText();
    return { uri, name: /^\s*model\s+([\p{L}\p{N}_]+)/mu.exec(text)?.[1] ?? '' };
}

/** `../models/lock.orbit`: from the folder of a file to another file; undefined if no path leads there. */
function relativeTo(from: vscode.Uri, to: vscode.Uri): string | undefined {
    if (from.scheme !== to.scheme || from.authority !== to.authority) {
        return undefined;
    }
    const [here, there] = [from.path.split('/').slice(0, -1), to.path.split('/')];
    const differing = here.findIndex((part, index) => part !== there[index]);
    const common = differing < 0 ? here.length : differing;
    return [...here.slice(common).map(() => '..'), ...there.slice(common)].join('/');
}
