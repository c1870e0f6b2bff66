/** The language server on a connection. What differs between platforms comes from main.ts and browser/main.ts. */
import { DocumentState, type FileSystemProvider } from 'langium';
import { startLanguageServer } from 'langium/lsp';
import { type Connection, ErrorCodes, ResponseError } from 'vscode-languageserver';
import type { StartWorkerThread } from './analysis/worker-pool.js';
import { publishDiagnostics, withoutDiagnostics } from './lsp/diagnostics/diagnostics-publisher.js';
import { registerFastRequests } from './lsp/while-parsing/fast-requests.js';
import { createLanguageServerServices } from './lsp/lsp-module.js';
import { describeWrong, INVALID_PARAMS_METHOD } from './lsp/request-params.js';
import { registerRequests } from './lsp/requests.js';
import type { NestingLimits } from './parsing/lexer.js';

export interface ServerPlatform {
    /** With the message strategy CHECKED_MESSAGES, and not listening yet. */
    readonly connection: Connection;
    readonly fileSystem: FileSystemProvider;
    readonly startWorkerThread: StartWorkerThread;
    /** Those of Node if absent. */
    readonly nesting?: NestingLimits;
}

/** Starts to listen. */
export function startServer({ connection, ...platform }: ServerPlatform): void {
    connection.onRequest(
        INVALID_PARAMS_METHOD,
        params => new ResponseError(ErrorCodes.InvalidParams, describeWrong(params)),
    );
    connection.onNotification(INVALID_PARAMS_METHOD, params => {
        connection.console.error(describeWrong(params));
    });
    const { shared, Orbit } = createLanguageServerServices({
        connection: withoutDiagnostics(connection),
        ...platform,
        now: () => performance.now(),
        logError: message => {
            connection.console.error(message);
        },
        log: message => {
            connection.console.info(message);
        },
    });
    publishDiagnostics(connection, shared);
    registerRequests(connection, Orbit);
    startLanguageServer(shared, { CodeLensProvider: DocumentState.Validated, HoverProvider: DocumentState.Validated });
    registerFastRequests(connection, Orbit);
}

/** A refused request to the editor or a defect of the server: a line in the log, and the server goes on. */
export function logFailure(connection: Connection, reason: unknown): void {
    connection.console.error(reason instanceof Error ? (reason.stack ?? reason.message) : String(reason));
}
