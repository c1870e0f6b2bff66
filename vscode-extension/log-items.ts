/** Items of the Testing view for the logs that the mapping of a model names. Running one judges the log. */
import * as vscode from 'vscode';
import { linesOfMatch, type LogMatching, type MatchedLog } from './log-matching.js';

export class LogItems {
    private readonly controller: vscode.TestController;
    private readonly matching: LogMatching;
    /** By model, in the order of their paths. */
    private readonly items = new Map<string, readonly vscode.TestItem[]>();
    /** Items that a request of the view is about to answer. */
    private readonly requested = new Set<vscode.TestItem>();
    readonly subscription: vscode.Disposable;

    constructor(controller: vscode.TestController, matching: LogMatching) {
        this.controller = controller;
        this.matching = matching;
        this.subscription = vscode.Disposable.from(
            matching.onMatched(matched => this.follow(matched)),
            matching.onStale(({ uri, log }) => {
                const item = this.itemOf(uri, log);
                if (item !== undefined) {
                    controller.invalidateTestResults(item);
                }
            }),
        );
    }

    /** Those that are known of a model. */
    of(uri: string): readonly vscode.TestItem[] {
        return this.items.get(uri) ?? [];
    }

    isLog(item: vscode.TestItem): boolean {
        return item.parent !== undefined && this.of(item.parent.id).includes(item);
    }

    /** Looks for the logs of a model, and says at its item why they are not known; whether there are others than before. */
    async find(file: vscode.TestItem): Promise<boolean> {
        const uri = file.id;
        let logs: readonly vscode.Uri[] = [];
        try {
            logs = await this.matching.logsOf(uri);
            file.error = undefined;
        } catch (error) {
            file.error = messageOf(error);
        }
        const before = this.of(uri);
        const items = logs.map(log => {
            const id = idOf(uri, log.toString());
            const known = before.find(item => item.id === id);
            const item = known ?? this.controller.createTestItem(id, vscode.workspace.asRelativePath(log), log);
            // Behind what the text states.
            item.sortText = `2${item.label}`;
            return item;
        });
        this.items.set(uri, items);
        return items.length !== before.length || items.some((item, index) => item !== before[index]);
    }

    /** Judges the log of an item. */
    async run(item: vscode.TestItem, test: vscode.TestRun, token: vscode.CancellationToken): Promise<void> {
        const { parent, uri: log } = item;
        if (parent === undefined || log === undefined) {
            return;
        }
        test.started(item);
        this.requested.add(item);
        try {
            const matched = await this.matching.match(parent.id, log, () => undefined, token);
            if (matched !== undefined) {
                tell(test, item, matched);
            }
        } catch (error) {
            test.errored(item, new vscode.TestMessage(messageOf(error)));
        } finally {
            this.requested.delete(item);
        }
    }

    /** Tells the view of a log that was judged by the command. */
    private follow(matched: MatchedLog): void {
        const item = this.itemOf(matched.uri, matched.log);
        if (item !== undefined && !this.requested.has(item)) {
            const test = this.controller.createTestRun(new vscode.TestRunRequest([item]), undefined, false);
            tell(test, item, matched);
            test.end();
        }
    }

    private itemOf(uri: string, log: string): vscode.TestItem | undefined {
        return this.of(uri).find(({ id }) => id === idOf(uri, log));
    }
}

function messageOf(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}

function idOf(uri: string, log: string): string {
    return `${uri}#log:${log}`;
}

function tell(test: vscode.TestRun, item: vscode.TestItem, { run, problems, milliseconds }: MatchedLog): void {
    const { answer } = run;
    const verdict = answer.kind === 'judged' ? answer.document.verdict : 'wrong';
    if (verdict === 'fits') {
        test.passed(item, milliseconds);
        return;
    }
    const message = new vscode.TestMessage(linesOfMatch(run).join('\n'));
    const [first] = problems;
    if (first !== undefined && item.uri !== undefined) {
        message.location = new vscode.Location(item.uri, first.range);
    }
    if (verdict === 'misfit' || verdict === 'violated') {
        test.failed(item, message, milliseconds);
    } else {
        test.errored(item, message, milliseconds);
    }
}
