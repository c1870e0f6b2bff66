/** What ends the encoding of a part of the model, or of all of it, before it takes too long. */

/** Thrown where an expression exceeds every budget. Whoever catches it pins what the expression reads. */
export class ConstraintTooLarge extends Error {
    override readonly name = 'ConstraintTooLarge';
}

/** Thrown when the work limit is reached or the formulas get too many: there is no constraint problem then. */
export class EncodingStopped extends Error {
    override readonly name = 'EncodingStopped';
}
