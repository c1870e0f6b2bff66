/** Threads for one search after the other: starting one takes some ten times as long as searching a small model. */
import { buildSync } from 'esbuild';
import { Worker } from 'node:worker_threads';
import type { WorkerHost } from '../../engine/explore/worker-host.js';

/** The thread says with this word of shared memory whether it is in a search. */
const CODE = `
    import { parentPort } from 'node:worker_threads';
    import { runSearchWorker } from './engine/compiled-search/threads/search-worker.ts';
    parentPort.on('message', ({ data, isBusy }) => {
        runSearchWorker(data);
        Atomics.store(isBusy, 0, 0);
        Atomics.notify(isBusy, 0);
    });
`;

/** A thread that was told to end, and does not within this time, is ended for good. */
const PATIENCE_MILLISECONDS = 2000;

/** To be called from the root of the project. The threads do not keep the process alive. */
export function threadPool(threadCount: number): WorkerHost {
    const { outputFiles } = buildSync({
        stdin: { contents: CODE, resolveDir: process.cwd(), loader: 'ts' },
        bundle: true,
        platform: 'node',
        format: 'cjs',
        write: false,
        logLevel: 'warning',
    });
    const code = outputFiles[0]!.text;
    const idle: Worker[] = [];
    return {
        threadCount,
        start(data, ended) {
            const thread = idle.pop() ?? new Worker(code, { eval: true });
            thread.unref();
            const isBusy = new Int32Array(new SharedArrayBuffer(4));
            Atomics.store(isBusy, 0, 1);
            const lost = (code: number): void => {
                ended(`it ended with code ${String(code)}`);
            };
            thread.once('exit', lost);
            thread.postMessage({ data, isBusy });
            return {
                terminate() {
                    thread.off('exit', lost);
                    if (Atomics.wait(isBusy, 0, 1, PATIENCE_MILLISECONDS) === 'timed-out') {
                        void thread.terminate();
                    } else {
                        idle.push(thread);
                    }
                },
            };
        },
    };
}
