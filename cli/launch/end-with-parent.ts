/**
 * Ends this process when the one that has started it is gone, however that ended. A thread watches, since the work of
 * this process may not pause for as long as its time limit.
 */
import { Worker } from 'node:worker_threads';

/** Milliseconds between two looks. */
const INTERVAL = 500;

/** `parent` is the number of the process that has started this one; it may be gone by now. */
export function endWithParent(parent: number): void {
    const watch = `setInterval(() => process.ppid === ${parent} || process.kill(process.pid, 'SIGKILL'), ${INTERVAL})`;
    new Worker(watch, { eval: true }).unref();
}
