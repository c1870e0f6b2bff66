/**
 * Offers the server of the command line for assistants, `orbit mcp`, to the editor, which starts it when an assistant asks
 * for it. An editor without assistants, or of before 1.101, has no such place; then nothing is offered.
 */
import * as vscode from 'vscode';

/** As in package.json. */
const PROVIDER = 'orbit.mcp';

/** The part of the interface that the oldest supported editor does not have. */
interface ServerDefinition {
    cwd?: vscode.Uri;
}

interface NewerEditor {
    readonly lm?: {
        readonly registerMcpServerDefinitionProvider?: (
            id: string,
            provider: { readonly provideMcpServerDefinitions: () => readonly ServerDefinition[] },
        ) => vscode.Disposable;
    };
    readonly McpStdioServerDefinition?: new (
        label: string,
        command: string,
        words: readonly string[],
        environment: Readonly<Record<string, string>>,
        version: string,
    ) => ServerDefinition;
}

/** The result ends the offer. `program` is the command line, which the Node of the editor runs. */
export function offerMcpServer(program: string, version: string): vscode.Disposable | undefined {
    const { lm, McpStdioServerDefinition: Definition } = vscode as NewerEditor;
    if (Definition === undefined) {
        return undefined;
    }
    const provider = {
        provideMcpServerDefinitions: () => {
            // The desktop's own program is Node only if it is told so.
            const environment = { ELECTRON_RUN_AS_NODE: '1' };
            const definition = new Definition('Orbit', process.execPath, [program, 'mcp'], environment, version);
            const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
            // Paths of models are relative to it.
            return [folder === undefined ? definition : Object.assign(definition, { cwd: folder.uri })];
        },
    };
    try {
        return lm?.registerMcpServerDefinitionProvider?.(PROVIDER, provider);
    } catch {
        // Version 1.100 has the interface, and refuses all that do not have its name of then in their package.json.
        return undefined;
    }
}
