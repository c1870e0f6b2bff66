/** One exploration in this session, from its start to its end, and what its panel shows of it. */
import * as vscode from 'vscode';
import type { ExploreProgress, AskedReduction } from '../language-server/protocol.js';
import type { RunState } from './webview/messages.js';

export interface RunOptions {
    readonly uri: string;
    readonly reduction: AskedReduction;
    /** The only property to check, if not all. */
    readonly property: string | undefined;
    /** The parts of the only run to look for. */
    readonly find: string | undefined;
    /** Names the text whose exploration is asked for. */
    readonly sourceKey: string | undefined;
}

let runCount = 0;

export class ExplorationRun implements RunOptions {
    readonly uri: string;
    readonly reduction: AskedReduction;
    readonly property: string | undefined;
    readonly find: string | undefined;
    /** Begins with the time, so that names sort by age. */
    readonly id: string;
    readonly startedAt = Date.now();
    readonly cancellation = new vscode.CancellationTokenSource();
    /** Resolves when the run is over. */
    readonly finished: Promise<void>;
    finish: () => void = () => undefined;
    /** Called with each progress, once the notification is open. */
    report: (progress: ExploreProgress) => void = () => undefined;
    state: RunState = { kind: 'running', progress: undefined, isCancelling: false };
    progress: ExploreProgress | undefined;
    /** As soon as the server has named it. */
    modelKey: string | undefined;
    sourceKey: string | undefined;

    constructor(options: RunOptions) {
        this.uri = options.uri;
        this.reduction = options.reduction;
        this.property = options.property;
        this.find = options.find;
        this.sourceKey = options.sourceKey;
        this.id = `${this.startedAt}-${runCount++}`;
        this.finished = new Promise(resolve => {
            this.finish = resolve;
        });
    }

    /** Whether another run has the same question: then the newer one takes its place. */
    asksLike({ uri, reduction, property, find }: ExplorationRun): boolean {
        return (
            this.uri === uri &&
            this.reduction === reduction &&
            this.property === property &&
            (this.find === undefined) === (find === undefined)
        );
    }

    /** Ends the run; its promise resolves soon after. */
    cancel(): void {
        if (this.state.kind === 'running') {
            this.state = { ...this.state, isCancelling: true };
            this.cancellation.cancel();
        }
    }
}
