/**
 * Budgets and cancellation for long computations. The caller passes the clock in. A stage calls `isExhausted()` in its
 * outer loops; when it is true, the stage stops and says so in its result. No stage catches OperationCancelled.
 */

/** The caller cancelled the computation. */
export class OperationCancelled extends Error {
    override readonly name = 'OperationCancelled';

    constructor() {
        super('the operation was cancelled');
    }
}

/** A limit of work, asked between pieces of it. */
export interface WorkLimit {
    /** True once the budget is spent. Throws OperationCancelled if the caller has cancelled. Cheap: call it often. */
    isExhausted(): boolean;
}

/** The time that a computation may take, and how its caller can end it. */
export interface WorkLimitOptions {
    /** Milliseconds on any monotonic clock. */
    readonly now: () => number;
    /** The budget in milliseconds from now on; may be Infinity. */
    readonly budgetMilliseconds: number;
    readonly isCancelled?: () => boolean;
}

/** The clock is read at least once in this many questions. */
const QUESTIONS_PER_LOOK = 64;
/** If more time passes between two readings of the clock, each question reads it. */
const LOOK_MILLISECONDS = 4;

/** A limit that ends `budgetMilliseconds` from now. */
export function createWorkLimit(options: WorkLimitOptions): WorkLimit {
    let lastLook = options.now();
    const deadline = lastLook + options.budgetMilliseconds;
    // Stages ask at very different rates, from microseconds to ten milliseconds.
    let questionsPerLook = 1;
    let questions = 0;
    let exhausted = false;
    return {
        isExhausted(): boolean {
            if (++questions >= questionsPerLook) {
                questions = 0;
                if (options.isCancelled?.() === true) {
                    throw new OperationCancelled();
                }
                const look = options.now();
                exhausted ||= look >= deadline;
                questionsPerLook =
                    look - lastLook > LOOK_MILLISECONDS ? 1 : Math.min(questionsPerLook * 2, QUESTIONS_PER_LOOK);
                lastLook = look;
            }
            return exhausted;
        },
    };
}

/** A limit that is also exhausted after `count` questions, which are the same on every machine. */
export function withinQuestions(limit: WorkLimit, count: number): WorkLimit {
    let questions = 0;
    return { isExhausted: () => limit.isExhausted() || ++questions > count };
}

/** A limit that is also exhausted `milliseconds` from now, on the clock `now`. */
export function withinMilliseconds(limit: WorkLimit, now: () => number, milliseconds: number): WorkLimit {
    const part = createWorkLimit({ now, budgetMilliseconds: milliseconds });
    return { isExhausted: () => limit.isExhausted() || part.isExhausted() };
}

/** No limit, for small problems and tests. */
export const UNLIMITED: WorkLimit = { isExhausted: () => false };
