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

/** What a computation asks whether it may go on. */
export interface WorkLimit {
    /** True once the budget is spent. Throws OperationCancelled when the caller has given up. Cheap: call it often. */
    isExhausted(): boolean;
}

/** How long a computation may take, and how its caller can end it. */
export interface WorkLimitOptions {
    /** Milliseconds on any monotonic clock. */
    readonly now: () => number;
    /** The budget in milliseconds from now on. Infinity for none. */
    readonly budgetMilliseconds: number;
    /** Whether the caller has given up. */
    readonly isCancelled?: () => boolean;
}

/** The clock is read once in at most this many questions. */
const QUESTIONS_PER_LOOK = 64;
/** Between two looks at the clock should be less than this. */
const LOOK_MILLISECONDS = 4;

/** A limit that ends `budgetMilliseconds` from now. */
export function createWorkLimit(options: WorkLimitOptions): WorkLimit {
    let lastLook = options.now();
    const deadline = lastLook + options.budgetMilliseconds;
    // Some stages ask every microsecond, others every ten milliseconds: questions that are far apart are all looked into.
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

/** The limit, or so many questions if they are over first: the same on every machine. */
export function withinQuestions(limit: WorkLimit, count: number): WorkLimit {
    let questions = 0;
    return { isExhausted: () => limit.isExhausted() || ++questions > count };
}

/** No limit at all, for small problems and for tests. */
export const UNLIMITED: WorkLimit = { isExhausted: () => false };
