/**
 * Questions to a model, which are no part of its text: the parts of a run to look for, and the expressions whose values are
 * shown in each state. They are written in a list of the words that may come next.
 */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { QUESTION_REQUEST } from '../language-server/protocol.js';
import type { QuestionParams, QuestionResult } from '../language-server/protocol.js';

type Kind = QuestionParams['question']['kind'];

const PREFIX = 'orbit.asked:';
const TITLES = { run: 'Find a run where', value: 'Show in each state' } as const;
const PLACEHOLDERS = { run: 'x == 1, or x == 1 then x == 2', value: 'x + 1, or count(i in T: P[i] at l)' } as const;
const READY = { run: 'find it', value: 'show it' } as const;

export class Questions {
    private readonly client: BaseLanguageClient;
    private readonly memento: Pick<vscode.Memento, 'get' | 'update'>;
    /** The last run that was looked for in each document. */
    private readonly runs = new Map<string, string>();

    constructor(client: BaseLanguageClient, memento: Pick<vscode.Memento, 'get' | 'update'>) {
        this.client = client;
        this.memento = memento;
    }

    /** The parts of a run; undefined if the reader asks for none. */
    async run(uri: string): Promise<string | undefined> {
        const run = await this.ask(uri, 'run', this.runs.get(uri) ?? '');
        if (run !== undefined) {
            this.runs.set(uri, run);
        }
        return run;
    }

    /** The expressions whose values are shown in each state of a document. */
    askedOf(uri: string): readonly string[] {
        return this.memento.get<readonly string[]>(PREFIX + uri) ?? [];
    }

    /** Lets the reader write one more. */
    async add(uri: string): Promise<void> {
        const expression = await this.ask(uri, 'value', '');
        if (expression !== undefined) {
            await this.memento.update(PREFIX + uri, [...new Set([...this.askedOf(uri), expression])]);
        }
    }

    async remove(uri: string, expression: string): Promise<void> {
        const others = this.askedOf(uri).filter(other => other !== expression);
        await this.memento.update(PREFIX + uri, others.length === 0 ? undefined : others);
    }

    async forget(uri: string): Promise<void> {
        await this.memento.update(PREFIX + uri, undefined);
    }

    private ask(uri: string, kind: Kind, before: string): Promise<string | undefined> {
        const pick = vscode.window.createQuickPick<QuestionItem>();
        pick.title = TITLES[kind];
        pick.placeholder = PLACEHOLDERS[kind];
        pick.value = before;
        return new Promise((resolve, reject) => {
            let latest: vscode.CancellationTokenSource | undefined;
            const show = (): void => {
                latest?.cancel();
                const source = new vscode.CancellationTokenSource();
                const { token } = (latest = source);
                const question = pick.value;
                const params: QuestionParams = { uri, question: { kind, text: question } };
                this.client.sendRequest<QuestionResult>(QUESTION_REQUEST, params, token).then(
                    result => {
                        if (!token.isCancellationRequested) {
                            pick.items = itemsFor(kind, question, result);
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
                } else if (item?.question !== undefined) {
                    resolve(item.question);
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
    /** The question as it was read; absent if it cannot be asked. */
    readonly question?: string;
}

/** The question as it is, or what is wrong with it, then the words that may come next. */
function itemsFor(kind: Kind, question: string, { problem, completions }: QuestionResult): readonly QuestionItem[] {
    const isReady = problem === undefined && question.trim() !== '';
    const own: QuestionItem[] =
        question.trim() === ''
            ? []
            : [
                  isReady
                      ? {
                            label: `$(search) ${question}`,
                            description: READY[kind],
                            alwaysShow: true,
                            question: question.trim(),
                        }
                      : { label: `$(error) ${problem ?? ''}`, alwaysShow: true },
              ];
    const words = completions.map(({ label, detail, from, text }): QuestionItem => {
        const next = question.slice(0, from) + text;
        return { label, ...(detail !== undefined && { description: detail }), alwaysShow: true, next };
    });
    return [...own, ...words.filter(({ next }) => next !== question)];
}
