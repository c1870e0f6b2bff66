/**
 * Threads for a search that is large enough. The engine has none of its own: its caller passes a host, and the
 * entry of a thread calls `runSearchWorker` (engine/compiled-search/threads/search-worker.ts).
 */

/** Starts threads for a search; the engine itself knows no platform. */
export interface WorkerHost {
    /** How many threads may search, the calling one included; from 1. */
    readonly threadCount: number;
    /**
     * Starts a thread that runs `runSearchWorker(data)`; `data` passes by structured clone and holds shared memory. The thread
     * must not keep the process alive. `ended` is called when it ends, unless it was terminated here.
     */
    start(data: unknown, ended: (reason: string) => void): WorkerHandle;
}

/** A thread that was started. */
export interface WorkerHandle {
    /** Ends the thread, whatever it does. */
    terminate(): void;
}
