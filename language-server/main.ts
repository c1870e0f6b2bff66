/** The language server as a Node process: LSP over stdio or node-ipc, and worker threads from a bundle beside it. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { DocumentState } from 'langium';
import { NodeFileSystem } from 'langium/node';
import { startLanguageServer } from 'langium/lsp';
import { createConnection, ErrorCodes, ProposedFeatures, ResponseError } from 'vscode-languageserver/node.js';
import type { StartWorkerThread } from './analysis/worker-pool.js';
import type { WorkerReply } from './analysis/worker-protocol.js';
import { publishDiagnostics, withoutDiagnostics } from './lsp/diagnostics/diagnostics-publisher.js';
import { withEditorFiles } from './lsp/editor-files.js';
import { registerFastRequests } from './lsp/while-parsing/fast-requests.js';
import { createLanguageServerServices } from './lsp/lsp-module.js';
import { CHECKED_REQUESTS, describeWrong, INVALID_PARAMS_METHOD } from './lsp/request-params.js';
import { registerRequests } from './lsp/requests.js';

// In a CommonJS bundle this is the folder of the bundle.
const workerFile = join(__dirname, 'analysis-worker.cjs');

const startWorkerThread: StartWorkerThread = listener => {
    const worker = new Worker(workerFile);
    let ended = false;
    const crashed = (reason: string): void => {
        if (!ended) {
            ended = true;
            listener.crashed(reason);
        }
    };
    worker.on('message', (reply: WorkerReply) => {
        listener.reply(reply);
    });
    worker.on('error', error => {
        crashed(error.stack ?? error.message);
    });
    worker.on('exit', code => {
        crashed(`the worker ended with code ${code}`);
    });
    // Workers do not keep the server running after its connection ends.
    worker.unref();
    return {
        post: request => {
            worker.postMessage(request);
        },
        terminate: () => {
            ended = true;
            void worker.terminate();
        },
    };
};

const connection = createConnection(ProposedFeatures.all, { messageStrategy: CHECKED_REQUESTS });
connection.onRequest(
    INVALID_PARAMS_METHOD,
    params => new ResponseError(ErrorCodes.InvalidParams, describeWrong(params)),
);
// A refused request to the editor or a defect of the server: a line in the log, and the server goes on.
process.on('unhandledRejection', reason => {
    connection.console.error(reason instanceof Error ? (reason.stack ?? reason.message) : String(reason));
});
const { shared, Orbit } = createLanguageServerServices({
    connection: withoutDiagnostics(connection),
    fileSystem: withEditorFiles(NodeFileSystem.fileSystemProvider(), connection),
    startWorkerThread,
    now: () => performance.now(),
    logError: message => {
        connection.console.error(message);
    },
    log: message => {
        connection.console.info(message);
    },
});
publishDiagnostics(connection, shared);
registerRequests(connection, shared);
startLanguageServer(shared, { CodeLensProvider: DocumentState.Validated, HoverProvider: DocumentState.Validated });
registerFastRequests(connection, Orbit);
