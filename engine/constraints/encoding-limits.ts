/** Exceptions that end the encoding of a constraint or of the whole model. */
import type { WorkLimit } from '../common/work-limit.js';

/** An expression exceeds every budget. The catcher pins the cells that the expression reads. */
export class ConstraintTooLarge extends Error {
    override readonly name = 'ConstraintTooLarge';
}

/** The work limit is reached or there are too many formulas; then there is no constraint problem. */
export class EncodingStopped extends Error {
    override readonly name = 'EncodingStopped';
}

/** Throws EncodingStopped once the limit is exhausted. */
export function goOnWithin(limit: WorkLimit, missing: string): void {
    if (limit.isExhausted()) {
        throw new EncodingStopped(missing);
    }
}

/** The result of `run`, or that of `otherwise` if it ends with `error`. */
export function unless<Result, Other>(
    error: new (...parameters: never) => Error,
    run: () => Result,
    otherwise: () => Other,
): Result | Other {
    try {
        return run();
    } catch (thrown) {
        if (thrown instanceof error) {
            return otherwise();
        }
        throw thrown;
    }
}
