/** The command that opens a model of Murphi as an unsaved text of Orbit. The server writes it. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { IMPORT_MURPHI_REQUEST } from '../language-server/protocol.js';
import type { ImportMurphiParams, ImportMurphiResult } from '../language-server/protocol.js';

/** Takes the text of the active editor if that is a file of Murphi, and else asks for one. */
export async function importMurphi(client: BaseLanguageClient): Promise<void> {
    const uri = murphiInSight() ?? (await askForFile());
    if (uri === undefined) {
        return;
    }
    const document = await vscode.workspace.openTextDocument(uri);
    const params: ImportMurphiParams = { source: document.getText(), uri: uri.toString() };
    try {
        const result = await client.sendRequest<ImportMurphiResult>(IMPORT_MURPHI_REQUEST, params);
        if (result.text !== undefined) {
            const imported = await vscode.workspace.openTextDocument({ language: 'orbit', content: result.text });
            await vscode.window.showTextDocument(imported);
        }
        await tell(document, result);
    } catch (error) {
        void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
    }
}

function murphiInSight(): vscode.Uri | undefined {
    const uri = vscode.window.activeTextEditor?.document.uri;
    return uri?.path.endsWith('.m') === true ? uri : undefined;
}

async function askForFile(): Promise<vscode.Uri | undefined> {
    const [file] = (await vscode.window.showOpenDialog({ filters: { Murphi: ['m'] }, openLabel: 'Import' })) ?? [];
    return file;
}

/** Says what is wrong or left out, with a way to the first place of it. */
async function tell(document: vscode.TextDocument, { text, problems }: ImportMurphiResult): Promise<void> {
    const [first, ...others] = problems.filter(({ severity }) => severity === 'error');
    if (first === undefined) {
        return;
    }
    const what = text === undefined ? 'The model cannot be imported.' : 'Parts are left out, as comments say.';
    const more = others.length === 0 ? '' : `, and ${others.length} more`;
    const show = 'Show in Source';
    const answer = await vscode.window.showWarningMessage(`${what} Line ${first.line}: ${first.message}${more}`, show);
    if (answer === show) {
        const place = new vscode.Position(first.line - 1, first.column - 1);
        await vscode.window.showTextDocument(document, { selection: new vscode.Range(place, place) });
    }
}
