/** Threads for a large search, started by the caller of the engine; they call `runSearchWorker` (search-worker.ts). */

/** Starts threads for a search; the engine itself knows no platform. */
export interface WorkerHost {
    /** The number of threads that may search, the calling one included; at least 1. */
    readonly threadCount: number;
    /**
     * Starts a thread that runs `runSearchWorker(data)` and does not keep the process alive. `data` passes by
     * structured clone and holds shared memory. `ended` is called when it ends without `terminate`.
     */
    start(data: unknown, ended: (reason: string) => void): WorkerHandle;
}

/** A thread that was started. */
export interface WorkerHandle {
    terminate(): void;
}
