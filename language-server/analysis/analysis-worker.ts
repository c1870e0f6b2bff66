/**
 * The entry of a worker thread under Node; bundled on its own, beside the server. All it does is to connect the job
 * runner to the thread's port.
 */
import { parentPort } from 'node:worker_threads';
import { createJobRunner } from './worker-jobs.js';
import type { WorkerRequest } from './worker-protocol.js';

const port = parentPort;
if (port === null) {
    throw new Error('analysis-worker is started as a worker thread, not as a program');
}

const run = createJobRunner({
    now: () => performance.now(),
    post: reply => {
        port.postMessage(reply);
    },
});
port.on('message', (request: WorkerRequest) => {
    run(request);
});
