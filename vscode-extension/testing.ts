/**
 * The Testing view, and with it the marks beside the text: an item for each file and for everything that it states. Its
 * answers are those of the server (results.ts), whoever has asked; an answer older than the text is marked as outdated.
 * Other files of the workspace are items that are read when they are opened or run.
 */
import * as vscode from 'vscode';
import { formatForEvery } from '../engine/describe/for-every.js';
import { EVERY_SIZE_REQUEST, SYMMETRIES_REQUEST } from '../language-server/protocol.js';
import type {
    DocumentResults,
    EverySizeParams,
    EverySizeResult,
    ResultAnswer,
    ResultItem,
} from '../language-server/protocol.js';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { ExplorationRun } from './exploration-run.js';
import { MODEL_LABEL, type ExplorationView } from './exploration.js';
import { LogItems } from './log-items.js';
import type { LogMatching } from './log-matching.js';
import type { Results } from './results.js';
import { toRange } from './source-location.js';

/** Files of the workspace that become items without having been opened. */
const MOST_FILES = 500;

export interface TestingServices {
    readonly client: BaseLanguageClient;
    readonly explorations: ExplorationView;
    readonly results: Results;
    readonly matching: LogMatching;
    readonly output: vscode.LogOutputChannel;
}

export class Testing implements vscode.Disposable {
    private readonly services: TestingServices;
    private readonly controller = vscode.tests.createTestController('orbit', 'Orbit');
    /** The answer that each item shows, by the item's id. */
    private readonly shown = new Map<string, string>();
    /** Items that a request of the view is about to answer. */
    private readonly requested = new Set<vscode.TestItem>();
    private readonly logs: LogItems;
    private readonly subscriptions: vscode.Disposable[];

    constructor(services: TestingServices) {
        this.services = services;
        this.logs = new LogItems(this.controller, services.matching);
        const { results, explorations } = services;
        this.controller.resolveHandler = item => (item === undefined ? this.findFiles() : this.read(item));
        this.controller.refreshHandler = () => this.findFiles();
        this.controller.createRunProfile(
            'Explore',
            vscode.TestRunProfileKind.Run,
            (request, token) => this.run(request, token),
            true,
        );
        const watcher = vscode.workspace.createFileSystemWatcher('**/*.orbit', false, true, false);
        const mappings = vscode.workspace.createFileSystemWatcher('**/*.log.json');
        const onMapping = ({ path }: vscode.Uri): void =>
            this.modelsBeside(path).forEach(file => void this.findLogs(file));
        this.subscriptions = [
            this.controller,
            this.logs.subscription,
            watcher,
            mappings,
            mappings.onDidCreate(onMapping),
            mappings.onDidChange(onMapping),
            mappings.onDidDelete(onMapping),
            watcher.onDidCreate(uri => void this.fileItem(uri)),
            watcher.onDidDelete(uri => this.controller.items.delete(uri.toString())),
            // A text that was never saved is gone with its last editor.
            vscode.workspace.onDidCloseTextDocument(({ uri, isUntitled }) => {
                if (isUntitled) {
                    this.controller.items.delete(uri.toString());
                }
            }),
            results.onChange(change => this.update(change)),
            explorations.onStart(run => this.follow(run)),
        ];
    }

    dispose(): void {
        this.subscriptions.forEach(subscription => void subscription.dispose());
    }

    private async findFiles(): Promise<void> {
        const files = await vscode.workspace.findFiles('**/*.orbit', '**/node_modules/**', MOST_FILES);
        files.forEach(uri => this.fileItem(uri));
    }

    private fileItem(uri: vscode.Uri): vscode.TestItem {
        const id = uri.toString();
        const known = this.controller.items.get(id);
        if (known !== undefined) {
            return known;
        }
        const item = this.controller.createTestItem(id, vscode.workspace.asRelativePath(uri), uri);
        item.canResolveChildren = true;
        this.controller.items.add(item);
        return item;
    }

    /** Opens the file of an item, without showing it, so that the server reads it. */
    private async read(item: vscode.TestItem): Promise<void> {
        if (item.uri !== undefined && item.parent === undefined) {
            await vscode.workspace.openTextDocument(item.uri);
            await this.services.results.when(item.id, results => results);
        }
    }

    /** Follows the server: the items of the file, their places and answers. */
    private update({ uri, items }: DocumentResults): void {
        const fileUri = vscode.Uri.parse(uri);
        if (isClosedDraft(fileUri)) {
            // Its last answers may come after it.
            return;
        }
        const file = this.fileItem(fileUri);
        const children = items.map(item => this.childItem(uri, item));
        file.children.replace([...children, ...this.logs.of(uri)]);
        void this.findLogs(file);
        const answered: [vscode.TestItem, ResultItem][] = [];
        const outdated: vscode.TestItem[] = [];
        items.forEach((item, index) => {
            const child = children[index];
            const answer = item.answer;
            if (child === undefined) {
                return;
            }
            const before = this.shown.get(child.id);
            if (answer === undefined) {
                // The answer before was for other values of the parameters.
                if (before !== undefined && !this.requested.has(child)) {
                    this.shown.delete(child.id);
                    outdated.push(child);
                }
                return;
            }
            const now = keyOf(answer);
            if (before !== now && !this.requested.has(child)) {
                this.shown.set(child.id, now);
                if (before !== keyOf({ ...answer, isStale: false })) {
                    answered.push([child, item]);
                }
                if (answer.isStale) {
                    outdated.push(child);
                }
            }
        });
        if (answered.length > 0) {
            const run = this.createRun(answered.map(([child]) => child));
            answered.forEach(([child, item]) => tell(run, child, item));
            run.end();
        }
        if (outdated.length > 0) {
            this.controller.invalidateTestResults(outdated);
        }
    }

    /** The models beside a mapping that have been read. */
    private modelsBeside(mapping: string): readonly vscode.TestItem[] {
        const model = `${mapping.replace(/\.log\.json$/, '')}.orbit`;
        return [...this.controller.items].flatMap(([, file]) =>
            file.uri?.path === model && file.children.size > 0 ? [file] : [],
        );
    }

    /** Follows the mapping of a file: an item for each log that it names. */
    private async findLogs(file: vscode.TestItem): Promise<void> {
        if (await this.logs.find(file)) {
            const others = [...file.children].map(([, item]) => item).filter(item => !isLogOf(item, file));
            file.children.replace([...others, ...this.logs.of(file.id)]);
        }
    }

    /** The item of something that a file states; of an earlier answer the same one, at its present place. */
    private childItem(uri: string, { kind, name, location, forAll }: ResultItem): vscode.TestItem {
        const id = `${uri}#${kind}:${name}`;
        const label =
            kind === 'model' ? MODEL_LABEL : forAll === undefined ? name : `${name} ${formatForEvery(forAll)}`;
        const known = this.controller.items.get(uri)?.children.get(id);
        const item =
            known?.uri?.toString() === location.file
                ? known
                : this.controller.createTestItem(id, label, vscode.Uri.parse(location.file));
        item.label = label;
        item.range = toRange(location);
        // In the order of the text.
        item.sortText = `${kind === 'model' ? 0 : 1}${String(location.line).padStart(6, '0')}`;
        return item;
    }

    /** Shows a run that was started elsewhere as running, and cancels it from the view. */
    private follow(run: ExplorationRun): void {
        const items = this.itemsOf(run).filter(item => !this.requested.has(item));
        if (items.length === 0) {
            return;
        }
        const test = this.createRun(items);
        test.token.onCancellationRequested(() => run.cancel());
        items.forEach(item => {
            test.started(item);
            this.requested.add(item);
        });
        void this.tellAtEnd(run, items, test).finally(() => test.end());
    }

    /** The items that a run is about. */
    private itemsOf({ uri, property }: ExplorationRun): readonly vscode.TestItem[] {
        const results = this.services.results.of(uri);
        return (results?.items ?? [])
            .filter(item => isExplored(item) && (property === undefined || property === item.name))
            .map(item => this.childItem(uri, item));
    }

    /** Tells the view what a run has answered, once the server has passed on its result. */
    private async tellAtEnd(
        run: ExplorationRun,
        items: readonly vscode.TestItem[],
        test: vscode.TestRun,
    ): Promise<void> {
        await run.finished;
        const { results } = this.services;
        const isAnswered = ({ items: all }: DocumentResults): true | undefined =>
            all.some(({ answer }) => answer?.runId === run.id) ? true : undefined;
        if (run.state.kind === 'finished') {
            await results.when(run.uri, isAnswered, ANSWER_MILLISECONDS);
        }
        for (const item of items) {
            this.requested.delete(item);
            const result = this.resultOf(item);
            if (run.state.kind === 'failed') {
                test.errored(item, new vscode.TestMessage(run.state.message));
            } else if (result?.answer !== undefined) {
                // After a cancellation that is the answer before. Without one the item has no state.
                this.shown.set(item.id, keyOf(result.answer));
                tell(test, item, result);
                if (result.answer.isStale) {
                    this.controller.invalidateTestResults(item);
                }
            }
        }
    }

    private resultOf(item: vscode.TestItem): ResultItem | undefined {
        const uri = item.parent?.id;
        return uri === undefined
            ? undefined
            : this.services.results.of(uri)?.items.find(({ kind, name }) => item.id === `${uri}#${kind}:${name}`);
    }

    private createRun(items: readonly vscode.TestItem[]): vscode.TestRun {
        return this.controller.createTestRun(new vscode.TestRunRequest([...items]), undefined, false);
    }

    /** Runs what the view asks for, file by file: one exploration may use all processors. */
    private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
        if (request.include === undefined) {
            await this.findFiles();
        }
        const test = this.controller.createTestRun(request);
        const included = request.include ?? [...this.controller.items].map(([, item]) => item);
        const excluded = new Set(request.exclude ?? []);
        const files = new Set(included.map(item => item.parent ?? item));
        try {
            for (const file of files) {
                if (token.isCancellationRequested) {
                    break;
                }
                if (!excluded.has(file)) {
                    const isMeant = (item: vscode.TestItem): boolean =>
                        (included.includes(file) || included.includes(item)) && !excluded.has(item);
                    await this.readAndRun(file, isMeant, test, token);
                }
            }
        } finally {
            test.end();
        }
    }

    /** An error of one file is that file's, and the others are run. */
    private async readAndRun(
        file: vscode.TestItem,
        isMeant: (item: vscode.TestItem) => boolean,
        test: vscode.TestRun,
        token: vscode.CancellationToken,
    ): Promise<void> {
        const children = (): vscode.TestItem[] => [...file.children].map(([, item]) => item).filter(isMeant);
        try {
            await this.read(file);
            await this.findLogs(file);
            const logs = children().filter(item => this.logs.isLog(item));
            const stated = children().filter(item => !logs.includes(item));
            if (stated.length > 0 || logs.length === 0) {
                await this.runFile(file, stated, test, token);
            }
            for (const log of logs) {
                if (!token.isCancellationRequested) {
                    await this.logs.run(log, test, token);
                }
            }
        } catch (error) {
            if (!token.isCancellationRequested) {
                const message = error instanceof Error ? error.message : String(error);
                this.services.output.error(`${file.label} could not be run: ${message}`);
                test.errored(file, new vscode.TestMessage(message));
            }
        } finally {
            children().forEach(item => this.requested.delete(item));
        }
    }

    /** One exploration answers all; what it leaves open, because it ends at a violation, is explored on its own. */
    private async runFile(
        file: vscode.TestItem,
        items: readonly vscode.TestItem[],
        test: vscode.TestRun,
        token: vscode.CancellationToken,
    ): Promise<void> {
        if (items.length === 0) {
            const message = 'the file has errors or states nothing: see the problems';
            test.errored(file, new vscode.TestMessage(message));
            return;
        }
        items.forEach(item => {
            test.enqueued(item);
            this.requested.add(item);
        });
        const uri = file.id;
        const explored = items.filter(item => isExplored(this.resultOf(item)));
        const [only] = explored;
        const single = explored.length === 1 && only !== undefined ? this.propertyOf(only) : undefined;
        if (explored.length > 0) {
            await this.explore(uri, single, explored, test, token);
        }
        for (const item of explored) {
            const property = this.propertyOf(item);
            const answer = this.resultOf(item)?.answer;
            if (single === undefined && property !== undefined && (answer === undefined || answer.isStale)) {
                if (!token.isCancellationRequested) {
                    await this.explore(uri, property, [item], test, token);
                }
            }
        }
        for (const item of items.filter(other => !explored.includes(other))) {
            test.started(item);
            const { kind, name, forAll: names } = this.resultOf(item) ?? {};
            if (kind === 'every' && name !== undefined && names !== undefined) {
                if (!(await this.checkEvery(item, { uri, names, property: name }, test, token))) {
                    this.requested.delete(item);
                    continue;
                }
            } else {
                await this.services.client.sendRequest(SYMMETRIES_REQUEST, { uri }, token);
            }
            const result = await this.services.results.when(uri, () => {
                const found = this.resultOf(item);
                return found?.answer === undefined || found.answer.isStale ? undefined : found;
            });
            this.requested.delete(item);
            if (result?.answer !== undefined) {
                this.shown.set(item.id, keyOf(result.answer));
                tell(test, item, result);
            }
        }
        items.forEach(item => this.requested.delete(item));
    }

    /** False if the text is no family of models that can be checked; then the item is skipped, with the reason. */
    private async checkEvery(
        item: vscode.TestItem,
        params: EverySizeParams,
        test: vscode.TestRun,
        token: vscode.CancellationToken,
    ): Promise<boolean> {
        const { client } = this.services;
        const { document } = await client.sendRequest<EverySizeResult>(EVERY_SIZE_REQUEST, params, token);
        if (!('problems' in document)) {
            return true;
        }
        for (const { line, message } of document.problems) {
            test.appendOutput(`line ${line}: ${message}\r\n`, undefined, item);
        }
        test.skipped(item);
        return false;
    }

    private async explore(
        uri: string,
        property: string | undefined,
        items: readonly vscode.TestItem[],
        test: vscode.TestRun,
        token: vscode.CancellationToken,
    ): Promise<void> {
        items.forEach(item => test.started(item));
        const run = this.services.explorations.start(uri, 'unique', { property });
        const subscription = token.onCancellationRequested(() => run.cancel());
        await this.tellAtEnd(run, items, test);
        subscription.dispose();
    }

    /** The name under which an item is explored on its own, if it can be. */
    private propertyOf(item: vscode.TestItem): string | undefined {
        const result = this.resultOf(item);
        return result?.isProperty === true ? result.name : undefined;
    }
}

/** As log-items.ts names them. */
function isLogOf(item: vscode.TestItem, file: vscode.TestItem): boolean {
    return item.id.startsWith(`${file.id}#log:`);
}

/** Whether this was a text that was never saved. */
function isClosedDraft(uri: vscode.Uri): boolean {
    const isOpen = ({ uri: open }: vscode.TextDocument): boolean => open.toString() === uri.toString();
    return uri.scheme === 'untitled' && !vscode.workspace.textDocuments.some(isOpen);
}

/** The answer of a run comes just before or after its end. */
const ANSWER_MILLISECONDS = 2_000;

function isExplored(item: ResultItem | undefined): boolean {
    return item?.kind !== 'symmetry' && item?.kind !== 'every';
}

function keyOf(answer: ResultAnswer): string {
    return JSON.stringify([answer.runId, answer.verdict, answer.summary, answer.parameters, answer.isStale]);
}

/** Passes an answer on to the view. */
function tell(test: vscode.TestRun, item: vscode.TestItem, { answer, location }: ResultItem): void {
    if (answer === undefined) {
        return;
    }
    const { verdict, summary, reason, parameters, place, seconds } = answer;
    const duration = seconds === undefined ? undefined : Math.round(seconds * 1000);
    if (verdict === 'holds') {
        test.passed(item, duration);
        return;
    }
    const head = [summary, parameters].filter(part => part !== '').join(', ');
    const message = new vscode.TestMessage([head, ...reason].join('\n'));
    const at = place ?? location;
    message.location = new vscode.Location(vscode.Uri.parse(at.file), toRange(at));
    if (verdict === 'violated') {
        test.failed(item, message, duration);
    } else {
        test.errored(item, message, duration);
    }
}
