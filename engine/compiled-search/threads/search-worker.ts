/** The loop of a search thread: it waits for a task and does its part, until the end. Its event loop does not run. */
import { CONTROL, fail, spinWhile, TASK, type Task } from './round-control.js';
import { SearchThread, type SharedSearch } from './search-thread.js';

/** The data that a thread is started with. */
export interface SearchWorkerData {
    readonly shared: SharedSearch;
    /** The number of the thread; 0 is the leading one. */
    readonly number: number;
}

const TASKS: ReadonlyMap<number, Task> = new Map(
    (['grow', 'expand', 'publish', 'merge'] as const).map(task => [TASK[task], task]),
);

/** Whether data of `WorkerHost.start` come from a search. */
export function isSearchWorkerData(data: unknown): data is SearchWorkerData {
    return typeof data === 'object' && data !== null && 'shared' in data && 'number' in data;
}

/** Takes the data of `WorkerHost.start`; returns at the end of the search. */
export function runSearchWorker({ shared, number }: SearchWorkerData): void {
    const { control } = shared;
    try {
        const thread = new SearchThread(shared, number);
        let seen = Atomics.load(control, CONTROL.task);
        Atomics.add(control, CONTROL.ready, 1);
        Atomics.notify(control, CONTROL.ready);
        if (Atomics.load(control, CONTROL.kind) === TASK.end) {
            // The search has already ended, so no task will come.
            return;
        }
        for (;;) {
            spinWhile(control, CONTROL.task, seen);
            Atomics.wait(control, CONTROL.task, seen);
            const current = Atomics.load(control, CONTROL.task);
            if (current === seen) {
                continue;
            }
            seen = current;
            const task = TASKS.get(Atomics.load(control, CONTROL.kind));
            if (task === undefined) {
                return;
            }
            if (number < Atomics.load(control, CONTROL.threads)) {
                thread.work(task, () => Atomics.load(control, CONTROL.cancelled) !== 0);
                Atomics.add(control, CONTROL.done, 1);
                Atomics.notify(control, CONTROL.done);
            }
        }
    } catch (error) {
        fail(control, error instanceof Error ? `${error.name}: ${error.message}` : String(error));
    }
}
