/** The entry of a web worker that takes part in a large search; bundled on its own, so that it begins at once. */
import { isSearchWorkerData, runSearchWorker } from '../../engine/compiled-search/threads/search-worker.js';
import { whenStarted } from './bundles.js';

whenStarted(() => {
    onmessage = ({ data }: MessageEvent<unknown>) => {
        if (!isSearchWorkerData(data)) {
            throw new Error('search-thread is started by a search');
        }
        runSearchWorker(data);
    };
    postMessage('begun');
});
