/**
 * Ends work that cannot pause. While JavaScript runs, Node handles no signal and no timer, but its virtual machine can
 * end a script. [https://nodejs.org/api/vm.html, `breakOnSigint` and `timeout`]
 */
import { type Context, Script, createContext } from 'node:vm';
import { OperationCancelled } from '../engine/common/work-limit.js';
import { TimeIsOver } from './io.js';

/** The longest time that the virtual machine can measure. */
const MOST_MILLISECONDS = 2 ** 31 - 1;

const CALL = new Script('work()', { filename: 'uninterrupted' });

/** The work that the script calls. Creating a context takes a millisecond, so all calls share one. */
const called: { work?: () => void } = {};
let context: Context | undefined;

/**
 * See `CommandIo.finish`. Costs a fraction of a millisecond. At the end of the work, a Ctrl+C between the removal of
 * one listener and the addition of the next may be lost.
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
        // The error belongs to another context, so `instanceof Error` fails.
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
