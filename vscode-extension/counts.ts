/** How far long requests are, as the server tells. A client has one listener for each kind of notification. */
import type * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { COUNT_NOTIFICATION } from '../language-server/protocol.js';
import type { CountProgress } from '../language-server/protocol.js';

export type OnCount = (progress: Pick<CountProgress, 'count' | 'all'>) => void;

export class Counts implements vscode.Disposable {
    private readonly listeners = new Map<string, OnCount>();
    private readonly subscription: vscode.Disposable;
    private last = 0;

    constructor(client: BaseLanguageClient) {
        this.subscription = client.onNotification(COUNT_NOTIFICATION, (progress: CountProgress) =>
            this.listeners.get(progress.runId)?.(progress),
        );
    }

    /** Makes a request under a number of its own, whose counts go to `onCount`. */
    async during<Result>(onCount: OnCount, request: (runId: string) => Promise<Result>): Promise<Result> {
        const runId = `request-${++this.last}`;
        this.listeners.set(runId, onCount);
        try {
            return await request(runId);
        } finally {
            this.listeners.delete(runId);
        }
    }

    dispose(): void {
        this.subscription.dispose();
    }
}
