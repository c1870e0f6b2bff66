/** Panels with the state graph of a document, one for each. After an edit a panel says that it is stale. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { GRAPH_REQUEST, UNFOLD_REQUEST } from '../language-server/protocol.js';
import type {
    AnalysisStatus,
    GraphParams,
    GraphResult,
    Reduction,
    StatePath,
    UnfoldParams,
    UnfoldResult,
} from '../language-server/protocol.js';
import { openPanel, type Panel } from './panel.js';
import { fileNameOf, revealLocation, saveText } from './source-location.js';
import type { GraphContent, GraphMessage } from './webview/messages.js';

interface Shown {
    readonly panel: Panel<GraphContent>;
    reduction: Reduction;
    version: number;
    content: GraphContent | undefined;
}

export class GraphView implements vscode.Disposable {
    private readonly client: BaseLanguageClient;
    private readonly extensionUri: vscode.Uri;
    /** The open panels by document URI. */
    private readonly shown = new Map<string, Shown>();

    constructor(client: BaseLanguageClient, extensionUri: vscode.Uri) {
        this.client = client;
        this.extensionUri = extensionUri;
    }

    /** Opens the panel of a document or brings it to the front, with the graph of the present text. */
    async show(uri: string): Promise<void> {
        const shown = this.shown.get(uri) ?? this.open(uri);
        shown.panel.reveal();
        await this.ask(uri, shown, []);
    }

    /** Marks the graph of a document whose model has changed. */
    onAnalysis({ uri, version, state }: AnalysisStatus): void {
        const shown = this.shown.get(uri);
        if (shown?.content !== undefined && state !== 'done' && version !== shown.version) {
            this.update(shown, { ...shown.content, isStale: true });
        }
    }

    dispose(): void {
        [...this.shown.values()].forEach(({ panel }) => panel.dispose());
    }

    private open(uri: string): Shown {
        const panel = openPanel<GraphContent, GraphMessage>(this.extensionUri, {
            script: 'graph-panel',
            title: `State Graph of ${fileNameOf(uri)}`,
            onMessage: message => void this.receive(uri, message),
            onClosed: () => this.shown.delete(uri),
        });
        const shown: Shown = { panel, reduction: 'unique', version: 0, content: undefined };
        this.shown.set(uri, shown);
        return shown;
    }

    private async receive(uri: string, message: GraphMessage): Promise<void> {
        const shown = this.shown.get(uri);
        if (shown === undefined) {
            return;
        }
        switch (message.kind) {
            case 'reveal':
                return revealLocation(message.location);
            case 'explore':
                shown.reduction = message.reduction;
                return this.ask(uri, shown, []);
            case 'around':
                return this.ask(uri, shown, message.path);
            case 'unfold':
                return this.unfold(uri, shown, message.path);
            case 'save':
                return saveText(message.name, message.text);
        }
    }

    private async ask(uri: string, shown: Shown, around: StatePath): Promise<void> {
        const { reduction } = shown;
        const params: GraphParams = { uri, reduction, around };
        const { version, document } = await this.client.sendRequest<GraphResult>(GRAPH_REQUEST, params);
        shown.version = version;
        this.update(shown, { fileName: fileNameOf(uri), reduction, isStale: false, document });
    }

    private async unfold(uri: string, shown: Shown, path: StatePath): Promise<void> {
        const params: UnfoldParams = { uri, reduction: shown.reduction, path };
        const unfolded = await this.client.sendRequest<UnfoldResult>(UNFOLD_REQUEST, params);
        if (shown.content !== undefined) {
            this.update(shown, { ...shown.content, unfolded });
        }
    }

    private update(shown: Shown, content: GraphContent): void {
        shown.content = content;
        shown.panel.update(content);
    }
}
