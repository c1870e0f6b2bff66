/** A panel with the symmetries of a document. After an edit it says that it is stale, until the next analysis. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { STEPS_REQUEST, SYMMETRIES_REQUEST } from '../language-server/protocol.js';
import type {
    AnalysisStatus,
    StepsParams,
    StepsResult,
    SymmetriesParams,
    SymmetriesResult,
    TraceEntry,
} from '../language-server/protocol.js';
import type { NameMarks } from './mark-names.js';
import { openPanel } from './panel.js';
import type { Panel } from './panel.js';
import { fileNameOf, revealLocation } from './source-location.js';
import type { ShownState, StateMessage, SymmetriesContent, SymmetryMessage } from './webview/messages.js';

interface Shown {
    readonly panel: Panel<SymmetriesContent>;
    content: SymmetriesContent | undefined;
}

export interface SymmetryViewServices {
    readonly client: BaseLanguageClient;
    readonly extensionUri: vscode.Uri;
    readonly marks: NameMarks;
    /** The last state of the run that is shown of a document, if there is one. */
    readonly stateOf: (uri: string) => TraceEntry['state'] | undefined;
}

export class SymmetryView implements vscode.Disposable {
    private readonly services: SymmetryViewServices;
    /** The open panels by document URI. */
    private readonly shown = new Map<string, Shown>();

    constructor(services: SymmetryViewServices) {
        this.services = services;
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
        const panel = openPanel<SymmetriesContent, SymmetryMessage>(this.services.extensionUri, {
            script: 'symmetry-panel',
            title: `Symmetries of ${fileNameOf(uri)}`,
            onMessage: message => void this.receive(uri, message),
            onClosed: () => this.shown.delete(uri),
        });
        const shown: Shown = { panel, content: undefined };
        this.shown.set(uri, shown);
        return shown;
    }

    private async receive(uri: string, message: SymmetryMessage): Promise<void> {
        switch (message.kind) {
            case 'reveal':
                await revealLocation(message.location);
                break;
            case 'mark':
                await this.services.marks.mark(uri, message.names);
                break;
            case 'state': {
                const answer: StateMessage = { kind: 'state', factor: message.factor, states: await this.states(uri) };
                this.shown.get(uri)?.panel.post(answer);
                break;
            }
        }
    }

    /** That of a run which is shown, then the first ones of the model. */
    private async states(uri: string): Promise<readonly ShownState[]> {
        const stepsFrom = async (state?: TraceEntry['state']): Promise<readonly TraceEntry['state'][]> => {
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

    private async refresh(uri: string, shown: Shown): Promise<void> {
        const params: SymmetriesParams = { uri };
        const { version, document } = await this.services.client.sendRequest<SymmetriesResult>(
            SYMMETRIES_REQUEST,
            params,
        );
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
