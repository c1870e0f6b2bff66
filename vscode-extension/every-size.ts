/** The command that checks a model for all values of a parameter. The lenses above its invariants show the verdict. */
import * as vscode from 'vscode';
import { LSPErrorCodes, ResponseError, type BaseLanguageClient } from 'vscode-languageclient';
import { formatForEvery, formatProof } from '../engine/describe/for-every.js';
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

    /** Checks all values of some parameters: without names of those that are sizes, or of the first one that is a number. */
    async check(uri: string, given: readonly string[]): Promise<void> {
        const names = given.length > 0 ? given : this.parametersOf(uri);
        if (names.length === 0) {
            void vscode.window.showInformationMessage('The model has no parameter whose values are numbers.');
            return;
        }
        const params: EverySizeParams = { uri, names };
        const title = `Checking ${formatForEvery(names)}`;
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

    private parametersOf(uri: string): readonly string[] {
        const { items = [], parameters = [] } = this.services.results.of(uri) ?? {};
        const sizes = items.find(({ forAll }) => forAll !== undefined)?.forAll;
        const number = parameters.find(({ bounds }) => bounds !== undefined);
        return sizes ?? (number === undefined ? [] : [number.name]);
    }

    /** The verdict; a violation is shown by an exploration with its values. */
    private async tell(uri: string, document: EverySizeDocument): Promise<void> {
        const { verdict, forAll, violatedFor = {}, violations } = document;
        switch (verdict) {
            case 'holds':
                void vscode.window.showInformationMessage(formatProof(document));
                return;
            case 'undecided':
                void vscode.window.showInformationMessage(`Undecided ${formatForEvery(forAll)}.`);
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
