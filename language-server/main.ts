/** The language server as a Node process: LSP over stdio or node-ipc, and worker threads from a bundle beside it. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { URI } from 'langium';
import { NodeFileSystemProvider } from 'langium/node';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node.js';
import type { StartWorkerThread } from './analysis/worker-pool.js';
import type { WorkerReply } from './analysis/worker-protocol.js';
import { readWhole } from './disk-files.js';
import { withEditorFiles } from './lsp/editor-files.js';
import { CHECKED_MESSAGES } from './lsp/request-params.js';
import { createLengthCheck } from './message-lengths.js';
import { logFailure, startServer } from './start-server.js';

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

class Disk extends NodeFileSystemProvider {
    override readBinary(uri: URI): Promise<Uint8Array> {
        return readWhole(uri.fsPath);
    }

    override async readFile(uri: URI): Promise<string> {
        return new TextDecoder().decode(await readWhole(uri.fsPath));
    }
}

if (process.argv.includes('--stdio')) {
    const check = createLengthCheck(problem => {
        process.stderr.write(`orbit: ${problem}\n`);
        process.exit(1);
    });
    // The connection begins to listen in this turn, too, so both get all bytes.
    process.stdin.on('data', check);
}
const connection = createConnection(ProposedFeatures.all, { messageStrategy: CHECKED_MESSAGES });
process.on('unhandledRejection', reason => {
    logFailure(connection, reason);
});
startServer({
    connection,
    fileSystem: withEditorFiles(new Disk(), connection),
    startWorkerThread,
});
