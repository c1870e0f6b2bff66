/** An editor for tests: starts the server, bundled as it ships, as its own process and speaks LSP over stdio. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import {
    CodeLensRefreshRequest,
    CodeLensRequest,
    ConfigurationRequest,
    createProtocolConnection,
    DiagnosticRefreshRequest,
    DidChangeConfigurationNotification,
    DidChangeTextDocumentNotification,
    DidCloseTextDocumentNotification,
    DidOpenTextDocumentNotification,
    DidSaveTextDocumentNotification,
    HoverRequest,
    InitializedNotification,
    InitializeRequest,
    LogMessageNotification,
    MessageType,
    PublishDiagnosticsNotification,
    RegistrationRequest,
    StreamMessageReader,
    StreamMessageWriter,
    type CancellationToken,
    type Diagnostic,
    type InitializeResult,
    type Position,
    type ProtocolConnection,
} from 'vscode-languageserver/node.js';
import {
    ANALYSIS_NOTIFICATION,
    EXPLORE_PROGRESS_NOTIFICATION,
    EXPLORE_REQUEST,
    SWEEP_ROW_NOTIFICATION,
    SYMMETRIES_REQUEST,
    type AnalysisStatus,
    type ExploreParams,
    type ExploreProgress,
    type ExploreResult,
    type SweepRow,
    type SymmetriesResult,
} from '../../language-server/protocol.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Longer than anything takes on a busy machine, shorter than the limit of a test. */
const PATIENCE_MILLISECONDS = 120_000;
/** The unit of processor times in /proc on Linux. */
const MILLISECONDS_IN_TICK = 10;

/** Bundles the server and its worker into a folder of their own; the function returned removes it. */
export async function buildServer(): Promise<{ readonly serverFile: string; readonly remove: () => void }> {
    const folder = mkdtempSync(join(tmpdir(), 'orbit-server-'));
    await build({
        absWorkingDir: ROOT,
        entryPoints: {
            server: 'language-server/main.ts',
            'analysis-worker': 'language-server/analysis/analysis-worker.ts',
        },
        outdir: folder,
        outExtension: { '.js': '.cjs' },
        bundle: true,
        platform: 'node',
        target: 'node20',
        format: 'cjs',
        logLevel: 'error',
    });
    return {
        serverFile: join(folder, 'server.cjs'),
        remove: () => {
            rmSync(folder, { recursive: true, force: true });
        },
    };
}

export class TestEditor {
    /** The errors and warnings that the server has written to its log. */
    readonly log: string[] = [];
    readonly progress: ExploreProgress[] = [];
    capabilities: InitializeResult['capabilities'] = {};
    refreshCount = 0;
    diagnosticRefreshCount = 0;
    /** How often diagnostics were sent without being asked for. */
    pushCount = 0;

    readonly sweepRows: SweepRow[] = [];
    private readonly process: ChildProcess;
    private readonly connection: ProtocolConnection;
    private readonly diagnostics = new Map<string, Diagnostic[]>();
    private readonly statuses = new Map<string, AnalysisStatus>();
    private readonly versions = new Map<string, number>();
    private readonly texts = new Map<string, string>();
    private readonly waiting = new Set<() => void>();

    private constructor(serverFile: string) {
        this.process = spawn(process.execPath, [serverFile, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
        const { stdin, stdout } = this.process;
        if (stdin === null || stdout === null) {
            throw new Error('the server has no pipes');
        }
        this.connection = createProtocolConnection(new StreamMessageReader(stdout), new StreamMessageWriter(stdin));
        this.connection.onNotification(PublishDiagnosticsNotification.type, ({ uri, diagnostics }) => {
            this.pushCount++;
            this.diagnostics.set(uri, diagnostics);
            this.wake();
        });
        this.connection.onNotification(ANALYSIS_NOTIFICATION, (status: AnalysisStatus) => {
            this.statuses.set(status.uri, status);
            this.wake();
        });
        this.connection.onNotification(EXPLORE_PROGRESS_NOTIFICATION, (progress: ExploreProgress) => {
            this.progress.push(progress);
            this.wake();
        });
        this.connection.onNotification(SWEEP_ROW_NOTIFICATION, (row: SweepRow) => void this.sweepRows.push(row));
        this.connection.onNotification(LogMessageNotification.type, ({ type, message }) => {
            if (type === MessageType.Error || type === MessageType.Warning) {
                this.log.push(message);
            }
        });
        this.connection.onRequest(CodeLensRefreshRequest.type, () => {
            this.refreshCount++;
        });
        this.connection.onRequest(DiagnosticRefreshRequest.type, () => {
            this.diagnosticRefreshCount++;
            this.wake();
        });
        this.connection.onRequest(RegistrationRequest.type, () => undefined);
        this.connection.onRequest(ConfigurationRequest.type, ({ items }) => items.map(() => null));
        this.connection.listen();
    }

    /** An editor whose server is initialized. */
    static async start(serverFile: string, { pullsDiagnostics = false } = {}): Promise<TestEditor> {
        const editor = new TestEditor(serverFile);
        const result = await editor.connection.sendRequest(InitializeRequest.type, {
            processId: process.pid,
            rootUri: null,
            workspaceFolders: null,
            capabilities: {
                workspace: {
                    codeLens: { refreshSupport: true },
                    configuration: true,
                    ...(pullsDiagnostics && { diagnostics: { refreshSupport: true } }),
                },
                textDocument: {
                    completion: { completionItem: { snippetSupport: true } },
                    publishDiagnostics: { relatedInformation: true },
                    hover: { contentFormat: ['markdown'] },
                    ...(pullsDiagnostics && { diagnostic: {} }),
                },
            },
        });
        editor.capabilities = result.capabilities;
        await editor.connection.sendNotification(InitializedNotification.type, {});
        return editor;
    }

    /** Ends the server as an editor does; throws when it does not end well. */
    async stop(): Promise<void> {
        const exit = new Promise<number | null>(resolve => this.process.once('exit', resolve));
        await this.connection.sendRequest('shutdown');
        await this.connection.sendNotification('exit');
        const code = await exit;
        this.connection.dispose();
        if (code !== 0) {
            throw new Error(`the server ended with code ${code}`);
        }
    }

    /** With any parameters. */
    async notify(method: string, params: object): Promise<void> {
        await this.connection.sendNotification(method, params);
    }

    async open(uri: string, text: string): Promise<void> {
        this.versions.set(uri, 1);
        this.texts.set(uri, text);
        const textDocument = { uri, languageId: 'orbit', version: 1, text };
        await this.connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument });
    }

    /** Replaces the one occurrence of `search`. What the server has said about the text before is forgotten. */
    async edit(uri: string, search: string, replacement: string): Promise<void> {
        const before = this.textOf(uri);
        if (before.split(search).length !== 2) {
            throw new Error(`'${search}' does not stand exactly once in the text`);
        }
        const version = (this.versions.get(uri) ?? 0) + 1;
        const text = before.replace(search, () => replacement);
        this.versions.set(uri, version);
        this.texts.set(uri, text);
        this.diagnostics.delete(uri);
        await this.connection.sendNotification(DidChangeTextDocumentNotification.type, {
            textDocument: { uri, version },
            contentChanges: [
                {
                    range: {
                        start: positionOf(before, search),
                        end: positionOf(before, search, search.length),
                    },
                    text: replacement,
                },
            ],
        });
    }

    async save(uri: string): Promise<void> {
        await this.connection.sendNotification(DidSaveTextDocumentNotification.type, { textDocument: { uri } });
    }

    async close(uri: string): Promise<void> {
        await this.connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri } });
    }

    async configure(orbit: object): Promise<void> {
        await this.connection.sendNotification(DidChangeConfigurationNotification.type, { settings: { orbit } });
    }

    versionOf(uri: string): number {
        return this.versions.get(uri) ?? 0;
    }

    /** The processor time of all threads of the server so far, on Linux. */
    processorMilliseconds(): number {
        const fields = readFileSync(`/proc/${this.process.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
        return (Number(fields[11]) + Number(fields[12])) * MILLISECONDS_IN_TICK;
    }

    textOf(uri: string): string {
        const text = this.texts.get(uri);
        if (text === undefined) {
            throw new Error(`${uri} was never opened`);
        }
        return text;
    }

    /** Where `search` stands for the first time, moved on by `offset`. */
    positionOf(uri: string, search: string, offset = 0): Position {
        return positionOf(this.textOf(uri), search, offset);
    }

    request<R>(method: string, params: object, token?: CancellationToken): Promise<R> {
        return token === undefined
            ? this.connection.sendRequest<R>(method, params)
            : this.connection.sendRequest<R>(method, params, token);
    }

    explore(params: ExploreParams, token?: CancellationToken): Promise<ExploreResult> {
        return this.request(EXPLORE_REQUEST, params, token);
    }

    symmetries(uri: string): Promise<SymmetriesResult> {
        return this.request(SYMMETRIES_REQUEST, { uri });
    }

    /** The titles of the code lenses, in the order of the text. */
    async lensTitles(uri: string): Promise<string[]> {
        const lenses = await this.connection.sendRequest(CodeLensRequest.type, { textDocument: { uri } });
        return (lenses ?? []).map(lens => lens.command?.title ?? '');
    }

    /** The text of the hover over the first occurrence of `search`. */
    async hoverText(uri: string, search: string, offset = 0): Promise<string | undefined> {
        const position = this.positionOf(uri, search, offset);
        const hover = await this.connection.sendRequest(HoverRequest.type, { textDocument: { uri }, position });
        const contents = hover?.contents;
        return typeof contents === 'object' && 'value' in contents ? contents.value : undefined;
    }

    /** The diagnostics, once they satisfy the condition. */
    diagnosticsWhere(uri: string, condition: (diagnostics: readonly Diagnostic[]) => boolean): Promise<Diagnostic[]> {
        return this.when(
            () => {
                const diagnostics = this.diagnostics.get(uri);
                return diagnostics !== undefined && condition(diagnostics) ? diagnostics : undefined;
            },
            () => `diagnostics ${JSON.stringify(this.diagnostics.get(uri))}`,
        );
    }

    /** The state of the analysis, once it satisfies the condition. */
    statusWhere(uri: string, condition: (status: AnalysisStatus) => boolean): Promise<AnalysisStatus> {
        return this.when(
            () => {
                const status = this.statuses.get(uri);
                return status !== undefined && condition(status) ? status : undefined;
            },
            () => `status ${JSON.stringify(this.statuses.get(uri))}`,
        );
    }

    /** The result of `look` once it has one; looks again whenever the server has said something. */
    async when<T>(look: () => T | undefined, describe: () => string): Promise<T> {
        const deadline = Date.now() + PATIENCE_MILLISECONDS;
        for (;;) {
            const result = look();
            if (result !== undefined) {
                return result;
            }
            if (Date.now() > deadline) {
                throw new Error(`waited in vain; the last was ${describe()}\n${this.log.join('\n')}`);
            }
            await new Promise<void>(resolve => {
                const timer = setTimeout(done, 1000);
                const { waiting } = this;
                function done(): void {
                    clearTimeout(timer);
                    waiting.delete(done);
                    resolve();
                }
                waiting.add(done);
            });
        }
    }

    private wake(): void {
        for (const resolve of [...this.waiting]) {
            resolve();
        }
    }
}

/** Where `search` stands for the first time in `text`, moved on by `offset`. */
export function positionOf(text: string, search: string, offset = 0): Position {
    const index = text.indexOf(search);
    if (index < 0) {
        throw new Error(`'${search}' is not in the text`);
    }
    const before = text.slice(0, index + offset).split('\n');
    return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}
