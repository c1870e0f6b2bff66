/** From places in the documents of the protocol to places in an editor. */
import * as vscode from 'vscode';
import type { DocumentLocation } from '../language-server/document-schema.js';

export function toRange({ line, column, endLine, endColumn }: DocumentLocation): vscode.Range {
    return new vscode.Range(line - 1, column - 1, endLine - 1, endColumn - 1);
}

/** Opens the text beside a panel and selects the place. The focus stays where it is. */
export async function revealLocation(location: DocumentLocation): Promise<void> {
    const uri = vscode.Uri.parse(location.file);
    const open = vscode.window.visibleTextEditors.find(editor => editor.document.uri.toString() === uri.toString());
    const range = toRange(location);
    const editor = await vscode.window.showTextDocument(uri, {
        viewColumn: open?.viewColumn ?? vscode.ViewColumn.One,
        preserveFocus: true,
    });
    // The cursor stands at the beginning, and only that is revealed: the end of a long line would scroll the text away.
    editor.selection = new vscode.Selection(range.end, range.start);
    editor.revealRange(
        new vscode.Range(range.start, range.start),
        vscode.TextEditorRevealType.InCenterIfOutsideViewport,
    );
}

/** Of two places those whose texts are in sight; the first one if neither is. */
export function placesToShow(first: DocumentLocation, second?: DocumentLocation): readonly DocumentLocation[] {
    const visible = new Set(vscode.window.visibleTextEditors.map(({ document }) => document.uri.toString()));
    const places = second === undefined ? [first] : [first, second];
    const inSight = places.filter(({ file }) => visible.has(vscode.Uri.parse(file).toString()));
    return inSight.length === 0 ? [first] : inSight;
}

/** The last part of a URI's path, for people. */
export function fileNameOf(uri: string): string {
    const path = vscode.Uri.parse(uri).path;
    return path.slice(path.lastIndexOf('/') + 1);
}
