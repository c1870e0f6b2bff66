/**
 * Threads for a search that is large enough. The engine knows none of its own: whoever runs it passes a host, and the
 * entry of a thread calls `runSearchWorker` (engine/compiled-search/threads/search-worker.ts).
 */

/** Starts threads for a search; the engine itself knows no platform. */
export interface WorkerHost {
    /** How many threads may search, the calling one included; from 1. */
    readonly threadCount: number;
    /**
     * Starts a thread that runs `runSearchWorker(data)`; `data` passes by structured clone and holds shared memory. The thread
     * must not keep the process alive. `ended` is called when it ends, whyever, unless it was terminated here.
     */
    start(data: unknown, ended: (reason: string) => void): WorkerHandle;
}

/** A thread that was started. */
export interface WorkerHandle {
    /** Ends the thread, whatever it does. */
    terminate(): void;
}
