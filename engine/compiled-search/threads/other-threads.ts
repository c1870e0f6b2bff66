/**
 * The other threads of a search, as the leading one sees them: it starts them, tells them their tasks, waits for them and
 * ends them. One that ends too early, or makes no progress for long, is lost, and the search with it.
 */
import { invariant } from '../../common/assert.js';
import type { WorkLimit } from '../../common/work-limit.js';
import type { WorkerHandle, WorkerHost } from '../../explore/worker-host.js';
import { CONTROL, failureOf, spinWhile, TASK, type Task } from './round-control.js';
import type { SharedSearch } from './search-thread.js';
import type { SearchWorkerData } from './search-worker.js';

/** The milliseconds between two questions of the waiting leading thread to its limit. */
const WAIT_MILLISECONDS = 5;
/**
 * A thread is lost after so many waits without any progress: ten minutes, or more on a busy machine. A host that
 * returns to its event loop reports lost threads at once.
 */
const MOST_WAITS = 120_000;

export class OtherThreads {
    readonly #control: Int32Array;
    readonly #handles: readonly WorkerHandle[];
    #waits = 0;
    #pulse = 0;
    #lost: string | undefined;

    constructor(shared: SharedSearch, workers: WorkerHost | undefined) {
        this.#control = shared.control;
        this.#handles = Array.from({ length: shared.threadMemories.length - 1 }, (_, worker): WorkerHandle => {
            invariant(workers !== undefined, 'other threads come from a host');
            const data: SearchWorkerData = { shared, number: worker + 1 };
            return workers.start(data, reason => (this.#lost ??= reason));
        });
    }

    /** Whether all threads have begun. */
    get isReady(): boolean {
        this.#checkFailure();
        return Atomics.load(this.#control, CONTROL.ready) === this.#handles.length;
    }

    /** Waits until all threads have begun or one is lost; false if the limit comes first. */
    waitUntilReady(limit: WorkLimit): boolean {
        const control = this.#control;
        while (!this.isReady && this.#lost === undefined) {
            this.#wait(CONTROL.ready, Atomics.load(control, CONTROL.ready));
            if (limit.isExhausted()) {
                return false;
            }
        }
        return true;
    }

    /** The reason why a thread has ended too early; undefined if none has. */
    get lost(): string | undefined {
        return this.#lost;
    }

    /** Begins a task, if others take part in it. */
    begin(task: Task): void {
        this.#waits = 0;
        this.#control[CONTROL.done] = 0;
        if (this.#control[CONTROL.threads] > 1) {
            this.#tell(task);
        }
    }

    /** Waits until all are done with the task; false if the limit comes first or one is lost. */
    waitUntilDone(limit: WorkLimit): boolean {
        const control = this.#control;
        for (;;) {
            const done = Atomics.load(control, CONTROL.done);
            this.#checkFailure();
            if (done === control[CONTROL.threads] - 1) {
                return true;
            }
            if (this.#lost !== undefined) {
                return false;
            }
            spinWhile(control, CONTROL.done, done);
            this.#wait(CONTROL.done, done);
            if (limit.isExhausted()) {
                return false;
            }
        }
    }

    /** Ends the threads. */
    close(): void {
        Atomics.store(this.#control, CONTROL.cancelled, 1);
        this.#tell('end');
        for (const handle of this.#handles) {
            handle.terminate();
        }
    }

    #tell(task: keyof typeof TASK): void {
        Atomics.store(this.#control, CONTROL.kind, TASK[task]);
        Atomics.add(this.#control, CONTROL.task, 1);
        Atomics.notify(this.#control, CONTROL.task);
    }

    /** Waits some time for a number of the control to change. */
    #wait(number: number, seen: number): void {
        const control = this.#control;
        if (Atomics.wait(control, number, seen, WAIT_MILLISECONDS) !== 'timed-out') {
            this.#waits = 0;
            return;
        }
        const pulse = Atomics.load(control, CONTROL.pulse);
        this.#waits = pulse === this.#pulse ? this.#waits + 1 : 0;
        this.#pulse = pulse;
        if (this.#waits >= MOST_WAITS) {
            this.#lost = 'it does not answer';
        }
    }

    #checkFailure(): void {
        const failure = failureOf(this.#control);
        invariant(failure === undefined, `a thread of the search has failed: ${failure ?? ''}`);
    }
}
