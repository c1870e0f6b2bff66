/** The result of an exploration of states, with what was found of the properties of runs. */
import type { Problem } from '../common/problem.js';
import type { ExplorationResult } from '../explore/search.js';
import { verdictOf, type ExplorationLimit, type ExplorationReport } from '../explore/verdict.js';
import type { CheckedProperty, PropertyChecks } from './property-checks.js';

/** `stopped` is the limit that has ended the exploration from outside. */
export function withRuns(
    { report, problems }: ExplorationResult,
    checks: PropertyChecks,
    stopped: ExplorationLimit | undefined,
): ExplorationResult {
    if (report === undefined || checks.problem !== undefined) {
        return { problems: checks.problem === undefined ? problems : [checks.problem] };
    }
    const { reports } = checks;
    const violations = [...report.violations, ...checks.violations];
    // What was stopped after the last answer is of no interest.
    const openLimit = checks.isDecided ? undefined : stopped;
    const limit = report.limit ?? reports.find(each => each.limit !== undefined)?.limit ?? openLimit;
    const { allStates, ...ofStates } = report;
    return {
        problems: [...problems, ...reports.flatMap(problemsOf)],
        report: {
            ...ofStates,
            ...(checks.isAlone ? countsOf(reports) : allStates !== undefined && { allStates }),
            verdict: verdictOf(violations.length, limit),
            violations,
            ...(limit !== undefined && { limit }),
            properties: reports,
        },
    };
}

/** The counts of a report without an exploration of states. */
function countsOf(
    reports: readonly CheckedProperty[],
): Pick<ExplorationReport, 'states' | 'transitions' | 'depth' | 'bytesPerState' | 'peakBytes'> {
    const sum = (count: (report: CheckedProperty) => number): number =>
        reports.reduce((total, report) => total + count(report), 0);
    return {
        states: sum(({ states }) => states),
        transitions: sum(({ transitions }) => transitions),
        depth: 0,
        bytesPerState: Math.max(0, ...reports.map(({ bytesPerState }) => bytesPerState)),
        peakBytes: Math.max(0, ...reports.map(({ peakBytes }) => peakBytes)),
    };
}

function problemsOf({ name, range, noRun, holdsForNothing }: CheckedProperty): Problem[] {
    if (noRun !== undefined) {
        const why =
            noRun === 'within the constraint'
                ? 'no fair run stays within the constraint'
                : 'no run satisfies the assumptions';
        const message = `${why}, so \`${name}\` holds for nothing`;
        return [{ severity: 'warning', code: 'assume/no-run', message, range }];
    }
    if (holdsForNothing === true) {
        const message = `\`${name}\` holds for nothing: no run comes to a state in which it asks for something`;
        return [{ severity: 'information', code: 'property/vacuous', message, range }];
    }
    return [];
}
