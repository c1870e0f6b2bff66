/** A panel with the symmetries of a document. After an edit it says that it is stale, until the next analysis. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { SYMMETRIES_REQUEST } from '../language-server/protocol.js';
import type { AnalysisStatus, SymmetriesParams, SymmetriesResult } from '../language-server/protocol.js';
import { openPanel } from './panel.js';
import type { Panel } from './panel.js';
import { fileNameOf, revealLocation } from './source-location.js';
import type { SymmetriesContent } from './webview/messages.js';

interface Shown {
    readonly panel: Panel<SymmetriesContent>;
    content: SymmetriesContent | undefined;
}

export class SymmetryView implements vscode.Disposable {
    private readonly client: BaseLanguageClient;
    private readonly extensionUri: vscode.Uri;
    /** The open panels by document URI. */
    private readonly shown = new Map<string, Shown>();

    constructor(client: BaseLanguageClient, extensionUri: vscode.Uri) {
        this.client = client;
        this.extensionUri = extensionUri;
    }

    /** Opens the panel of a document or brings it to the front, with the present result. */
    async show(uri: string): Promise<void> {
        const shown = this.shown.get(uri) ?? this.open(uri);
        shown.panel.reveal();
        await this.refresh(uri, shown);
    }

    /** Follows the analysis of a document whose panel is open. */
    async onAnalysis(status: AnalysisStatus): Promise<void> {
        const shown = this.shown.get(status.uri);
        if (shown === undefined) {
            return;
        }
        if (status.state === 'done') {
            await this.refresh(status.uri, shown);
        } else if (shown.content !== undefined && status.version !== shown.content.version) {
            shown.content = { ...shown.content, isStale: true };
            shown.panel.update(shown.content);
        }
    }

    dispose(): void {
        [...this.shown.values()].forEach(({ panel }) => panel.dispose());
    }

    private open(uri: string): Shown {
        const panel = openPanel<SymmetriesContent>(this.extensionUri, {
            script: 'symmetry-panel',
            title: `Symmetries of ${fileNameOf(uri)}`,
            onMessage: message => {
                if (message.kind === 'reveal') {
                    void revealLocation(message.location);
                }
            },
            onClosed: () => this.shown.delete(uri),
        });
        const shown: Shown = { panel, content: undefined };
        this.shown.set(uri, shown);
        return shown;
    }

    private async refresh(uri: string, shown: Shown): Promise<void> {
        const params: SymmetriesParams = { uri };
        const { version, document } = await this.client.sendRequest<SymmetriesResult>(SYMMETRIES_REQUEST, params);
        if (this.shown.get(uri) !== shown) {
            // The panel was closed in the meantime.
            return;
        }
        const current = vscode.workspace.textDocuments.find(open => open.uri.toString() === uri)?.version;
        shown.content = {
            fileName: fileNameOf(uri),
            version,
            isStale: current !== undefined && current !== version,
            document,
        };
        shown.panel.update(shown.content);
    }
}
