/**
 * Budgets and cancellation for computations that may take long.
 *
 * The engine has no clock: whoever calls it passes one in. A stage asks `isExhausted()` in its outer loops. When the
 * time is over the stage stops with what it has and says so in its result; when the caller has cancelled, the question
 * throws OperationCancelled, which passes through every stage untouched.
 */

/** The caller stopped the computation. */
export class OperationCancelled extends Error {
    override readonly name = 'OperationCancelled';

    constructor() {
        super('the operation was cancelled');
    }
}

export interface WorkLimit {
    /** True once the budget is spent. Throws OperationCancelled when the caller has given up. Cheap: call it often. */
    isExhausted(): boolean;
}

export interface WorkLimitOptions {
    /** Milliseconds on any monotonic clock. */
    readonly now: () => number;
    /** The budget in milliseconds from now on. Infinity for none. */
    readonly budgetMilliseconds: number;
    /** Whether the caller has given up. */
    readonly isCancelled?: () => boolean;
}

/** The clock is read once in this many questions. */
const QUESTIONS_PER_LOOK = 64;

/** A limit that ends `budgetMilliseconds` from now. */
export function createWorkLimit(options: WorkLimitOptions): WorkLimit {
    const deadline = options.now() + options.budgetMilliseconds;
    let questions = 0;
    let exhausted = false;
    return {
        isExhausted(): boolean {
            if (questions++ % QUESTIONS_PER_LOOK === 0) {
                if (options.isCancelled?.() === true) {
                    throw new OperationCancelled();
                }
                exhausted ||= options.now() >= deadline;
            }
            return exhausted;
        },
    };
}

/** No limit at all, for small problems and for tests. */
export const UNLIMITED: WorkLimit = { isExhausted: () => false };
