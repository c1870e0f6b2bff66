/** The entry of a worker thread under Node, bundled on its own: connects the job runner to the port of the thread. */
import { availableParallelism } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { searchThreads } from './search-threads.js';
import { JobRunner } from './worker-jobs.js';
import type { WorkerRequest } from './worker-protocol.js';

const port = parentPort;
if (port === null) {
    throw new Error('analysis-worker is started as a worker thread, not as a program');
}
const runner = new JobRunner({
    now: () => performance.now(),
    post: reply => {
        port.postMessage(reply);
    },
    searchThreads: most => searchThreads(__dirname, Math.min(most, availableParallelism())),
});
port.on('message', (request: WorkerRequest) => {
    runner.run(request);
});
