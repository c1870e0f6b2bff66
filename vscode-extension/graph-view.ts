/** The state graphs of documents, for their panel. */
import type { BaseLanguageClient } from 'vscode-languageclient';
import { isProblemsDocument } from '../language-server/document-schema.js';
import { GRAPH_REQUEST, UNFOLD_REQUEST } from '../language-server/protocol.js';
import type { GraphParams, GraphResult, StatePath, UnfoldParams, UnfoldResult } from '../language-server/protocol.js';
import type { ExplorationView } from './exploration.js';
import type { Panels, View } from './panel.js';
import type { Results } from './results.js';
import { fileNameOf } from './source-location.js';
import type { GraphContent, GraphMessage } from './webview/messages.js';

/** A graph, and of which model it is. */
type Graph = Omit<GraphContent, 'isStale' | 'isOfText' | 'parameters'> & {
    readonly modelKey: string | undefined;
    readonly sourceKey: string | undefined;
};

const VIEW = 'graph-panel';

export class GraphView implements View<GraphMessage> {
    readonly title = 'State Graph of';
    private readonly client: BaseLanguageClient;
    private readonly results: Results;
    private readonly panels: Panels;
    private readonly explorations: ExplorationView;
    /** By document URI. */
    private readonly graphs = new Map<string, Graph>();

    constructor(client: BaseLanguageClient, results: Results, panels: Panels, explorations: ExplorationView) {
        this.client = client;
        this.results = results;
        this.panels = panels;
        this.explorations = explorations;
        panels.add(VIEW, this);
        results.onChange(({ uri }) => panels.update(VIEW, uri));
    }

    contentOf(uri: string): GraphContent | undefined {
        const graph = this.graphs.get(uri);
        const { sourceKey, parameters = [] } = this.results.of(uri) ?? {};
        return (
            graph && {
                ...graph,
                isStale: this.results.isStale(uri, graph.modelKey),
                isOfText: graph.sourceKey === sourceKey,
                parameters,
            }
        );
    }

    /** The graph of the present text. */
    refresh(uri: string): Promise<void> {
        return this.ask(uri, this.graphs.get(uri)?.reduction ?? 'unique', []);
    }

    receive(uri: string, message: GraphMessage): void {
        const reduction = this.graphs.get(uri)?.reduction ?? 'unique';
        switch (message.kind) {
            case 'explore':
                void this.ask(uri, message.reduction, []);
                break;
            case 'around':
                void this.ask(uri, reduction, message.path);
                break;
            case 'unfold':
                void this.unfold(uri, { uri, reduction, path: message.path });
                break;
        }
    }

    private async ask(uri: string, reduction: GraphContent['reduction'], around: StatePath): Promise<void> {
        const params: GraphParams = { uri, reduction, around };
        const { modelKey, sourceKey } = this.results.of(uri) ?? {};
        const { document } = await this.client.sendRequest<GraphResult>(GRAPH_REQUEST, params);
        this.set(uri, { fileName: fileNameOf(uri), reduction, document, modelKey, sourceKey });
        if (!isProblemsDocument(document) && document.orbits.some(({ violates }) => violates.length > 0)) {
            this.tell(uri);
        }
    }

    /** What is violated stands in the text, too, once an exploration has found it. */
    private tell(uri: string): void {
        const items = this.results.of(uri)?.items ?? [];
        if (!items.some(({ answer }) => answer?.verdict === 'violated' && !answer.isStale)) {
            this.explorations.start(uri, 'unique');
        }
    }

    private async unfold(uri: string, params: UnfoldParams): Promise<void> {
        const unfolded = await this.client.sendRequest<UnfoldResult>(UNFOLD_REQUEST, params);
        const graph = this.graphs.get(uri);
        if (graph !== undefined) {
            this.set(uri, { ...graph, unfolded });
        }
    }

    private set(uri: string, graph: Graph): void {
        this.graphs.set(uri, graph);
        this.panels.update(VIEW, uri);
    }
}
