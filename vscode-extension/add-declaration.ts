/** Declarations that a click adds behind the last one of a model; the text can be undone. */
import * as vscode from 'vscode';

/** A deadlock is meant. */
export async function allowDeadlock(uri: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
    const last = document.lineAt(document.lineCount - 1);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, last.range.end, `${last.isEmptyOrWhitespace ? '' : '\n'}\nallow deadlock\n`);
    await vscode.workspace.applyEdit(edit);
}

/** A run that was found is to exist; its name is to be chosen. */
export async function keepRun(uri: string, question: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
    const editor = await vscode.window.showTextDocument(document);
    const last = document.lineAt(document.lineCount - 1);
    const snippet = new vscode.SnippetString(last.isEmptyOrWhitespace ? '\nrun ' : '\n\nrun ')
        .appendPlaceholder('found')
        .appendText(` = ${question}\n`);
    await editor.insertSnippet(snippet, last.range.end);
}
