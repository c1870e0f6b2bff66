/** Explorations for one value of a parameter after the other, for their panel. */
import * as vscode from 'vscode';
import { LSPErrorCodes, ResponseError, type BaseLanguageClient } from 'vscode-languageclient';
import { SWEEP_REQUEST, SWEEP_ROW_NOTIFICATION } from '../language-server/protocol.js';
import type {
    DocumentParameter,
    ParameterRange,
    SweepParams,
    SweepResult,
    SweepRow,
} from '../language-server/protocol.js';
import type { ExplorationView } from './exploration.js';
import type { Panels, View } from './panel.js';
import type { Parameters } from './parameters.js';
import type { Results } from './results.js';
import { fileNameOf } from './source-location.js';
import type { SweepContent, SweepMessage } from './webview/messages.js';

export interface SweepServices {
    readonly client: BaseLanguageClient;
    readonly panels: Panels;
    readonly results: Results;
    readonly parameters: Parameters;
    readonly explorations: ExplorationView;
}

/** The last sweep of a document: it is shown again when its panel is opened again. */
interface Sweep {
    readonly runId: string;
    readonly cancellation: vscode.CancellationTokenSource;
    /** The values of the other parameters. */
    readonly others: string;
    /** Of the text that was explored; undefined before the first row. */
    sourceKey: string | undefined;
    content: Omit<SweepContent, 'isStale'>;
}

/** Values behind the present one that are offered at first. */
const OFFERED = 4;

const VIEW = 'sweep-panel';

export class SweepView implements View<SweepMessage>, vscode.Disposable {
    readonly title = 'Sweep of';
    private readonly services: SweepServices;
    private readonly sweeps = new Map<string, Sweep>();
    private readonly subscriptions: readonly vscode.Disposable[];

    constructor(services: SweepServices) {
        this.services = services;
        const { client, results, panels } = services;
        panels.add(VIEW, this);
        this.subscriptions = [
            client.onNotification(SWEEP_ROW_NOTIFICATION, (row: SweepRow) => this.onRow(row)),
            results.onChange(({ uri }) => panels.update(VIEW, uri)),
        ];
    }

    /** Asks for the values of a parameter, the first that is a number if no name is given, and explores them. */
    async ask(uri: string, name?: string): Promise<void> {
        const known = this.services.results.of(uri)?.parameters ?? [];
        const parameter = known.find(each => (name === undefined ? each.bounds !== undefined : each.name === name));
        if (parameter?.bounds === undefined) {
            const message =
                name === undefined ? 'The model has no parameter that is a number.' : `\`${name}\` is no number.`;
            void vscode.window.showInformationMessage(message);
            return;
        }
        const range = await askForRange(parameter, this.sweeps.get(uri)?.content.range);
        if (range !== undefined) {
            const before = this.sweeps.get(uri)?.content;
            await this.run(uri, range, before?.reduction ?? 'unique', before?.continuesAfterViolation ?? false);
        }
    }

    dispose(): void {
        vscode.Disposable.from(...this.subscriptions).dispose();
    }

    begin(uri: string): Promise<void> {
        return this.ask(uri);
    }

    /** Nobody sees what it would still find. */
    closed(uri: string): void {
        this.sweeps.get(uri)?.cancellation.cancel();
    }

    private async run(
        uri: string,
        range: ParameterRange,
        reduction: SweepContent['reduction'],
        continuesAfterViolation: boolean,
    ): Promise<void> {
        this.sweeps.get(uri)?.cancellation.cancel();
        const sweep: Sweep = {
            runId: `sweep-${Date.now()}`,
            cancellation: new vscode.CancellationTokenSource(),
            others: this.othersThan(uri, range.name),
            sourceKey: undefined,
            content: {
                fileName: fileNameOf(uri),
                range,
                reduction,
                continuesAfterViolation,
                rows: [],
                state: { kind: 'running' },
            },
        };
        this.sweeps.set(uri, sweep);
        this.services.panels.show(VIEW, uri);
        const params: SweepParams = {
            uri,
            reduction,
            runId: sweep.runId,
            range,
            continueAfterViolation: continuesAfterViolation,
        };
        const state = await this.outcomeOf(params, sweep);
        // Rows have come meanwhile.
        sweep.content = { ...sweep.content, state };
        this.services.panels.update(VIEW, uri);
    }

    private async outcomeOf(params: SweepParams, sweep: Sweep): Promise<SweepContent['state']> {
        try {
            const { problems } = await this.services.client.sendRequest<SweepResult>(
                SWEEP_REQUEST,
                params,
                sweep.cancellation.token,
            );
            if (problems !== undefined) {
                return { kind: 'failed', message: problems.problems[0]?.message ?? 'The model has errors.' };
            }
            return { kind: sweep.cancellation.token.isCancellationRequested ? 'cancelled' : 'finished' };
        } catch (error) {
            if (error instanceof ResponseError && error.code === LSPErrorCodes.RequestCancelled) {
                return { kind: 'cancelled' };
            }
            return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
        }
    }

    private onRow({ runId, sourceKey, document }: SweepRow): void {
        for (const [uri, sweep] of this.sweeps) {
            if (sweep.runId === runId) {
                const { range, rows } = sweep.content;
                const value = range.first + rows.length;
                sweep.sourceKey = sourceKey;
                sweep.content = { ...sweep.content, rows: [...rows, { value, document }] };
                this.services.panels.update(VIEW, uri);
            }
        }
    }

    contentOf(uri: string): SweepContent | undefined {
        const sweep = this.sweeps.get(uri);
        if (sweep === undefined) {
            return undefined;
        }
        const { results } = this.services;
        const { range } = sweep.content;
        const known = results.of(uri);
        const isOfOtherText =
            sweep.sourceKey !== undefined && known !== undefined && known.sourceKey !== sweep.sourceKey;
        return {
            ...sweep.content,
            isStale: isOfOtherText || sweep.others !== this.othersThan(uri, range.name),
        };
    }

    private othersThan(uri: string, swept: string): string {
        const parameters = this.services.results.of(uri)?.parameters ?? [];
        return JSON.stringify(parameters.filter(({ name }) => name !== swept).map(({ name, value }) => [name, value]));
    }

    receive(uri: string, message: SweepMessage): void {
        const sweep = this.sweeps.get(uri);
        if (sweep === undefined) {
            return;
        }
        const { range } = sweep.content;
        switch (message.kind) {
            case 'cancel':
                sweep.cancellation.cancel();
                break;
            case 'change':
                void this.ask(uri, range.name);
                break;
            case 'again':
                void this.run(uri, range, message.reduction, message.continuesAfterViolation);
                break;
            case 'open':
                void this.explore(uri, sweep.content, message.value);
                break;
        }
    }

    private async explore(uri: string, { range, reduction }: Sweep['content'], value: number): Promise<void> {
        const { client, parameters, explorations } = this.services;
        const problem = await parameters.choose(client, uri, range.name, String(value));
        if (problem === undefined) {
            await explorations.explore(uri, reduction);
        } else {
            void vscode.window.showErrorMessage(problem);
        }
    }
}

/** The range that the user types, `3 .. 20`; undefined without an answer. */
async function askForRange(
    { name, value, type, bounds = [0, 0] }: DocumentParameter,
    before: ParameterRange | undefined,
): Promise<ParameterRange | undefined> {
    const [low, high] = bounds;
    const present = Number(value);
    const [first, last] =
        before?.name === name ? [before.first, before.last] : [present, Math.min(high, present + OFFERED)];
    const text = await vscode.window.showInputBox({
        title: `Explore for several values of ${name}: ${type}`,
        prompt: `The first and the last value, one after the other within one time limit. The text stays as it is.`,
        value: `${first} .. ${last}`,
        validateInput: typed => {
            const range = parseRange(typed);
            if (range === undefined) {
                return `Two whole numbers, such as ${first} .. ${last}`;
            }
            if (range[0] > range[1]) {
                return 'The first value is larger than the last one';
            }
            return range[0] < low || range[1] > high ? `${name} is in ${low} .. ${high}` : undefined;
        },
    });
    const range = text === undefined ? undefined : parseRange(text);
    return range && { name, first: range[0], last: range[1] };
}

function parseRange(text: string): readonly [number, number] | undefined {
    const [, first, last] = /^\s*(-?\d+)\s*\.\.\s*(-?\d+)\s*$/.exec(text) ?? [];
    return first === undefined || last === undefined ? undefined : [Number(first), Number(last)];
}
