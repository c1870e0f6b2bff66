/** The symmetries of documents, for their panel. After an edit it says that it is stale, until the next analysis. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { STEPS_REQUEST, SYMMETRIES_REQUEST } from '../language-server/protocol.js';
import type { TraceEntryDocument } from '../language-server/document-schema.js';
import type {
    AnalysisStatus,
    StepsParams,
    StepsResult,
    SymmetriesParams,
    SymmetriesResult,
} from '../language-server/protocol.js';
import type { NameMarks } from './mark-names.js';
import type { Panels, View } from './panel.js';
import { fileNameOf } from './source-location.js';
import type { ShownState, StateMessage, SymmetriesContent, SymmetryMessage } from './webview/messages.js';

export interface SymmetryViewServices {
    readonly client: BaseLanguageClient;
    readonly panels: Panels;
    readonly marks: NameMarks;
    /** The last state of the run that is shown of a document, if there is one. */
    readonly stateOf: (uri: string) => TraceEntryDocument['state'] | undefined;
}

const VIEW = 'symmetry-panel';

export class SymmetryView implements View<SymmetryMessage> {
    readonly title = 'Symmetries of';
    private readonly services: SymmetryViewServices;
    /** By document URI. */
    private readonly contents = new Map<string, SymmetriesContent>();

    constructor(services: SymmetryViewServices) {
        this.services = services;
        services.panels.add(VIEW, this);
    }

    contentOf(uri: string): SymmetriesContent | undefined {
        return this.contents.get(uri);
    }

    /** Follows the analysis of a document whose symmetries are shown. */
    async onAnalysis({ uri, state, version }: AnalysisStatus): Promise<void> {
        const content = this.contents.get(uri);
        if (!this.services.panels.shows(VIEW, uri)) {
            return;
        }
        if (state === 'done') {
            await this.refresh(uri);
        } else if (content !== undefined && version !== content.version) {
            this.set(uri, { ...content, isStale: true });
        }
    }

    receive(uri: string, message: SymmetryMessage): void {
        switch (message.kind) {
            case 'mark':
                void this.services.marks.mark(uri, message.names);
                break;
            case 'state':
                void this.showStates(uri, message.factor);
                break;
        }
    }

    /** The present result. */
    async refresh(uri: string): Promise<void> {
        const params: SymmetriesParams = { uri };
        const { version, document } = await this.services.client.sendRequest<SymmetriesResult>(
            SYMMETRIES_REQUEST,
            params,
        );
        const current = vscode.workspace.textDocuments.find(open => open.uri.toString() === uri)?.version;
        const isStale = current !== undefined && current !== version;
        this.set(uri, { fileName: fileNameOf(uri), version, isStale, document });
    }

    private set(uri: string, content: SymmetriesContent): void {
        this.contents.set(uri, content);
        this.services.panels.update(VIEW, uri);
    }

    private async showStates(uri: string, factor: number): Promise<void> {
        const answer: StateMessage = { kind: 'state', factor, states: await this.states(uri) };
        this.services.panels.post(VIEW, uri, answer);
    }

    /** That of a run which is shown, then the first ones of the model. */
    private async states(uri: string): Promise<readonly ShownState[]> {
        const stepsFrom = async (
            state?: TraceEntryDocument['state'],
        ): Promise<readonly TraceEntryDocument['state'][]> => {
            const params: StepsParams = { uri, ...(state !== undefined && { state }) };
            const { steps = [] } = await this.services.client.sendRequest<StepsResult>(STEPS_REQUEST, params);
            return steps.map(({ entry }) => entry.state);
        };
        const shown = this.services.stateOf(uri);
        const initial = await stepsFrom();
        const next = initial[0] === undefined ? [] : await stepsFrom(initial[0]);
        return [
            ...(shown === undefined ? [] : [{ what: 'the last state of the run' as const, state: shown }]),
            ...initial.map(state => ({ what: 'an initial state' as const, state })),
            ...next.map(state => ({ what: 'a state after one step' as const, state })),
        ];
    }
}
