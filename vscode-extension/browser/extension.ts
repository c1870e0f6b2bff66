/** The entry of the extension in a browser, with the language server in a web worker. */
import * as vscode from 'vscode';
import { BaseLanguageClient, type LanguageClientOptions, type MessageTransports } from 'vscode-languageclient';
import { BrowserMessageReader, BrowserMessageWriter } from 'vscode-languageclient/browser.js';
import { start } from '../start.js';

/** Called by VS Code. */
export function activate(context: vscode.ExtensionContext): Promise<void> {
    const folder = vscode.Uri.joinPath(context.extensionUri, 'dist', 'browser').toString(true);
    return start(context, options => new WorkerClient(folder, options));
}

/** Each start has a worker of its own: one that was told to exit does not end by itself. */
class WorkerClient extends BaseLanguageClient {
    private readonly folder: string;
    private worker: Worker | undefined;

    /** `folder` has the bundles. */
    constructor(folder: string, options: LanguageClientOptions) {
        super('orbit', 'Orbit', options);
        this.folder = folder;
    }

    protected override createMessageTransports(): Promise<MessageTransports> {
        this.worker?.terminate();
        // The extension host loads a bundle of another origin by a script of its own.
        const worker = new Worker(`${this.folder}/server.js`);
        this.worker = worker;
        // See language-server/browser/bundles.ts.
        worker.postMessage(this.folder);
        return Promise.resolve({
            reader: new BrowserMessageReader(worker),
            writer: new BrowserMessageWriter(worker),
        });
    }

    override async stop(timeout?: number): Promise<void> {
        try {
            await super.stop(timeout);
        } finally {
            this.worker?.terminate();
        }
    }
}
