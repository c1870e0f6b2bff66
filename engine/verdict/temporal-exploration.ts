/** An exploration that checks temporal properties after everything else. */
import type { Problem } from '../common/problem.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { ExplorationProgress, ExplorationResult, RunningExploration } from '../explore/search.js';
import { verdictOf, type ExplorationLimit, type ExplorationReport } from '../explore/verdict.js';
import type { PropertyChecks, CheckedProperty } from './property-checks.js';

export class TemporalExploration implements RunningExploration {
    readonly #states: RunningExploration;
    readonly #checks: PropertyChecks;
    readonly #continueAfterViolation: boolean;
    /** Whether only temporal properties are asked for: then no states are searched for anything else. */
    readonly #checksRunsOnly: boolean;
    #phase: 'states' | 'runs' | 'finished';
    #stopped: ExplorationLimit | undefined;

    constructor(
        states: RunningExploration,
        checks: PropertyChecks,
        options: { readonly continueAfterViolation: boolean; readonly checksRunsOnly: boolean },
    ) {
        this.#states = states;
        this.#checks = checks;
        this.#continueAfterViolation = options.continueAfterViolation;
        this.#checksRunsOnly = options.checksRunsOnly;
        this.#phase = options.checksRunsOnly ? 'runs' : 'states';
    }

    advance(limit: WorkLimit): boolean {
        if (this.#phase === 'states' && this.#states.advance(limit)) {
            const { report } = this.#states.result();
            const hasEnded = report === undefined || (report.verdict === 'violated' && !this.#continueAfterViolation);
            this.#phase = hasEnded ? 'finished' : 'runs';
            if (this.#stopped !== undefined) {
                this.#checks.stop(this.#stopped);
            }
        }
        if (this.#phase === 'runs' && this.#checks.advance(limit)) {
            this.#phase = 'finished';
        }
        return this.#phase === 'finished';
    }

    stop(limit: ExplorationLimit): void {
        this.#stopped ??= limit;
        if (this.#phase === 'states') {
            this.#states.stop(limit);
        } else {
            this.#checks.stop(limit);
        }
    }

    close(): void {
        this.#states.close();
    }

    /** Runs are checked on graphs of their own, which no file holds. */
    snapshot(): undefined {
        return undefined;
    }

    get threadCount(): number {
        return this.#states.threadCount;
    }

    statesPerOrbit(): number | undefined {
        return this.#phase === 'states' ? this.#states.statesPerOrbit() : undefined;
    }

    progress(): ExplorationProgress {
        const states = this.#states.progress();
        const counts = this.#checks.counts;
        return this.#phase !== 'runs' || counts === undefined
            ? states
            : {
                  ...states,
                  phase: 'search',
                  states: counts.states,
                  transitions: counts.transitions,
                  frontier: counts.waiting,
                  memoryBytes: counts.bytes,
                  violations: states.violations + this.#checks.violations.length,
              };
    }

    result(): ExplorationResult {
        const { report, problems } = this.#states.result();
        const problem = this.#checks.problem;
        if (report === undefined || problem !== undefined) {
            return { problems: problem === undefined ? problems : [problem] };
        }
        const { reports } = this.#checks;
        const violations = [...report.violations, ...this.#checks.violations];
        // What was stopped after the last answer is of no interest.
        const openLimit = this.#checks.isDecided ? undefined : this.#stopped;
        const limit = report.limit ?? reports.find(each => each.limit !== undefined)?.limit ?? openLimit;
        const { allStates, ...ofStates } = report;
        return {
            problems: [...problems, ...reports.flatMap(problemsOf)],
            report: {
                ...ofStates,
                ...(this.#checksRunsOnly ? countsOf(reports) : allStates !== undefined && { allStates }),
                verdict: verdictOf(violations.length, limit),
                violations,
                ...(limit !== undefined && { limit }),
                properties: reports,
            },
        };
    }
}

/** Of a report without an exploration of states. */
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

function problemsOf({ name, range, hasNoRun, holdsForNothing }: CheckedProperty): Problem[] {
    if (hasNoRun === true) {
        const message = `no run satisfies the assumptions, so \`${name}\` holds for nothing`;
        return [{ severity: 'warning', code: 'assume/no-run', message, range }];
    }
    if (holdsForNothing === true) {
        const message = `\`${name}\` holds for nothing: no run comes to a state in which it asks for something`;
        return [{ severity: 'information', code: 'property/vacuous', message, range }];
    }
    return [];
}
