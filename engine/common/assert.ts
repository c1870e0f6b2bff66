/**
 * What must hold by construction. A failure here is a defect of Orbit, never a fault in the user's model: those are
 * `Problem` values.
 */

/** Thrown when something that must hold by construction does not. */
export class InvariantViolation extends Error {
    override readonly name = 'InvariantViolation';
}

/** Throws an InvariantViolation unless `condition` holds; `message` says what should hold. */
export function invariant(condition: boolean, message: string): asserts condition {
    if (!condition) {
        throw new InvariantViolation(message);
    }
}

/** The default branch of an exhaustive switch. */
export function unreachable(value: never): never {
    throw new InvariantViolation(`unexpected value ${JSON.stringify(value)}`);
}
