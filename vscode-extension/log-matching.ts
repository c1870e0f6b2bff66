/**
 * Logs of a real system against models: which logs a model has (`logs` in the mapping beside it), the request, and the
 * error at the line that no run explains. The error goes when log or model change, in an editor or on the disk.
 */
import * as vscode from 'vscode';
import { LSPErrorCodes, ResponseError, type BaseLanguageClient } from 'vscode-languageclient';
import { formatLogResult, formatMisfit, formatRefusals } from '../language-server/log-words.js';
import { MATCH_REQUEST } from '../language-server/protocol.js';
import type { MatchAnswer, MatchParams, MatchResult } from '../language-server/protocol.js';
import { findLogs, type FolderEntry } from '../logs/find-logs.js';
import { parseMapping } from '../logs/log-mapping.js';
import type { Counts } from './counts.js';
import type { Results } from './results.js';
import { fileNameOf } from './source-location.js';
import type { LogRun } from './webview/messages.js';

/** What came of a log. */
export interface MatchedLog extends Pick<MatchResult, 'modelKey' | 'sourceKey'> {
    readonly uri: string;
    readonly log: string;
    /** Of the log. */
    readonly text: string;
    readonly run: LogRun;
    readonly milliseconds: number;
    /** Empty if the log fits, or that is undecided. */
    readonly problems: readonly vscode.Diagnostic[];
}

/** Menus for logs are shown in the folders that this context has. */
const FOLDERS_CONTEXT = 'orbit.logFolders';

export class LogMatching implements vscode.Disposable {
    private readonly client: BaseLanguageClient;
    private readonly results: Results;
    private readonly counts: Counts;
    private readonly diagnostics = vscode.languages.createDiagnosticCollection('orbit-logs');
    /** By log, as long as neither it nor the model has changed. */
    private readonly matched = new Map<string, MatchedLog>();
    /** By log that is matched, for what other programs write. */
    private readonly watchers = new Map<string, vscode.Disposable>();
    private readonly folders = new Set<string>();
    private readonly matchEmitter = new vscode.EventEmitter<MatchedLog>();
    private readonly staleEmitter = new vscode.EventEmitter<MatchedLog>();
    private readonly subscriptions: readonly vscode.Disposable[];
    readonly onMatched = this.matchEmitter.event;
    /** The log, the model or a value of its parameters has changed since. */
    readonly onStale = this.staleEmitter.event;

    constructor(client: BaseLanguageClient, results: Results, counts: Counts) {
        this.client = client;
        this.counts = counts;
        this.results = results;
        this.subscriptions = [
            this.diagnostics,
            this.matchEmitter,
            this.staleEmitter,
            vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
                if (contentChanges.length > 0) {
                    this.forget(({ log, text }) => log === document.uri.toString() && text !== document.getText());
                }
            }),
            results.onChange(({ uri }) => {
                this.addFolder(folderOf(vscode.Uri.parse(uri)));
                this.forget(matched => matched.uri === uri && results.isStale(uri, matched.modelKey));
            }),
        ];
    }

    /** The logs that the mapping beside a model names; none if there is no mapping. Throws if it cannot be followed. */
    async logsOf(uri: string): Promise<readonly vscode.Uri[]> {
        const mappingUri = mappingOf(vscode.Uri.parse(uri));
        const text = await textIfThere(mappingUri);
        if (text === undefined) {
            return [];
        }
        const mapping = parseMapping(text);
        if (typeof mapping === 'string') {
            throw new Error(`${fileNameOf(mappingUri.toString())}: ${mapping}`);
        }
        const folder = folderOf(vscode.Uri.parse(uri));
        const paths = await findLogs(mapping.logs, path => entriesOf(vscode.Uri.joinPath(folder, ...path)));
        const logs = paths.map(path => vscode.Uri.joinPath(folder, ...path));
        logs.forEach(log => this.addFolder(folderOf(log)));
        return logs;
    }

    /** Judges a log; undefined if that was cancelled. Throws if the log cannot be read, and the errors of the request. */
    async match(
        uri: string,
        log: vscode.Uri,
        onLines: (lines: number) => void,
        token?: vscode.CancellationToken,
    ): Promise<MatchedLog | undefined> {
        // So the server has it, whether or not it is in an editor.
        await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
        const text = await readText(log);
        const mappingUri = mappingOf(vscode.Uri.parse(uri));
        const mapping = await textIfThere(mappingUri);
        const given = { uri, log: text, ...(mapping !== undefined && { mapping }) };
        const start = Date.now();
        try {
            const { answer, title, ...keys } = await this.counts.during(
                ({ count }) => onLines(count),
                runId => {
                    const params: MatchParams = { ...given, runId };
                    return this.client.sendRequest<MatchResult>(MATCH_REQUEST, params, token);
                },
            );
            const run: LogRun = {
                kind: 'log',
                log: log.toString(),
                logName: vscode.workspace.asRelativePath(log),
                mappingName: fileNameOf(mappingUri.toString()),
                answer,
                ...(title !== undefined && { title }),
            };
            const problems = problemsOf(run, title?.model ?? '', text.split('\n'));
            const matched = {
                uri,
                log: log.toString(),
                text,
                run,
                ...keys,
                milliseconds: Date.now() - start,
                problems,
            };
            this.matched.set(matched.log, matched);
            this.watch(log);
            this.diagnostics.set(log, problems);
            this.matchEmitter.fire(matched);
            return matched;
        } catch (error) {
            if (error instanceof ResponseError && error.code === LSPErrorCodes.RequestCancelled) {
                return undefined;
            }
            throw error;
        }
    }

    dispose(): void {
        [...this.subscriptions, ...this.watchers.values()].forEach(subscription => void subscription.dispose());
    }

    private watch(log: vscode.Uri): void {
        const key = log.toString();
        if (this.watchers.has(key)) {
            return;
        }
        // A name may have characters that mean something in a pattern.
        const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folderOf(log), '*'), true);
        const compare = async (changed: vscode.Uri): Promise<void> => {
            if (changed.toString() === key) {
                const now = await textIfThere(log);
                this.forget(matched => matched.log === key && matched.text !== now);
            }
        };
        watcher.onDidChange(compare);
        watcher.onDidDelete(compare);
        this.watchers.set(key, watcher);
    }

    private forget(isStale: (matched: MatchedLog) => boolean): void {
        for (const matched of [...this.matched.values()].filter(isStale)) {
            this.matched.delete(matched.log);
            this.watchers.get(matched.log)?.dispose();
            this.watchers.delete(matched.log);
            this.diagnostics.delete(vscode.Uri.parse(matched.log));
            this.staleEmitter.fire(matched);
        }
    }

    private addFolder({ scheme, fsPath, path }: vscode.Uri): void {
        // As the context of a menu writes it.
        const folder = scheme === 'file' ? fsPath : path;
        if (!this.folders.has(folder)) {
            this.folders.add(folder);
            void vscode.commands.executeCommand('setContext', FOLDERS_CONTEXT, [...this.folders]);
        }
    }
}

/** `raft.log.json` beside `raft.orbit`. */
function mappingOf(model: vscode.Uri): vscode.Uri {
    return model.with({ path: `${model.path.replace(/\.orbit$/, '')}.log.json` });
}

export function folderOf(uri: vscode.Uri): vscode.Uri {
    return vscode.Uri.joinPath(uri, '..');
}

/** What was not saved counts; else what is on the disk, which the editor may not have read again yet. */
async function readText(uri: vscode.Uri): Promise<string> {
    const open = vscode.workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
    const unsaved = open?.isDirty === true || open?.isUntitled === true ? open.getText() : undefined;
    return unsaved ?? new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

async function textIfThere(uri: vscode.Uri): Promise<string | undefined> {
    try {
        return await readText(uri);
    } catch (error) {
        if (error instanceof vscode.FileSystemError && error.code !== 'FileNotFound') {
            throw error;
        }
        return undefined;
    }
}

async function entriesOf(folder: vscode.Uri): Promise<readonly FolderEntry[]> {
    try {
        const entries = await vscode.workspace.fs.readDirectory(folder);
        return entries.map(([name, type]) => ({
            name,
            isFile: (type & vscode.FileType.File) !== 0,
            isLink: (type & vscode.FileType.SymbolicLink) !== 0,
        }));
    } catch (error) {
        // `..` may lead to none, and one may be gone since it was seen.
        if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') {
            return [];
        }
        throw error;
    }
}

function problemsOf(run: LogRun, model: string, lines: readonly string[]): readonly vscode.Diagnostic[] {
    const { answer } = run;
    const rangeOf = (line: number): vscode.Range => {
        const index = isOfSpans(answer) ? 0 : Math.min(lines.length, line) - 1;
        return new vscode.Range(index, 0, index, lines[index]?.trimEnd().length ?? 0);
    };
    if (answer.kind === 'log') {
        return [problem(rangeOf(answer.line), answer.message, answer.code)];
    }
    if (answer.kind !== 'judged') {
        return [];
    }
    const { verdict, misfit, lines: fitting } = answer.document;
    if (verdict !== 'misfit' && verdict !== 'violated') {
        return [];
    }
    if (misfit === undefined) {
        return [problem(rangeOf(fitting), formatLogResult(answer.document), 'log/misfit')];
    }
    const parts = formatMisfit(misfit, hidingIn(run));
    const [first] = formatRefusals(misfit).length === 0 ? [] : parts;
    const what = isOfSpans(answer) ? `span ${misfit.line}` : 'this line';
    const because = first === undefined ? '' : `: ${first.text}`;
    const misfitProblem = problem(rangeOf(misfit.line), `no run of ${model} explains ${what}${because}`, 'log/misfit');
    const uri = vscode.Uri.parse(run.log);
    misfitProblem.relatedInformation = parts
        .filter(part => part !== first)
        .map(
            ({ line, text }) => new vscode.DiagnosticRelatedInformation(new vscode.Location(uri, rangeOf(line)), text),
        );
    return [misfitProblem];
}

/** A test's message: the result, what stands against the line, and what would mend it. */
export function linesOfMatch(run: LogRun): readonly string[] {
    const { answer } = run;
    switch (answer.kind) {
        case 'judged': {
            const { misfit } = answer.document;
            const parts = misfit === undefined ? [] : formatMisfit(misfit, hidingIn(run));
            return [formatLogResult(answer.document), ...parts.map(({ text }) => text)];
        }
        case 'model':
            return ['the model has errors: see the problems'];
        case 'mapping':
        case 'log':
            return [answer.message];
    }
}

function hidingIn({ mappingName }: LogRun): () => string {
    return () => `name it in "hide" of ${mappingName}`;
}

function isOfSpans(answer: MatchAnswer): boolean {
    return answer.kind === 'judged' && answer.isOfSpans;
}

function problem(range: vscode.Range, message: string, code: string): vscode.Diagnostic {
    const made = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
    made.source = 'orbit';
    made.code = code;
    return made;
}
