/** The command that checks a model for all values of a parameter. Panel and lenses show the verdict. */
import * as vscode from 'vscode';
import { LSPErrorCodes, ResponseError, type BaseLanguageClient } from 'vscode-languageclient';
import { formatForEvery } from '../engine/describe/for-every.js';
import { EVERY_SIZE_REQUEST } from '../language-server/protocol.js';
import type { EverySizeParams, EverySizeResult } from '../language-server/protocol.js';
import type { ExplorationView } from './exploration.js';
import type { Results } from './results.js';

export interface EverySizeServices {
    readonly client: BaseLanguageClient;
    readonly results: Results;
    readonly explorations: ExplorationView;
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
            this.services.explorations.showEverySize(uri, names, document);
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
}
