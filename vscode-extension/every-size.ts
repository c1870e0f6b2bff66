/** The command that checks a model for all values of a parameter. The lenses above its invariants show the verdict. */
import * as vscode from 'vscode';
import { LSPErrorCodes, ResponseError, type BaseLanguageClient } from 'vscode-languageclient';
import { CHECK_PROPERTY_COMMAND, EVERY_SIZE_REQUEST } from '../language-server/protocol.js';
import type { EverySizeDocument, EverySizeParams, EverySizeResult } from '../language-server/protocol.js';
import type { Parameters } from './parameters.js';
import type { Results } from './results.js';

export interface EverySizeServices {
    readonly client: BaseLanguageClient;
    readonly results: Results;
    readonly parameters: Parameters;
}

export class EverySizeCheck {
    private readonly services: EverySizeServices;

    constructor(services: EverySizeServices) {
        this.services = services;
    }

    /** Checks all values of a parameter, of the first one that is a number if no name is given. */
    async check(uri: string, name?: string): Promise<void> {
        const known = this.services.results.of(uri)?.parameters ?? [];
        const parameter = known.find(each => (name === undefined ? each.bounds !== undefined : each.name === name));
        if (parameter === undefined) {
            void vscode.window.showInformationMessage('The model has no parameter whose values are numbers.');
            return;
        }
        const params: EverySizeParams = { uri, name: parameter.name };
        const title = `Checking for every ${parameter.name}`;
        const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
        try {
            const { document } = await vscode.window.withProgress(options, (_, token) =>
                this.services.client.sendRequest<EverySizeResult>(EVERY_SIZE_REQUEST, params, token),
            );
            if ('problems' in document) {
                const [problem] = document.problems;
                void vscode.window.showWarningMessage(
                    problem === undefined
                        ? 'Nothing is known for all values.'
                        : `Line ${problem.line}: ${problem.message}`,
                );
            } else {
                await this.tell(uri, document);
            }
        } catch (error) {
            if (error instanceof ResponseError && error.code === LSPErrorCodes.RequestCancelled) {
                return;
            }
            void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
        }
    }

    /** The verdict; a violation is shown by an exploration with its values. */
    private async tell(uri: string, document: EverySizeDocument): Promise<void> {
        const { verdict, forAll, violatedFor = {}, violations, views } = document;
        const names = forAll.join(' and every ');
        switch (verdict) {
            case 'holds':
                void vscode.window.showInformationMessage(`Holds for every ${names}: ${views ?? 0} views prove it.`);
                return;
            case 'undecided':
                void vscode.window.showInformationMessage(`Undecided for every ${names}.`);
                return;
            case 'violated': {
                const [violation] = violations;
                const values = Object.entries(violatedFor).map(([name, value]) => `${name} = ${value}`);
                const show = 'Show the Run';
                const message = `${violation?.name ?? 'A property'} is violated for ${values.join(', ')}.`;
                const answer = await vscode.window.showWarningMessage(message, show);
                if (answer === show) {
                    for (const [name, value] of Object.entries(violatedFor)) {
                        await this.services.parameters.choose(this.services.client, uri, name, String(value));
                    }
                    await vscode.commands.executeCommand(CHECK_PROPERTY_COMMAND, uri, violation?.name);
                }
            }
        }
    }
}
