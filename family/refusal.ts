/** The problem of a model about which nothing is said for all values of its parameters. */
import type { Problem } from '../engine/common/problem.js';
import type { SourceRange } from '../engine/common/source-range.js';

export function refusal(message: string, range: SourceRange): Problem {
    return {
        severity: 'error',
        code: 'every/not-narrow',
        message: `cannot be checked for every size: ${message}`,
        range,
    };
}

/** Each problem once: several cells, calls or sizes may be refused by the same place of the text. */
export function eachOnce(problems: readonly Problem[]): readonly Problem[] {
    return [...new Map(problems.map(problem => [JSON.stringify([problem.message, problem.range]), problem])).values()];
}
