/**
 * Explorations of documents. Several run at once if they ask different questions. Progress is shown in the panel of the
 * document and in a notification, and both can cancel it. Finished ones are stored (run-store.ts), so that they can be
 * opened again after their panel, file or window was closed.
 */
import * as vscode from 'vscode';
import { LSPErrorCodes, ResponseError, State } from 'vscode-languageclient';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { isProblemsDocument } from '../language-server/document-schema.js';
import {
    EXPLORE_PROGRESS_NOTIFICATION,
    EXPLORE_REQUEST,
    FIND_RUN_COMMAND,
    MAKE_FAIR_REQUEST,
    MATCH_LOG_COMMAND,
    STEPS_REQUEST,
} from '../language-server/protocol.js';
import type { DocumentValue, TraceEntryDocument, UnfairStepDocument } from '../language-server/document-schema.js';
import type {
    EverySizeResult,
    ExploreParams,
    ExploreProgress,
    ExploreResult,
    KeptRun,
    MakeFairParams,
    MakeFairResult,
    AskedReduction,
    RetracedEntry,
    StepsParams,
    StepsResult,
} from '../language-server/protocol.js';
import { allowDeadlock, keepRun } from './add-declaration.js';
import { ExplorationRun } from './exploration-run.js';
import type { Panels, View } from './panel.js';
import type { Parameters } from './parameters.js';
import type { Questions } from './questions.js';
import type { Results } from './results.js';
import type { RunStore } from './run-store.js';
import { readModel } from './saved-run.js';
import { fileNameOf, toRange } from './source-location.js';
import { whereOf } from './webview/wording.js';
import type { EarlierRun, LogRun, PanelMessage, RunContent, StatedProperty, StepsMessage } from './webview/messages.js';

/** A shorter run shows no notification. */
const NOTIFICATION_DELAY_MILLISECONDS = 500;

export interface ExplorationServices {
    readonly client: BaseLanguageClient;
    readonly panels: Panels;
    readonly output: vscode.LogOutputChannel;
    readonly results: Results;
    readonly store: RunStore;
    readonly parameters: Parameters;
    readonly questions: Questions;
}

/** The content of a panel: a run of this session, or one from the store. */
type Shown =
    { readonly kind: 'run'; readonly run: ExplorationRun } | { readonly kind: 'kept'; readonly content: KeptContent };
type KeptContent = Omit<RunContent, 'isStale' | 'isOfText' | 'asked' | 'parameters' | 'stated' | 'history'> &
    Partial<Record<'modelKey' | 'sourceKey', string | undefined>>;

const VIEW = 'result-panel';
/** The name of the answer about the model itself. */
export const MODEL_LABEL = 'no deadlock, no fault';

/** The only property to check, or the parts of the only run to look for; everything the model states if both are absent. */
type Asked = Partial<Pick<ExplorationRun, 'property' | 'find'>>;

export class ExplorationView implements View<PanelMessage>, vscode.Disposable {
    readonly title = 'Exploration of';
    private readonly services: ExplorationServices;
    private readonly running = new Set<ExplorationRun>();
    /** The parts that are shown of each document, by URI. */
    private readonly shown = new Map<string, Shown>();
    private readonly startEmitter = new vscode.EventEmitter<ExplorationRun>();
    private readonly subscriptions: vscode.Disposable[];
    readonly onStart = this.startEmitter.event;

    constructor(services: ExplorationServices) {
        this.services = services;
        const { client, results, panels } = services;
        panels.add(VIEW, this);
        this.subscriptions = [
            this.startEmitter,
            client.onNotification(EXPLORE_PROGRESS_NOTIFICATION, (progress: ExploreProgress) =>
                this.onProgress(progress),
            ),
            results.onChange(({ uri }) => panels.update(VIEW, uri)),
            vscode.window.tabGroups.onDidChangeTabs(({ closed }) => this.onTabsClosed(closed)),
        ];
    }

    /**
     * Explores a document, shows it in its panel, and resolves at the end of the run, also after a failure. Checks
     * everything that the model states, or only `property`; or looks for a run by its parts, `find`.
     */
    async explore(uri: string, reduction: AskedReduction, asked: Asked = {}): Promise<void> {
        const run = this.start(uri, reduction, asked);
        this.reveal(uri, { kind: 'run', run });
        await run.finished;
        this.tellUnseen(run);
    }

    /** The same without a panel. A run with the same question is cancelled. */
    start(uri: string, reduction: AskedReduction, { property, find }: Asked = {}): ExplorationRun {
        const run = new ExplorationRun({
            uri,
            reduction,
            property,
            find,
            sourceKey: this.services.results.of(uri)?.sourceKey,
        });
        [...this.running].filter(other => other.asksLike(run)).forEach(other => other.cancel());
        this.running.add(run);
        this.startEmitter.fire(run);
        void this.showNotification(run);
        void this.execute(run);
        return run;
    }

    /** The runs of a document that have not ended. */
    runsOf(uri: string): readonly ExplorationRun[] {
        return [...this.running].filter(run => run.uri === uri);
    }

    /** Shows the run that has answered a question last, or a certain run; explores if it is not kept. */
    async open(uri: string, property?: string, runId?: string): Promise<void> {
        const running = this.runsOf(uri).find(
            run => run.id === runId || (runId === undefined && run.find === undefined && run.property === property),
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
        const content = await this.contentOfKept(uri, kept);
        if (content === undefined) {
            return this.explore(uri, kept?.reduction ?? 'unique', {
                property: kept === undefined ? property : kept.property,
            });
        }
        this.reveal(uri, { kind: 'kept', content: { ...content, wanted: property } });
    }

    /** Undefined if the run was dropped. */
    private async contentOfKept(uri: string, kept: KeptRun | undefined): Promise<KeptContent | undefined> {
        const document = kept && (await this.services.store.documentOf(kept.runId));
        if (kept === undefined || document === undefined) {
            return undefined;
        }
        const { reduction, property, runId, modelKey, sourceKey } = kept;
        const run: RunContent['run'] = { kind: 'finished', document };
        return { ...contentOfRun(uri, run), reduction, property, runId, modelKey, sourceKey };
    }

    /** Shows a run of a document that is kept, unless something is shown: the last one about everything, if there is one. */
    async refresh(uri: string): Promise<void> {
        const { store, results } = this.services;
        if (!this.shown.has(uri)) {
            const runs = store.runsOf(uri);
            const byWorth = [...runs.filter(({ property }) => property === undefined), ...runs];
            const kept = byWorth.find(({ modelKey }) => !results.isStale(uri, modelKey)) ?? runs.at(0);
            const content = await this.contentOfKept(uri, kept);
            if (content !== undefined && !this.shown.has(uri)) {
                this.shown.set(uri, { kind: 'kept', content });
            }
        }
        this.services.panels.update(VIEW, uri);
    }

    /** The last state of the run that is shown. */
    lastStateOf(uri: string): TraceEntryDocument['state'] | undefined {
        return runOf(this.keptContentOf(uri).run, 0).at(-1)?.state;
    }

    /** Lets the user go through the model step by step, from the start. */
    async step(uri: string): Promise<void> {
        const { modelKey, sourceKey, parameters = [] } = this.services.results.of(uri) ?? {};
        const params = Object.fromEntries(parameters.map(({ name, value }) => [name, toDocumentValue(value)]));
        const { name } = await readModel(vscode.Uri.parse(uri));
        const document = { schemaVersion: 1 as const, model: name, params, trace: [] };
        const walk = contentOfRun(uri, { kind: 'walk', document });
        this.reveal(uri, { kind: 'kept', content: { ...walk, modelKey, sourceKey } });
    }

    /** Shows a run that was saved. */
    showSaved(uri: string, run: RunContent['run']): void {
        this.reveal(uri, { kind: 'kept', content: contentOfRun(uri, run) });
    }

    /** Shows what came of a log, for the model with these keys. */
    showLog(uri: string, run: LogRun, keys: Pick<KeptContent, 'modelKey' | 'sourceKey'>): void {
        this.reveal(uri, { kind: 'kept', content: { ...contentOfRun(uri, run), ...keys } });
    }

    /** Shows an answer for all values of some parameters. */
    showEverySize(uri: string, names: readonly string[], document: EverySizeResult['document']): void {
        const { sourceKey } = this.services.results.of(uri) ?? {};
        this.reveal(uri, {
            kind: 'kept',
            content: { ...contentOfRun(uri, { kind: 'everySize', names, document }), sourceKey },
        });
    }

    dispose(): void {
        this.running.forEach(run => run.cancel());
        this.subscriptions.forEach(subscription => void subscription.dispose());
    }

    private reveal(uri: string, shown: Shown): void {
        this.shown.set(uri, shown);
        this.services.panels.show(VIEW, uri);
    }

    /** Until the end, also after a failure. */
    private async execute(run: ExplorationRun): Promise<void> {
        try {
            await this.request(run);
        } finally {
            run.cancellation.dispose();
            this.running.delete(run);
            const { modelKey } = this.keptContentOf(run.uri);
            if (run.state.kind === 'finished' && this.services.results.isStale(run.uri, modelKey)) {
                // An exploration after a save, or a test: what is shown is older than the text.
                this.shown.set(run.uri, { kind: 'run', run });
            }
            void this.refresh(run.uri);
            run.finish();
        }
    }

    private async request(run: ExplorationRun): Promise<void> {
        const { client, output, store } = this.services;
        const { uri, reduction, property, find, id: runId, startedAt } = run;
        const params: ExploreParams = {
            uri,
            reduction,
            runId,
            startedAt,
            ...(property !== undefined && { property }),
            ...(find !== undefined && { find }),
        };
        const what = `${fileNameOf(uri)} (reduction: ${reduction})`;
        output.info(`exploring ${what}`);
        try {
            const result = await client.sendRequest<ExploreResult>(EXPLORE_REQUEST, params, run.cancellation.token);
            const { document, kept } = result;
            run.modelKey = kept?.modelKey ?? run.modelKey;
            run.sourceKey = kept?.sourceKey ?? run.sourceKey;
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

    /** A notification with the counts and a cancel button, while the run goes on and its panel is not in sight. */
    private async showNotification(run: ExplorationRun): Promise<void> {
        const isSeen = (): boolean => this.services.panels.isVisible(VIEW, run.uri);
        const wait = (): Promise<void> => Promise.race([run.finished, delay(NOTIFICATION_DELAY_MILLISECONDS)]);
        const title = `Orbit: exploring ${fileNameOf(run.uri)}`;
        const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
        for (await wait(); run.state.kind === 'running'; await wait()) {
            if (isSeen()) {
                continue;
            }
            await vscode.window.withProgress(options, async (notification, token) => {
                token.onCancellationRequested(() => this.cancel(run));
                run.report = progress => notification.report({ message: summarize(progress) });
                do {
                    await wait();
                } while (run.state.kind === 'running' && !isSeen());
            });
        }
    }

    /** Answers a question of a panel, if the text still says the model that it shows. */
    private async answerSteps(
        uri: string,
        { question, state, towards, along, created, asked }: Extract<PanelMessage, { readonly kind: 'steps' }>,
    ): Promise<void> {
        const { modelKey, run } = this.keptContentOf(uri);
        const params: StepsParams = {
            uri,
            ...(along === undefined ? modelKey !== undefined && { modelKey } : { along: runOf(run, along) }),
            ...(state && { state }),
            ...(towards !== undefined && { towards }),
            ...(created && { created }),
            ...(asked && { asked }),
        };
        let result: StepsResult;
        try {
            // A model that is in no editor is closed after a while.
            await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
            result = await this.services.client.sendRequest<StepsResult>(STEPS_REQUEST, params);
        } catch (error) {
            result = { problem: this.messageOf(error) };
        }
        const message: StepsMessage = { kind: 'steps', question, result };
        this.services.panels.post(VIEW, uri, message);
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

    private cancel(run: ExplorationRun): void {
        run.cancel();
        this.services.panels.update(VIEW, run.uri);
    }

    private onProgress(progress: ExploreProgress): void {
        const run = [...this.running].find(candidate => candidate.id === progress.runId);
        if (run?.state.kind === 'running') {
            run.progress = progress;
            run.modelKey = progress.modelKey;
            run.state = { ...run.state, progress };
            run.report(progress);
            this.services.panels.update(VIEW, run.uri);
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

    contentOf(uri: string): RunContent {
        const { results, store } = this.services;
        const { sourceKey, parameters = [] } = results.of(uri) ?? {};
        const content = this.keptContentOf(uri);
        return {
            ...content,
            // An answer for every value is one of the text.
            isStale:
                content.run.kind === 'everySize'
                    ? sourceKey !== undefined && content.sourceKey !== sourceKey
                    : results.isStale(uri, content.modelKey),
            isOfText: content.sourceKey === sourceKey,
            asked: this.services.questions.askedOf(uri),
            parameters,
            stated: this.statedBy(uri),
            history: store.runsOf(uri).map(toEarlierRun),
        };
    }

    private keptContentOf(uri: string): KeptContent {
        const shown = this.shown.get(uri);
        if (shown?.kind !== 'run') {
            return shown?.content ?? contentOfRun(uri, { kind: 'none' });
        }
        const { reduction, property, find, id: runId, modelKey, sourceKey, state } = shown.run;
        return { ...contentOfRun(uri, state), reduction, property, find, runId, modelKey, sourceKey };
    }

    /** The properties of a document that explorations answer, in the order of the text. */
    private statedBy(uri: string): readonly StatedProperty[] {
        const running = this.runsOf(uri).flatMap(({ property, find }) => (find === undefined ? [property] : []));
        const items = this.services.results.of(uri)?.items ?? [];
        return items.flatMap(({ kind, name, isProperty, answer }): readonly StatedProperty[] => {
            if (kind === 'symmetry' || kind === 'every') {
                return [];
            }
            const known = answer?.isStale === false ? answer : undefined;
            const isRunning = running.some(property => property === undefined || property === name);
            const label = kind === 'model' ? MODEL_LABEL : name;
            const mark = isRunning ? 'running' : (known?.verdict ?? 'open');
            return [{ name, label, mark, summary: known?.summary ?? '', isProperty }];
        });
    }

    /** Explores what is asked for one by one; the panel goes on to show what it shows. */
    private async check(uri: string, reduction: AskedReduction, properties: readonly string[]): Promise<void> {
        for (const property of properties) {
            const run = this.start(uri, reduction, { property });
            this.services.panels.update(VIEW, uri);
            await run.finished;
            if (run.state.kind !== 'finished') {
                break;
            }
        }
    }

    private async checkFor(
        uri: string,
        values: Readonly<Record<string, number>>,
        property: string | undefined,
    ): Promise<void> {
        const { parameters, client } = this.services;
        for (const [name, value] of Object.entries(values)) {
            await parameters.choose(client, uri, name, String(value));
        }
        await this.explore(uri, 'unique', { property });
    }

    /** A notice at the end of a run whose panel is not in sight. */
    private tellUnseen(run: ExplorationRun): void {
        const { state, uri } = run;
        const isSeen = this.services.panels.isVisible(VIEW, uri);
        if (isSeen || state.kind !== 'finished' || isProblemsDocument(state.document)) {
            return;
        }
        const message = `${fileNameOf(uri)}: ${state.document.verdict}`;
        void vscode.window.showInformationMessage(message, 'Open Run').then(choice => {
            if (choice !== undefined) {
                void this.open(uri, run.property, run.id);
            }
        });
    }

    receive(uri: string, message: PanelMessage): void {
        const { reduction, property, find } = this.keptContentOf(uri);
        switch (message.kind) {
            case 'cancel':
                this.runsOf(uri).forEach(run => this.cancel(run));
                break;
            case 'explore':
                void this.explore(uri, message.reduction, { property, find });
                break;
            case 'addAsked':
                void this.services.questions.add(uri).then(() => this.services.panels.update(VIEW, uri));
                break;
            case 'removeAsked':
                void this.services.questions
                    .remove(uri, message.expression)
                    .then(() => this.services.panels.update(VIEW, uri));
                break;
            case 'matchLog':
                void vscode.commands.executeCommand(MATCH_LOG_COMMAND, uri, message.log);
                break;
            case 'find':
                void vscode.commands.executeCommand(FIND_RUN_COMMAND, uri);
                break;
            case 'keepRun':
                void (find !== undefined && keepRun(uri, find));
                break;
            case 'walk':
                void this.step(uri);
                break;
            case 'check':
                void this.check(uri, reduction, message.properties);
                break;
            case 'openAnswer': {
                const isAnswered = this.services.results.item(uri, message.property)?.answer?.isStale === false;
                void (isAnswered
                    ? this.open(uri, message.property)
                    : this.explore(uri, reduction, { property: message.property }));
                break;
            }
            case 'changeParameter':
                void this.services.parameters.change(this.services.client, uri, message.name);
                break;
            case 'openRun':
                void this.open(uri, undefined, message.runId);
                break;
            case 'checkFor':
                void this.checkFor(uri, message.values, message.property);
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
        }
    }
}

/** Of something that is no run of an exploration in this window. */
function contentOfRun(uri: string, run: RunContent['run']): KeptContent {
    const document = run.kind === 'finished' && !isProblemsDocument(run.document) ? run.document : undefined;
    return {
        uri,
        fileName: fileNameOf(uri),
        reduction: document?.reduction.order === '1' || run.kind === 'walk' || run.kind === 'log' ? 'none' : 'unique',
        property: undefined,
        runId: run.kind === 'none' ? '' : `${run.kind}-${Date.now()}`,
        run,
    };
}

/** The run of a violation that is shown. */
function runOf(run: RunContent['run'], violation: number): readonly RetracedEntry[] {
    const document = run.kind === 'finished' && !isProblemsDocument(run.document) ? run.document : undefined;
    const trace = document?.violations[violation]?.trace ?? [];
    return trace.map(({ step, state }) => ({ step: step && { process: step.process, label: step.label }, state }));
}

function toEarlierRun({ runId, reduction, property, parameters, document }: KeptRun): EarlierRun {
    const { verdict, seconds } = document;
    return { runId, reduction, property, parameters, verdict, where: whereOf(verdict, document), seconds };
}

/** The value of a parameter as documents have it: `5`, `true`; all else as the text would write it. */
function toDocumentValue(value: string): DocumentValue {
    return /^-?\d+$|^true$|^false$/.test(value) ? (JSON.parse(value) as DocumentValue) : value;
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
