/**
 * An exploration as its phases, one after the other in slices: states, then runs. If a search had too little room for what
 * grows in the model, a round with more begins, and the result is that of the last round alone.
 */
import type { Explorable } from '../analysis.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { ExplorationProgress, ExplorationResult, RunningExploration } from '../explore/search.js';
import type { ExplorationSnapshot } from '../explore/snapshot.js';
import type { ExplorationLimit, ExplorationReport } from '../explore/verdict.js';
import type { PropertyChecks } from './property-checks.js';
import type { ReasonOf, ReducedExploration, ReducedExplorationOptions } from './reduced-exploration.js';
import type { Reduced } from './reduction.js';
import { withRuns } from './runs-report.js';
import type { SearchedStates } from './search-states.js';

/** The phases of one search, each ready to begin. */
export interface Round {
    readonly reduced: Reduced;
    readonly states: SearchedStates;
    /** Absent without properties of runs. */
    readonly runs?: PropertyChecks | undefined;
    readonly reasonOf: ReasonOf;
}

/** Something in a model that has no end, of which a search has a part: with more of it the model is analyzed anew. */
export interface Growth {
    /** The model with as much as the search has that begins, or goes on. */
    readonly given: Explorable;
    /** The model with more of it, if a search has ended for lack of it. */
    after(result: ExplorationResult): Explorable | undefined;
    /** The report, with a word on the growth. */
    reportOn(report: ExplorationReport, reduced: Reduced): ExplorationReport;
}

export class PhasedExploration implements RunningExploration {
    readonly #begin: (given: Explorable) => Round;
    readonly #growth: Growth | undefined;
    readonly #options: Pick<ReducedExplorationOptions, 'continueAfterViolation'>;
    #round: Round;
    #phase: 'states' | 'runs' | 'finished';
    #stopped: ExplorationLimit | undefined;

    constructor(
        given: Explorable,
        begin: (given: Explorable) => Round,
        growth: Growth | undefined,
        options: Pick<ReducedExplorationOptions, 'continueAfterViolation'>,
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
        while (this.#advanceRound(limit)) {
            const more = this.#stopped === undefined ? this.#growth?.after(this.#resultOfRound()) : undefined;
            if (more === undefined) {
                return true;
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
        const { states, runs } = this.#round;
        if (this.#phase === 'states' && states.exploration.advance(limit)) {
            this.#phase = runs === undefined || this.#isAnswered() ? 'finished' : 'runs';
            if (this.#stopped !== undefined) {
                runs?.stop(this.#stopped);
            }
        }
        if (this.#phase === 'runs' && runs?.advance(limit) === true) {
            this.#phase = 'finished';
        }
        return this.#phase === 'finished';
    }

    /** Whether what was found of states leaves nothing to ask of runs. */
    #isAnswered(): boolean {
        const { report } = this.#round.states.exploration.result();
        return report === undefined || (report.verdict === 'violated' && this.#options.continueAfterViolation !== true);
    }

    stop(limit: ExplorationLimit): void {
        this.#stopped ??= limit;
        if (this.#phase === 'states') {
            this.#round.states.exploration.stop(limit);
        } else {
            this.#round.runs?.stop(limit);
        }
    }

    close(): void {
        this.#round.states.exploration.close();
    }

    progress(): ExplorationProgress {
        const states = this.#round.states.exploration.progress();
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
        return this.#phase === 'runs' ? undefined : this.#round.states.exploration.statesPerOrbit();
    }

    /** Runs are checked on graphs of their own, which no file holds. */
    snapshot(): ExplorationSnapshot | undefined {
        return this.#round.runs === undefined ? this.#round.states.exploration.snapshot() : undefined;
    }

    result(): ExplorationResult {
        const { report, problems } = this.#resultOfRound();
        return report === undefined
            ? { problems }
            : { problems, report: this.#growth?.reportOn(report, this.#round.reduced) ?? report };
    }

    #resultOfRound(): ExplorationResult {
        const { states, runs } = this.#round;
        const ofStates = states.exploration.result();
        return runs === undefined ? ofStates : withRuns(ofStates, runs, this.#stopped);
    }
}

/** If only temporal properties are asked for, no states are searched for anything else. */
function firstPhaseOf({ runs }: Round): 'states' | 'runs' {
    return runs?.isAlone === true ? 'runs' : 'states';
}

/** The view of callers, always on the last round. */
export function asReduced(exploration: PhasedExploration): ReducedExploration {
    return {
        exploration,
        get passes() {
            return exploration.round.reduced.report.passes ?? [];
        },
        get group() {
            return exploration.round.reduced.report.group;
        },
        get startGroup() {
            return exploration.round.reduced.report.startGroup;
        },
        get strategy() {
            return exploration.round.reduced.report.strategy;
        },
        get choice() {
            return exploration.round.reduced.report.choice;
        },
        get alike() {
            return exploration.round.reduced.report.alike;
        },
        get allStepsBecause() {
            return exploration.round.reduced.report.allStepsBecause;
        },
        get interpretedBecause() {
            return exploration.round.states.interpretedBecause;
        },
        get coverage() {
            return exploration.round.states.coverage;
        },
        reasonOf: (violation, textOf) => exploration.round.reasonOf(violation, textOf),
        unreached: () => exploration.round.states.unreached(),
        identity: () => exploration.round.states.identity() + exploration.round.reduced.identity(),
    };
}
