/**
 * Threads for large searches in a browser, where the page may share memory. A worker that computes cannot start others,
 * since they begin when it returns to its event loop. So they are started before a search, and wait.
 */
import type { WorkerHost } from '../../engine/explore/worker-host.js';
import { whenFailed } from './bundles.js';

export class SearchThreads {
    readonly #start: () => Worker;
    #waiting: readonly Worker[] = [];

    constructor(start: () => Worker) {
        this.#start = start;
    }

    /** Resolves when there are enough threads for a search by `most`, or as many as the machine and the page allow. */
    async prepare(most: number): Promise<void> {
        const others = crossOriginIsolated ? Math.min(most, navigator.hardwareConcurrency) - 1 : 0;
        const missing = Math.max(0, others - this.#waiting.length);
        const started = await Promise.all(Array.from({ length: missing }, () => begun(this.#start())));
        this.#waiting = [...this.#waiting, ...started.filter(thread => thread !== undefined)];
    }

    /** Threads that were prepared, at most `most` with the calling one; undefined for one. */
    host(most: number): WorkerHost | undefined {
        const threadCount = Math.min(most, 1 + this.#waiting.length);
        if (threadCount < 2) {
            return undefined;
        }
        return {
            threadCount,
            start: (data, ended) => {
                const [thread, ...others] = this.#waiting;
                if (thread === undefined) {
                    ended('the browser has not started it');
                    return { terminate: () => undefined };
                }
                this.#waiting = others;
                whenFailed(thread, ended);
                thread.postMessage(data);
                return {
                    terminate: () => {
                        thread.terminate();
                    },
                };
            },
        };
    }
}

/** The thread once its bundle runs; undefined if it cannot. */
function begun(thread: Worker): Promise<Worker | undefined> {
    return new Promise(resolve => {
        thread.onmessage = () => {
            resolve(thread);
        };
        whenFailed(thread, () => {
            resolve(undefined);
        });
    });
}
