/**
 * Offers the server of the command line for assistants, `orbit mcp`, to the editor, which starts it when an assistant asks
 * for it. An editor without assistants, or of before 1.101, has no such place; then nothing is offered.
 */
import * as vscode from 'vscode';
/** The result ends the offer. `program` is the command line, which the Node of the editor runs. */
export declare function offerMcpServer(program: string, version: string): vscode.Disposable | undefined;
