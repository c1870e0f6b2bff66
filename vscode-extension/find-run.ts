/**
 * *Find a Run Where …*: the parts of a run are written in a list of the words that may come next, and looked for. The text
 * of the model stays as it is, unless the reader keeps the run in it.
 */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { QUESTION_REQUEST } from '../language-server/protocol.js';
import type { QuestionParams, QuestionResult } from '../language-server/protocol.js';
import type { ExplorationView } from './exploration.js';

export class RunFinder {
    private readonly client: BaseLanguageClient;
    private readonly explorations: ExplorationView;
    /** The last question to each document. */
    private readonly asked = new Map<string, string>();

    constructor(client: BaseLanguageClient, explorations: ExplorationView) {
        this.client = client;
        this.explorations = explorations;
    }

    /** Asks for the parts of a run and explores for it; nothing happens if the list is closed. */
    async find(uri: string): Promise<void> {
        const question = await this.ask(uri, this.asked.get(uri) ?? '');
        if (question !== undefined) {
            this.asked.set(uri, question);
            await this.explorations.explore(uri, 'unique', undefined, question);
        }
    }

    private ask(uri: string, before: string): Promise<string | undefined> {
        const pick = vscode.window.createQuickPick<QuestionItem>();
        pick.title = 'Find a run where';
        pick.placeholder = 'x == 1, or x == 1 then x == 2';
        pick.value = before;
        return new Promise((resolve, reject) => {
            let latest: vscode.CancellationTokenSource | undefined;
            const show = (): void => {
                latest?.cancel();
                const source = new vscode.CancellationTokenSource();
                const { token } = (latest = source);
                const question = pick.value;
                const params: QuestionParams = { uri, question: { kind: 'run', text: question } };
                this.client.sendRequest<QuestionResult>(QUESTION_REQUEST, params, token).then(
                    result => {
                        if (!token.isCancellationRequested) {
                            pick.items = itemsFor(question, result);
                        }
                    },
                    (error: unknown) => {
                        // Else a newer text has come meanwhile.
                        if (!token.isCancellationRequested) {
                            reject(error instanceof Error ? error : new Error(String(error)));
                            pick.hide();
                        }
                    },
                );
            };
            pick.onDidChangeValue(show);
            pick.onDidAccept(() => {
                const [item] = pick.activeItems;
                if (item?.next !== undefined) {
                    pick.value = item.next;
                    show();
                } else if (item?.isReady === true) {
                    resolve(pick.value);
                    pick.hide();
                }
            });
            pick.onDidHide(() => {
                latest?.cancel();
                pick.dispose();
                resolve(undefined);
            });
            pick.show();
            show();
        });
    }
}

interface QuestionItem extends vscode.QuickPickItem {
    /** The question that the item makes; absent for the question as it is. */
    readonly next?: string;
    readonly isReady?: boolean;
}

/** The question as it is, or what is wrong with it, then the words that may come next. */
function itemsFor(question: string, { problem, completions }: QuestionResult): readonly QuestionItem[] {
    const isReady = problem === undefined && question.trim() !== '';
    const own: QuestionItem[] =
        question.trim() === ''
            ? []
            : [
                  isReady
                      ? { label: `$(search) ${question}`, description: 'find it', alwaysShow: true, isReady }
                      : { label: `$(error) ${problem ?? ''}`, alwaysShow: true },
              ];
    const words = completions.map(({ label, detail, from, text }): QuestionItem => {
        const next = question.slice(0, from) + text;
        return { label, ...(detail !== undefined && { description: detail }), alwaysShow: true, next };
    });
    return [...own, ...words.filter(({ next }) => next !== question)];
}
