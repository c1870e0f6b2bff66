/** Threads for large searches under Node: each runs a bundle of its own (search-thread.ts), beside those that start it. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { WorkerHost } from '../../engine/explore/worker-host.js';

const BUNDLE = 'search-thread.cjs';

/** `folder` has the bundle. Absent for one thread, which needs no host. */
export function searchThreads(folder: string, threadCount: number): WorkerHost | undefined {
    if (threadCount < 2) {
        return undefined;
    }
    return {
        threadCount,
        start(data, ended) {
            const thread = startWorker(join(folder, BUNDLE), data, ended);
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
