/**
 * Threads for large searches under Node. A thread runs the bundle that has started it once more, from its entry, which
 * asks `runSearchThread` first whether that is what it is for: so no further file has to be found beside it.
 */
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { isSearchWorkerData, runSearchWorker } from '../../engine/codegen/search-worker.js';
import type { WorkerHost } from '../../engine/explore/worker-host.js';

/** `file` is the bundle. Absent for one thread, which needs no host. */
export function searchThreads(file: string, threadCount: number): WorkerHost | undefined {
    if (threadCount < 2) {
        return undefined;
    }
    return {
        threadCount,
        start(data, ended) {
            const thread = startWorker(file, data, ended);
            if (thread === undefined) {
                return { terminate: () => undefined };
            }
            let isOver = false;
            const tell = (reason: string): void => {
                if (!isOver) {
                    isOver = true;
                    ended(reason);
                }
            };
            thread.on('error', ({ message }) => {
                tell(message);
            });
            thread.on('exit', code => {
                tell(`it ended with code ${String(code)}`);
            });
            thread.unref();
            return {
                terminate() {
                    isOver = true;
                    void thread.terminate();
                },
            };
        },
    };
}

/** Undefined where the system gives no thread; the reason is told. */
function startWorker(file: string, data: unknown, ended: (reason: string) => void): Worker | undefined {
    try {
        return new Worker(file, { workerData: data });
    } catch (error) {
        ended(error instanceof Error ? error.message : String(error));
        return undefined;
    }
}

/** Takes part in a search where this thread was started for one; whether it was. */
export function runSearchThread(): boolean {
    const data: unknown = workerData;
    if (isMainThread || !isSearchWorkerData(data)) {
        return false;
    }
    runSearchWorker(data);
    return true;
}
