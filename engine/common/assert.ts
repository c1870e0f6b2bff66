/** Invariants. A violation is a defect of Orbit; a fault in the user's model is a `Problem` instead. */
export class InvariantViolation extends Error {
    override readonly name = 'InvariantViolation';
}

/** Throws an InvariantViolation unless `condition` holds; `message` states the condition. */
export function invariant(condition: boolean, message: string): asserts condition {
    if (!condition) {
        throw new InvariantViolation(message);
    }
}

/** The default branch of an exhaustive switch. */
export function unreachable(value: never): never {
    throw new InvariantViolation(`unexpected value ${JSON.stringify(value)}`);
}
