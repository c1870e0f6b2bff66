/**
 * One model, explored in every way: by the interpreter or generated code, in one or several memories and threads,
 * states or fingerprints, at once or in pieces, under each reduction, with and without passes. Ways with the same
 * reduction and passes have the same report, traces included. The plain way is compared with the reference.
 */
import { invariant } from '../../engine/common/assert.js';
import { createWorkLimit, UNLIMITED, type WorkLimit } from '../../engine/common/work-limit.js';
import type { RunningExploration } from '../../engine/explore/search.js';
import type { StoredExploration } from '../../engine/explore/snapshot.js';
import type { ExplorationReport } from '../../engine/explore/verdict.js';
import type { WorkerHost } from '../../engine/explore/worker-host.js';
import { DEFAULT_PASSES, PASSES, type PassName } from '../../engine/passes/pass-names.js';
import { startExploration, type Analysis, type ReducedExplorationOptions } from '../../engine/pipeline.js';
import { exploreInPieces } from '../explore/in-pieces.js';
import { agree } from './engine-view.js';

export interface Way {
    readonly reduction: 'none' | 'unique' | 'local';
    readonly passes: 'no' | 'default' | 'all';
    readonly execution: 'interpreter' | 'one memory' | 'shards' | 'threads' | 'threads and shards';
    readonly stores: 'states' | 'fingerprints';
    readonly run: 'at once' | 'in pieces';
}

/** That a way was gone, and what came of it that makes it worth something. */
export interface WayTaken {
    readonly way: Way;
    readonly threads: number;
    readonly pieces: number;
    readonly hasFingerprints: boolean;
}

const CHOICES: Readonly<Record<Way['passes'], readonly PassName[]>> = { no: [], default: DEFAULT_PASSES, all: PASSES };

/** The interpreter has one memory, and no fingerprints. */
export const WAYS: readonly Way[] = (['none', 'unique', 'local'] as const).flatMap(reduction =>
    (['no', 'default', 'all'] as const).flatMap(passes =>
        (['at once', 'in pieces'] as const).flatMap(run => [
            { reduction, passes, execution: 'interpreter' as const, stores: 'states' as const, run },
            ...(['one memory', 'shards', 'threads', 'threads and shards'] as const).flatMap(execution =>
                (['states', 'fingerprints'] as const).map(stores => ({ reduction, passes, execution, stores, run })),
            ),
        ]),
    ),
);

export function nameOf({ reduction, passes, execution, stores, run }: Way): string {
    return `reduction ${reduction}, ${passes} passes, ${execution}, ${stores}, ${run}`;
}

export class Ways {
    readonly #analysis: Analysis;
    readonly #workers: WorkerHost | undefined;
    readonly #plain = new Map<string, ExplorationReport>();

    constructor(analysis: Analysis, workers: WorkerHost | undefined) {
        this.#analysis = analysis;
        this.#workers = workers;
    }

    /** What generated code says, in one memory. */
    plain(reduction: Way['reduction'], passes: Way['passes']): ExplorationReport {
        const key = `${reduction} ${passes}`;
        const known = this.#plain.get(key);
        if (known !== undefined) {
            return known;
        }
        const { report } = explore(this.#analysis, { reduction, passes: CHOICES[passes] });
        this.#plain.set(key, report);
        return report;
    }

    /** Throws a Disagreement where the way does not lead where the plain one does. */
    take(way: Way): WayTaken {
        const options = this.#optionsOf(way);
        const begin = (resumeFrom?: StoredExploration): RunningExploration =>
            startExploration(this.#analysis, { ...options, ...(resumeFrom !== undefined && { resumeFrom }) }, UNLIMITED)
                .exploration;
        const { exploration, pieces } = way.run === 'in pieces' ? exploreInPieces(begin, 2, 2) : finished(begin());
        const report = reportOf(exploration);
        const [expected, found] = [this.plain(way.reduction, way.passes), report].map(comparable);
        agree(expected === found, () => `${nameOf(way)}:\n${found!}\nin the plain way\n${expected!}`);
        return {
            way,
            threads: exploration.threadCount,
            pieces,
            hasFingerprints: report.omissionProbability !== undefined,
        };
    }

    get #threads(): WorkerHost {
        invariant(this.#workers !== undefined, 'threads come from a host');
        return this.#workers;
    }

    #optionsOf({ reduction, passes, execution, stores }: Way): ReducedExplorationOptions {
        const hasThreads = execution === 'threads' || execution === 'threads and shards';
        const hasShards = execution === 'shards' || execution === 'threads and shards';
        // From the first state on, so that small models too are searched by several threads and in several memories.
        const shards = hasThreads || hasShards ? { count: hasShards ? 2 : 1, fromStates: 1 } : undefined;
        return {
            reduction,
            passes: CHOICES[passes],
            continueAfterViolation: true,
            ...(execution === 'interpreter' && { isInterpreted: true }),
            ...(shards !== undefined && { shards }),
            ...(hasThreads && { workers: this.#threads }),
            ...(stores === 'fingerprints' && { storesFingerprints: true }),
        };
    }
}

function finished(exploration: RunningExploration): {
    readonly exploration: RunningExploration;
    readonly pieces: number;
} {
    while (!exploration.advance(UNLIMITED));
    return { exploration, pieces: 1 };
}

export interface Explored {
    readonly report: ExplorationReport;
    /** Whether all of the symmetries are used that keep what is checked, and each orbit is stored once. */
    readonly isUnique: boolean;
}

/** All of it, whatever is violated unless `isWhole` is false, in slices of a clock of its own. */
export function explore(analysis: Analysis, options: ReducedExplorationOptions, isWhole = true): Explored {
    const started = startExploration(analysis, { ...options, continueAfterViolation: isWhole }, UNLIMITED);
    const { exploration, choice } = started;
    let time = 0;
    const slice = (): WorkLimit => createWorkLimit({ now: () => time++, budgetMilliseconds: 3 });
    while (!exploration.advance(slice())) {
        agree(time < 1e6, () => 'the exploration does not end');
    }
    const report = reportOf(exploration);
    const usesAll = choice === undefined || choice.uses === 'group';
    return { report, isUnique: usesAll && report.reduction?.unique === true };
}

function reportOf(exploration: RunningExploration): ExplorationReport {
    exploration.close();
    const { report, problems } = exploration.result();
    agree(report !== undefined, () => `the exploration says: ${problems[0]?.message ?? 'nothing'}`);
    return report!;
}

/** Everything but what the states take in memory, and how sure it is. */
function comparable({ omissionProbability: _, ...report }: ExplorationReport): string {
    const answer = { ...report, peakBytes: 0, bytesPerState: 0 };
    return JSON.stringify(answer, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
