/** From the sequential model to its constraint problem, by way of static single assignment, within a budget. */
import { unreachable } from '../common/assert.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { ConstraintProblem } from '../csp/constraint-problem.js';
import { encode, withoutConstraints } from '../csp/encode.js';
import type { SequentialModel, SequentialStatement } from '../sequential/sequential-model.js';
import { toStaticSingleAssignment, type SsaModel } from '../ssa/static-single-assignment.js';

export interface Constraints {
    readonly ssa: SsaModel;
    readonly problem: ConstraintProblem;
}

/** More definitions than this are not worth their memory: an assignment to `a[i]` defines every element of a. */
const MOST_DEFINITIONS = 1_000_000;

/** The constraints of a model; an incomplete problem where it is too large or the limit is reached. */
export function constraintsOf(sequential: SequentialModel, limit: WorkLimit): Constraints {
    const definitions = sequential.summands.reduce(
        (sum, { participants }) => sum + participants.reduce((inner, { body }) => inner + definitionCount(body), 0),
        0,
    );
    if (definitions > MOST_DEFINITIONS) {
        return { ssa: { sequential, summands: [] }, problem: withoutConstraints(sequential) };
    }
    const ssa = toStaticSingleAssignment(sequential);
    return { ssa, problem: encode(ssa, limit) };
}

function definitionCount(statements: readonly SequentialStatement[]): number {
    return statements.reduce((sum, statement) => {
        switch (statement.kind) {
            case 'assign':
                return sum + (statement.target.kind === 'cell' ? 1 : statement.target.cells.length);
            case 'if':
                return sum + definitionCount(statement.then) + definitionCount(statement.otherwise);
            case 'while':
                // At least once; what more there is has a limit of its own.
                return sum + definitionCount(statement.body);
            case 'assert':
            case 'clear':
                return sum;
            default:
                return unreachable(statement);
        }
    }, 0);
}
