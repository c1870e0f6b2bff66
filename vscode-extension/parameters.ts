/**
 * Values of parameters for one document that its text does not have: chosen from a list or typed, checked by the server,
 * remembered in the storage of the workspace, and never written into the file.
 */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { CHOOSE_PARAMETERS_REQUEST } from '../language-server/protocol.js';
import type { ChooseParametersParams, ChooseParametersResult, DocumentParameter } from '../language-server/protocol.js';
import type { Results } from './results.js';

const PREFIX = 'orbit.parameters:';
/** Of one parameter of one document. */
const MOST_RECENT = 8;

interface Remembered {
    /** By name, as the text would write them. */
    readonly chosen: Readonly<Record<string, string>>;
    /** By name, the last one first. */
    readonly recent: Readonly<Record<string, readonly string[]>>;
}

export class Parameters {
    private readonly memento: Pick<vscode.Memento, 'get' | 'update'>;
    private readonly results: Results;

    constructor(memento: Pick<vscode.Memento, 'get' | 'update'>, results: Results) {
        this.memento = memento;
        this.results = results;
    }

    /** The values that were chosen for a document. */
    chosen(uri: string): Readonly<Record<string, string>> {
        return this.remembered(uri).chosen;
    }

    async forget(uri: string): Promise<void> {
        await this.memento.update(PREFIX + uri, undefined);
    }

    /** Lets the user choose a value of a parameter, the only or first one if no name is given. */
    async change(client: BaseLanguageClient, uri: string, name?: string): Promise<void> {
        const parameter = await this.parameterNamed(uri, name);
        if (parameter === undefined) {
            void vscode.window.showInformationMessage('The model has no parameter.');
            return;
        }
        const { recent } = this.remembered(uri);
        await pickValue(parameter, recent[parameter.name] ?? [], value =>
            this.choose(client, uri, parameter.name, value),
        );
    }

    /** The value in the text counts again. */
    async reset(client: BaseLanguageClient, uri: string, name: string): Promise<void> {
        await this.choose(client, uri, name, undefined);
    }

    /** Resolves to what is wrong with the value; undefined if it counts now. */
    async choose(
        client: BaseLanguageClient,
        uri: string,
        name: string,
        value: string | undefined,
    ): Promise<string | undefined> {
        const { chosen, recent } = this.remembered(uri);
        const { [name]: _before, ...others } = chosen;
        const parameters = value === undefined ? others : { ...others, [name]: value };
        const params: ChooseParametersParams = { uri, parameters };
        const { problems } = await client.sendRequest<ChooseParametersResult>(CHOOSE_PARAMETERS_REQUEST, params);
        const [problem] = problems;
        if (problem !== undefined) {
            return problem;
        }
        const used = value === undefined ? [] : [value];
        const values = [...new Set([...used, ...(recent[name] ?? [])])].slice(0, MOST_RECENT);
        const remembered: Remembered = { chosen: parameters, recent: { ...recent, [name]: values } };
        await this.memento.update(PREFIX + uri, remembered);
        return undefined;
    }

    private async parameterNamed(uri: string, name: string | undefined): Promise<DocumentParameter | undefined> {
        const parameters = this.results.of(uri)?.parameters ?? [];
        if (name !== undefined || parameters.length < 2) {
            return parameters.find(parameter => name === undefined || parameter.name === name);
        }
        const items = parameters.map(parameter => ({
            label: `${parameter.name} = ${parameter.value}`,
            description: parameter.type,
            parameter,
        }));
        return (await vscode.window.showQuickPick(items, { title: 'Parameter' }))?.parameter;
    }

    private remembered(uri: string): Remembered {
        return this.memento.get<Remembered>(PREFIX + uri) ?? { chosen: {}, recent: {} };
    }
}

interface ValueItem extends vscode.QuickPickItem {
    readonly value: string | undefined;
}

/** Resolves when a value was taken or the list was closed. A refused value is named, and the list stays open. */
function pickValue(
    parameter: DocumentParameter,
    recent: readonly string[],
    take: (value: string | undefined) => Promise<string | undefined>,
): Promise<void> {
    const pick = vscode.window.createQuickPick<ValueItem>();
    const items = itemsFor(parameter, recent);
    pick.title = `${parameter.name}: ${parameter.type}`;
    pick.placeholder = `${parameter.name} = ${parameter.value}; type another value or choose one. The text stays as it is.`;
    pick.items = items;
    return new Promise((resolve, reject) => {
        const accept = async (): Promise<void> => {
            const [selected] = pick.activeItems;
            if (selected === undefined) {
                return;
            }
            pick.busy = true;
            const problem = await take(selected.value);
            pick.busy = false;
            if (problem === undefined) {
                pick.hide();
            } else {
                pick.items = [{ label: `$(error) ${problem}`, value: selected.value, alwaysShow: true }, ...items];
            }
        };
        pick.onDidChangeValue(typed => {
            const text = typed.trim();
            const isListed = items.some(({ value }) => value === text);
            pick.items = text === '' || isListed ? items : [{ label: text, value: text, alwaysShow: true }, ...items];
        });
        pick.onDidAccept(() => void accept().catch(reject));
        pick.onDidHide(() => {
            pick.dispose();
            resolve();
        });
        pick.show();
    });
}

/** The value of the text, the last ones, and all others if they are few. */
function itemsFor({ value, written, values = [] }: DocumentParameter, recent: readonly string[]): readonly ValueItem[] {
    const others = [...new Set([...recent, ...values])].filter(other => other !== written);
    const describe = (other: string): string =>
        other === value ? 'now' : recent.includes(other) ? 'chosen before' : '';
    return [
        ...others.map(other => ({ label: other, description: describe(other), value: other })),
        ...(written === undefined ? [] : [{ label: written, description: 'as in the text', value: undefined }]),
    ];
}
