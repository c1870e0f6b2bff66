/**
 * The limits of linearization, so that the tool never hangs. A model beyond them gets a problem at the place that
 * exceeds them; it travels as the exception `LinearizationStopped`, which `linearize` catches.
 */
import type { Problem } from '../common/problem.js';
import type { SourceRange } from '../common/source-range.js';

/** The most that a model may grow to. */
export const LIMITS = {
    /** Instances of all processes together. */
    instances: 20_000,
    /** Valuations of the indices of one process, including those that `where` excludes. */
    valuations: 1_000_000,
    /** Scalars of the state vector. */
    cells: 200_000,
    /** Values of a variable: codes are 32-bit integers. */
    domainSize: 2 ** 31 - 2,
    /** Paths from steps to the next steps, over all instances. */
    paths: 100_000,
    /** Control points between two steps, one after the other. */
    pathLength: 1_000,
    /** Control points visited while these paths are listed. */
    visits: 2_000_000,
    /** Summands of the sequential model. */
    summands: 200_000,
    /** Nodes evaluated before the run: `where` of families, static tests. */
    staticNodes: 20_000_000,
    /** Nodes of all expressions and statements. */
    nodes: 2_000_000,
    /** Nested nodes of an expression: functions visit them by recursion. */
    expressionDepth: 1_000,
} as const;

/** Ends a linearization with a problem; caught where it began. */
export class LinearizationStopped extends Error {
    override readonly name = 'LinearizationStopped';
    readonly problem: Problem;

    constructor(problem: Problem) {
        super(problem.message);
        this.problem = problem;
    }
}

/** Ends linearization with an error at `range`. */
export function stop(code: string, message: string, range: SourceRange): never {
    throw new LinearizationStopped({ severity: 'error', code, message, range });
}

/** Counts the paths between steps, and the control points visited to list them. */
export class UnfoldingBudget {
    #paths = 0;
    #visits = 0;

    /** The sum of the used shares of its limits. */
    get share(): number {
        return this.#paths / LIMITS.paths + this.#visits / LIMITS.visits;
    }

    /** One more control point, so many after the last step. */
    visit(depth: number, range: SourceRange): void {
        if (depth > LIMITS.pathLength) {
            stop(
                'limit/paths',
                `more than ${LIMITS.pathLength.toLocaleString('en-US')} tests, choices and labels follow each other ` +
                    'without a step; a step (`skip`) between them, or the body of one step, makes fewer',
                range,
            );
        }
        if (++this.#visits > LIMITS.visits) {
            tooManyPaths(range);
        }
    }

    /** More ways to a step at `range`. */
    addPaths(pathCount: number, range: SourceRange): void {
        this.#paths += pathCount;
        if (this.#paths > LIMITS.paths) {
            tooManyPaths(range);
        }
    }
}

function tooManyPaths(range: SourceRange): never {
    return stop(
        'limit/paths',
        `there are more than ${LIMITS.paths.toLocaleString('en-US')} ways through the tests and choices between the steps of ` +
            'the model; a step (`skip`) between the tests, or their union in the body of one step, makes fewer',
        range,
    );
}

/** Counts the nodes of expressions and statements. */
export class NodeBudget {
    #left: number;
    #limit: number;

    constructor(limit: number) {
        this.#limit = limit;
        this.#left = limit;
    }

    /** The share of the limit that is used up. */
    get share(): number {
        return 1 - this.#left / this.#limit;
    }

    spend(nodeCount: number, range: SourceRange): void {
        this.#left -= nodeCount;
        if (this.#left < 0) {
            stop(
                'limit/expression-size',
                `the expressions of the model expand to more than ${this.#limit.toLocaleString('en-US')} terms; ` +
                    'smaller parameters or index types would make fewer',
                range,
            );
        }
    }
}
