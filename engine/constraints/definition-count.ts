/** How many definitions static single assignment makes of a model, before it makes them. */
import { unreachable } from '../common/assert.js';
import type { SequentialModel, SequentialStatement } from '../sequential/sequential-model.js';

/** An assignment to `a[i]` defines every element of a. */
export function definitionCountOf({ summands }: SequentialModel): number {
    return summands.reduce(
        (sum, { participants }) => sum + participants.reduce((inner, { body }) => inner + definitionCount(body), 0),
        0,
    );
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
