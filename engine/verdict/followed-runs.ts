/**
 * The phase of a search for runs that are to exist and that no single state shows: each is a search for a state of a model
 * that follows it (sequential/runs/observed-run.ts), with its own symmetries.
 */
import { SlicedWork } from '../common/sliced-work.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { ExplorationProgress } from '../explore/search.js';
import type {
    ExplorationLimit,
    ExplorationReport,
    FoundRun,
    RunOutcome,
    TraceEntry,
    Violation,
} from '../explore/verdict.js';
import type { StatedRun } from '../model/meant.js';
import { nameOfCount } from '../sequential/runs/observed-run.js';
import type { ReducedExploration } from './reduced-exploration.js';

/** A run, and the search for it in a model whose states have one more cell. */
export interface FollowedRun {
    readonly stated: StatedRun;
    /** The cell that counts parts. */
    readonly count: number;
    readonly begin: () => ReducedExploration;
}

const NO_COUNTS = { states: 0, transitions: 0, depth: 0, bytesPerState: 0, peakBytes: 0 };

export class FollowedRuns {
    readonly outcomes: RunOutcome[] = [];
    /** Faults in the conditions of runs. */
    readonly violations: Violation[] = [];
    /** Whether nothing else is asked for. */
    readonly isAlone: boolean;
    readonly #work: SlicedWork;
    readonly #reports: ExplorationReport[] = [];
    #latest: ReducedExploration | undefined;
    #stopped: ExplorationLimit | undefined;

    /** Each run is asked for when its search begins. */
    constructor(runs: readonly (() => FollowedRun)[], { isAlone }: Pick<FollowedRuns, 'isAlone'>) {
        this.isAlone = isAlone;
        this.#work = new SlicedWork(this.#search(runs));
    }

    /** Works until the limit is exhausted; true once each run has an outcome. */
    advance(limit: WorkLimit): boolean {
        return this.#work.advance(limit);
    }

    /** Leaves what is not decided yet undecided; `advance` has then little left to do. */
    stop(limit: ExplorationLimit): void {
        this.#stopped ??= limit;
        this.#latest?.exploration.stop(limit);
    }

    close(): void {
        this.#latest?.exploration.close();
    }

    /** The search of the last one. */
    get latest(): ReducedExploration | undefined {
        return this.#latest;
    }

    /** Of all searches that have ended, for a report without a search of states. */
    counts(): Pick<ExplorationReport, keyof typeof NO_COUNTS | 'reduction' | 'numbers'> {
        return this.#reports.reduce(
            (all, { states, transitions, depth, bytesPerState, peakBytes, reduction, numbers }) => ({
                states: all.states + states,
                transitions: all.transitions + transitions,
                depth: Math.max(all.depth, depth),
                bytesPerState: Math.max(all.bytesPerState, bytesPerState),
                peakBytes: Math.max(all.peakBytes, peakBytes),
                ...(reduction !== undefined && { reduction }),
                ...(numbers !== undefined && { numbers }),
            }),
            NO_COUNTS,
        );
    }

    /** Of the search that is going on. */
    progress(): ExplorationProgress | undefined {
        return this.#latest?.exploration.progress();
    }

    *#search(runs: readonly (() => FollowedRun)[]): Generator<undefined> {
        for (const run of runs) {
            const { stated, count, begin } = run();
            const { name, nameRange: range } = stated;
            if (this.#stopped !== undefined) {
                this.outcomes.push({ name, range, verdict: 'undecided', limit: this.#stopped });
                continue;
            }
            this.#latest = begin();
            const { exploration } = this.#latest;
            while (!exploration.advance(this.#work.limit)) {
                yield;
            }
            const { report } = exploration.result();
            exploration.close();
            this.#reports.push(...(report === undefined ? [] : [report]));
            const { reached: [found] = [], violations = [], limit } = report ?? {};
            const faults = violations.map(({ expected: _, ...violation }) => ({
                ...violation,
                ...withoutCount(violation, stated, count),
            }));
            this.violations.push(...faults);
            this.outcomes.push({
                name,
                range,
                ...(found === undefined
                    ? { verdict: limit === undefined && faults.length === 0 ? 'none' : 'undecided' }
                    : {
                          verdict: 'reached',
                          found: withoutCount(found, stated, count),
                          parts: partsIn(found, stated, count),
                      }),
                ...(found === undefined && limit !== undefined && { limit }),
            });
        }
    }
}

/** The same run of the model as written. */
function withoutCount({ name, trace, run }: FoundRun, stated: StatedRun, count: number): FoundRun {
    const key = nameOfCount(stated);
    return {
        name,
        trace: trace.map(({ state, changed, ...entry }): TraceEntry => {
            const { [key]: _, ...others } = state;
            return { ...entry, state: others, changed: changed.filter(cell => cell !== key) };
        }),
        run: { ...run, states: run.states.map(state => state.filter((_, cell) => cell !== count)) },
    };
}

/** By part the first entry behind which it counts as met; the last entry for those that it meets itself. */
function partsIn({ run: { states } }: FoundRun, { parts }: StatedRun, count: number): readonly number[] {
    return parts.map((_, part) => {
        const behind = states.findIndex(state => state[count] > part);
        return behind < 0 ? states.length - 1 : behind - 1;
    });
}
