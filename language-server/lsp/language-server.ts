/** What the server says that it can do: Langium's answer, and what is served without a service of Langium's. */
import { DefaultLanguageServer } from 'langium/lsp';
import type { InitializeParams, InitializeResult } from 'vscode-languageserver';

export class OrbitLanguageServer extends DefaultLanguageServer {
    protected override buildInitializeResult(params: InitializeParams): InitializeResult {
        const { capabilities, ...rest } = super.buildInitializeResult(params);
        return {
            ...rest,
            capabilities: {
                ...capabilities,
                selectionRangeProvider: true,
                // An error in an imported file is one of its importers.
                diagnosticProvider: { identifier: 'orbit', interFileDependencies: true, workspaceDiagnostics: false },
                codeActionProvider: { codeActionKinds: ['quickfix'] },
            },
        };
    }
}
