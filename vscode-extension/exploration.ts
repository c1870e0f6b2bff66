/**
 * Explorations of documents, at most one for each document at a time. An exploration opens the result panel, shows
 * progress there and in a notification, and can be cancelled in both. A result belongs to one version of the text, and
 * says so after an edit.
 */
import * as vscode from 'vscode';
import { LSPErrorCodes, ResponseError } from 'vscode-languageclient/node.js';
import type { LanguageClient } from 'vscode-languageclient/node.js';
import { EXPLORE_PROGRESS_NOTIFICATION, EXPLORE_REQUEST, isProblemsDocument } from '../language-server/protocol.js';
import type { ExploreParams, ExploreProgress, ExploreResult, Reduction } from '../language-server/protocol.js';
import { openPanel } from './panel.js';
import type { Panel } from './panel.js';
import { fileNameOf, revealLocation } from './source-location.js';
import type { PanelMessage, RunContent, RunState } from './webview/messages.js';

/** A shorter run shows no notification. */
const NOTIFICATION_DELAY_MILLISECONDS = 500;

export class Explorations implements vscode.Disposable {
    private readonly client: LanguageClient;
    private readonly extensionUri: vscode.Uri;
    private readonly output: vscode.LogOutputChannel;
    /** The latest run of each document, by URI, for as long as the document is open. */
    private readonly latest = new Map<string, Run>();
    private readonly panels = new Map<string, Panel<RunContent>>();
    private readonly subscriptions: vscode.Disposable[];
    private runCount = 0;

    constructor(client: LanguageClient, extensionUri: vscode.Uri, output: vscode.LogOutputChannel) {
        this.client = client;
        this.extensionUri = extensionUri;
        this.output = output;
        this.subscriptions = [
            client.onNotification(EXPLORE_PROGRESS_NOTIFICATION, (progress: ExploreProgress) =>
                this.onProgress(progress),
            ),
            vscode.workspace.onDidChangeTextDocument(event => this.onEdit(event)),
            vscode.workspace.onDidCloseTextDocument(document => this.forget(document.uri.toString())),
        ];
    }

    /**
     * Explores a document and resolves at the end of the run, also after a failure. Checks everything that the model
     * states, or only `property`. A run of the same document is cancelled.
     */
    async explore(uri: string, reduction: Reduction, property?: string): Promise<void> {
        const previous = this.latest.get(uri);
        previous?.cancellation.cancel();
        const run = new Run({ uri, reduction, property, id: `${Date.now()}-${this.runCount++}` });
        this.latest.set(uri, run);
        this.panelOf(uri).reveal();
        this.show(run);
        const notification = this.showNotification(run);
        try {
            run.state = await this.request(run);
        } finally {
            run.cancellation.dispose();
            run.finish();
        }
        this.show(run);
        this.tellUnseen(run);
        await notification;
    }

    /** Shows the latest run of a document again; without one, or with one of another property, explores. */
    async open(uri: string, property?: string): Promise<void> {
        const run = this.latest.get(uri);
        if (run === undefined || (run.property !== undefined && run.property !== property)) {
            return this.explore(uri, 'unique', property);
        }
        this.panelOf(uri).reveal();
        this.show(run);
    }

    dispose(): void {
        this.latest.forEach(run => run.cancellation.cancel());
        [...this.panels.values()].forEach(panel => panel.dispose());
        this.subscriptions.forEach(subscription => void subscription.dispose());
    }

    private async request(run: Run): Promise<RunState> {
        const { uri, reduction, property, id: runId } = run;
        const params: ExploreParams = { uri, reduction, runId, ...(property === undefined ? {} : { property }) };
        const what = `${fileNameOf(uri)} (reduction: ${reduction})`;
        this.output.info(`exploring ${what}`);
        try {
            const result = await this.client.sendRequest<ExploreResult>(
                EXPLORE_REQUEST,
                params,
                run.cancellation.token,
            );
            run.version = result.version;
            run.isStale ||= result.version !== currentVersion(run.uri);
            const verdict = 'verdict' in result.document ? result.document.verdict : 'the model has errors';
            this.output.info(`explored ${what}: ${verdict}`);
            return { kind: 'finished', document: result.document };
        } catch (error) {
            if (error instanceof ResponseError && error.code === LSPErrorCodes.RequestCancelled) {
                this.output.info(`cancelled the exploration of ${what}`);
                return { kind: 'cancelled', progress: run.progress };
            }
            const message = error instanceof Error ? error.message : String(error);
            this.output.error(`the exploration of ${what} failed: ${message}`);
            return { kind: 'failed', message };
        }
    }

    /** A notification with the counts and a cancel button, from half a second after the start until the end. */
    private async showNotification(run: Run): Promise<void> {
        await Promise.race([run.finished, delay(NOTIFICATION_DELAY_MILLISECONDS)]);
        if (run.state.kind !== 'running') {
            return;
        }
        const title = `Orbit: exploring ${fileNameOf(run.uri)}`;
        await vscode.window.withProgress(
            { location: vscode.ProgressLocation.Notification, title, cancellable: true },
            async (notification, token) => {
                token.onCancellationRequested(() => this.cancel(run));
                run.report = progress => notification.report({ message: summarize(progress) });
                await run.finished;
            },
        );
    }

    private cancel(run: Run): void {
        if (run.state.kind === 'running') {
            run.state = { ...run.state, isCancelling: true };
            run.cancellation.cancel();
            this.show(run);
        }
    }

    private onProgress(progress: ExploreProgress): void {
        const run = [...this.latest.values()].find(candidate => candidate.id === progress.runId);
        if (run?.state.kind === 'running') {
            run.progress = progress;
            run.version = progress.version;
            run.isStale ||= progress.version !== currentVersion(run.uri);
            run.state = { ...run.state, progress };
            run.report(progress);
            this.show(run);
        }
    }

    private onEdit(event: vscode.TextDocumentChangeEvent): void {
        const run = this.latest.get(event.document.uri.toString());
        const isEdit = event.contentChanges.length > 0;
        if (run !== undefined && isEdit) {
            // Until the server has named the version, it may still explore this one.
            const isStale = run.version !== undefined && run.version !== event.document.version;
            if (isStale !== run.isStale) {
                run.isStale = isStale;
                this.show(run);
            }
        }
    }

    private show(run: Run): void {
        if (this.latest.get(run.uri) === run) {
            this.panels.get(run.uri)?.update(run.content());
        }
    }

    private panelOf(uri: string): Panel<RunContent> {
        const existing = this.panels.get(uri);
        if (existing !== undefined) {
            return existing;
        }
        const panel = openPanel<RunContent>(this.extensionUri, {
            script: 'result-panel',
            title: `Exploration of ${fileNameOf(uri)}`,
            onMessage: message => this.onMessage(uri, message),
            onClosed: () => {
                this.panels.delete(uri);
                if (currentVersion(uri) === undefined) {
                    this.forget(uri);
                }
            },
        });
        this.panels.set(uri, panel);
        return panel;
    }

    /** The run of a closed document ends, and its result is only kept in its panel. */
    private forget(uri: string): void {
        this.latest.get(uri)?.cancellation.cancel();
        if (!this.panels.has(uri)) {
            this.latest.delete(uri);
        }
    }

    /** A notice at the end of a run whose panel was closed. */
    private tellUnseen(run: Run): void {
        if (this.panels.has(run.uri) || run.state.kind !== 'finished' || isProblemsDocument(run.state.document)) {
            return;
        }
        const message = `${fileNameOf(run.uri)}: ${run.state.document.verdict}`;
        void vscode.window.showInformationMessage(message, 'Open Run').then(choice => {
            if (choice !== undefined) {
                void this.open(run.uri);
            }
        });
    }

    private onMessage(uri: string, message: PanelMessage): void {
        switch (message.kind) {
            case 'cancel': {
                const run = this.latest.get(uri);
                if (run !== undefined) {
                    this.cancel(run);
                }
                break;
            }
            case 'explore':
                void this.explore(uri, message.reduction, this.latest.get(uri)?.property);
                break;
            case 'reveal':
                void revealLocation(message.location);
                break;
        }
    }
}

interface RunOptions {
    readonly uri: string;
    readonly reduction: Reduction;
    /** The only property to check, if not all. */
    readonly property: string | undefined;
    readonly id: string;
}

/** One exploration, from its start until its panel is closed or another takes its place. */
class Run implements RunOptions {
    readonly uri: string;
    readonly reduction: Reduction;
    readonly property: string | undefined;
    readonly id: string;
    readonly cancellation = new vscode.CancellationTokenSource();
    /** Resolves when the run is over. */
    readonly finished: Promise<void>;
    finish: () => void = () => undefined;
    /** Called with each progress, once the notification is open. */
    report: (progress: ExploreProgress) => void = () => undefined;
    state: RunState = { kind: 'running', progress: undefined, isCancelling: false };
    progress: ExploreProgress | undefined;
    version: number | undefined;
    isStale = false;

    constructor(options: RunOptions) {
        this.uri = options.uri;
        this.reduction = options.reduction;
        this.property = options.property;
        this.id = options.id;
        this.finished = new Promise(resolve => {
            this.finish = resolve;
        });
    }

    content(): RunContent {
        return {
            fileName: fileNameOf(this.uri),
            reduction: this.reduction,
            property: this.property,
            runId: this.id,
            version: this.version,
            isStale: this.isStale,
            run: this.state,
        };
    }
}

function summarize(progress: ExploreProgress): string {
    return progress.states === 0
        ? 'preparing'
        : `${progress.states.toLocaleString('en-US')} states, depth ${progress.depth}`;
}

function currentVersion(uri: string): number | undefined {
    return vscode.workspace.textDocuments.find(document => document.uri.toString() === uri)?.version;
}

function delay(milliseconds: number): Promise<void> {
    return new Promise(resolve => setTimeout(resolve, milliseconds));
}
