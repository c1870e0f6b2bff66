/**
 * Offers the server of the command line for assistants, `orbit mcp`, to the editor, which starts it when an assistant asks
 * for it. An editor without assistants, or of before 1.101, has no such place; then nothing is offered.
 */
import * as vscode from 'vscode';
/** As in package.json. */
const PROVIDER = 'orbit.mcp';
/** The result ends the offer. `program` is the command line, which the Node of the editor runs. */
export function offerMcpServer(program, version) {
    const { lm, McpStdioServerDefinition: Definition } = vscode;
    if (Definition === undefined) {
        return undefined;
    }
    return lm?.registerMcpServerDefinitionProvider?.(PROVIDER, {
        provideMcpServerDefinitions: () => {
            // The desktop's own program is Node only if it is told so.
            const environment = { ELECTRON_RUN_AS_NODE: '1' };
            const definition = new Definition('Orbit', process.execPath, [program, 'mcp'], environment, version);
            const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
            // Paths of models are relative to it.
            return [folder === undefined ? definition : Object.assign(definition, { cwd: folder.uri })];
        },
    });
}
//# sourceMappingURL=mcp-server.js.map