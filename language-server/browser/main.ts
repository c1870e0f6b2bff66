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
import { CHECKED_REQUESTS } from '../lsp/request-params.js';
import { logRejection, startServer } from '../start-server.js';
import { bundleStarter, whenStarted } from './bundles.js';

whenStarted(folder => {
    const connection = createConnection(
        ProposedFeatures.all,
        new BrowserMessageReader(self as DedicatedWorkerGlobalScope),
        new BrowserMessageWriter(self as DedicatedWorkerGlobalScope),
        { messageStrategy: CHECKED_REQUESTS },
    );
    addEventListener('unhandledrejection', ({ reason }) => {
        logRejection(connection, reason);
    });
    startServer({
        connection,
        fileSystem: editorFiles(connection),
        startWorkerThread: workerThreads(bundleStarter(folder, 'analysis-worker.js')),
    });
});

function workerThreads(start: () => Worker): StartWorkerThread {
    return listener => {
        const worker = start();
        worker.onmessage = ({ data }: MessageEvent<WorkerReply>) => {
            listener.reply(data);
        };
        // A browser tells little of an error in a script of another origin.
        worker.onerror = ({ message }) => {
            worker.terminate();
            listener.crashed(message || 'the bundle of the worker cannot be loaded');
        };
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
