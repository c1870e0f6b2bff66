/** The entry of a thread that takes part in a large search; bundled on its own, so that it begins at once. */
import { workerData } from 'node:worker_threads';
import { isSearchWorkerData, runSearchWorker } from '../../engine/compiled-search/threads/search-worker.js';

const data: unknown = workerData;
if (!isSearchWorkerData(data)) {
    throw new Error('search-thread is started by a search, not as a program');
}
runSearchWorker(data);
