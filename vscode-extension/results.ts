/**
 * What the server says of each open document: the answers about everything it states, at its present text. The Testing
 * view, hovers and panels follow it. A document that was closed keeps its last answers until it is opened again.
 */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { RESULTS_NOTIFICATION } from '../language-server/protocol.js';
import type { DocumentResults, ResultItem } from '../language-server/protocol.js';

export class Results implements vscode.Disposable {
    private readonly results = new Map<string, DocumentResults>();
    private readonly emitter = new vscode.EventEmitter<DocumentResults>();
    private readonly subscription: vscode.Disposable;
    readonly onChange = this.emitter.event;

    constructor(client: BaseLanguageClient) {
        this.subscription = client.onNotification(RESULTS_NOTIFICATION, (results: DocumentResults) => {
            this.results.set(results.uri, results);
            this.emitter.fire(results);
        });
    }

    of(uri: string): DocumentResults | undefined {
        return this.results.get(uri);
    }

    item(uri: string, name: string): ResultItem | undefined {
        return this.results.get(uri)?.items.find(item => item.name === name);
    }

    /** Whether the text has another model than this one; false if that is not known. */
    isStale(uri: string, modelKey: string | undefined): boolean {
        const results = this.results.get(uri);
        return results !== undefined && modelKey !== undefined && results.modelKey !== modelKey;
    }

    /** Resolves once `look` finds something in the answers about a document; with undefined after some seconds. */
    async when<Found>(
        uri: string,
        look: (results: DocumentResults) => Found | undefined,
        patienceMilliseconds = PATIENCE_MILLISECONDS,
    ): Promise<Found | undefined> {
        const known = this.results.get(uri);
        const found = known === undefined ? undefined : look(known);
        if (found !== undefined) {
            return found;
        }
        return new Promise(resolve => {
            const settle = (result: Found | undefined): void => {
                clearTimeout(timer);
                subscription.dispose();
                resolve(result);
            };
            const timer = setTimeout(() => settle(undefined), patienceMilliseconds);
            const subscription = this.onChange(results => {
                const later = results.uri === uri ? look(results) : undefined;
                if (later !== undefined) {
                    settle(later);
                }
            });
        });
    }

    dispose(): void {
        this.subscription.dispose();
        this.emitter.dispose();
    }
}

/** Longer than the server needs to build a text, also on a busy machine. */
const PATIENCE_MILLISECONDS = 20_000;
