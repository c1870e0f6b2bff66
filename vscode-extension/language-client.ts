/** The parts that the clients of all platforms share. */
import * as vscode from 'vscode';
import type { BaseLanguageClient, LanguageClientOptions, Middleware } from 'vscode-languageclient';
import { READ_FILE_REQUEST, READ_FOLDER_REQUEST } from '../language-server/protocol.js';
import type { ReadFileParams, ReadFileResult, ReadFolderResult } from '../language-server/protocol.js';

/** The documents of the server: files, and also unsaved and virtual documents. */
const DOCUMENT_SELECTOR = [{ language: 'orbit' }];

/** The log of the server goes to `output`. */
export function clientOptions(output: vscode.LogOutputChannel, middleware: Middleware): LanguageClientOptions {
    return {
        documentSelector: DOCUMENT_SELECTOR,
        outputChannel: output,
        middleware,
        synchronize: { configurationSection: 'orbit' },
    };
}

/** Reads for the server what is not on disk; the result ends it. */
export function answerFileRequests(client: BaseLanguageClient): vscode.Disposable {
    return vscode.Disposable.from(
        client.onRequest(READ_FILE_REQUEST, readFile),
        client.onRequest(READ_FOLDER_REQUEST, readFolder),
    );
}

async function readFile({ uri }: ReadFileParams): Promise<ReadFileResult> {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.parse(uri));
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
}

async function readFolder({ uri }: ReadFileParams): Promise<ReadFolderResult> {
    const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.parse(uri));
    return { entries: entries.map(([name, type]) => ({ name, isFile: (type & vscode.FileType.File) !== 0 })) };
}
