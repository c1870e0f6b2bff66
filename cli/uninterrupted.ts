/**
 * Ends work that cannot pause. While JavaScript runs, Node sees no signal and no timer; its virtual machine does, and ends
 * what it runs. [https://nodejs.org/api/vm.html, `breakOnSigint` and `timeout`]
 */
import { type Context, Script, createContext } from 'node:vm';
import { OperationCancelled } from '../engine/common/work-limit.js';
import { TimeIsOver } from './io.js';

/** The longest time that the virtual machine can measure. */
const MOST_MILLISECONDS = 2 ** 31 - 1;

const CALL = new Script('work()', { filename: 'uninterrupted' });

/** What the script calls. To make a context takes a millisecond, so all calls have one. */
const called: { work?: () => void } = {};
let context: Context | undefined;

/**
 * See `CommandIo.finish`. Takes a fraction of a millisecond more than the work. Where that is over Node takes its listener for
 * Ctrl+C down before it puts another in its place, and what is pressed in between may be lost.
 */
export function finishWithin<Result>(work: () => Result, milliseconds: number): Result {
    const results: Result[] = [];
    context ??= createContext(called);
    called.work = () => void results.push(work());
    const timeout = Math.max(1, Math.ceil(milliseconds));
    try {
        CALL.runInContext(context, {
            breakOnSigint: true,
            displayErrors: false,
            ...(timeout <= MOST_MILLISECONDS && { timeout }),
        });
    } catch (error) {
        // It is no Error of this context.
        switch (typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined) {
            case 'ERR_SCRIPT_EXECUTION_INTERRUPTED':
                throw new OperationCancelled();
            case 'ERR_SCRIPT_EXECUTION_TIMEOUT':
                throw new TimeIsOver();
            default:
                throw error;
        }
    } finally {
        delete called.work;
    }
    return (results as [Result])[0];
}
