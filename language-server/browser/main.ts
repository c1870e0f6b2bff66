/** The language server as a web worker: LSP by messages, and workers of its own from the bundles beside it. */
import {
    BrowserMessageReader,
    BrowserMessageWriter,
    createConnection,
    ProposedFeatures,
} from 'vscode-languageserver/browser.js';
import type { StartWorkerThread } from '../analysis/worker-pool.js';
import type { WorkerReply } from '../analysis/worker-protocol.js';
import { editorFiles } from '../lsp/editor-files.js';
import { CHECKED_MESSAGES } from '../lsp/request-params.js';
import { NESTING_LIMITS_IN_BROWSERS } from '../parsing/lexer.js';
import { logFailure, startServer } from '../start-server.js';
import { bundleStarter, whenFailed, whenStarted } from './bundles.js';

whenStarted(folder => {
    const connection = createConnection(
        ProposedFeatures.all,
        new BrowserMessageReader(self as DedicatedWorkerGlobalScope),
        new BrowserMessageWriter(self as DedicatedWorkerGlobalScope),
        { messageStrategy: CHECKED_MESSAGES },
    );
    addEventListener('unhandledrejection', event => {
        event.preventDefault();
        logFailure(connection, event.reason);
    });
    addEventListener('error', event => {
        event.preventDefault();
        logFailure(connection, event.error);
    });
    startServer({
        connection,
        fileSystem: editorFiles(connection),
        nesting: NESTING_LIMITS_IN_BROWSERS,
        startWorkerThread: workerThreads(bundleStarter(folder, 'analysis-worker.js')),
    });
});

function workerThreads(start: () => Worker): StartWorkerThread {
    return listener => {
        const worker = start();
        worker.onmessage = ({ data }: MessageEvent<WorkerReply>) => {
            listener.reply(data);
        };
        whenFailed(worker, reason => {
            worker.terminate();
            listener.crashed(reason);
        });
        return {
            post: request => {
                worker.postMessage(request);
            },
            terminate: () => {
                worker.terminate();
            },
        };
    };
}
