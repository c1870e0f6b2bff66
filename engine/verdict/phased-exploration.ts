/**
 * An exploration as its phases, one after the other in slices: states, properties of runs, runs that are to exist, and
 * invariants that ask for nothing. If a search had too little room for what grows in the model, a round with more begins,
 * and the result is that of the last round alone.
 */
import type { Explorable } from '../analysis.js';
import type { WorkLimit } from '../common/work-limit.js';
import { statementOf } from '../explore/properties.js';
import type { ExplorationProgress, ExplorationResult, RunningExploration } from '../explore/search.js';
import type { ExplorationSnapshot } from '../explore/snapshot.js';
import type { ExplorationLimit, ExplorationReport, RunOutcome } from '../explore/verdict.js';
import type { FollowedRuns } from './followed-runs.js';
import type { PropertyChecks } from './property-checks.js';
import type { ReasonOf, ReducedExploration, ReducedExplorationOptions } from './reduced-exploration.js';
import type { Reduced, ReductionReport } from './reduction.js';
import { withRuns } from './runs-report.js';
import type { SearchedStates } from './search-states.js';
import type { VacuousInvariants } from './vacuous-invariants.js';

/** The phases of one search, each ready to begin. */
export interface Round {
    readonly reduced: Reduced;
    readonly states: SearchedStates;
    /** Absent without properties of runs. */
    readonly runs?: PropertyChecks | undefined;
    /** Absent if states show all runs that are to exist. */
    readonly followed?: FollowedRuns | undefined;
    /** What the text says is violated. */
    readonly meant: ReadonlySet<string>;
    /** The report of what was found, by what the text says is meant. */
    readonly judge: (report: ExplorationReport, followed: readonly RunOutcome[]) => ExplorationReport;
    readonly reasonOf: ReasonOf;
    /** What is asked if all states were seen, and nothing is violated. */
    readonly beginVacuity: () => VacuousInvariants;
}

/** Something in a model that has no end, of which a search has a part: with more of it the model is analyzed anew. */
export interface Growth {
    /** The model with as much as the search has that begins, or goes on. */
    readonly given: Explorable;
    /** The model with more of it, if a search has ended for lack of it. */
    after(result: ExplorationResult, reduced: Reduced): Explorable | undefined;
    /** The report, with a word on the growth. */
    reportOn(report: ExplorationReport, reduced: Reduced): ExplorationReport;
}

export class PhasedExploration implements RunningExploration {
    readonly #begin: (given: Explorable) => Round;
    readonly #growth: Growth | undefined;
    readonly #options: Pick<ReducedExplorationOptions, 'continueAfterViolation' | 'tellsVacuity' | 'endsAtLimit'>;
    #round: Round;
    #phase: 'states' | 'runs' | 'followed' | 'finished';
    #stopped: ExplorationLimit | undefined;
    /** Behind the last round. */
    #vacuity: VacuousInvariants | undefined;

    constructor(
        given: Explorable,
        begin: (given: Explorable) => Round,
        growth: Growth | undefined,
        options: Pick<ReducedExplorationOptions, 'continueAfterViolation' | 'tellsVacuity' | 'endsAtLimit'>,
    ) {
        this.#begin = begin;
        this.#growth = growth;
        this.#options = options;
        this.#round = begin(growth?.given ?? given);
        this.#phase = firstPhaseOf(this.#round);
    }

    /** The last one. */
    get round(): Round {
        return this.#round;
    }

    get threadCount(): number {
        return this.#round.states.exploration.threadCount;
    }

    advance(limit: WorkLimit): boolean {
        if (this.#vacuity !== undefined) {
            return this.#vacuity.advance(limit);
        }
        while (this.#advanceRound(limit)) {
            const more =
                this.#stopped === undefined && this.#options.endsAtLimit !== true
                    ? this.#growth?.after(this.#resultOfRound(), this.#round.reduced)
                    : undefined;
            if (more === undefined) {
                this.#vacuity = this.#asksVacuity() ? this.#round.beginVacuity() : undefined;
                return this.#vacuity?.advance(limit) ?? true;
            }
            this.close();
            this.#round = this.#begin(more);
            this.#phase = firstPhaseOf(this.#round);
            if (limit.isExhausted()) {
                break;
            }
        }
        return false;
    }

    #advanceRound(limit: WorkLimit): boolean {
        const { states, runs, followed } = this.#round;
        if (this.#phase === 'states' && states.exploration.advance(limit)) {
            this.#phase = this.#isAnswered() ? 'finished' : 'runs';
            if (this.#stopped !== undefined) {
                runs?.stop(this.#stopped);
                followed?.stop(this.#stopped);
            }
        }
        if (this.#phase === 'runs' && (runs === undefined || runs.advance(limit))) {
            this.#phase = this.#isAnswered() ? 'finished' : 'followed';
        }
        if (this.#phase === 'followed' && (followed === undefined || followed.advance(limit))) {
            this.#phase = 'finished';
        }
        return this.#phase === 'finished';
    }

    /** Whether what was found leaves nothing to ask. */
    #isAnswered(): boolean {
        const { report } = this.#found();
        if (report === undefined || (report.limit !== undefined && this.#options.endsAtLimit === true)) {
            return true;
        }
        const isViolated = report.violations.some(each => !this.#round.meant.has(statementOf(each)));
        return isViolated && this.#options.continueAfterViolation !== true;
    }

    /** Whether vacuity is asked for, all states were seen, and nothing is violated. */
    #asksVacuity(): boolean {
        if (this.#options.tellsVacuity === false) {
            return false;
        }
        const { report } = this.#resultOfRound();
        const { hasSeenAll } = this.#round.states.exploration;
        return (
            hasSeenAll && report?.verdict === 'holds' && report.limit === undefined && report.violations.length === 0
        );
    }

    stop(limit: ExplorationLimit): void {
        this.#stopped ??= limit;
        this.#vacuity?.stop();
        if (this.#phase === 'states') {
            this.#round.states.exploration.stop(limit);
        } else {
            this.#round.runs?.stop(limit);
            this.#round.followed?.stop(limit);
        }
    }

    close(): void {
        this.#round.states.exploration.close();
        this.#round.followed?.close();
        this.#vacuity?.close();
    }

    progress(): ExplorationProgress {
        const states = this.#round.states.exploration.progress();
        const followed = this.#phase === 'followed' ? this.#round.followed?.progress() : undefined;
        if (followed !== undefined) {
            return { ...followed, phase: 'search', violations: states.violations + followed.violations };
        }
        const checks = this.#phase === 'runs' ? this.#round.runs : undefined;
        return checks?.counts === undefined
            ? states
            : {
                  ...states,
                  phase: 'search',
                  states: checks.counts.states,
                  transitions: checks.counts.transitions,
                  frontier: checks.counts.waiting,
                  memoryBytes: checks.counts.bytes,
                  violations: states.violations + checks.violations.length,
              };
    }

    statesPerOrbit(): number | undefined {
        return this.#phase === 'states' ? this.#round.states.exploration.statesPerOrbit() : undefined;
    }

    /** Runs are checked on graphs of their own, which no file holds. */
    snapshot(): ExplorationSnapshot | undefined {
        const { runs, followed, states } = this.#round;
        return runs === undefined && followed === undefined ? states.exploration.snapshot() : undefined;
    }

    result(): ExplorationResult {
        const { report, problems: found } = this.#resultOfRound();
        const problems = [...found, ...(this.#vacuity?.problems ?? [])];
        return report === undefined
            ? { problems }
            : { problems, report: this.#growth?.reportOn(report, this.#round.reduced) ?? report };
    }

    #resultOfRound(): ExplorationResult {
        const { judge, followed } = this.#round;
        const { report, problems } = this.#found();
        return report === undefined ? { problems } : { problems, report: judge(report, followed?.outcomes ?? []) };
    }

    /** What was found, whatever is meant. */
    #found(): ExplorationResult {
        const { states, runs, followed } = this.#round;
        const ofStates = states.exploration.result();
        const { report, problems } = runs === undefined ? ofStates : withRuns(ofStates, runs, this.#stopped);
        if (report === undefined || followed === undefined) {
            return { problems, ...(report !== undefined && { report }) };
        }
        const { allStates, ...ofOthers } = report;
        const counts = followed.isAlone ? followed.counts() : allStates !== undefined && { allStates };
        return {
            problems,
            report: { ...ofOthers, ...counts, violations: [...report.violations, ...followed.violations] },
        };
    }
}

/** If only temporal properties or runs are asked for, no states are searched for anything else. */
function firstPhaseOf({ runs, followed }: Round): 'states' | 'runs' | 'followed' {
    return runs?.isAlone === true ? 'runs' : followed?.isAlone === true ? 'followed' : 'states';
}

/** The view of callers, always on the last round; on the search for a run if nothing else is asked for. */
export function asReduced(exploration: PhasedExploration): ReducedExploration {
    const report = (): ReductionReport => {
        const { followed, reduced } = exploration.round;
        return (followed?.isAlone === true ? followed.latest : undefined) ?? reduced.report;
    };
    const states = (): Pick<ReducedExploration, 'interpretedBecause'> => {
        const { followed, states: ofStates } = exploration.round;
        return (followed?.isAlone === true ? followed.latest : undefined) ?? ofStates;
    };
    return {
        exploration,
        get passes() {
            return report().passes ?? [];
        },
        get group() {
            return report().group;
        },
        get startGroup() {
            return report().startGroup;
        },
        get strategy() {
            return report().strategy;
        },
        get choice() {
            return report().choice;
        },
        get alike() {
            return report().alike;
        },
        get allStepsBecause() {
            return report().allStepsBecause;
        },
        get interpretedBecause() {
            return states().interpretedBecause;
        },
        get coverage() {
            return exploration.round.states.coverage;
        },
        reasonOf: (violation, textOf) => exploration.round.reasonOf(violation, textOf),
        unreached: () => exploration.round.states.unreached(),
        identity: () => exploration.round.states.identity() + exploration.round.reduced.identity(),
    };
}
