/**
 * Explorations of documents. Several run at once if they ask different questions. Progress is shown in the panel of the
 * document and in a notification, and both can cancel it. Finished ones are stored (run-store.ts), so that they can be
 * opened again after their panel, file or window was closed.
 */
import * as vscode from 'vscode';
import { LSPErrorCodes, ResponseError, State } from 'vscode-languageclient';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
    EXPLORE_PROGRESS_NOTIFICATION,
    EXPLORE_REQUEST,
    MAKE_FAIR_REQUEST,
    STEPS_REQUEST,
    isProblemsDocument,
} from '../language-server/protocol.js';
import type {
    ExploreDocument,
    ExploreParams,
    ExploreProgress,
    ExploreResult,
    KeptRun,
    MakeFairParams,
    MakeFairResult,
    Reduction,
    RetracedEntry,
    StepsParams,
    StepsResult,
    TraceEntry,
    UnfairStepDocument,
} from '../language-server/protocol.js';
import { Run } from './exploration-run.js';
import { openPanel } from './panel.js';
import type { Panel } from './panel.js';
import type { Parameters } from './parameters.js';
import type { Results } from './results.js';
import type { RunStore } from './run-store.js';
import { fileNameOf, revealLocation, saveText, toRange } from './source-location.js';
import type { EarlierRun, PanelMessage, RunContent, StepsMessage } from './webview/messages.js';

/** A shorter run shows no notification. */
const NOTIFICATION_DELAY_MILLISECONDS = 500;

export interface ExplorationServices {
    readonly client: BaseLanguageClient;
    readonly extensionUri: vscode.Uri;
    readonly output: vscode.LogOutputChannel;
    readonly results: Results;
    readonly store: RunStore;
    readonly parameters: Parameters;
}

/** What a panel shows: a run of this session, or one from the store. */
type Shown = { readonly kind: 'run'; readonly run: Run } | { readonly kind: 'kept'; readonly content: KeptContent };
type KeptContent = Omit<RunContent, 'isStale' | 'parameters' | 'history'> & { readonly modelKey: string | undefined };

export class Explorations implements vscode.Disposable {
    private readonly services: ExplorationServices;
    private readonly running = new Set<Run>();
    /** What the panel of each document shows or showed last, by URI. */
    private readonly shown = new Map<string, Shown>();
    private readonly panels = new Map<string, Panel<RunContent>>();
    private readonly startEmitter = new vscode.EventEmitter<Run>();
    private readonly subscriptions: vscode.Disposable[];
    readonly onStart = this.startEmitter.event;

    constructor(services: ExplorationServices) {
        this.services = services;
        const { client, results } = services;
        this.subscriptions = [
            this.startEmitter,
            client.onNotification(EXPLORE_PROGRESS_NOTIFICATION, (progress: ExploreProgress) =>
                this.onProgress(progress),
            ),
            results.onChange(({ uri }) => this.show(uri)),
            vscode.window.tabGroups.onDidChangeTabs(({ closed }) => this.onTabsClosed(closed)),
        ];
    }

    /**
     * Explores a document, shows it in its panel, and resolves at the end of the run, also after a failure. Checks
     * everything that the model states, or only `property`.
     */
    async explore(uri: string, reduction: Reduction, property?: string): Promise<void> {
        const run = this.start(uri, reduction, property);
        this.shown.set(uri, { kind: 'run', run });
        this.panelOf(uri).reveal();
        this.show(uri);
        await run.finished;
        this.tellUnseen(run);
    }

    /** The same without a panel. A run with the same question is cancelled. */
    start(uri: string, reduction: Reduction, property?: string): Run {
        const run = new Run({ uri, reduction, property });
        [...this.running].filter(other => other.asksLike(run)).forEach(other => other.cancel());
        this.running.add(run);
        this.startEmitter.fire(run);
        void this.showNotification(run);
        void this.execute(run);
        return run;
    }

    /** The runs of a document that have not ended. */
    runsOf(uri: string): readonly Run[] {
        return [...this.running].filter(run => run.uri === uri);
    }

    /** Shows the run that has answered a question last, or a certain run; explores if it is not kept. */
    async open(uri: string, property?: string, runId?: string): Promise<void> {
        const running = this.runsOf(uri).find(
            run => run.id === runId || (runId === undefined && run.property === property),
        );
        if (running !== undefined) {
            this.reveal(uri, { kind: 'run', run: running });
            return;
        }
        const { store, results } = this.services;
        const runs = store.runsOf(uri);
        const answering = runId ?? (property === undefined ? undefined : results.item(uri, property)?.answer?.runId);
        const kept =
            runs.find(run => run.runId === answering) ??
            runs.find(run => run.property === undefined || run.property === property);
        const document = kept && (await store.documentOf(kept.runId));
        if (kept === undefined || document === undefined) {
            return this.explore(uri, kept?.reduction ?? 'unique', kept === undefined ? property : kept.property);
        }
        const content: KeptContent = {
            fileName: fileNameOf(uri),
            reduction: kept.reduction,
            property: kept.property,
            runId: kept.runId,
            version: undefined,
            run: { kind: 'finished', document },
            modelKey: kept.modelKey,
        };
        this.reveal(uri, { kind: 'kept', content });
    }

    /** The last state of the run whose panel is open. */
    lastStateOf(uri: string): TraceEntry['state'] | undefined {
        const run = this.panels.has(uri) ? this.shown.get(uri) : undefined;
        return runOf(run, 0).at(-1)?.state;
    }

    /** Shows a panel in which the user goes through the model step by step, from the start. */
    step(uri: string): Promise<void> {
        const content: KeptContent = {
            fileName: fileNameOf(uri),
            reduction: 'none',
            property: undefined,
            runId: `walk-${Date.now()}`,
            version: undefined,
            run: { kind: 'walk' },
            modelKey: this.services.results.of(uri)?.modelKey,
        };
        this.reveal(uri, { kind: 'kept', content });
        return Promise.resolve();
    }

    /** Shows a result that was saved as JSON, from a panel or with the command line. */
    showSaved(uri: string, document: ExploreDocument): void {
        const content: KeptContent = {
            fileName: fileNameOf(uri),
            reduction: document.reduction.order === '1' ? 'none' : 'unique',
            property: undefined,
            runId: `saved-${Date.now()}`,
            version: undefined,
            run: { kind: 'finished', document },
            modelKey: undefined,
        };
        this.reveal(uri, { kind: 'kept', content });
    }

    dispose(): void {
        this.running.forEach(run => run.cancel());
        [...this.panels.values()].forEach(panel => panel.dispose());
        this.subscriptions.forEach(subscription => void subscription.dispose());
    }

    private reveal(uri: string, shown: Shown): void {
        this.shown.set(uri, shown);
        this.panelOf(uri).reveal();
        this.show(uri);
    }

    /** Until the end, also after a failure. */
    private async execute(run: Run): Promise<void> {
        try {
            await this.request(run);
        } finally {
            run.cancellation.dispose();
            this.running.delete(run);
            this.show(run.uri);
            run.finish();
        }
    }

    private async request(run: Run): Promise<void> {
        const { client, output, store } = this.services;
        const { uri, reduction, property, id: runId, startedAt } = run;
        const params: ExploreParams = { uri, reduction, runId, startedAt, ...(property !== undefined && { property }) };
        const what = `${fileNameOf(uri)} (reduction: ${reduction})`;
        output.info(`exploring ${what}`);
        try {
            const result = await client.sendRequest<ExploreResult>(EXPLORE_REQUEST, params, run.cancellation.token);
            const { version, document, kept } = result;
            run.version = version;
            run.modelKey = kept?.modelKey ?? run.modelKey;
            run.state = { kind: 'finished', document };
            if (kept !== undefined && !isProblemsDocument(document)) {
                void store.add(uri, kept, document);
            }
            const verdict = isProblemsDocument(document) ? 'the model has errors' : document.verdict;
            output.info(`explored ${what}: ${verdict}`);
        } catch (error) {
            if (error instanceof ResponseError && error.code === LSPErrorCodes.RequestCancelled) {
                output.info(`cancelled the exploration of ${what}`);
                run.state = { kind: 'cancelled', progress: run.progress };
                return;
            }
            const message = this.messageOf(error);
            output.error(`the exploration of ${what} failed: ${message}`);
            run.state = { kind: 'failed', message };
        }
    }

    /** An error of a connection that was lost says nothing to the user. */
    private messageOf(error: unknown): string {
        const message = error instanceof Error ? error.message : String(error);
        const isAnswer = error instanceof ResponseError && error.code === LSPErrorCodes.RequestFailed;
        return isAnswer || (this.services.client.state === State.Running && !LOST_CONNECTION.test(message))
            ? message
            : 'The language server was restarted; run again.';
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

    /** Answers a question of a panel, if the text still says the model that it shows. */
    private async answerSteps(
        uri: string,
        { question, state, towards, along, created }: Extract<PanelMessage, { readonly kind: 'steps' }>,
    ): Promise<void> {
        const shown = this.shown.get(uri);
        const modelKey = shown?.kind === 'kept' ? shown.content.modelKey : shown?.run.modelKey;
        const params: StepsParams = {
            uri,
            ...(along === undefined ? modelKey !== undefined && { modelKey } : { along: runOf(shown, along) }),
            ...(state && { state }),
            ...(towards !== undefined && { towards }),
            ...(created && { created }),
        };
        let result: StepsResult;
        try {
            result = await this.services.client.sendRequest<StepsResult>(STEPS_REQUEST, params);
        } catch (error) {
            result = { problem: this.messageOf(error) };
        }
        const message: StepsMessage = { kind: 'steps', question, result };
        this.panels.get(uri)?.post(message);
    }

    /** Writes the word that excludes a run; the text can be undone. */
    private async makeFair(uri: string, step: UnfairStepDocument): Promise<void> {
        const params: MakeFairParams = { uri, step };
        const { edits } = await this.services.client.sendRequest<MakeFairResult>(MAKE_FAIR_REQUEST, params);
        if (edits.length === 0) {
            void vscode.window.showInformationMessage(
                'The text has no such step any more, or is as fair to it already.',
            );
            return;
        }
        const edit = new vscode.WorkspaceEdit();
        edits.forEach(({ newText, ...place }) =>
            edit.insert(vscode.Uri.parse(place.file), toRange(place).start, newText),
        );
        await vscode.workspace.applyEdit(edit);
    }

    private cancel(run: Run): void {
        run.cancel();
        this.show(run.uri);
    }

    private onProgress(progress: ExploreProgress): void {
        const run = [...this.running].find(candidate => candidate.id === progress.runId);
        if (run?.state.kind === 'running') {
            run.progress = progress;
            run.version = progress.version;
            run.modelKey = progress.modelKey;
            run.state = { ...run.state, progress };
            run.report(progress);
            this.show(run.uri);
        }
    }

    /** The runs of a file end with its last tab. */
    private onTabsClosed(closed: readonly vscode.Tab[]): void {
        const left = new Set(vscode.window.tabGroups.all.flatMap(group => group.tabs).map(uriOfTab));
        for (const uri of closed.map(uriOfTab)) {
            if (uri !== undefined && !left.has(uri)) {
                this.runsOf(uri).forEach(run => this.cancel(run));
            }
        }
    }

    private show(uri: string): void {
        const panel = this.panels.get(uri);
        const shown = this.shown.get(uri);
        if (panel !== undefined && shown !== undefined) {
            panel.update(this.contentOf(uri, shown));
        }
    }

    private contentOf(uri: string, shown: Shown): RunContent {
        const { results, store } = this.services;
        const around = {
            parameters: results.of(uri)?.parameters ?? [],
            history: store.runsOf(uri).map(toEarlierRun),
        };
        if (shown.kind === 'kept') {
            const { modelKey, ...content } = shown.content;
            return { ...content, ...around, isStale: results.isStale(uri, modelKey) };
        }
        const { reduction, property, id: runId, version, modelKey, state } = shown.run;
        const isStale = results.isStale(uri, modelKey);
        return { fileName: fileNameOf(uri), reduction, property, runId, version, isStale, run: state, ...around };
    }

    private panelOf(uri: string): Panel<RunContent> {
        const existing = this.panels.get(uri);
        if (existing !== undefined) {
            return existing;
        }
        const panel = openPanel<RunContent>(this.services.extensionUri, {
            script: 'result-panel',
            title: `Exploration of ${fileNameOf(uri)}`,
            onMessage: message => this.onMessage(uri, message),
            onClosed: () => {
                this.panels.delete(uri);
                this.shown.delete(uri);
            },
        });
        this.panels.set(uri, panel);
        return panel;
    }

    /** A notice at the end of a run whose panel is not in sight. */
    private tellUnseen(run: Run): void {
        const { state, uri } = run;
        if (
            this.panels.get(uri)?.isVisible() === true ||
            state.kind !== 'finished' ||
            isProblemsDocument(state.document)
        ) {
            return;
        }
        const message = `${fileNameOf(uri)}: ${state.document.verdict}`;
        void vscode.window.showInformationMessage(message, 'Open Run').then(choice => {
            if (choice !== undefined) {
                void this.open(uri, run.property, run.id);
            }
        });
    }

    private onMessage(uri: string, message: PanelMessage): void {
        const shown = this.shown.get(uri);
        switch (message.kind) {
            case 'cancel':
                if (shown?.kind === 'run') {
                    this.cancel(shown.run);
                }
                break;
            case 'explore':
                void this.explore(
                    uri,
                    message.reduction,
                    shown?.kind === 'run' ? shown.run.property : shown?.content.property,
                );
                break;
            case 'reveal':
                void revealLocation(message.location);
                break;
            case 'changeParameter':
                void this.services.parameters.change(this.services.client, uri, message.name);
                break;
            case 'openRun':
                void this.open(uri, undefined, message.runId);
                break;
            case 'allowDeadlock':
                void allowDeadlock(uri);
                break;
            case 'makeFair':
                void this.makeFair(uri, message.step);
                break;
            case 'openSetting':
                void vscode.commands.executeCommand('workbench.action.openSettings', message.setting);
                break;
            case 'steps':
                void this.answerSteps(uri, message);
                break;
            case 'save':
                void saveText(message.name, message.text);
                break;
        }
    }
}

/** The run of a violation that is shown. */
function runOf(shown: Shown | undefined, violation: number): readonly RetracedEntry[] {
    const run = shown?.kind === 'kept' ? shown.content.run : shown?.run.state;
    const document = run?.kind === 'finished' && !isProblemsDocument(run.document) ? run.document : undefined;
    const trace = document?.violations[violation]?.trace ?? [];
    return trace.map(({ step, state }) => ({ step: step && { process: step.process, label: step.label }, state }));
}

function toEarlierRun({ runId, reduction, property, parameters, document }: KeptRun): EarlierRun {
    const { verdict, states, seconds } = document;
    return { runId, reduction, property, parameters, verdict, states, seconds };
}

/** Adds the declaration behind the last one; the text can be undone. */
async function allowDeadlock(uri: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
    const last = document.lineAt(document.lineCount - 1);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, last.range.end, `${last.isEmptyOrWhitespace ? '' : '\n'}\nallow deadlock\n`);
    await vscode.workspace.applyEdit(edit);
}

/** The words of the protocol's library for a server that is gone. */
const LOST_CONNECTION = /connection got disposed|connection is (closed|disposed)|not running|write after end|EPIPE/i;

function summarize(progress: ExploreProgress): string {
    return progress.states === 0
        ? 'preparing'
        : `${progress.states.toLocaleString('en-US')} states, depth ${progress.depth}`;
}

function uriOfTab({ input }: vscode.Tab): string | undefined {
    if (input instanceof vscode.TabInputText) {
        return input.uri.toString();
    }
    return input instanceof vscode.TabInputTextDiff ? input.modified.toString() : undefined;
}

function delay(milliseconds: number): Promise<void> {
    return new Promise(resolve => setTimeout(resolve, milliseconds));
}
