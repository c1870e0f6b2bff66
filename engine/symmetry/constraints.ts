/** From the sequential model to its constraint problem, by way of static single assignment, within a budget. */
import type { WorkLimit } from '../common/work-limit.js';
import type { ConstraintProblem } from '../csp/constraint-problem.js';
import { encode, withoutConstraints } from '../csp/encode.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { definitionCountOf } from '../ssa/definition-count.js';
import { toStaticSingleAssignment, type SsaModel } from '../ssa/static-single-assignment.js';

export interface Constraints {
    readonly ssa: SsaModel;
    readonly problem: ConstraintProblem;
}

/** More definitions than this are not worth their memory. */
const MOST_DEFINITIONS = 1_000_000;

/** The constraints of a model; an incomplete problem where it is too large or the limit is reached. */
export function constraintsOf(sequential: SequentialModel, limit: WorkLimit): Constraints {
    if (definitionCountOf(sequential) > MOST_DEFINITIONS) {
        return { ssa: { sequential, summands: [] }, problem: withoutConstraints(sequential) };
    }
    const ssa = toStaticSingleAssignment(sequential);
    return { ssa, problem: encode(ssa, limit) };
}
