/** The first minutes: a new model, the example of the walkthrough, and what the walkthrough ticks off by itself. */
import * as vscode from 'vscode';
import type { Results } from './results.js';

/** Contexts that end steps of the walkthrough (package.json): a run found an error, and a later one no more. */
const VIOLATION_FOUND = 'orbit.violationFound';
const VIOLATION_REPAIRED = 'orbit.violationRepaired';

/** Writes a small model that runs into an empty document, or into a new one that is not saved yet. */
export async function writeNewModel(extensionUri: vscode.Uri, uri?: string): Promise<void> {
    const content = await readModel(extensionUri, 'new-model');
    if (uri === undefined) {
        await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'orbit', content }));
        return;
    }
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
    // What somebody has written meanwhile stays.
    if (document.getText().trim() === '') {
        const edit = new vscode.WorkspaceEdit();
        edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), content);
        await vscode.workspace.applyEdit(edit);
    }
}

/** Opens the lock of the walkthrough as an unsaved text. */
export async function openExample(extensionUri: vscode.Uri): Promise<void> {
    const content = await readModel(extensionUri, 'lock');
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'orbit', content }));
}

/** Tells the walkthrough of the first violation, and of the first that a later run no longer finds. */
export function followFirstSteps(results: Results): vscode.Disposable {
    const violated = new Set<string>();
    return results.onChange(({ uri, items }) => {
        for (const { name, answer } of items) {
            const key = `${uri} ${name}`;
            if (answer?.verdict === 'violated' && !violated.has(key)) {
                violated.add(key);
                void vscode.commands.executeCommand('setContext', VIOLATION_FOUND, true);
            } else if (answer?.verdict === 'holds' && violated.has(key)) {
                void vscode.commands.executeCommand('setContext', VIOLATION_REPAIRED, true);
            }
        }
    });
}

async function readModel(extensionUri: vscode.Uri, name: string): Promise<string> {
    const file = vscode.Uri.joinPath(extensionUri, 'vscode-extension', 'walkthrough', `${name}.orbit`);
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
}
